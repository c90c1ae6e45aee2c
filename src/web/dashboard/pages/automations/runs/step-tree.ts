/**
 * A trace's steps as a tree: under each step the steps inside it, by branch and iteration. Steps come in the order of
 * their start; a node that runs again, in a later iteration or attempt, is a separate step.
 */

export interface TreeStep {
  readonly index: number;
  readonly nodeId?: string | null;
  readonly parentNodeId?: string | null;
  readonly branch?: string | null;
  readonly iteration?: number | null;
}

export interface StepNode<S extends TreeStep> {
  readonly step: S;
  readonly groups: readonly StepGroup<S>[];
}

/** The steps of one branch, in one iteration. */
export interface StepGroup<S extends TreeStep> {
  readonly branch: string | null;
  readonly iteration: number | null;
  readonly nodes: readonly StepNode<S>[];
}

interface Growing<S extends TreeStep> {
  readonly step: S;
  readonly groups: { branch: string | null; iteration: number | null; nodes: Growing<S>[] }[];
}

export function treeOf<S extends TreeStep>(steps: readonly S[]): readonly StepNode<S>[] {
  const roots: Growing<S>[] = [];
  /** The latest step of each node: the steps that follow ran inside it. */
  const latest = new Map<string, Growing<S>>();
  for (const step of steps.toSorted((a, b) => a.index - b.index)) {
    const node: Growing<S> = { step, groups: [] };
    const parent = step.parentNodeId ? latest.get(step.parentNodeId) : undefined;
    if (parent) groupFor(parent, step).nodes.push(node);
    else roots.push(node);
    if (step.nodeId) latest.set(step.nodeId, node);
  }
  return roots;
}

function groupFor<S extends TreeStep>(parent: Growing<S>, step: S) {
  const branch = step.branch ?? null;
  const iteration = step.iteration ?? null;
  const known = parent.groups.find((group) => group.branch === branch && group.iteration === iteration);
  if (known) return known;
  const made = { branch, iteration, nodes: [] };
  parent.groups.push(made);
  return made;
}
