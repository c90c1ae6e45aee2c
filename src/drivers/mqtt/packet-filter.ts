/**
 * Filters the broker's packets before MQTT.js buffers them. MQTT.js collects a whole packet in memory, however large. A
 * client that may publish on the broker can make it send 256 MB, or 100,000 messages a second. The filter drops
 * messages that are too large. If there are too many messages, it reads the connection more slowly, and the broker
 * queues or drops them.
 *
 * An unexpected packet type ends the connection. MQTT.js keeps each QoS 2 message ("exactly once") until its PUBREL
 * arrives, and a PUBREL that arrives after MQTT.js closed its store ends the process.
 */
import { Transform, type TransformCallback } from 'node:stream';
import type { Clock } from '../../kernel/clock.ts';

/** A command is far smaller (`app/mqtt/commands.ts`); its topic alone can have 64 KiB. */
export const MAX_PACKET_BYTES = 128 * 1024;
/** Far more than the relay executes (`app/mqtt/commands.ts`), at a cost of a few hundredths of a processor. */
export const MAX_MESSAGES_PER_SECOND = 2_000;
const SECOND_MS = 1_000;

/** MQTT 3.1.1 §2.2: one byte of type and flags, and up to four bytes of length. */
const MAX_HEADER_LENGTH = 5;
const PUBLISH = 3;
const QOS_BITS = 0b0110;
const EXACTLY_ONCE = 0b0100;
/**
 * CONNACK, PUBLISH, PUBACK, SUBACK and PINGRESP (MQTT 3.1.1 §2.2.1). The relay publishes with QoS 1 and subscribes with
 * QoS 0, which also limits the QoS of the messages it receives (§3.8.4). It never unsubscribes.
 */
const EXPECTED: ReadonlySet<number> = new Set([2, PUBLISH, 4, 9, 13]);

export class PacketFilter extends Transform {
  readonly #clock: Clock;
  #header: number[] = [];
  /** Bytes of the current packet that have not arrived yet. */
  #remaining = 0;
  #dropping = false;
  /** Messages since `since` (monotonic clock), a period of at most one second. */
  #messages = { since: Number.NEGATIVE_INFINITY, count: 0 };
  #cancelRest: (() => void) | undefined;

  constructor(clock: Clock) {
    super();
    this.#clock = clock;
  }

  override _transform(chunk: Buffer, encoding: BufferEncoding, done: TransformCallback): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#remaining > 0) {
        const end = Math.min(chunk.length, at + this.#remaining);
        if (!this.#dropping) this.push(chunk.subarray(at, end));
        this.#remaining -= end - at;
        at = end;
        continue;
      }
      const restMs = this.#header.length === 0 ? this.#restMs() : 0;
      if (restMs > 0) {
        const rest = chunk.subarray(at);
        this.#cancelRest = this.#clock.after(restMs, () => this._transform(rest, encoding, done));
        return;
      }
      this.#header.push(chunk[at] ?? 0);
      at += 1;
      const fault = this.#readHeader();
      if (fault) {
        done(new Error(fault));
        return;
      }
    }
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#cancelRest?.();
    done(error);
  }

  /** How long to pause reading, in milliseconds. */
  #restMs(): number {
    const leftMs = this.#messages.since + SECOND_MS - this.#clock.monotonic();
    if (leftMs <= 0) this.#messages = { since: this.#clock.monotonic(), count: 0 };
    return this.#messages.count < MAX_MESSAGES_PER_SECOND ? 0 : leftMs;
  }

  /** @returns why the connection must end, or `undefined` */
  #readHeader(): string | undefined {
    const header = this.#header;
    const isComplete = header.length > 1 && (header[header.length - 1] ?? 0) < 0x80;
    if (!isComplete) return header.length < MAX_HEADER_LENGTH ? undefined : 'it sends what is no MQTT';
    this.#header = [];
    const [first = 0, ...digits] = header;
    const type = first >> 4;
    if (!EXPECTED.has(type) || (type === PUBLISH && (first & EXACTLY_ONCE) !== 0))
      return 'it sends messages without a subscription';
    if (type === PUBLISH) this.#messages.count += 1;
    this.#remaining = digits.reduce((sum, digit, index) => sum + (digit & 0x7f) * 128 ** index, 0);
    this.#dropping = this.#remaining > MAX_PACKET_BYTES;
    if (!this.#dropping) {
      this.push(Buffer.from(header));
      return undefined;
    }
    // A message that requires an acknowledgement can't be dropped silently. No subscription asks for such messages.
    const isDispensable = type === PUBLISH && (first & QOS_BITS) === 0;
    return isDispensable ? undefined : 'it sends packets larger than there can be';
  }
}
