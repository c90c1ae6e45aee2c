/**
 * What goes out over one connection: never more at once than a broker that reads slowly may cost in memory. Whoever publishes a whole
 * house waits here for the broker; what can't wait is left out instead.
 */
import type { MqttConnection, MqttMessage } from '../../home/mqtt-connector.ts';

/** Messages that the broker has not confirmed yet. */
const MOST_UNCONFIRMED = 100;
/** Of what the broker has not even taken. */
const MOST_BUFFERED_BYTES = 256 * 1024;

export interface OutboxCounts {
  published: number;
  /** Left out, because the broker did not keep up. */
  dropped: number;
}

export class Outbox {
  readonly #connection: MqttConnection;
  readonly #counts: OutboxCounts;
  #unconfirmed = 0;
  #waiting: (() => void)[] = [];

  constructor(connection: MqttConnection, counts: OutboxCounts) {
    this.#connection = connection;
    this.#counts = counts;
  }

  get hasRoom(): boolean {
    return this.#unconfirmed < MOST_UNCONFIRMED && this.#connection.bufferedBytes < MOST_BUFFERED_BYTES;
  }

  /** Until there is room, or nothing on the way that could make some. With the connection gone there is. */
  async room(): Promise<void> {
    while (!this.hasRoom && this.#unconfirmed > 0) await this.#settled();
  }

  /** Until everything is confirmed or lost. */
  async empty(): Promise<void> {
    while (this.#unconfirmed > 0) await this.#settled();
  }

  /** @returns whether the broker has it. Never rejects. */
  async publish(topic: string, payload: string, retain: boolean): Promise<boolean> {
    const message: MqttMessage = { topic, payload, retain, qos: 1 };
    this.#unconfirmed += 1;
    try {
      await this.#connection.publish(message);
      this.#counts.published += 1;
      return true;
    } catch {
      // The connection is gone: whoever makes the next one publishes everything anew.
      return false;
    } finally {
      this.#unconfirmed -= 1;
      for (const wake of this.#waiting.splice(0)) wake();
    }
  }

  /** Something that is worth nothing later, such as a press: left out if the broker does not keep up. */
  tell(topic: string, payload: string): void {
    if (!this.#connection.isConnected) return;
    if (this.hasRoom) void this.publish(topic, payload, false);
    else this.#counts.dropped += 1;
  }

  #settled(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
