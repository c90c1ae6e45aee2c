/**
 * Response of GET `/rest/state`: home key → room key → accessory key → properties, with `_…` keys in between (API
 * §2.2).
 */
export type StateTree = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;

const NO_PROPERTIES = ['type', 'name', 'group', 'accessories'];

/**
 * Whether a key of an accessory's entry in the state tree is a property, to show and set: the other keys describe the
 * entry.
 */
export function isProperty(key: string): boolean {
  return !key.startsWith('_') && !NO_PROPERTIES.includes(key);
}
