/**
 * A clock that stands still until a test moves it. Timers run in the order of their due time (those due together in the
 * order they were set), each at its own moment, and promises settle between them, so that code waiting on a timer and
 * then setting another one behaves as it would in real time.
 */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/kernel/clock.ts';

interface Timer {
  readonly dueAt: number;
  readonly callback: () => void;
}

/** 2026-01-15T12:00:00Z: an ordinary Thursday, far from any change of offset. */
const DEFAULT_START = Date.UTC(2026, 0, 15, 12);

export class TestClock implements Clock {
  #wallOffset: number;
  #elapsed = 0;
  readonly #timers = new Set<Timer>();

  constructor(start: number | string = DEFAULT_START) {
    this.#wallOffset = typeof start === 'string' ? Date.parse(start) : start;
  }

  now(): number {
    return this.#wallOffset + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  after(delayMs: number, callback: () => void): () => void {
    // Whole milliseconds, as Node's timers: what is left of one may be too little to move the clock, so that code which
    // waits for the rest of a time would be called for ever.
    const timer: Timer = { dueAt: this.#elapsed + Math.max(0, Math.ceil(delayMs)), callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Timers set and neither run nor cancelled. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** Moves time forward, running every timer that falls due on the way, those set meanwhile included. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    await setImmediate();
    for (let timer = this.#nextDue(end); timer; timer = this.#nextDue(end)) {
      this.#timers.delete(timer);
      this.#elapsed = Math.max(this.#elapsed, timer.dueAt);
      timer.callback();
      await setImmediate();
    }
    this.#elapsed = end;
  }

  /** Sets the wall clock forward or back, as a user or NTP does: `monotonic` and the timers do not notice. */
  jumpWallClock(ms: number): void {
    this.#wallOffset += ms;
  }

  #nextDue(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueAt <= end && (!next || timer.dueAt < next.dueAt)) next = timer;
    }
    return next;
  }
}
