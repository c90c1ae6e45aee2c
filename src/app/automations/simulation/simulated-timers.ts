import { messageOf } from '../../../kernel/errors.ts';
import type { Logger } from '../../../kernel/logger.ts';
import { type WallTimer, WallTimers } from '../../../kernel/wall-timers.ts';
import type { SimulatedClock } from './simulated-clock.ts';

/**
 * Deadlines of a dry run. Its clock is never set and never sleeps, so the check each second for clock changes is not
 * needed: thirty days would be millions of checks. Every deadline is a moment of the clock.
 */
export class SimulatedTimers extends WallTimers {
  readonly #clock: SimulatedClock;
  readonly #logger: Logger;

  constructor({ clock, logger }: { clock: SimulatedClock; logger: Logger }) {
    super({ clock, logger });
    this.#clock = clock;
    this.#logger = logger;
  }

  override now(): number {
    return this.#clock.now();
  }

  override set(dueAt: number, timer: WallTimer): () => void {
    return this.#clock.at(dueAt, () => {
      try {
        timer.due(this.#clock.now());
      } catch (error) {
        this.#logger.error({ error: messageOf(error) }, 'A timer failed');
      }
    });
  }

  override onJump(): () => void {
    return () => {};
  }

  override look(): number {
    return this.#clock.now();
  }
}
