/**
 * Deadlines on the wall clock, on top of a clock whose timers follow monotonic time. All deadlines share one real
 * timer. It checks when the next deadline is due, and at least once a second, so that it notices a changed wall clock
 * or a wake-up from sleep. Without deadlines and jump listeners no timer runs.
 *
 * Some deadlines are times ("at seven"): they do not move with the clock. Others end a duration ("for four minutes")
 * and have `moved`: when the clock is set back, they move back with it, so that the duration does not get longer. A
 * clock set forward looks like sleep, and ends them.
 */
import type { Clock } from './clock.ts';
import { type Deadline, Deadlines } from './deadlines.ts';
import { messageOf } from './errors.ts';
import type { Logger } from './logger.ts';

/** The maximum delay before a clock change is noticed. */
const LOOK_EVERY_MS = 1_000;

/** NTP slews a clock by less than this between two checks; a larger difference means that the clock was set. */
const JUMP_TOLERANCE_MS = 500;

export interface WallTimer {
  /** The deadline is due; the timer is removed before this call. */
  due(now: number): void;
  /** For durations, not for times: the wall clock was set back, and the deadline moved to this time. */
  moved?(dueAt: number): void;
}

interface Entry extends Deadline {
  readonly timer: WallTimer;
}

export interface WallTimersDeps {
  readonly clock: Clock;
  /** Logs errors of timers and listeners, which do not affect the others. */
  readonly logger?: Logger;
}

export class WallTimers {
  readonly #clock: Clock;
  readonly #logger: Logger | undefined;
  readonly #deadlines = new Deadlines<Entry>();
  /** Due but not processed yet. */
  readonly #due = new Set<Entry>();
  readonly #jumpListeners = new Set<(byMs: number) => void>();
  #turn = 0;
  /** The one real timer. */
  #armed: { readonly at: number; readonly cancel: () => void } | undefined;
  /** The last comparison of both clocks; `undefined` while it is not needed. */
  #seen: { readonly wall: number; readonly monotonic: number } | undefined;

  constructor({ clock, logger }: WallTimersDeps) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** The wall time, after processing any clock change since the last check. */
  now(): number {
    const seen = { wall: this.#clock.now(), monotonic: this.#clock.monotonic() };
    const before = this.#seen;
    if (!before) return seen.wall;
    this.#seen = seen;
    const byMs = Math.round(seen.wall - before.wall - (seen.monotonic - before.monotonic));
    if (Math.abs(byMs) > JUMP_TOLERANCE_MS) this.#jumped(byMs);
    return seen.wall;
  }

  /**
   * Never calls back before it returns, even if the timer is due already.
   * @param dueAt milliseconds since the epoch
   * @returns the function that cancels it
   */
  set(dueAt: number, timer: WallTimer): () => void {
    // Before the timer is added, because earlier clock changes do not concern it.
    this.now();
    const entry: Entry = { dueAt, timer, turn: this.#turn++, place: -1 };
    this.#deadlines.add(entry);
    this.#arm();
    return () => {
      this.#deadlines.delete(entry);
      this.#due.delete(entry);
      if (this.#isIdle) this.#arm();
    };
  }

  /**
   * Reports that the wall clock was set or the computer slept: the difference from the expected time in milliseconds,
   * negative if the clock was set back. Called within a second, after the deadlines that move with the clock have
   * moved, and before any timer that is due at the new time.
   * @returns a function that ends the subscription
   */
  onJump(listener: (byMs: number) => void): () => void {
    this.now();
    const entry = (byMs: number): void => listener(byMs);
    this.#jumpListeners.add(entry);
    this.#arm();
    return () => {
      this.#jumpListeners.delete(entry);
      if (this.#isIdle) this.#arm();
    };
  }

  /** Checks now: processes all due timers before it returns. @returns the wall time */
  look(): number {
    const now = this.now();
    for (const entry of this.#deadlines.takeDue(now)) this.#due.add(entry);
    // Timers set in the meantime wait for the next check, so that this loop always ends.
    for (const entry of this.#due) {
      this.#due.delete(entry);
      const { timer } = entry;
      this.#guarded('A timer failed', () => timer.due(now));
    }
    this.#arm();
    return now;
  }

  /** Removes every timer. */
  stop(): void {
    this.#deadlines.clear();
    this.#due.clear();
    this.#jumpListeners.clear();
    this.#arm();
  }

  get #isIdle(): boolean {
    return this.#deadlines.size === 0 && this.#due.size === 0 && this.#jumpListeners.size === 0;
  }

  #jumped(byMs: number): void {
    if (byMs < 0) this.#setBack(-byMs);
    for (const listener of [...this.#jumpListeners]) {
      this.#guarded('A listener for a changed clock failed', () => listener(byMs));
    }
    this.#arm();
  }

  #setBack(byMs: number): void {
    const moved = this.#deadlines.move((entry) => {
      if (!entry.timer.moved) return false;
      entry.dueAt -= byMs;
      return true;
    });
    for (const { timer, dueAt } of moved) this.#guarded('A timer failed', () => timer.moved?.(dueAt));
  }

  /** Ensures that the real timer runs no later than needed, and not at all if nothing needs it. */
  #arm(): void {
    if (this.#isIdle) {
      this.#armed?.cancel();
      this.#armed = undefined;
      this.#seen = undefined;
      return;
    }
    const monotonic = this.#clock.monotonic();
    this.#seen ??= { wall: this.#clock.now(), monotonic };
    const untilDue = (this.#deadlines.next?.dueAt ?? Number.POSITIVE_INFINITY) - this.#clock.now();
    const delay = Math.min(Math.max(untilDue, 0), LOOK_EVERY_MS);
    if (this.#armed && this.#armed.at <= monotonic + delay) return;
    this.#armed?.cancel();
    const cancel = this.#clock.after(delay, () => {
      this.#armed = undefined;
      this.look();
    });
    this.#armed = { at: monotonic + delay, cancel };
  }

  #guarded(failure: string, act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#logger?.error({ error: messageOf(error) }, failure);
    }
  }
}
