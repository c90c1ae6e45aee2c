/** Runs that did nothing because their conditions did not hold. */

interface StepOfRun {
  readonly type: string;
  readonly result: string;
  readonly parentNodeId?: string | null;
}

export interface RunWithSteps {
  readonly steps: readonly StepOfRun[];
}

/** The conditions of the automation itself decided that it does nothing. */
export function isConditionNotMet({ steps }: RunWithSteps): boolean {
  const isOwn = ({ type, parentNodeId }: StepOfRun) => type === 'condition' && parentNodeId == null;
  return steps.some((step) => isOwn(step) && step.result === 'failed') && steps.every(({ type }) => type !== 'action');
}

/** Runs in their order; those in a row whose conditions did not hold are one entry. */
export function foldRuns<T extends RunWithSteps>(runs: readonly T[]): readonly (readonly T[])[] {
  const folded: T[][] = [];
  for (const run of runs) {
    const last = folded.at(-1);
    const [first] = last ?? [];
    if (last && first && isConditionNotMet(first) && isConditionNotMet(run)) last.push(run);
    else folded.push([run]);
  }
  return folded;
}
