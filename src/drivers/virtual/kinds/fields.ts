import { lengthOf } from '../../../home/vocabulary/text-rules.ts';
import { HearthError } from '../../../kernel/errors.ts';

/** @param sentence what the field requires, to follow its name: `must be a whole number` */
export function refusedField(field: string, sentence: string): HearthError {
  return new HearthError('invalid_value', `Invalid value for ${field}: ${sentence}.`, { field });
}

interface InputLimits {
  readonly min: number;
  readonly max: number;
  readonly integer?: true;
}

/**
 * The input fields of a virtual accessory. Each read validates one field: a missing field gives the fallback, an
 * invalid one an error that names the field.
 */
export class KindInput {
  readonly #given: Readonly<Record<string, unknown>>;

  constructor(given: Readonly<Record<string, unknown>>) {
    this.#given = given;
  }

  has(name: string): boolean {
    return this.#given[name] !== undefined;
  }

  raw(name: string): unknown {
    return this.#given[name];
  }

  boolean(name: string, fallback: boolean): boolean {
    const value = this.#given[name] ?? fallback;
    if (typeof value !== 'boolean') throw refusedField(name, 'give true or false');
    return value;
  }

  number(name: string, fallback: number, limits: InputLimits): number {
    const value = this.#given[name] === undefined ? fallback : this.#given[name];
    const { min, max, integer } = limits;
    const fits = typeof value === 'number' && value >= min && value <= max && (!integer || Number.isInteger(value));
    if (!fits) throw refusedField(name, `give ${integer ? 'a whole number' : 'a number'} from ${min} to ${max}`);
    return value;
  }

  /** `null`: no bound. */
  optionalNumber(name: string, fallback: number | null, limits: InputLimits): number | null {
    const value = this.#given[name] === undefined ? fallback : this.#given[name];
    return value === null ? null : this.number(name, value as number, limits);
  }

  /** The trimmed text; `null` if it is empty or `null`. */
  optionalText(name: string, fallback: string | null, maxLength: number): string | null {
    const value = this.#given[name] === undefined ? fallback : this.#given[name];
    if (value === null) return null;
    if (typeof value !== 'string' || lengthOf(value.trim()) > maxLength) {
      throw refusedField(name, `give a text of at most ${maxLength} characters, or null for none`);
    }
    return value.trim() || null;
  }

  oneOf<T extends string>(name: string, fallback: T, choices: readonly T[]): T {
    const value = this.#given[name] ?? fallback;
    const choice = choices.find((one) => one === value);
    if (choice === undefined) throw refusedField(name, `give ${choices.map((one) => `"${one}"`).join(' or ')}`);
    return choice;
  }
}
