/**
 * Types of characteristics and services are UUIDs. HAP's own types share one base and have a short form: `25` stands
 * for `00000025-0000-1000-8000-0026BB765291`. This program compares and stores the canonical form: for HAP types the
 * short id in upper case without leading zeros, for all others the full UUID in upper case.
 */

/** The suffix after the first eight digits of every type that HAP itself defines. */
const BASE_SUFFIX = '-0000-1000-8000-0026BB765291';

/** Digits before the base: `00000025`. */
const SHORT_DIGITS = 8;

/** @param text short or long, any case. Any other text is returned trimmed and in upper case, and matches no type. */
export function canonicalType(text: string): string {
  const upper = text.trim().toUpperCase();
  if (isShort(upper)) return withoutLeadingZeros(upper);
  const head = upper.slice(0, SHORT_DIGITS);
  const isOnBase = upper.length === SHORT_DIGITS + BASE_SUFFIX.length && upper.endsWith(BASE_SUFFIX) && isShort(head);
  return isOnBase ? withoutLeadingZeros(head) : upper;
}

/** The full UUID, upper case, of a canonical type. */
export function fullUuid(canonical: string): string {
  return isShort(canonical) ? canonical.padStart(SHORT_DIGITS, '0') + BASE_SUFFIX : canonical;
}

function isShort(text: string): boolean {
  if (text.length === 0 || text.length > SHORT_DIGITS) return false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    const isHexDigit = (code >= 48 && code <= 57) || (code >= 65 && code <= 70);
    if (!isHexDigit) return false;
  }
  return true;
}

function withoutLeadingZeros(hex: string): string {
  let start = 0;
  while (start < hex.length - 1 && hex[start] === '0') start += 1;
  return hex.slice(start);
}
