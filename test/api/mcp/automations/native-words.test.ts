/** Native automations in the words of the tools: both ways, without loss. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { presentForTools, type WireAutomation } from '../../../../src/api/mcp/automations/native-words.ts';
import { readAutomation, type SentAutomation } from '../../../../src/api/mcp/automations/read-automation.ts';
import type { Automation } from '../../../../src/app/automations/native/automation.ts';
import { HearthError } from '../../../../src/kernel/errors.ts';
import { systemCaller } from '../../../support/test-home.ts';
import { createToolFixture, type ToolFixture } from './tool-fixture.ts';

const RUNS = 150;

let fixture: ToolFixture;
beforeAll(() => {
  fixture = createToolFixture();
});
afterAll(() => fixture.stop());

const json = <T>(value: T): T => JSON.parse(JSON.stringify(value));
const around = () => ({ words: fixture.words(), state: fixture.state, now: fixture.clock.now() });
const answer = (automation: Automation): WireAutomation => json(presentForTools(automation, around(), true));

let count = 0;
/** Creates one from the input, reads it and deletes it again. */
function passing(input: SentAutomation, look: (automation: Automation) => void): void {
  count += 1;
  const name = `Automation ${count}`;
  const made = readAutomation(json(input), around(), undefined, ({ trigger, actions }) =>
    fixture.automations.create(systemCaller, { homeId: fixture.homeId, name, trigger, actions }),
  );
  try {
    look(made);
  } finally {
    fixture.automations.delete(systemCaller, made.id);
  }
}

function update(current: Automation, input: SentAutomation): Automation {
  return readAutomation(json(input), around(), current, ({ trigger, actions }) =>
    trigger === undefined && actions === undefined
      ? current
      : fixture.automations.update(systemCaller, current.id, { trigger, actions }),
  );
}

const whole = (min: number, max: number) => fc.integer({ min, max });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const keyOf = (name: string) => fc.constant(null).map(() => fixture.words().keyOf(fixture.id(name)));

const reading = fc.constantFrom<readonly [string, string, fc.Arbitrary<unknown>]>(
  ['Lamp', 'on', fc.boolean()],
  ['Lamp', 'brightness', whole(0, 100)],
  ['Thermostat', 'hvac_mode', fc.constantFrom('off', 'heat', 'cool', 'auto')],
  ['Thermostat', 'hvac_state', fc.constantFrom('idle', 'heating', 'cooling')],
  ['Front Door', 'locked', fc.boolean()],
  ['Motion', 'motion', fc.boolean()],
  ['Mode', 'virtual_mode', fc.constantFrom('day', 'night')],
);
const characteristic = (isOptional: boolean) =>
  reading.chain(([name, property, values]) =>
    fc.record({
      type: fc.constant('characteristic'),
      accessory: keyOf(name),
      characteristic: fc.constant(property),
      value: isOptional ? maybe(values) : values,
    }),
  );
const clock = { hour: whole(0, 23), minute: whole(0, 59) };
const event = fc.oneof(
  characteristic(true),
  fc.record({
    type: fc.constant('significantTime'),
    significantEvent: fc.constantFrom('sunrise', 'sunset'),
    offsetMinutes: maybe(whole(1, 720)),
  }),
  fc.record({
    type: fc.constant('calendar'),
    calendarComponents: fc.record({ ...clock, weekday: maybe(whole(1, 7)) }),
  }),
);
const unlike = { selector: (one: unknown) => JSON.stringify(one) };
/** Only what leaves something out: an empty list and all the days are shown as nothing. */
const weekdays = fc
  .uniqueArray(whole(1, 7), { minLength: 1, maxLength: 6 })
  .map((days) => [...days].sort().map((weekday) => ({ weekday })));
const trigger = fc.oneof(
  fc.record({
    type: fc.constant('event'),
    events: fc.uniqueArray(event, { minLength: 1, maxLength: 4, ...unlike }),
    endEvents: maybe(
      fc.uniqueArray(fc.oneof(event, fc.record({ type: fc.constant('duration'), durationSeconds: whole(1, 86_400) })), {
        minLength: 1,
        maxLength: 2,
        ...unlike,
      }),
    ),
    conditions: maybe(fc.array(characteristic(false), { minLength: 1, maxLength: 3 })),
    recurrences: maybe(weekdays),
    executeOnce: maybe(fc.constant(true)),
  }),
  fc.record({
    type: fc.constant('timer'),
    ...clock,
    recurrenceType: fc.constant('daily'),
    timeZone: maybe(fc.constantFrom('Europe/Berlin', 'America/New_York')),
  }),
  fc.record({
    type: fc.constant('timer'),
    fireDate: fc
      .date({ min: new Date('2031-01-01T00:00:00Z'), max: new Date('2090-01-01T00:00:00Z'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    recurrenceType: maybe(fc.constantFrom('daily', 'weekly')),
    executeOnce: maybe(fc.constant(true)),
  }),
  fc.record({
    type: fc.constant('timer'),
    fireDate: fc.constant('2031-05-05T05:05:05.000Z'),
    recurrence: fc.oneof(fc.record({ weekday: whole(1, 7), ...clock }), fc.record({ month: whole(1, 12) })),
  }),
);
const actions = fc
  .record({
    lamp: maybe(fc.record({ accessory: keyOf('Lamp'), on: fc.boolean(), brightness: maybe(whole(0, 100)) })),
    warmth: maybe(fc.record({ accessory: keyOf('Thermostat'), hvac_mode: fc.constantFrom('off', 'heat') })),
    door: fc.record({ accessory: keyOf('Front Door'), lock_target: fc.boolean() }),
  })
  .map(({ lamp, warmth, door }) => [lamp, warmth, door].filter((one) => one !== undefined));
const automation = fc.record({ trigger, actions });

describe('a native automation in the words of the tools', () => {
  it('reads back word for word as it was sent', () => {
    const property = fc.property(automation, (wire) => {
      passing(wire, (made) => {
        const { trigger: shown, actions: shownActions } = answer(made);
        const { activation_issue: _issue, ...words } = shown;
        expect({ trigger: words, actions: shownActions }).toEqual(json(wire));
      });
    });
    fc.assert(property, { numRuns: RUNS });
  });

  it('becomes the same record when it is sent again', () => {
    const property = fc.property(automation, (wire) => {
      passing(wire, (made) => {
        passing(answer(made), (again) => {
          expect({ trigger: again.trigger, actions: again.actions }).toEqual({
            trigger: made.trigger,
            actions: made.actions,
          });
        });
        expect(update(made, answer(made))).toEqual(made);
      });
    });
    fc.assert(property, { numRuns: RUNS });
  });
});

describe('an automation that was made elsewhere', () => {
  const elsewhere = (): Automation =>
    fixture.automations.create(systemCaller, {
      homeId: fixture.homeId,
      name: 'Elsewhere',
      actions: [{ accessoryId: fixture.id('Lamp'), characteristicType: 'on', targetValue: true }],
      trigger: {
        type: 'event',
        events: [
          {
            type: 'characteristic',
            accessoryId: fixture.id('Thermostat'),
            characteristicType: 'current_temp',
            thresholdMin: 25,
          },
          { type: 'presence', presenceEvent: 'firstArrival', presenceType: 'allUsers' },
          { type: 'location', latitude: 1, longitude: 2, radius: 3 },
          {
            type: 'characteristic',
            accessoryId: fixture.id('Motion'),
            characteristicType: 'motion',
            triggerValue: true,
          },
        ],
        conditions: [
          { type: 'time', afterTime: { hour: 22, minute: 0 } },
          { type: 'significantEvent', beforeEvent: 'sunrise' },
          {
            type: 'characteristic',
            accessoryId: fixture.id('Lamp'),
            characteristicType: 'brightness',
            operator: 'lessThan',
            value: 20,
          },
        ],
      },
    });

  it('is shown with all its content, with what can’t be made here marked, and is not editable', () => {
    const made = elsewhere();
    expect(answer(made)).toMatchObject({
      editable: false,
      trigger: {
        activation_issue: expect.stringMatching(/location/),
        events: [
          {
            _unsupported: 'characteristic',
            accessory: fixture.words().keyOf(fixture.id('Thermostat')),
            thresholdMin: 25,
          },
          { _unsupported: 'presence', presenceEvent: 'firstArrival' },
          { _unsupported: 'location', radius: 3 },
          { type: 'characteristic', characteristic: 'motion', value: true },
        ],
        conditions: [
          { _unsupported: 'time', afterTime: { hour: 22, minute: 0 } },
          { _unsupported: 'significantEvent' },
          { type: 'characteristic', characteristic: 'brightness', operator: 'lessThan', value: 20 },
        ],
      },
    });
    fixture.automations.delete(systemCaller, made.id);
  });

  it('keeps what can’t be made here where the rest of its trigger changes', () => {
    const made = elsewhere();
    const { trigger: wire } = answer(made);
    const events = wire.events as readonly object[];
    const changed = update(made, {
      trigger: {
        ...wire,
        events: [...events, { type: 'significantTime', significantEvent: 'sunset' }],
        executeOnce: true,
      },
    });
    if (made.trigger.type !== 'event') throw new Error('It is no event trigger');
    const added = { type: 'significantTime', significantEvent: 'sunset', offsetMinutes: 0 };
    expect(changed.trigger).toEqual({ ...made.trigger, events: [...made.trigger.events, added], executeOnce: true });
    const refuse = () => update(changed, { trigger: { ...wire, events: events.slice(3) } });
    expect(refuse).toThrow(/trigger.events: it leaves out/);
    fixture.automations.delete(systemCaller, made.id);
  });
});

describe('what is sent', () => {
  const action = { accessory: 'Lamp', on: true };
  const events = (one: object) => ({ trigger: { type: 'event', events: [one] }, actions: [action] });
  const timer = { type: 'timer', hour: 7 };

  it.each<readonly [string, SentAutomation, string, string, RegExp]>([
    ['no trigger', { trigger: undefined, actions: [action] }, 'trigger', 'invalid_value', /object/],
    [
      'an unknown trigger',
      { trigger: { type: 'sun' }, actions: [action] },
      'trigger.type',
      'invalid_value',
      /timer, event/,
    ],
    [
      'an event that can’t be made here',
      events({ type: 'presence' }),
      'trigger.events[0].type',
      'invalid_value',
      /calendar, duration/,
    ],
    [
      'an unknown accessory',
      events({ type: 'characteristic', accessory: 'Lmp', characteristic: 'on' }),
      'trigger.events[0].accessory',
      'accessory_not_found',
      /Did you mean "Lamp"/,
    ],
    [
      'a value that it never has',
      events({ type: 'characteristic', accessory: 'Lamp', characteristic: 'brightness', value: 500 }),
      'trigger.events[0].value',
      'invalid_value',
      /0 to 100/,
    ],
    [
      'a condition without a value',
      {
        trigger: {
          type: 'event',
          events: [],
          conditions: [{ type: 'characteristic', accessory: 'Lamp', characteristic: 'on' }],
        },
        actions: [action],
      },
      'trigger.conditions[0].value',
      'invalid_request',
      /missing/,
    ],
    [
      'an hour that is none',
      { trigger: { type: 'timer', hour: 25 }, actions: [action] },
      'trigger.hour',
      'invalid_value',
      /0 to 23/,
    ],
    [
      'an unknown field',
      { trigger: { ...timer, at: '7' }, actions: [action] },
      'trigger.at',
      'invalid_request',
      /Unknown/,
    ],
    ['no actions', { trigger: timer, actions: [] }, 'actions', 'invalid_value', /At least one/],
    [
      'nothing to set',
      { trigger: timer, actions: [{ accessory: 'Lamp' }] },
      'actions[0].on',
      'invalid_request',
      /brightness/,
    ],
    [
      'a value out of range, behind others',
      {
        trigger: timer,
        actions: [
          { accessory: 'Lamp', on: true, hue: 1 },
          { accessory: 'Thermostat', target_temp: 90 },
        ],
      },
      'actions[1].target_temp',
      'invalid_value',
      /10 to 30/,
    ],
    [
      'an unknown property',
      { trigger: timer, actions: [{ accessory: 'Lamp', warmth: 1 }] },
      'actions[0].warmth',
      'characteristic_not_found',
      /it has on/,
    ],
  ])('is refused with its own place and what there is instead: %s', (_what, input, field, code, sentence) => {
    let error: unknown;
    try {
      passing(input, () => {});
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(HearthError);
    const { code: parsedCode, details, message } = error as HearthError;
    expect({ code: parsedCode, field: details.field }).toEqual({ code, field });
    expect(message).toMatch(sentence);
    expect(message).not.toMatch(/accessoryId|characteristicType|targetValue/);
  });

  it('is a time of day once by default', () => {
    passing({ trigger: timer, actions: [action] }, (made) => {
      expect(answer(made).trigger).toEqual({ type: 'timer', fireDate: expect.stringMatching(/T/) });
    });
  });
});
