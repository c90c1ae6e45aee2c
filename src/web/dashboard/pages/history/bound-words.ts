import { dateFormat } from '../../../../texts/intl.ts';
import type { Format } from '../../texts/format.ts';

const MAX_TIMED_MS = 14 * 86_400_000;

/** An end of a window, short enough for two of them in a line of a phone: with the time of day, or with the year. */
export function boundWords(
  at: number,
  spanMs: number,
  { locale, timeZone }: Pick<Format, 'locale' | 'timeZone'>,
): string {
  const options: Intl.DateTimeFormatOptions =
    spanMs <= MAX_TIMED_MS
      ? { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }
      : { dateStyle: 'medium' };
  return dateFormat(locale, { ...options, timeZone }).format(new Date(at));
}
