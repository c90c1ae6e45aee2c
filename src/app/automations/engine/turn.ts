/**
 * Lets everything else in the house have its turn while automations have much to do. Steps that wait for nothing follow each other
 * without the event loop ever coming by; thousands of them, each with an expression, would keep devices and requests waiting for
 * seconds. One for all runs.
 */
import { setImmediate as comeRound } from 'node:timers/promises';

/** Of the event loop: what an event makes automations do at once is over long before that. */
const LONGEST_TURN_MS = 20;

export class Turn {
  /** When automations were first asked in this turn of the event loop: by the processor's time, whatever time it is in the house. */
  #beganAt: number | undefined;

  /** Asked before each step. @returns what to wait for first, where this turn has lasted long enough; mostly nothing */
  pause(): Promise<void> | undefined {
    const now = performance.now();
    if (this.#beganAt === undefined) {
      this.#beganAt = now;
      setImmediate(() => {
        this.#beganAt = undefined;
      });
    }
    return now - this.#beganAt < LONGEST_TURN_MS ? undefined : comeRound();
  }
}
