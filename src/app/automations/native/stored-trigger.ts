/**
 * Reads a stored trigger. It was parsed before it was stored, so only disk corruption or another version makes it
 * invalid. An invalid trigger is dropped, because its behaviour is unknown.
 */

import type { UnknownRecord } from '../../../kernel/json.ts';
import type { NativeCondition, NativeEvent, NativeTrigger } from './automation.ts';

type Checks<T extends { readonly type: string }> = { readonly [K in T['type']]: (part: UnknownRecord) => boolean };

/** The limits of JavaScript dates, in milliseconds. */
const FURTHEST_MS = 8.64e15;

const EVENTS: Checks<NativeEvent> = {
  characteristic: namesCharacteristic,
  significantTime: ({ significantEvent, offsetMinutes }) => isText(significantEvent) && isNumber(offsetMinutes),
  calendar: ({ components }) => isObject(components),
  duration: ({ durationSeconds }) => isNumber(durationSeconds),
  location: ({ latitude, longitude, radius }) => [latitude, longitude, radius].every(isNumber),
  presence: namesPeople,
};

const CONDITIONS: Checks<NativeCondition> = {
  characteristic: (part) => namesCharacteristic(part) && isText(part.operator),
  time: ({ after, before }) => [after, before].every(isTextIfAny),
  significantEvent: ({ after, before }) => [after, before].every(isTextIfAny),
  presence: namesPeople,
};

const TRIGGERS: Checks<NativeTrigger> = {
  timer: ({ fireAt, recurrence, timeZone }) =>
    isNumber(fireAt) &&
    Math.abs(fireAt) <= FURTHEST_MS &&
    (recurrence === null || isObject(recurrence)) &&
    (timeZone === null || isText(timeZone)),
  event: ({ events, endEvents, conditions, weekdays }) =>
    isListOf(events, EVENTS) &&
    isListOf(endEvents, EVENTS) &&
    isListOf(conditions, CONDITIONS) &&
    Array.isArray(weekdays) &&
    weekdays.every(isNumber),
};

/** @returns nothing if the text contains no valid trigger */
export function readStoredTrigger(text: string): NativeTrigger | undefined {
  try {
    const trigger: unknown = JSON.parse(text);
    return isTrigger(trigger) ? trigger : undefined;
  } catch {
    return undefined;
  }
}

function isTrigger(value: unknown): value is NativeTrigger {
  return isOneOf(value, TRIGGERS);
}

function isOneOf(value: unknown, checks: Readonly<Record<string, (part: UnknownRecord) => boolean>>): boolean {
  if (!isObject(value)) return false;
  const { type } = value;
  return isText(type) && Object.hasOwn(checks, type) && checks[type]?.(value) === true;
}

function isListOf(value: unknown, checks: Readonly<Record<string, (part: UnknownRecord) => boolean>>): boolean {
  return Array.isArray(value) && value.every((one) => isOneOf(one, checks));
}

function namesCharacteristic({ accessoryId, characteristicType }: UnknownRecord): boolean {
  return isText(accessoryId) && isText(characteristicType);
}

function namesPeople({ presenceEvent, who }: UnknownRecord): boolean {
  return isText(presenceEvent) && isObject(who) && Array.isArray(who.personIds) && who.personIds.every(isText);
}

function isObject(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTextIfAny(value: unknown): boolean {
  return value === undefined || isText(value);
}
