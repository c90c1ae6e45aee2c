import type { Json, JsonObject } from '../../../kernel/json.ts';
import { ExpressionFault } from './fault.ts';
import type { WorkBudget } from './work.ts';

const FALSE_WORDS: ReadonlySet<string> = new Set(['', 'false', '0', 'off', 'no']);
const MAX_FALSE_WORD_LENGTH = 5;

/** The texts that equal `true` or `false`: the same that a switch accepts. */
const BOOLEAN_WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['off', false],
]);

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const MAX_DECIMAL_LENGTH = 64;

/** The reliable digits of a float: more digits show the rounding noise of `0.1 + 0.2`. */
const DIGITS = 15;

/**
 * True values: `true`, numbers except 0, texts except `''`, `false`, `0`, `off`, `no`, non-empty lists, every object.
 */
export function isTruthy(value: Json): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0 && !Number.isNaN(value);
  if (typeof value === 'string') {
    const word = value.trim();
    return word.length > MAX_FALSE_WORD_LENGTH || !FALSE_WORDS.has(word.toLowerCase());
  }
  if (value === null) return false;
  return !isList(value) || value.length > 0;
}

/** @param work counts the comparisons; omit it if the values are known to be small. */
export function looseEqual(a: Json, b: Json, work?: WorkBudget): boolean {
  work?.spend(1);
  if (typeof a === 'string' && typeof b === 'string') work?.spendText(Math.min(a.length, b.length));
  if (a === b) return true;
  if (a === null || b === null) return false;
  if (typeof a === 'object' || typeof b === 'object') {
    return typeof a === 'object' && typeof b === 'object' && equalInside(a, b, work);
  }
  if (typeof a === 'boolean' || typeof b === 'boolean') {
    const [left, right] = [asBoolean(a), asBoolean(b)];
    return left !== undefined && left === right;
  }
  if (typeof a === 'string' && typeof b === 'string') {
    const [left, right] = [asDigit(a), asDigit(b)];
    return left !== undefined && left === right;
  }
  const [left, right] = [asNumber(a) ?? asDigit(a), asNumber(b) ?? asDigit(b)];
  return left !== undefined && left === right;
}

/**
 * @returns less than, equal to or greater than 0; `null` if one of them is `null`, which has no order.
 * @throws `ExpressionFault` for values that have no order, such as lists
 */
export function compare(a: Json, b: Json, work?: WorkBudget): number | null {
  if (a === null || b === null) return null;
  if (typeof a === 'string' && typeof b === 'string') {
    work?.spendText(Math.min(a.length, b.length));
    return a < b ? -1 : a > b ? 1 : 0;
  }
  const left = typeof a === 'number' || typeof a === 'string' ? asNumber(a) : undefined;
  const right = typeof b === 'number' || typeof b === 'string' ? asNumber(b) : undefined;
  if (left === undefined || right === undefined) {
    throw new ExpressionFault(`${typeName(a)} can't be compared with ${typeName(b)}`);
  }
  return left - right;
}

/** A number, or a text that contains a decimal number. */
export function asNumber(value: Json): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.length > MAX_DECIMAL_LENGTH) return undefined;
  const text = value.trim();
  const number = DECIMAL.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** Text for people: `null` is `''`, lists and objects are JSON. @throws `ExpressionFault` if it is too long */
export function asText(value: Json): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(Number(value.toPrecision(DIGITS)));
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A field of an object: `null` if it does not exist. Own properties only, never those of a JavaScript prototype, and
 * JSON values only.
 */
export function fieldOf(value: JsonObject, key: string): Json {
  return hasField(value, key) ? clean(value[key]) : null;
}

export function hasField(value: JsonObject, key: string): boolean {
  return key !== '__proto__' && Object.hasOwn(value, key) && value[key] !== undefined;
}

/** Converts any input to a JSON value. */
export function clean(value: unknown): Json {
  switch (typeof value) {
    case 'boolean':
    case 'string':
    case 'object':
      return value as Json;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'bigint':
      return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
    default:
      return null;
  }
}

/** The type of a value, for messages. */
export function typeName(value: Json): string {
  if (value === null) return 'nothing (null)';
  if (typeof value === 'boolean') return `${value}`;
  if (typeof value === 'number') return 'a number';
  if (typeof value === 'string') return 'text';
  return isList(value) ? 'a list' : 'an object';
}

function asBoolean(value: boolean | number | string): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value === 1 ? true : value === 0 ? false : undefined;
  return value.length <= MAX_FALSE_WORD_LENGTH ? BOOLEAN_WORDS.get(value.toLowerCase()) : undefined;
}

function asDigit(value: boolean | number | string): 0 | 1 | undefined {
  if (value === 'true' || value === '1' || value === 1) return 1;
  return value === 'false' || value === '0' || value === 0 ? 0 : undefined;
}

function equalInside(a: readonly Json[] | JsonObject, b: readonly Json[] | JsonObject, work?: WorkBudget): boolean {
  if (isList(a) || isList(b)) {
    if (!isList(a) || !isList(b) || a.length !== b.length) return false;
    return a.every((item, index) => looseEqual(item, b[index] ?? null, work));
  }
  const keys = Object.keys(a);
  work?.spend(keys.length);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => hasField(b, key) && looseEqual(fieldOf(a, key), fieldOf(b, key), work));
}
