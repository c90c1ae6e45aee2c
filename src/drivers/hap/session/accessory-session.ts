/**
 * The supervised session with one paired accessory server: it connects, verifies, reads and subscribes, and repeats
 * this after each disconnect. `#serve` lists the steps of a connection; `RetryPolicy` decides what follows its end, and
 * `SessionStatus` holds the state.
 */
import type { WriteOutcome } from '../../../home/accessory-driver.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { HearthError, messageOf } from '../../../kernel/errors.ts';
import { pairVerify } from '../pairing/pair-verify.ts';
import { LiveSubscription } from '../values/live-subscription.ts';
import { Poller } from '../values/poller.ts';
import { Reachability, type ReportReachable } from '../values/reachability.ts';
import { ValueSink } from '../values/value-sink.ts';
import type { Live, RequestedWrite, WriteSession } from '../values/write-item.ts';
import { type PendingCommands, writeAll } from '../values/writer.ts';
import { CharacteristicRequests } from '../wire/characteristic-requests.ts';
import { type Connection, ConnectionError } from '../wire/connection.ts';
import { type HostPort, hasMoved } from '../wire/dial.ts';
import { RequestLimits } from '../wire/limits.ts';
import { ConnectAttempt } from './attempt.ts';
import { AttemptWait } from './attempt-wait.ts';
import { ConnectionHealth } from './connection-health.ts';
import { ConnectionHistory, type ConnectionReport } from './connection-history.ts';
import { DatabaseLoader } from './database-loader.ts';
import { DEADLINES, type SessionDeadlines } from './deadlines.ts';
import { DeviceRequests } from './device-requests.ts';
import { DialAddresses } from './dial-addresses.ts';
import { RETRY_SOON_MS, RetryPolicy } from './retry-policy.ts';
import { type Ending, endingOf, NO_ADDRESS } from './session-ending.ts';
import type { AccessorySessionDeps, SessionHost, SessionStats } from './session-host.ts';
import { type SessionState, SessionStatus } from './session-status.ts';

/** The return of other devices is only a hint: it brings the next attempt forward, but with a longer minimum. */
const PEER_RETRY_MS = 5_000;
const PAIRING_LOST_RETRY_SOON_MS = 5_000;
/** States without a current or planned attempt. */
const SETTLED: ReadonlySet<SessionState> = new Set(['stopped', 'ready', 'pairing_lost']);

export class AccessorySession implements WriteSession {
  readonly #host: SessionHost;
  readonly #deps: AccessorySessionDeps;
  readonly #status: SessionStatus;
  readonly #addresses: DialAddresses;
  readonly #retry: RetryPolicy;
  readonly #clock: Clock;
  readonly #deadlines: SessionDeadlines;
  readonly #limits: RequestLimits;
  readonly #loader: DatabaseLoader;
  readonly #reachability: Reachability;
  readonly #watch: LiveSubscription;
  readonly #pause: AttemptWait;
  readonly #pulse: ConnectionHealth;
  readonly #history: ConnectionHistory;
  readonly #pendingCommands: PendingCommands = new Map();
  /** What it is asked beside values. */
  readonly device: DeviceRequests;
  #life: AbortController | undefined;
  #ended: Promise<void> = Promise.resolve();
  /** The current attempt, until the device has proved its identity. */
  #attempt: ConnectAttempt | undefined;
  #connection: Connection | undefined;
  #live: Live | undefined;
  #readySince: number | undefined;
  #lastEnding: Ending['kind'] | undefined;
  /** A request timed out, and no response has arrived on a verified connection since. */
  #isSilent = false;
  #connections = 0;

  /** Does nothing before `start`. */
  constructor(host: SessionHost, deps: AccessorySessionDeps) {
    const { clock, random = Math.random } = deps;
    this.#host = host;
    this.#deps = deps;
    this.#clock = clock;
    this.#deadlines = { ...DEADLINES, ...deps.deadlines };
    this.#limits = new RequestLimits(host.limits);
    this.#status = new SessionStatus(host, deps, () => this.#becameReady());
    this.#addresses = new DialAddresses(() => host.candidates());
    this.#pause = new AttemptWait(clock);
    this.#pulse = new ConnectionHealth(clock);
    this.#history = new ConnectionHistory(clock);
    this.device = new DeviceRequests(this);
    this.#reachability = new Reachability(
      clock,
      (reachable, aid, away) => this.#reportReachable(reachable, aid, away),
      () => this.#watch.childDoubted(),
    );
    const [status, addresses, pause, reachability] = [this.#status, this.#addresses, this.#pause, this.#reachability];
    this.#retry = new RetryPolicy({ clock, host, status, addresses, pause, reachability, random });
    const poller = new Poller(clock, random, this.#limits);
    const intake = new ValueSink({ clock, reachability, poller, report: (values) => host.onValues(values) });
    const onFault = (what: string, error: unknown): void => this.#status.logFault(what, messageOf(error));
    this.#watch = new LiveSubscription({ clock, poller, reachability, intake, onFault });
    this.#loader = new DatabaseLoader({
      clock,
      configNumber: () => host.configNumber(),
      cachedDatabase: () => host.cachedDatabase(),
      onDatabase: (database, raw, config) => host.onDatabase(database, raw, config),
      onFault: (error) => onFault('Could not read the accessory database; the last known one is in use', error),
    });
  }

  get stats(): SessionStats {
    return { reconnects: Math.max(0, this.#connections - 1), ...this.#watch.stats, ...this.#pulse.read() };
  }

  get history(): ConnectionReport {
    return this.#history.read();
  }

  get state(): SessionState {
    return this.#status.state;
  }

  start(): void {
    if (this.#life) return;
    this.#life = new AbortController();
    this.#retry.reset();
    this.#ended = this.#supervise(this.#life.signal);
  }

  /**
   * Ends the connection and everything that waits for it. May be called twice, and the session can start again. The
   * reachability in the home model does not change, because stopping the relay changes nothing about the device.
   */
  async stop(): Promise<void> {
    this.#life?.abort();
    this.#attempt?.giveUp();
    this.#connection?.close();
    this.#pause.end();
    await this.#ended;
    this.#life = undefined;
    this.#reachability.suspend();
  }

  /** Reports the device as unreachable until the next `start`. Call it after `stop`. */
  gone(): void {
    this.#reachability.serverGone();
  }

  /** mDNS discovered the device: ends the back-off now, or skips it if the current attempt fails. */
  discovered(): void {
    if (!SETTLED.has(this.state)) this.#pause.retrySoon(RETRY_SOON_MS);
  }

  /** Another device of this home is reachable again after an outage. */
  peerReconnected(): void {
    if (this.state === 'backing_off') this.#pause.retrySoon(PEER_RETRY_MS);
  }

  /** Its address, port, `c#` or `sf` changed. */
  advertisementChanged(): void {
    this.#addresses.forgetWrong();
    this.discovered();
    const [best] = this.#addresses.list();
    if (best) this.#attempt?.doubt(best);
    if (this.state === 'pairing_lost') this.#pause.retrySoon(PAIRING_LOST_RETRY_SOON_MS);
    const { live } = this;
    if (!live) return;
    this.#loader.advertised();
    if (hasMoved(live.requests.connection.address, this.#host.candidates())) void this.#watch.requireAlive(live);
  }

  /** Returns one outcome per write, in the order given, within the deadline. Never throws. */
  write(writes: readonly RequestedWrite[]): Promise<readonly WriteOutcome[]> {
    const { writeMs, offlineMs } = this.#deadlines;
    const [link, observer, pending, clock] = [this, this.#watch, this.#pendingCommands, this.#clock];
    return writeAll(writes, { link, observer, pending, clock, writeMs, offlineMs });
  }

  // The interface for the writer.

  get live(): Live | undefined {
    return this.#live?.requests.connection.isOpen && !this.#isSilent ? this.#live : undefined;
  }

  get fault(): string {
    return this.#status.fault;
  }

  async awaitLive(waitMs: number, patient: boolean): Promise<Live | undefined> {
    const until = this.#clock.monotonic() + waitMs;
    // A connection that has just ended is still on its way to the back-off.
    const isOver = this.#connection?.isOpen === false;
    if (isOver || this.state === 'waiting' || this.state === 'backing_off') this.#pause.retrySoon(RETRY_SOON_MS);
    else this.#hastenAttempt(waitMs);
    while (!this.live && this.#isHopeful(patient)) {
      const left = until - this.#clock.monotonic();
      if (left <= 0) break;
      await this.#status.changed.wait(left);
    }
    return this.live;
  }

  /** Whether a connection may soon succeed, by the current attempt or the next one. */
  #isHopeful(patient: boolean): boolean {
    if (!this.#life || this.#life.signal.aborted || this.state === 'pairing_lost') return false;
    if (this.state !== 'backing_off' && this.state !== 'waiting') return true;
    return patient || this.#lastEnding === 'lost' || this.#pause.isShortened;
  }

  /** A device that is slow in pair-verify gets its time, unless it has just left a request unanswered. */
  #hastenAttempt(waitMs: number): void {
    if (this.#connection && !this.#isSilent) return;
    this.#attempt?.hasten(this.#retry.patienceMs, waitMs);
  }

  /** For `DeviceRequests`. @throws `accessory_unreachable` */
  async requireLive(): Promise<Live> {
    const live = this.live ?? (await this.awaitLive(this.#deadlines.offlineMs, false));
    if (!live) throw new HearthError('accessory_unreachable', this.#status.fault);
    return live;
  }

  async #supervise(signal: AbortSignal): Promise<void> {
    this.#status.reset();
    this.#reachability.serverDown();
    while (!signal.aborted) {
      this.#pause.attempt();
      const ending = await this.#connectOnce(signal);
      if (signal.aborted) break;
      if (ending.kind === 'replaced') {
        this.#retry.replaced();
        continue;
      }
      this.#status.failed(ending.detail);
      if (ending.kind !== 'moved') this.#pulse.failed(this.#status.fault, ending.trouble);
      this.#history.ended(ending.trouble);
      this.#lastEnding = ending.kind;
      await this.#retry.rest(ending, this.#isSilent);
    }
    this.#status.enter('stopped');
  }

  async #connectOnce(signal: AbortSignal): Promise<Ending> {
    const addresses = this.#addresses.list();
    if (addresses.length === 0) return NO_ADDRESS;
    this.#status.enter('connecting');
    try {
      return await this.#serve(addresses, signal);
    } catch (error) {
      return this.#endingOf(error);
    } finally {
      this.#unlink();
    }
  }

  /** The steps of a connection, in order. Always throws the reason why the connection ended. */
  async #serve(addresses: readonly HostPort[], signal: AbortSignal): Promise<never> {
    const { gate, verify = pairVerify } = this.#deps;
    const attempt = new ConnectAttempt(this.#clock, addresses);
    this.#attempt = attempt;
    // A callback may have stopped the session.
    if (signal.aborted) attempt.giveUp();
    const connection = await this.#open(attempt);
    this.#status.enter('verifying');
    connection.secure(await attempt.queue(gate, () => verify(connection.exchange, this.#host.keys)));
    this.#greet(connection);
    const ended = connection.closed.then((error) => {
      throw error;
    });
    ended.catch(() => {});
    const requests = new CharacteristicRequests(connection, this.#limits, this.#history);
    for (;;) {
      this.#status.enter('loading');
      const live = { requests, index: await this.#loader.load(requests) };
      this.#reachability.keepOnly(this.#loader.aids);
      this.#live = live;
      this.#watch.attend(live);
      this.#status.enter('subscribing');
      await this.#watch.subscribe(live);
      this.#status.enter('reading');
      await this.#watch.readAll(live);
      this.#status.enter('ready');
      await Promise.race([this.#loader.outdated(), ended]);
    }
  }

  async #open(attempt: ConnectAttempt): Promise<Connection> {
    const { connectMs, requestMs } = this.#deadlines;
    const onEvent = (body: Buffer): number => {
      this.#pulse.noteReceived();
      return this.#watch.notified(body);
    };
    const onAnswer = (elapsedMs: number): void => {
      this.#pulse.answered(elapsedMs);
      this.#history.responded(elapsedMs);
      if (this.#attempt === attempt) attempt.progressed();
      else if (this.#isSilent) {
        // A response arrived after a timeout: commands may be sent again.
        this.#isSilent = false;
        this.#status.changed.pulse();
      }
    };
    this.#connection = await attempt.open({ connectMs, requestMs, onEvent, onAnswer });
    return this.#connection;
  }

  /** The device has proved its identity and knows us. */
  #greet(connection: Connection): void {
    this.#endAttempt();
    this.#retry.verified();
    this.#connections += 1;
    this.#history.connected();
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
    this.#reachability.serverDown();
  }

  #endingOf(error: unknown): Ending {
    if (this.#attempt?.signal.aborted) return this.#attempt.ending;
    const fault = error instanceof ConnectionError ? error.fault : undefined;
    this.#watch.end(fault);
    if (fault === 'unreachable') this.#limits.acquit();
    if (fault === 'timeout') {
      // That is long enough: no grace period follows.
      this.#isSilent = true;
      this.#reachability.serverGone();
    }
    const readyForMs = this.#readySince === undefined ? undefined : this.#clock.monotonic() - this.#readySince;
    const ending = endingOf(error, readyForMs, this.#lastEnding);
    if (ending.kind === 'wrong_device' && this.#connection) this.#addresses.wrongDeviceAt(this.#connection.address);
    return ending;
  }

  #becameReady(): void {
    this.#isSilent = false;
    this.#readySince ??= this.#clock.monotonic();
    this.#pause.calm();
    this.#reachability.serverUp();
  }

  #reportReachable(...[reachable, aid, away]: Parameters<ReportReachable>): void {
    this.#host.onReachable(reachable, aid, away);
    if (aid !== undefined && reachable) void this.#watch.childReturned(aid);
  }
}
