/**
 * JSON whose ids are exact. `JSON.parse` and `JSON.stringify` round whole numbers above 2^53, while aids of real
 * products have up to 20 digits; here they travel as decimal text inside and as bare digits on the wire.
 */

const ID_FIELDS = new Set(['aid', 'iid']);

/**
 * A mark around digits that lose their quotes on the wire. It can't occur in a database: it is a lone control
 * character.
 */
const BARE = '\u0001';

/** Like `JSON.stringify`, with bigints, and text in `aid`, `iid` and `linked`, as bare digits. */
export function stringifyExact(value: unknown): string {
  const text = JSON.stringify(value, (field, item: unknown) => {
    if (typeof item === 'bigint') return `${BARE}${item}${BARE}`;
    if (typeof item === 'string' && ID_FIELDS.has(field)) return `${BARE}${item}${BARE}`;
    if (field === 'linked' && Array.isArray(item)) return item.map((id) => `${BARE}${id}${BARE}`);
    return item;
  });
  return text.replace(/"\\u0001(\d+)\\u0001"/g, '$1');
}

/**
 * Like `JSON.parse`, with the numbers in `aid` and `iid` as decimal text, and other whole ones of 16 digits and more as
 * bigints.
 */
export function parseExact(text: string): unknown {
  const quoted = text
    .replace(/"(aid|iid)"\s*:\s*(\d+)/g, '"$1":"$2"')
    .replace(/([[:,]\s*)(\d{16,})(?=\s*[,}\]])/g, `$1"${'\\u0001'}$2"`);
  return JSON.parse(quoted, (_field, item: unknown) =>
    typeof item === 'string' && item.startsWith(BARE) ? BigInt(item.slice(1)) : item,
  );
}
