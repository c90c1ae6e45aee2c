/**
 * The supervised session with one paired accessory server: it connects, verifies, reads and subscribes, and repeats
 * this after each disconnect. Only `#enter` changes its state, `#serve` lists the steps of a connection, and `#rest`
 * handles its end. Framing, HTTP and the translation to the home model are in other files of this folder.
 */
import type { ReportedValue, WriteOutcome } from '../../../home/accessory-driver.ts';
import type { PictureSize } from '../../../home/camera-driver.ts';
import type { HapId } from '../../../home/model.ts';
import type { ConnectionStatus } from '../../../home/pairing-driver.ts';
import { type Clock, sleep } from '../../../kernel/clock.ts';
import { HearthError, messageOf } from '../../../kernel/errors.ts';
import { PAIRING_LOST_ADVICE, pairVerify } from '../pairing/pair-verify.ts';
import { LiveSubscription } from '../values/live-subscription.ts';
import { Poller } from '../values/poller.ts';
import { Reachability, type ReportReachable } from '../values/reachability.ts';
import { ValueSink } from '../values/value-sink.ts';
import type { Live, RequestedWrite, WriteSession } from '../values/write-item.ts';
import { type PendingCommands, writeAll } from '../values/writer.ts';
import { CharacteristicRequests } from '../wire/characteristic-requests.ts';
import type { CharacteristicId } from '../wire/characteristics-codec.ts';
import { Connection, ConnectionError } from '../wire/connection.ts';
import { dialable, type HostPort, hasMoved, labelOf } from '../wire/dial.ts';
import { PairingRefusal } from '../wire/exchange.ts';
import { RequestLimits } from '../wire/limits.ts';
import { ConnectAttempt } from './attempt.ts';
import { AttemptWait } from './attempt-wait.ts';
import { Backoff } from './backoff.ts';
import { negotiate, takePicture } from './camera-requests.ts';
import { ConnectionHealth } from './connection-health.ts';
import { ConnectionHistory, type ConnectionReport } from './connection-history.ts';
import { DatabaseLoader } from './database-loader.ts';
import { DEADLINES, type SessionDeadlines } from './deadlines.ts';
import { type Ending, endingOf, NO_ADDRESS } from './session-ending.ts';
import type { AccessorySessionDeps, SessionHost, SessionStats } from './session-host.ts';
import { Signal } from './signal.ts';

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

/** The minimum time between attempts, however many sightings and commands arrive. */
const RETRY_SOON_MS = 1_000;
/** The return of other devices is only a hint: it brings the next attempt forward, but with a longer minimum. */
const PEER_RETRY_MS = 5_000;
/** After a device reports that it does not know us, it is asked once more before the session believes it. */
const AUTH_FAILURES = 2;
const AUTH_DOUBT_MS = 2_000;
const PAIRING_LOST_RETRY_MS = 600_000;
const PAIRING_LOST_RETRY_SOON_MS = 5_000;
/**
 * The minimum time between database reads, however often `c#` changes (a bridge that starts, or a forged
 * advertisement).
 */
const RELOAD_GAP_MS = 2_000;
/** While a command waits, a connection attempt without progress for this time is replaced. */
const IMPATIENT_MS = 1_500;
/** Added for each attempt replaced within the last seconds: a device that is slow to verify must connect in the end. */
const MORE_PATIENCE_MS = 1_000;
const REPLACED_RECENTLY_MS = 10_000;
/** If the device seems to have moved, the connection must prove within this time that it is alive. */
const ALIVE_MS = 5_000;

/** States without a current or planned attempt. */
const SETTLED: ReadonlySet<SessionState> = new Set(['stopped', 'ready', 'pairing_lost']);

export class AccessorySession implements WriteSession {
  readonly #host: SessionHost;
  readonly #deps: AccessorySessionDeps;
  readonly #clock: Clock;
  readonly #deadlines: SessionDeadlines;
  readonly #limits: RequestLimits;
  readonly #backoff: Backoff;
  readonly #loader: DatabaseLoader;
  readonly #reachability: Reachability;
  readonly #watch: LiveSubscription;
  readonly #pause: AttemptWait;
  readonly #pulse: ConnectionHealth;
  readonly #history: ConnectionHistory;
  /** Requests a reload of the database. */
  readonly #reload: Signal;
  /** Pulsed at every state change. */
  readonly #changed: Signal;
  readonly #pendingCommands: PendingCommands = new Map();
  /** Addresses at which another device answered, in this round of attempts. */
  readonly #wrongDeviceAddresses = new Set<string>();
  #state: SessionState = 'stopped';
  #negotiation: Promise<unknown> = Promise.resolve();
  #status: ConnectionStatus | undefined;
  #fault = 'The device is not connected.';
  #life: AbortController | undefined;
  #ended: Promise<void> = Promise.resolve();
  /** The current attempt, until the device has proved its identity. */
  #attempt: ConnectAttempt | undefined;
  #connection: Connection | undefined;
  #live: Live | undefined;
  #readySince: number | undefined;
  #lastEnding: Ending['kind'] | undefined;
  #isProbing = false;
  /** A request timed out, and no response has arrived on a verified connection since. */
  #isSilent = false;
  /** When attempts were replaced recently, in monotonic time. */
  #replacedAt: readonly number[] = [];
  #authFailures = 0;
  #connections = 0;

  /** Does nothing before `start`. */
  constructor(host: SessionHost, deps: AccessorySessionDeps) {
    const { clock, random = Math.random } = deps;
    this.#host = host;
    this.#deps = deps;
    this.#clock = clock;
    this.#deadlines = { ...DEADLINES, ...deps.deadlines };
    this.#limits = new RequestLimits(host.limits);
    this.#backoff = new Backoff(random);
    this.#pause = new AttemptWait(clock);
    this.#pulse = new ConnectionHealth(clock);
    this.#history = new ConnectionHistory(clock);
    this.#reload = new Signal(clock);
    this.#changed = new Signal(clock);
    this.#reachability = new Reachability(
      clock,
      (reachable, aid, away) => this.#reportReachable(reachable, aid, away),
      () => this.#watch.childDoubted(),
    );
    const poller = new Poller(clock, random, this.#limits);
    const report = (values: readonly ReportedValue[]): void => host.onValues(values);
    const intake = new ValueSink({ clock, reachability: this.#reachability, poller, report });
    const onFault = (what: string, error: unknown): void => this.#logFault(what, messageOf(error));
    this.#watch = new LiveSubscription({ clock, poller, reachability: this.#reachability, intake, onFault });
    this.#loader = new DatabaseLoader({
      clock,
      configNumber: () => host.configNumber(),
      cachedDatabase: () => host.cachedDatabase(),
      onDatabase: (database, raw, config) => host.onDatabase(database, raw, config),
      onDue: () => this.#reload.raise(),
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
    return this.#state;
  }

  start(): void {
    if (this.#life) return;
    this.#life = new AbortController();
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
    if (!SETTLED.has(this.#state)) this.#pause.retrySoon(RETRY_SOON_MS);
  }

  /** Another device of this home is reachable again after an outage. */
  peerReconnected(): void {
    if (this.#state === 'backing_off') this.#pause.retrySoon(PEER_RETRY_MS);
  }

  /** Its address, port, `c#` or `sf` changed. */
  advertisementChanged(): void {
    this.#wrongDeviceAddresses.clear();
    this.discovered();
    const [best] = this.#addresses();
    if (best) this.#attempt?.doubt(best);
    if (this.#state === 'pairing_lost') this.#pause.retrySoon(PAIRING_LOST_RETRY_SOON_MS);
    const { live } = this;
    if (!live) return;
    if (this.#loader.isOutdated) this.#reload.raise();
    if (hasMoved(live.requests.connection.address, this.#host.candidates())) void this.#requireAlive(live);
  }

  /** Returns one outcome per write, in the order given, within the deadline. Never throws. */
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

  /** @throws `accessory_unreachable`, `accessory_error` */
  async takePicture(aid: HapId, size: PictureSize): Promise<Buffer> {
    const { requests } = await this.#requireLive();
    return takePicture(requests, aid, size);
  }

  /** One after the other: an answer belongs to the last question. @throws as `takePicture` */
  negotiate(id: CharacteristicId, value: string): Promise<string> {
    const answer = this.#negotiation.then(async () => negotiate((await this.#requireLive()).requests, id, value));
    this.#negotiation = answer.catch(() => {});
    return answer;
  }

  /** Posts to `/pairings` on the verified connection. @throws `accessory_unreachable`, `accessory_error` */
  async pairingsExchange(body: Buffer): Promise<Buffer> {
    const { requests } = await this.#requireLive();
    try {
      return await requests.connection.exchange('/pairings', body);
    } catch (error) {
      const code = error instanceof PairingRefusal ? 'accessory_error' : 'accessory_unreachable';
      throw new HearthError(code, `${messageOf(error)}.`, {}, { cause: error });
    }
  }

  // The interface for the writer.

  get live(): Live | undefined {
    return this.#live?.requests.connection.isOpen && !this.#isSilent ? this.#live : undefined;
  }

  get fault(): string {
    return this.#fault;
  }

  async awaitLive(waitMs: number, patient: boolean): Promise<Live | undefined> {
    const until = this.#clock.monotonic() + waitMs;
    // A connection that has just ended is still on its way to the back-off.
    const isOver = this.#connection?.isOpen === false;
    if (isOver || this.#state === 'waiting' || this.#state === 'backing_off') this.#pause.retrySoon(RETRY_SOON_MS);
    else this.#hastenAttempt(waitMs);
    while (!this.live && this.#isHopeful(patient)) {
      const left = until - this.#clock.monotonic();
      if (left <= 0) break;
      await this.#changed.wait(left);
    }
    return this.live;
  }

  /** Whether a connection may soon succeed, by the current attempt or the next one. */
  #isHopeful(patient: boolean): boolean {
    if (!this.#life || this.#life.signal.aborted || this.#state === 'pairing_lost') return false;
    if (this.#state !== 'backing_off' && this.#state !== 'waiting') return true;
    return patient || this.#lastEnding === 'lost' || this.#pause.isShortened;
  }

  /** A device that is slow in pair-verify gets its time, unless it has just left a request unanswered. */
  #hastenAttempt(waitMs: number): void {
    if (this.#connection && !this.#isSilent) return;
    this.#attempt?.hasten(IMPATIENT_MS + MORE_PATIENCE_MS * this.#recentlyReplaced().length, waitMs);
  }

  #recentlyReplaced(): readonly number[] {
    return this.#replacedAt.filter((at) => this.#clock.monotonic() - at < REPLACED_RECENTLY_MS);
  }

  async #requireLive(): Promise<Live> {
    const live = this.live ?? (await this.awaitLive(this.#deadlines.offlineMs, false));
    if (!live) throw new HearthError('accessory_unreachable', this.#fault);
    return live;
  }

  // The session's life cycle.

  async #supervise(signal: AbortSignal): Promise<void> {
    this.#status = undefined;
    this.#reachability.serverDown();
    while (!signal.aborted) {
      this.#pause.attempt();
      const ending = await this.#connectOnce(signal);
      if (signal.aborted) break;
      if (ending.kind === 'replaced') {
        this.#replacedAt = [...this.#recentlyReplaced(), this.#clock.monotonic()];
        continue;
      }
      this.#fault = sentence(ending.detail);
      if (ending.kind !== 'moved') this.#pulse.failed(this.#fault, ending.trouble);
      this.#history.ended(ending.trouble);
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

  /**
   * Addresses to try. An address where another device answered is used only if there is no other: that device may have
   * left it.
   */
  #addresses(): readonly HostPort[] {
    const known = dialable(this.#host.candidates());
    const own = known.filter((address) => !this.#wrongDeviceAddresses.has(labelOf(address)));
    return own.length > 0 ? own : known;
  }

  /** The steps of a connection, in order. Always throws the reason why the connection ended. */
  async #serve(addresses: readonly HostPort[], signal: AbortSignal): Promise<never> {
    const connection = await this.#open(addresses, signal);
    this.#enter('verifying');
    connection.secure(await this.#verify(connection));
    this.#greet(connection);
    const ended = connection.closed.then((error) => {
      throw error;
    });
    ended.catch(() => {});
    const requests = new CharacteristicRequests(connection, this.#limits, this.#history);
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
      this.#pulse.noteReceived();
      return this.#watch.notified(body);
    };
    const attempt = new ConnectAttempt(this.#clock, addresses);
    const onAnswer = (elapsedMs: number): void => {
      this.#pulse.answered(elapsedMs);
      this.#history.responded(elapsedMs);
      if (this.#attempt === attempt) attempt.progressed();
      else this.#answeredAgain();
    };
    this.#attempt = attempt;
    // A callback may have stopped the session.
    if (signal.aborted) attempt.giveUp();
    const options = { clock: this.#clock, connectMs, requestMs, signal: attempt.signal, onEvent, onAnswer };
    const connection = await Connection.open(addresses, options);
    this.#connection = connection;
    attempt.signal.addEventListener('abort', () => connection.close());
    // The attempt may have been given up while the socket was opening.
    if (attempt.signal.aborted) connection.close();
    return connection;
  }

  #verify(connection: Connection): ReturnType<typeof pairVerify> {
    const { gate, verify = pairVerify } = this.#deps;
    const work = (): ReturnType<typeof pairVerify> => {
      this.#attempt?.progressed();
      return verify(connection.exchange, this.#host.keys);
    };
    this.#attempt?.hold();
    return gate ? gate.run(work) : work();
  }

  /** A response arrived after a timeout: commands may be sent again. */
  #answeredAgain(): void {
    if (!this.#isSilent) return;
    this.#isSilent = false;
    this.#changed.pulse();
  }

  /** The device has proved its identity and knows us. */
  #greet(connection: Connection): void {
    this.#endAttempt();
    this.#authFailures = 0;
    this.#wrongDeviceAddresses.clear();
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
    this.#reload.pulse();
    this.#reachability.serverDown();
  }

  #endingOf(error: unknown): Ending {
    if (this.#attempt?.signal.aborted) return this.#attempt.ending;
    const fault = error instanceof ConnectionError ? error.fault : undefined;
    this.#watch.end(fault);
    if (fault === 'unreachable') this.#limits.acquit();
    if (fault === 'timeout') this.#fellSilent();
    const readyForMs = this.#readySince === undefined ? undefined : this.#clock.monotonic() - this.#readySince;
    const ending = endingOf(error, readyForMs, this.#lastEnding);
    if (ending.kind === 'wrong_device' && this.#connection)
      this.#wrongDeviceAddresses.add(labelOf(this.#connection.address));
    return ending;
  }

  /** A request timed out: that is long enough, so no grace period follows. */
  #fellSilent(): void {
    this.#isSilent = true;
    this.#reachability.serverGone();
  }

  /** Waits after an ending, if necessary. `#pause.retrySoon` shortens the wait. */
  async #rest(ending: Ending): Promise<void> {
    switch (ending.kind) {
      case 'no_address':
        this.#enter('waiting', 'offline');
        return this.#pause.wait();
      case 'moved':
        return this.#pause.wait(RETRY_SOON_MS);
      case 'failed':
        return this.#restAfterFailure(ending.waitMs ?? 0);
      case 'refused':
        return this.#host.advertisesUnpaired() ? this.#restUnknown() : this.#restAfterFailure();
      case 'lost':
        this.#backoff.succeeded(ending.stable);
        this.#enter('backing_off', this.#isSilent ? 'offline' : 'connecting');
        return this.#pause.wait(this.#backoff.next());
      case 'unverified':
      case 'replaced':
        return;
      case 'wrong_device':
        return this.#restAfterWrongDevice(ending.claimsId);
      case 'unknown_controller':
        return this.#restUnknown();
    }
  }

  #restAfterFailure(waitMs = 0): Promise<void> {
    // The other device at that address may have left, and ours may be back.
    this.#wrongDeviceAddresses.clear();
    this.#enter('backing_off', 'offline');
    return this.#pause.wait(Math.max(waitMs, this.#backoff.next()));
  }

  /** Returns at once if another address may still lead to the right device. */
  async #restAfterWrongDevice(claimsId: boolean): Promise<void> {
    if (dialable(this.#host.candidates()).some((address) => !this.#wrongDeviceAddresses.has(labelOf(address)))) return;
    await (claimsId && this.#host.advertisesUnpaired() ? this.#restUnknown() : this.#restAfterFailure());
  }

  /**
   * Handles a device that does not know us. An advertisement that it is unpaired is no proof and ends nothing by
   * itself. It only explains why the device refused us, or has other keys.
   */
  async #restUnknown(): Promise<void> {
    this.#wrongDeviceAddresses.clear();
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

  /** Changes the state; no other method does. @param status the status to show, if the state does not imply it */
  #enter(state: SessionState, status?: ConnectionStatus): void {
    this.#state = state;
    if (state === 'ready') {
      this.#isSilent = false;
      this.#readySince ??= this.#clock.monotonic();
      this.#pause.calm();
      this.#reachability.serverUp();
      this.#notifyStatus('connected', null);
    } else if (status) {
      this.#notifyStatus(status, status === 'connecting' ? null : this.#fault);
      this.#logFault('Not connected', this.#fault);
    } else if (state === 'connecting' && this.#status === undefined) this.#notifyStatus('connecting', null);
    this.#changed.pulse();
  }

  #notifyStatus(status: ConnectionStatus, detail: string | null): void {
    if (status === 'connected' && this.#status !== status) {
      const { keys, name } = this.#host;
      this.#deps.throttle.once(`${keys.deviceId}:connected`, (skipped) =>
        this.#deps.logger.info({ device: keys.deviceId, name, ...skipped }, 'Connected'),
      );
    }
    this.#status = status;
    this.#host.onStatus(status, detail);
  }

  #reportReachable(...[reachable, aid, away]: Parameters<ReportReachable>): void {
    this.#host.onReachable(reachable, aid, away);
    if (aid !== undefined && reachable) void this.#watch.childReturned(aid);
  }

  /** The device announces another address: checks whether the current connection is still alive. */
  async #requireAlive({ requests, index }: Live): Promise<void> {
    if (this.#isProbing) return;
    this.#isProbing = true;
    const cancel = this.#clock.after(ALIVE_MS, () => requests.connection.close());
    await this.#watch.probe({ requests, index });
    cancel();
    this.#isProbing = false;
  }

  #logFault(what: string, why: string): void {
    const { keys, name } = this.#host;
    this.#deps.throttle.once(`${keys.deviceId}:${what}`, (skipped) =>
      this.#deps.logger.warn({ device: keys.deviceId, name, why, ...skipped }, what),
    );
  }
}

function sentence(detail: string): string {
  return /[.!?]$/.test(detail) ? detail : `${detail}.`;
}
