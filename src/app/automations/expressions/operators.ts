/**
 * The operators. There is one kind of number, with and without a fraction: `1 / 2` is 0.5 and `7 % 2.5` is 2, as
 * people expect and devices report; CEL would use integer division.
 */
import type { BinaryOperator } from '@marcbachmann/cel-js';
import { HearthError } from '../../../kernel/errors.ts';
import type { Json, JsonObject } from '../../../kernel/json.ts';
import { ExpressionFault } from './fault.ts';
import { asText, compare, fieldOf, hasField, isList, isObject, looseEqual, typeName } from './values.ts';
import type { WorkBudget } from './work.ts';

type Operator = (left: Json, right: Json, work: WorkBudget) => Json;

export const OPERATORS: Readonly<Record<BinaryOperator, Operator>> = {
  '==': looseEqual,
  '!=': (left, right, work) => !looseEqual(left, right, work),
  '<': ordered((order) => order < 0),
  '<=': ordered((order) => order <= 0),
  '>': ordered((order) => order > 0),
  '>=': ordered((order) => order >= 0),
  in: (item, among, work) => isIn(among, item, work),
  '+': add,
  '-': numeric('-', (left, right) => left - right),
  '*': numeric('*', (left, right) => left * right),
  '/': numeric('/', (left, right) => left / right),
  '%': numeric('%', (left, right) => left % right),
};

/** @throws `ExpressionFault` for a value that is not a finite number, such as a division by zero */
export function finite(value: number): number {
  if (!Number.isFinite(value)) throw new ExpressionFault('the result is no number');
  // JSON has no minus zero.
  return value + 0;
}

export function negate(value: Json): number {
  if (typeof value !== 'number') throw new ExpressionFault(`- takes a number, not ${typeName(value)}`);
  return finite(-value);
}

/** Whether a text contains a text, a list an element, an object a field. */
export function isIn(among: Json, item: Json, work: WorkBudget): boolean {
  if (isList(among)) return among.some((one) => looseEqual(one, item, work));
  if (isObject(among)) return typeof item === 'string' && hasField(among, item);
  if (typeof among === 'string' && typeof item === 'string') {
    spendSearch(among, item, work);
    return among.includes(item);
  }
  if (among === null) return false;
  throw new ExpressionFault(`${typeName(among)} can't hold ${typeName(item)}`);
}

/** The field names of an object. */
export function keysOf(value: JsonObject, work: WorkBudget): readonly string[] {
  const keys = Object.keys(value);
  work.spend(keys.length);
  return keys;
}

/**
 * Characters that the slowest search passes in the time of one step: a long repetition of the needle without its last
 * character.
 */
const SEARCHED_PER_STEP = 32;

/** Beyond this many characters, the engine's search compares characters repeatedly (V8: `kBMMaxShift`). */
const LONG_SEARCH = 250;
const COMPARED_PER_STEP = 1_500;

/** Counts the work of a text search. */
export function spendSearch({ length }: string, wanted: string, work: WorkBudget): void {
  const repeated = wanted.length > LONG_SEARCH ? (length * wanted.length) / COMPARED_PER_STEP : 0;
  work.spend(1 + length / SEARCHED_PER_STEP + repeated);
}

/**
 * An element of a list (from 0, from the end if negative), a character of a text or a field of an object; else `null`.
 */
export function elementOf(value: Json, key: Json): Json {
  if (value === null) return null;
  if (isObject(value) && (typeof key === 'string' || typeof key === 'number')) return fieldOf(value, String(key));
  if ((isList(value) || typeof value === 'string') && typeof key === 'number') return value.at(key) ?? null;
  throw new ExpressionFault(
    `${typeName(value)} has no element ${isObject(key) || isList(key) ? typeName(key) : asText(key)}`,
  );
}

/** A field of an object; a field of `null` is `null`, so that expressions can read data that a trigger omits. */
export function memberOf(value: Json, name: string): Json {
  if (value === null) return null;
  if (isObject(value)) return fieldOf(value, name);
  throw new ExpressionFault(`${typeName(value)} has no field '${name}'`);
}

function ordered(holds: (order: number) => boolean): Operator {
  return (left, right, work) => {
    const order = compare(left, right, work);
    return order !== null && holds(order);
  };
}

function numeric(sign: string, calculate: (left: number, right: number) => number): Operator {
  return (left, right) => {
    if (typeof left === 'number' && typeof right === 'number') return finite(calculate(left, right));
    throw new ExpressionFault(
      `${sign} takes numbers, not ${typeName(typeof left === 'number' ? right : left)}; see int() and float()`,
    );
  };
}

/** Adds numbers, joins lists, and joins a text with any value. */
function add(left: Json, right: Json, work: WorkBudget): Json {
  if (typeof left === 'number' && typeof right === 'number') return finite(left + right);
  if (isList(left) && isList(right)) {
    work.spend(left.length + right.length);
    return [...left, ...right];
  }
  const isText = typeof left === 'string' || typeof right === 'string';
  if (!isText || [left, right].some((one) => isList(one) || isObject(one))) {
    throw new ExpressionFault(`+ can't add ${typeName(right)} to ${typeName(left)}; see str(), int() and float()`);
  }
  const [before, after] = [asText(left), asText(right)];
  work.makeText(before.length + after.length);
  return before + after;
}

/** Converts a thrown value to an error of the expression; `undefined` for an internal error. */
export function faultOf(error: unknown): ExpressionFault | undefined {
  if (error instanceof ExpressionFault) return error;
  if (error instanceof HearthError) return new ExpressionFault(error.message, undefined, { cause: error });
  // A payload's nesting determines the depth of the stack.
  return error instanceof RangeError ? new ExpressionFault('this is nested too deep') : undefined;
}
