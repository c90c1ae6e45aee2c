/**
 * Keeps the values of a connected device up to date: it processes events, reads characteristics that an event leaves
 * unclear, and polls characteristics without events. One object per session, which reports the start and the end of
 * each connection.
 */
import type { HapId } from '../../../home/model.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { type Element, parseEvent } from '../wire/characteristics-codec.ts';
import { ConnectionError, type ConnectionFault } from '../wire/connection.ts';
import { JsonError } from '../wire/exact-json.ts';
import { isReadable, isWorthAsking, type Tracked } from './characteristic-index.ts';
import { EventGuard } from './event-guard.ts';
import type { Poller } from './poller.ts';
import type { Reachability } from './reachability.ts';
import { readValues } from './read-values.ts';
import { subscribe } from './subscribe.ts';
import { type ReadPurpose, SETTLING_MS, type ValueSink, type WrittenValue } from './value-sink.ts';
import type { Live } from './write-item.ts';

/**
 * The interval for reading a child that fails, while the result may decide its reachability, and once it is
 * unreachable.
 */
const PROBE_MS = 5_000;
const AWAY_PROBE_MS = 30_000;
/** A hang-up this soon after a poll is attributed to the poll. */
const BLAME_MS = 2_000;
/**
 * The delay after a write of one read that checks whether the value holds: devices that confirm a write before they
 * execute it may drop it. It is longer than the time in which such devices may still answer with the old value.
 */
const CHECK_MS = SETTLING_MS + 1_000;
/** If the device seems to have moved, the connection must prove within this time that it is alive. */
const ALIVE_MS = 5_000;
/** The minimum time between full reads after an invalid event. */
const REREAD_MS = 5_000;

export interface LiveSubscriptionDeps {
  readonly clock: Clock;
  readonly poller: Poller;
  readonly reachability: Reachability;
  readonly intake: ValueSink;
  /** A device sent invalid data, or an internal error occurred; the connection continues. */
  readonly onFault: (what: string, error: unknown) => void;
}

export class LiveSubscription {
  readonly stats = { notifications: 0, polls: 0 };
  readonly #deps: LiveSubscriptionDeps;
  readonly #guard: EventGuard;
  #live: Live | undefined;
  /** The characteristic that is read to check whether the device is still there. */
  #sign: Tracked | undefined;
  #refused: ReadonlySet<Tracked> = new Set();
  /** Characteristics that events left unclear, while a read to settle them is in progress. */
  readonly #unclear = new Set<Tracked>();
  #isSettling = false;
  #isProbing = false;
  /** Written, and neither in an event nor read since. */
  readonly #written = new Set<Tracked>();
  #cancelCheck: (() => void) | undefined;
  #cancelTick: () => void = () => {};
  /** When a poll last ended, in monotonic time; positive infinity while one is in progress. */
  #polledAt = Number.NEGATIVE_INFINITY;
  #rereadAt = Number.NEGATIVE_INFINITY;

  constructor(deps: LiveSubscriptionDeps) {
    this.#deps = deps;
    this.#guard = new EventGuard(deps.clock);
  }

  /** The connection is verified and its database is known: events can be processed from now on. */
  attend(live: Live): void {
    this.#live = live;
    this.#sign = findSign(live.index.readable());
    this.#deps.intake.withdrawn.clear();
  }

  /** Subscribes to every characteristic with events and reads every one with a value. @throws ConnectionError */
  async subscribe(live: Live): Promise<void> {
    this.#refused = new Set(await subscribe(live.index.announced(), live.requests));
  }

  /** @throws ConnectionError */
  async readAll(live: Live): Promise<void> {
    await this.#read(live.index.readable(), 'initial', live);
    this.#deps.poller.plan(live.index.readable(), this.#refused);
    this.#schedule();
  }

  /** The connection ended. */
  end(fault: ConnectionFault | undefined): void {
    const { clock, poller } = this.#deps;
    if (fault === 'hang_up' && clock.monotonic() - this.#polledAt < BLAME_MS) poller.hungUpOnRead();
    this.#live = undefined;
    this.#cancelTick();
    this.#cancelCheck?.();
    this.#cancelCheck = undefined;
    // Everything is read after the next connect anyway.
    this.#written.clear();
  }

  /** @returns milliseconds to pause reading from this device */
  notified(body: Buffer): number {
    this.stats.notifications += 1;
    let elements: readonly Element[] = [];
    try {
      const live = this.#live;
      elements = parseEvent(body);
      const unclear = live ? this.#deps.intake.onEvent(elements, live.index) : [];
      if (live && unclear.length > 0) void this.#settleUnclear(unclear);
    } catch (error) {
      this.#deps.onFault('The device sent an invalid notification', error);
      if (error instanceof JsonError) this.#rereadAll();
    }
    return this.#guard.admit(
      body.length,
      elements.map(({ aid }) => aid),
    );
  }

  /** The device confirmed these writes, which were sent when the index's sequence number was `askedAt`. */
  written(items: readonly WrittenValue[], live: Live, askedAt: number): void {
    const unclear = this.#deps.intake.written(items, live.index, askedAt);
    if (unclear.length > 0) void this.#settleUnclear(unclear);
    for (const { tracked } of items) if (isWorthAsking(tracked)) this.#written.add(tracked);
    this.#scheduleCheck();
  }

  /** One timer and one read for any number of writes: each write of a value postpones its check. */
  #scheduleCheck(): void {
    const live = this.#live;
    const { clock, poller } = this.#deps;
    if (!live || this.#cancelCheck || poller.quietLimit() === undefined) return;
    const due = Math.min(...[...this.#written].map(({ writtenAt }) => writtenAt)) + CHECK_MS;
    if (!Number.isFinite(due)) return;
    const run = (): void => {
      this.#cancelCheck = undefined;
      void this.#check(live);
    };
    this.#cancelCheck = clock.after(Math.max(0, due - clock.monotonic()), run);
  }

  async #check(live: Live): Promise<void> {
    const before = this.#deps.clock.monotonic() - CHECK_MS;
    const due = [...this.#written].filter(({ writtenAt }) => writtenAt <= before);
    for (const tracked of due) this.#written.delete(tracked);
    const unproved = due.filter(({ isWrittenOnly }) => isWrittenOnly);
    try {
      if (unproved.length > 0) await this.#planned(() => this.#read(unproved, 'check', live));
    } catch (error) {
      this.#unlessEnded(error);
      return;
    }
    if (this.#live === live) this.#scheduleCheck();
  }

  /** A write was answered with −70402. */
  writeFailed(aid: HapId): void {
    this.#deps.intake.writeFailed(aid);
  }

  /** A child answers again: its values are read, and rejected subscriptions are retried. */
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
      if (refused.length > 0) this.#deps.poller.plan(live.index.readable(), this.#refused);
    } catch (error) {
      this.#unlessEnded(error);
    }
  }

  /** A child began to fail: it is read again sooner than planned. */
  childDoubted(): void {
    if (this.#live) this.#schedule();
  }

  /** The device seems to have moved: reads one value, and closes a connection that is not alive. Never rejects. */
  async requireAlive(live: Live): Promise<void> {
    if (this.#isProbing) return;
    this.#isProbing = true;
    const cancel = this.#deps.clock.after(ALIVE_MS, () => live.requests.connection.close());
    const [one] = live.index.readable().filter(({ isInformation }) => !isInformation);
    if (one) await this.#settle([one], live);
    cancel();
    this.#isProbing = false;
  }

  /** One read at a time settles unclear events, however many there are. */
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

  /** Reads now, before low-priority requests. Never rejects. */
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
      clock: this.#deps.clock,
      urgent,
      onResults: (results, askedAt) => this.#deps.intake.onRead(results, askedAt, purpose),
    });
  }

  #rereadAll(): void {
    const now = this.#deps.clock.monotonic();
    const live = this.#live;
    if (!live || now - this.#rereadAt < REREAD_MS) return;
    this.#rereadAt = now;
    void this.#settleUnclear(live.index.announced().filter(isReadable));
  }

  #schedule(): void {
    this.#cancelTick();
    const { clock, poller, reachability, intake } = this.#deps;
    const delays = [poller.nextDelay(), this.#quietDelay()];
    if (reachability.undecided) delays.push(PROBE_MS);
    else if (reachability.failing.length > 0 || intake.withdrawn.size > 0) delays.push(AWAY_PROBE_MS);
    const known = delays.filter((delay) => delay !== undefined);
    if (known.length > 0) this.#cancelTick = clock.after(Math.min(...known), () => void this.#tick());
  }

  async #tick(): Promise<void> {
    const live = this.#live;
    if (!live) return;
    const due = this.#deps.poller.due().map((tracked) => live.index.find(tracked) ?? tracked);
    try {
      if (due.length > 0) await this.#poll(due, live);
      await this.#read([...this.#probes(live), ...this.#deps.intake.withdrawn], 'settle', live);
      const sign = this.#sign;
      if (sign && this.#quietDelay() === 0) await this.#planned(() => this.#read([sign], 'check', live));
    } catch (error) {
      this.#unlessEnded(error);
      return;
    }
    if (this.#live === live) this.#schedule();
  }

  async #poll(due: readonly Tracked[], live: Live): Promise<void> {
    this.stats.polls += 1;
    await this.#planned(() => this.#read(due, 'poll', live));
  }

  /** Polls: a hang-up that follows is attributed to it. @throws ConnectionError */
  async #planned(read: () => Promise<void>): Promise<void> {
    this.#polledAt = Number.POSITIVE_INFINITY;
    try {
      await read();
    } finally {
      this.#polledAt = this.#deps.clock.monotonic();
    }
  }

  /** Milliseconds until the device has been quiet for too long; `undefined` if it is not checked. */
  #quietDelay(): number | undefined {
    const limit = this.#deps.poller.quietLimit();
    if (!this.#live || !this.#sign || limit === undefined) return undefined;
    return Math.max(0, limit - this.#live.requests.connection.quietMs);
  }

  /** One characteristic of each child that fails: preferably one whose value is not withdrawn. */
  #probes(live: Live): readonly Tracked[] {
    const failing = new Set(this.#deps.reachability.failing);
    if (failing.size === 0) return [];
    const probes = new Map<HapId, Tracked>();
    for (const tracked of live.index.readable()) {
      if (!failing.has(tracked.aid) || tracked.isInformation) continue;
      const chosen = probes.get(tracked.aid);
      if (!chosen || this.#deps.intake.withdrawn.has(chosen)) probes.set(tracked.aid, tracked);
    }
    return [...probes.values()];
  }

  /** Ignores the end of the connection during a read: the session already handles it. */
  #unlessEnded(error: unknown): void {
    if (!(error instanceof ConnectionError)) this.#deps.onFault('Could not read values', error);
  }
}

/** A constant characteristic costs the device least, and a bridge answers it without asking a child. */
function findSign(readable: readonly Tracked[]): Tracked | undefined {
  const information = readable.filter(({ isInformation }) => isInformation);
  return information.find(({ aid }) => aid === '1') ?? information[0] ?? readable[0];
}
