/** How hard a password is to guess, roughly: a hint while it is typed, not a rule. The rule is the relay's: 8 to 200 characters. */

/** As `src/app/users/passwords.ts` has it. */
export const SHORTEST_PASSWORD = 8;

export type Strength = 'short' | 'weak' | 'fair' | 'good';

/** What everybody tries first, and what stands under the fingers. */
const COMMON = /^(?:pass(?:word|wort)?|qwert[yz]|letmein|welcome|willkommen|admin|geheim|hallo|12345|abc123|iloveyou)/i;

/** @param names what others know: the address, the person's name */
export function strengthOf(password: string, names: readonly string[] = []): Strength {
  const characters = [...password.normalize('NFC')];
  if (characters.length < SHORTEST_PASSWORD) return 'short';
  const isKnown = names.some((name) => name.length > 2 && password.toLowerCase().includes(name.toLowerCase()));
  const different = new Set(characters.map((character) => character.toLowerCase())).size;
  if (isKnown || COMMON.test(password) || different < 5) return 'weak';
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u].filter((kind) => kind.test(password)).length;
  // Length beats variety: four words are harder to guess than eight odd signs.
  const score = characters.length + 2 * kinds;
  if (score < 14) return 'weak';
  return score < 20 ? 'fair' : 'good';
}
