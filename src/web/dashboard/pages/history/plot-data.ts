/**
 * What the relay answers, made ready to be drawn: numbers that share an axis in columns over one line of times, states as bands. A value
 * holds until the next one, so the first is carried in from before the window and the last one on to its end.
 */

import { groupBy } from './group-by.ts';

export interface Point {
  readonly ts: number;
  readonly avg: number;
  readonly min: number;
  readonly max: number;
  readonly last: number;
  readonly count: number;
}

export interface SeriesData {
  readonly accessoryId: string;
  readonly characteristicType: string;
  readonly kind: string;
  readonly unit: string | null;
  readonly resolution: string;
  readonly prevValue: number | null;
  readonly prevValueText: string | null;
  readonly points: readonly Point[];
  readonly states: readonly { readonly ts: number; readonly value: number | null; readonly valueText: string }[];
  readonly stateBuckets: readonly {
    readonly ts: number;
    readonly dominant: number | null;
    readonly dominantText: string;
    readonly stateMs: unknown;
    readonly transitions: number;
  }[];
}

export interface Bounds {
  readonly from: number;
  readonly to: number;
}

/** One plot: the series of one unit. Times are in seconds, as uPlot counts them. */
export interface Columns {
  readonly times: readonly number[];
  /** One column a series; `undefined` where it has no value of its own at that time. */
  readonly values: readonly (readonly (number | undefined)[])[];
}

export function isNumeric({ kind }: SeriesData): boolean {
  return kind === 'numeric';
}

/** Series that may share an axis, in the order in which they were chosen. */
export function groupByUnit(series: readonly SeriesData[]): readonly (readonly SeriesData[])[] {
  return groupBy(series.filter(isNumeric), ({ unit }) => unit ?? '');
}

/** @param now nothing is known after it */
export function columnsOf(series: readonly SeriesData[], bounds: Bounds, now: number): Columns {
  const lines = series.map((one) => lineOf(one, bounds, now));
  const times = [...new Set(lines.flatMap((line) => [...line.keys()]))].sort((a, b) => a - b);
  return { times: times.map((ts) => ts / 1000), values: lines.map((line) => times.map((ts) => line.get(ts))) };
}

function lineOf({ prevValue, points }: SeriesData, { from, to }: Bounds, now: number): Map<number, number> {
  const line = new Map<number, number>();
  if (prevValue !== null && (points[0]?.ts ?? Number.POSITIVE_INFINITY) > from) line.set(from, prevValue);
  for (const { ts, avg } of points) line.set(ts, avg);
  const last = points.at(-1)?.last ?? prevValue;
  if (last !== null && last !== undefined) line.set(Math.min(to, now), last);
  return line;
}

/** A stretch in which a state held, or in which it held longest. */
export interface Band {
  readonly from: number;
  readonly to: number;
  /** The characteristic's own number, else its text. */
  readonly value: number | string;
  /** The relay's word for it. */
  readonly word: string;
  /** How often it changed meanwhile, where it changed too often to show each. */
  readonly transitions: number;
}

export function bandsOf(series: SeriesData, bounds: Bounds, now: number): readonly Band[] {
  const { states, stateBuckets, prevValue, prevValueText } = series;
  const end = Math.min(bounds.to, now);
  const known =
    stateBuckets.length > 0
      ? stateBuckets.map(({ ts, dominant, dominantText, transitions }) => ({
          ...{ ts, value: dominant ?? dominantText, word: dominantText, transitions },
        }))
      : states.map(({ ts, value, valueText }) => ({ ts, value: value ?? valueText, word: valueText, transitions: 0 }));
  const opening =
    prevValueText === null
      ? []
      : [{ ts: bounds.from, value: prevValue ?? prevValueText, word: prevValueText, transitions: 0 }];
  const starts = (known[0]?.ts ?? end) > bounds.from ? [...opening, ...known] : known;
  return starts
    .map(({ ts, ...state }, index) => ({
      ...state,
      from: Math.max(ts, bounds.from),
      to: Math.min(starts[index + 1]?.ts ?? end, end),
    }))
    .filter(({ from, to }) => to > from);
}

/** What a number did, for the table that says in words what the plot shows. */
export interface Summary {
  readonly min: number;
  readonly max: number;
  readonly avg: number;
  readonly last: number;
}

/** @returns `undefined` where nothing was recorded. The mean weighs each value by how long it held. */
export function summaryOf(series: SeriesData, bounds: Bounds, now: number): Summary | undefined {
  const line = [...lineOf(series, bounds, now)].sort(([a], [b]) => a - b);
  const last = line.at(-1);
  if (!last) return undefined;
  let sum = 0;
  let heldMs = 0;
  for (const [index, [ts, value]] of line.entries()) {
    const next = line[index + 1]?.[0] ?? ts;
    sum += value * (next - ts);
    heldMs += next - ts;
  }
  const values = line.map(([, value]) => value);
  return {
    min: Math.min(...values, ...series.points.map(({ min }) => min)),
    max: Math.max(...values, ...series.points.map(({ max }) => max)),
    avg: heldMs > 0 ? sum / heldMs : last[1],
    last: last[1],
  };
}

/** How long each state held, the longest first. */
export function sharesOf(bands: readonly Band[]): readonly { readonly value: number | string; readonly ms: number }[] {
  const ms = new Map<number | string, number>();
  for (const { value, from, to } of bands) ms.set(value, (ms.get(value) ?? 0) + to - from);
  return [...ms].map(([value, held]) => ({ value, ms: held })).sort((a, b) => b.ms - a.ms);
}
