import type { Json } from '../../../kernel/json.ts';
import { ExpressionFault } from './fault.ts';

/**
 * One step is an operator, a call or an element: at most a third of a microsecond on a computer like a Raspberry Pi.
 */
const MAX_STEPS = 30_000;

/** Characters of one text, and of a whole value as JSON: the maximum size of a webhook body. */
export const MAX_VALUE_LENGTH = 65_536;

/** Nested lists and objects. */
const MAX_DEPTH = 100;

/** Characters that are copied or compared in the time of one step. */
const CHARACTERS_PER_STEP = 64;

export class WorkBudget {
  #left = MAX_STEPS;

  /** @throws `ExpressionFault` if the limit is exceeded */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new ExpressionFault('this takes too long: loop over fewer elements');
  }

  /** Counts text that is created, copied or compared. */
  spendText(length: number): void {
    this.spend(1 + length / CHARACTERS_PER_STEP);
  }

  /** Counts text before it is created. @throws `ExpressionFault` also if it exceeds the maximum length */
  makeText(length: number): void {
    if (length > MAX_VALUE_LENGTH)
      throw new ExpressionFault(`a text would have more than ${MAX_VALUE_LENGTH} characters`);
    this.spendText(length);
  }
}

/**
 * The approximate length of a value as JSON, in characters. Stops at the limit: a list that contains the same list
 * many times is small in memory and huge as JSON.
 * @throws `ExpressionFault` if it is longer, or deeper, than a value may be
 */
export function measure(value: Json, used = 0): number {
  return measureWithin(value, used, 0);
}

function measureWithin(value: Json | undefined, used: number, depth: number): number {
  let total = used + lengthOf(value);
  if (total > MAX_VALUE_LENGTH)
    throw new ExpressionFault(`the value would be longer than ${MAX_VALUE_LENGTH} characters of JSON`);
  if (typeof value !== 'object' || value === null) return total;
  if (depth >= MAX_DEPTH) throw new ExpressionFault(`the value would be nested more than ${MAX_DEPTH} deep`);
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) total = measureWithin(item, total + 1, depth + 1);
    return total;
  }
  for (const [key, item] of Object.entries(value)) total = measureWithin(item, total + key.length + 4, depth + 1);
  return total;
}

/** The length of the value itself, without nested values. */
function lengthOf(value: Json | undefined): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 && value < 10 ? 1 : String(value).length;
  return typeof value === 'object' && value !== null ? 2 : 5;
}
