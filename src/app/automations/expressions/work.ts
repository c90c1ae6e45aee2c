/**
 * How much an evaluation may do. Expressions come from people and payloads from whoever knows a webhook's address, and both run on
 * the one thread that everything runs on. So every step, every element looked at and every piece of text made is counted, and an
 * evaluation that goes on too long ends with an error after some ten milliseconds, whatever it says.
 */
import type { Json } from '../flow.ts';
import { Fault } from './fault.ts';

/** One step is an operator, a call or an element: a third of a microsecond at most, on a computer the size of a Raspberry Pi. */
const MAX_STEPS = 30_000;

/** Characters of one text, and of a whole value written as JSON: as much as a webhook may bring. */
export const MAX_VALUE_LENGTH = 65_536;

/** Lists and objects within one another. */
const MAX_DEPTH = 100;

/** Characters that are moved or compared in the time of one step. */
const CHARACTERS_PER_STEP = 64;

export class Work {
  #left = MAX_STEPS;

  /** @throws `Fault` when it has been too much */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new Fault('this takes too long: loop over fewer elements');
  }

  /** Counts text that is made, moved or compared. */
  spendText(length: number): void {
    this.spend(1 + length / CHARACTERS_PER_STEP);
  }

  /** Counts text that is about to be made. @throws `Fault` also when it is longer than any may be */
  makeText(length: number): void {
    if (length > MAX_VALUE_LENGTH) throw new Fault(`a text would have more than ${MAX_VALUE_LENGTH} characters`);
    this.spendText(length);
  }
}

/**
 * About how long a value is as JSON, in characters. Stops as soon as it is too long: the same list many times over is small in
 * memory and endless when it is written down.
 * @throws `Fault` when it is longer, or deeper, than a value may be
 */
export function measure(value: Json, used = 0): number {
  return measureWithin(value, used, 0);
}

function measureWithin(value: Json | undefined, used: number, depth: number): number {
  let total = used + lengthOf(value);
  if (total > MAX_VALUE_LENGTH)
    throw new Fault(`the value would be longer than ${MAX_VALUE_LENGTH} characters of JSON`);
  if (typeof value !== 'object' || value === null) return total;
  if (depth >= MAX_DEPTH) throw new Fault(`the value would be nested more than ${MAX_DEPTH} deep`);
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) total = measureWithin(item, total + 1, depth + 1);
    return total;
  }
  for (const [key, item] of Object.entries(value)) total = measureWithin(item, total + key.length + 4, depth + 1);
  return total;
}

/** Of the value itself, without what is in it. */
function lengthOf(value: Json | undefined): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 && value < 10 ? 1 : String(value).length;
  return typeof value === 'object' && value !== null ? 2 : 5;
}
