/**
 * Formats numbers, times and units in the page's language. Every time is in the time zone of the displayed home, also
 * those of accounts and of the relay: a page has one clock, and names its zone where this device has another
 * (`ui/page.tsx`).
 */
import { useMemo } from 'react';
import { collator, dateFormat, listFormat, numberFormat, relativeTimeFormat } from '../../../texts/intl.ts';
import type { Language } from '../../../texts/languages.ts';
import { useHomeZone } from '../home/home-zone.ts';
import { localeOf, useLanguage } from './language.ts';
import { type TemperatureUnit, useTemperatureUnit } from './temperature-unit.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Moment = string | number | Date;

export interface Format {
  readonly locale: string;
  /** The home's; `undefined`: this device's. */
  readonly timeZone: string | undefined;
  number(value: number, digits?: number): string;
  /** The value is 0–100. */
  percent(value: number): string;
  /** Converts °C to the display unit. */
  temperature(celsius: number, digits?: number): string;
  /** From the lowest to the highest: `21.5–23 °C`. */
  temperatures(low: number, high: number): string;
  readonly temperatureUnit: TemperatureUnit;
  /** @param zone the home's if left out */
  time(at: Moment, zone?: string): string;
  /** @param zone the home's if left out */
  date(at: Moment, zone?: string): string;
  /** @param zone the home's if left out */
  dateTime(at: Moment, zone?: string): string;
  /** `07:30` if it is today, else as `soon`. */
  recent(at: Moment): string;
  /** `Mon, 07:30`, `today, 07:30`: for times in the near future. */
  soon(at: Moment, now?: number): string;
  /** The day of a moment, in days since 1970-01-01. */
  day(at: Moment): number;
  /** `1 h 5 min`; the input is in milliseconds. */
  duration(ms: number): string;
  bytes(count: number): string;
  list(items: readonly string[], type?: 'conjunction' | 'disjunction'): string;
  /** Sorts names in the page's language. */
  compare(a: string, b: string): number;
}

export function useFormat(): Format {
  const language = useLanguage();
  const unit = useTemperatureUnit();
  const zone = useHomeZone();
  return useMemo(() => createFormat(language, unit, localeOf(language), zone), [language, unit, zone]);
}

export function createFormat(
  language: Language,
  temperatureUnit: TemperatureUnit,
  locale = localeOf(language),
  timeZone?: string,
): Format {
  const dateOf =
    (options: Intl.DateTimeFormatOptions) =>
    (at: Moment, zone = timeZone) =>
      dateFormat(locale, { ...options, timeZone: zone }).format(new Date(at));
  const number = (value: number, digits = 0) => numberFormat(locale, { maximumFractionDigits: digits }).format(value);
  const withUnit = (value: number, unit: string, digits = 0) =>
    numberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits }).format(value);
  const shownDegrees = (celsius: number) => (temperatureUnit === 'fahrenheit' ? celsius * 1.8 + 32 : celsius);
  const day = (at: Moment) => Date.parse(dateFormat('sv', { timeZone }).format(new Date(at))) / DAY_MS;
  const time = dateOf({ hour: '2-digit', minute: '2-digit' });
  const soon = (at: Moment, now: number = Date.now()) => {
    const days = day(at) - day(now);
    const name = () => relativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day');
    if (Math.abs(days) <= 1) return `${name()}, ${time(at)}`;
    return dateOf({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })(at);
  };
  return {
    locale,
    timeZone,
    temperatureUnit,
    number,
    percent: (value) => numberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(value / 100),
    temperature: (celsius, digits = 1) => withUnit(shownDegrees(celsius), temperatureUnit, digits),
    temperatures: (low, high) => {
      const [from, to] = [number(shownDegrees(low), 1), number(shownDegrees(high), 1)];
      return (from === to ? '' : `${from}–`) + withUnit(shownDegrees(high), temperatureUnit, 1);
    },
    time,
    date: dateOf({ dateStyle: 'medium' }),
    dateTime: dateOf({ dateStyle: 'medium', timeStyle: 'short' }),
    soon,
    recent: (at) => (day(at) === day(Date.now()) ? time(at) : soon(at)),
    day,
    duration: (ms) => durationText(ms, withUnit),
    bytes: (count) => {
      const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
      const power = Math.min(Math.floor(Math.log10(Math.max(count, 1)) / 3), units.length - 1);
      return withUnit(count / 1000 ** power, units[power] ?? 'byte', power > 0 ? 1 : 0);
    },
    list: (items, type = 'conjunction') => listFormat(locale, { type }).format(items),
    compare: (a, b) => collator(locale, { numeric: true, sensitivity: 'base' }).compare(a, b),
  };
}

/** Two units at most: a duration of days needs no seconds. */
function durationText(ms: number, withUnit: (value: number, unit: string, digits?: number) => string): string {
  const parts = [
    ['day', DAY_MS],
    ['hour', HOUR_MS],
    ['minute', MINUTE_MS],
    ['second', 1000],
  ] as const;
  const words: string[] = [];
  let rest = Math.round(ms / 1000) * 1000;
  for (const [unit, length] of parts) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) words.push(withUnit(count, unit));
  }
  return words.slice(0, 2).join(' ') || withUnit(Math.round(ms) / 1000, 'second', 1);
}
