/** Each accepted document reads back in a form that can be written again, and means the same. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemCaller } from '../../../support/test-home.ts';
import { createNativeHome, type NativeHome, PEOPLE } from './native-home.ts';

const RUNS = 150;

let fixture: NativeHome;

beforeAll(() => {
  fixture = createNativeHome();
});
afterAll(() => fixture.close());

const whole = (min: number, max: number) => fc.integer({ min, max });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
/** Fields that may be left out. */
const some = <T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(fields, { requiredKeys: [] as (keyof T)[] });

const place = fc.constantFrom(
  { accessory: 'Lamp', characteristicType: 'brightness', values: whole(0, 100) },
  { accessory: 'Thermostat', characteristicType: 'target_temperature', values: whole(10, 30) },
  {
    accessory: 'Front Door',
    characteristicType: 'public.hap.characteristic.lock-mechanism.current-state',
    values: whole(0, 3),
  },
);
const placed = (more: (values: fc.Arbitrary<number>) => fc.Arbitrary<object>) =>
  place.chain(({ accessory, characteristicType, values }) =>
    more(values).map((rest) => ({
      type: 'characteristic',
      accessoryId: fixture.home.named(accessory).id,
      characteristicType,
      ...rest,
    })),
  );
const who = fc.oneof(
  fc.constant({}),
  fc.record({ presenceType: fc.constantFrom('allUsers', 'currentUser') }),
  fc.record({
    presenceType: fc.constant('customUsers'),
    personIds: fc.subarray(
      PEOPLE.map(({ id }) => id),
      { minLength: 1 },
    ),
  }),
);
const clock = { hour: whole(0, 23), minute: whole(0, 59) };

const event = fc.oneof(
  placed((values) => some({ triggerValue: values })),
  placed((values) => fc.record({ thresholdMin: values, thresholdMax: fc.constant(1000) })),
  placed((values) => fc.record({ thresholdMax: values })),
  fc.record({
    type: fc.constant('significantTime'),
    significantEvent: fc.constantFrom('sunrise', 'sunset'),
    offsetMinutes: maybe(whole(-720, 720)),
  }),
  fc.record({
    type: fc.constant('calendar'),
    calendarComponents: fc.record({ ...clock, weekday: maybe(whole(1, 7)), month: maybe(whole(1, 12)) }),
  }),
  fc.record({
    type: fc.constant('location'),
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    radius: whole(1, 5000),
    notifyOnEntry: fc.constant(true),
    notifyOnExit: maybe(fc.boolean()),
  }),
  who.chain((whose) =>
    fc.record({
      type: fc.constant('presence'),
      ...Object.fromEntries(Object.entries(whose).map(([name, value]) => [name, fc.constant(value)])),
      presenceEvent: fc.constantFrom('atHome', 'notAtHome', 'firstArrival', 'lastDeparture'),
    }),
  ),
);
const endEvent = fc.oneof(event, fc.record({ type: fc.constant('duration'), durationSeconds: whole(1, 86_400) }));
const condition = fc.oneof(
  placed((value) =>
    fc.record({
      value,
      operator: maybe(fc.constantFrom('equalTo', 'notEqualTo', 'lessThan', 'greaterThan', 'lessThanOrEqualTo')),
    }),
  ),
  fc.record({ type: fc.constant('time'), afterTime: fc.record(clock), beforeTime: maybe(fc.record(clock)) }),
  fc.record({ type: fc.constant('significantEvent'), afterEvent: fc.constantFrom('sunrise', 'sunset') }),
  fc.record({ type: fc.constant('presence'), presenceEvent: fc.constantFrom('atHome', 'notAtHome') }),
);
const unlike = { selector: (one: unknown) => JSON.stringify(one) };
const trigger = fc.oneof(
  fc.record({
    type: fc.constant('event'),
    events: fc.uniqueArray(event, { minLength: 1, maxLength: 5, ...unlike }),
    endEvents: maybe(fc.uniqueArray(endEvent, { maxLength: 3, ...unlike })),
    conditions: maybe(fc.array(condition, { maxLength: 4 })),
    recurrences: maybe(fc.array(fc.record({ weekday: whole(1, 7) }), { maxLength: 7 })),
    executeOnce: maybe(fc.boolean()),
  }),
  fc.record({
    type: fc.constant('timer'),
    fireDate: fc
      .date({ min: new Date('2030-01-01T00:00:00Z'), max: new Date('2090-01-01T00:00:00Z'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    recurrence: maybe(fc.oneof(fc.record({ weekday: whole(1, 7), ...clock }), fc.record({ day: whole(1, 60) }))),
    timeZone: maybe(fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kathmandu')),
    executeOnce: maybe(fc.boolean()),
  }),
);

/** As GraphQL writes it: JSON in texts, and null for what is not there. */
function asTexts(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, held) =>
      ['recurrence', 'recurrences', 'calendarComponents'].includes(name) && held !== null ? JSON.stringify(held) : held,
    ),
  );
}

describe('what is written', () => {
  it('reads back in the form in which it is written, as JSON and with JSON in texts', () => {
    let count = 0;
    const property = fc.property(trigger, (written) => {
      // Two spellings of one event are one event, which may not be there twice.
      let automation: ReturnType<NativeHome['create']>;
      try {
        count += 1;
        automation = fixture.create(written, `Automation ${count}`);
      } catch (error) {
        expect(String(error)).toContain('is the same event');
        return;
      }
      for (const form of [(value: unknown) => value, asTexts]) {
        const { trigger: shown, actions } = fixture.show(automation);
        const again = fixture.native.update(systemCaller, automation.id, { trigger: form(shown), actions });
        expect(again).toEqual(automation);
      }
      fixture.native.delete(systemCaller, automation.id);
    });
    fc.assert(property, { numRuns: RUNS });
  });

  it('is refused with a sentence, for every input', () => {
    const property = fc.property(fc.jsonValue({ maxDepth: 3 }), (junk) => {
      const input = typeof junk === 'object' && junk !== null ? { type: 'event', ...junk } : junk;
      for (const one of [input, { type: 'event', events: [junk] }, { type: 'timer', recurrence: junk }]) {
        expect(() => fixture.create(one)).toThrow(expect.objectContaining({ name: 'HearthError' }));
      }
    });
    fc.assert(property, { numRuns: RUNS });
  });
});
