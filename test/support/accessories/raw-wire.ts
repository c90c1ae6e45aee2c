/**
 * Bytes: requests out of a stream, replies and events into text, text into encrypted frames (HAP specification §6.5.2).
 */

import { stringifyExact } from './exact-json.ts';
import { counterNonce, open, seal } from './hap-crypto.ts';

export const MAX_FRAME_BYTES = 1024;
const LENGTH_BYTES = 2;
const TAG_BYTES = 16;

const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  204: 'No Content',
  207: 'Multi-Status',
  400: 'Bad Request',
  404: 'Not Found',
  470: 'Connection Authorization Required',
  503: 'Service Unavailable',
};

/** A request as it came over the wire. */
export interface RawRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Request line and headers, byte for byte. */
  readonly head: string;
  readonly body: Buffer;
  /** Head and body together. */
  readonly bytes: number;
  /** In how many reads (plain) or frames (encrypted) it came. */
  readonly parts: number;
  readonly encrypted: boolean;
  /** `performance.now()`. */
  readonly at: number;
}

/**
 * Cuts a stream of plain bytes into requests. Knows Content-Length and no other framing: controllers send nothing else.
 */
export class RequestReader {
  #buffer: Buffer = Buffer.alloc(0);
  #parts = 0;

  push(bytes: Buffer, encrypted: boolean): readonly RawRequest[] {
    this.#buffer = Buffer.concat([this.#buffer, bytes]);
    this.#parts += 1;
    const requests: RawRequest[] = [];
    for (let request = this.#take(encrypted); request; request = this.#take(encrypted)) requests.push(request);
    return requests;
  }

  #take(encrypted: boolean): RawRequest | undefined {
    const end = this.#buffer.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const head = this.#buffer.subarray(0, end + 4).toString('latin1');
    const bytes = head.length + Number(/^content-length:\s*(\d+)/im.exec(head)?.[1] ?? 0);
    if (this.#buffer.length < bytes) return undefined;
    const body = this.#buffer.subarray(head.length, bytes);
    this.#buffer = this.#buffer.subarray(bytes);
    const parts = this.#parts;
    this.#parts = this.#buffer.length > 0 ? 1 : 0;
    const [method = '', path = ''] = head.split(' ', 2);
    return { method, path, head, body, bytes, parts, encrypted, at: performance.now() };
  }
}

/** One direction each of a verified session, with its counters. */
export class FrameCoder {
  readonly #readKey: Buffer;
  readonly #writeKey: Buffer;
  #readCounter = 0;
  #writeCounter = 0;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(readKey: Buffer, writeKey: Buffer) {
    this.#readKey = readKey;
    this.#writeKey = writeKey;
  }

  /** The text of every frame that is complete. @throws if one does not verify. */
  decrypt(bytes: Buffer): readonly Buffer[] {
    this.#buffer = Buffer.concat([this.#buffer, bytes]);
    const texts: Buffer[] = [];
    while (this.#buffer.length >= LENGTH_BYTES) {
      const end = LENGTH_BYTES + this.#buffer.readUInt16LE(0) + TAG_BYTES;
      if (this.#buffer.length < end) break;
      const length = this.#buffer.subarray(0, LENGTH_BYTES);
      texts.push(
        open(this.#readKey, counterNonce(this.#readCounter), this.#buffer.subarray(LENGTH_BYTES, end), length),
      );
      this.#readCounter += 1;
      this.#buffer = this.#buffer.subarray(end);
    }
    return texts;
  }

  /** @param frameBytes text bytes a frame; the specification allows 1024. */
  encrypt(text: Buffer, frameBytes = MAX_FRAME_BYTES): Buffer {
    const frames: Buffer[] = [];
    for (let offset = 0; offset < text.length; offset += frameBytes) {
      const part = text.subarray(offset, offset + frameBytes);
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt16LE(part.length);
      frames.push(length, seal(this.#writeKey, counterNonce(this.#writeCounter), part, length));
      this.#writeCounter += 1;
    }
    return Buffer.concat(frames);
  }
}

export interface RawReply {
  readonly status: number;
  readonly contentType?: string;
  readonly body?: Buffer;
}

export function jsonReply(status: number, value: unknown): RawReply {
  return { status, contentType: 'application/hap+json', body: Buffer.from(stringifyExact(value)) };
}

/** @param chunkBytes answers chunked, in chunks of so many bytes. */
export function encodeReply({ status, contentType, body }: RawReply, chunkBytes?: number): Buffer {
  return encodeMessage(`HTTP/1.1 ${status} ${REASONS[status] ?? 'Other'}`, contentType, body, chunkBytes);
}

/** An event message with these characteristics in exactly this order. */
export function encodeEvent(characteristics: readonly object[], chunkBytes?: number): Buffer {
  const body = Buffer.from(stringifyExact({ characteristics }));
  return encodeMessage('EVENT/1.0 200 OK', 'application/hap+json', body, chunkBytes);
}

function encodeMessage(line: string, contentType?: string, body?: Buffer, chunkBytes?: number): Buffer {
  const lines = [line];
  if (contentType) lines.push(`Content-Type: ${contentType}`);
  if (body) lines.push(chunkBytes ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  if (!body) return head;
  return Buffer.concat([head, chunkBytes ? chunk(body, chunkBytes) : body]);
}

function chunk(body: Buffer, chunkBytes: number): Buffer {
  const parts: Buffer[] = [];
  for (let offset = 0; offset < body.length; offset += chunkBytes) {
    const part = body.subarray(offset, offset + chunkBytes);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}
