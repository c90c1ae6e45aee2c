/**
 * Limits the number of concurrent key exchanges. After a power cut all devices of a home reconnect at once; the limit
 * keeps the event loop responsive for API requests. A device that does not answer loses its slot soon, so that it does
 * not delay others.
 */
import type { Clock } from '../../../kernel/clock.ts';

const PLACES = 16;
/** An exchange takes some 10 ms of waiting and 1 ms of work; one that takes this long waits for a stuck device. */
const MAX_HOLD_MS = 1_000;

export class ConnectGate {
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(clock: Clock, places = PLACES) {
    this.#clock = clock;
    this.#free = places;
  }

  /** Runs `work` when a slot is free. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const release = this.#holdPlace();
    try {
      return await work();
    } finally {
      release();
    }
  }

  #holdPlace(): () => void {
    let held = true;
    const release = (): void => {
      if (!held) return;
      held = false;
      cancel();
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    };
    const cancel = this.#clock.after(MAX_HOLD_MS, release);
    return release;
  }
}
