/**
 * Prepares the samples of the relay for a plot: the axis begins with them, and where the relay did not run, the line
 * has a gap.
 */
import type { Bounds, GappedColumns } from '../../history/plot-data.ts';

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
/** Shorter axes have no room for their times. */
const MIN_INTERVALS = 2;

interface Load {
  readonly from: string;
  readonly to: string;
  readonly everyMs: number;
  readonly samples: readonly { readonly at: string }[];
  readonly starts: readonly { readonly at: string }[];
}

/** The period, or what there is of it: a day is much wider than the first minutes of a relay. */
export function boundsOfLoad({ from, to, everyMs, samples, starts }: Load): Bounds {
  const ends = Date.parse(to);
  const begins = Math.min(ends - MIN_INTERVALS * everyMs, ...[...samples, ...starts].map(({ at }) => Date.parse(at)));
  return { from: Math.max(Date.parse(from), begins), to: ends };
}

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
