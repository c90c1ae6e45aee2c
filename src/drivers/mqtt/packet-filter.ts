/**
 * What a broker sends, before anybody keeps it: MQTT.js collects a whole packet in memory, however large, and anybody who may publish
 * on the broker can make it send 256 MB. Messages beyond the limit go no further than here; everything else passes as it came.
 */
import { Transform, type TransformCallback } from 'node:stream';

/** A command is far smaller (`app/mqtt/commands.ts`); its topic can have 64 KiB by itself. */
export const LARGEST_PACKET_BYTES = 128 * 1024;

/** MQTT 3.1.1 §2.2: the type and flags, and up to four bytes of length. */
const LONGEST_HEADER = 5;
const PUBLISH = 3;
const QOS_BITS = 0b0110;

export class PacketFilter extends Transform {
  readonly #onDropped: () => void;
  #header: number[] = [];
  /** Bytes of the packet under way that are still to come. */
  #remaining = 0;
  #dropping = false;

  /** @param onDropped called for each message that is left out. */
  constructor(onDropped: () => void) {
    super();
    this.#onDropped = onDropped;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#remaining > 0) {
        const end = Math.min(chunk.length, at + this.#remaining);
        if (!this.#dropping) this.push(chunk.subarray(at, end));
        this.#remaining -= end - at;
        at = end;
        continue;
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

  /** @returns why the connection can't go on, if it can't. */
  #readHeader(): string | undefined {
    const header = this.#header;
    const isComplete = header.length > 1 && (header[header.length - 1] ?? 0) < 0x80;
    if (!isComplete) return header.length < LONGEST_HEADER ? undefined : 'it sends what is no MQTT';
    this.#header = [];
    const [first = 0, ...digits] = header;
    this.#remaining = digits.reduce((sum, digit, index) => sum + (digit & 0x7f) * 128 ** index, 0);
    this.#dropping = this.#remaining > LARGEST_PACKET_BYTES;
    if (!this.#dropping) {
      this.push(Buffer.from(header));
      return undefined;
    }
    // What must be confirmed can't be left out in silence; nothing is subscribed to so that it must.
    if (first >> 4 !== PUBLISH || (first & QOS_BITS) !== 0) return 'it sends packets larger than there can be';
    this.#onDropped();
    return undefined;
  }
}
