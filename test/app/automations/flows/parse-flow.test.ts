// biome-ignore-all lint/suspicious/noThenProperty: the record's name (wire-facts §6.2) for a list, never awaited
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseFlow } from '../../../../src/app/automations/flows/parse-flow.ts';
import { presentFlow } from '../../../../src/app/automations/flows/present-flow.ts';
import { HearthError } from '../../../../src/kernel/errors.ts';
import { systemCaller } from '../../../support/test-home.ts';
import { createFlowFixture, type FlowFixture, faultOf, PERSON_ID, UNKNOWN_ID } from './flow-fixture.ts';

let fixture: FlowFixture;
beforeEach(() => {
  fixture = createFlowFixture();
});
afterEach(() => fixture.close());

type Fields = Readonly<Record<string, unknown>>;

describe('a flow', () => {
  it('needs no more than a name and actions', () => {
    expect(fixture.parse({})).toEqual({
      name: 'Flow',
      enabled: true,
      definition: {
        description: null,
        mode: 'single',
        maxRunning: 10,
        triggers: [],
        conditions: { operator: 'and', conditions: [] },
        actions: [],
        variables: {},
        blueprintId: null,
        uiState: null,
      },
    });
  });

  it('keeps what an editor keeps for itself as it is', () => {
    const uiState = { nodePositions: { a: { x: 1, y: -2.5 } }, edges: [], stickyNotes: [{ text: '{{ not looked at' }] };
    expect(fixture.parse({ uiState, blueprintId: 'b' }).definition).toMatchObject({ uiState, blueprintId: 'b' });
  });

  it.each<readonly [string, unknown, string, string, RegExp]>([
    ['what is no object', [], 'data', 'invalid_value', /object/],
    ['no name', { actions: [] }, 'name', 'invalid_request', /missing/],
    ['a name that ends oddly', { name: 'Night!', actions: [] }, 'name', 'invalid_value', /"Night" would do/],
    ['an empty name', { name: ' ', actions: [] }, 'name', 'invalid_value', /empty/],
    ['no actions', { name: 'A' }, 'actions', 'invalid_request', /missing/],
    ['an unknown field', { name: 'A', actions: [], trigers: [] }, 'trigers', 'invalid_request', /"triggers"/],
    ['an unknown mode', { name: 'A', actions: [], mode: 'paralel' }, 'mode', 'invalid_value', /did you mean parallel/],
    ['no room for a run', { name: 'A', actions: [], maxRunning: 0 }, 'maxRunning', 'invalid_value', /1 to 100/],
    [
      'a bad variable',
      { name: 'A', actions: [], variables: { 'a-b': 1 } },
      'variables.a-b',
      'invalid_value',
      /variable/,
    ],
    ['a switch that is none', { name: 'A', actions: [], enabled: 'yes' }, 'enabled', 'invalid_value', /true or false/],
    ['another home', { name: 'A', actions: [], homeId: UNKNOWN_ID }, 'homeId', 'home_not_found', /another/],
    [
      'a prototype',
      JSON.parse('{"name":"A","actions":[],"__proto__":{"enabled":false}}'),
      '__proto__',
      'invalid_request',
      /Unknown/,
    ],
    [
      'a prototype in a value',
      JSON.parse('{"name":"A","actions":[],"uiState":{"__proto__":{}}}'),
      'uiState',
      'invalid_value',
      /__proto__/,
    ],
    [
      'a number that is none',
      { name: 'A', actions: [], variables: { a: Number.NaN } },
      'variables.a',
      'invalid_value',
      /finite/,
    ],
  ])('is refused with its path: %s', (_what, input, field, code, sentence) => {
    const error = faultOf(() => parseFlow(input, fixture.context));
    expect({ code: error.code, field: error.details.field }).toEqual({ code, field });
    expect(error.message).toMatch(sentence);
  });

  it('has at most 50 triggers, 500 actions and 20 levels of them', () => {
    const triggers = (count: number) => Array.from({ length: count }, () => ({ type: 'time', at: '07:00' }));
    expect(fixture.parse({ triggers: triggers(50) }).definition.triggers).toHaveLength(50);
    expect(faultOf(() => fixture.parse({ triggers: triggers(51) })).details.field).toBe('triggers');
    const stops = (count: number) => Array.from({ length: count }, () => ({ type: 'stop' }));
    expect(() => fixture.parse({ actions: [{ type: 'parallel', branches: [stops(499)] }] })).not.toThrow();
    expect(faultOf(() => fixture.parse({ actions: [{ type: 'parallel', branches: [stops(500)] }] })).message).toMatch(
      /500/,
    );
    const nest = (levels: number): readonly Fields[] =>
      levels === 1 ? [] : [{ type: 'parallel', branches: [nest(levels - 1)] }];
    expect(() => fixture.parse({ actions: nest(20) })).not.toThrow();
    expect(faultOf(() => fixture.parse({ actions: nest(21) })).message).toMatch(/20 deep/);
  });

  it('has at most 256 KiB as JSON, however it is nested', () => {
    const big = { text: 'x'.repeat(256 * 1024) };
    expect(faultOf(() => fixture.parse({ uiState: big }))).toMatchObject({
      code: 'invalid_value',
      details: { field: 'data' },
    });
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    let deep: unknown = 1;
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    for (const uiState of [circle, { deep }]) {
      expect(faultOf(() => fixture.parse({ uiState })).code).toBe('invalid_value');
    }
  });

  it('is given the ids that it does not bring, past those that it does', () => {
    const { definition } = fixture.parse({
      triggers: [
        { type: 'time', at: '07:00' },
        { type: 'time', at: '08:00', id: 'time_1' },
      ],
      actions: [
        { type: 'stop' },
        { type: 'parallel', branches: [[{ type: 'stop', id: 'stop_2' }], [{ type: 'stop' }]] },
      ],
    });
    expect(definition.triggers.map(({ id }) => id)).toEqual(['time_2', 'time_1']);
    expect(JSON.stringify(definition.actions).match(/"id":"\w+"/g)).toEqual([
      '"id":"stop_1"',
      '"id":"parallel_1"',
      '"id":"stop_2"',
      '"id":"stop_3"',
    ]);
  });

  it('has no id twice', () => {
    const stop = { type: 'stop', id: 'end' };
    const actions = [stop, { type: 'if_then_else', condition: [], else: [stop] }];
    expect(faultOf(() => fixture.parse({ actions })).details.field).toBe('actions[1].else[0].id');
    const triggers = [
      { type: 'time', at: '07:00', id: 'a' },
      { type: 'time', at: '07:00', id: 'a' },
    ];
    expect(faultOf(() => fixture.parse({ triggers })).details.field).toBe('triggers[1].id');
  });
});

describe('flows that start each other', () => {
  const call = (scriptId: string) => ({ type: 'call_script', scriptId });
  const trigger = (automationId: string, action = 'trigger') => ({ type: 'toggle_automation', automationId, action });

  it('are refused where they would do so without end, naming the circle', () => {
    const a = fixture.save({ name: 'Ann' });
    const b = fixture.save({ name: 'Bob', actions: [call(a.id)] });
    const c = fixture.save({ name: 'Cy', actions: [{ type: 'parallel', branches: [[trigger(b.id)]] }] });
    const actions = [{ type: 'stop' }, { type: 'if_then_else', condition: [], then: [call(c.id)] }];
    const { message, details, code } = faultOf(() => fixture.save({ name: 'Ann', actions }, a.id));
    expect(code).toBe('invalid_value');
    expect(details.field).toBe('actions[1].then[0].scriptId');
    expect(message).toContain('Ann → Cy → Bob → Ann');
  });

  it('may not start themselves, but may switch themselves off', () => {
    const { id } = fixture.save({});
    expect(faultOf(() => fixture.save({ actions: [trigger(id)] }, id)).message).toContain('Flow → Flow');
    expect(() => fixture.save({ actions: [trigger(id, 'disable')] }, id)).not.toThrow();
  });

  it('may meet in one that goes no further', () => {
    const end = fixture.save({ name: 'End' });
    const left = fixture.save({ name: 'Left', actions: [call(end.id)] });
    const right = fixture.save({ name: 'Right', actions: [call(end.id), call(left.id)] });
    expect(() => fixture.save({ name: 'Top', actions: [call(left.id), call(right.id), call(end.id)] })).not.toThrow();
  });
});

describe('what has gone since a flow was saved', () => {
  const flow = () => ({
    triggers: [{ id: 't', type: 'state', accessoryId: fixture.id('Kettle'), characteristicType: 'on', to: true }],
    actions: [
      {
        id: 'a',
        type: 'set_characteristic',
        accessoryId: fixture.id('Kettle'),
        characteristicType: 'on',
        value: false,
      },
      { id: 'b', type: 'set_service_group', groupId: fixture.group.id, characteristicType: 'on', value: false },
    ],
  });

  it('may stay in it, and is read back as it was', () => {
    const kettle = fixture.id('Kettle');
    const saved = fixture.save(flow());
    fixture.driver.describe('10:00:00:00:00:06', []);
    expect(fixture.state.accessory(kettle)?.vanishedAt).not.toBeNull();
    const again = fixture.save({ ...presentFlow(saved), description: 'Changed' }, saved.id);
    expect(again).toMatchObject({ triggers: saved.triggers, actions: saved.actions, description: 'Changed' });
    const added = [{ type: 'device_availability', accessoryId: fixture.id('Heater'), to: 'available' }];
    expect(faultOf(() => fixture.save({ triggers: added }, saved.id)).code).toBe('accessory_not_found');
    expect(faultOf(() => fixture.save({ ...flow(), name: 'Another' })).code).toBe('accessory_not_found');
  });

  it('may stay in it, be it a scene, another automation or a person, but can’t be added again', () => {
    const other = fixture.save({ name: 'Other' });
    const actions = () => [
      { id: 'a', type: 'execute_scene', sceneId: fixture.scene.id },
      { id: 'b', type: 'call_script', scriptId: other.id },
      { id: 'c', type: 'toggle_automation', automationId: other.id, action: 'disable' },
    ];
    const saved = fixture.save({ actions: actions() });
    fixture.scenes.delete(systemCaller, fixture.scene.id);
    fixture.flows.delete(systemCaller, other.id);
    const renamed = fixture.save({ ...presentFlow(saved), name: 'Renamed' }, saved.id);
    expect(renamed.actions).toEqual(saved.actions);
    expect(faultOf(() => fixture.save({ actions: actions() })).code).toBe('scene_not_found');
    fixture.save({}, saved.id);
    expect(faultOf(() => fixture.save({ actions: actions().slice(1) }, saved.id)).code).toBe('automation_not_found');
  });

  it('may be brought back by an earlier version', async () => {
    const saved = fixture.save(flow());
    fixture.save({}, saved.id);
    fixture.driver.describe('10:00:00:00:00:06', []);
    const [, first] = fixture.flows.versions(systemCaller, saved.id);
    expect((await fixture.flows.restoreVersion(systemCaller, first?.id ?? '')).triggers).toEqual(saved.triggers);
  });
});

describe('for every input', () => {
  const id = fc.constantFrom('a', 'b', '__proto__', 'x y', '');
  const text = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.constantFrom('{{ 1 + 1 }}', '{{ trigger.id }}', '{{', '07:00'),
  );
  const number = fc.oneof(fc.integer({ min: -5, max: 120 }), fc.constantFrom(Number.NaN, 0.5, 1e9, -0));
  const accessory = fc.constantFrom('Lamp', 'Thermostat', 'Kettle', 'Front Door', 'Motion').map((name) => ({ name }));
  const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
  const duration = fc.record({ minutes: fc.oneof(number, text), seconds: number }, { requiredKeys: [] });
  const names = fc.constantFrom(
    'on',
    'brightness',
    'hvac_mode',
    'active',
    'target_temp',
    'locked',
    'lock_target',
    'hue',
  );
  const target = { accessoryId: accessory, characteristicType: names };
  const trigger = fc.oneof(
    fc.record({ type: fc.constant('state'), id, ...target, to: scalar, for: duration }, { requiredKeys: ['type'] }),
    fc.record(
      { type: fc.constant('numeric_state'), ...target, above: number, below: number },
      { requiredKeys: ['type'] },
    ),
    fc.record({ type: fc.constant('time'), at: text, weekdays: fc.array(number) }, { requiredKeys: ['type'] }),
    fc.record({ type: fc.constant('schedule'), minutes: fc.oneof(text, number), at: text }, { requiredKeys: ['type'] }),
    fc.record(
      { type: fc.constant('device_changed'), ...target, to: scalar, above: number },
      { requiredKeys: ['type'] },
    ),
    fc.record({ type: fc.constant('webhook'), webhookId: text }, { requiredKeys: ['type'] }),
    fc.record({ type: fc.constant('presence'), event: fc.constant('atHome'), personIds: fc.constant([PERSON_ID]) }),
    fc.record({ type: text }),
  );
  const condition = fc.oneof(
    fc.record({ type: fc.constant('state'), ...target, value: scalar, operator: fc.constantFrom('eq', 'above') }),
    fc.record({ type: fc.constant('time'), after: text, before: fc.constant('07:00') }),
    fc.record({ type: fc.constant('trigger'), triggerId: id }),
    fc.record({ operator: fc.constantFrom('and', 'or', 'nor'), conditions: fc.constant([]) }),
  );
  const { action } = fc.letrec((tie) => ({
    action: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'action' },
      fc.record({ type: fc.constant('set_device'), id, ...target, value: scalar }, { requiredKeys: ['type'] }),
      fc.record({ type: fc.constant('notify'), message: text, data: fc.jsonValue() }, { requiredKeys: ['type'] }),
      fc.record({ type: fc.constant('delay'), duration }, { requiredKeys: ['type'] }),
      fc.record({ type: fc.constant('variables'), variables: fc.dictionary(id, fc.jsonValue()) }),
      fc.record({ type: fc.constant('if'), condition: fc.array(condition), then: fc.array(tie('action')) }),
      fc.record({
        type: fc.constant('repeat'),
        mode: fc.constant('count'),
        count: number,
        sequence: fc.array(tie('action')),
      }),
      fc.record({ type: fc.constant('parallel'), branches: fc.array(fc.array(tie('action'))) }),
    ),
  }));
  const flow = fc.record(
    {
      name: fc.constant('Flow'),
      triggers: fc.array(trigger, { maxLength: 3 }),
      conditions: fc.array(condition, { maxLength: 2 }),
      actions: fc.array(action, { maxLength: 3 }),
      mode: fc.constantFrom('single', 'queued'),
      uiState: fc.dictionary(fc.string(), fc.jsonValue()),
    },
    { requiredKeys: ['name', 'actions'] },
  );

  /** Names of accessories become their ids. */
  const withIds = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_key, item) =>
      item?.name && Object.keys(item).length === 1 ? fixture.named(item.name).id : item,
    );

  it('is taken whole or refused with a sentence and a field, and what was taken reads back as it is', () => {
    let taken = 0;
    fc.assert(
      fc.property(flow, (input) => {
        try {
          const { name, enabled, definition } = parseFlow(withIds(input), fixture.context);
          const saved = { createdAt: 1, updatedAt: 2, lastTriggeredAt: 3, triggerCount: 4, version: 5 };
          const shown = presentFlow({ id: UNKNOWN_ID, homeId: fixture.homeId, name, enabled, ...definition, ...saved });
          const again = parseFlow(JSON.parse(JSON.stringify(shown)), fixture.context);
          expect(again).toEqual({ name, enabled, definition });
          taken += 1;
        } catch (error) {
          if (!(error instanceof HearthError)) throw error;
          expect(error.code).not.toBe('internal');
          expect(error.details.field).toEqual(expect.any(String));
        }
      }),
      { numRuns: 600, seed: 4 },
    );
    // Else nothing was proved of what is taken.
    expect(taken).toBeGreaterThan(40);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('is refused politely if it is no flow at all', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withMap: true, withDate: true }), (input) => {
        expect(faultOf(() => parseFlow(input, fixture.context)).details.field).toEqual(expect.any(String));
      }),
      { numRuns: 1_000 },
    );
  });
});
