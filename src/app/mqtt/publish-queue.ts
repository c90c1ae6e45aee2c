/**
 * Outgoing messages of one connection, bounded so that a slow broker does not cost memory. Publishing a whole home
 * waits here for the broker; messages that cannot wait are dropped.
 */
import type { MqttConnection, MqttMessage } from '../../home/mqtt-connector.ts';

/** Maximum number of unconfirmed messages. */
const MAX_UNCONFIRMED = 100;
/** Maximum size of data that the broker has not yet accepted. */
const MAX_BUFFERED_BYTES = 256 * 1024;

export interface PublishCounts {
  published: number;
  /** Dropped because the broker did not keep up. */
  dropped: number;
}

export class PublishQueue {
  readonly #connection: MqttConnection;
  readonly #counts: PublishCounts;
  #unconfirmed = 0;
  #waiting: (() => void)[] = [];

  constructor(connection: MqttConnection, counts: PublishCounts) {
    this.#connection = connection;
    this.#counts = counts;
  }

  get hasRoom(): boolean {
    return this.#unconfirmed < MAX_UNCONFIRMED && this.#connection.bufferedBytes < MAX_BUFFERED_BYTES;
  }

  /** Waits for room, or until no pending message could make any. Resolves when the connection is lost. */
  async room(): Promise<void> {
    while (!this.hasRoom && this.#unconfirmed > 0) await this.#settled();
  }

  /** Waits until every message is confirmed or lost. */
  async empty(): Promise<void> {
    while (this.#unconfirmed > 0) await this.#settled();
  }

  /** @returns whether the broker confirmed it. Never rejects. */
  async publish(topic: string, payload: string, retain: boolean): Promise<boolean> {
    const message: MqttMessage = { topic, payload, retain, qos: 1 };
    this.#unconfirmed += 1;
    try {
      await this.#connection.publish(message);
      this.#counts.published += 1;
      return true;
    } catch {
      // The connection is lost: the next one publishes everything again.
      return false;
    } finally {
      this.#unconfirmed -= 1;
      for (const wake of this.#waiting.splice(0)) wake();
    }
  }

  /** Publishes a transient event, such as a press; drops it if the broker does not keep up. */
  reportError(topic: string, payload: string): void {
    if (!this.#connection.isConnected) return;
    if (this.hasRoom) void this.publish(topic, payload, false);
    else this.#counts.dropped += 1;
  }

  #settled(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
