/**
 * A trace's steps as the tree that the automation is: under each step what ran in it, by branch and round. Steps come in the order in
 * which they began; a node that ran again, in a later round or attempt, is a step of its own.
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

/** What ran in one branch, in one round. */
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
  /** Of each node the step that began last: what follows ran in that one. */
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
