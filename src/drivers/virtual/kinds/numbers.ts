/** Shared by the two numeric kinds: their bounds, and steps within them. */
import type { Characteristic, CharacteristicValue } from '../../../home/model.ts';
import { rangeOf, snap } from '../../../home/vocabulary/ranges.ts';
import { parseValue } from '../../../home/vocabulary/values.ts';
import { refusedField } from './fields.ts';
import { type CharacteristicShape, isNothing, type OperationRequest } from './kind.ts';

/** A characteristic for `parseValue` and similar functions, which ignore the current value. */
export function asCharacteristic(shape: CharacteristicShape): Characteristic {
  return { ...shape, iid: '', permissions: [], value: null };
}

/** @throws `invalid_value` */
export function requireOrder(min: number | null, max: number | null): void {
  if (min !== null && max !== null && min >= max)
    throw refusedField('min', `it must be less than max, which is ${max}`);
}

/** @throws `invalid_value` @param width the difference between the maximum and the minimum */
export function requireStepWithin(step: number, width: number): void {
  if (step > width) throw refusedField('step', `it must be at most ${width}, which is max less min`);
}

/** The nearest valid number: a multiple of the step, within the bounds. */
export function nearest(shape: CharacteristicShape, value: number): number {
  const range = rangeOf(asCharacteristic(shape), shape.format);
  const bounded = Math.min(Math.max(value, range.min ?? value), range.max ?? value);
  return snap(bounded, range);
}

/** The initial value: the given one, else the valid number nearest to the fallback. @throws `invalid_value` */
export function initialNumber(shape: CharacteristicShape, given: unknown, fallback: number): number {
  if (given === undefined) return nearest(shape, fallback);
  return Number(parseValue(asCharacteristic(shape), given, 'initialValue'));
}

/**
 * `set` rejects a value out of range; `increment` and `decrement` stop at the bound (decisions §3 is about written
 * values).
 */
export function operateNumber(
  { operation, input, held }: OperationRequest,
  shape: CharacteristicShape,
  step: number,
): CharacteristicValue {
  if (operation === 'set') return parseValue(asCharacteristic(shape), input, 'value');
  const amount = isNothing(input) ? step : parseAmount(input, shape.format === 'int');
  return nearest(shape, Number(held.value) + (operation === 'increment' ? amount : -amount));
}

function parseAmount(input: unknown, integer: boolean): number {
  const number = typeof input === 'string' && input.trim() !== '' ? Number(input) : input;
  if (typeof number === 'number' && number > 0 && Number.isFinite(number) && (!integer || Number.isInteger(number))) {
    return number;
  }
  throw refusedField(
    'value',
    `give ${integer ? 'a whole number' : 'a number'} greater than 0, or nothing for its step`,
  );
}
