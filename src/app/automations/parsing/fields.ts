/**
 * The fields of one object of a flow. A parser reads the fields that it knows; `done` then refuses all fields that
 * were not read. The code needs no separate list of names. `null` equals an omitted field.
 */
import { shorten } from '../../../home/vocabulary/values.ts';
import { HearthError } from '../../../kernel/errors.ts';
import { nearest } from '../../../kernel/nearest.ts';
import { invalid, missing } from './faults.ts';

export interface NumberLimits {
  readonly min?: number;
  readonly max?: number;
  readonly integer?: boolean;
}

/** More than any message or URL needs; the size of the whole flow is limited too. */
const MAX_TEXT_LENGTH = 16_384;

export class Fields {
  /** The path of the object: `actions[2].then[0]`; empty for the flow itself. */
  readonly path: string;
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #asked = new Set<string>();

  /** @throws `invalid_value` it is not an object; the message calls it `what` */
  constructor(input: unknown, path: string, what: string) {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      throw invalid(path === '' ? what : path, 'it must be an object');
    }
    this.path = path;
    this.#values = new Map(Object.entries(input));
  }

  at(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }

  /** The fields that have a value. */
  names(): readonly string[] {
    return [...this.#values].flatMap(([name, value]) => (value === undefined || value === null ? [] : [name]));
  }

  /** The raw value; `undefined` if omitted. */
  raw(name: string): unknown {
    this.#asked.add(name);
    return this.#values.get(name) ?? undefined;
  }

  has(name: string): boolean {
    return this.raw(name) !== undefined;
  }

  /** @param what completes `it must be …`. @throws `invalid_request` */
  required(name: string, what: string): unknown {
    const value = this.raw(name);
    if (value === undefined) throw missing(this.at(name), what);
    return value;
  }

  /** @throws `invalid_request` · `invalid_value` */
  text(name: string, what = 'a text'): string {
    return parseText(this.required(name, what), this.at(name));
  }

  optionalText(name: string): string | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : parseText(value, this.at(name));
  }

  number(name: string, limits: NumberLimits = {}): number {
    return parseNumber(this.required(name, describeNumber(limits)), this.at(name), limits);
  }

  optionalNumber(name: string, limits: NumberLimits = {}): number | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : parseNumber(value, this.at(name), limits);
  }

  boolean(name: string, fallback: boolean): boolean {
    return parseFlag(this.raw(name) ?? fallback, this.at(name));
  }

  /** One of these words. @throws `invalid_value` suggesting the nearest */
  oneOf<T extends string>(name: string, words: readonly T[]): T {
    return parseWord(this.required(name, `one of ${words.join(', ')}`), this.at(name), words);
  }

  optionalOneOf<T extends string>(name: string, words: readonly T[]): T | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : parseWord(value, this.at(name), words);
  }

  /** @throws `invalid_request` · `invalid_value` it is not a list, or has more than `max` items */
  list(name: string, what: string, max: number): readonly unknown[] {
    return parseList(this.required(name, `a list of ${what}`), this.at(name), what, max);
  }

  optionalList(name: string, what: string, max: number): readonly unknown[] | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : parseList(value, this.at(name), what, max);
  }

  /** The object in a field. @throws `invalid_value` */
  object(name: string): Fields | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : new Fields(value, this.at(name), name);
  }

  /** Call this last. @throws `invalid_request` for a field that was not read */
  done(): void {
    for (const name of this.#values.keys()) {
      if (this.#asked.has(name) || this.#values.get(name) === undefined) continue;
      const field = this.at(shorten(name));
      const meant = nearest(name, this.#asked);
      const advice = meant === undefined ? '' : ` Did you mean "${meant}"?`;
      throw new HearthError('invalid_request', `Unknown field "${field}".${advice}`, { field });
    }
  }
}

/** @throws `invalid_value` */
export function parseText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw invalid(path, 'it must be a text');
  if (value.length > MAX_TEXT_LENGTH) {
    throw invalid(path, `it must have at most ${MAX_TEXT_LENGTH} characters; this has ${value.length}`);
  }
  return value;
}

/** @throws `invalid_value` */
export function parseNumber(value: unknown, path: string, limits: NumberLimits): number {
  const { min = -Infinity, max = Infinity, integer = false } = limits;
  const fits = typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max;
  if (fits && (!integer || Number.isInteger(value))) return value + 0;
  throw invalid(path, `it must be ${describeNumber(limits)}`);
}

/** @throws `invalid_value` */
export function parseFlag(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value;
  throw invalid(path, 'it must be true or false');
}

/** @throws `invalid_value` suggesting the nearest word */
export function parseWord<T extends string>(value: unknown, path: string, words: readonly T[]): T {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  const meant = typeof value === 'string' ? nearest(value, words) : undefined;
  const advice = meant === undefined ? '' : `; did you mean ${meant}?`;
  throw invalid(path, `it must be one of ${words.join(', ')}${advice}`);
}

/** @throws `invalid_value` it is not a list, or has more than `max` items */
export function parseList(value: unknown, path: string, what: string, max: number): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(path, `it must be a list of ${what}`);
  if (value.length > max) throw invalid(path, `there may be at most ${max}; these are ${value.length}`);
  return value;
}

export function describeNumber({ min, max, integer }: NumberLimits): string {
  const kind = integer ? 'a whole number' : 'a number';
  if (min !== undefined && max !== undefined) return `${kind} from ${min} to ${max}`;
  if (min !== undefined) return `${kind} of at least ${min}`;
  return max === undefined ? kind : `${kind} of at most ${max}`;
}

/** Removes members that are `undefined`: an omitted field must not exist. */
export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}

export type Given<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};
