/**
 * Runs periodic clean-up tasks. They run one after the other, every night, and once some minutes after the start, for
 * computers that are off at night. A failed task does no harm and runs again the next time.
 */
import type { Clock } from '../kernel/clock.ts';
import { messageOf } from '../kernel/errors.ts';
import type { Startable } from '../kernel/lifecycle.ts';
import type { Logger } from '../kernel/logger.ts';

/** Delayed because start-up is busy. */
const FIRST_RUN_MS = 5 * 60_000;
/** 03:41 UTC: night for most users, and not the time at which other programs clean up. */
const EVERY_NIGHT = '41 3 * * *';

interface Task {
  readonly name: string;
  run(): Promise<void> | void;
}

export class Housekeeping implements Startable {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #tasks: Task[] = [];
  #cancelFirst: (() => void) | undefined;
  #nightly: { destroy(): Promise<void> | void } | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor({ clock, logger }: { clock: Clock; logger: Logger }) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** @param name for the log. */
  add(name: string, run: () => Promise<void> | void): void {
    this.#tasks.push({ name, run });
  }

  start(): void {
    this.#isStopped = false;
    this.#cancelFirst = this.#clock.after(FIRST_RUN_MS, () => {
      this.#settle().catch((error: unknown) =>
        this.#logger.error({ error: messageOf(error) }, 'Cannot schedule housekeeping until the next start'),
      );
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelFirst?.();
    await this.#nightly?.destroy();
    this.#nightly = undefined;
    await this.#running;
  }

  /** Runs all tasks now. If a run is in progress, waits for it. Never throws. */
  run(): Promise<void> {
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #settle(): Promise<void> {
    // Imported here, after the start.
    const { schedule } = await import('node-cron');
    if (this.#isStopped) return;
    this.#nightly = schedule(EVERY_NIGHT, () => this.run(), {
      timezone: 'UTC',
      noOverlap: true,
      unref: true,
      logger: this.#cronLogger(),
      // A computer that was asleep runs the tasks the next night; a warning is unnecessary.
      suppressMissedWarning: true,
    });
    await this.run();
  }

  /** Redirects the library's messages, which would otherwise go to the console. */
  #cronLogger() {
    const warn = (message: string | Error): void =>
      this.#logger.warn({ error: messageOf(message) }, 'The housekeeping schedule failed');
    return { info() {}, debug() {}, warn, error: warn };
  }

  async #work(): Promise<void> {
    for (const { name, run } of this.#tasks) {
      if (this.#isStopped) return;
      try {
        await run();
      } catch (error) {
        this.#logger.warn({ task: name, error: messageOf(error) }, 'Housekeeping failed; it runs again the next night');
      }
    }
  }
}
