/** The way of a run in the graph of its automation: what was reached, what came of it, which branches it took. */
import { type FlowNode, isList, isObject, type Json, textOf } from '../flow/flow-record.ts';
import { pathText } from '../flow/paths.ts';
import { type PathStep, pathOf } from '../runs/run-path.ts';
import { type StepState, stateOfStep } from '../runs/step-state.ts';
import { type FlowGraph, type GraphBranch, type GraphNode, nodesOfGraph } from './flow-graph.ts';

export type NodeState = StepState | 'notReached';

export interface MarkedStep extends PathStep {
  readonly attempt?: number;
  readonly output?: unknown;
  readonly refusals?: readonly { readonly accessoryId: string }[] | null;
}

export interface NodeMark {
  readonly state: NodeState;
  /** Of a loop, the last round. */
  readonly step: MarkedStep | undefined;
  /** How often it ran. */
  readonly rounds: number;
  /** The run did not go on from here. */
  readonly isEnd: boolean;
}

export interface RunMarks {
  markOf(node: GraphNode): NodeMark;
  isTaken(parent: GraphNode, branch: GraphBranch): boolean;
}

const NOT_REACHED = { state: 'notReached', step: undefined, rounds: 0, isEnd: false } as const;

/** @param isWhole as for `pathOf` */
export function marksOf(graph: FlowGraph, steps: readonly MarkedStep[], isWhole: boolean): RunMarks {
  const end = pathOf(steps, isWhole).find(({ isEnd }) => isEnd)?.step;
  const marks = new Map<string, NodeMark>();
  const parents = parentsOf(graph);
  for (const node of nodesOfGraph(graph)) {
    const key = pathText(node.path);
    const found = node.role === 'condition' ? ofCondition(node, parents.get(key), steps) : ofStep(node, steps);
    if (!found) continue;
    const { step, state } = found;
    const isEnd = end !== undefined && step?.index === end.index && (state === 'notMet' || state === 'failed');
    marks.set(key, { state, step, rounds: step ? roundsOf(step, steps) : 1, isEnd });
  }
  return {
    markOf: ({ path }) => marks.get(pathText(path)) ?? NOT_REACHED,
    isTaken: (parent, branch) => isTaken(parent, branch, steps),
  };
}

interface Found {
  readonly step: MarkedStep | undefined;
  readonly state: NodeState;
}

function ofStep({ role, node }: GraphNode, steps: readonly MarkedStep[]): Found | undefined {
  const id = textOf(node, 'id');
  const step = steps.findLast((one) => one.nodeId === id && (one.type ?? role) === role);
  return step && { step, state: stateOf(node, step) };
}

/** A step that sets several accessories names those that failed. */
function stateOf({ accessoryId }: FlowNode, step: MarkedStep): NodeState {
  const { refusals } = step;
  const isOther = typeof accessoryId === 'string' && refusals && refusals.length > 0;
  return isOther && refusals.every((one) => one.accessoryId !== accessoryId) ? 'done' : stateOfStep(step);
}

/**
 * Conditions have no id. Those of the automation are in the output of one step, up to the one that decided; those of a
 * choice are one step for each case, up to the one that holds.
 */
function ofCondition(
  { path }: GraphNode,
  choice: GraphNode | undefined,
  steps: readonly MarkedStep[],
): Found | undefined {
  if (choice) {
    const id = textOf(choice.node, 'id');
    const last = steps.findLast(({ nodeId }) => nodeId === id);
    const checks = steps.filter(
      (one) => one.type === 'condition' && one.parentNodeId === id && one.index > (last?.index ?? 0),
    );
    const step = checks[Number(path.at(-2))];
    return step && { step, state: stateOfStep(step) };
  }
  const step = steps.find(({ type, parentNodeId }) => type === 'condition' && parentNodeId == null);
  // The trace of a run that went on after a restart lacks it.
  if (!step) return steps.some(({ type }) => type === 'action') ? { step, state: 'done' } : undefined;
  const index = path.at(-1);
  const passed = step.result === 'passed' || (typeof index === 'number' ? passedAt(step.output, index) : false);
  return passed === undefined ? undefined : { step, state: passed ? 'done' : 'notMet' };
}

function passedAt(output: unknown, index: number): boolean | undefined {
  const results = isObject(output) ? output.conditions : undefined;
  const one: Json | undefined = isList(results) ? results[index] : undefined;
  return isObject(one) && typeof one.passed === 'boolean' ? one.passed : undefined;
}

function parentsOf(graph: FlowGraph): ReadonlyMap<string, GraphNode> {
  const parents = new Map<string, GraphNode>();
  for (const parent of nodesOfGraph(graph)) {
    for (const { nodes } of parent.branches) for (const { path } of nodes) parents.set(pathText(path), parent);
  }
  return parents;
}

function roundsOf({ nodeId }: MarkedStep, steps: readonly MarkedStep[]): number {
  if (nodeId == null) return 1;
  return steps.filter((one) => one.nodeId === nodeId && (one.attempt ?? 1) === 1).length;
}

/** By the steps within it; an empty one has only its name in the output of its parent. */
function isTaken({ node }: GraphNode, { name }: GraphBranch, steps: readonly MarkedStep[]): boolean {
  const id = textOf(node, 'id');
  if (steps.some(({ parentNodeId, branch }) => parentNodeId === id && branch === name)) return true;
  const parent = steps.findLast(({ nodeId }) => nodeId === id);
  if (isObject(parent?.output) && parent.output.branch === name) return true;
  return parent !== undefined && parent.result === 'executed' && name.startsWith('branches[');
}
