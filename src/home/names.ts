/** Names of homes, rooms, accessories, scenes and tokens. */

import { withArticle } from '../kernel/article.ts';
import { HearthError } from '../kernel/errors.ts';
import type { ErrorReason } from '../kernel/reasons.ts';
import { MAX_NAME_LENGTH } from './vocabulary/limits.ts';

/** Control characters, line and paragraph separators, and lone surrogates, which no encoding represents. */
const UNFIT = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/**
 * Invisible characters and characters that change the direction of text: bidirectional controls, zero-width blanks,
 * fillers, tags. They let one name look like another, and falsify log lines and pages (Unicode TR 36 §2.6).
 */
const HIDDEN = String.raw`[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]`;

/**
 * Scripts whose spelling needs joiners: Persian without U+200C is misspelt, and Sinhala without U+200D has other
 * letters.
 */
const JOINED_SCRIPTS = 'Arab Beng Deva Gujr Guru Knda Mlym Mong Nkoo Orya Sinh Syrc Taml Telu'.split(' ');
const JOINED = `[${JOINED_SCRIPTS.map((script) => String.raw`\p{Script=${script}}`).join('')}]`;

/** Contexts in which such characters have a visible meaning. */
const FIT = [
  // Between two letters of these scripts.
  String.raw`(?<=${JOINED})[\u200c\u200d](?=${JOINED})`,
  // Between the parts of one emoji: families, professions, flags.
  String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})`,
  // One variation selector after its base character: the coloured heart, a variant of a Chinese character.
  String.raw`(?<=[\p{L}\p{N}\p{P}\p{S}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`,
  // The flags of England, Scotland and Wales.
  String.raw`(?<=\u{1f3f4})[\u{e0020}-\u{e007e}]{1,8}\u{e007f}`,
].join('|');

/** ASCII text that needs no further check. */
const PLAIN = /^[ -~]*$/;

const ANY_HIDDEN = new RegExp(HIDDEN, 'u');
const FIT_OR_HIDDEN = new RegExp(`(${FIT})|${HIDDEN}`, 'gu');

/** Requires a visible character: a name of zero-width characters or of the blank Braille pattern looks empty. */
const VISIBLE = /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u;

const LETTER_OR_NUMBER_LAST = /[\p{L}\p{N}]\p{M}*$/u;

/**
 * Parses a name for storage and trims it.
 * @param what starts the messages: `Room name`.
 * @param most the maximum number of characters, if not 64.
 * @throws `invalid_value`
 */
export function parseName(input: unknown, what: string, most = MAX_NAME_LENGTH): string {
  if (typeof input !== 'string') throw refused('bad_name', `${what} must be text`);
  const name = input.trim();
  const seen = withoutHidden(name);
  if (!VISIBLE.test(seen)) throw refused('bad_name', `${what} must not be empty`);
  requireSeen(name, seen, what);
  if (UNFIT.test(name)) throw refused('bad_name', `${what} must not contain control characters or line breaks`);
  const length = [...name].length;
  if (length > most) {
    throw refused('name_too_long', `${what} must have at most ${most} characters; this one has ${length}`);
  }
  return name;
}

/** Cleans a name from a device or another program for display. Empty if no visible character remains. */
export function showableName(text: string): string {
  // The fast path for most names: the relay presents whole homes at once.
  if (PLAIN.test(text)) return text.trim();
  const line = withoutHidden(text).replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  const seen = line.replace(/\p{Cs}/gu, '\ufffd').trim();
  return VISIBLE.test(seen) ? seen : '';
}

/** Whether every character of a text is visible, and visible in its place. */
export function isSeen(text: string): boolean {
  return withoutHidden(text) === text;
}

function withoutHidden(text: string): string {
  // The fast path for nearly every text.
  if (!ANY_HIDDEN.test(text)) return text;
  return text.replace(FIT_OR_HIDDEN, (_found, fit: string | undefined) => fit ?? '');
}

function requireSeen(name: string, seen: string, what: string): void {
  if (name === seen) return;
  throw refused('bad_name', `${what} must not contain characters that are invisible or change the direction of text`);
}

/**
 * Equal for names that people would consider the same: case, width, composition, blanks and underscores make no
 * difference. Names with equal slugs have equal keys, so unique keys imply unique slugs.
 */
export function nameKey(name: string): string {
  const folded = name.normalize('NFKC').toLowerCase().normalize('NFKC');
  return folded.trim().replace(/[\s_]+/g, '_');
}

/**
 * @param kind `room`, for the message.
 * @param exceptId the item to rename, which may keep its name.
 * @throws `conflict` another item has the name
 */
export function requireFreeName(
  name: string,
  kind: string,
  others: readonly { readonly id: string; readonly name: string }[],
  exceptId?: string,
): void {
  const key = nameKey(name);
  if (!others.some((other) => other.id !== exceptId && nameKey(other.name) === key)) return;
  throw new HearthError('conflict', `There is ${withArticle(kind)} named "${name}" already.`, {
    reason: 'name_taken',
    field: 'name',
  });
}

/** The name itself, or the first free one of `Name 2`, `Name 3` …; truncated if it would be too long. */
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

/** Whether the name is valid for a scene: it ends with a letter or a number (API §4.1, scene rules). */
export function endsInLetterOrNumber(name: string): boolean {
  return LETTER_OR_NUMBER_LAST.test(name);
}

/** The name without its invalid end, `Party!` → `Party`; empty if nothing remains. */
export function suggestEnding(name: string): string {
  let end = name.length;
  while (end > 0 && !endsInLetterOrNumber(name.slice(0, end))) end -= 1;
  return name.slice(0, end);
}

function refused(reason: ErrorReason, message: string): HearthError {
  return new HearthError('invalid_value', message, { reason });
}
