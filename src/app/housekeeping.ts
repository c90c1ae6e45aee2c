/**
 * What must be done now and then and never soon: letting go of what is old. Tasks run one after the other, every night, and once
 * some minutes after the start, for computers that are off at night. What a task does is its owner's business; one that fails
 * harms nobody and is due again the next time.
 */
import type { Clock } from '../kernel/clock.ts';
import { messageOf } from '../kernel/errors.ts';
import type { Startable } from '../kernel/lifecycle.ts';
import type { Logger } from '../kernel/logger.ts';

/** A start is busy enough without it. */
const FIRST_RUN_MS = 5 * 60_000;
/** 03:41 UTC: night where most of its users live, and not the moment at which every other program cleans up. */
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
        this.#logger.error({ error: messageOf(error) }, 'Housekeeping can’t be planned until the next start'),
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

  /** Does everything now. Called while it works, it waits for that work. Never throws. */
  run(): Promise<void> {
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #settle(): Promise<void> {
    // Loaded here, when the start is over.
    const { schedule } = await import('node-cron');
    if (this.#isStopped) return;
    this.#nightly = schedule(EVERY_NIGHT, () => this.run(), {
      timezone: 'UTC',
      noOverlap: true,
      unref: true,
      logger: this.#cronLogger(),
      // A computer that slept through it does it the next night; there is no need to say so.
      suppressMissedWarning: true,
    });
    await this.run();
  }

  /** What the library says would go to the console otherwise. */
  #cronLogger() {
    const say = (message: string | Error): void => this.#logger.warn({ error: messageOf(message) }, 'Housekeeping');
    return { info() {}, debug() {}, warn: say, error: say };
  }

  async #work(): Promise<void> {
    for (const { name, run } of this.#tasks) {
      if (this.#isStopped) return;
      try {
        await run();
      } catch (error) {
        this.#logger.warn(
          { task: name, error: messageOf(error) },
          'Housekeeping failed; it is tried again the next night',
        );
      }
    }
  }
}
