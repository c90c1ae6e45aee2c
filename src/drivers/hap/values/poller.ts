/**
 * Plans reads for devices that may not send events. Events are trusted, but audited: an audit reads the characteristics
 * that support events, often before the device's first event and rarely afterwards. A characteristic that changed
 * without an event is mute and is polled from then on. A characteristic without events is polled too, ever more slowly
 * while it does not change. A device that hangs up on reads is polled less, and finally not at all. This file only
 * plans; the session reads.
 */
import type { Clock } from '../../../kernel/clock.ts';
import type { RequestLimits } from '../wire/limits.ts';
import { announces, isWorthAsking, type Tracked } from './characteristic-index.ts';

/**
 * A mute device must be up to date within a minute; Hubitat found that polling every 30 s makes some devices hang up.
 */
const FAST_MS = 45_000;
/** The longest interval for characteristics without events that do not change. */
const MAX_POLL_MS = 900_000;
const SLOW_DOWN = 1.5;
/** The interval between audits of a device that sends events, doubled after each audit without a missed event. */
const AUDIT_MS = 600_000;
const MAX_AUDIT_MS = 3_600_000;
/** HAP-NodeJS delays events by 250 ms; an event later than this does not come. */
const LATE_EVENT_MS = 3_000;
/** Spreads the reads of a home whose devices all connected at one moment. */
const JITTER = 0.15;
/** The number of hang-ups after polls, within a day, that ends polling. */
const HANG_UPS = 3;
/** Hang-ups further apart than a day have other causes. */
const HANG_UP_COUNTS_MS = 86_400_000;

/**
 * A device that has sent nothing for this time is asked for a value. With the request deadline, a device that hangs is
 * detected within a minute.
 */
const QUIET_MS = FAST_MS;

interface Poll {
  readonly tracked: Tracked;
  readonly isMute: boolean;
  intervalMs: number;
  dueAt: number;
}

export class Poller {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #limits: RequestLimits;
  readonly #polls = new Map<string, Poll>();
  /** Changed according to an audit: mute, unless the event is merely late. */
  readonly #suspects = new Map<string, { readonly tracked: Tracked; readonly at: number }>();
  /** Proven mute, by key: kept across connections. */
  readonly #mute = new Set<string>();
  #audited: readonly Tracked[] = [];
  #auditAt = Number.POSITIVE_INFINITY;
  #auditIntervalMs = AUDIT_MS;
  #hasSentEvents = false;
  /** When the device recently hung up on polls, in monotonic time. */
  #hangUps: readonly number[] = [];

  /** @param limits stores that a device must not be polled */
  constructor(clock: Clock, random: () => number, limits: RequestLimits) {
    this.#clock = clock;
    this.#random = random;
    this.#limits = limits;
  }

  /**
   * Creates a new plan after the initial read. @param refused those whose subscription failed although they support
   * events
   */
  plan(readable: readonly Tracked[], refused: ReadonlySet<Tracked>): void {
    const now = this.#clock.monotonic();
    const worth = readable.filter(isWorthAsking);
    this.#suspects.clear();
    this.#polls.clear();
    this.#audited = worth.filter((tracked) => announces(tracked) && !refused.has(tracked));
    for (const tracked of worth) {
      const isMute = refused.has(tracked) || this.#mute.has(tracked.key);
      if (isMute || !announces(tracked)) this.#poll(tracked, isMute, now);
    }
    this.#auditAt = this.#audited.length > 0 ? now + this.#spread(this.#auditDelay()) : Number.POSITIVE_INFINITY;
  }

  /** Milliseconds until `due` may have an entry; `undefined` if never. */
  nextDelay(): number | undefined {
    if (this.#limits.current.noPolling) return undefined;
    let at = this.#auditAt;
    for (const { dueAt } of this.#polls.values()) at = Math.min(at, dueAt);
    for (const suspect of this.#suspects.values()) at = Math.min(at, suspect.at + LATE_EVENT_MS);
    return Number.isFinite(at) ? Math.max(0, at - this.#clock.monotonic()) : undefined;
  }

  /** The quiet time in milliseconds after which to check whether the device is still there; `undefined` if never. */
  quietLimit(): number | undefined {
    return this.#limits.current.noPolling ? undefined : this.#slowed(QUIET_MS);
  }

  /** The characteristics to read now; schedules their next read. */
  due(): readonly Tracked[] {
    if (this.#limits.current.noPolling) return [];
    const now = this.#clock.monotonic();
    this.#convict(now);
    const due = new Set<Tracked>();
    for (const poll of this.#polls.values()) {
      if (poll.dueAt > now) continue;
      poll.dueAt = now + this.#slowed(poll.intervalMs);
      due.add(poll.tracked);
    }
    if (this.#auditAt <= now) {
      this.#auditAt = now + this.#spread(this.#auditDelay());
      if (this.#hasSentEvents) this.#auditIntervalMs = Math.min(MAX_AUDIT_MS, this.#auditIntervalMs * 2);
      for (const tracked of this.#audited) due.add(tracked);
    }
    return [...due];
  }

  /** @param changed the value differs from the last known one */
  wasRead(tracked: Tracked, changed: boolean): void {
    const poll = this.#polls.get(tracked.key);
    if (!poll) {
      if (changed) this.#suspects.set(tracked.key, { tracked, at: this.#clock.monotonic() });
      return;
    }
    if (poll.isMute) return;
    poll.intervalMs = changed ? FAST_MS : Math.min(MAX_POLL_MS, poll.intervalMs * SLOW_DOWN);
    poll.dueAt = this.#clock.monotonic() + this.#slowed(poll.intervalMs);
  }

  announced(tracked: Tracked): void {
    this.#hasSentEvents = true;
    this.#suspects.delete(tracked.key);
    if (this.#mute.delete(tracked.key)) this.#polls.delete(tracked.key);
  }

  /** The device closed the connection right after a poll. */
  hungUpOnRead(): void {
    this.#hangUps = [...this.#recentHangUps(), this.#clock.monotonic()];
    if (this.#hangUps.length >= HANG_UPS) this.#limits.forbidPolling();
  }

  #recentHangUps(): readonly number[] {
    return this.#hangUps.filter((at) => this.#clock.monotonic() - at < HANG_UP_COUNTS_MS);
  }

  /** Suspects whose event did not arrive are mute. */
  #convict(now: number): void {
    for (const [key, { tracked, at }] of this.#suspects) {
      if (now - at < LATE_EVENT_MS) continue;
      this.#suspects.delete(key);
      this.#mute.add(key);
      this.#poll(tracked, true, now);
      this.#auditIntervalMs = AUDIT_MS;
    }
  }

  #poll(tracked: Tracked, isMute: boolean, now: number): void {
    const dueAt = now + this.#spread(FAST_MS);
    this.#polls.set(tracked.key, { tracked, isMute, intervalMs: FAST_MS, dueAt });
  }

  #auditDelay(): number {
    return this.#slowed(this.#hasSentEvents ? this.#auditIntervalMs : FAST_MS);
  }

  #slowed(intervalMs: number): number {
    return intervalMs * 4 ** this.#recentHangUps().length;
  }

  #spread(delayMs: number): number {
    return delayMs * (1 - JITTER * this.#random());
  }
}
