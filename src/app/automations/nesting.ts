/**
 * Limits the nesting of external input: a few kilobytes can be nested so deep that a recursive traversal, or
 * conversion to JSON, overflows the stack.
 */

/** The same depth as for the JSON in a flow. */
const DEEPEST = 50;

/** Whether the lists and objects of a JSON value are nested deeper than allowed. Visits no deeper levels. */
export function isTooDeep(value: unknown, levels = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels <= 0 || Object.values(value).some((item) => isTooDeep(item, levels - 1));
}
