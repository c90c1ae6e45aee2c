/** Names that people give to homes, rooms, accessories, scenes and tokens. */
import { HearthError } from '../kernel/errors.ts';
import type { ErrorReason } from '../kernel/reasons.ts';

/** In characters as people count them, not in UTF-16 units. */
const MAX_NAME_LENGTH = 64;

/** Control characters, line and paragraph separators, and halves of surrogate pairs, which no encoding carries. */
const UNFIT = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/** At least one thing to see: a name of zero-width characters looks like none. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

const LETTER_OR_NUMBER_LAST = /[\p{L}\p{N}]\p{M}*$/u;

/**
 * A name as it is stored: without blanks around it.
 * @param what begins the messages: `Room name`.
 * @param most characters, where not the usual 64.
 * @throws `invalid_value`
 */
export function parseName(input: unknown, what: string, most = MAX_NAME_LENGTH): string {
  if (typeof input !== 'string') throw refused('bad_name', `${what} must be text`);
  const name = input.trim();
  if (!VISIBLE.test(name)) throw refused('bad_name', `${what} must not be empty`);
  if (UNFIT.test(name)) throw refused('bad_name', `${what} must not contain control characters or line breaks`);
  const length = [...name].length;
  if (length > most) {
    throw refused('name_too_long', `${what} must have at most ${most} characters; this one has ${length}`);
  }
  return name;
}

/**
 * Equal for names that people would take for the same: case, width, composition, and blanks or underscores make no difference.
 * Names with equal slugs have equal keys, so that what must differ in the one never clashes in the other.
 */
export function nameKey(name: string): string {
  const folded = name.normalize('NFKC').toLowerCase().normalize('NFKC');
  return folded.trim().replace(/[\s_]+/g, '_');
}

/**
 * @param kind `room`, for the message.
 * @param exceptId the one that is renamed, which may have the name already.
 * @throws `conflict` one of the others has it
 */
export function requireFreeName(
  name: string,
  kind: string,
  others: readonly { readonly id: string; readonly name: string }[],
  exceptId?: string,
): void {
  const key = nameKey(name);
  if (!others.some((other) => other.id !== exceptId && nameKey(other.name) === key)) return;
  throw new HearthError('conflict', `There is a ${kind} named "${name}" already.`, {
    reason: 'name_taken',
    field: 'name',
  });
}

/** The name itself, or the first of `Name 2`, `Name 3` … that none of the others has; cut where it would be too long. */
export function numberedName(wanted: string, others: readonly { readonly name: string }[]): string {
  const taken = new Set(others.map((other) => nameKey(other.name)));
  let name = wanted.trim();
  const characters = [...name];
  for (let n = 2; taken.has(nameKey(name)); n += 1) {
    const number = ` ${n}`;
    name = `${characters
      .slice(0, MAX_NAME_LENGTH - number.length)
      .join('')
      .trimEnd()}${number}`;
  }
  return name;
}

/** Whether a scene may be called this: its name ends with a letter or a number (API §4.1, scene rules). */
export function endsInLetterOrNumber(name: string): boolean {
  return LETTER_OR_NUMBER_LAST.test(name);
}

/** The name without the end that forbids it, `Party!` → `Party`; empty if nothing is left. */
export function suggestEnding(name: string): string {
  let end = name.length;
  while (end > 0 && !endsInLetterOrNumber(name.slice(0, end))) end -= 1;
  return name.slice(0, end);
}

function refused(reason: ErrorReason, message: string): HearthError {
  return new HearthError('invalid_value', message, { reason });
}
