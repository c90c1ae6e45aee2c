/**
 * Yields to the event loop while automations have much to do. Steps that wait for nothing run without a turn of the
 * event loop; thousands of them, each with an expression, would block devices and requests for seconds. One instance
 * for all runs.
 */
import { setImmediate as comeRound } from 'node:timers/promises';

/** Per turn of the event loop: an event's automations normally need far less. */
const MAX_TURN_MS = 20;

export class StepYield {
  /** When automations first ran in this turn of the event loop: real time, independent of the home's clock. */
  #beganAt: number | undefined;

  /** Called before each step. @returns what to wait for first, if this turn has lasted long enough; usually nothing */
  pause(): Promise<void> | undefined {
    const now = performance.now();
    if (this.#beganAt === undefined) {
      this.#beganAt = now;
      setImmediate(() => {
        this.#beganAt = undefined;
      });
    }
    return now - this.#beganAt < MAX_TURN_MS ? undefined : comeRound();
  }
}
