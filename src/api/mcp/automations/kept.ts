/**
 * The existing parts of an automation, by their presented form. A part that is sent back as it was shown stays exactly
 * as it is: also one that the format cannot express (`_unsupported`), and one whose object has been removed. Parts that
 * cannot be expressed can be moved but neither changed nor left out, so that a rename of a lamp does not destroy a part
 * created elsewhere.
 */
import { invalid } from '../../../app/automations/parsing/faults.ts';
import { shorten } from '../../../home/vocabulary/values.ts';
import { HearthError } from '../../../kernel/errors.ts';
import { UNSUPPORTED, type WireNode } from './node.ts';

interface KeptPart<T> {
  readonly wire: WireNode;
  readonly records: readonly T[];
}

export class KeptParts<T> {
  readonly #deps: readonly KeptPart<T>[];
  readonly #byText: ReadonlyMap<string, KeptPart<T>>;
  readonly #found = new Set<KeptPart<T>>();

  constructor(parts: readonly KeptPart<T>[]) {
    this.#deps = parts;
    this.#byText = new Map(parts.map((part) => [canonical(part.wire), part]));
  }

  /**
   * The existing part for the input, if it is one.
   * @throws `invalid_value` it is marked as unsupported, and is unknown or has been changed
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

  /** After all parts were read. @throws `invalid_request` an unsupported one was left out */
  requireAll(path: string): void {
    const lost = this.#deps.find((part) => UNSUPPORTED in part.wire && !this.#found.has(part));
    if (!lost) return;
    const { id, [UNSUPPORTED]: type } = lost.wire;
    const part = JSON.stringify(id === undefined ? lost.wire : { id, [UNSUPPORTED]: type });
    throw new HearthError(
      'invalid_request',
      `${path}: it leaves out ${shorten(part)}, which can’t be made again here; send it along as it was shown, or take it out in the editor.`,
      { field: path },
    );
  }

  /** A part with an id can be referenced by it alone. */
  #byId(input: object): KeptPart<T> | undefined {
    const { id, [UNSUPPORTED]: type, ...rest } = input as WireNode;
    if (typeof id !== 'string' || type === undefined || Object.keys(rest).length > 0) return undefined;
    return this.#deps.find(({ wire }) => wire.id === id && wire[UNSUPPORTED] === type);
  }
}

export function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

/** The same text for equal values, in any order of their fields. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, field]) => field !== undefined && field !== null);
  const texts = fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${texts.sort().join()}}`;
}
