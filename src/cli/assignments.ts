/** What people type to set things: `on=true brightness=40 hvac_mode=heat`. */
import { isProperty } from './api-resources.ts';
import { usageError } from './exit-codes.ts';

export type Settings = Readonly<Record<string, boolean | number | string>>;

/** @throws `CliError` one is not `property=value`, describes the accessory, or is given twice */
export function parseSettings(assignments: readonly string[]): Settings {
  const settings = new Map<string, boolean | number | string>();
  for (const assignment of assignments) {
    const at = assignment.indexOf('=');
    const property = assignment.slice(0, at).trim();
    if (at < 1 || property === '')
      throw usageError(`"${assignment}" is not property=value. Write it like on=true or brightness=40.`);
    if (!isProperty(property)) {
      throw usageError(`${property} is no property of a device. hearthd accessory rename gives it another name.`);
    }
    if (settings.has(property)) throw usageError(`${property} is given twice.`);
    settings.set(property, parseWord(assignment.slice(at + 1)));
  }
  return Object.fromEntries(settings);
}

/** A word as JSON would have it: `true`, `40`; anything else is text, `007` and what a number would round among it. */
export function parseWord(word: string): boolean | number | string {
  if (word === 'true' || word === 'false') return word === 'true';
  return /^-?\d/.test(word) && String(Number(word)) === word ? Number(word) : word;
}
