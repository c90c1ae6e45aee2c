import { dateFormat } from '../../../../texts/intl.ts';

/** @param zone the device's own if left out */
export function clockWords(
  at: number,
  locale: string,
  zone: string | undefined,
): Readonly<Record<'time' | 'date', string>> {
  const words = (options: Intl.DateTimeFormatOptions): string =>
    dateFormat(locale, { ...options, timeZone: zone }).format(new Date(at));
  return {
    time: words({ timeStyle: 'short' }),
    date: words({ weekday: 'long', day: 'numeric', month: 'long' }),
  };
}
