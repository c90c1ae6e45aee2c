import type { CharacteristicValue } from '../../../home/model.ts';
import type { Clock } from '../../../kernel/clock.ts';

/** Within this time, a group that returns to the same value counts only once (wire-facts §6.5). */
const SAME_WITHIN_MS = 12_000;

/**
 * Detects a value that was reported a moment ago: a group's value flickers while its members change one after the
 * other. It compares with the last reported value only, so that the last report is the final value.
 */
export class Repetitions {
  readonly #clock: Clock;
  /** By the monotonic clock. */
  #lastFired: { readonly value: CharacteristicValue; readonly at: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A repetition does not restart the period, so that a value that keeps repeating is still reported now and then. */
  isRepeated(value: CharacteristicValue): boolean {
    const at = this.#clock.monotonic();
    if (this.#lastFired?.value === value && at - this.#lastFired.at <= SAME_WITHIN_MS) return true;
    this.#lastFired = { value, at };
    return false;
  }
}
