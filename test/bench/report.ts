/**
 * What a benchmark found, printed as ratios against a baseline measured in the same run: absolute times describe the
 * machine only.
 */

export interface Finding {
  readonly what: string;
  /** Ours and the baseline, in the same unit; without a baseline, `ours` is held against `limit`. */
  readonly ours: number;
  readonly baseline?: number;
  readonly unit: string;
  /** The ratio (or value) to be reached, and on which side of it we must be. */
  readonly target?: { readonly at: 'most' | 'least'; readonly value: number };
  readonly note?: string;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

/** One line a finding: what, ours, baseline, ratio, target, reached or not. */
export function printFinding({ what, ours, baseline, unit, target, note }: Finding): void {
  const measured = baseline === undefined ? ours : ours / baseline;
  const against = baseline === undefined ? '' : ` against ${format(baseline)} ${unit} = ${measured.toFixed(2)} ×`;
  const verdict = target ? ` (to be reached: at ${target.at} ${target.value}: ${reached(measured, target)})` : '';
  console.log(`${what}: ${format(ours)} ${unit}${against}${verdict}${note ? `\n    ${note}` : ''}`);
}

function reached(measured: number, { at, value }: { at: 'most' | 'least'; value: number }): string {
  return (at === 'most' ? measured <= value : measured >= value) ? 'yes' : 'NO';
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toFixed(3);
}
