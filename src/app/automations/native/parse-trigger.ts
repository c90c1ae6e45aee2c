/**
 * Parses a trigger from client input (API §2.4, wire-facts §6.1) to stored form. Clients can send the presented form
 * back unchanged. Every error names its path: `trigger.events[1].offsetMinutes`.
 */

import { type DateComponents, RECURRENCE_TYPES } from '../../../contract/automations.ts';
import { nextCalendar } from '../../../home/schedule/next-calendar.ts';
import { isTimeZone, zoneOf } from '../../../home/schedule/time-zones.ts';
import { momentOf } from '../../../home/schedule/wall-time.ts';
import { parseIsoTime } from '../../../kernel/clock.ts';
import { HearthError } from '../../../kernel/errors.ts';
import { isoTime } from '../../../kernel/iso-time.ts';
import type { EventTrigger, NativeTrigger, TimerTrigger } from './automation.ts';
import { fault, fromJsonText, NativeFields, quote } from './fields.ts';
import type { NativeContext } from './native-context.ts';
import { parseRecurrence, parseWeekdays } from './parse-components.ts';
import { parseConditions } from './parse-conditions.ts';
import { parseEvents } from './parse-events.ts';

const PATH = 'trigger';

/** Shown with every trigger; derived from the automation's enabled state. */
const SHOWN = ['activationState'];
const COMMON = ['type', 'executeOnce', ...SHOWN];
const TIMER = ['fireDate', 'hour', 'minute', 'recurrence', 'recurrenceType', 'timeZone'];
const EVENT = ['events', 'endEvents', 'conditions', 'recurrences'];

const RECURRENCES: Readonly<Record<(typeof RECURRENCE_TYPES)[number], DateComponents | null>> = {
  daily: { day: 1 },
  weekly: { day: 7 },
  once: null,
};

/** An ISO date and time without a UTC offset. */
const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/** A year that a `Date` and every calendar can represent. */
const LATEST_YEAR = 9999;

/**
 * @param input an object, or a text that contains it as JSON.
 * @throws `invalid_request` a field is missing or unknown · `invalid_value` · `accessory_not_found` also one of
 * another home · `characteristic_not_found` · `person_not_found`
 */
export function parseTrigger(input: unknown, context: NativeContext): NativeTrigger {
  const fields = new NativeFields(fromJsonText(input, PATH), PATH, 'a trigger');
  const type = fields.oneOf('type', ['timer', 'event']);
  return type === 'timer' ? parseTimer(fields, context) : parseEventTrigger(fields, context);
}

/** Called to enable a trigger. @throws `invalid_value` it would never fire */
export function requireFuture(trigger: NativeTrigger, now: number): void {
  if (trigger.type !== 'timer' || trigger.recurrence !== null || trigger.fireAt > now) return;
  throw fault(`${PATH}.fireDate`, `${isoTime(trigger.fireAt)} has passed; give it a later one`);
}

function parseEventTrigger(fields: NativeFields, context: NativeContext): EventTrigger {
  fields.allow([...COMMON, ...EVENT], 'an event trigger', TIMER);
  const events = parseEvents(fields, 'events', context);
  if (events.length === 0) throw fault(fields.at('events'), 'at least one event is required');
  return {
    type: 'event',
    events,
    endEvents: parseEvents(fields, 'endEvents', context),
    conditions: parseConditions(fields, context),
    weekdays: parseWeekdays(fields.entries('recurrences', 7), fields.at('recurrences')),
    executeOnce: fields.boolean('executeOnce', false),
  };
}

function parseTimer(fields: NativeFields, context: NativeContext): TimerTrigger {
  fields.allow([...COMMON, ...TIMER], 'a timer trigger', EVENT);
  const timeZone = parseZone(fields);
  const zone = timeZone ?? zoneOf(context.home);
  const recurrence = recurrenceOf(fields);
  return {
    type: 'timer',
    fireAt: fields.has('fireDate') ? parseFireDate(fields, zone) : nextTimeOfDay(fields, recurrence, zone, context.now),
    recurrence,
    timeZone,
    executeOnce: fields.boolean('executeOnce', false),
  };
}

function parseZone(fields: NativeFields): string | null {
  if (!fields.has('timeZone')) return null;
  const zone = fields.text('timeZone');
  if (isTimeZone(zone)) return zone;
  throw fault(fields.at('timeZone'), `${quote(zone)} is no time zone; Europe/Berlin would be one`);
}

function recurrenceOf(fields: NativeFields): DateComponents | null {
  const type = fields.optionalOneOf('recurrenceType', RECURRENCE_TYPES);
  if (!fields.has('recurrence')) return type === undefined ? null : RECURRENCES[type];
  if (type !== undefined) throw fault(fields.at('recurrenceType'), 'give this or recurrence, not both');
  return parseRecurrence(fields.raw('recurrence'), fields.at('recurrence'));
}

/** A time without an offset is in the trigger's time zone. */
function parseFireDate(fields: NativeFields, zone: string): number {
  for (const other of ['hour', 'minute']) {
    if (fields.has(other)) throw fault(fields.at(other), 'give this or fireDate, not both');
  }
  const field = fields.at('fireDate');
  const text = fields.text('fireDate').trim();
  const isLocal = LOCAL_TIME.test(text);
  const written = parseIsoTime(isLocal ? `${text}Z` : text);
  const at = isLocal && isDate(written) ? momentOf(zone, written) : written;
  if (isDate(at)) return at;
  throw fault(field, `${quote(text)} is no time in ISO 8601; 2030-01-31T07:30:00Z would be one`);
}

function isDate(at: number): boolean {
  const year = new Date(at).getUTCFullYear();
  return year >= 0 && year <= LATEST_YEAR;
}

/** The next time at which the local time is `hour` and `minute`; with a weekday, on that day. */
function nextTimeOfDay(fields: NativeFields, recurrence: DateComponents | null, zone: string, now: number): number {
  if (!fields.has('hour') && !fields.has('minute')) {
    const field = fields.at('fireDate');
    throw new HearthError('invalid_request', `"${field}" is missing: it must be a time, or give hour and minute.`, {
      field,
    });
  }
  const hour = fields.number('hour', { min: 0, max: 23, integer: true });
  const minute = fields.optionalNumber('minute', { min: 0, max: 59, integer: true }) ?? 0;
  const { weekday } = recurrence ?? {};
  const next = nextCalendar({ hour, minute, second: 0, ...(weekday !== undefined && { weekday }) }, zone, now);
  if (next === null) throw new Error(`Clocks in ${zone} never show ${hour}:${minute}`);
  return next;
}
