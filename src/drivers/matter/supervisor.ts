/**
 * Keeps a Matter bridge running in a process of its own. The process may end, hang or take too much memory at any
 * time: it is started again after growing waits, with everything that is published now. Nothing of it throws into the
 * relay.
 */
import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import type { HomeDeps } from '../../home/home-deps.ts';
import {
  MATTER_PORT,
  type MatterBridge,
  type MatterBridgeDeps,
  type MatterBridgeStatus,
  type MatterClusters,
  type MatterEndpoint,
  type MatterPress,
} from '../../home/matter-port.ts';
import { waitAtMost } from '../../kernel/clock.ts';
import { HearthError, messageOf } from '../../kernel/errors.ts';
import { LogThrottle } from '../../kernel/logger.ts';
import type { MulticastNetwork, NetworkListener } from '../discovery/multicast-network.ts';
import type { MatterChild, SpawnMatterChild } from './child-process.ts';
import type { FromChild, MatterRequest, ToChild, ToChildAnswer } from './messages.ts';
import { ValueBatch } from './value-batch.ts';

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;
/** A process that was online this long has proved itself: the next wait is short again. */
const PROVED_MS = 60_000;
/** On a slow computer, with many endpoints. */
const MAX_START_MS = 180_000;
const PING_MS = 15_000;
/** A process that does not answer for so long is stuck. */
const MAX_SILENCE_MS = 45_000;
/** With 150 endpoints it has 210 MB. */
const MAX_RESIDENT_BYTES = 448 * 1_024 * 1_024;
const MAX_STOP_MS = 5_000;
/** IPv6 addresses are tested for so long before they can be used, and a DHCP server takes its time. */
const ADDRESS_MS = 5_000;
const MAX_ANSWER_MS = 20_000;

const NOT_OPEN = 'The Matter bridge is not open. Wait until it has started.';

export interface MatterSupervisorDeps extends MatterBridgeDeps, HomeDeps<'clock' | 'logger'> {
  readonly spawn: SpawnMatterChild;
  /** The one network interface to use; `null` for all. */
  readonly networkInterface: string | null;
  /** It reports interfaces that come up. */
  readonly network: Pick<MulticastNetwork, 'join' | 'leave'>;
  readonly version: string;
}

interface Running {
  readonly child: MatterChild;
  /** What it was given, to send differences. */
  readonly sent: Map<string, MatterEndpoint>;
  /** Resolves when it has ended, with the error if it could not be run. */
  readonly exited: Promise<string | undefined>;
  onlineSince: number | undefined;
  lastMessageAt: number;
  /** The reason for which it is stopped from here. */
  ending: string | undefined;
}

export class MatterSupervisor implements MatterBridge {
  readonly #deps: MatterSupervisorDeps;
  readonly #values: ValueBatch;
  readonly #throttle: LogThrottle;
  readonly #asked = new Map<number, { resolve(): void; reject(error: Error): void }>();
  readonly #networkListener: NetworkListener = {
    onReady() {},
    onPacket() {},
    onInterface: () => this.#networkChanged(),
  };
  #status: MatterBridgeStatus = { state: 'stopped' };
  #running: Running | undefined;
  #isStarted = false;
  #failures = 0;
  #cancelTimer = (): void => {};
  #cancelSecondNotice = (): void => {};
  #nextId = 1;

  constructor(deps: MatterSupervisorDeps) {
    this.#deps = deps;
    this.#values = new ValueBatch((values) => this.#send({ type: 'values', values }));
    this.#throttle = new LogThrottle(deps.clock);
  }

  get status(): MatterBridgeStatus {
    return this.#status;
  }

  start(): void {
    if (this.#isStarted) return;
    // The first listener is sent what is there already, which the process finds by itself.
    this.#deps.network.join(this.#networkListener);
    this.#isStarted = true;
    this.#launch();
  }

  async stop(): Promise<void> {
    if (!this.#isStarted) return;
    this.#isStarted = false;
    this.#cancelTimer();
    this.#cancelSecondNotice();
    this.#deps.network.leave(this.#networkListener);
    const running = this.#running;
    if (running) {
      running.ending = 'stopped';
      this.#send({ type: 'stop' });
      await waitAtMost(this.#deps.clock, MAX_STOP_MS, running.exited);
      running.child.process.kill('SIGKILL');
      await running.exited;
    }
    this.#setStatus({ state: 'stopped' });
  }

  endpointsChanged(): void {
    const { sent } = this.#running ?? {};
    if (!sent) return;
    const endpoints = this.#deps.content.endpoints();
    const put = endpoints.filter((endpoint) => !isSame(endpoint, sent.get(endpoint.key)));
    const keys = new Set(endpoints.map(({ key }) => key));
    const remove = [...sent.keys()].filter((key) => !keys.has(key));
    for (const key of remove) sent.delete(key);
    for (const endpoint of put) sent.set(endpoint.key, endpoint);
    if (put.length === 0 && remove.length === 0) return;
    const configurationVersion = this.#deps.content.configurationVersion();
    this.#send({ type: 'endpoints', put, remove, configurationVersion });
  }

  valuesChanged(key: string, clusters: MatterClusters): void {
    const { sent } = this.#running ?? {};
    if (sent?.has(key)) this.#values.add(key, clusters);
    // The library refused it before: it may take these values.
    else if (sent) this.endpointsChanged();
  }

  pressed(key: string, press: MatterPress): void {
    this.#send({ type: 'pressed', key, press });
  }

  openWindow(durationS: number): Promise<void> {
    return this.#ask({ type: 'open_window', durationS });
  }

  closeWindow(): Promise<void> {
    return this.#ask({ type: 'close_window' });
  }

  removeFabric(index: number): Promise<void> {
    return this.#ask({ type: 'remove_fabric', index });
  }

  #launch(): void {
    const { clock, identity, storage, content, networkInterface, version, spawn } = this.#deps;
    this.#setStatus({ state: 'starting', error: this.#status.state === 'starting' ? this.#status.error : null });
    try {
      const endpoints = content.endpoints();
      const stored = storage.load();
      const child = spawn();
      const { process: childProcess } = child;
      const running: Running = {
        child,
        sent: new Map(endpoints.map((endpoint) => [endpoint.key, endpoint])),
        exited: once(childProcess, 'close').then(() => undefined, messageOf),
        onlineSince: undefined,
        lastMessageAt: clock.monotonic(),
        ending: undefined,
      };
      this.#running = running;
      childProcess.on('message', (message: FromChild) => this.#receive(running, message));
      // A channel that breaks is followed by the end of the process.
      childProcess.on('error', () => {});
      void running.exited.then((error) => this.#exited(running, error));
      this.#send({
        type: 'open',
        identity,
        ports: this.#ports(),
        networkInterface,
        version,
        stored,
        configurationVersion: content.configurationVersion(),
        endpoints,
      });
      this.#watch(running);
    } catch (error) {
      if (this.#running) this.#end(this.#running, messageOf(error));
      else this.#retry(messageOf(error));
    }
  }

  #ports(): readonly number[] {
    const { preferredPort = MATTER_PORT, yieldsMatterPort } = this.#deps;
    const [first, second] = yieldsMatterPort ? [preferredPort, MATTER_PORT] : [MATTER_PORT, preferredPort];
    return [...new Set([first, second, 0])];
  }

  #watch(running: Running): void {
    this.#cancelTimer = this.#deps.clock.after(PING_MS, () => {
      const silentMs = this.#deps.clock.monotonic() - running.lastMessageAt;
      const allowedMs = running.onlineSince === undefined ? MAX_START_MS : MAX_SILENCE_MS;
      if (silentMs > allowedMs) this.#end(running, 'It did not answer');
      else this.#send({ type: 'ping' });
      this.#watch(running);
    });
  }

  #end(running: Running, reason: string): void {
    running.ending ??= reason;
    running.child.process.kill('SIGKILL');
  }

  /** The process does not notice it by itself: its library joins multicast groups once. */
  #networkChanged(): void {
    if (!this.#isStarted) return;
    if (!this.#running) {
      // It may have failed because there was no network.
      this.#launchIn(FIRST_WAIT_MS);
      return;
    }
    this.#send({ type: 'network_changed' });
    this.#cancelSecondNotice();
    this.#cancelSecondNotice = this.#deps.clock.after(ADDRESS_MS, () => this.#send({ type: 'network_changed' }));
  }

  #exited(running: Running, error?: string): void {
    if (this.#running !== running) return;
    const { clock, logger } = this.#deps;
    this.#running = undefined;
    this.#cancelTimer();
    this.#values.clear();
    for (const { reject } of this.#asked.values()) reject(new HearthError('conflict', NOT_OPEN));
    this.#asked.clear();
    if (!this.#isStarted) return;
    const { exitCode, signalCode } = running.child.process;
    const reason = error ?? running.ending ?? `It ended with ${signalCode ?? exitCode}`;
    if (running.onlineSince !== undefined && clock.monotonic() - running.onlineSince > PROVED_MS) this.#failures = 0;
    logger.warn({ reason, stderr: running.child.stderr() }, 'The Matter process ended and is started again');
    this.#retry(reason);
  }

  #retry(reason: string): void {
    const waitMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#setStatus({ state: 'starting', error: reason });
    this.#launchIn(waitMs);
  }

  #launchIn(waitMs: number): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#deps.clock.after(waitMs, () => this.#launch());
  }

  #receive(running: Running, message: FromChild): void {
    if (this.#running !== running) return;
    running.lastMessageAt = this.#deps.clock.monotonic();
    const { content, logger } = this.#deps;
    switch (message.type) {
      case 'online': {
        const { type: _, ...online } = message;
        running.onlineSince = running.lastMessageAt;
        if (message.port !== MATTER_PORT) {
          logger.warn(
            { port: message.port },
            `UDP port ${MATTER_PORT} is taken; Alexa does not find the bridge on another one`,
          );
        }
        this.#setStatus({ state: 'open', ...online });
        return;
      }
      case 'status': {
        const { type: _, ...changes } = message;
        if (this.#status.state === 'open') this.#setStatus({ ...this.#status, ...changes });
        return;
      }
      case 'store':
        this.#store(message.id, message.changes);
        return;
      case 'write':
        void content.write(message.write).then((result) => {
          // The next process counts from one again.
          if (this.#running === running) this.#send({ type: 'written', id: message.id, result });
        });
        return;
      case 'stop_motion':
        content.stopMotion(message.key);
        return;
      case 'identify':
        content.identify(message.key);
        return;
      case 'answer':
        this.#answered(message.id, message.error);
        return;
      case 'pong':
        if (message.residentBytes > MAX_RESIDENT_BYTES) this.#end(running, 'It took too much memory');
        return;
      case 'refused':
        if (message.isMissing) running.sent.delete(message.key);
        this.#throttle.once(`refused ${message.key}`, (fields) =>
          logger.warn(
            { ...fields, endpoint: message.key, error: message.error },
            'The Matter library refused an endpoint',
          ),
        );
        return;
      case 'log':
        this.#throttle.once(message.message, (fields) =>
          logger.debug({ ...fields, level: message.level }, message.message),
        );
        return;
      case 'failed':
        running.ending ??= message.error;
    }
  }

  #store(id: number, changes: Parameters<MatterBridgeDeps['storage']['apply']>[0]): void {
    let error: string | null = null;
    try {
      this.#deps.storage.apply(changes);
    } catch (failure) {
      error = messageOf(failure);
      this.#throttle.once('store', (fields) =>
        this.#deps.logger.error({ ...fields, error }, 'Data of the Matter bridge can not be saved'),
      );
    }
    this.#send({ type: 'stored', id, error });
  }

  async #ask(request: MatterRequest): Promise<void> {
    if (this.#status.state !== 'open' || !this.#running) throw new HearthError('conflict', NOT_OPEN);
    const id = this.#nextId++;
    const answer = new Promise<void>((resolve, reject) => this.#asked.set(id, { resolve, reject }));
    this.#send({ type: 'ask', id, request });
    let isOver = false;
    const settled = answer.finally(() => {
      isOver = true;
    });
    await waitAtMost(this.#deps.clock, MAX_ANSWER_MS, settled);
    if (!isOver) throw new HearthError('conflict', 'The Matter bridge did not answer. Try again.');
  }

  #answered(id: number, error: string | null): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (error === null) asked?.resolve();
    else asked?.reject(new HearthError('conflict', error));
  }

  #send(message: ToChild | ToChildAnswer): void {
    const child = this.#running?.child.process;
    // The channel closes a moment before the process ends.
    if (child?.connected) child.send(message, () => {});
  }

  #setStatus(status: MatterBridgeStatus): void {
    if (isDeepStrictEqual(status, this.#status)) return;
    this.#status = status;
    this.#deps.onStatus();
  }
}

function isSame(a: MatterEndpoint, b: MatterEndpoint | undefined): boolean {
  if (a.name !== b?.name || a.reachable !== b.reachable) return false;
  return isDeepStrictEqual(a.features, b.features);
}
