/**
 * Limits notifications per hour: per automation (decisions §12) and in total. The hour is measured by the monotonic
 * clock, so that neither setting the wall clock nor clearing the history raises a limit.
 */
import type { Clock } from '../../kernel/clock.ts';

const HOUR_MS = 3_600_000;
/** Decisions §12. */
export const MAX_AN_HOUR_AND_AUTOMATION = 30;
/**
 * All automations together, including suppressed notifications that leave a row: the limit on disk writes by a runaway
 * home.
 */
export const MAX_ROWS_AN_HOUR = 1_000;
/** A suppressed notification leaves a row; of the following ones, one per minute does. */
export const HELD_BACK_ROW_INTERVAL_MS = 60_000;
/** Beyond this number, automations that stopped sending are removed. */
const MAX_SENDERS = 1_000;

/** send it · suppress it and keep a row · suppress it without a row */
export type LimitVerdict = 'send' | 'hold' | 'drop';

/** A notification stored before a restart. */
export interface KeptNotification {
  readonly automationId: string | null;
  readonly rateLimited: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export class NotificationLimits {
  readonly #clock: Clock;
  readonly #all = new Hour(MAX_ROWS_AN_HOUR);
  readonly #senders = new Map<string, Hour>();
  /** When the last suppressed one left a row, by sender; '' is the total. */
  readonly #heldAt = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The earliest time that `restore` needs. */
  get since(): number {
    return this.#clock.now() - HOUR_MS;
  }

  /**
   * Counts the notifications of the hour before a restart. Those with a future time do not count, because the wall
   * clock was wrong.
   */
  restore(kept: readonly KeptNotification[]): void {
    const wall = this.#clock.now();
    const now = this.#clock.monotonic();
    for (const { automationId, rateLimited, createdAt } of kept) {
      if (createdAt > wall) continue;
      const at = now - (wall - createdAt);
      this.#all.add(at);
      if (automationId !== null && !rateLimited) this.#hourOf(automationId, now).add(at);
    }
  }

  /**
   * Decides on one more notification.
   * @param sender an automation's id; `null` for the home itself, which has no limit of its own.
   */
  take(sender: string | null): LimitVerdict {
    const now = this.#clock.monotonic();
    if (!this.#all.hasRoom(now)) return this.#hold('', now);
    const hour = sender === null ? undefined : this.#hourOf(sender, now);
    if (hour && !hour.hasRoom(now)) {
      const verdict = this.#hold(sender ?? '', now);
      if (verdict === 'hold') this.#all.add(now);
      return verdict;
    }
    hour?.add(now);
    this.#all.add(now);
    return 'send';
  }

  #hold(key: string, now: number): LimitVerdict {
    if (now - (this.#heldAt.get(key) ?? Number.NEGATIVE_INFINITY) < HELD_BACK_ROW_INTERVAL_MS) return 'drop';
    this.#heldAt.set(key, now);
    return 'hold';
  }

  #hourOf(sender: string, now: number): Hour {
    const known = this.#senders.get(sender);
    if (known) return known;
    if (this.#senders.size >= MAX_SENDERS) this.#forgetIdle(now);
    const hour = new Hour(MAX_AN_HOUR_AND_AUTOMATION);
    this.#senders.set(sender, hour);
    return hour;
  }

  #forgetIdle(now: number): void {
    for (const [sender, hour] of this.#senders) if (hour.isEmpty(now)) this.#senders.delete(sender);
    for (const [sender, at] of this.#heldAt) {
      if (now - at >= HELD_BACK_ROW_INTERVAL_MS) this.#heldAt.delete(sender);
    }
  }
}

/** The times of the last hour, oldest first. */
class Hour {
  readonly #limit: number;
  readonly #moments: number[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(at: number): void {
    this.#moments.push(at);
  }

  hasRoom(now: number): boolean {
    this.#forget(now);
    return this.#moments.length < this.#limit;
  }

  isEmpty(now: number): boolean {
    this.#forget(now);
    return this.#moments.length === 0;
  }

  #forget(now: number): void {
    const first = this.#moments.findIndex((at) => now - at < HOUR_MS);
    this.#moments.splice(0, first === -1 ? this.#moments.length : first);
  }
}
