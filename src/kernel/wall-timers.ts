/**
 * Deadlines on the wall clock, kept with a clock whose own timers follow monotonic time. However many are set, there is one real
 * timer: it looks when the next deadline is due, and at least once a second, so that a wall clock that is set, or a machine that
 * wakes from sleep, is noticed. Nothing runs while nothing is set and nobody listens for jumps.
 *
 * Some deadlines are moments ("at seven"): they stay where they are, whatever the clock does. Others end something that lasts a
 * while ("for four minutes") and have `moved`: when the clock is set back, they go back with it, so that it takes no longer. A
 * clock set forward can't be told from a machine that slept, and ends them.
 */
import type { Clock } from './clock.ts';
import { type Deadline, Deadlines } from './deadlines.ts';
import { messageOf } from './errors.ts';
import type { Logger } from './logger.ts';

/** How late a clock that was set is noticed at most. */
const LOOK_EVERY_MS = 1_000;

/** NTP slews a clock by less than this between two looks; what differs by more has been set. */
const JUMP_TOLERANCE_MS = 500;

export interface WallTimer {
  /** It is due; it has been forgotten before this is called. */
  due(now: number): void;
  /** For what lasts a while, not until a moment: the wall clock was set back, and its deadline moved along to this. */
  moved?(dueAt: number): void;
}

interface Entry extends Deadline {
  readonly timer: WallTimer;
}

export interface WallTimersParts {
  readonly clock: Clock;
  /** Told when a timer or a listener throws, which harms no other. */
  readonly logger?: Logger;
}

export class WallTimers {
  readonly #clock: Clock;
  readonly #logger: Logger | undefined;
  readonly #deadlines = new Deadlines<Entry>();
  /** Due, and not dealt with yet. */
  readonly #due = new Set<Entry>();
  readonly #jumpListeners = new Set<(byMs: number) => void>();
  #turn = 0;
  /** The one real timer. */
  #armed: { readonly at: number; readonly cancel: () => void } | undefined;
  /** When both clocks were compared last; `undefined` while nothing depends on it. */
  #seen: { readonly wall: number; readonly monotonic: number } | undefined;

  constructor({ clock, logger }: WallTimersParts) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** The wall time, after whatever has become of the clock since the last look has been dealt with. */
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
   * Never calls back before it has returned, even if it is due already.
   * @param dueAt milliseconds since the epoch
   * @returns the function that cancels it
   */
  set(dueAt: number, timer: WallTimer): () => void {
    // Before it is added, for what the clock did until now is none of its business.
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
   * The wall clock was set, or the computer slept: by how much it differs from what had to be expected, in milliseconds, negative
   * where it was set back. Within a second of it, after the deadlines that go back with the clock have moved, and before anything
   * that is due by the new time.
   * @returns the function that ends it
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

  /** Looks at once: what is due, is dealt with before anything else is done. @returns the wall time */
  look(): number {
    const now = this.now();
    for (const entry of this.#deadlines.takeDue(now)) this.#due.add(entry);
    // What is set meanwhile waits for the next look, so that nothing can keep this one from ending.
    for (const entry of this.#due) {
      this.#due.delete(entry);
      const { timer } = entry;
      this.#guarded('A timer failed', () => timer.due(now));
    }
    this.#arm();
    return now;
  }

  /** Forgets every timer. */
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

  /** Sees to it that the real timer runs no later than needed, and not at all where nothing needs it. */
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
