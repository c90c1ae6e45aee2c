/** Places the marks of a plot, and the labels of those that have room for one. */
import type { Bounds } from './plot-data.ts';

/** A moment that is marked across the plot. */
export interface PlotMark {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Beside its line, which stands out then. */
  readonly label: string | null;
}

interface PlacedMark {
  /** Its place across the plot, from 0 to 1. */
  readonly share: number;
  readonly isStrong: boolean;
  /** None for want of room: newer marks come first. */
  readonly label: string | undefined;
  /** The label stands before the line. */
  readonly isLate: boolean;
}

/** Of a version, across a phone. */
const LABEL_SHARE = 0.24;

export function placeMarks(marks: readonly PlotMark[], { from, to }: Bounds): readonly PlacedMark[] {
  const taken: number[] = [];
  const placed = marks
    .filter(({ at }) => at >= from && at <= to)
    .toSorted((a, b) => b.at - a.at)
    .map(({ at, label }): PlacedMark => {
      const share = (at - from) / (to - from);
      const isLate = share > 1 - LABEL_SHARE;
      const start = isLate ? share - LABEL_SHARE : share;
      const hasRoom = label !== null && taken.every((other) => Math.abs(other - start) >= LABEL_SHARE);
      if (hasRoom) taken.push(start);
      return { share, isStrong: label !== null, label: hasRoom ? label : undefined, isLate };
    });
  return placed.reverse();
}
