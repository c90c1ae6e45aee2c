/** Estimates the strength of a password: a hint during input, not a rule. The relay's rule is 8 to 200 characters. */

/** The same value as in `src/app/users/passwords.ts`. */
export const MIN_PASSWORD_LENGTH = 8;

export type Strength = 'short' | 'weak' | 'fair' | 'good';

/** Common passwords and keyboard sequences. */
const COMMON = /^(?:pass(?:word|wort)?|qwert[yz]|letmein|welcome|willkommen|admin|geheim|hallo|12345|abc123|iloveyou)/i;

/** @param names known facts: the address, the user's name */
export function strengthOf(password: string, names: readonly string[] = []): Strength {
  const characters = [...password.normalize('NFC')];
  if (characters.length < MIN_PASSWORD_LENGTH) return 'short';
  const isKnown = names.some((name) => name.length > 2 && password.toLowerCase().includes(name.toLowerCase()));
  const different = new Set(characters.map((character) => character.toLowerCase())).size;
  if (isKnown || COMMON.test(password) || different < 5) return 'weak';
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u].filter((kind) => kind.test(password)).length;
  // Length beats variety: four words are harder to guess than eight unusual characters.
  const score = characters.length + 2 * kinds;
  if (score < 14) return 'weak';
  return score < 20 ? 'fair' : 'good';
}
