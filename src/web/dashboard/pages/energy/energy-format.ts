/** Numbers and times of energy in the page's language. Times are in the home's time zone. */
import type { Catalogues } from 'texts:types';
import { useMemo } from 'react';
import { dateFormat, numberFormat } from '../../../../texts/intl.ts';
import { useFormat } from '../../texts/format.ts';
import type { Compared, Period, PeriodStep } from './period.ts';

export interface EnergyFormat {
  watts(value: number): string;
  kwh(value: number): string;
  cost(value: number, currency: string): string;
  /** The label of a step, short enough for an axis. */
  step(start: string, by: PeriodStep): string;
  /** The same in full. */
  stepInFull(start: string, by: PeriodStep): string;
  /** What the steps before this end reach to: a time of day, or the last day. */
  until(end: string, by: PeriodStep): string;
  /** A day, `YYYY-MM-DD`. */
  day(day: string): string;
  period(period: Period, by: PeriodStep): string;
}

const AXIS: Readonly<Record<PeriodStep, Intl.DateTimeFormatOptions>> = {
  hour: { hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric' },
  week: { day: 'numeric', month: 'numeric' },
  month: { month: 'short' },
};
const FULL: Readonly<Record<PeriodStep, Intl.DateTimeFormatOptions>> = {
  hour: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
};
const DAY_MS = 86_400_000;

/** The words for what a period is compared with: as a whole, as far as it is over, and as the name of its bars. */
export function comparedWords(
  { before, year }: Catalogues['energy']['compared'],
  than: Compared,
  by: PeriodStep,
): { readonly whole: string; readonly part: string; readonly name: string } {
  // The year before a year is the period before.
  if (than === 'before' || by === 'month')
    return { whole: before.whole[by], part: before.part[by], name: before.name[by] };
  return { whole: year.whole[by], part: year.part[by], name: year.name[by] };
}

export function useEnergyFormat(): EnergyFormat {
  const { locale, number, timeZone: zone } = useFormat();
  return useMemo(() => {
    const at = (options: Intl.DateTimeFormatOptions, time: string, timeZone = zone): string =>
      dateFormat(locale, { ...options, timeZone }).format(new Date(time));
    const day = (text: string): string => at({ dateStyle: 'medium' }, text, 'UTC');
    return {
      watts: (value) => `${number(value, value < 100 ? 1 : 0)} W`,
      // The first watt-hours are no "0 kWh" beside a bar.
      kwh: (value) => `${number(value, value < 0.1 ? 3 : value < 10 ? 2 : 1)} kWh`,
      cost: (value, currency) => numberFormat(locale, { style: 'currency', currency }).format(value),
      step: (start, by) => at(AXIS[by], start),
      stepInFull: (start, by) => at(FULL[by], start),
      until: (end, by) =>
        by === 'hour' ? at(AXIS.hour, end) : at(FULL.week, new Date(Date.parse(end) - 1).toISOString()),
      day,
      period: ({ from, to }, by) => {
        if (by === 'hour') return at({ dateStyle: 'full' }, from, 'UTC');
        if (by === 'day') return at({ month: 'long', year: 'numeric' }, from, 'UTC');
        if (by === 'month') return from.slice(0, 4);
        return `${day(from)} – ${day(new Date(Date.parse(to) - DAY_MS).toISOString().slice(0, 10))}`;
      },
    };
  }, [locale, number, zone]);
}
