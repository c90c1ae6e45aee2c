/**
 * The supervised session with one paired accessory server: connects, verifies, reads, subscribes, and does so again however often the
 * connection ends. The one place where its state changes is `#enter`; the list of what a connection goes through is `#serve`; what
 * follows its end is `#rest`. It holds no bytes, no HTTP and no translation to the home: those are its neighbours in this folder.
 */
import type { ReportedValue, WriteOutcome } from '../../home/accessory-driver.ts';
import type { HapId } from '../../home/model.ts';
import type { ConnectionStatus } from '../../home/pairing-driver.ts';
import { type Clock, sleep } from '../../kernel/clock.ts';
import { HearthError, messageOf } from '../../kernel/errors.ts';
import { Attempt } from './attempt.ts';
import { AttemptWait } from './attempt-wait.ts';
import { Backoff } from './backoff.ts';
import { CharacteristicRequests } from './characteristic-requests.ts';
import { Connection, ConnectionError } from './connection.ts';
import { DatabaseLoader } from './database-loader.ts';
import { DEADLINES, type SessionDeadlines } from './deadlines.ts';
import { dialable, type HostPort, hasMoved, labelOf } from './dial.ts';
import { RequestLimits } from './limits.ts';
import { PAIRING_LOST_ADVICE, pairVerify } from './pairing/pair-verify.ts';
import { Poller } from './poller.ts';
import { Pulse } from './pulse.ts';
import { Reachability, type ReportReachable } from './reachability.ts';
import { type Ending, endingOf, MOVED, NO_ADDRESS } from './session-ending.ts';
import type { SessionEnvironment, SessionHost, SessionStats } from './session-host.ts';
import { Signal } from './signal.ts';
import { ValueIntake } from './value-intake.ts';
import { Watch } from './watch.ts';
import { type Link, type Live, type PendingCommands, type RequestedWrite, writeAll } from './writer.ts';

export type SessionState =
  | 'stopped'
  /** No address is known. */
  | 'waiting'
  | 'connecting'
  | 'verifying'
  | 'loading'
  | 'subscribing'
  | 'reading'
  | 'ready'
  | 'backing_off'
  | 'pairing_lost';

/** However many sightings and commands come, attempts are this far apart. */
const HURRY_MS = 1_000;
/** That others are back is a hint only: it lets a device be tried sooner, but not in a rush. */
const NEIGHBOUR_HURRY_MS = 5_000;
/** A device that says it does not know us is asked once more before it is believed. */
const AUTH_FAILURES = 2;
const AUTH_DOUBT_MS = 2_000;
const PAIRING_LOST_RETRY_MS = 600_000;
const PAIRING_LOST_HURRY_MS = 5_000;
/** However often `c#` changes (a bridge that starts, somebody who plays with us), the database is read this far apart. */
const RELOAD_GAP_MS = 2_000;
/** When the device seems to have moved, the connection has this long to prove that it is alive. */
const ALIVE_MS = 5_000;

/** Nothing is tried, nor about to be. */
const SETTLED: ReadonlySet<SessionState> = new Set(['stopped', 'ready', 'pairing_lost']);

export class AccessorySession implements Link {
  readonly #host: SessionHost;
  readonly #env: SessionEnvironment;
  readonly #clock: Clock;
  readonly #deadlines: SessionDeadlines;
  readonly #limits: RequestLimits;
  readonly #backoff: Backoff;
  readonly #loader: DatabaseLoader;
  readonly #reachability: Reachability;
  readonly #watch: Watch;
  readonly #pause: AttemptWait;
  readonly #pulse: Pulse;
  /** The database is to be loaded again. */
  readonly #reload: Signal;
  /** Pulsed at every change of state. */
  readonly #changed: Signal;
  readonly #pendingCommands: PendingCommands = new Map();
  /** Addresses at which another device was found to answer, in this round of attempts. */
  readonly #foreign = new Set<string>();
  #state: SessionState = 'stopped';
  #status: ConnectionStatus | undefined;
  #fault = 'The device is not connected.';
  #life: AbortController | undefined;
  #ended: Promise<void> = Promise.resolve();
  /** Until the device has proved that it is the one. */
  #attempt: Attempt | undefined;
  #connection: Connection | undefined;
  #live: Live | undefined;
  #readySince: number | undefined;
  #lastEnding: Ending['kind'] | undefined;
  #isProbing = false;
  #authFailures = 0;
  #connections = 0;

  /** Does nothing before `start`. */
  constructor(host: SessionHost, env: SessionEnvironment) {
    const { clock, random = Math.random } = env;
    this.#host = host;
    this.#env = env;
    this.#clock = clock;
    this.#deadlines = { ...DEADLINES, ...env.deadlines };
    this.#limits = new RequestLimits(host.limits);
    this.#backoff = new Backoff(random);
    this.#pause = new AttemptWait(clock);
    this.#pulse = new Pulse(clock);
    this.#reload = new Signal(clock);
    this.#changed = new Signal(clock);
    this.#reachability = new Reachability(
      clock,
      (reachable, aid, away) => this.#reportReachable(reachable, aid, away),
      () => this.#watch.childDoubted(),
    );
    const poller = new Poller(clock, random, this.#limits);
    const report = (values: readonly ReportedValue[]): void => host.onValues(values);
    const intake = new ValueIntake({ clock, reachability: this.#reachability, poller, report });
    const onFault = (what: string, error: unknown): void => this.#logFault(what, messageOf(error));
    this.#watch = new Watch({ clock, poller, reachability: this.#reachability, intake, onFault });
    this.#loader = new DatabaseLoader({
      clock,
      configNumber: () => host.configNumber(),
      cachedDatabase: () => host.cachedDatabase(),
      onDatabase: (database, raw, config) => host.onDatabase(database, raw, config),
      onDue: () => this.#reload.raise(),
      onFault: (error) => onFault('Its database can’t be read; the last known one serves', error),
    });
  }

  get stats(): SessionStats {
    return { reconnects: Math.max(0, this.#connections - 1), ...this.#watch.stats, ...this.#pulse.read() };
  }

  get state(): SessionState {
    return this.#state;
  }

  start(): void {
    if (this.#life) return;
    this.#life = new AbortController();
    this.#ended = this.#supervise(this.#life.signal);
  }

  /** Ends the connection and everything that waits for it. May be called twice, and the session started again. */
  async stop(): Promise<void> {
    this.#life?.abort();
    this.#attempt?.giveUp();
    this.#connection?.close();
    this.#pause.end();
    await this.#ended;
    this.#life = undefined;
    this.#reachability.serverGone();
  }

  /** Seen on the network: a device that is waited for is tried now, and one that is being tried is tried again if that fails. */
  sighted(): void {
    if (!SETTLED.has(this.#state)) this.#pause.hurry(HURRY_MS);
  }

  /** Another device of this house is back after an outage. */
  neighbourReturned(): void {
    if (this.#state === 'backing_off') this.#pause.hurry(NEIGHBOUR_HURRY_MS);
  }

  /** Its address, port, `c#` or `sf` changed. */
  advertisementChanged(): void {
    this.#foreign.clear();
    this.sighted();
    const [best] = this.#addresses();
    if (best) this.#attempt?.doubt(best);
    if (this.#state === 'pairing_lost') this.#pause.hurry(PAIRING_LOST_HURRY_MS);
    const { live } = this;
    if (!live) return;
    if (this.#loader.isOutdated) this.#reload.raise();
    if (hasMoved(live.requests.connection.address, this.#host.candidates())) void this.#requireAlive(live);
  }

  /** One outcome per write, in the order given, within the deadline. Never throws. */
  write(writes: readonly RequestedWrite[]): Promise<readonly WriteOutcome[]> {
    const { writeMs, offlineMs } = this.#deadlines;
    const [link, observer, pending, clock] = [this, this.#watch, this.#pendingCommands, this.#clock];
    return writeAll(writes, { link, observer, pending, clock, writeMs, offlineMs });
  }

  /** @throws `accessory_unreachable`, `accessory_error` */
  async identify(aid: HapId): Promise<void> {
    const { index } = await this.#requireLive();
    const identify = index.findIdentify(aid);
    if (!identify) throw new HearthError('accessory_error', 'This accessory has no way to identify itself.');
    const [outcome] = await this.write([{ aid, iid: identify.iid, value: true }]);
    if (!outcome || outcome.ok) return;
    const code = outcome.reason === 'unreachable' ? 'accessory_unreachable' : 'accessory_error';
    throw new HearthError(code, outcome.detail);
  }

  /** Posts to `/pairings` on the verified connection. @throws `accessory_unreachable` */
  async pairingsExchange(body: Buffer): Promise<Buffer> {
    const { requests } = await this.#requireLive();
    try {
      return await requests.connection.exchange('/pairings', body);
    } catch (error) {
      throw new HearthError('accessory_unreachable', `${messageOf(error)}.`, {}, { cause: error });
    }
  }

  // What the writer sees.

  get live(): Live | undefined {
    return this.#live?.requests.connection.isOpen ? this.#live : undefined;
  }

  get fault(): string {
    return this.#fault;
  }

  async awaitLive(waitMs: number, patient: boolean): Promise<Live | undefined> {
    const until = this.#clock.monotonic() + waitMs;
    if (this.#state === 'waiting' || this.#state === 'backing_off') this.#pause.hurry(HURRY_MS);
    while (!this.live && this.#isHopeful(patient)) {
      const left = until - this.#clock.monotonic();
      if (left <= 0) break;
      await this.#changed.wait(left);
    }
    return this.live;
  }

  /** Whether a connection may come about soon, by an attempt that is under way or next. */
  #isHopeful(patient: boolean): boolean {
    if (!this.#life || this.#life.signal.aborted || this.#state === 'pairing_lost') return false;
    if (this.#state !== 'backing_off' && this.#state !== 'waiting') return true;
    return patient || this.#lastEnding === 'lost' || this.#pause.isHurried;
  }

  async #requireLive(): Promise<Live> {
    const live = this.live ?? (await this.awaitLive(this.#deadlines.offlineMs, false));
    if (!live) throw new HearthError('accessory_unreachable', this.#fault);
    return live;
  }

  // The life of a session.

  async #supervise(signal: AbortSignal): Promise<void> {
    this.#status = undefined;
    this.#reachability.serverDown();
    while (!signal.aborted) {
      this.#pause.attempt();
      const ending = await this.#connectOnce(signal);
      if (signal.aborted) break;
      this.#fault = sentence(ending.detail);
      if (ending.kind !== 'moved') this.#pulse.failed(this.#fault, ending.trouble);
      this.#lastEnding = ending.kind;
      await this.#rest(ending);
    }
    this.#enter('stopped');
  }

  async #connectOnce(signal: AbortSignal): Promise<Ending> {
    const addresses = this.#addresses();
    if (addresses.length === 0) return NO_ADDRESS;
    this.#enter('connecting');
    try {
      return await this.#serve(addresses, signal);
    } catch (error) {
      return this.#endingOf(error);
    } finally {
      this.#unlink();
    }
  }

  /** Addresses to try. Ones where another device answered only if there are no others: it may have moved on. */
  #addresses(): readonly HostPort[] {
    const known = dialable(this.#host.candidates());
    const own = known.filter((address) => !this.#foreign.has(labelOf(address)));
    return own.length > 0 ? own : known;
  }

  /** Everything that a connection goes through, in order. Ends by throwing why it ended. */
  async #serve(addresses: readonly HostPort[], signal: AbortSignal): Promise<never> {
    const connection = await this.#open(addresses, signal);
    this.#enter('verifying');
    connection.secure(await this.#verify(connection));
    this.#greet(connection);
    const ended = connection.closed.then((error) => {
      throw error;
    });
    ended.catch(() => {});
    const requests = new CharacteristicRequests(connection, this.#limits);
    for (;;) {
      this.#reload.lower();
      const reloadAt = this.#clock.monotonic() + RELOAD_GAP_MS;
      this.#enter('loading');
      const live = { requests, index: await this.#loader.load(requests) };
      this.#reachability.keepOnly(this.#loader.aids);
      this.#live = live;
      this.#watch.attend(live);
      this.#enter('subscribing');
      await this.#watch.subscribe(live);
      this.#enter('reading');
      await this.#watch.readAll(live);
      this.#enter('ready');
      await Promise.race([this.#reloadDue(reloadAt), ended]);
    }
  }

  async #reloadDue(notBefore: number): Promise<void> {
    if (!this.#loader.isOutdated) await this.#reload.wait();
    const leftMs = notBefore - this.#clock.monotonic();
    if (leftMs > 0) await sleep(this.#clock, leftMs);
  }

  async #open(addresses: readonly HostPort[], signal: AbortSignal): Promise<Connection> {
    const { connectMs, requestMs } = this.#deadlines;
    const onEvent = (body: Buffer): number => {
      this.#pulse.heard();
      return this.#watch.notified(body);
    };
    const onAnswer = (elapsedMs: number): void => this.#pulse.answered(elapsedMs);
    const attempt = new Attempt(this.#clock, addresses);
    this.#attempt = attempt;
    // Whoever was told of it may have stopped us.
    if (signal.aborted) attempt.giveUp();
    const options = { clock: this.#clock, connectMs, requestMs, signal: attempt.signal, onEvent, onAnswer };
    const connection = await Connection.open(addresses, options);
    this.#connection = connection;
    attempt.signal.addEventListener('abort', () => connection.close());
    // It may have been given up while the socket was on its way to us.
    if (attempt.signal.aborted) connection.close();
    return connection;
  }

  #verify(connection: Connection): ReturnType<typeof pairVerify> {
    const { gate, verify = pairVerify } = this.#env;
    const work = (): ReturnType<typeof pairVerify> => verify(connection.exchange, this.#host.keys);
    return gate ? gate.run(work) : work();
  }

  /** The right device, and it knows us. */
  #greet(connection: Connection): void {
    this.#endAttempt();
    this.#authFailures = 0;
    this.#foreign.clear();
    this.#connections += 1;
    this.#host.onConnectedTo(connection.address);
  }

  #endAttempt(): void {
    this.#attempt?.over();
    this.#attempt = undefined;
  }

  #unlink(): void {
    this.#connection?.close();
    this.#connection = undefined;
    this.#endAttempt();
    this.#live = undefined;
    this.#readySince = undefined;
    this.#loader.rest();
    this.#reload.pulse();
    this.#reachability.serverDown();
  }

  #endingOf(error: unknown): Ending {
    if (this.#attempt?.signal.aborted) return MOVED;
    const fault = error instanceof ConnectionError ? error.fault : undefined;
    this.#watch.end(fault);
    if (fault === 'unreachable') this.#limits.acquit();
    const readyForMs = this.#readySince === undefined ? undefined : this.#clock.monotonic() - this.#readySince;
    const ending = endingOf(error, readyForMs, this.#lastEnding);
    if (ending.kind === 'wrong_device' && this.#connection) this.#foreign.add(labelOf(this.#connection.address));
    return ending;
  }

  /** What follows an ending: a wait, or none. Cut short by `#pause.hurry`. */
  async #rest(ending: Ending): Promise<void> {
    switch (ending.kind) {
      case 'no_address':
        this.#enter('waiting', 'offline');
        return this.#pause.wait();
      case 'moved':
        return this.#pause.wait(HURRY_MS);
      case 'failed':
        return this.#restAfterFailure(ending.waitMs ?? 0);
      case 'refused':
        return this.#host.advertisesUnpaired() ? this.#restUnknown() : this.#restAfterFailure();
      case 'lost':
        this.#backoff.succeeded(ending.stable);
        this.#enter('backing_off', 'connecting');
        return this.#pause.wait(this.#backoff.next());
      case 'unverified':
        return;
      case 'wrong_device':
        return this.#restAfterWrongDevice(ending.claimsId);
      case 'unknown_controller':
        return this.#restUnknown();
    }
  }

  #restAfterFailure(waitMs = 0): Promise<void> {
    // Whoever answered there may be gone by then, and the device back.
    this.#foreign.clear();
    this.#enter('backing_off', 'offline');
    return this.#pause.wait(Math.max(waitMs, this.#backoff.next()));
  }

  /** Another address may still lead to the right device. */
  async #restAfterWrongDevice(claimsId: boolean): Promise<void> {
    if (dialable(this.#host.candidates()).some((address) => !this.#foreign.has(labelOf(address)))) return;
    await (claimsId && this.#host.advertisesUnpaired() ? this.#restUnknown() : this.#restAfterFailure());
  }

  /**
   * The device does not know us. An advertisement that says so is no proof and ends nothing by itself: it only tells what it means
   * that the device refused us, or has other keys.
   */
  async #restUnknown(): Promise<void> {
    this.#foreign.clear();
    this.#fault = PAIRING_LOST_ADVICE;
    this.#authFailures += 1;
    if (this.#authFailures < AUTH_FAILURES) {
      this.#enter('backing_off', 'connecting');
      await this.#pause.wait(AUTH_DOUBT_MS);
      return;
    }
    this.#reachability.serverGone();
    this.#enter('pairing_lost', 'pairing_lost');
    await this.#pause.wait(PAIRING_LOST_RETRY_MS);
  }

  /** The one place where the state changes. @param status what it means to people, where it is not implied. */
  #enter(state: SessionState, status?: ConnectionStatus): void {
    this.#state = state;
    if (state === 'ready') {
      this.#readySince ??= this.#clock.monotonic();
      this.#pause.calm();
      this.#reachability.serverUp();
      this.#tellStatus('connected', null);
    } else if (status) {
      this.#tellStatus(status, status === 'connecting' ? null : this.#fault);
      this.#logFault('It is not connected', this.#fault);
    } else if (state === 'connecting' && this.#status === undefined) this.#tellStatus('connecting', null);
    this.#changed.pulse();
  }

  #tellStatus(status: ConnectionStatus, detail: string | null): void {
    if (status === 'connected' && this.#status !== status) {
      this.#env.throttle.once(`${this.#host.keys.deviceId}:connected`, (suppressed) =>
        this.#env.logger.info({ device: this.#host.keys.deviceId, suppressed }, 'Connected'),
      );
    }
    this.#status = status;
    this.#host.onStatus(status, detail);
  }

  #reportReachable(...[reachable, aid, away]: Parameters<ReportReachable>): void {
    this.#host.onReachable(reachable, aid, away);
    if (aid !== undefined && reachable) void this.#watch.childReturned(aid);
  }

  /** The device announces another address: is the one that we talk to still there? */
  async #requireAlive({ requests, index }: Live): Promise<void> {
    if (this.#isProbing) return;
    this.#isProbing = true;
    const cancel = this.#clock.after(ALIVE_MS, () => requests.connection.close());
    await this.#watch.probe({ requests, index });
    cancel();
    this.#isProbing = false;
  }

  #logFault(what: string, why: string): void {
    const device = this.#host.keys.deviceId;
    this.#env.throttle.once(`${device}:${what}`, (suppressed) =>
      this.#env.logger.warn({ device, why, suppressed }, what),
    );
  }
}

function sentence(detail: string): string {
  return /[.!?]$/.test(detail) ? detail : `${detail}.`;
}
