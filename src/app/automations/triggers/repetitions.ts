import type { CharacteristicValue } from '../../../home/model.ts';
import type { Clock } from '../../../kernel/clock.ts';

/** Within it a group that shows the same value again has not done so twice (wire-facts §6.5). */
const SAME_WITHIN_MS = 12_000;

/** Tells whether a value is one that was told a moment ago: a group flickers while its members follow one after the other. */
export class Repetitions {
  readonly #clock: Clock;
  /** Value → when it was told, oldest first; by the monotonic clock. */
  readonly #told = new Map<CharacteristicValue, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A repetition does not begin the time anew, so that what never rests is told now and then. */
  isRepeated(value: CharacteristicValue): boolean {
    const now = this.#clock.monotonic();
    for (const [told, at] of this.#told) {
      if (now - at <= SAME_WITHIN_MS) break;
      this.#told.delete(told);
    }
    if (this.#told.has(value)) return true;
    this.#told.set(value, now);
    return false;
  }
}
