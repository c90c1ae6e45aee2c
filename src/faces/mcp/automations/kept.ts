/**
 * The parts that an automation has already, by what they are shown as. Whatever is sent back as it was shown stays as it is, to the
 * letter: what can't be said here (`_unsupported`), and what is gone from the house meanwhile. What can't be said can be moved but
 * neither changed nor left out, so that nobody loses with a new name for a lamp what was built with care elsewhere.
 */

import { invalid } from '../../../app/automations/flows/faults.ts';
import { shorten } from '../../../home/vocabulary/values.ts';
import { HearthError } from '../../../kernel/errors.ts';
import { type Said, UNSUPPORTED } from './node.ts';

interface Part<T> {
  readonly said: Said;
  readonly records: readonly T[];
}

export class Kept<T> {
  readonly #parts: readonly Part<T>[];
  readonly #byText: ReadonlyMap<string, Part<T>>;
  readonly #found = new Set<Part<T>>();

  constructor(parts: readonly Part<T>[]) {
    this.#parts = parts;
    this.#byText = new Map(parts.map((part) => [canonical(part.said), part]));
  }

  /**
   * What it stands for, if it is one of them.
   * @throws `invalid_value` it says that it can't be said here, and is none of them or has been changed
   */
  find(input: object, path: string): readonly T[] | undefined {
    const part = this.#byText.get(canonical(input)) ?? this.#byId(input);
    if (part) this.#found.add(part);
    else if (UNSUPPORTED in input) {
      throw invalid(
        path,
        'a part that is not supported here can be sent back as it was shown, but not made or changed',
      );
    }
    return part?.records;
  }

  /** After all were read. @throws `invalid_request` one that can't be said here was left out */
  requireAll(path: string): void {
    const lost = this.#parts.find((part) => UNSUPPORTED in part.said && !this.#found.has(part));
    if (!lost) return;
    const { id, [UNSUPPORTED]: type } = lost.said;
    const part = JSON.stringify(id === undefined ? lost.said : { id, [UNSUPPORTED]: type });
    throw new HearthError(
      'invalid_request',
      `${path}: it leaves out ${shorten(part)}, which can’t be made again here; send it along as it was shown, or take it out in the editor.`,
      { field: path },
    );
  }

  /** What has an id can be named by it, without the rest. */
  #byId(input: object): Part<T> | undefined {
    const { id, [UNSUPPORTED]: type, ...rest } = input as Said;
    if (typeof id !== 'string' || type === undefined || Object.keys(rest).length > 0) return undefined;
    return this.#parts.find(({ said }) => said.id === id && said[UNSUPPORTED] === type);
  }
}

export function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

/** The same text for what is the same but for the order of its fields. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, field]) => field !== undefined && field !== null);
  const texts = fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${texts.sort().join()}}`;
}
