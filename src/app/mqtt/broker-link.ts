/**
 * The link of one home to one broker: connects, reconnects, publishes while connected, and disconnects cleanly. Each
 * connection is a new object; no state of an old one carries over to the next.
 */
import { createHash } from 'node:crypto';
import type { HomeDeps } from '../../home/home-deps.ts';
import type { MqttClosed, MqttConnection, MqttConnector } from '../../home/mqtt-connector.ts';
import { waitAtMost } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { LogThrottle } from '../../kernel/logger.ts';
import type { Broker, BrokerStatus } from './broker.ts';
import type { Commands } from './commands.ts';
import type { HomePublisher } from './home-publisher.ts';
import { type PublishCounts, PublishQueue } from './publish-queue.ts';
import { reconnectDelay } from './reconnect-delay.ts';
import { OFFLINE } from './thing-messages.ts';

/**
 * A connection that ends sooner counts as a failed attempt. Otherwise two clients with the same id would replace each
 * other for ever.
 */
const LASTING_MS = 20_000;
/** Total time limit of a stop. */
const LEAVE_TIMEOUT_MS = 1_000;
/** Time limit for clearing a whole home on a removed broker. */
const CLEAR_TIMEOUT_MS = 10_000;

export interface BrokerLinkDeps extends HomeDeps<'clock' | 'logger'> {
  readonly broker: Broker;
  readonly connector: MqttConnector;
  readonly publisher: HomePublisher;
  /** Handles received messages. */
  readonly commands: Commands;
  readonly counts: PublishCounts;
  readonly throttle: LogThrottle;
  /** The status has changed. */
  onStatus(): void;
  /** From 0 to 1. */
  random(): number;
}

export class BrokerLink {
  readonly #deps: BrokerLinkDeps;
  #connection: MqttConnection | undefined;
  #outbox: PublishQueue | undefined;
  #status: BrokerStatus = { status: 'connecting', error: null, fault: null, connectedAt: null };
  #connectedSince = 0;
  #failures = 0;
  #cancelRetry: (() => void) | undefined;
  /** The topic of the connection's will. */
  #willTopic: string | undefined;
  #stopping: Promise<void> | undefined;
  #retryNow: () => void = () => {};

  constructor(deps: BrokerLinkDeps) {
    this.#deps = deps;
  }

  get broker(): Broker {
    return this.#deps.broker;
  }

  get publisher(): HomePublisher {
    return this.#deps.publisher;
  }

  get #isStopped(): boolean {
    return this.#stopping !== undefined;
  }

  get status(): BrokerStatus {
    return this.#status;
  }

  start(): void {
    this.#connect();
  }

  /** Publishes a non-retained sentence. */
  reportError(topic: string, sentence: string): void {
    this.#outbox?.reportError(topic, sentence);
  }

  /**
   * Publishes `offline` if connected, and disconnects: within two seconds, or ten if it clears everything.
   * @param clear whether to clear all retained messages of the home.
   */
  stop({ clear }: { readonly clear: boolean }): Promise<void> {
    if (!clear) this.#retryNow();
    this.#stopping ??= this.#leave(clear);
    return this.#stopping;
  }

  /** Whether the home was renamed since the connection was made: topics, including the will, begin with its name. */
  get isMisplaced(): boolean {
    const { statusTopic } = this.#deps.publisher;
    return this.#outbox !== undefined && statusTopic !== undefined && statusTopic !== this.#willTopic;
  }

  layoutChanged(): void {
    this.#deps.publisher.layoutChanged();
    if (!this.#isStopped && this.isMisplaced) this.#reconnect();
  }

  async #leave(clear: boolean): Promise<void> {
    this.#cancelRetry?.();
    const { publisher, commands, clock } = this.#deps;
    commands.close();
    if (this.#outbox) {
      const retryNow = new Promise<void>((resolve) => {
        this.#retryNow = resolve;
      });
      const left = clear ? publisher.clear() : publisher.leave();
      await waitAtMost(clock, clear ? CLEAR_TIMEOUT_MS : LEAVE_TIMEOUT_MS, Promise.race([left, retryNow]));
    }
    const connection = this.#connection;
    this.#disconnected();
    this.#become({ status: 'disabled', error: null, fault: null, connectedAt: null });
    await connection?.close();
  }

  #become(status: BrokerStatus): void {
    this.#status = status;
    this.#deps.onStatus();
  }

  #disconnected(): void {
    this.#deps.publisher.detach();
    this.#outbox = undefined;
    this.#connection = undefined;
  }

  #connect(): void {
    const { broker, connector, publisher, commands } = this.#deps;
    const topics = publisher.inventory?.topics;
    // A deleted home's brokers are deleted too; the bridge ends this link next.
    if (this.#isStopped || !topics) return;
    this.#willTopic = topics.status;
    this.#connection = connector.connect(
      {
        ...broker,
        clientId: clientIdOf(broker),
        will: { topic: topics.status, payload: OFFLINE, retain: true, qos: 1 },
      },
      {
        onConnect: () => this.#connected(),
        onClose: (closed) => this.#closed(closed),
        onMessage: (message) => {
          if (!this.#isStopped) commands.receive(message);
        },
      },
    );
  }

  #connected(): void {
    const { publisher, clock, counts, logger, broker } = this.#deps;
    const connection = this.#connection;
    const topics = publisher.inventory?.topics;
    if (this.#isStopped || !connection || !topics) return;
    if (topics.status !== this.#willTopic) {
      this.#reconnect();
      return;
    }
    this.#connectedSince = clock.monotonic();
    this.#become({ status: 'connected', error: null, fault: null, connectedAt: clock.now() });
    logger.info({ broker: broker.name }, 'Connected to an MQTT broker');
    this.#outbox = new PublishQueue(connection, counts);
    publisher.attach(this.#outbox);
    connection.subscribe(topics.commands).catch((error: unknown) => {
      if (this.#connection !== connection || !connection.isConnected) return;
      // States are useful even without commands.
      this.#become({ ...this.#status, error: messageOf(error) });
      logger.warn(
        { broker: broker.name, error: messageOf(error) },
        'Could not subscribe to the commands of an MQTT broker',
      );
    });
  }

  #reconnect(): void {
    const old = this.#connection;
    this.#disconnected();
    this.#become({ status: 'connecting', error: null, fault: null, connectedAt: null });
    // One client id allows only one connection.
    void old?.close().then(() => this.#connect());
  }

  #closed({ fault, message }: MqttClosed): void {
    const { clock, logger, throttle, broker, random } = this.#deps;
    const wasConnected = this.#outbox !== undefined;
    this.#disconnected();
    if (this.#isStopped) return;
    const lasted = wasConnected && clock.monotonic() - this.#connectedSince >= LASTING_MS;
    this.#failures = lasted ? 1 : this.#failures + 1;
    this.#become({ status: wasConnected ? 'connecting' : 'error', error: message, fault, connectedAt: null });
    throttle.once(`closed ${message}`, (skipped) => {
      logger.warn({ broker: broker.name, error: message, ...skipped }, 'Not connected to an MQTT broker');
    });
    this.#cancelRetry = clock.after(reconnectDelay(fault, this.#failures, random()), () => this.#connect());
  }
}

/** Always the same for the same broker, so that a half-open connection is replaced by the next one. */
function clientIdOf({ id }: Broker): string {
  // MQTT 3.1.1 §3.1.3.1: every broker accepts 23 letters and digits.
  return `hearthd${createHash('sha256').update(id).digest('hex').slice(0, 16)}`;
}
