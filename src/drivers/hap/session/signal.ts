import type { Clock } from '../../../kernel/clock.ts';

/** A condition to wait for, which may occur now, later, repeatedly, or never. */
export class Signal {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  /** The condition occurred and has not been handled yet. */
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

  /** Wakes the current waiters only. */
  pulse(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  /** Resolves when the signal is raised or pulsed, or after `ms`. */
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
