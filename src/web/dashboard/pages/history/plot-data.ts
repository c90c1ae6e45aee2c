/**
 * Prepares the relay's data for the plots: numbers with a common axis as columns over shared times, states as bands. A
 * value holds until the next one, so the first one continues from before the window and the last one extends to its
 * end.
 */

import type { ResultOf } from '../../api/graphql.ts';
import type { HistoryQuery } from './documents.ts';
import { groupBy } from './group-by.ts';

export type SeriesData = NonNullable<NonNullable<ResultOf<typeof HistoryQuery>['history']>[number]>;

export interface Bounds {
  readonly from: number;
  readonly to: number;
}

/** One plot: the series of one unit. Times are in seconds, as uPlot expects. */
export interface Columns<Value = number | undefined> {
  readonly times: readonly number[];
  /** One column for each series; `undefined` if it has no value of its own at that time, `null` where its line ends. */
  readonly values: readonly (readonly Value[])[];
}

export type GappedColumns = Columns<number | null | undefined>;

export function isNumeric({ kind }: SeriesData): boolean {
  return kind === 'numeric';
}

/** Series with a common axis, in the order of selection. */
export function groupByUnit(series: readonly SeriesData[]): readonly (readonly SeriesData[])[] {
  return groupBy(series.filter(isNumeric), ({ unit }) => unit ?? '');
}

/** @param now there is no data after it */
export function columnsOf(series: readonly SeriesData[], bounds: Bounds, now: number): Columns {
  const lines = series.map((one) => lineOf(one, bounds, now));
  const times = [...new Set(lines.flatMap((line) => [...line.keys()]))].sort((a, b) => a - b);
  return { times: times.map((ts) => ts / 1000), values: lines.map((line) => times.map((ts) => line.get(ts))) };
}

/** An hour or a day in which recording began is drawn from that moment on. */
function lineOf(
  { prevValue, points, recordedFrom }: SeriesData,
  { from, to }: Bounds,
  now: number,
): Map<number, number> {
  const line = new Map<number, number>();
  if (prevValue !== null && (points[0]?.ts ?? Number.POSITIVE_INFINITY) > from) line.set(from, prevValue);
  for (const { ts, avg } of points) line.set(Math.max(ts, recordedFrom ?? ts), avg);
  const last = points.at(-1)?.last ?? prevValue;
  if (last !== null && last !== undefined) line.set(Math.min(to, now), last);
  return line;
}

/** A series' value at a row of the columns: the last one at or before it. */
export function valueAt({ values }: GappedColumns, column: number, at: number): number | undefined {
  return values[column]?.slice(0, at + 1).findLast((value) => value !== undefined) ?? undefined;
}

/** A period in which a state held, or in which it held longest. */
export interface Band {
  readonly from: number;
  readonly to: number;
  /** The characteristic's own number, else its string. */
  readonly value: number | string;
  /** The relay's name of the state. */
  readonly word: string;
  /** The number of changes during the band, if there are too many to draw each. */
  readonly transitions: number;
}

export function bandsOf(series: SeriesData, bounds: Bounds, now: number): readonly Band[] {
  const { states, stateBuckets, prevValue, prevValueText } = series;
  const begin = Math.max(bounds.from, series.recordedFrom ?? bounds.from);
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
      from: Math.max(ts, begin),
      to: Math.min(starts[index + 1]?.ts ?? end, end),
    }))
    .filter(({ from, to }) => to > from);
}

export interface StateShare {
  readonly value: number | string;
  readonly ms: number;
}

/** How long each state held, the longest first. The relay's totals include states too short to draw. */
export function sharesOf({ kind, stateMs }: SeriesData): readonly StateShare[] {
  return Object.entries(stateMs as Readonly<Record<string, number>>)
    .map(([state, ms]) => ({ value: kind === 'string' ? state : Number(state), ms }))
    .filter(({ ms }) => ms > 0)
    .sort((a, b) => b.ms - a.ms);
}
