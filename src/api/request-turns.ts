/**
 * Schedules when requests begin. A request begins immediately while the event loop has time for it. Under a flood
 * requests wait here, and peers take turns: one request of each network address after the other, a few in each turn of
 * the event loop. Timers, devices and the other peers get their time in between.
 */
import { performance } from 'node:perf_hooks';

/** Requests begin immediately during the first milliseconds of a turn of the event loop. */
const IMMEDIATE_MS = 8;
/** Under a flood: the time that the requests of one turn may take to begin. Their work after an `await` is extra. */
const BATCH_MS = 2;
const MAX_BATCH = 6;

type Start = () => void;

export class RequestTurns {
  /** Waiting requests, by address. The first address has the next turn. */
  readonly #waiting = new Map<string, Start[]>();
  /** When the first request of this turn of the event loop began, by the monotonic clock. */
  #turnBeganAt: number | undefined;
  /** How long the event loop had been idle by then. */
  #idleMs = -1;
  #awaitsEnd = false;
  readonly #nextTurn = (): void => {
    this.#turnBeganAt = undefined;
    this.#awaitsEnd = false;
    if (this.#waiting.size > 0) this.#startBatch();
  };

  /** @param key identifies the peer: peers with the same key share their turns */
  take(key: string, start: Start): void {
    if (this.#waiting.size === 0 && this.#hasTime()) {
      start();
      return;
    }
    const others = this.#waiting.get(key);
    if (others) others.push(start);
    else this.#waiting.set(key, [start]);
  }

  /** For expensive work in the middle of a request. @returns `undefined` if it may continue at once */
  wait(key: string): Promise<void> | undefined {
    if (this.#waiting.size === 0 && this.#hasTime()) return undefined;
    return new Promise((resolve) => this.take(key, resolve));
  }

  #hasTime(): boolean {
    const now = performance.now();
    const idleMs = performance.nodeTiming.idleTime;
    if (idleMs !== this.#idleMs) {
      // The event loop had nothing to do meanwhile: this is another turn, and waiting for its end would cost one more.
      this.#idleMs = idleMs;
      this.#turnBeganAt = now;
      return true;
    }
    if (this.#turnBeganAt === undefined) {
      this.#beginTurn(now);
      return true;
    }
    this.#awaitEnd();
    return now - this.#turnBeganAt < IMMEDIATE_MS;
  }

  #beginTurn(now: number): void {
    this.#turnBeganAt = now;
    this.#awaitEnd();
  }

  #awaitEnd(): void {
    if (this.#awaitsEnd) return;
    this.#awaitsEnd = true;
    setImmediate(this.#nextTurn);
  }

  #startBatch(): void {
    const began = performance.now();
    this.#beginTurn(began);
    for (let count = 0; count < MAX_BATCH && performance.now() - began < BATCH_MS; count += 1) {
      const start = this.#shift();
      if (!start) return;
      start();
    }
  }

  #shift(): Start | undefined {
    const [first] = this.#waiting;
    if (!first) return undefined;
    const [key, starts] = first;
    const start = starts.shift();
    // The address moves to the end of the queue.
    this.#waiting.delete(key);
    if (starts.length > 0) this.#waiting.set(key, starts);
    return start;
  }
}
