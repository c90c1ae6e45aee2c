/** A table of measurements of two sides, taken in turns, for people (Markdown) or as lines. */
import { quantile } from './report.ts';

export interface Series {
  readonly p50: number;
  readonly p99: number;
}

export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly ours: Series;
  readonly other: Series;
  /** Whether a small ratio or a large one is good. */
  readonly better: 'small' | 'large';
}

/** Of times: the 99th percentile is the slow end. */
export function seriesOf(values: readonly number[]): Series {
  return { p50: quantile(values, 0.5), p99: quantile(values, 0.99) };
}

/** Of rates: the slow end is the first percentile. */
export function ratesOf(values: readonly number[]): Series {
  return { p50: quantile(values, 0.5), p99: quantile(values, 0.01) };
}

/** Prints each row as soon as it is measured: a run takes minutes, and may be ended early. */
export class Table {
  readonly #asMarkdown: boolean;

  constructor([ours, other]: readonly [string, string], asMarkdown: boolean) {
    this.#asMarkdown = asMarkdown;
    if (!asMarkdown) return;
    console.log(`| Measured | Unit | ${ours}, p50 / p99 | ${other}, p50 / p99 | Ratio, p50 / p99 | Good is |`);
    console.log('|---|---|---|---|---|---|');
  }

  add(row: Row): void {
    const { p50, p99 } = ratios(row);
    console.log(
      this.#asMarkdown
        ? `| ${row.what} | ${row.unit} | ${pair(row.ours)} | ${pair(row.other)} | ${p50} / ${p99} | ${good(row)} |`
        : `${row.what}: ${pair(row.ours)} against ${pair(row.other)} ${row.unit} = ${p50} × (p99 ${p99} ×), ${good(row)}`,
    );
  }
}

function ratios({ ours, other }: Row): { p50: string; p99: string } {
  return { p50: (ours.p50 / other.p50).toFixed(2), p99: (ours.p99 / other.p99).toFixed(2) };
}

function good({ better }: Row): string {
  return better === 'small' ? 'less' : 'more';
}

function pair({ p50, p99 }: Series): string {
  return `${format(p50)} / ${format(p99)}`;
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
