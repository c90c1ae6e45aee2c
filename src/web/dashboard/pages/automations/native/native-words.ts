/** A native automation in sentences: its triggers, its conditions, its actions and its end. */

import type { Catalogues } from 'texts:types';
import type { HomeInventory } from '../../../home/home-document.ts';
import { type Comparison, isText, setText, type Words, whenText } from '../../../pickers/property-words.ts';
import { weekdayName } from '../../../pickers/weekdays-input.tsx';
import {
  clockText,
  type DateParts,
  type NativeAction,
  type NativeCondition,
  type NativeDraft,
  type NativeEvent,
} from './native-draft.ts';

export interface NativeWords {
  readonly inventory: HomeInventory;
  readonly words: Words;
  readonly texts: Catalogues['native-automations'];
  /** People of the home, by id. */
  readonly people: ReadonlyMap<string, string>;
}

export interface NativeSummary {
  readonly when: readonly string[];
  readonly onlyIf: readonly string[];
  readonly does: readonly string[];
  readonly until: readonly string[];
}

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  equalTo: 'eq',
  notEqualTo: 'neq',
  lessThan: 'below',
  greaterThan: 'above',
  lessThanOrEqualTo: 'at_most',
  greaterThanOrEqualTo: 'at_least',
};
const MINUTE_MS = 60_000;
const LAST_WEEKDAY = 7;

export function summaryOf({ trigger, actions }: NativeDraft, by: NativeWords): NativeSummary {
  const does = actions.map((action) => actionText(action, by));
  const { texts } = by;
  if (trigger.type === 'timer') {
    const at = trigger.fireDate ? by.words.format.dateTime(trigger.fireDate) : '–';
    const every = trigger.recurrence && recurrenceText(trigger.recurrence, by);
    const when = every ? texts.sentence.from({ at, every }) : texts.sentence.on({ at });
    return { when: [when], onlyIf: [], does, until: [] };
  }
  const { events, conditions, weekdays, endEvents, executeOnce } = trigger;
  const days = by.words.format.list(weekdays.map((day) => weekdayName(day - 1, by.words.format.locale)));
  return {
    when: events.map((event) => eventText(event, by)),
    onlyIf: [
      ...(weekdays.length > 0 && weekdays.length < LAST_WEEKDAY ? [texts.sentence.onDays({ days })] : []),
      ...conditions.map((condition) => conditionText(condition, by)),
      ...(executeOnce ? [texts.sentence.onceMore] : []),
    ],
    does,
    until: endEvents.map((event) => eventText(event, by)),
  };
}

export function actionText(action: NativeAction, { inventory, words }: NativeWords): string {
  return setText(inventory, action, action.targetValue, words, action.accessoryName);
}

export function eventText(event: NativeEvent, by: NativeWords): string {
  const { inventory, words, texts } = by;
  const { format } = words;
  const sentenceTexts = texts.sentence;
  switch (event.type) {
    case 'characteristic': {
      const { triggerValue: to, thresholdMin: min, thresholdMax: max } = event;
      return whenText(inventory, event, { to, min, max }, words, event.accessoryName);
    }
    case 'significantTime': {
      const { offsetMinutes, significantEvent } = event;
      const sun = significantEvent === 'sunrise' ? sentenceTexts.sunrise : sentenceTexts.sunset;
      if (offsetMinutes === 0) return sentenceTexts.sun({ event: sun });
      const duration = format.duration(Math.abs(offsetMinutes) * MINUTE_MS);
      return sentenceTexts.sunOffset({
        event: sun,
        offset: offsetMinutes < 0 ? sentenceTexts.offsetBefore({ duration }) : sentenceTexts.offsetAfter({ duration }),
      });
    }
    case 'calendar':
      return calendarText(event.calendarComponents, by);
    case 'duration':
      return sentenceTexts.duration({ duration: format.duration(event.durationSeconds * 1000) });
    case 'location': {
      const place = placeText(event, by);
      if (event.notifyOnEntry && event.notifyOnExit) return sentenceTexts.entersOrLeaves({ place });
      return event.notifyOnEntry ? sentenceTexts.enters({ place }) : sentenceTexts.leaves({ place });
    }
    case 'presence': {
      const { presenceEvent, personIds } = event;
      if (presenceEvent === 'firstArrival') return sentenceTexts.firstArrival;
      if (presenceEvent === 'lastDeparture') return sentenceTexts.lastDeparture;
      const who = personIds.length > 0 ? namesOf(personIds, by, 'disjunction') : sentenceTexts.someone;
      return presenceEvent === 'atHome' ? sentenceTexts.atHome({ who }) : sentenceTexts.notAtHome({ who });
    }
  }
}

export function conditionText(condition: NativeCondition, by: NativeWords): string {
  const { inventory, words, texts } = by;
  const sentenceTexts = texts.sentence;
  switch (condition.type) {
    case 'characteristic': {
      const comparison = COMPARISONS[condition.operator] ?? 'eq';
      return isText(inventory, condition, comparison, condition.value, words, condition.accessoryName);
    }
    case 'time': {
      const { afterTime, beforeTime } = condition;
      if (afterTime && beforeTime) return sentenceTexts.timeBetween({ from: afterTime, until: beforeTime });
      return afterTime
        ? sentenceTexts.timeAfter({ from: afterTime })
        : sentenceTexts.timeBefore({ until: beforeTime ?? '–' });
    }
    case 'significantEvent':
      return sentenceTexts.sunState({ text: texts[dayPartOf(condition)] });
    case 'presence': {
      const isHome = condition.presenceEvent === 'atHome';
      if (condition.personIds.length === 0) return isHome ? sentenceTexts.someoneHome : sentenceTexts.noOneHome;
      const who = namesOf(condition.personIds, by, 'conjunction');
      return isHome ? sentenceTexts.isHome({ who }) : sentenceTexts.isAway({ who });
    }
  }
}

/** The part of the day in a condition. */
export type DayPart = 'isDay' | 'isNight' | 'afterSunrise' | 'beforeSunrise' | 'afterSunset' | 'beforeSunset';

export function dayPartOf({
  afterEvent,
  beforeEvent,
}: Extract<NativeCondition, { type: 'significantEvent' }>): DayPart {
  if (afterEvent && beforeEvent) return afterEvent === 'sunrise' ? 'isDay' : 'isNight';
  if (afterEvent) return afterEvent === 'sunrise' ? 'afterSunrise' : 'afterSunset';
  return beforeEvent === 'sunrise' ? 'beforeSunrise' : 'beforeSunset';
}

export function recurrenceText(recurrence: DateParts, { texts }: NativeWords): string {
  const kind = recurrenceKind(recurrence);
  return kind === 'other' ? texts.recurrences.other({ text: JSON.stringify(recurrence) }) : texts.recurrences[kind];
}

export type RecurrenceKind = 'once' | 'hourly' | 'daily' | 'weekly' | 'monthly' | 'other';

/** Which of the usual intervals it is. */
export function recurrenceKind(recurrence: DateParts | undefined): RecurrenceKind {
  if (!recurrence) return 'once';
  const usual = Object.entries(RECURRENCES).find(([, parts]) => JSON.stringify(parts) === JSON.stringify(recurrence));
  return (usual?.[0] as RecurrenceKind | undefined) ?? 'other';
}

export const RECURRENCES = {
  hourly: { hour: 1 },
  daily: { day: 1 },
  weekly: { day: 7 },
  monthly: { month: 1 },
} as const satisfies Partial<Record<RecurrenceKind, DateParts>>;

function calendarText(parts: DateParts, { words, texts }: NativeWords): string {
  const { locale } = words.format;
  const sentenceTexts = texts.sentence;
  const { hour, minute, second: _, ...date } = parts;
  const fields = Object.keys(date).sort().join();
  if (hour === undefined) {
    return fields === '' && minute !== undefined
      ? sentenceTexts.hourly({ minute: String(minute) })
      : sentenceTexts.moment({ text: partsText(parts) });
  }
  const time = clockText(parts);
  if (fields === '') return sentenceTexts.daily({ time });
  if (fields === 'weekday') return sentenceTexts.weekly({ day: weekdayName((date.weekday ?? 1) - 1, locale), time });
  if (fields === 'day') return sentenceTexts.monthly({ day: String(date.day), time });
  if (fields === 'day,month')
    return sentenceTexts.yearly({ date: dayOfYear(date.month ?? 1, date.day ?? 1, locale), time });
  return sentenceTexts.moment({ text: partsText(parts) });
}

function partsText(parts: DateParts): string {
  return Object.entries(parts)
    .map(([part, value]) => `${part} ${value}`)
    .join(', ');
}

/** A leap year, so that each day exists. */
const LEAP_YEAR = 2024;

function dayOfYear(month: number, day: number, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' });
  return format.format(Date.UTC(LEAP_YEAR, month - 1, day));
}

/** Within a tenth of a millidegree, about ten metres, the location counts as the home. */
const SAME_PLACE_DEGREES = 0.0001;
const KILOMETRE_M = 1000;

function placeText(
  event: Extract<NativeEvent, { type: 'location' }>,
  { inventory, words, texts }: NativeWords,
): string {
  const { latitude, longitude, radius } = event;
  const isNear = (a: number, b: number | null | undefined) => b != null && Math.abs(a - b) < SAME_PLACE_DEGREES;
  if (isNear(latitude, inventory.latitude) && isNear(longitude, inventory.longitude)) return texts.sentence.home;
  const { format } = words;
  const size = radius < KILOMETRE_M ? `${format.number(radius)} m` : `${format.number(radius / KILOMETRE_M, 1)} km`;
  return texts.sentence.circle({ radius: size, at: `${format.number(latitude, 4)}, ${format.number(longitude, 4)}` });
}

function namesOf(
  ids: readonly string[],
  { people, words, texts }: NativeWords,
  type: 'conjunction' | 'disjunction',
): string {
  return words.format.list(
    ids.map((id) => people.get(id) ?? texts.sentence.gonePerson),
    type,
  );
}
