import type { Clock } from '../../kernel/clock.ts';

/** Something to wait for that may happen now, later, again, or never. */
export class Signal {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  /** It has happened and nobody has attended to it yet. */
  raised = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  raise(): void {
    this.raised = true;
    this.pulse();
  }

  lower(): void {
    this.raised = false;
  }

  /** Wakes those who wait now, and nobody who comes later. */
  pulse(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  /** Resolves once it is raised or pulsed, or when `ms` are over. */
  wait(ms?: number): Promise<void> {
    if (this.raised) return Promise.resolve();
    return new Promise((resolve) => {
      let cancel = (): void => {};
      const wake = (): void => {
        cancel();
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
      if (ms !== undefined) cancel = this.#clock.after(ms, wake);
    });
  }
}
