/**
 * Validates the values of templates. Expressions can yield any value; a delay of `NaN` or a list as a title must
 * produce a readable error and must not reach a device.
 */
import { shorten } from '../../../home/vocabulary/values.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { Json, JsonObject } from '../../../kernel/json.ts';
import { isObject } from '../expressions/values.ts';
import type { TemplateDuration, TemplateNumber } from '../field-types.ts';
import type { RunContext } from './action-kind.ts';

const SECOND_MS = 1_000;
const UNITS_MS = { hours: 3_600_000, minutes: 60_000, seconds: SECOND_MS } as const;
type Unit = keyof typeof UNITS_MS;

/** `90`, `1:30` (minutes and seconds), `1:30:00`. */
const CLOCK = /^(?:(\d{1,4}):)?(\d{1,4}):(\d{1,2}(?:\.\d+)?)$/;

/** A number, or text that contains one. @throws `invalid_value` it is not a number, or is negative */
export function renderNumber(run: RunContext, value: TemplateNumber, name: string): number {
  return amountOf(run.render(value), name);
}

/** @throws as `renderNumber` · `invalid_value` it is not an integer */
export function renderWholeNumber(run: RunContext, value: TemplateNumber, name: string): number {
  const number = renderNumber(run, value, name);
  if (Number.isInteger(number)) return number;
  throw new HearthError('invalid_value', `${name} is ${number}; give a whole number`, {
    reason: 'wrong_result',
    field: name,
  });
}

/**
 * Seconds as a number or text, `1:30:00`, or `{hours, minutes, seconds}`.
 * @returns whole milliseconds.
 * @throws `invalid_value` it is none of these, is negative, or is longer than `longestMs`
 */
export function renderDuration(run: RunContext, duration: TemplateDuration, name: string, longestMs: number): number {
  const ms = Math.round(durationOf(run.render(duration), name));
  if (ms <= longestMs) return ms;
  const hours = longestMs / UNITS_MS.hours;
  throw new HearthError('invalid_value', `${name} comes to ${ms / SECOND_MS} seconds; the most is ${hours} hours`, {
    reason: 'wrong_result',
    field: name,
  });
}

/** Text; converts numbers and booleans to text. @throws `invalid_value` a list, an object or `null` */
export function renderText(run: RunContext, template: string, name: string): string {
  const value = run.render(template);
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new HearthError('invalid_value', `${name} came to ${described(value)}; it must be a text`, {
    reason: 'wrong_result',
    field: name,
  });
}

/** Describes the value for use in a sentence; always short. */
export function described(value: Json): string {
  if (value === null) return 'nothing';
  return shorten(JSON.stringify(value));
}

function durationOf(value: Json, name: string): number {
  if (isObject(value)) return partsOf(value, name);
  const [, hours = '0', minutes, seconds] = (typeof value === 'string' && CLOCK.exec(value.trim())) || [];
  if (minutes === undefined) return amountOf(value, name) * SECOND_MS;
  return Number(hours) * UNITS_MS.hours + Number(minutes) * UNITS_MS.minutes + Number(seconds) * UNITS_MS.seconds;
}

function partsOf(parts: JsonObject, name: string): number {
  let ms = 0;
  for (const [unit, amount] of Object.entries(parts)) {
    if (amount === undefined) continue;
    if (!isUnit(unit)) {
      throw new HearthError('invalid_value', `${name} has hours, minutes and seconds, but no '${shorten(unit)}'`, {
        reason: 'wrong_result',
        field: name,
      });
    }
    ms += amountOf(amount, `${name}.${unit}`) * UNITS_MS[unit];
  }
  return ms;
}

function isUnit(word: string): word is Unit {
  return Object.hasOwn(UNITS_MS, word);
}

function amountOf(value: Json, name: string): number {
  const isText = typeof value === 'string' && value.trim() !== '';
  const number = typeof value === 'number' ? value : isText ? Number(value) : Number.NaN;
  if (Number.isFinite(number) && number >= 0) return number;
  throw new HearthError('invalid_value', `${name} came to ${described(value)}; give a number that is not negative`, {
    reason: 'wrong_result',
    field: name,
  });
}
