/** Brokers without a network: what is published lies open, and the test sets what comes back. */
import type {
  MqttClosed,
  MqttConnection,
  MqttConnector,
  MqttEvents,
  MqttMessage,
  MqttTarget,
} from '../../src/home/mqtt-connector.ts';

export class FakeMqtt implements MqttConnector {
  /** Every try to connect, oldest first. */
  readonly attempts: FakeMqttConnection[] = [];

  connect(target: MqttTarget, events: MqttEvents): MqttConnection {
    const connection = new FakeMqttConnection(target, events);
    this.attempts.push(connection);
    return connection;
  }

  /** The newest connection. */
  get latest(): FakeMqttConnection {
    const connection = this.attempts.at(-1);
    if (!connection) throw new Error('Nobody has tried to connect');
    return connection;
  }
}

export class FakeMqttConnection implements MqttConnection {
  readonly target: MqttTarget;
  readonly #events: MqttEvents;
  readonly published: MqttMessage[] = [];
  readonly subscribed: string[] = [];
  isConnected = false;
  bufferedBytes = 0;

  constructor(target: MqttTarget, events: MqttEvents) {
    this.target = target;
    this.#events = events;
  }

  // — the script —

  accept(): this {
    this.isConnected = true;
    this.#events.onConnect();
    return this;
  }

  fail(closed: MqttClosed): void {
    this.isConnected = false;
    this.#events.onClose(closed);
  }

  receive(topic: string, payload: string, retained = false): void {
    this.#events.onMessage({ topic, payload: Buffer.from(payload), retained });
  }

  /** What the broker keeps now, by topic. */
  get retained(): ReadonlyMap<string, string> {
    const kept = new Map<string, string>();
    for (const { topic, payload, retain } of this.published) {
      if (!retain) continue;
      if (payload === '') kept.delete(topic);
      else kept.set(topic, payload);
    }
    return kept;
  }

  // — the port —

  async publish(message: MqttMessage): Promise<void> {
    if (!this.isConnected) throw new Error('There is no connection to the broker');
    this.published.push(message);
  }

  async subscribe(filters: readonly string[]): Promise<void> {
    this.subscribed.push(...filters);
  }

  async close(): Promise<void> {
    this.isConnected = false;
  }
}
