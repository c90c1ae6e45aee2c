/**
 * Keeps the values of a connected device right: takes its notifications, settles by reading what they leave unclear, and reads by plan
 * what does not announce itself. One object per session, which tells it when a connection begins to be watched and when it ends.
 */
import type { HapId } from '../../home/model.ts';
import type { Clock } from '../../kernel/clock.ts';
import { isReadable, type Tracked } from './characteristic-index.ts';
import { parseEvent } from './characteristics-codec.ts';
import { ConnectionError, type ConnectionFault } from './connection.ts';
import { EventGuard } from './event-guard.ts';
import { JsonError } from './exact-json.ts';
import type { Poller } from './poller.ts';
import type { Reachability } from './reachability.ts';
import { readValues } from './read-values.ts';
import { subscribe } from './subscribe.ts';
import type { ReadPurpose, ValueIntake, WrittenValue } from './value-intake.ts';
import type { Live } from './writer.ts';

/** How often a child that fails is asked, while that may decide something, and once it counts as away. */
const PROBE_MS = 5_000;
const AWAY_PROBE_MS = 30_000;
/** A hang-up this soon after a planned read is held against the reading. */
const BLAME_MS = 2_000;
/** After a notification that made no sense everything is read, but not more often than this. */
const REREAD_MS = 5_000;

export interface WatchParts {
  readonly clock: Clock;
  readonly poller: Poller;
  readonly reachability: Reachability;
  readonly intake: ValueIntake;
  /** Something is wrong with what a device sent, or with us; the connection goes on. */
  readonly onFault: (what: string, error: unknown) => void;
}

export class Watch {
  readonly stats = { notifications: 0, polls: 0 };
  readonly #parts: WatchParts;
  readonly #guard: EventGuard;
  #live: Live | undefined;
  #refused: ReadonlySet<Tracked> = new Set();
  /** What notifications left unclear, while something is being settled. */
  readonly #unclear = new Set<Tracked>();
  #isSettling = false;
  #cancelTick: () => void = () => {};
  /** When a planned read ended last, on the monotonic clock; positive infinity while one is under way. */
  #polledAt = Number.NEGATIVE_INFINITY;
  #rereadAt = Number.NEGATIVE_INFINITY;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    this.#guard = new EventGuard(parts.clock);
  }

  /** The connection is verified and its database known: from now on notifications mean something. */
  attend(live: Live): void {
    this.#live = live;
  }

  /** Subscribes to everything that offers events and reads everything that has a value. @throws ConnectionError */
  async subscribe(live: Live): Promise<void> {
    this.#refused = new Set(await subscribe(live.index.announced(), live.requests));
  }

  /** @throws ConnectionError */
  async readAll(live: Live): Promise<void> {
    await this.#read(live.index.readable(), 'initial', live);
    this.#parts.poller.plan(live.index.readable(), this.#refused);
    this.#schedule();
  }

  /** The connection ended. */
  end(fault: ConnectionFault | undefined): void {
    const { clock, poller } = this.#parts;
    if (fault === 'hang_up' && clock.monotonic() - this.#polledAt < BLAME_MS) poller.hungUpOnRead();
    this.#live = undefined;
    this.#cancelTick();
  }

  /** @returns for how many milliseconds to read nothing more from this device. */
  notified(body: Buffer): number {
    this.stats.notifications += 1;
    try {
      const live = this.#live;
      const unclear = live ? this.#parts.intake.notified(parseEvent(body), live.index) : [];
      if (live && unclear.length > 0) void this.#settleUnclear(unclear);
    } catch (error) {
      this.#parts.onFault('It sent a notification that makes no sense', error);
      if (error instanceof JsonError) this.#rereadAll();
    }
    return this.#guard.admit(body.length);
  }

  /** The device confirmed these writes, which were sent when the index's sequence number was `askedAt`. */
  written(items: readonly WrittenValue[], live: Live, askedAt: number): void {
    const unclear = this.#parts.intake.written(items, live.index, askedAt);
    if (unclear.length > 0) void this.#settleUnclear(unclear);
  }

  /** A write was answered with −70402. */
  writeFailed(aid: HapId): void {
    this.#parts.intake.writeFailed(aid);
  }

  /** A child that was away answers again: what it missed telling is read, what it refused is asked for again. */
  async childReturned(aid: HapId): Promise<void> {
    const live = this.#live;
    if (!live) return;
    const refused = [...this.#refused].filter((tracked) => tracked.aid === aid);
    this.#refused = new Set([...this.#refused].filter((tracked) => tracked.aid !== aid));
    try {
      const again = await subscribe(refused, live.requests);
      this.#refused = new Set([...this.#refused, ...again]);
      const own = live.index.readable().filter((tracked) => tracked.aid === aid && !tracked.isInformation);
      await this.#read(own, 'initial', live);
      if (refused.length > 0) this.#parts.poller.plan(live.index.readable(), this.#refused);
    } catch (error) {
      this.#unlessEnded(error);
    }
  }

  /** A child began to fail: it is asked again sooner than planned. */
  childDoubted(): void {
    if (this.#live) this.#schedule();
  }

  /** Asks one value, which tells whether anybody is still there. Resolves in any case. */
  async probe(live: Live): Promise<void> {
    const [one] = live.index.readable().filter(({ isInformation }) => !isInformation);
    if (one) await this.#settle([one], live);
  }

  /** However many notifications are unclear, one read at a time settles them. */
  async #settleUnclear(unclear: readonly Tracked[]): Promise<void> {
    for (const tracked of unclear) this.#unclear.add(tracked);
    if (this.#isSettling) return;
    this.#isSettling = true;
    for (let live = this.#live; live && this.#unclear.size > 0; live = this.#live) {
      const batch = [...this.#unclear];
      this.#unclear.clear();
      await this.#settle(batch, live);
    }
    this.#unclear.clear();
    this.#isSettling = false;
  }

  /** Reads now, before everything that nobody waits for. Resolves in any case. */
  async #settle(unclear: readonly Tracked[], live: Live): Promise<void> {
    try {
      await this.#read(unclear, 'settle', live, true);
    } catch (error) {
      this.#unlessEnded(error);
    }
  }

  async #read(ids: readonly Tracked[], purpose: ReadPurpose, live: Live, urgent = false): Promise<void> {
    await readValues(ids, {
      ...live,
      clock: this.#parts.clock,
      urgent,
      onResults: (results, askedAt) => this.#parts.intake.wasRead(results, askedAt, purpose),
    });
  }

  #rereadAll(): void {
    const now = this.#parts.clock.monotonic();
    const live = this.#live;
    if (!live || now - this.#rereadAt < REREAD_MS) return;
    this.#rereadAt = now;
    void this.#settleUnclear(live.index.announced().filter(isReadable));
  }

  #schedule(): void {
    this.#cancelTick();
    const { clock, poller, reachability } = this.#parts;
    const delays = [poller.nextDelay()];
    if (reachability.undecided) delays.push(PROBE_MS);
    else if (reachability.failing.length > 0) delays.push(AWAY_PROBE_MS);
    const known = delays.filter((delay) => delay !== undefined);
    if (known.length > 0) this.#cancelTick = clock.after(Math.min(...known), () => void this.#tick());
  }

  async #tick(): Promise<void> {
    const live = this.#live;
    if (!live) return;
    const due = this.#parts.poller.due().map((tracked) => live.index.find(tracked) ?? tracked);
    try {
      if (due.length > 0) await this.#poll(due, live);
      await this.#read(this.#probes(live), 'settle', live);
    } catch (error) {
      this.#unlessEnded(error);
      return;
    }
    if (this.#live === live) this.#schedule();
  }

  async #poll(due: readonly Tracked[], live: Live): Promise<void> {
    this.stats.polls += 1;
    this.#polledAt = Number.POSITIVE_INFINITY;
    try {
      await this.#read(due, 'poll', live);
    } finally {
      this.#polledAt = this.#parts.clock.monotonic();
    }
  }

  /** One characteristic of each child that fails. */
  #probes(live: Live): readonly Tracked[] {
    const failing = new Set(this.#parts.reachability.failing);
    if (failing.size === 0) return [];
    const probes = new Map<HapId, Tracked>();
    for (const tracked of live.index.readable()) {
      if (failing.has(tracked.aid) && !tracked.isInformation && !probes.has(tracked.aid))
        probes.set(tracked.aid, tracked);
    }
    return [...probes.values()];
  }

  /** A connection that ends in the middle of reading is the session's business, and it knows already. */
  #unlessEnded(error: unknown): void {
    if (!(error instanceof ConnectionError)) this.#parts.onFault('Reading failed', error);
  }
}
