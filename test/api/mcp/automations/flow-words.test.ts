// biome-ignore-all lint/suspicious/noThenProperty: the record's name (wire-facts §6.2) for a list, never awaited
/** Flows in the words of the tools: both ways, without loss. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { presentFlow, readFlow, type WireFlow } from '../../../../src/api/mcp/automations/flow-words.ts';
import type { ConditionBlock } from '../../../../src/app/automations/conditions/index.ts';
import type { Flow } from '../../../../src/app/automations/flow.ts';
import { HearthError } from '../../../../src/kernel/errors.ts';
import { systemCaller } from '../../../support/test-home.ts';
import { createToolFixture, type ToolFixture } from './tool-fixture.ts';

const RUNS = 200;

let fixture: ToolFixture;
beforeAll(() => {
  fixture = createToolFixture();
});
afterAll(() => fixture.stop());

const json = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** As a client sees it, through JSON. */
const answer = (flow: Flow): WireFlow => json(presentFlow(flow, fixture.words(), true));

const save = (data: unknown, flowId?: string): Flow =>
  fixture.flows.save(systemCaller, { homeId: fixture.homeId, flowId, data });

/** Saves the given fields: of an existing flow, else of a new one. */
const write = (input: object, current?: Flow): Flow =>
  readFlow(json(input), fixture.words(), current, (data) => save(data, current?.id));

const partsOf = ({ triggers, conditions, actions }: WireFlow) => ({ triggers, conditions, actions });

/** A list of one block is that block: they mean the same. */
function normal(block: ConditionBlock): ConditionBlock {
  const [only, ...others] = block.conditions;
  const isWrapped = block.operator === 'and' && others.length === 0 && only && 'conditions' in only;
  return isWrapped && only.operator !== 'and' ? only : block;
}

let count = 0;
/** Writes, looks and deletes again: names are taken only for a moment. */
function passing(data: object, look: (flow: Flow) => void, make: (data: object) => Flow = save): void {
  count += 1;
  const flow = make({ name: `Flow ${count}`, actions: [], triggers: [], ...data });
  try {
    look(flow);
  } finally {
    fixture.flows.delete(systemCaller, flow.id);
  }
}

// — the input that is accepted —

const whole = (min: number, max: number) => fc.integer({ min, max });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const keyOf = (name: string) => fc.constant(null).map(() => fixture.words().keyOf(fixture.id(name)));
const groupKey = fc.constant(null).map(() => fixture.words().keyOf(fixture.group.id));

const duration = fc.oneof(whole(0, 3600), fc.record({ minutes: whole(0, 60), seconds: maybe(whole(0, 59)) }));
const offset = fc.oneof(whole(-3600, 3600), fc.record({ minutes: whole(-60, 60) }));
const time = fc
  .record({ hour: whole(0, 23), minute: whole(0, 59) })
  .map(({ hour, minute }) => [hour, minute].map((part) => String(part).padStart(2, '0')).join(':'));
const weekdays = fc.uniqueArray(whole(0, 6), { minLength: 1 }).map((days) => [...days].sort());
/** A property with the values that it takes. */
const reading = fc.constantFrom<readonly [string, string, fc.Arbitrary<unknown>]>(
  ['Lamp', 'on', fc.boolean()],
  ['Lamp', 'brightness', whole(0, 100)],
  ['Lamp', 'hue', whole(0, 360)],
  ['Thermostat', 'current_temp', whole(0, 1000).map((tenths) => tenths / 10)],
  ['Thermostat', 'hvac_mode', fc.constantFrom('off', 'heat', 'cool', 'auto')],
  ['Thermostat', 'hvac_state', fc.constantFrom('idle', 'heating', 'cooling')],
  ['Front Door', 'locked', fc.boolean()],
  ['Front Door', 'lock_target', fc.boolean()],
  ['Motion', 'motion', fc.boolean()],
  ['Motion', 'low_battery', fc.boolean()],
);
const watched = (more: (values: fc.Arbitrary<unknown>) => fc.Arbitrary<object>) =>
  fc
    .oneof(
      reading.chain(([name, characteristic, values]) =>
        fc.record({ accessory: keyOf(name), characteristic: fc.constant(characteristic), more: more(values) }),
      ),
      fc.record({ service_group: groupKey, characteristic: fc.constant('on'), more: more(fc.boolean()) }),
    )
    .map(({ more: rest, ...place }) => ({ ...place, ...rest }));
const numeric = fc.constantFrom(['Lamp', 'brightness'], ['Thermostat', 'target_temp'], ['Motion', 'battery']);
const range = fc.oneof(
  fc.record({ above: whole(0, 10) }),
  fc.record({ below: whole(11, 90) }),
  fc.record({ above: whole(0, 10), below: whole(11, 90) }),
);
const measured = (more: fc.Arbitrary<object>) =>
  numeric.chain(([name = '', characteristic]) =>
    fc
      .record({ accessory: keyOf(name), characteristic: fc.constant(characteristic), range, more })
      .map(({ range: bounds, more: rest, ...place }) => ({ ...place, ...bounds, ...rest })),
  );
const virtualValue = fc.constantFrom<readonly [string, fc.Arbitrary<unknown>]>(
  ['Visits', whole(0, 10)],
  ['Mode', fc.constantFrom('day', 'night')],
  ['Guests', fc.boolean()],
);
const typed = (type: string, fields: fc.Arbitrary<object>) => fc.record({ type: fc.constant(type), fields }).map(flat);
const flat = ({ fields, ...rest }: { fields: object }) => ({ ...rest, ...fields });
const held = fc.record({ for: maybe(duration) });

const trigger = fc.oneof(
  typed(
    'device',
    watched((values) => fc.record({ from: maybe(values), to: maybe(values), for: maybe(duration) })),
  ),
  typed('numeric', measured(held)),
  typed(
    'virtual',
    virtualValue.chain(([name, values]) =>
      fc.record({ virtual: keyOf(name), to: maybe(values), for: maybe(duration) }),
    ),
  ),
  typed(
    'virtual',
    fc.record({ virtual: keyOf('Visits'), range }).map(({ virtual, range: r }) => ({ virtual, ...r })),
  ),
  typed('time', fc.record({ at: time, weekdays: maybe(weekdays) })),
  typed('sun', fc.record({ event: fc.constantFrom('sunrise', 'sunset'), offset: maybe(offset) })),
);
const sunOf = (name: 'after' | 'before') =>
  fc.record({ [name]: fc.constantFrom('sunrise', 'sunset'), [`${name}_offset`]: maybe(offset) });
const leaf = fc.oneof(
  typed(
    'device',
    watched((values) => fc.record({ value: values, operator: maybe(fc.constantFrom('eq', 'neq')) })),
  ),
  typed('numeric', measured(fc.constant({}))),
  typed(
    'virtual',
    virtualValue.chain(([name, values]) => fc.record({ virtual: keyOf(name), equals: values })),
  ),
  typed('virtual', fc.record({ virtual: keyOf('Visits'), above: whole(0, 9) })),
  typed('time', fc.oneof(fc.record({ after: time, weekdays: maybe(weekdays) }), fc.record({ before: time }))),
  typed('sun', fc.oneof(sunOf('after'), sunOf('before'))),
  typed('template', fc.record({ expression: fc.constantFrom('1 < 2', 'trigger.id == "a"') })),
);
const { condition } = fc.letrec<{ condition: object }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'condition' },
    leaf,
    typed(
      'nest',
      fc.record({
        operator: fc.constantFrom('and', 'or', 'not'),
        conditions: fc.array(tie('condition'), { maxLength: 3 }),
      }),
    ),
  ),
}));
const base = fc.record({
  alias: maybe(fc.constantFrom('Light', 'Warmth')),
  enabled: maybe(fc.constant(false)),
  on_error: maybe(fc.constantFrom('continue', 'retry')),
  max_retries: maybe(whole(0, 5)),
});
const settings = fc.oneof(
  fc.record({
    accessory: keyOf('Lamp'),
    on: maybe(fc.boolean()),
    hue: maybe(whole(0, 360)),
    brightness: whole(0, 100),
  }),
  fc.record({ accessory: keyOf('Lamp'), brightness: fc.constant('{{ 1 + 1 }}'), on: maybe(fc.constant('{{ true }}')) }),
  fc.record({ accessory: keyOf('Thermostat'), hvac_mode: fc.constantFrom('off', 'heat', '{{ "heat" }}') }),
  fc.record({ accessory: keyOf('Thermostat'), target_temp: whole(100, 300).map((tenths) => tenths / 10) }),
  fc.record({ service_group: groupKey, on: fc.boolean() }),
);
const action = fc.oneof(
  typed('device', settings),
  typed(
    'virtual',
    fc.record({ virtual: keyOf('Visits'), operation: fc.constant('increment'), step: maybe(whole(1, 3)) }),
  ),
  typed(
    'virtual',
    fc.record({ virtual: keyOf('Mode'), operation: fc.constant('set'), value: fc.constantFrom('day', 'night') }),
  ),
  typed('virtual', fc.record({ virtual: keyOf('Oven'), operation: fc.constant('start'), duration: maybe(duration) })),
  typed('scene', fc.record({ scene: fc.constantFrom('Movie', 'Good Night') })),
  typed('delay', fc.record({ seconds: whole(0, 3600) })),
  typed('delay', fc.record({ duration: fc.oneof(fc.constant('{{ 5 }}'), fc.record({ minutes: whole(0, 60) })) })),
  typed('notify', fc.record({ message: fc.constantFrom('Hi', '{{ trigger.id }}'), title: maybe(fc.constant('Home')) })),
);
/** With ids of their own, as everything has that is shown. */
const numbered = (prefix: string) => (parts: readonly object[]) =>
  parts.map((part, index) => ({ id: `${prefix}${index + 1}`, ...part }));
const flow = fc.record({
  triggers: fc.array(trigger, { maxLength: 4 }).map(numbered('t')),
  conditions: fc.array(condition, { maxLength: 3 }),
  actions: fc
    .array(fc.record({ action, base }), { maxLength: 5 })
    .map((parts) => numbered('a')(parts.map(({ action: own, base: rest }) => ({ ...own, ...rest })))),
});

describe('a flow in the words of the tools', () => {
  it('reads back word for word as it was sent', () => {
    fc.assert(
      fc.property(flow, (wire) => {
        passing(
          wire,
          (saved) => {
            expect(partsOf(answer(saved))).toEqual(json(wire));
            expect(answer(saved).editable_via_mcp).toBe(true);
          },
          (input) => write(input),
        );
      }),
      { numRuns: RUNS },
    );
  });

  it('becomes the same record when it is sent again, by itself and as a change', () => {
    fc.assert(
      fc.property(flow, (input) => {
        passing(
          input,
          (saved) => {
            const wire = partsOf(answer(saved));
            passing(
              wire,
              (again) => {
                expect(again.triggers).toEqual(saved.triggers);
                expect(normal(again.conditions)).toEqual(normal(saved.conditions));
                expect(again.actions).toEqual(saved.actions);
              },
              (data) => write(data),
            );
            const { triggers, conditions, actions } = write(wire, saved);
            expect({ triggers, conditions, actions }).toEqual({
              triggers: saved.triggers,
              conditions: saved.conditions,
              actions: saved.actions,
            });
          },
          (data) => write(data),
        );
      }),
      { numRuns: RUNS / 2 },
    );
  });
});

// — what other clients make —

const at = () => ({
  lamp: fixture.id('Lamp'),
  door: fixture.id('Front Door'),
  thermostat: fixture.id('Thermostat'),
});

/** One of every kind of part that a record has. */
const everything = () => {
  const { lamp, door, thermostat } = at();
  const state = { type: 'state', accessoryId: lamp, characteristicType: 'power_state', to: true };
  return {
    mode: 'queued',
    maxRunning: 3,
    variables: { a: [1, { b: 'c' }] },
    blueprintId: 'blue',
    uiState: { nodePositions: { t1: { x: 1, y: 2 } } },
    triggers: [
      { id: 't1', ...state, from: false, for: { hours: 1 } },
      {
        id: 't2',
        type: 'numeric_state',
        accessoryId: thermostat,
        characteristicType: 'target_heating_cooling_state',
        above: 0,
      },
      { id: 't3', type: 'time_pattern', minutes: '/5' },
      { id: 't4', type: 'webhook', webhookId: 'abcdefghijklmnopqrstuvwx', allowedMethods: ['GET'] },
      { id: 't5', type: 'event', eventType: 'automation.error', eventData: { a: 1 } },
      { id: 't6', type: 'system', event: 'relay_connected', enabled: false },
      { id: 't7', type: 'template', expression: 'true', for: { minutes: 1 } },
      { id: 't8', type: 'device_availability', accessoryId: lamp, to: 'unavailable' },
      { id: 't9', type: 'presence', event: 'firstArrival', personIds: [fixture.person.id] },
      { id: 't10', type: 'location', latitude: 1, longitude: 2, radius: 3 },
      { id: 't11', type: 'timer', fireDate: '2030-01-01T00:00:00.000Z', recurrence: { day: 1 } },
      { id: 't12', type: 'calendar', components: { hour: 7 } },
      { id: 't13', type: 'state', accessoryId: door, characteristicType: 'lock_current_state', to: 2 },
      { id: 't14', type: 'state', serviceGroupId: fixture.group.id, characteristicType: 'on' },
      { id: 't15', type: 'state', accessoryId: fixture.id('Mode'), characteristicType: 'mode', to: 'day' },
      { id: 't16', type: 'sun', event: 'sunset', offset: { minutes: -30 } },
    ],
    conditions: {
      operator: 'or',
      conditions: [
        { type: 'presence', event: 'atHome', who: [fixture.person.id] },
        { type: 'presence', event: 'notAtHome', who: 'everyone' },
        { operator: 'not', conditions: [{ type: 'trigger', triggerId: 't1' }] },
        { type: 'state', accessoryId: door, characteristicType: 'lock_target_state', value: 1, operator: 'neq' },
      ],
    },
    actions: [
      {
        id: 'a1',
        type: 'set_characteristic',
        accessoryId: lamp,
        characteristicType: 'on',
        value: true,
        onError: 'retry',
      },
      { id: 'a2', type: 'set_service_group', groupId: fixture.group.id, characteristicType: 'on', value: false },
      { id: 'a3', type: 'execute_scene', sceneId: fixture.scene.id },
      { id: 'a4', type: 'wait_for_trigger', triggers: [state], timeout: { minutes: 1 } },
      { id: 'a5', type: 'wait_for_template', expression: 'true' },
      { id: 'a6', type: 'choose', choices: [{ conditions: [], actions: [{ id: 'a6a', type: 'stop' }] }] },
      { id: 'a7', type: 'if_then_else', condition: [], then: [{ id: 'a7a', type: 'delay', duration: { seconds: 1 } }] },
      { id: 'a8', type: 'repeat', mode: 'count', count: 2, sequence: [] },
      { id: 'a9', type: 'parallel', branches: [[], []] },
      { id: 'a10', type: 'variables', variables: { x: '{{ 1 }}' } },
      { id: 'a11', type: 'fire_event', eventType: 'my.event' },
      {
        id: 'a12',
        type: 'fire_webhook',
        url: 'https://example.org/?key=1',
        headers: { Authorization: 'Bearer secret' },
      },
      { id: 'a13', type: 'merge', mode: 'append', inputIds: ['a1'] },
      { id: 'a14', type: 'restore_state', nodeId: 'a3' },
      { id: 'a15', type: 'notify', message: 'Hi', icon: 'bell', data: { actions: [{ label: 'Yes', id: 'yes' }] } },
      { id: 'a16', type: 'virtual', accessoryId: fixture.id('Visits'), operation: 'set', value: 3 },
      { id: 'a17', type: 'stop', reason: 'Done' },
    ],
  };
};

describe('a flow that was made elsewhere', () => {
  it('is shown with all its content, with what has no words here marked', () => {
    passing(everything(), (saved) => {
      const wire = answer(saved);
      expect(wire.editable_via_mcp).toBe(false);
      const marks = [...wire.triggers, ...wire.actions].flatMap((part) => part._unsupported ?? []);
      expect(marks).toEqual([
        'time_pattern',
        'event',
        'system',
        'template',
        'device_availability',
        'presence',
        'location',
        'timer',
        'calendar',
        'wait_for_trigger',
        'wait_for_template',
        'choose',
        'if_then_else',
        'repeat',
        'parallel',
        'variables',
        'fire_event',
        'fire_webhook',
        'merge',
        'restore_state',
        'stop',
      ]);
      expect(wire.triggers.find(({ id }) => id === 't3')).toEqual({
        id: 't3',
        _unsupported: 'time_pattern',
        enabled: true,
        minutes: '/5',
      });
      expect(wire.triggers.find(({ id }) => id === 't13')).toMatchObject({
        characteristic: 'lock_current_state',
        to: 2,
      });
      expect(wire.triggers.find(({ id }) => id === 't15')).toMatchObject({ type: 'virtual', to: 'day' });
    });
  });

  it('stays as it is to the letter where its parts are sent back as they were shown', () => {
    passing(everything(), (saved) => {
      const { version, updatedAt, ...rest } = write({ ...partsOf(answer(saved)), description: 'Changed' }, saved);
      expect({ ...rest, version: 1, updatedAt: saved.updatedAt }).toEqual({ ...saved, description: 'Changed' });
      expect([version, updatedAt]).toEqual([2, saved.updatedAt]);
    });
  });

  it('keeps what has no words here where a part is changed, moved or put in, named by its id alone too', () => {
    passing(everything(), (saved) => {
      const wire = answer(saved);
      const actions = wire.actions.map((part) =>
        part._unsupported === undefined ? part : { id: part.id, _unsupported: part._unsupported },
      );
      const [first, ...others] = actions;
      const changed = write({ actions: [{ type: 'delay', seconds: 5 }, ...others, { ...first, on: false }] }, saved);
      const [, ...kept] = saved.actions;
      expect(changed.actions.slice(1, -1)).toEqual(kept);
      expect(changed.actions.at(-1)).toEqual({ ...saved.actions[0], value: false });
      expect(changed).toMatchObject({
        triggers: saved.triggers,
        conditions: saved.conditions,
        variables: saved.variables,
      });
    });
  });

  it.each(['triggers', 'conditions', 'actions'] as const)('loses nothing of its %s by an oversight', (list) => {
    passing(everything(), (saved) => {
      const refuse = () => write({ [list]: [] }, saved);
      expect(refuse).toThrow(/can’t be made again here; send it along/);
      expect(fixture.flows.get(systemCaller, saved.id)).toEqual(saved);
    });
  });

  it('is shown the id alone of a part that is too long to read, and kept by that', () => {
    const sequence = Array.from({ length: 100 }, () => ({ type: 'notify', message: 'A long story' }));
    passing({ actions: [{ id: 'long', type: 'repeat', mode: 'count', count: 2, sequence }] }, (saved) => {
      const { actions } = answer(saved);
      expect(actions).toEqual([{ id: 'long', _unsupported: 'repeat' }]);
      expect(write({ actions: [...actions, { type: 'delay', seconds: 1 }] }, saved).actions[0]).toEqual(
        saved.actions[0],
      );
    });
  });

  it('can’t be given what has no words here, nor have it changed', () => {
    passing(everything(), (saved) => {
      const { triggers } = answer(saved);
      const third = { ...triggers[2], minutes: '/1' };
      for (const wrong of [third, { id: 't99', _unsupported: 'template' }, { _unsupported: 'template' }]) {
        expect(() => write({ triggers: [wrong] }, saved)).toThrow(/not made or changed/);
      }
    });
  });
});

describe('what is sent', () => {
  it.each<readonly [string, object, string, string, RegExp]>([
    [
      'an unknown type',
      { triggers: [{ type: 'motion' }] },
      'triggers[0].type',
      'invalid_value',
      /supported are device, numeric/,
    ],
    [
      'an unknown accessory',
      { triggers: [{ type: 'device', accessory: 'Lmp', characteristic: 'on' }] },
      'triggers[0].accessory',
      'accessory_not_found',
      /Did you mean "Lamp"\? There are: .*lamp_/,
    ],
    [
      'an unknown room',
      { actions: [{ type: 'device', accessory: 'Lamp', room: 'Attic', on: true }] },
      'actions[0].room',
      'room_not_found',
      /There are: .*living_room_/,
    ],
    [
      'an accessory of another room',
      { actions: [{ type: 'device', accessory: 'Heater', room: 'Living Room', on: true }] },
      'actions[0].accessory',
      'accessory_not_found',
      /There are: /,
    ],
    [
      'a device as a virtual accessory',
      { triggers: [{ type: 'virtual', virtual: 'Lamp', to: 1 }] },
      'triggers[0].virtual',
      'accessory_not_found',
      /No virtual accessory .*visits_/,
    ],
    [
      'an unknown property',
      { conditions: [{ type: 'device', accessory: 'Lamp', characteristic: 'brigtness', value: 1 }] },
      'conditions[0].characteristic',
      'characteristic_not_found',
      /it has on, brightness, hue, saturation. Did you mean "brightness"/,
    ],
    [
      'a value that it never has',
      { triggers: [{ type: 'device', accessory: 'Thermostat', characteristic: 'hvac_mode', to: 'warm' }] },
      'triggers[0].to',
      'invalid_value',
      /off, heat, cool, auto/,
    ],
    [
      'words compared as numbers',
      { triggers: [{ type: 'numeric', accessory: 'Thermostat', characteristic: 'hvac_mode', above: 1 }] },
      'triggers[0].characteristic',
      'invalid_value',
      /no numbers/,
    ],
    [
      'an unsupported operator, deep within',
      { conditions: [{ type: 'nest', operator: 'or', conditions: [{ operator: 'xor', conditions: [] }] }] },
      'conditions[0].conditions[0].operator',
      'invalid_value',
      /and, or, not/,
    ],
    [
      'a fault of the record, deep within',
      { conditions: [{ operator: 'not', conditions: [{ type: 'time', after: '25:00' }] }] },
      'conditions[0].conditions[0].after',
      'invalid_value',
      /25:00|HH:MM/,
    ],
    [
      'an unsupported operation',
      { actions: [{ type: 'virtual', virtual: 'Visits', operation: 'strat' }] },
      'actions[0].operation',
      'invalid_value',
      /increment, decrement, reset, set/,
    ],
    [
      'a value out of range, after an action that became two',
      {
        actions: [
          { type: 'device', accessory: 'Lamp', on: true, hue: 1 },
          { type: 'device', accessory: 'Lamp', brightness: 200 },
        ],
      },
      'actions[1].brightness',
      'invalid_value',
      /0 to 100/,
    ],
    [
      'nothing to set',
      { actions: [{ type: 'device', accessory: 'Lamp' }] },
      'actions[0].on',
      'invalid_request',
      /on, brightness/,
    ],
    [
      'what can’t be set',
      { actions: [{ type: 'device', accessory: 'Motion', motion: true }] },
      'actions[0].motion',
      'characteristic_not_writable',
      /read only/,
    ],
    [
      'an unknown scene',
      { actions: [{ type: 'scene', scene: 'Moovie' }] },
      'actions[0].scene',
      'scene_not_found',
      /"Movie"/,
    ],
    [
      'a negative wait',
      { actions: [{ type: 'delay', seconds: -1 }] },
      'actions[0].seconds',
      'invalid_value',
      /at least 0/,
    ],
    [
      'a wait given twice',
      { actions: [{ type: 'delay', seconds: 1, duration: 2 }] },
      'actions[0].duration',
      'invalid_value',
      /not both/,
    ],
    [
      'an unknown field',
      { actions: [{ type: 'notify', mesage: 'x' }] },
      'actions[0].mesage',
      'invalid_request',
      /Did you mean "message"/,
    ],
    ['no object', { actions: [7] }, 'actions[0]', 'invalid_value', /object/],
    [
      'a hold that is none',
      { triggers: [{ type: 'virtual', virtual: 'Guests', to: true, for: -5 }] },
      'triggers[0].for',
      'invalid_value',
      /at least 0/,
    ],
    ['an unknown mode', { mode: 'twice' }, 'mode', 'invalid_value', /single, restart, queued, parallel/],
  ])('is refused with its own place and what there is instead: %s', (_what, input, field, code, sentence) => {
    let error: unknown;
    try {
      write({ name: 'Wrong', triggers: [], actions: [], ...input });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(HearthError);
    const { code: parsedCode, details, message } = error as HearthError;
    expect({ code: parsedCode, field: details.field }).toEqual({ code, field });
    expect(message).toMatch(sentence);
    expect(message).not.toMatch(/accessoryId|characteristicType|serviceGroupId|sceneId/);
  });

  it('may name things by name, by key and by id, and a property in any spelling', () => {
    const { lamp } = at();
    const names = ['Lamp', 'lamp', fixture.words().keyOf(lamp), lamp, lamp.toUpperCase()];
    const actions = names.flatMap((accessory) =>
      ['brightness', 'Brightness'].map((name) => ({ type: 'device', accessory, [name]: 5 })),
    );
    passing(
      { actions },
      (saved) => {
        const wire = answer(saved).actions;
        expect(wire).toHaveLength(actions.length);
        for (const one of wire) expect(one).toMatchObject({ accessory: fixture.words().keyOf(lamp), brightness: 5 });
      },
      (data) => write(data),
    );
  });

  it('is refused where a name means several, and taken with the room', () => {
    const kitchen = fixture.rooms.create(systemCaller, { homeId: fixture.homeId, name: 'Kitchen' });
    const twin = fixture.virtuals.create(systemCaller, {
      homeId: fixture.homeId,
      name: 'Lamp',
      type: 'input_boolean',
      roomId: kitchen.id,
    });
    const device = { type: 'device', accessory: 'Lamp', on: true };
    expect(() => write({ name: 'Two', triggers: [], actions: [device] })).toThrow(
      /means several accessories .* lamp_\w+, lamp_\w+/,
    );
    passing(
      { actions: [{ ...device, room: 'Kitchen' }] },
      (saved) => {
        expect(saved.actions).toMatchObject([{ accessoryId: twin.id }]);
      },
      (data) => write(data),
    );
    fixture.virtuals.delete(systemCaller, twin.id);
    fixture.rooms.delete(systemCaller, kitchen.id);
  });
});

describe('what has gone since', () => {
  it('is shown by its id and stays where the rest changes', () => {
    const kettle = fixture.id('Kettle');
    const trigger = { id: 't', type: 'device', accessory: 'Kettle', characteristic: 'on', to: true };
    passing(
      { triggers: [trigger] },
      (saved) => {
        // From here on the bridge has nothing behind it.
        fixture.driver.describe('10:00:00:00:00:06', []);
        const { triggers } = answer(saved);
        expect(triggers).toEqual([{ ...trigger, accessory: kettle, characteristic: 'power_state' }]);
        const changed = write({ triggers, actions: [{ type: 'delay', seconds: 1 }] }, saved);
        expect(changed.triggers).toEqual(saved.triggers);
        expect(() => write({ triggers: [{ ...triggers[0], to: false }] }, saved)).toThrow(/No accessory/);
      },
      (data) => write(data),
    );
  });
});
