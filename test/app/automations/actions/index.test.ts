import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Action, ActionType } from '../../../../src/app/automations/actions/index.ts';
import { ACTION_KINDS, kindOf } from '../../../../src/app/automations/actions/index.ts';
import { newId } from '../../../../src/kernel/ids.ts';
import { createTestHome, systemCaller, type TestHome } from '../../../support/test-home.ts';

const TYPES = Object.keys(ACTION_KINDS) as readonly ActionType[];
const BASE = { id: 'a', enabled: true, onError: 'stop' } as const;
const GONE = '00000000-0000-4000-8000-000000000000';

let home: TestHome;
beforeAll(() => {
  home = createTestHome({ sample: true });
});
afterAll(() => home.close());

function line(action: object): string {
  return kindOf({ ...BASE, ...action } as unknown as Action).summarize(
    { ...BASE, ...action } as unknown as Action,
    home.state,
  );
}

describe('the kinds of actions', () => {
  it('are listed under their own types', () => {
    for (const type of TYPES) expect(ACTION_KINDS[type].type).toBe(type);
    expect(TYPES).toHaveLength(20);
  });

  it('report what must not happen twice', () => {
    const effects = Object.fromEntries(TYPES.map((type) => [type, ACTION_KINDS[type].effect]));
    const once = Object.keys(effects).filter((type) => effects[type] === 'once');
    const atomic = Object.keys(effects).filter((type) => effects[type] === 'atomic');
    expect(once.sort()).toEqual(['fire_webhook', 'notify']);
    expect(atomic.sort()).toEqual(['fire_event', 'toggle_automation', 'virtual']);
  });
});

describe('the line for people', () => {
  it.each<[string, object]>([
    ['Set brightness of Lamp to 40', { type: 'set_characteristic', characteristicType: 'brightness', value: 40 }],
    ['Set power state of Lamp to on', { type: 'set_characteristic', characteristicType: 'power_state', value: true }],
    [
      'Set lock target state of Lamp to secured',
      { type: 'set_characteristic', characteristicType: 'lock_target_state', value: 1 },
    ],
    ['Wait for 0.5 seconds', { type: 'delay', duration: { seconds: 0.5 } }],
    ['Wait for 1 hour 30 minutes', { type: 'delay', duration: { hours: 1, minutes: 30 } }],
    ['Wait for {{ n }} minutes', { type: 'delay', duration: { minutes: '{{ n }}' } }],
    ['Wait for 0 seconds', { type: 'delay', duration: {} }],
    ['Wait for a trigger, at most 30 seconds', { type: 'wait_for_trigger', triggers: [{}], timeout: { seconds: 30 } }],
    ['Wait until states("x") == 1', { type: 'wait_for_template', expression: 'states("x") == 1' }],
    ['Choose among 2 choices', { type: 'choose', choices: [{}, {}] }],
    ['Repeat 1 action 3 times', { type: 'repeat', mode: 'count', count: 3, sequence: [{}] }],
    ['Repeat 0 actions until conditions hold', { type: 'repeat', mode: 'until', sequence: [] }],
    ['Set a, b', { type: 'variables', variables: { a: 1, b: 2 } }],
    ['Stop with an error: late', { type: 'stop', error: true, reason: 'late' }],
    ['GET https://lamp.local/on', { type: 'fire_webhook', method: 'GET', url: 'https://u:p@lamp.local/on?k=v#f' }],
    ['Notify: Cold', { type: 'notify', title: 'Cold', message: 'It is cold' }],
    ['Turn on Lamp', { type: 'virtual', operation: 'turn_on' }],
    ['Increment Lamp (3)', { type: 'virtual', operation: 'increment', step: 3 }],
  ])('%s', (expected, action) => {
    expect(line({ accessoryId: home.named('Lamp').id, ...action })).toBe(expected);
  });

  it('names scenes and groups, and reports what is gone', () => {
    const { scenes, serviceGroups, named, home: inventory } = home;
    const actions = [{ accessoryId: named('Lamp').id, characteristicType: 'power_state', targetValue: true }];
    const scene = scenes.create(systemCaller, { homeId: inventory.id, name: 'Evening', actions });
    const group = serviceGroups.create(systemCaller, {
      homeId: inventory.id,
      name: 'All',
      accessoryIds: [named('Heater').id],
    });
    const write = { characteristicType: 'power_state', value: false };
    expect(line({ type: 'execute_scene', sceneId: scene.id })).toBe('Run scene Evening');
    expect(line({ type: 'execute_scene', sceneId: newId() })).toBe('Run a scene');
    home.state.scenes.put({ ...home.scenes.get(systemCaller, scene.id), automationId: newId() });
    expect(line({ type: 'execute_scene', sceneId: scene.id })).toBe('Set power state of Lamp to on');
    expect(line({ type: 'set_service_group', groupId: group.id, ...write })).toBe('Set power state of All to off');
    expect(line({ type: 'set_service_group', groupId: GONE, ...write })).toContain('a service group that is gone');
    expect(line({ type: 'set_characteristic', accessoryId: GONE, ...write })).toContain('an accessory that is gone');
  });

  it('is never long and never a failure, for every field', () => {
    const text = fc.string({ unit: 'binary', maxLength: 600, size: 'max' });
    const fields = fc.record({
      ...Object.fromEntries(
        [
          'accessoryId',
          'groupId',
          'sceneId',
          'automationId',
          'characteristicType',
          'expression',
          'url',
          'reason',
          'message',
        ].map((name) => [name, text]),
      ),
      type: fc.constantFrom(...TYPES),
      value: fc.jsonValue(),
      duration: fc.oneof(text, fc.record({ hours: fc.oneof(fc.double(), text) })),
      timeout: fc.oneof(text, fc.record({ seconds: fc.integer() })),
      operation: text,
      eventType: fc.string({ maxLength: 60 }),
      action: fc.constantFrom('enable', 'disable', 'toggle', 'trigger'),
      mode: fc.constantFrom('count', 'while', 'until', 'for_each'),
      count: fc.oneof(fc.integer(), text),
      forEachItems: fc.jsonValue(),
      method: fc.constantFrom('GET', 'POST'),
      ...Object.fromEntries(
        ['triggers', 'choices', 'sequence', 'branches', 'inputIds'].map((name) => [name, fc.constant([])]),
      ),
      condition: fc.constant({ operator: 'and', conditions: [] }),
      variables: fc.constant({ a: 1 }),
    });
    fc.assert(
      fc.property(fields, (action) => {
        const summary = line(action);
        expect(summary).not.toBe('');
        expect(summary.length).toBeLessThan(500);
      }),
      { numRuns: 100 },
    );
  });
});
