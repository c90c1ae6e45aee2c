/**
 * Groups in the order in which the keys first occur. (Some supported browsers and Node versions lack `Map.groupBy`.)
 */
export function groupBy<T>(items: Iterable<T>, keyOf: (item: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}
