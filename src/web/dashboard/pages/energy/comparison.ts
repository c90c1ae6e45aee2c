/** The energy of a period beside that of the one before, as far as both are measured in full. */

interface Step {
  readonly start: string;
  readonly end: string;
  readonly kwh: number;
}

interface Report {
  readonly buckets: readonly Step[];
  /** The meters, and when the relay began to count them. */
  readonly devices: readonly { readonly kwh: number; readonly since: string }[];
}

export interface EnergyComparison {
  /** The energy of the period, up to `until`. */
  readonly kwh: number;
  /** That of the period before, in as many steps. */
  readonly before: number;
  /** In percent of the energy before; below 0 for less. */
  readonly change: number;
  /** The end of the last step that is over; `undefined` where the whole period is. */
  readonly until: string | undefined;
  /** The energy of the period before by step, in the order of the period's own steps. */
  readonly steps: readonly number[];
}

/**
 * A period that is not over is compared by its steps that are. A meter that was added during the period before would
 * show as more energy, so there is no comparison then.
 */
export function comparisonOf(report: Report, before: Report, now: number): EnergyComparison | undefined {
  const [first] = before.buckets;
  if (!first) return undefined;
  const used = [...report.devices, ...before.devices].filter(({ kwh }) => kwh > 0);
  if (used.some(({ since }) => Date.parse(since) > Date.parse(first.start))) return undefined;
  const over = report.buckets.filter(({ end }) => Date.parse(end) <= now);
  const isOver = over.length === report.buckets.length;
  // February has no 30 days to compare with.
  if (!isOver && over.length > before.buckets.length) return undefined;
  const compared = isOver ? before.buckets : before.buckets.slice(0, over.length);
  const [kwh, kwhBefore] = [sumOf(over), sumOf(compared)];
  if (kwhBefore === 0) return undefined;
  return {
    kwh,
    before: kwhBefore,
    change: (kwh / kwhBefore - 1) * 100,
    until: isOver ? undefined : over.at(-1)?.end,
    steps: before.buckets.map((step) => step.kwh),
  };
}

function sumOf(steps: readonly Step[]): number {
  return steps.reduce((sum, { kwh }) => sum + kwh, 0);
}
