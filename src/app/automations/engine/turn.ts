/**
 * Lets everything else in the house have its turn while automations have much to do. Steps that wait for nothing follow each other
 * without the event loop ever coming by; thousands of them, each with an expression, would keep devices and requests waiting for
 * seconds. One for all runs.
 */
import { setImmediate as comeRound } from 'node:timers/promises';
import type { Clock } from '../../../kernel/clock.ts';

/** Of the event loop: what an event makes automations do at once is over long before that. */
const LONGEST_TURN_MS = 20;

export class Turn {
  readonly #clock: Clock;
  /** Monotonic: when automations were first asked in this turn of the event loop. */
  #beganAt: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Asked before each step. @returns what to wait for first, where this turn has lasted long enough; mostly nothing */
  pause(): Promise<void> | undefined {
    const now = this.#clock.monotonic();
    if (this.#beganAt === undefined) {
      this.#beganAt = now;
      setImmediate(() => {
        this.#beganAt = undefined;
      });
    }
    return now - this.#beganAt < LONGEST_TURN_MS ? undefined : comeRound();
  }
}
