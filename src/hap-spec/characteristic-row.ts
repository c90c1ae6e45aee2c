/**
 * The notation of the characteristic tables: one `row` per type, with the five fields of every type and with named
 * parts (`PERCENT`, `oneOf('off heat cool')`, `also('on')`) for optional ones.
 */
import type { HapFormat, HapPermission } from './formats.ts';
import type { NamedType } from './words.ts';

/** A characteristic type as HAP defines it. Ranges are the type's defaults: a device's own metadata take precedence. */
export interface CharacteristicSpec {
  /** Canonical type, see `uuid.ts`: `25`. */
  readonly type: string;
  /** Our name, snake_case, unique: `power_state`. */
  readonly name: string;
  /** HAP's name, as in `public.hap.characteristic.on`. Vendor types have no HAP name, so they use ours with dashes. */
  readonly hapName: string;
  /**
   * Further names accepted on input, snake_case. They include the type's title in the HAP specification if ours
   * differs.
   */
  readonly aliases: readonly string[];
  readonly format: HapFormat;
  readonly permissions: readonly HapPermission[];
  readonly unit?: string;
  readonly minValue?: number;
  readonly maxValue?: number;
  readonly minStep?: number;
  readonly maxLength?: number;
  /** The meaning of an enumeration's numbers: `{ off: 0, heat: 1 }`. */
  readonly values?: Readonly<Record<string, number>>;
}

type RowOptions = Partial<Omit<CharacteristicSpec, 'type' | 'name' | 'hapName' | 'format' | 'permissions'>>;

/** The row keeps its type and name as literal types, so that `CHARACTERISTIC` derives from the tables. */
export function row<const Type extends string, const Name extends string>(
  type: Type,
  name: Name,
  hapName: string,
  format: HapFormat,
  permissions: readonly HapPermission[],
  ...parts: readonly RowOptions[]
): CharacteristicSpec & NamedType<Type, Name> {
  return Object.assign({ type, name, hapName, aliases: [], format, permissions }, ...parts);
}

export const READ: readonly HapPermission[] = ['pr'];
export const WRITE: readonly HapPermission[] = ['pw'];
export const READ_WRITE: readonly HapPermission[] = ['pr', 'pw'];
/** Read and events. */
export const NOTIFY: readonly HapPermission[] = ['pr', 'ev'];
/** Read, events and write. */
export const CONTROL: readonly HapPermission[] = ['pr', 'pw', 'ev'];
/** Like `CONTROL`, but writable only in a timed write. */
export const TIMED: readonly HapPermission[] = ['pr', 'pw', 'ev', 'tw'];
/** Write, with a value in the write response. */
export const COMMAND: readonly HapPermission[] = ['pw', 'wr'];
export const EXCHANGE: readonly HapPermission[] = ['pr', 'pw', 'wr'];
export const NOTIFIED_EXCHANGE: readonly HapPermission[] = ['pr', 'pw', 'ev', 'wr'];
export const TIMED_EXCHANGE: readonly HapPermission[] = ['pr', 'pw', 'ev', 'tw', 'wr'];

export function range(minValue: number, maxValue: number, minStep?: number): RowOptions {
  return minStep === undefined ? { minValue, maxValue } : { minValue, maxValue, minStep };
}

export function unit(name: string): RowOptions {
  return { unit: name };
}

export const PERCENT: RowOptions = { ...range(0, 100, 1), ...unit('percentage') };
export const TILT: RowOptions = { ...range(-90, 90, 1), ...unit('arcdegrees') };

export function maxLength(characters: number): RowOptions {
  return { maxLength: characters };
}

/** Further names for the type, snake_case. */
export function also(...aliases: readonly string[]): RowOptions {
  return { aliases };
}

/** Names for the values 0, 1, 2 …, separated by blanks; `-` for a number without a meaning. */
export function named(words: string): RowOptions {
  const pairs = words.split(' ').map((word, value) => [word, value] as const);
  return { values: Object.fromEntries(pairs.filter(([word]) => word !== '-')) };
}

/** An enumeration that names every value of its range. */
export function oneOf(words: string): RowOptions {
  return { ...range(0, words.split(' ').length - 1, 1), ...named(words) };
}
