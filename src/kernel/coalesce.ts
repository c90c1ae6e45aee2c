import type { Clock } from './clock.ts';

/**
 * Tells of things that change often, each at most once in an interval: at once where it was quiet, else together with whatever follows until
 * the interval is over. The last change is always told.
 */
export class Coalescer<K> {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #tell: (key: K) => void;
  /** Those told within the interval, and whether they changed again since. */
  readonly #recent = new Map<K, { isDue: boolean; readonly cancel: () => void }>();

  constructor(clock: Clock, intervalMs: number, tell: (key: K) => void) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
    this.#tell = tell;
  }

  changed(key: K): void {
    const recent = this.#recent.get(key);
    if (recent) recent.isDue = true;
    else this.#announce(key);
  }

  /** What is due is told no more. */
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
    this.#tell(key);
  }
}
