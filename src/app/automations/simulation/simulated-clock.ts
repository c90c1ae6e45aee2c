/**
 * The clock of a dry run: it stands still while code runs, and then advances to the next entry. There are two kinds of
 * entries: moments that code waits for (`at`), and periodic checks of the engine (`after`). Periodic checks alone
 * never keep a dry run going.
 */
import type { Clock } from '../../../kernel/clock.ts';
import { type Deadline, Deadlines } from '../../../kernel/deadlines.ts';

interface Entry extends Deadline {
  readonly isMoment: boolean;
  readonly act: () => void;
}

export class SimulatedClock implements Clock {
  readonly #startAt: number;
  readonly #entries = new Deadlines<Entry>();
  #now: number;
  #turn = 0;
  #moments = 0;

  /** @param startAt milliseconds since the epoch */
  constructor(startAt: number) {
    this.#startAt = startAt;
    this.#now = startAt;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now - this.#startAt;
  }

  after(delayMs: number, act: () => void): () => void {
    return this.#add(this.#now + Math.max(0, delayMs), act, false);
  }

  /** Calls back at that time, at once if it has passed. @returns the function that cancels it */
  at(time: number, act: () => void): () => void {
    return this.#add(Math.max(time, this.#now), act, true);
  }

  /** The time of the next entry. */
  get nextAt(): number | undefined {
    return this.#entries.next?.dueAt;
  }

  /** Whether no moment is pending. */
  get isQuiet(): boolean {
    return this.#moments === 0;
  }

  /** Advances to the next entry and runs it. @returns whether it was a moment */
  step(): boolean {
    const entry = this.#entries.next;
    if (!entry) return false;
    this.#delete(entry);
    this.#now = Math.max(this.#now, entry.dueAt);
    entry.act();
    return entry.isMoment;
  }

  /** Advances the time; nothing is due until then. */
  leap(to: number): void {
    this.#now = Math.max(this.#now, to);
  }

  #add(dueAt: number, act: () => void, isMoment: boolean): () => void {
    const entry: Entry = { dueAt, act, isMoment, turn: this.#turn++, place: -1 };
    this.#entries.add(entry);
    if (isMoment) this.#moments += 1;
    return () => this.#delete(entry);
  }

  #delete(entry: Entry): void {
    if (entry.place < 0) return;
    this.#entries.delete(entry);
    if (entry.isMoment) this.#moments -= 1;
  }
}
