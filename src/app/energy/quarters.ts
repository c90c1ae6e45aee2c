/** Energy is kept in milliwatt-hours for each quarter of an hour (UTC). Whole numbers add up exactly. */

export const QUARTER_MS = 15 * 60_000;
export const HOUR_MS = 4 * QUARTER_MS;
export const MWH_PER_KWH = 1_000_000;

/** Energy by the start of its quarter of an hour, in milliwatt-hours. */
export type Quarters = Map<number, number>;

export function floorToQuarter(at: number): number {
  return Math.floor(at / QUARTER_MS) * QUARTER_MS;
}

export function add(quarters: Quarters, start: number, mwh: number): void {
  if (mwh !== 0) quarters.set(start, (quarters.get(start) ?? 0) + mwh);
}

/** The parts of a stretch of time that lie in different quarters. */
export function* partsOf(from: number, to: number): Generator<{ readonly start: number; readonly ms: number }> {
  for (let at = from; at < to; ) {
    const start = floorToQuarter(at);
    const end = Math.min(to, start + QUARTER_MS);
    yield { start, ms: end - at };
    at = end;
  }
}

/**
 * Distributes a whole number over quarters by their weights. The parts are whole numbers, and their sum is exact.
 * @param weights at least one, with a positive sum.
 */
export function distribute(mwh: number, weights: Iterable<readonly [start: number, weight: number]>): Quarters {
  const list = [...weights];
  const sum = list.reduce((total, [, weight]) => total + weight, 0);
  const quarters: Quarters = new Map();
  let weightDone = 0;
  let done = 0;
  for (const [index, [start, weight]] of list.entries()) {
    weightDone += weight;
    const until = index === list.length - 1 ? mwh : Math.min(mwh, Math.round((mwh * weightDone) / sum));
    add(quarters, start, until - done);
    done = until;
  }
  return quarters;
}
