/**
 * What the editor promises about the record of a flow: nothing is lost, every step goes back, and what is wrong is
 * found where it is.
 */

import editorTexts from 'texts:automation-editor';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EditSession } from '../../../src/web/dashboard/pages/automations/editor/edit-session.ts';
import { isIncluded, nextTo, written } from '../../../src/web/dashboard/pages/automations/flow/bounds.ts';
import { checkFlow, remainingProblems } from '../../../src/web/dashboard/pages/automations/flow/check.ts';
import { durationMs, durationOf } from '../../../src/web/dashboard/pages/automations/flow/durations.ts';
import {
  emptyDraft,
  emptyFlow,
  type FlowNode,
  type FlowRecord,
  type Json,
  parseFlowText,
  toFlowRecord,
  withNote,
} from '../../../src/web/dashboard/pages/automations/flow/flow-record.ts';
import { idsIn, withFreshIds, withIds } from '../../../src/web/dashboard/pages/automations/flow/node-ids.ts';
import { getAt, parsePath, pathText } from '../../../src/web/dashboard/pages/automations/flow/paths.ts';
import { locateRefusal } from '../../../src/web/dashboard/pages/automations/flow/refusals.ts';
import { findKind, kindsOf, offersFor } from '../../../src/web/dashboard/pages/automations/flow/registry.ts';
import { walkFlow } from '../../../src/web/dashboard/pages/automations/flow/structure.ts';
import { suggestedName } from '../../../src/web/dashboard/pages/automations/flow/suggested-name.ts';
import { TEMPLATE_KEYS, templatesFor } from '../../../src/web/dashboard/pages/automations/flow/templates.ts';
import { accessoryOf, homeOf, lampOf } from '../home/sample-home.ts';

const THEN = 'then';

/** Flows of known and unknown kinds within each other, with unknown fields. */
const json = (fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>).filter(
  (value) => !JSON.stringify(value).includes('"id":'),
);
const extras = fc.dictionary(fc.stringMatching(/^x[a-z]{1,5}$/), json, { maxKeys: 3 });
const types = [...kindsOf('action').map(({ type }) => type), 'made_tomorrow'];
const { action } = fc.letrec<{ action: FlowNode; actions: FlowNode[] }>((tie) => ({
  actions: fc.array(tie('action'), { maxLength: 3 }),
  action: fc
    .record({
      type: fc.constantFrom(...types),
      more: extras,
      inner: fc.option(tie('actions'), { maxDepth: 3, nil: [] }),
    })
    .map(({ type, more, inner }) => ({ type, ...more, ...nest(type, inner as FlowNode[]) })),
}));

function nest(type: string, inner: FlowNode[]): FlowNode {
  if (type === 'if_then_else') return { condition: { operator: 'and', conditions: [] }, [THEN]: inner, else: inner };
  if (type === 'choose') return { choices: [{ conditions: { operator: 'or', conditions: [] }, actions: inner }] };
  if (type === 'repeat') return { mode: 'count', count: 2, sequence: inner };
  return type === 'parallel' ? { branches: [inner, inner] } : {};
}

const flows = fc
  .record({ name: fc.string(), enabled: fc.boolean(), actions: fc.array(action, { maxLength: 4 }), more: extras })
  .map(({ more, ...flow }) => ({ ...more, ...flow, triggers: [], conditions: { operator: 'and', conditions: [] } }));

const wait = (id: string): FlowNode => ({ id, type: 'delay', duration: { seconds: 1 } });

/** Without the ids that `withIds` gives. */
function withoutIds(value: Json): Json {
  return JSON.parse(JSON.stringify(value, (key, one) => (key === 'id' ? undefined : one)));
}

describe('a change that triggers', () => {
  it('is chosen by the user: any change, or one, but not none', () => {
    const door = { type: 'state', accessoryId: 'door', characteristicType: 'contact_state' };
    expect(problemsOf('trigger', { ...door, to: null })).toEqual(['required']);
    expect(problemsOf('trigger', { ...door, to: 1 })).toEqual([]);
    expect(problemsOf('trigger', door)).toEqual([]);
  });
});

describe('the record of a flow', () => {
  it('is after opening what it was before, with any content', () => {
    fc.assert(
      fc.property(flows, (flow) => {
        const text = JSON.stringify(flow);
        const opened = withIds(parseFlowText(text));
        expect(withoutIds(opened)).toEqual(JSON.parse(text));
        const ids = [...walkFlow(opened)].filter(({ role }) => role === 'action').map(({ node }) => node.id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(withIds(opened)).toEqual(opened);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps every node when one is moved into another list, and never puts one into itself', () => {
    const loop: FlowNode = { id: 'loop', type: 'repeat', mode: 'count', count: 2, sequence: [wait('inner')] };
    const session = new EditSession({ ...emptyFlow('A'), actions: [wait('first'), loop, wait('last')] });
    const order = () =>
      [...walkFlow(session.flow)]
        .filter(({ role }) => role === 'action')
        .map(({ node, path }) => [node.id, pathText(path)]);
    session.setOpen(['actions', 0]);
    session.moveTo(['actions', 0], ['actions', 1, 'sequence'], 1);
    expect(order()).toEqual([
      ['loop', 'actions[0]'],
      ['inner', 'actions[0].sequence[0]'],
      ['first', 'actions[0].sequence[1]'],
      ['last', 'actions[1]'],
    ]);
    expect(session.isOpen(['actions', 0, 'sequence', 1])).toBe(true);
    const { flow } = session;
    session.moveTo(['actions', 0], ['actions', 0, 'sequence'], 0);
    session.moveTo(['actions', 1], ['actions'], 2);
    expect(session.flow).toBe(flow);
    session.moveTo(['actions', 0, 'sequence', 1], ['actions'], 2);
    expect(order().map(([id]) => id)).toEqual(['loop', 'inner', 'last', 'first']);
    session.undo();
    expect(session.flow).toBe(flow);
  });

  it('comes back by undo after any steps, and again by redo', () => {
    const step = fc.record({
      at: fc.nat(20),
      what: fc.constantFrom('duplicate', 'remove', 'down', 'up', 'off', 'add', 'out', 'into'),
    });
    fc.assert(
      fc.property(flows, fc.array(step, { maxLength: 12 }), (flow, steps) => {
        const before = withIds(toFlowRecord(flow));
        const session = new EditSession(before);
        for (const { at, what } of steps) take(session, at, what);
        const after = session.flow;
        while (session.get().canUndo) session.undo();
        expect(session.flow).toEqual(before);
        while (session.get().canRedo) session.redo();
        expect(session.flow).toEqual(after);
      }),
      { numRuns: 40 },
    );
  });

  it('takes typing in one field for one step, and knows when nothing is different any more', () => {
    const session = new EditSession(emptyFlow('A'));
    for (const name of ['Ab', 'Abc']) session.setField([], 'name', name);
    expect(session.get()).toMatchObject({ isChanged: true, canUndo: true });
    session.undo();
    expect(session.get()).toMatchObject({ isChanged: false, canUndo: false });
    expect(withNote(withNote(session.flow, 'delay_1', 'Why'), 'delay_1', '').uiState).toEqual({});
  });

  it('inserts several steps with their own ids in one step of undo, and opens one of them', () => {
    const session = new EditSession(withIds({ ...emptyFlow('A'), actions: [wait('a'), wait('b')] }));
    const before = session.flow;
    const until = { type: 'wait_for_trigger', triggers: [{ type: 'time', at: '23:00' }] };
    session.insertAfter(['actions', 0], [until, { type: 'delay' }], ['triggers', 0], { mode: 'restart' });
    expect(session.flow.mode).toBe('restart');
    expect(session.flow.actions.map(({ id }) => id)).toEqual(['a', 'wait_for_trigger_1', 'delay_1', 'b']);
    expect(session.isOpen(['actions', 1, 'triggers', 0])).toBe(true);
    session.undo();
    expect(session.flow).toBe(before);
  });

  it('has the ends of a draft among its nodes', () => {
    const draft = withIds({ ...emptyDraft('A'), until: [{ type: 'sun', event: 'sunrise' }, { type: 'time' }] });
    expect([...walkFlow(draft)].map(({ path }) => path)).toContainEqual(['until', 1]);
    expect(checkFlow(draft)).toEqual([{ path: ['until', 1], field: 'at', key: 'required' }]);
  });

  it('marks what was wrong when it was to be saved, and not what was added since', () => {
    const trigger = { type: 'state', to: null };
    const before = withIds({ ...emptyDraft('A'), triggers: [trigger], actions: [{ type: 'delay' }] });
    const now = withIds({
      ...before,
      triggers: [trigger, ...before.triggers],
      conditions: { operator: 'and', conditions: [{ type: 'state' }] },
    });
    const all = checkFlow(now);
    const placesSince = (basis: FlowRecord) => remainingProblems(basis, now, all).map(({ path }) => path.join(' '));
    const roles = (places: readonly string[]) => [...new Set(places)].sort();
    expect(roles(placesSince(now))).toEqual(['actions 0', 'conditions conditions 0', 'triggers 0', 'triggers 1']);
    expect(roles(placesSince(before))).toEqual(['actions 0', 'triggers 1']);
  });

  it('shows bounds that belong to the range as they were written', () => {
    for (const value of [20.5, -3, 1e-7, 1000]) {
      for (const direction of [1, -1] as const) {
        const bound = nextTo(value, direction);
        expect([isIncluded(value), isIncluded(bound), written(bound)]).toEqual([false, true, value]);
      }
    }
  });

  it('has a name by what starts it and what it does, unless there is neither', () => {
    const sentences = { trigger: () => 'At “sunset”', action: () => `${'Turn on the lamp '.repeat(9)}!` };
    expect(suggestedName({ ...emptyFlow(''), triggers: [{}], actions: [] }, sentences)).toBe('At sunset');
    const long = suggestedName({ ...emptyFlow(''), triggers: [{}], actions: [{}] }, sentences);
    expect(long).toMatch(/^At sunset – Turn on .*[a-z]$/);
    expect(long.length).toBeLessThanOrEqual(80);
    expect(suggestedName(emptyFlow(''), sentences)).toBe('');
  });

  it('gives copies names of their own, and lets them refer to themselves', () => {
    const scene = { id: 's', type: 'execute_scene', sceneId: 'x' };
    const node = { id: 'if', type: 'if_then_else', [THEN]: [scene, { id: 'r', type: 'restore_state', nodeId: 's' }] };
    const flow: FlowRecord = { ...emptyFlow('A'), actions: [node] };
    const copy = withFreshIds(node, flow);
    expect(getAt(copy, [THEN, 1, 'nodeId'])).toBe(getAt(copy, [THEN, 0, 'id']));
    const taken = idsIn(flow);
    for (const { node: one } of walkFlow({ ...flow, actions: [copy] })) expect(taken.has(String(one.id))).toBe(false);
  });

  it('reads places as the relay writes them', () => {
    expect(parsePath('actions[2].then[0].value')).toEqual(['actions', 2, THEN, 0, 'value']);
    expect(pathText(['actions', 2, THEN, 0, 'value'])).toBe('actions[2].then[0].value');
    const flow = {
      ...emptyFlow('A'),
      actions: [{ id: 'p', type: 'parallel', branches: [[{ id: 'd', type: 'delay' }]] }],
    };
    const sentence = 'actions[0].branches[0][0].duration.minutes: it must be a number of at least 0';
    expect(locateRefusal(flow, 'actions[0].branches[0][0].duration.minutes', sentence)).toEqual({
      path: ['actions', 0, 'branches', 0, 0],
      field: 'duration',
      sentence: 'It must be a number of at least 0',
    });
    expect(locateRefusal(flow, 'name', 'Taken').path).toEqual([]);
  });

  it('counts durations both ways', () => {
    fc.assert(
      fc.property(fc.integer({ min: -86_400, max: 86_400 }), (s) => durationMs(durationOf(s * 1000)) === s * 1000),
    );
    expect(durationMs({ minutes: '{{ n }}' })).toBeUndefined();
  });
});

describe('checks of a draft', () => {
  it('find what is missing in every kind that needs something, and nothing in what is complete', () => {
    for (const role of ['trigger', 'condition', 'action'] as const) {
      for (const { kind, initial } of offersFor(role, true)) {
        const keys = problemsOf(role, { type: kind.type });
        const needs = kind.fields.some(({ isRequired, when, control }) => isRequired && !when && control.is !== 'who');
        if (needs) expect(keys.length, kind.type).toBeGreaterThan(0);
        expect(findKind(role, kind.type)).toBe(kind);
        expect(() => problemsOf(role, { type: kind.type, ...initial })).not.toThrow();
      }
    }
  });

  it.each([
    ['condition', { type: 'time', after: '07:00', before: '07:00' }, ['sameTime']],
    ['trigger', { type: 'numeric_state', accessoryId: 'a', characteristicType: 'b', above: 3, below: 2 }, ['range']],
    ['trigger', { type: 'time_pattern', minutes: 'x' }, ['pattern']],
    ['trigger', { type: 'event', eventType: 'no blanks' }, ['eventName']],
    ['action', { type: 'fire_webhook', url: 'ftp://x' }, ['address']],
    ['action', { type: 'fire_webhook', url: '{{ url }}' }, []],
    ['action', { type: 'delay', duration: { hours: 25 } }, ['delayTooLong']],
    ['action', { type: 'wait_for_trigger', triggers: [] }, ['nothingToWaitFor']],
    ['action', { type: 'made_tomorrow' }, []],
  ] as const)('describe a %s %j: %j', (role, node, keys) => {
    expect(problemsOf(role, node as FlowNode)).toEqual(keys);
  });
});

describe('templates', () => {
  const switches = { format: 'uint8', minValue: 0, maxValue: 1 };
  const home = homeOf([
    lampOf('Lamp'),
    accessoryOf('Hall', 'motion', { motion_sensor: { motion_detected: false } }),
    accessoryOf('Leak', 'sensor', { leak_sensor: { leak_detected: { ...switches, value: 0 } } }),
    accessoryOf('Blind', 'blind', { window_covering: { target_position: 0 } }),
    accessoryOf('Button', 'button', { stateless_programmable_switch: { programmable_switch_event: { value: null } } }),
    accessoryOf('Door', 'contact', { contact_sensor: { contact_state: { ...switches, value: 0 } } }),
  ]);

  it.each(['en', 'de'] as const)('are complete as they stand (%s)', (language) => {
    const templates = templatesFor(home, editorTexts.in(language).templates);
    expect([...templates.keys()]).toEqual(TEMPLATE_KEYS);
    for (const [key, flow] of templates) expect(checkFlow(flow), key).toEqual([]);
  });

  it('take a light sensor nearby for the darkness, and the lamp of the room, else the sun and any lamp', () => {
    const sensor = accessoryOf('Brightness', 'sensor', {
      light_sensor: { current_ambient_light_level: { value: 120, format: 'float' } },
    });
    const of = (accessories: Parameters<typeof homeOf>[0]) =>
      templatesFor(homeOf(accessories), editorTexts.in('en').templates).get('motionLight');
    const motion = accessoryOf('Hall', 'motion', { motion_sensor: { motion_detected: false } });
    const away = { ...lampOf('Away'), roomId: 'other' };
    const near = of([away, lampOf('Lamp'), motion, sensor]);
    expect(near?.conditions.conditions).toMatchObject([
      { type: 'numeric_state', accessoryId: 'Brightness', below: 50 },
    ]);
    expect(near?.actions[0]).toMatchObject({ accessoryId: 'Lamp', value: true });
    const far = of([away, motion, { ...sensor, roomId: 'other' }]);
    expect(far?.conditions.conditions).toEqual([{ type: 'sun', after: 'sunset', before: 'sunrise' }]);
    expect(far?.actions[0]).toMatchObject({ accessoryId: 'Away' });
  });

  it('are not offered where the home lacks what they need', () => {
    expect(templatesFor(homeOf([]), editorTexts.in('en').templates).size).toBe(0);
  });
});

function problemsOf(role: 'trigger' | 'condition' | 'action', node: FlowNode): readonly string[] {
  const flow = emptyFlow('A');
  const place = { trigger: 'triggers', action: 'actions', condition: 'conditions' }[role];
  const list = [{ id: 'n', ...node }];
  const whole = { ...flow, [place]: role === 'condition' ? { operator: 'and', conditions: list } : list };
  return checkFlow(toFlowRecord(whole)).map(({ key }) => key);
}

function take(session: EditSession, at: number, what: string): void {
  const nodes = [...walkFlow(session.flow)].filter(({ role }) => role === 'action');
  const path = nodes[at % Math.max(1, nodes.length)]?.path;
  const [offer] = offersFor('action');
  if (what === 'add' && offer) session.add(['actions'], offer);
  if (!path) return;
  if (what === 'duplicate') session.duplicate(path);
  if (what === 'remove') session.remove(path);
  if (what === 'down') session.move(path, 1);
  if (what === 'up') session.move(path, -1);
  if (what === 'out') session.moveTo(path, ['actions'], 0);
  const [into] = nodes.flatMap(({ node, path: place }) => (node.type === 'repeat' ? [[...place, 'sequence']] : []));
  if (what === 'into' && into) session.moveTo(path, into, 0);
  if (what === 'off') session.setField(path, 'enabled', false);
}
