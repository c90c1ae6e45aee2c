/**
 * Lets a bounded number of sessions do their key exchange at the same time. After a power cut a whole house comes back at once; the
 * gate keeps the event loop free for people meanwhile. A device that does not answer gives its place up soon, so that stuck devices
 * delay no others.
 */
import type { Clock } from '../../kernel/clock.ts';

const PLACES = 16;
/** An exchange takes some 10 ms of waiting and 1 ms of work; whoever takes this long is waiting for a stuck device. */
const LONGEST_HOLD_MS = 1_000;

export class ConnectGate {
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(clock: Clock, places = PLACES) {
    this.#clock = clock;
    this.#free = places;
  }

  /** Runs `work` once there is a place. */
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
    const cancel = this.#clock.after(LONGEST_HOLD_MS, release);
    return release;
  }
}
