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
    return this.#toText(name, this.required(name, what));
  }

  optionalText(name: string): string | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : this.#toText(name, value);
  }

  number(name: string, limits: NumberLimits = {}): number {
    return this.#toNumber(name, this.required(name, describeNumber(limits)), limits);
  }

  optionalNumber(name: string, limits: NumberLimits = {}): number | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : this.#toNumber(name, value, limits);
  }

  boolean(name: string, fallback: boolean): boolean {
    const value = this.raw(name) ?? fallback;
    if (typeof value !== 'boolean') throw invalid(this.at(name), 'it must be true or false');
    return value;
  }

  /** One of these words. @throws `invalid_value` suggesting the nearest */
  oneOf<T extends string>(name: string, words: readonly T[]): T {
    return this.#toWord(name, this.required(name, `one of ${words.join(', ')}`), words);
  }

  optionalOneOf<T extends string>(name: string, words: readonly T[]): T | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : this.#toWord(name, value, words);
  }

  /** @throws `invalid_request` · `invalid_value` it is not a list, or has more than `max` items */
  list(name: string, what: string, max: number): readonly unknown[] {
    return this.#toList(name, this.required(name, `a list of ${what}`), what, max);
  }

  optionalList(name: string, what: string, max: number): readonly unknown[] | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : this.#toList(name, value, what, max);
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

  #toText(name: string, value: unknown): string {
    if (typeof value !== 'string') throw invalid(this.at(name), 'it must be a text');
    if (value.length > MAX_TEXT_LENGTH) {
      throw invalid(this.at(name), `it must have at most ${MAX_TEXT_LENGTH} characters; this has ${value.length}`);
    }
    return value;
  }

  #toNumber(name: string, value: unknown, limits: NumberLimits): number {
    const { min = -Infinity, max = Infinity, integer = false } = limits;
    const fits = typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max;
    if (fits && (!integer || Number.isInteger(value))) return value + 0;
    throw invalid(this.at(name), `it must be ${describeNumber(limits)}`);
  }

  #toWord<T extends string>(name: string, value: unknown, words: readonly T[]): T {
    const found = words.find((word) => word === value);
    if (found !== undefined) return found;
    const meant = typeof value === 'string' ? nearest(value, words) : undefined;
    const advice = meant === undefined ? '' : `; did you mean ${meant}?`;
    throw invalid(this.at(name), `it must be one of ${words.join(', ')}${advice}`);
  }

  #toList(name: string, value: unknown, what: string, max: number): readonly unknown[] {
    if (!Array.isArray(value)) throw invalid(this.at(name), `it must be a list of ${what}`);
    if (value.length > max) throw invalid(this.at(name), `there may be at most ${max}; these are ${value.length}`);
    return value;
  }
}

function describeNumber({ min, max, integer }: NumberLimits): string {
  const kind = integer ? 'a whole number' : 'a number';
  if (min !== undefined && max !== undefined) return `${kind} from ${min} to ${max}`;
  if (min !== undefined) return `${kind} of at least ${min}`;
  return max === undefined ? kind : `${kind} of at most ${max}`;
}

/** Removes members that are `undefined`: an omitted field must not exist. */
export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}

type Given<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};
