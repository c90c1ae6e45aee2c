/** Waits of a run. All of them end at once where the run is ended early. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Lives } from './lives.ts';

const LOOK_EVERY_MS = 100;

export class Waiting {
  readonly #lives: Lives;
  readonly #signal: AbortSignal;

  constructor(lives: Lives, signal: AbortSignal) {
    this.#lives = lives;
    this.#signal = signal;
  }

  get isCutShort(): boolean {
    return this.#signal.aborted;
  }

  async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#signal }).catch(() => {});
  }

  /** Asks until it is so; what fails meanwhile is asked again. @returns whether it came in time */
  async comes(ask: () => Promise<boolean>, withinMs: number): Promise<boolean> {
    const until = performance.now() + withinMs;
    while (!this.#signal.aborted && performance.now() < until) {
      await this.#lives.up;
      if (await ask().catch(() => false)) return true;
      await this.pause(LOOK_EVERY_MS);
    }
    return false;
  }
}
