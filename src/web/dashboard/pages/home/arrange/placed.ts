/** Where tiles go when they are dropped. */

/** The list with `id` beside another of its ids; at the end if that is not there. */
export function placed(ids: readonly string[], id: string, targetId: string, isAfter: boolean): readonly string[] {
  if (id === targetId) return ids;
  const others = ids.filter((other) => other !== id);
  const at = others.indexOf(targetId);
  return at === -1 ? [...others, id] : others.toSpliced(isAfter ? at + 1 : at, 0, id);
}

/** The tile one place before or after it among those that are displayed. */
export function tileBeside(shown: readonly string[], id: string, by: 1 | -1): string | undefined {
  const at = shown.indexOf(id);
  return at === -1 ? undefined : shown[at + by];
}
