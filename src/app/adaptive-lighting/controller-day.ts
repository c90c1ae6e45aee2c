import type { DayColour } from '../../home/adaptive-lighting/curve.ts';

/** A day that a controller wrote for a lamp. It counts instead of the home's while it lasts. */
export interface ControllerDay {
  /** Names it: another day is another key. */
  readonly key: string;
  readonly endsAt: number;
  colourAt(atMs: number): DayColour;
  /** Someone set another colour or switched it off, another day replaced it, its time is over, or the lamp is gone. */
  onEnd(): void;
}
