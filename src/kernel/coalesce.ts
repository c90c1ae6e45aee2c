import type { Clock } from './clock.ts';

/**
 * Throttles notifications of frequent changes to one per key and interval. The first change notifies at once; later
 * changes within the interval notify once, at its end. The last change always notifies.
 */
export class Coalescer<K> {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #notify: (key: K) => void;
  /** The keys notified within the interval, and whether they changed again since. */
  readonly #recent = new Map<K, { isDue: boolean; readonly cancel: () => void }>();

  constructor(clock: Clock, intervalMs: number, notify: (key: K) => void) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
    this.#notify = notify;
  }

  changed(key: K): void {
    const recent = this.#recent.get(key);
    if (recent) recent.isDue = true;
    else this.#announce(key);
  }

  /** Drops pending notifications. */
  stop(): void {
    for (const { cancel } of this.#recent.values()) cancel();
    this.#recent.clear();
  }

  #announce(key: K): void {
    const cancel = this.#clock.after(this.#intervalMs, () => {
      const isDue = this.#recent.get(key)?.isDue;
      this.#recent.delete(key);
      if (isDue) this.#announce(key);
    });
    this.#recent.set(key, { isDue: false, cancel });
    this.#notify(key);
  }
}
