/**
 * Decides what is worth asking although devices should tell by themselves. Events are trusted, but checked: an audit re-reads what
 * offers them, often while the device has never sent one, rarely once it has. What an audit finds changed without an event is mute and
 * is polled from then on, and so is what offers no events, ever more slowly while it does not change. A device that hangs up on reads
 * is asked less, and then no more. Holds the plan only; the session does the reading.
 */
import type { Clock } from '../../kernel/clock.ts';
import { announces, isReadable, type Tracked } from './characteristic-index.ts';
import type { RequestLimits } from './limits.ts';

/** A mute device must be right within a minute; Hubitat found that asking every 30 s makes some devices hang up. */
const FAST_MS = 45_000;
/** What offers no events is slowed down to this while it stays as it is. */
const SLOWEST_POLL_MS = 900_000;
const SLOW_DOWN = 1.5;
/** Between audits of a device that does send events, doubled each time nothing was missed. */
const AUDIT_MS = 600_000;
const SLOWEST_AUDIT_MS = 3_600_000;
/** HAP-NodeJS holds events back for 250 ms; one that is later than this is not on its way. */
const LATE_EVENT_MS = 3_000;
/** Spreads a house whose devices all connected at one moment. */
const JITTER = 0.15;
/** Hang-ups that followed a planned read, within a day, before the device is left alone. */
const HANG_UPS = 3;
/** A hang-up a day has other causes: that it followed a read was chance. */
const HANG_UP_COUNTS_MS = 86_400_000;

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
  /** Found changed by an audit: mute, unless the event is merely late. */
  readonly #suspects = new Map<string, { readonly tracked: Tracked; readonly at: number }>();
  /** Proven mute, by key: remembered across connections. */
  readonly #mute = new Set<string>();
  #audited: readonly Tracked[] = [];
  #auditAt = Number.POSITIVE_INFINITY;
  #auditIntervalMs = AUDIT_MS;
  #hasSentEvents = false;
  /** When it hung up on planned reads lately, on the monotonic clock. */
  #hangUps: readonly number[] = [];

  /** @param limits remember a device that must not be polled. */
  constructor(clock: Clock, random: () => number, limits: RequestLimits) {
    this.#clock = clock;
    this.#random = random;
    this.#limits = limits;
  }

  /** Plans anew, after the initial read. @param refused those that the device does not announce although they offer it. */
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

  /** Milliseconds until `due` may have something; `undefined` if never. */
  nextDelay(): number | undefined {
    if (this.#limits.current.noPolling) return undefined;
    let at = this.#auditAt;
    for (const { dueAt } of this.#polls.values()) at = Math.min(at, dueAt);
    for (const suspect of this.#suspects.values()) at = Math.min(at, suspect.at + LATE_EVENT_MS);
    return Number.isFinite(at) ? Math.max(0, at - this.#clock.monotonic()) : undefined;
  }

  /** What to read now, and when it is due next. */
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
      if (this.#hasSentEvents) this.#auditIntervalMs = Math.min(SLOWEST_AUDIT_MS, this.#auditIntervalMs * 2);
      for (const tracked of this.#audited) due.add(tracked);
    }
    return [...due];
  }

  /** @param changed it was not as last heard. */
  wasRead(tracked: Tracked, changed: boolean): void {
    const poll = this.#polls.get(tracked.key);
    if (!poll) {
      if (changed) this.#suspects.set(tracked.key, { tracked, at: this.#clock.monotonic() });
      return;
    }
    if (poll.isMute) return;
    poll.intervalMs = changed ? FAST_MS : Math.min(SLOWEST_POLL_MS, poll.intervalMs * SLOW_DOWN);
    poll.dueAt = this.#clock.monotonic() + this.#slowed(poll.intervalMs);
  }

  announced(tracked: Tracked): void {
    this.#hasSentEvents = true;
    this.#suspects.delete(tracked.key);
    if (this.#mute.delete(tracked.key)) this.#polls.delete(tracked.key);
  }

  /** The device closed the connection right after it was asked by this plan. */
  hungUpOnRead(): void {
    this.#hangUps = [...this.#recentHangUps(), this.#clock.monotonic()];
    if (this.#hangUps.length >= HANG_UPS) this.#limits.forbidPolling();
  }

  #recentHangUps(): readonly number[] {
    return this.#hangUps.filter((at) => this.#clock.monotonic() - at < HANG_UP_COUNTS_MS);
  }

  /** Suspects whose event never came are mute. */
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

/** Names and serial numbers do not change; blobs are protocols of their own, in which a read may have a meaning. */
function isWorthAsking(tracked: Tracked): boolean {
  const { format } = tracked.characteristic;
  return isReadable(tracked) && !tracked.isInformation && format !== 'tlv8' && format !== 'data';
}
