/**
 * Where an arrow key leads in a grid whose columns depend on its width.
 * @param from the index of the focused item; -1 if none is
 * @param tops the vertical position of each item: items of one line have the same
 * @returns the index of the item to focus; nothing for other keys, and at the edges
 */
export function targetAt(key: string, from: number, tops: readonly number[]): number | undefined {
  const columns = tops.filter((top) => top === tops[0]).length;
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -columns,
    ArrowDown: columns,
    Home: -from,
    End: tops.length - 1 - from,
  };
  const step = steps[key];
  if (step === undefined || from < 0) return undefined;
  const target = from + step;
  return target >= 0 && target < tops.length ? target : undefined;
}
