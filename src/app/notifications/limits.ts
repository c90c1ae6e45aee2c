/**
 * How many notifications there may be: so many an hour from one automation (decisions §12), and so many in all. An hour is one of
 * the monotonic clock, so that neither setting the wall clock nor clearing the history gives anybody more.
 */
import type { Clock } from '../../kernel/clock.ts';

const HOUR_MS = 3_600_000;
/** Decisions §12. */
export const MAX_AN_HOUR_AND_AUTOMATION = 30;
/** All automations together, held back ones that leave a row among them: what a runaway house may write to its disk. */
export const MAX_ROWS_AN_HOUR = 1_000;
/** A notification that was held back leaves a row; of those that follow, one a minute does. */
export const HELD_BACK_ROW_INTERVAL_MS = 60_000;
/** Those of automations that ceased to send are forgotten beyond this. */
const MAX_SENDERS = 1_000;

/** send it · hold it back, and keep that it was · hold it back without a trace */
export type Verdict = 'send' | 'hold' | 'drop';

/** One that was kept before a restart. */
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
  /** When the last held-back one left a row, by sender; '' stands for all of them. */
  readonly #heldAt = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The oldest moment of which `restore` wants to know. */
  get since(): number {
    return this.#clock.now() - HOUR_MS;
  }

  /** Counts what the hour before a restart had. Those of a future that the wall clock has left again do not count. */
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

  /** What is to become of one more. @param sender an automation's id; `null` for the house itself, which has no limit of its own. */
  take(sender: string | null): Verdict {
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

  #hold(key: string, now: number): Verdict {
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

/** The moments of the last hour, oldest first. */
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
