/** A flow as a picture, and the way of a run in it: pure functions, over every kind of action. */
import { describe, expect, it } from 'vitest';
import {
  emptyFlow,
  type FlowNode,
  type FlowRecord,
} from '../../../src/web/dashboard/pages/automations/flow/flow-record.ts';
import { getAt, pathText } from '../../../src/web/dashboard/pages/automations/flow/paths.ts';
import { kindsOf } from '../../../src/web/dashboard/pages/automations/flow/registry.ts';
import { walkFlow } from '../../../src/web/dashboard/pages/automations/flow/structure.ts';
import {
  type GraphList,
  type GraphNode,
  graphOf,
  nodesOfGraph,
} from '../../../src/web/dashboard/pages/automations/graph/flow-graph.ts';
import { nativeAsFlow } from '../../../src/web/dashboard/pages/automations/graph/native-flow.ts';
import { marksOf } from '../../../src/web/dashboard/pages/automations/graph/run-marks.ts';

const lamp = (id: string, more: FlowNode = {}): FlowNode => ({ id, type: 'set_characteristic', ...more });
const stop: FlowNode = { id: 'stop', type: 'stop' };
const dark: FlowNode = { operator: 'and', conditions: [{ type: 'sun', after: 'sunset' }] };
const either = (id: string, then: readonly FlowNode[], otherwise: readonly FlowNode[] = []): FlowNode =>
  Object.fromEntries([
    ...Object.entries({ id, type: 'if_then_else', condition: dark, else: otherwise }),
    ['then', then],
  ]);
const choose = (id: string, cases: readonly (readonly FlowNode[])[], more: FlowNode = {}): FlowNode => ({
  id,
  type: 'choose',
  choices: cases.map((actions) => ({ conditions: dark, actions })),
  ...more,
});
const parallel = (id: string, ...branches: (readonly FlowNode[])[]): FlowNode => ({ id, type: 'parallel', branches });
const repeat = (id: string, sequence: readonly FlowNode[]): FlowNode => ({
  id,
  type: 'repeat',
  mode: 'count',
  sequence,
});

const flowOf = (actions: readonly FlowNode[], more: object = {}): FlowRecord => ({
  ...emptyFlow('A'),
  actions,
  ...more,
});
const onlyNode = (...actions: readonly FlowNode[]): GraphNode => {
  const [node] = graphOf(flowOf(actions)).actions.nodes;
  if (!node) throw new Error('No node');
  return node;
};

/** The lists as text: `check(then: a b | else: )`, a node that nothing follows with `!`. */
function textOf({ nodes }: GraphList): string {
  return nodes.map(nodeText).join(' ');
}
function nodeText({ node, branches, loop, isEnd }: GraphNode): string {
  const inner = [...branches, ...(loop ? [loop] : [])].map((list) => `${list.name}: ${textOf(list)}`).join(' | ');
  const id = String(node.id ?? 'case');
  return `${inner === '' ? id : `${id}(${inner})`}${isEnd ? '!' : ''}`;
}

describe('the graph of a flow', () => {
  it.each(kindsOf('action').map(({ type, initial }) => [type, { ...initial, id: 'one', type }] as const))(
    'has a node for %s as the editor begins it, and the lists within it',
    (type, node) => {
      const graph = graphOf(flowOf([node, lamp('after')]));
      const [first, after] = graph.actions.nodes;
      const names = [...(first?.branches ?? []), ...(first?.loop ? [first.loop] : [])].map(({ name }) => name);
      const expected: Readonly<Record<string, readonly string[]>> = {
        if_then_else: ['then', 'else'],
        choose: ['choices[0]', 'default'],
        parallel: ['branches[0]', 'branches[1]'],
        repeat: ['sequence'],
      };
      expect(names).toEqual(expected[type] ?? []);
      expect([first?.isEnd, after?.node.id]).toEqual([type === 'stop', 'after']);
      expect(graph.width).toBeGreaterThanOrEqual(Math.max(1, first?.branches.length ?? 0));
    },
  );

  it('has the lists within lists, the conditions of a case first, and empty lists', () => {
    const inner = choose('choose', [[lamp('a')], []], { default: [lamp('b')] });
    const { actions } = graphOf(flowOf([either('if', [inner, lamp('c')]), repeat('loop', [parallel('both', [], [])])]));
    expect(textOf(actions)).toBe(
      'if(then: choose(choices[0]: case a | choices[1]: case | default: b) c | else: ) loop(sequence: both(branches[0]:  | branches[1]: ))',
    );
  });

  it('is as wide as what lies side by side, and leads lines from the middle of each to the middle of all', () => {
    const node = onlyNode(either('if', [choose('choose', [[], []])], [lamp('a')]));
    expect(node.width).toBe(4);
    expect(node.branches.map(({ width, line }) => [width, line])).toEqual([
      [3, { from: 1.5, to: 2 }],
      [1, { from: 2, to: 3.5 }],
    ]);
    expect(onlyNode(parallel('one', [lamp('a')])).branches[0]?.line).toEqual({ from: 0.5, to: 0.5 });
    expect(onlyNode(repeat('loop', [either('if', [])])).width).toBeCloseTo(2.2);
    const triggers = [1, 2, 3].map((id) => ({ id: `t${id}`, type: 'sun' }));
    const graph = graphOf(flowOf([], { triggers }));
    expect([graph.width, graph.triggerLines]).toEqual([
      3,
      [
        { from: 0.5, to: 1.5 },
        { from: 1.5, to: 1.5 },
        { from: 1.5, to: 2.5 },
      ],
    ]);
  });

  it('ends after a stop, and after branches none of which goes on', () => {
    const texts = [
      [stop],
      [{ ...stop, enabled: false }],
      [either('if', [stop])],
      [either('if', [stop], [stop])],
      [choose('choose', [[stop]], { default: [stop] })],
      [parallel('both', [stop], [])],
      [repeat('loop', [stop])],
    ].map((actions) => textOf(graphOf(flowOf(actions)).actions));
    expect(texts).toEqual([
      'stop!',
      'stop',
      'if(then: stop! | else: )',
      'if(then: stop! | else: stop!)!',
      'choose(choices[0]: case stop! | default: stop!)!',
      'both(branches[0]: stop! | branches[1]: )!',
      'loop(sequence: stop!)',
    ]);
  });

  it('shows conditions of which all must hold one by one, and other blocks whole', () => {
    const two = [{ type: 'sun' }, { type: 'time' }];
    const paths = (conditions: FlowNode) =>
      graphOf(flowOf([], { conditions })).conditions.map(({ path }) => pathText(path));
    expect(paths({ operator: 'and', conditions: two })).toEqual([
      'conditions.conditions[0]',
      'conditions.conditions[1]',
    ]);
    expect(paths({ operator: 'or', conditions: two })).toEqual(['conditions']);
    expect(paths({ operator: 'or', conditions: [] })).toEqual([]);
  });

  it('has every trigger and action once, at its path in the flow', () => {
    const flow = flowOf(
      [
        either('if', [choose('choose', [[lamp('a')], [repeat('loop', [lamp('b')])]])], [stop]),
        parallel('both', [lamp('c')], [{ id: 'wait', type: 'wait_for_trigger', triggers: [] }]),
      ],
      { triggers: [{ id: 't', type: 'sun' }] },
    );
    const nodes = [...nodesOfGraph(graphOf(flow))];
    for (const { node, path } of nodes) expect(getAt(flow, path), pathText(path)).toBe(node);
    const named = [...walkFlow(flow)].flatMap(({ node }) => node.id ?? []);
    expect(nodes.flatMap(({ node }) => node.id ?? []).toSorted()).toEqual(named.toSorted());
  });

  it('keeps nodes of unknown kinds, and reads lists of a wrong type as empty', () => {
    expect(textOf(graphOf(flowOf([{ id: 'new', type: 'from_tomorrow' }])).actions)).toBe('new');
    const odd = { id: 'odd', type: 'choose', choices: [{ conditions: null, actions: 7 }], default: 'x' };
    expect(nodeText(onlyNode(odd))).toBe('odd(choices[0]: case | default: )');
    expect(nodeText(onlyNode({ id: 'odd', type: 'parallel', branches: {} }))).toBe('odd');
  });
});

describe('the way of a run in the graph', () => {
  let index = 0;
  const step = (type: string, nodeId: string | null, result: string, more: object = {}) => {
    index += 1;
    return { index, type, nodeId, result, ...more };
  };
  const inside = (parentNodeId: string, branch: string | null, iteration: number | null = null) => ({
    parentNodeId,
    branch,
    iteration,
  });
  const statesIn = (flow: FlowRecord, steps: readonly ReturnType<typeof step>[], isWhole = true) => {
    const graph = graphOf(flow);
    const { markOf } = marksOf(graph, steps, isWhole);
    return Object.fromEntries(
      [...nodesOfGraph(graph)].map((node) => {
        const { state, rounds, isEnd } = markOf(node);
        const text = `${state}${rounds > 1 ? ` ${rounds}` : ''}${isEnd ? ' end' : ''}`;
        return [String(node.node.id ?? pathText(node.path)), text];
      }),
    );
  };

  it('marks the trigger that fired, what was done, and what it did not reach', () => {
    const flow = flowOf([either('if', [lamp('a')], [lamp('b')]), lamp('c', { enabled: false })], {
      triggers: [
        { id: 't1', type: 'sun' },
        { id: 't2', type: 'time' },
      ],
    });
    const steps = [
      step('trigger', 't2', 'executed'),
      step('action', 'if', 'executed'),
      step('condition', null, 'failed', inside('if', null)),
      step('action', 'b', 'executed', inside('if', 'else')),
      step('action', 'c', 'skipped'),
    ];
    expect(statesIn(flow, steps)).toEqual({
      t1: 'notReached',
      t2: 'done',
      if: 'done',
      a: 'notReached',
      b: 'done',
      c: 'skipped',
    });
    const graph = graphOf(flow);
    const [node] = graph.actions.nodes;
    const { isTaken } = marksOf(graph, steps, true);
    expect(node?.branches.map((branch) => isTaken(node, branch))).toEqual([false, true]);
  });

  it('marks each condition by itself, up to the one that was not met and ended the run', () => {
    const flow = flowOf([lamp('a')], {
      conditions: { operator: 'and', conditions: [{ type: 'sun' }, { type: 'time' }, { type: 'state' }] },
    });
    const output = { operator: 'and', passed: false, conditions: [{ passed: true }, { passed: false }] };
    expect(statesIn(flow, [step('condition', null, 'failed', { output })], false)).toEqual({
      'conditions.conditions[0]': 'done',
      'conditions.conditions[1]': 'notMet end',
      'conditions.conditions[2]': 'notReached',
      a: 'notReached',
    });
    // Of a run that went on after a restart, the trace has only actions.
    expect(Object.values(statesIn(flow, [step('action', 'a', 'running')], false))).toEqual([
      'done',
      'done',
      'done',
      'running',
    ]);
    const whole = { ...flow, conditions: { ...flow.conditions, operator: 'or' } };
    expect(statesIn(whole, [step('condition', null, 'passed', { output })]).conditions).toBe('done');
  });

  it('marks the cases of a choice as they were asked, in the last round of a loop', () => {
    const flow = flowOf([repeat('loop', [choose('choose', [[lamp('a')], [lamp('b')]], { default: [lamp('c')] })])]);
    const round = (number: number, ...results: string[]) => [
      step('action', 'choose', 'executed', inside('loop', 'sequence', number)),
      ...results.map((result) => step('condition', null, result, inside('choose', null, number))),
    ];
    const steps = [
      step('action', 'loop', 'executed'),
      ...round(1, 'failed', 'failed'),
      step('action', 'c', 'executed', inside('choose', 'default')),
      ...round(2, 'failed', 'passed'),
      step('action', 'b', 'executed', inside('choose', 'choices[1]')),
    ];
    expect(statesIn(flow, steps)).toEqual({
      loop: 'done',
      choose: 'done 2',
      'actions[0].sequence[0].choices[0].conditions': 'notMet',
      a: 'notReached',
      'actions[0].sequence[0].choices[1].conditions': 'done',
      b: 'done',
      c: 'done',
    });
  });

  it('takes an empty branch by the output of its action, and marks where a run failed', () => {
    const flow = flowOf([either('if', [lamp('a')]), parallel('both', [], [lamp('b')]), lamp('c')]);
    const steps = [
      step('action', 'if', 'executed', { output: { branch: 'else', result: false } }),
      step('action', 'both', 'error'),
      step('action', 'b', 'error', { ...inside('both', 'branches[1]'), attempt: 1 }),
      step('action', 'b', 'error', { ...inside('both', 'branches[1]'), attempt: 2 }),
    ];
    expect(statesIn(flow, steps, false)).toEqual({
      if: 'done',
      a: 'notReached',
      both: 'failed',
      b: 'failed end',
      c: 'notReached',
    });
    const graph = graphOf(flow);
    const { isTaken } = marksOf(graph, steps, false);
    const taken = graph.actions.nodes.map((node) => node.branches.map((branch) => isTaken(node, branch)));
    expect(taken).toEqual([[false, true], [false, true], []]);
    const done = marksOf(graph, [step('action', 'both', 'executed')], true);
    const both = graph.actions.nodes[1];
    expect(both?.branches.map((branch) => done.isTaken(both, branch))).toEqual([true, true]);
  });

  it('shows a simple automation as a flow, and which of its accessories failed', () => {
    const draft = flowOf([lamp('', { accessoryId: 'x' }), lamp('', { accessoryId: 'y' })], {
      triggers: [{ type: 'sun' }, { type: 'presence' }],
      until: [{ type: 'duration', seconds: 60 }],
    });
    const flow = nativeAsFlow(draft);
    expect(flow.actions.map(({ id, type }) => [id, type])).toEqual([
      ['actions', 'set_characteristic'],
      ['actions', 'set_characteristic'],
      ['endEvents', 'wait_for_trigger'],
      ['restore', 'restore_state'],
    ]);
    const graph = graphOf(flow);
    const { markOf } = marksOf(
      graph,
      [
        step('trigger', 'events[1]', 'executed'),
        step('action', 'actions', 'error', { refusals: [{ accessoryId: 'y' }] }),
        step('action', 'endEvents', 'running', inside('active', 'sequence', 1)),
      ],
      false,
    );
    expect([...nodesOfGraph(graph)].map((node) => markOf(node).state)).toEqual([
      ...['notReached', 'done'],
      ...['done', 'failed'],
      ...['running', 'notReached'],
    ]);
    expect(nativeAsFlow(flowOf([], { triggers: [{ type: 'timer' }] })).triggers[0]?.id).toBe('fireDate');
  });
});
