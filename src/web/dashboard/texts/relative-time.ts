/** "5 minutes ago": beside `format.ts`, because the first page has none. */
import { relativeTimeFormat } from '../../../texts/intl.ts';
import type { Format } from './format.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Longest first; the first match is used. */
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['week', 7 * DAY_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
];

interface RelativeTimeOptions {
  readonly now?: number;
  /** "5 min ago". */
  readonly isShort?: boolean;
}

/** "5 minutes ago", "in 2 days". */
export function relativeTime(
  { locale }: Pick<Format, 'locale'>,
  at: string | number,
  { now = Date.now(), isShort = false }: RelativeTimeOptions = {},
): string {
  const distance = new Date(at).getTime() - now;
  const [unit, ms] = UNITS.find(([, length]) => Math.abs(distance) >= length) ?? ['second', 1000];
  const style = isShort ? 'short' : 'long';
  return relativeTimeFormat(locale, { numeric: 'auto', style }).format(Math.trunc(distance / ms), unit);
}
