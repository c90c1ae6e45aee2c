/**
 * Connects to brokers through MQTT.js, which is used for the protocol only. Its reconnects, queues and stores stay off:
 * they would keep messages in memory that are useless once the broker is back. The module is loaded with the first
 * connection.
 */
import { createRequire } from 'node:module';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { IClientOptions, IPublishPacket, MqttClient } from 'mqtt';
import type {
  MqttClosed,
  MqttConnection,
  MqttConnector,
  MqttEvents,
  MqttMessage,
  MqttTarget,
} from '../../home/mqtt-connector.ts';
import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import { loadOnce } from '../../kernel/load-once.ts';
import { brokerAt, closedBy } from './broker-faults.ts';
import { PacketFilter } from './packet-filter.ts';

const require = createRequire(import.meta.url);
/**
 * Loaded on demand, and in one go: on Node 20, in rare starts, an `import` of it gave a module without its client, and
 * that was kept until the next start.
 */
const loadMqtt = loadOnce(async () => (require('mqtt') as typeof import('mqtt')).MqttClient);

/** From the first packet to the CONNACK. */
const CONNECT_TIMEOUT_MS = 10_000;
/** A broker that is silent for 1.5 times this period is gone, regardless of TCP’s state (MQTT 3.1.1 §3.1.2.10). */
const KEEPALIVE_S = 30;
/** A broker that takes longer to acknowledge a message is stuck. */
const CONFIRM_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 1_000;
/** Far more than one publish needs. The excess is our responses to messages, of which a broker may send any number. */
const MAX_UNSENT_BYTES = 1_024 * 1_024;
const REFUSED_SUBSCRIPTION = 128;

export class MqttJsConnector implements MqttConnector {
  readonly #clock: Clock;

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  connect(target: MqttTarget, events: MqttEvents): MqttConnection {
    const connection = new MqttJsConnection(target, events, this.#clock);
    void connection.open();
    return connection;
  }
}

class MqttJsConnection implements MqttConnection {
  readonly #target: MqttTarget;
  readonly #events: MqttEvents;
  readonly #clock: Clock;
  #client: MqttClient | undefined;
  #socket: Socket | undefined;
  /** The stream that the client writes to. It buffers what the socket does not accept yet. */
  #stream: Duplex | undefined;
  #isConnected = false;
  /** No callback runs after this is set. */
  #isOver = false;
  /** Messages that the broker has not acknowledged, oldest first, each with the function that rejects it. */
  readonly #unconfirmed = new Map<object, { readonly since: number; readonly giveUp: (error: Error) => void }>();
  #cancelWatch: (() => void) | undefined;

  constructor(target: MqttTarget, events: MqttEvents, clock: Clock) {
    this.#target = target;
    this.#events = events;
    this.#clock = clock;
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  get bufferedBytes(): number {
    return (this.#stream?.writableLength ?? 0) + (this.#socket?.writableLength ?? 0);
  }

  async open(): Promise<void> {
    try {
      const Client = await loadMqtt();
      if (this.#isOver) return;
      const client = new Client(() => this.#openStream(), optionsOf(this.#target));
      this.#client = client;
      client.on('error', (error) => this.#end(this.#faultOf(error)));
      client.on('close', () => this.#end(closedBy(this.#target, undefined)));
      client.on('connect', () => this.#connected());
      client.on('message', (topic, payload, { retain }: IPublishPacket) => {
        if (this.bufferedBytes > MAX_UNSENT_BYTES) {
          this.#end({ fault: 'network', message: `${brokerAt(this.#target)} takes nothing of what it is sent.` });
        }
        if (!this.#isOver) this.#events.onMessage({ topic, payload, retained: retain });
      });
      client.connect();
    } catch (error) {
      this.#end({ fault: 'protocol', message: `Nothing can be published: ${messageOf(error)}` });
    }
  }

  publish({ topic, payload, retain, qos }: MqttMessage): Promise<void> {
    const client = this.#client;
    if (!client || !this.#isConnected) return Promise.reject(new Error('There is no connection to the broker'));
    return new Promise((resolve, reject) => {
      const entry = {};
      this.#unconfirmed.set(entry, { since: this.#clock.monotonic(), giveUp: reject });
      client.publish(topic, payload, { retain, qos }, (error) => {
        this.#unconfirmed.delete(entry);
        if (error) reject(error);
        else resolve();
      });
    });
  }

  async subscribe(filters: readonly string[]): Promise<void> {
    const client = this.#client;
    if (!client || !this.#isConnected) throw new Error('There is no connection to the broker');
    // QoS 0, at most once: a command that arrives twice would toggle a light twice.
    const granted = await client.subscribeAsync([...filters], { qos: 0 });
    const refused = granted.find(({ qos }) => qos === REFUSED_SUBSCRIPTION);
    if (refused) throw new Error(`${brokerAt(this.#target)} does not let us subscribe to ${refused.topic}`);
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    const client = this.#client;
    const wasConnected = this.#isConnected;
    this.#isOver = true;
    this.#forget();
    if (client && wasConnected) {
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(CLOSE_TIMEOUT_MS, resolve);
        client.end(false, {}, () => {
          cancel();
          resolve();
        });
      });
    }
    this.#destroy();
  }

  #openStream(): Duplex {
    const { host, port, useTls, ca } = this.#target;
    const socket = useTls
      ? connectTls({ host, port, ...(ca !== null && { ca }), ...(isIP(host) === 0 && { servername: host }) })
      : connectTcp({ host, port });
    this.#socket = socket;
    socket.setNoDelay(true);
    // MQTT.js reports only errors with a code, and none of the errors that end the filter.
    socket.on('error', (error) => this.#end(this.#faultOf(error)));
    socket.on('close', () => this.#end(closedBy(this.#target, undefined)));
    const filter = new PacketFilter(this.#clock);
    filter.on('error', (error) =>
      this.#end({ fault: 'protocol', message: `${brokerAt(this.#target)}: ${messageOf(error)}.` }),
    );
    this.#stream = Duplex.from({ readable: socket.pipe(filter), writable: socket });
    return this.#stream;
  }

  #connected(): void {
    if (this.#isOver) return;
    this.#isConnected = true;
    this.#watch();
    this.#events.onConnect();
  }

  /** Detects a connection over which nothing comes back although TCP still accepts our data. */
  #watch(): void {
    this.#cancelWatch = this.#clock.after(CONFIRM_TIMEOUT_MS / 2, () => {
      const [oldest] = this.#unconfirmed.values();
      if (oldest && this.#clock.monotonic() - oldest.since >= CONFIRM_TIMEOUT_MS) {
        this.#end({ fault: 'network', message: `${brokerAt(this.#target)} confirms nothing any more.` });
      } else {
        this.#watch();
      }
    });
  }

  #faultOf(error: unknown): MqttClosed {
    if (messageOf(error) === 'connack timeout' || messageOf(error) === 'Keepalive timeout') {
      return { fault: 'network', message: `${brokerAt(this.#target)} does not answer.` };
    }
    return closedBy(this.#target, error);
  }

  #end(closed: MqttClosed): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#forget();
    this.#destroy();
    this.#events.onClose(closed);
  }

  #forget(): void {
    this.#isConnected = false;
    this.#cancelWatch?.();
    const lost = [...this.#unconfirmed.values()];
    this.#unconfirmed.clear();
    for (const { giveUp } of lost) giveUp(new Error('The connection to the broker is gone'));
  }

  #destroy(): void {
    this.#client?.end(true);
    this.#socket?.destroy();
  }
}

function optionsOf({ clientId, username, password, will }: MqttTarget): IClientOptions {
  return {
    clientId,
    ...(username !== null && { username }),
    ...(password !== null && { password }),
    ...(will !== null && { will: { ...will, payload: Buffer.from(will.payload) } }),
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    keepalive: KEEPALIVE_S,
    connectTimeout: CONNECT_TIMEOUT_MS,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    manualConnect: true,
  };
}
