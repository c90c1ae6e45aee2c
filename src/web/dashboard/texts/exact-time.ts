import { dateFormat } from '../../../texts/intl.ts';
import type { Format } from './format.ts';

/** The time of a log line or an event, with seconds. */
export function exactTime(at: string, { locale, timeZone }: Pick<Format, 'locale' | 'timeZone'>): string {
  const options = { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone } as const;
  return dateFormat(locale, options).format(new Date(at));
}
