/** Slug keys: how REST's state tree names homes, rooms and accessories (API §2.1, wire-facts §1). */

/** Characters of the id at the end of a key. Clients match items by them. */
const SUFFIX_LENGTH = 4;

const NO_ID_SUFFIX = '0000';
const NO_NAME = 'Unknown';

/**
 * `Living  Room` with an id ending in `9F3A` becomes `living_room_9f3a`. Blanks around are dropped and each run of blanks
 * inside becomes one underscore; every other character stays, whatever its script, for clients turn the key back into a name.
 */
export function slugKey(name: string, id: string): string {
  const words = (name.trim() || NO_NAME).replace(/\s+/g, '_').toLowerCase();
  const suffix = id.slice(-SUFFIX_LENGTH).toLowerCase() || NO_ID_SUFFIX;
  return `${words}_${suffix}`;
}
