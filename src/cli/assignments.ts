/** Parses assignments: `on=true brightness=40 lock=unlocked`. */
import { isProperty } from './api-resources.ts';
import { usageError } from './exit-codes.ts';
import { toSetting } from './state-words.ts';

export type Settings = Readonly<Record<string, boolean | number | string>>;

/** @throws `CliError` an assignment is not `property=value`, sets a description of the accessory, or is repeated */
export function parseSettings(assignments: readonly string[]): Settings {
  const settings = new Map<string, boolean | number | string>();
  for (const assignment of assignments) {
    const at = assignment.indexOf('=');
    const name = assignment.slice(0, at).trim();
    if (at < 1 || name === '')
      throw usageError(`"${assignment}" is not in the form property=value, for example on=true or brightness=40.`);
    if (!isProperty(name)) {
      throw usageError(`${name} is not a property of a device. To change the name, use hearthd accessory rename.`);
    }
    const [property, value] = toSetting(name, parseWord(assignment.slice(at + 1)));
    if (settings.has(property)) throw usageError(`${property} appears twice.`);
    settings.set(property, value);
  }
  return Object.fromEntries(settings);
}

/** Parses a word as JSON: `true`, `40`. Anything else is text, including `007` and values that a number would round. */
export function parseWord(word: string): boolean | number | string {
  if (word === 'true' || word === 'false') return word === 'true';
  return /^-?\d/.test(word) && String(Number(word)) === word ? Number(word) : word;
}
