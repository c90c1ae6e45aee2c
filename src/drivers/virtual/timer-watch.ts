/**
 * Watches the deadlines of timers, which are wall-clock times, with a clock whose own timers follow monotonic time. It looks when
 * the next one is due and at least once a second while any runs, so that a wall clock that is set forward, or a machine that
 * wakes from sleep, ends what has come due meanwhile. Nothing runs while no timer does.
 */
import type { Clock } from '../../kernel/clock.ts';

/** How late a clock that was set is noticed at most. */
const LOOK_EVERY_MS = 1_000;

/** NTP slews a clock by less than this between two looks; what goes back further has been set. */
const SET_BACK_TOLERANCE_MS = 500;

export interface TimerWatchParts {
  readonly clock: Clock;
  /** Some timers are due: they are forgotten here before this is called. */
  readonly due: (sources: readonly string[], now: number) => void;
  /** The wall clock was set back by so much: every deadline is to be moved by it. They have been here. */
  readonly setBack: (byMs: number) => void;
}

export class TimerWatch {
  readonly #parts: TimerWatchParts;
  /** Source → when it is due. */
  readonly #deadlines = new Map<string, number>();
  #cancel: (() => void) | undefined;
  /** When both clocks were compared last. */
  #seen: { readonly wall: number; readonly monotonic: number } | undefined;

  constructor(parts: TimerWatchParts) {
    this.#parts = parts;
  }

  /** The wall time, after whatever has become of the clock since the last look has been dealt with. */
  now(): number {
    const { clock } = this.#parts;
    const seen = { wall: clock.now(), monotonic: clock.monotonic() };
    const before = this.#seen;
    this.#seen = seen;
    const lost = before ? Math.round(before.wall + (seen.monotonic - before.monotonic) - seen.wall) : 0;
    if (lost > SET_BACK_TOLERANCE_MS && this.#deadlines.size > 0) this.#setBack(lost);
    return seen.wall;
  }

  /** @param endsAt `null` for a timer that does not run. */
  set(source: string, endsAt: number | null): void {
    if (endsAt === null) this.#deadlines.delete(source);
    else this.#deadlines.set(source, endsAt);
    this.#arm();
  }

  /** Looks at once: ends what is due, so that nothing else is done with it first. @returns the wall time, as `now` */
  look(): number {
    const now = this.now();
    const due = [...this.#deadlines].filter(([, endsAt]) => endsAt <= now).sort(([, a], [, b]) => a - b);
    for (const [source] of due) this.#deadlines.delete(source);
    if (due.length > 0) {
      this.#parts.due(
        due.map(([source]) => source),
        now,
      );
    }
    this.#arm();
    return now;
  }

  stop(): void {
    this.#deadlines.clear();
    this.#arm();
    this.#seen = undefined;
  }

  #setBack(byMs: number): void {
    for (const [source, endsAt] of this.#deadlines) this.#deadlines.set(source, endsAt - byMs);
    this.#parts.setBack(byMs);
  }

  #arm(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#deadlines.size === 0) return;
    let next = Number.POSITIVE_INFINITY;
    for (const endsAt of this.#deadlines.values()) next = Math.min(next, endsAt);
    const { clock } = this.#parts;
    this.#seen ??= { wall: clock.now(), monotonic: clock.monotonic() };
    const delay = Math.min(Math.max(next - clock.now(), 0), LOOK_EVERY_MS);
    this.#cancel = clock.after(delay, () => this.look());
  }
}
