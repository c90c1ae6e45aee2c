/**
 * How deep what comes from outside may be nested: a few kilobytes can be so deep that whoever walks them, or writes them as JSON, runs
 * out of stack.
 */

/** As deep as the JSON in a flow itself. */
const DEEPEST = 50;

/** Whether a JSON value has lists and objects within one another deeper than is taken. Looks no deeper itself. */
export function isTooDeep(value: unknown, levels = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels <= 0 || Object.values(value).some((item) => isTooDeep(item, levels - 1));
}
