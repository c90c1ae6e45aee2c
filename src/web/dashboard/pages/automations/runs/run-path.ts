/**
 * The way that a run took, as one line: its steps in order, the branches that it went into, and where it stopped. Of a
 * loop, the line has the last round.
 */
import { type StepNode, type TreeStep, treeOf } from './step-tree.ts';

export interface PathStep extends TreeStep {
  readonly result: string;
  readonly type?: string;
}

export interface PathMark<S extends PathStep> {
  readonly step: S;
  /** The branch that begins with this step. */
  readonly branch: string | null;
  /** How often the branch ran. */
  readonly rounds: number;
  /** The run did not go on from here. */
  readonly isEnd: boolean;
}

/** After these a run, or a branch of it, does not go on. */
const ENDING: ReadonlySet<string> = new Set(['error', 'timeout', 'failed', 'running']);

/** @param isWhole the run came to its end as it was meant to: nothing in it stopped it */
export function pathOf<S extends PathStep>(steps: readonly S[], isWhole: boolean): readonly PathMark<S>[] {
  const marks = treeOf(steps).flatMap((node) => marksOf(node, null, 1));
  if (isWhole) return marks;
  // What contains a step starts before it: the latest is the innermost.
  const end = Math.max(...marks.filter(({ step }) => ENDING.has(step.result)).map(({ step }) => step.index));
  return marks.map((mark) => ({ ...mark, isEnd: mark.step.index === end }));
}

/** The condition of a branch: the branch that follows shows its answer. */
function isAnswered({ type, result }: PathStep): boolean {
  return type === 'condition' && (result === 'passed' || result === 'failed');
}

function marksOf<S extends PathStep>(node: StepNode<S>, branch: string | null, rounds: number): PathMark<S>[] {
  const own: PathMark<S> = { step: node.step, branch, rounds, isEnd: false };
  const lastOf = new Map(node.groups.map((group) => [group.branch, group]));
  const inner = [...lastOf.values()].flatMap((group) => {
    const count = node.groups.filter((other) => other.branch === group.branch).length;
    return group.nodes
      .filter(({ step }) => !isAnswered(step))
      .flatMap((each, index) => marksOf(each, index === 0 ? group.branch : null, count));
  });
  return [own, ...inner];
}
