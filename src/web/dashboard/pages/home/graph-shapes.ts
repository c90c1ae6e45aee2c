/** The shapes of a tile's graph, in percent of its width and height. */

import type { Band, Bounds, Columns } from '../history/plot-data.ts';
import { isRestingState } from '../history/resting-states.ts';

/** Room for the line's own width. */
const EDGE = 4;

/** The line through all values of the first column; a value that does not change is drawn in the middle. */
export function linePoints({ times, values: [values = []] }: Columns, { from, to }: Bounds): string {
  const known = values.filter((value) => value !== undefined);
  const [least, greatest] = [Math.min(...known), Math.max(...known)];
  const heightOf = (value: number) =>
    greatest === least ? 50 : 100 - EDGE - ((value - least) / (greatest - least)) * (100 - 2 * EDGE);
  return times
    .flatMap((time, index) => {
      const value = values[index];
      return value === undefined ? [] : [`${rounded(percent(time * 1000, from, to))},${rounded(heightOf(value))}`];
    })
    .join(' ');
}

export interface BandRect {
  readonly x: number;
  readonly width: number;
  /** Off, closed, nothing detected. */
  readonly isResting: boolean;
}

export function bandRects(bands: readonly Band[], { from, to }: Bounds): readonly BandRect[] {
  return bands.map((band) => ({
    x: rounded(percent(band.from, from, to)),
    width: rounded(percent(band.to, from, to) - percent(band.from, from, to)),
    isResting: isRestingState(band.word),
  }));
}

function percent(at: number, from: number, to: number): number {
  return ((at - from) / (to - from)) * 100;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
