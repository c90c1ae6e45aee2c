/**
 * How the characteristic tables are written: one `row` a type, made of the five things every type has and of named parts
 * (`PERCENT`, `oneOf('off heat cool')`, `also('on')`) for what only some have.
 */
import type { HapFormat, HapPermission } from './formats.ts';

/** A characteristic type as HAP defines it. Ranges are the type's defaults: a device's own metadata go first. */
export interface CharacteristicSpec {
  /** Canonical type, see `uuid.ts`: `25`. */
  readonly type: string;
  /** Our word, snake_case, unique: `power_state`. */
  readonly name: string;
  /** HAP's word, as in `public.hap.characteristic.on`. Vendor types, which HAP does not name, have ours with dashes. */
  readonly hapName: string;
  /** Further words taken on input, snake_case. Among them the type's title in the HAP specification, where ours differs. */
  readonly aliases: readonly string[];
  readonly format: HapFormat;
  readonly permissions: readonly HapPermission[];
  readonly unit?: string;
  readonly minValue?: number;
  readonly maxValue?: number;
  readonly minStep?: number;
  readonly maxLength?: number;
  /** What the numbers of an enumeration mean: `{ off: 0, heat: 1 }`. */
  readonly values?: Readonly<Record<string, number>>;
}

type Part = Partial<Omit<CharacteristicSpec, 'type' | 'name' | 'hapName' | 'format' | 'permissions'>>;

export function row(
  type: string,
  name: string,
  hapName: string,
  format: HapFormat,
  permissions: readonly HapPermission[],
  ...parts: readonly Part[]
): CharacteristicSpec {
  return Object.assign({ type, name, hapName, aliases: [], format, permissions }, ...parts);
}

export const READ: readonly HapPermission[] = ['pr'];
export const WRITE: readonly HapPermission[] = ['pw'];
export const READ_WRITE: readonly HapPermission[] = ['pr', 'pw'];
/** Read and watched. */
export const NOTIFY: readonly HapPermission[] = ['pr', 'ev'];
/** Read, watched and written. */
export const CONTROL: readonly HapPermission[] = ['pr', 'pw', 'ev'];
/** As `CONTROL`, written only in a timed write. */
export const TIMED: readonly HapPermission[] = ['pr', 'pw', 'ev', 'tw'];
/** Written, and the answer to the write carries a value. */
export const COMMAND: readonly HapPermission[] = ['pw', 'wr'];
export const EXCHANGE: readonly HapPermission[] = ['pr', 'pw', 'wr'];
export const NOTIFIED_EXCHANGE: readonly HapPermission[] = ['pr', 'pw', 'ev', 'wr'];
export const TIMED_EXCHANGE: readonly HapPermission[] = ['pr', 'pw', 'ev', 'tw', 'wr'];

export function range(minValue: number, maxValue: number, minStep?: number): Part {
  return minStep === undefined ? { minValue, maxValue } : { minValue, maxValue, minStep };
}

export function unit(name: string): Part {
  return { unit: name };
}

export const PERCENT: Part = { ...range(0, 100, 1), ...unit('percentage') };
export const TILT: Part = { ...range(-90, 90, 1), ...unit('arcdegrees') };

export function maxLength(characters: number): Part {
  return { maxLength: characters };
}

/** Further words for the type, snake_case. */
export function also(...aliases: readonly string[]): Part {
  return { aliases };
}

/** Words for the values 0, 1, 2 …, separated by blanks; `-` for a number that has no meaning. */
export function named(words: string): Part {
  const pairs = words.split(' ').map((word, value) => [word, value] as const);
  return { values: Object.fromEntries(pairs.filter(([word]) => word !== '-')) };
}

/** An enumeration whose words name every value of its range. */
export function oneOf(words: string): Part {
  return { ...range(0, words.split(' ').length - 1, 1), ...named(words) };
}
