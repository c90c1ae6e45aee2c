/** A schedule as text. */
import type { Catalogues } from 'texts:types';
import type { Format } from '../../texts/format.ts';
import { DAYS, type Day, runsOfDays, type ShareSchedule, type ShareWindow } from './schedule.ts';

type ScheduleTexts = Catalogues['shares']['schedule'];

/** A Monday, the base for weekday names. */
const SOME_MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;
/** Two adjacent days are listed, three form a range. */
const MIN_RUN_LENGTH = 3;

export function scheduleText(schedule: ShareSchedule, words: ScheduleTexts, format: Format): string {
  const { startsAt, expiresAt, windows } = schedule;
  const span = [
    startsAt && words.from({ when: momentText(startsAt, format) }),
    expiresAt && words.until({ when: momentText(expiresAt, format) }),
  ].filter((each) => each !== undefined && each !== '');
  const often = windows.map((window) => windowText(window, words, format));
  const parts = [...(often.length > 0 ? [often.join('; ')] : []), ...(span.length > 0 ? [span.join(' ')] : [])];
  return parts.length > 0 ? words.inWords({ text: parts.join(', ') }) : words.always;
}

export function windowText({ days, start, end }: ShareWindow, words: ScheduleTexts, format: Format): string {
  const times = start === end ? words.wholeDay : words.times({ start, end, isNextDay: end < start });
  return words.daysAndTimes({ days: daysText(days, words, format), times });
}

export function daysText(days: readonly Day[], words: ScheduleTexts, format: Format): string {
  if (days.length === DAYS.length) return words.everyDay;
  const names = runsOfDays(days).flatMap(([first, last]) => {
    const length = DAYS.indexOf(last) - DAYS.indexOf(first) + 1;
    if (length >= MIN_RUN_LENGTH) return [`${dayName(first, format)}–${dayName(last, format)}`];
    return DAYS.slice(DAYS.indexOf(first), DAYS.indexOf(last) + 1).map((day) => dayName(day, format));
  });
  return names.join(', ');
}

export function dayName(day: Day, { locale }: Format, style: 'short' | 'long' = 'short'): string {
  const at = SOME_MONDAY + DAYS.indexOf(day) * DAY_MS;
  return new Intl.DateTimeFormat(locale, { weekday: style, timeZone: 'UTC' }).format(at);
}

/** Local times have no zone: they are shown unconverted. */
function momentText(wall: string, { locale }: Format): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return format.format(new Date(`${wall}Z`));
}
