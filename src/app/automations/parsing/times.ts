/** Times of day, weekdays, time zones and dates in flows. `home/schedule` defines their meaning. */

import type { DateComponents } from '../../../contract/automations.ts';
import { parseTimeOfDay } from '../../../home/schedule/next-time.ts';
import { parseIsoTime } from '../../../kernel/clock.ts';
import { invalid } from './faults.ts';
import { Fields, given, parseList } from './fields.ts';

const COMPONENT_RANGES: Readonly<Record<keyof DateComponents, readonly [number, number]>> = {
  year: [1970, 9999],
  month: [1, 12],
  day: [1, 31],
  weekday: [1, 7],
  hour: [0, 23],
  minute: [0, 59],
  second: [0, 59],
};

/** The shortest form: `07:05`, with seconds only if they are not zero. @throws `invalid_value` */
export function parseAt(input: unknown, path: string): string {
  const { hour, minute, second } = parseTimeOfDay(input, path);
  const parts = second === 0 ? [hour, minute] : [hour, minute, second];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** 0 = Sunday … 6 = Saturday; each once, in order. @throws `invalid_value` */
export function parseWeekdays(input: unknown, path: string): readonly number[] {
  const list = parseList(input, path, 'weekdays', 100);
  if (list.length === 0) throw invalid(path, 'it must name at least one day; leave it out for every day');
  const days = list.map((day, index) => {
    if (typeof day === 'number' && Number.isInteger(day) && day >= 0 && day <= 6) return day;
    throw invalid(`${path}[${index}]`, 'it must be a number from 0 (Sunday) to 6 (Saturday)');
  });
  return [...new Set(days)].sort((a, b) => a - b);
}

/** A date and time with its UTC offset, in ISO 8601. @throws `invalid_value` */
export function parseMoment(text: string, path: string): string {
  const ms = parseIsoTime(text);
  const isWhole = /T.*(Z|[+-]\d{2}:?\d{2})$/i.test(text);
  if (isWhole && !Number.isNaN(ms)) return new Date(ms).toISOString();
  throw invalid(path, 'it must be a time as ISO 8601 writes it, with its zone: 2026-03-01T07:00:00Z');
}

/** @throws `invalid_value` */
export function parseDateComponents(input: unknown, path: string): DateComponents {
  const fields = new Fields(input, path, 'components');
  const components: DateComponents = given(
    Object.fromEntries(
      Object.entries(COMPONENT_RANGES).map(([name, [min, max]]) => [
        name,
        fields.optionalNumber(name, { min, max, integer: true }),
      ]),
    ),
  );
  fields.done();
  if (Object.keys(components).length === 0) throw invalid(path, 'it must have at least one part of a date');
  return components;
}
