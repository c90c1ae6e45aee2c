/**
 * Date components in native automations. Each of the four uses accepts different ones; weekdays are 1 = Sunday … 7 =
 * Saturday.
 */

import type { DateComponents } from '../../../contract/automations.ts';
import { parseTimeOfDay } from '../../../home/schedule/next-time.ts';
import { HearthError } from '../../../kernel/errors.ts';
import { fault, fromJsonText, NativeFields, type NumberBounds } from './fields.ts';

type ComponentName = keyof DateComponents;

const COMPONENTS: readonly ComponentName[] = ['year', 'month', 'day', 'weekday', 'hour', 'minute', 'second'];

/** The components of a calendar time. */
const MOMENT: Readonly<Record<ComponentName, NumberBounds>> = {
  year: { min: 2000, max: 9999, integer: true },
  month: { min: 1, max: 12, integer: true },
  day: { min: 1, max: 31, integer: true },
  weekday: { min: 1, max: 7, integer: true },
  hour: { min: 0, max: 23, integer: true },
  minute: { min: 0, max: 59, integer: true },
  second: { min: 0, max: 59, integer: true },
};

/** Intervals to add. At most a century, so that sums stay valid dates. */
const SPAN: Partial<Readonly<Record<ComponentName, NumberBounds>>> = {
  month: { min: 0, max: 1200, integer: true },
  day: { min: 0, max: 36_500, integer: true },
  hour: { min: 0, max: 876_000, integer: true },
  minute: { min: 0, max: 52_560_000, integer: true },
};

const WEEKLY: Partial<Readonly<Record<ComponentName, NumberBounds>>> = {
  weekday: MOMENT.weekday,
  hour: MOMENT.hour,
  minute: MOMENT.minute,
};

const TIME_OF_DAY = { hour: MOMENT.hour, minute: MOMENT.minute, second: MOMENT.second };

const DAYS_OF_WEEK = 7;

/** For a `calendar` event. @throws `invalid_request` · `invalid_value` */
export function parseMoment(input: unknown, path: string): DateComponents {
  const components = parseComponents(input, path, MOMENT);
  if (Object.keys(components).length === 0) throw fault(path, 'needs at least one of hour, minute, day …');
  return components;
}

/** For a timer: a weekday, or an interval of repetition. @throws `invalid_request` · `invalid_value` */
export function parseRecurrence(input: unknown, path: string): DateComponents {
  const hasWeekday = new NativeFields(fromJsonText(input, path), path, 'a recurrence').has('weekday');
  const components = parseComponents(input, path, hasWeekday ? WEEKLY : SPAN);
  const passes = hasWeekday || Object.values(components).some((value = 0) => value > 0);
  if (!passes) throw fault(path, 'needs a weekday, or a span of months, days, hours or minutes');
  return components;
}

/** For an event trigger: the days on which it fires. @throws `invalid_request` · `invalid_value` */
export function parseWeekdays(inputs: readonly unknown[], path: string): readonly number[] {
  const weekdays = inputs.map((input, index) => {
    const place = `${path}[${index}]`;
    const { weekday } = parseComponents(input, place, { weekday: MOMENT.weekday });
    if (weekday !== undefined) return weekday;
    throw new HearthError('invalid_request', `"${place}.weekday" is missing: it must be 1 (Sunday) to 7 (Saturday).`, {
      field: `${place}.weekday`,
    });
  });
  const sorted = [...new Set(weekdays)].sort((a, b) => a - b);
  // All seven days equal no restriction.
  return sorted.length === DAYS_OF_WEEK ? [] : sorted;
}

/**
 * `{hour, minute, second?}` or `HH:MM[:SS]`, for a condition. @returns `HH:MM` or `HH:MM:SS` @throws `invalid_request`
 * · `invalid_value`
 */
export function parseClockTime(input: unknown, path: string): string {
  const isWritten = typeof input === 'string' && !input.trim().startsWith('{');
  const given = isWritten ? parseTimeOfDay(input, path) : input;
  const { hour, minute = 0, second = 0 } = parseComponents(given, path, TIME_OF_DAY);
  if (hour === undefined) throw fault(path, 'needs an hour');
  const parts = second === 0 ? [hour, minute] : [hour, minute, second];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

function parseComponents(
  input: unknown,
  path: string,
  ranges: Partial<Readonly<Record<ComponentName, NumberBounds>>>,
): DateComponents {
  const fields = new NativeFields(fromJsonText(input, path), path, 'it');
  const own = COMPONENTS.filter((component) => ranges[component] !== undefined);
  fields.allow(own, `it takes ${own.join(', ')}, and`, COMPONENTS);
  const given = own.flatMap((component) => {
    const range = ranges[component];
    const value = range && fields.optionalNumber(component, range);
    return value === undefined ? [] : [[component, value] as const];
  });
  return Object.fromEntries(given);
}
