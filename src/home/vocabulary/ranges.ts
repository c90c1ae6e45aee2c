/**
 * The numbers that a characteristic accepts. The device's own metadata take precedence. If they are missing or invalid
 * (minimum above maximum, a step of zero, wider than the range, or fractional for an integer), the type's defaults of
 * the HAP specification apply, then the limits of the format.
 */
import { characteristicByType } from '../../hap-spec/characteristics.ts';
import { INTEGER_LIMITS } from '../../hap-spec/formats.ts';
import type { Characteristic, CharacteristicFormat } from '../model.ts';

export interface NumberRange {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** Counted from `min`, or from zero without a minimum. */
  readonly step?: number | undefined;
  /** The only accepted numbers, if the device lists them. */
  readonly only?: readonly number[] | undefined;
  readonly integer: boolean;
}

interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** `toFixed` accepts more, but a finer step is only float32 noise. */
const MAX_DECIMALS = 20;

/** A device describes a characteristic once, and people set it again and again. */
const known = new WeakMap<Characteristic, { readonly format: CharacteristicFormat; readonly range: NumberRange }>();

/** @param format the effective one, see `formatOf`. */
export function rangeOf(characteristic: Characteristic, format: CharacteristicFormat): NumberRange {
  let found = known.get(characteristic);
  if (found?.format !== format) {
    found = { format, range: readRange(characteristic, format) };
    known.set(characteristic, found);
  }
  return found.range;
}

function readRange(characteristic: Characteristic, format: CharacteristicFormat): NumberRange {
  const spec = characteristicByType(characteristic.type);
  const limits = format === 'unknown' ? undefined : INTEGER_LIMITS[format];
  const integer = limits !== undefined;
  const bounds = firstSound(boundsCandidates(characteristic, spec, limits), integer);
  const step =
    soundStep(characteristic.minStep, bounds, integer) ??
    soundStep(spec?.minStep, bounds, integer) ??
    (integer ? 1 : undefined);
  const only = listedValues(characteristic, bounds);
  return { ...bounds, step, only, integer };
}

/** Whether `value` is within the range, or among the listed values. Ignores the step. */
export function isInRange(value: number, { min = value, max = value, only }: NumberRange): boolean {
  return only ? only.includes(value) : !(value < min) && !(value > max);
}

/** The nearest number on the step, without float rounding errors: 0.1 × 3 is 0.3. @param value within the range. */
export function snap(value: number, { min, max, step, integer }: NumberRange): number {
  if (step === undefined) return value;
  const base = min ?? 0;
  let count = Math.round((value - base) / step);
  if (!Number.isSafeInteger(count)) return integer ? Math.round(value) : value;
  let snapped = tidy(base + count * step, base, step);
  // The last step may end short of the maximum: 0 to 100 by 3 ends at 99.
  if (snapped > (max ?? snapped)) {
    count -= 1;
    snapped = tidy(base + count * step, base, step);
  }
  return Math.max(snapped, min ?? snapped);
}

/** For messages: `0 to 100`, `at least 1`, `one of 1, 3`. */
export function describeRange({ min, max, only, integer }: NumberRange): string {
  const noun = integer ? 'a whole number' : 'a number';
  if (only) return `one of ${only.join(', ')}`;
  if (min !== undefined && max !== undefined) return `${noun} from ${min} to ${max}`;
  if (min !== undefined) return `${noun}, at least ${min}`;
  return max === undefined ? noun : `${noun}, at most ${max}`;
}

/** From the most specific to the most general. */
function boundsCandidates(
  { minValue, maxValue }: Characteristic,
  spec: { readonly minValue?: number; readonly maxValue?: number } | undefined,
  limits: { readonly min: number; readonly max: number } | undefined,
): readonly Bounds[] {
  const own = { min: usable(minValue, limits !== undefined), max: usable(maxValue, limits !== undefined) };
  const general = { min: spec?.minValue ?? limits?.min, max: spec?.maxValue ?? limits?.max };
  const ownOrGeneral = { min: own.min ?? general.min, max: own.max ?? general.max };
  const ownOrLimits = { min: own.min ?? limits?.min, max: own.max ?? limits?.max };
  return [ownOrGeneral, ownOrLimits, general, { min: limits?.min, max: limits?.max }];
}

function firstSound(candidates: readonly Bounds[], integer: boolean): Bounds {
  for (const { min, max } of candidates) {
    const bounds = integer ? { min: min && Math.ceil(min), max: max && Math.floor(max) } : { min, max };
    const sound = bounds.min === undefined || bounds.max === undefined || bounds.min <= bounds.max;
    if (sound) return bounds;
  }
  return { min: undefined, max: undefined };
}

function soundStep(step: number | undefined, { min, max }: Bounds, integer: boolean): number | undefined {
  if (step === undefined || !Number.isFinite(step) || step <= 0) return undefined;
  if (integer && !Number.isInteger(step)) return undefined;
  const width = min === undefined || max === undefined ? Number.POSITIVE_INFINITY : max - min;
  return width > 0 && step > width ? undefined : step;
}

/** The listed values within the range; the whole list if it contradicts the range completely. */
function listedValues({ validValues }: Characteristic, bounds: Bounds): readonly number[] | undefined {
  const listed = (validValues ?? []).filter((value) => Number.isFinite(value));
  if (listed.length === 0) return undefined;
  const within = listed.filter((value) => value >= (bounds.min ?? value) && value <= (bounds.max ?? value));
  return within.length > 0 ? within : listed;
}

/** A bound for whole numbers must itself be exact. */
function usable(bound: number | undefined, integer: boolean): number | undefined {
  if (bound === undefined || !Number.isFinite(bound)) return undefined;
  return integer && Math.abs(bound) > Number.MAX_SAFE_INTEGER ? undefined : bound;
}

function tidy(value: number, base: number, step: number): number {
  const decimals = Math.max(decimalsOf(base), decimalsOf(step));
  return decimals > MAX_DECIMALS ? value : Number(value.toFixed(decimals));
}

function decimalsOf(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}
