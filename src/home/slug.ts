/** Slug keys: the names of homes, rooms and accessories in REST's state tree (API §2.1, wire-facts §1). */

/** The number of id characters at the end of a key. Clients match items by them. */
const SUFFIX_LENGTH = 4;

const NO_ID_SUFFIX = '0000';
const NO_NAME = 'Unknown';

/**
 * `Living  Room` with an id ending in `9F3A` becomes `living_room_9f3a`. It trims blanks and replaces each inner run of
 * blanks by one underscore. Every other character stays, in any script, because clients turn the key back into a name.
 */
export function slugKey(name: string, id: string): string {
  const words = (name.trim() || NO_NAME).replace(/\s+/g, '_').toLowerCase();
  const suffix = id.slice(-SUFFIX_LENGTH).toLowerCase() || NO_ID_SUFFIX;
  return `${words}_${suffix}`;
}
