/**
 * What a broker sends, before anybody keeps it: MQTT.js collects a whole packet in memory, however large, and anybody who may publish
 * on the broker can make it send 256 MB, or a hundred thousand messages a second. Messages that are too large go no further than here;
 * where there are too many, the connection is read more slowly, and it is the broker that has them wait or drops them.
 *
 * Packets that nothing we do is answered with end the connection: MQTT.js keeps each message of "exactly once" until its release comes,
 * and a release that comes late, when it has closed its store, ends the process.
 */
import { Transform, type TransformCallback } from 'node:stream';
import type { Clock } from '../../kernel/clock.ts';

/** A command is far smaller (`app/mqtt/commands.ts`); its topic can have 64 KiB by itself. */
export const LARGEST_PACKET_BYTES = 128 * 1024;
/** Far more than are carried out (`app/mqtt/commands.ts`), and some hundredths of a processor. */
export const MOST_MESSAGES_A_SECOND = 2_000;
const SECOND_MS = 1_000;

/** MQTT 3.1.1 §2.2: the type and flags, and up to four bytes of length. */
const LONGEST_HEADER = 5;
const PUBLISH = 3;
const QOS_BITS = 0b0110;
const EXACTLY_ONCE = 0b0100;
/**
 * CONNACK, PUBLISH, PUBACK, SUBACK and PINGRESP (MQTT 3.1.1 §2.2.1): we publish at least once, subscribe at most once, by which what
 * we are sent is bound too (§3.8.4), and never unsubscribe.
 */
const EXPECTED: ReadonlySet<number> = new Set([2, PUBLISH, 4, 9, 13]);

export class PacketFilter extends Transform {
  readonly #clock: Clock;
  #header: number[] = [];
  /** Bytes of the packet under way that are still to come. */
  #remaining = 0;
  #dropping = false;
  /** Messages since then, by the monotonic clock: a second or less. */
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

  /** How long nothing more is read. */
  #restMs(): number {
    const leftMs = this.#messages.since + SECOND_MS - this.#clock.monotonic();
    if (leftMs <= 0) this.#messages = { since: this.#clock.monotonic(), count: 0 };
    return this.#messages.count < MOST_MESSAGES_A_SECOND ? 0 : leftMs;
  }

  /** @returns why the connection can't go on, if it can't. */
  #readHeader(): string | undefined {
    const header = this.#header;
    const isComplete = header.length > 1 && (header[header.length - 1] ?? 0) < 0x80;
    if (!isComplete) return header.length < LONGEST_HEADER ? undefined : 'it sends what is no MQTT';
    this.#header = [];
    const [first = 0, ...digits] = header;
    const type = first >> 4;
    if (!EXPECTED.has(type) || (type === PUBLISH && (first & EXACTLY_ONCE) !== 0))
      return 'it sends what nobody asked for';
    if (type === PUBLISH) this.#messages.count += 1;
    this.#remaining = digits.reduce((sum, digit, index) => sum + (digit & 0x7f) * 128 ** index, 0);
    this.#dropping = this.#remaining > LARGEST_PACKET_BYTES;
    if (!this.#dropping) {
      this.push(Buffer.from(header));
      return undefined;
    }
    // What must be confirmed can't be left out in silence; nothing is subscribed to so that it must.
    const isDispensable = type === PUBLISH && (first & QOS_BITS) === 0;
    return isDispensable ? undefined : 'it sends packets larger than there can be';
  }
}
