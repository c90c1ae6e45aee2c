/**
 * A flow as a picture: triggers side by side, conditions and actions one below the other, the lists within an action
 * side by side. It computes what the styles can't: how many columns each part takes, where lines begin and end, and
 * after which steps nothing follows.
 */
import { type FlowNode, type FlowRecord, isObject, nodesOf, shownConditions, textOf } from '../flow/flow-record.ts';
import { getAt, type Path, pathText } from '../flow/paths.ts';
import { type NodeRole, type Slot, slotsOf } from '../flow/structure.ts';

export interface GraphNode {
  readonly role: NodeRole;
  readonly node: FlowNode;
  /** Its path in the flow. */
  readonly path: Path;
  /** In columns; a node by itself takes one. */
  readonly width: number;
  /** The lists within it, side by side. */
  readonly branches: readonly GraphBranch[];
  /** The list that it repeats. */
  readonly loop: GraphBranch | undefined;
  /** The run does not go on after it. */
  readonly isEnd: boolean;
}

export interface GraphList {
  readonly nodes: readonly GraphNode[];
  readonly width: number;
  readonly isEnd: boolean;
}

export interface GraphBranch extends GraphList {
  /** Of a case, the one of its conditions: they come first. */
  readonly slot: Slot;
  /** Its name in traces: `then`, `choices[1]`, `branches[0]`. */
  readonly name: string;
  /** From its own middle to the middle of all branches, in columns. */
  readonly line: GraphLine;
}

export interface GraphLine {
  readonly from: number;
  readonly to: number;
}

export interface FlowGraph {
  readonly triggers: readonly GraphNode[];
  /** One for each trigger. */
  readonly triggerLines: readonly GraphLine[];
  readonly conditions: readonly GraphNode[];
  readonly actions: GraphList;
  readonly width: number;
}

/** The frame around repeated steps. */
const FRAME_COLUMNS = 0.2;

export function graphOf(flow: FlowRecord): FlowGraph {
  const triggers = flow.triggers.map((node, index) => leaf('trigger', node, ['triggers', index]));
  const conditions = shownConditions(flow).map((node, index) =>
    leaf('condition', node, node === flow.conditions ? ['conditions'] : ['conditions', 'conditions', index]),
  );
  const actions = listOf(flow.actions, ['actions']);
  return {
    triggers,
    triggerLines: linesOf(triggers.map(({ width }) => width)),
    conditions,
    actions,
    width: Math.max(1, triggers.length, actions.width),
  };
}

/** Every node of the graph, each before those within it. */
export function* nodesOfGraph({ triggers, conditions, actions }: FlowGraph): Iterable<GraphNode> {
  yield* triggers;
  yield* conditions;
  yield* nodesIn(actions);
}

function* nodesIn({ nodes }: GraphList): Iterable<GraphNode> {
  for (const node of nodes) {
    yield node;
    for (const branch of node.branches) yield* nodesIn(branch);
    if (node.loop) yield* nodesIn(node.loop);
  }
}

function leaf(role: NodeRole, node: FlowNode, path: Path): GraphNode {
  return { role, node, path, width: 1, branches: [], loop: undefined, isEnd: false };
}

function listOf(actions: readonly FlowNode[], path: Path): GraphList {
  return joined(actions.map((node, index) => actionOf(node, [...path, index])));
}

function joined(nodes: readonly GraphNode[]): GraphList {
  return { nodes, width: Math.max(1, ...nodes.map(({ width }) => width)), isEnd: nodes.some(({ isEnd }) => isEnd) };
}

function actionOf(node: FlowNode, path: Path): GraphNode {
  const type = textOf(node, 'type');
  const isOff = node.enabled === false;
  const lists = listsWithin(node, path);
  if (type === 'repeat') {
    const [body] = lists;
    const loop = body && { ...body, line: { from: 0, to: 0 } };
    // A loop may have no round at all: what follows it can always be reached.
    return { ...leaf('action', node, path), width: (body?.width ?? 1) + FRAME_COLUMNS, loop };
  }
  const lines = linesOf(lists.map(({ width }) => width));
  const branches = lists.map((list, index) => ({ ...list, line: lines[index] ?? { from: 0, to: 0 } }));
  const isBlocked = branches.length > 0 && branches[type === 'parallel' ? 'some' : 'every'](({ isEnd }) => isEnd);
  return {
    ...leaf('action', node, path),
    width: Math.max(1, sum(branches.map(({ width }) => width))),
    branches,
    isEnd: !isOff && (type === 'stop' || isBlocked),
  };
}

/** The lists of actions within an action; the conditions of a case are the first node of its list. */
function listsWithin(node: FlowNode, path: Path): readonly Omit<GraphBranch, 'line'>[] {
  const slots = slotsOf(node);
  return slots.flatMap((slot, index) => {
    if (slot.role !== 'action') return [];
    const at = [...path, ...slot.path];
    const list = listOf(nodesOf(getAt(node, slot.path)), at);
    const before = slots[index - 1];
    const asked = before?.label === 'choice' ? before : undefined;
    const nodes = asked ? [caseOf(node, asked, path), ...list.nodes] : list.nodes;
    return [{ ...joined(nodes), slot: asked ?? slot, name: pathText(slot.path).replace(/\.actions$/, '') }];
  });
}

function caseOf(node: FlowNode, slot: Slot, path: Path): GraphNode {
  const block = getAt(node, slot.path);
  return leaf('condition', isObject(block) ? block : {}, [...path, ...slot.path]);
}

function linesOf(widths: readonly number[]): readonly GraphLine[] {
  const middle = sum(widths) / 2;
  return widths.map((width, index) => {
    const own = sum(widths.slice(0, index)) + width / 2;
    return { from: Math.min(own, middle), to: Math.max(own, middle) };
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
