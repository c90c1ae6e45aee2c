/**
 * Reads input objects field by field; each error has the path of its field. `null` equals an omitted field, because
 * clients send back the presented form, which has every field.
 */
import { shorten } from '../../../home/vocabulary/values.ts';
import { type ErrorCode, HearthError } from '../../../kernel/errors.ts';
import { fault as flowFault } from '../parsing/faults.ts';
import { Fields } from '../parsing/fields.ts';

/** `<path>: <sentence>` */
export function fault(field: string, sentence: string, code: ErrorCode = 'invalid_value'): HearthError {
  return flowFault(code, field, sentence);
}

/** Accepts a value or a text that contains it as JSON. @throws `invalid_value` the text is not JSON */
export function fromJsonText(input: unknown, field: string): unknown {
  if (typeof input !== 'string') return input;
  try {
    return JSON.parse(input);
  } catch {
    throw fault(field, 'the text is not JSON');
  }
}

/** Reads fields as flows do; the sentences of native automations are shorter. */
export class NativeFields extends Fields {
  /** @param what the name in messages: `an event`. @throws `invalid_value` it is not an object */
  constructor(input: unknown, path: string, what: string) {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      throw fault(path, `${what} is an object`);
    }
    super(input, path, what);
  }

  /**
   * Refuses all other fields.
   * @param what `a timer trigger`, for fields that exist elsewhere only. @param elsewhere those fields.
   * @throws `invalid_request`
   */
  allow(own: readonly string[], what: string, elsewhere: readonly string[]): void {
    for (const name of this.names()) {
      if (own.includes(name)) continue;
      const field = this.at(shorten(name));
      const sentence = elsewhere.includes(name) ? `${field}: ${what} has none.` : `Unknown field "${field}".`;
      throw new HearthError('invalid_request', sentence, { field });
    }
  }

  /** @throws `invalid_request` it is missing · `invalid_value` it is none of these words */
  override oneOf<T extends string>(name: string, words: readonly T[]): T {
    const input = this.required(name, `one of ${words.join(', ')}`);
    const word = words.find((one) => one === input);
    if (word !== undefined) return word;
    throw fault(this.at(name), `${quote(input)} is none of ${words.join(', ')}`);
  }

  override optionalOneOf<T extends string>(name: string, words: readonly T[]): T | undefined {
    return this.has(name) ? this.oneOf(name, words) : undefined;
  }

  override text(name: string): string {
    const input = this.required(name, 'a text');
    if (typeof input === 'string') return input;
    throw fault(this.at(name), 'must be a text');
  }

  /** @throws `invalid_request` it is missing · `invalid_value` it is not a number, or is out of range */
  override number(name: string, range: NumberBounds): number {
    return parseNumber(this.required(name, `a number ${describe(range)}`), this.at(name), range);
  }

  override optionalNumber(name: string, range: NumberBounds): number | undefined {
    return this.has(name) ? this.number(name, range) : undefined;
  }

  override boolean(name: string, fallback: boolean): boolean {
    const input = this.raw(name) ?? fallback;
    if (typeof input === 'boolean') return input;
    throw fault(this.at(name), 'must be true or false');
  }

  /** A list; empty if omitted. @throws `invalid_value` it is not a list, or has more than `max` entries */
  entries(name: string, max: number): readonly unknown[] {
    const field = this.at(name);
    const input = fromJsonText(this.raw(name) ?? [], field);
    if (!Array.isArray(input)) throw fault(field, 'must be a list');
    if (input.length > max) throw fault(field, `has ${input.length} entries; ${max} at most`);
    return input;
  }
}

export interface NumberBounds {
  readonly min: number;
  readonly max: number;
  readonly integer?: boolean;
}

/** @throws `invalid_value` */
export function parseNumber(input: unknown, field: string, range: NumberBounds): number {
  const fits =
    typeof input === 'number' &&
    input >= range.min &&
    input <= range.max &&
    (range.integer !== true || Number.isInteger(input));
  // Minus zero would be shown as zero and not equal it.
  if (fits) return input + 0;
  throw fault(field, `${quote(input)} is not ${range.integer ? 'a whole number' : 'a number'} ${describe(range)}`);
}

function describe({ min, max }: NumberBounds): string {
  return `from ${min} to ${max}`;
}

export function quote(input: unknown): string {
  return shorten(typeof input === 'string' ? `"${input}"` : (JSON.stringify(input) ?? String(input)));
}
