import type { CharacteristicValue } from '../../../home/model.ts';
import type { Clock } from '../../../kernel/clock.ts';

/** Within it a group that comes to the same value again has not done so twice (wire-facts §6.5). */
const SAME_WITHIN_MS = 12_000;

/**
 * Tells whether a value is the one that was told a moment ago: a group flickers while its members follow one after the other. Only the
 * last one counts, so that whoever is told of every change ends with what is so.
 */
export class Repetitions {
  readonly #clock: Clock;
  /** By the monotonic clock. */
  #told: { readonly value: CharacteristicValue; readonly at: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A repetition does not begin the time anew, so that what never rests is told now and then. */
  isRepeated(value: CharacteristicValue): boolean {
    const at = this.#clock.monotonic();
    if (this.#told?.value === value && at - this.#told.at <= SAME_WITHIN_MS) return true;
    this.#told = { value, at };
    return false;
  }
}
