/** Prepares the samples of the relay for a plot: where it did not run, the line has a gap. */
import type { GappedColumns } from '../../history/plot-data.ts';

export interface LoadSample {
  /** ISO 8601. */
  readonly at: string;
  readonly load: number;
  readonly processorPercent: number;
  readonly memoryBytes: number;
  readonly databaseBytes: number;
  readonly connectedDevices: number;
}

/** A restart shifts the samples by less than one interval. */
const MAX_INTERVALS = 2;

export function columnsOfLoad(
  samples: readonly LoadSample[],
  of: (sample: LoadSample) => number,
  { everyMs, to }: { readonly everyMs: number; readonly to: number },
): GappedColumns {
  const rows = samples.flatMap((sample, index) => {
    const at = Date.parse(sample.at);
    const next = samples[index + 1];
    const nextAt = next === undefined ? to : Date.parse(next.at);
    const value = of(sample);
    const own: readonly (readonly [number, number | null])[] = [[at, value]];
    if (nextAt - at > MAX_INTERVALS * everyMs) return [...own, [at + everyMs, null] as const];
    // The last value holds until now.
    return next === undefined && to > at ? [...own, [to, value] as const] : own;
  });
  return { times: rows.map(([at]) => at / 1000), values: [rows.map(([, value]) => value)] };
}
