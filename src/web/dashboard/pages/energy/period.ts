/**
 * The period on the screen: a day by hours, a month by days, twelve weeks, or a year by months. Days are `YYYY-MM-DD`.
 */

const DAY_MS = 86_400_000;
const WEEKS = 12;
const DAYS_A_WEEK = 7;

export const STEPS = ['hour', 'day', 'week', 'month'] as const;
export type PeriodStep = (typeof STEPS)[number];

export interface EnergyView {
  readonly by: PeriodStep;
  /** A day of the period; `undefined`: it contains today. */
  readonly at: string | undefined;
  /** What it is compared with, where there is data of it. */
  readonly than: Compared;
}

/** The period before, or the same one a year earlier. */
export const COMPARED = ['before', 'year'] as const;
export type Compared = (typeof COMPARED)[number];

export interface Period {
  /** Its first day. */
  readonly from: string;
  /** The day after its last one. */
  readonly to: string;
}

export function parseView(search: string): EnergyView {
  const query = new URLSearchParams(search);
  const by = STEPS.find((step) => step === query.get('by')) ?? 'day';
  const at = query.get('at') ?? '';
  const than = COMPARED.find((each) => each === query.get('than')) ?? 'before';
  return { by, at: isDay(at) ? at : undefined, than };
}

export function presentView({ by, at, than }: EnergyView): string {
  const query = new URLSearchParams({ by, ...(at !== undefined && { at }), ...(than !== 'before' && { than }) });
  return `?${query}`;
}

/** The day in a time zone. @param zone the browser's own if left out */
export function dayAt(at: number, zone: string | undefined): string {
  const format = new Intl.DateTimeFormat('en', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    ...(zone !== undefined && { timeZone: zone }),
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
}

export function periodOf(by: PeriodStep, day: string): Period {
  const at = Date.parse(day);
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (by === 'hour') return between(at, at + DAY_MS);
  if (by === 'day') return between(Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1));
  if (by === 'month') return between(Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1));
  // Weeks begin on Monday, and this one is the last.
  const monday = at - ((date.getUTCDay() + DAYS_A_WEEK - 1) % DAYS_A_WEEK) * DAY_MS;
  return between(monday - (WEEKS - 1) * DAYS_A_WEEK * DAY_MS, monday + DAYS_A_WEEK * DAY_MS);
}

/** A day of the period before (−1) or after (1). */
export function moved(by: PeriodStep, day: string, direction: -1 | 1): string {
  const { from, to } = periodOf(by, day);
  if (by === 'week') return dayOf(Date.parse(day) + direction * WEEKS * DAYS_A_WEEK * DAY_MS);
  return direction === 1 ? to : dayOf(Date.parse(from) - DAY_MS);
}

const WEEKS_A_YEAR = 52;

/** A day of the same period a year earlier. */
export function yearEarlier(by: PeriodStep, day: string): string {
  // So that weeks are compared with weeks.
  if (by === 'week') return dayOf(Date.parse(day) - WEEKS_A_YEAR * DAYS_A_WEEK * DAY_MS);
  const year = Number(day.slice(0, 4)) - 1;
  const date = day.slice(4);
  return `${year}${date === '-02-29' ? '-02-28' : date}`;
}

/** Fewer bars would be as broad as cards. */
const LEAST_STEPS = 7;

interface Measured {
  readonly start: string;
  readonly kwh: number;
}

/**
 * The steps worth a bar: from the first with energy to the one that it is now, or to the last with energy of a period
 * that is over. A day has all of its hours.
 */
export function shownSteps<T extends Measured>(all: readonly T[], by: PeriodStep, now: number): readonly T[] {
  const first = all.findIndex(({ kwh }) => kwh > 0);
  if (first === -1) return [];
  if (by === 'hour') return all;
  const isOver = all.every(({ start }) => Date.parse(start) <= now);
  const last = all.findLastIndex(({ start, kwh }) => kwh > 0 || (!isOver && Date.parse(start) <= now));
  if (first === last) return all.slice(first, last + 1);
  const end = Math.min(Math.max(last + 1, first + LEAST_STEPS), all.length);
  return all.slice(Math.max(Math.min(first, end - LEAST_STEPS), 0), end);
}

/** What shows one step by several. */
export const FINER = { day: 'hour', week: 'day', month: 'day' } as const;

function between(from: number, to: number): Period {
  return { from: dayOf(from), to: dayOf(to) };
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function isDay(text: string): boolean {
  return /^20\d{2}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
