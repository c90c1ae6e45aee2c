/**
 * Parses the decrypted stream from an accessory: HTTP/1.1 responses and EVENT/1.0 messages. It accepts any split or
 * merge of packets, bodies by Content-Length or chunked, and the bodies without either that some devices send. It
 * throws a `MessageError` on anything else, and does not interpret the bodies.
 */
import { GrowingBuffer, NO_BODY } from './growing-buffer.ts';
import { CR, LF, ObjectScan } from './object-scan.ts';

/** The stream is invalid: the connection must close. */
export class MessageError extends Error {
  override readonly name = 'MessageError';
}

export interface Message {
  readonly kind: 'response' | 'event';
  readonly status: number;
  readonly body: Buffer;
}

/** The longest accepted body of each kind, in bytes. */
export interface MessageLimits {
  readonly response: number;
  readonly event: number;
}

/** A status line and a handful of headers; HAP devices send far less. */
const MAX_HEAD_BYTES = 8_192;
/** A chunk-size line with its extensions. */
const MAX_LINE_BYTES = 256;
const MAX_TRAILERS = 32;
/** Blank lines and provisional responses between two messages. More is a flood that costs CPU time for nothing. */
const MAX_IDLE_BYTES = 4_096;
/** A device sends the same few heads again and again. */
const MAX_KNOWN_HEADS = 8;
const MAX_KNOWN_HEAD_BYTES = 256;
const START_LINE = /^(HTTP\/1\.[01]|EVENT\/1\.0) (\d{3})(?: .*)?$/;

interface Head {
  readonly kind: Message['kind'];
  readonly status: number;
  /** `undefined`: no Content-Length. */
  readonly length: number | undefined;
  readonly chunked: boolean;
  readonly typed: boolean;
}

/** A head that came before, byte for byte, with its meaning. */
interface KnownHead {
  readonly bytes: Buffer;
  readonly head: Head;
}

type Phase =
  | { readonly name: 'head' }
  | { readonly name: 'body'; readonly head: Head; readonly length: number }
  | { readonly name: 'chunk-size'; readonly head: Head }
  | { readonly name: 'chunk'; readonly head: Head; missing: number }
  | { readonly name: 'chunk-end'; readonly head: Head }
  | { readonly name: 'trailers'; readonly head: Head; lines: number }
  | { readonly name: 'undelimited'; readonly head: Head; readonly scan: ObjectScan };

const HEAD: Phase = { name: 'head' };

export class MessageReader {
  readonly #limits: MessageLimits;
  #phase: Phase = HEAD;
  /** An incomplete head or line. */
  #pending: Buffer = NO_BODY;
  #body = new GrowingBuffer();
  /** Idle bytes since the last message. */
  #idleBytes = 0;
  /** Of events and of answers without a body; the newest replaces the oldest. */
  readonly #knownHeads: KnownHead[] = [];
  #headsKept = 0;

  constructor(limits: MessageLimits) {
    this.#limits = limits;
  }

  /** Whether a message has begun and not ended. */
  get unfinished(): boolean {
    return this.#phase.name !== 'head' || this.#pending.length > 0;
  }

  /**
   * Calls `deliver` with each message that `bytes` completes, in order. A body may share memory with `bytes`.
   * @throws MessageError; earlier messages were delivered
   */
  push(bytes: Buffer, deliver: (message: Message) => void): void {
    let rest = this.#pending.length > 0 ? Buffer.concat([this.#pending, bytes]) : bytes;
    this.#pending = NO_BODY;
    // Each step consumes bytes or completes a message; it returns `undefined` when it needs more bytes.
    for (;;) {
      const left = this.#step(rest, deliver);
      if (left === undefined) break;
      rest = left;
      if (rest.length === 0 && this.#phase.name !== 'undelimited') return;
    }
    // Body bytes are never kept here, so at most a head is kept.
    if (rest.length > 0 && isText(this.#phase)) this.#pending = Buffer.from(rest);
  }

  #step(bytes: Buffer, deliver: (message: Message) => void): Buffer | undefined {
    const phase = this.#phase;
    switch (phase.name) {
      case 'head':
        return this.#readHead(bytes, deliver);
      case 'body':
        return this.#readBody(phase, bytes, deliver);
      case 'chunk-size':
        return this.#readChunkSize(phase, bytes);
      case 'chunk':
        return this.#readChunk(phase, bytes);
      case 'chunk-end':
        return this.#readChunkEnd(phase, bytes);
      case 'trailers':
        return this.#readTrailer(phase, bytes, deliver);
      case 'undelimited':
        return this.#readUndelimited(phase, bytes, deliver);
    }
  }

  #readHead(bytes: Buffer, deliver: (message: Message) => void): Buffer | undefined {
    let start = 0;
    // RFC 9112 §2.2: empty lines before a start line are skipped.
    while (bytes[start] === CR || bytes[start] === LF) start += 1;
    if (start > 0) return this.#passOver(bytes, start);
    const known = this.#findKnown(bytes);
    if (known) {
      this.#begin(known.head, deliver);
      return bytes.subarray(known.bytes.length);
    }
    const end = endOfHead(bytes);
    if (end === -1) {
      if (bytes.length > MAX_HEAD_BYTES) throw new MessageError('A message head is too long');
      if (!mayBeginMessage(bytes)) throw new MessageError('What should be a message does not begin like one');
      return undefined;
    }
    if (end > MAX_HEAD_BYTES) throw new MessageError('A message head is too long');
    const head = parseHead(bytes.toString('latin1', 0, end));
    // A 1xx response precedes the final one.
    if (head.kind === 'response' && head.status < 200) return this.#passOver(bytes, end);
    if ((head.kind === 'event' || head.status === 204) && end <= MAX_KNOWN_HEAD_BYTES) {
      this.#knownHeads[this.#headsKept % MAX_KNOWN_HEADS] = { bytes: Buffer.from(bytes.subarray(0, end)), head };
      this.#headsKept += 1;
    }
    this.#begin(head, deliver);
    return bytes.subarray(end);
  }

  /** A head ends with its first empty line, so bytes that begin with a known head have the same one. */
  #findKnown(bytes: Buffer): KnownHead | undefined {
    for (const known of this.#knownHeads) {
      const { length } = known.bytes;
      if (bytes.length >= length && known.bytes.compare(bytes, 0, length) === 0) return known;
    }
    return undefined;
  }

  #passOver(bytes: Buffer, end: number): Buffer {
    this.#idleBytes += end;
    if (this.#idleBytes > MAX_IDLE_BYTES) throw new MessageError('Too much comes between messages');
    return bytes.subarray(end);
  }

  #begin(head: Head, deliver: (message: Message) => void): void {
    // 204 and 304 never have a body, regardless of their headers (RFC 9112 §6.3).
    if (head.status === 204 || head.status === 304 || (!head.chunked && head.length === 0)) {
      this.#complete(head, NO_BODY, deliver);
    } else if (head.chunked) this.#phase = { name: 'chunk-size', head };
    else if (head.length === undefined) this.#phase = { name: 'undelimited', head, scan: new ObjectScan() };
    else {
      this.#checkSize(head, head.length);
      this.#phase = { name: 'body', head, length: head.length };
    }
  }

  #readBody(
    { head, length }: { head: Head; length: number },
    bytes: Buffer,
    deliver: (message: Message) => void,
  ): Buffer | undefined {
    const missing = length - this.#body.length;
    if (bytes.length < missing) {
      this.#body.append(bytes);
      return undefined;
    }
    const end = bytes.subarray(0, missing);
    if (this.#body.length === 0) this.#complete(head, end, deliver);
    else {
      this.#body.append(end);
      this.#complete(head, this.#body.take(), deliver);
    }
    return bytes.subarray(missing);
  }

  #readChunkSize({ head }: { head: Head }, bytes: Buffer): Buffer | undefined {
    const line = takeLine(bytes);
    if (!line) return undefined;
    const size = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i.exec(line.text)?.[1];
    if (size === undefined) throw new MessageError('A chunk has no size');
    const missing = Number.parseInt(size, 16);
    this.#checkSize(head, this.#body.length + missing);
    this.#phase = missing === 0 ? { name: 'trailers', head, lines: 0 } : { name: 'chunk', head, missing };
    return bytes.subarray(line.end);
  }

  #readChunk(phase: { head: Head; missing: number }, bytes: Buffer): Buffer | undefined {
    const taken = bytes.subarray(0, phase.missing);
    this.#body.append(taken);
    phase.missing -= taken.length;
    if (phase.missing > 0) return undefined;
    this.#phase = { name: 'chunk-end', head: phase.head };
    return bytes.subarray(taken.length);
  }

  #readChunkEnd({ head }: { head: Head }, bytes: Buffer): Buffer | undefined {
    const line = takeLine(bytes);
    if (!line) return undefined;
    if (line.text !== '') throw new MessageError('A chunk is longer than its size line');
    this.#phase = { name: 'chunk-size', head };
    return bytes.subarray(line.end);
  }

  #readTrailer(
    phase: { head: Head; lines: number },
    bytes: Buffer,
    deliver: (message: Message) => void,
  ): Buffer | undefined {
    const line = takeLine(bytes);
    if (!line) return undefined;
    phase.lines += 1;
    if (phase.lines > MAX_TRAILERS) throw new MessageError('A message has too many trailers');
    if (line.text === '') this.#complete(phase.head, this.#body.take(), deliver);
    return bytes.subarray(line.end);
  }

  /**
   * A message without a length. In RFC 9112 its body ends when the connection closes, but a HAP connection stays open.
   * So a JSON object is read to its own end, and anything that follows is the next message.
   */
  #readUndelimited(
    { head, scan }: { head: Head; scan: ObjectScan },
    bytes: Buffer,
    deliver: (message: Message) => void,
  ): Buffer | undefined {
    if (bytes.length === 0) {
      // With a content type, a body follows. Without one there is no body, unless it arrived in the same chunk.
      if (!head.typed && !scan.begun) this.#complete(head, NO_BODY, deliver);
      return undefined;
    }
    const end = scan.push(bytes);
    if (end === 'not-an-object') {
      this.#complete(head, NO_BODY, deliver);
      return bytes;
    }
    this.#body.append(end === undefined ? bytes : bytes.subarray(0, end));
    this.#checkSize(head, this.#body.length);
    if (end === undefined) return undefined;
    this.#complete(head, this.#body.take(), deliver);
    return bytes.subarray(end);
  }

  #complete(head: Head, body: Buffer, deliver: (message: Message) => void): void {
    this.#phase = HEAD;
    this.#idleBytes = 0;
    deliver({ kind: head.kind, status: head.status, body });
  }

  #checkSize(head: Head, bytes: number): void {
    if (bytes > this.#limits[head.kind]) throw new MessageError(`The body of ${head.kind} is too large`);
  }
}

/** Whether the phase reads lines, whose incomplete bytes must be kept for the next chunk. */
function isText(phase: Phase): boolean {
  return phase.name !== 'body' && phase.name !== 'chunk' && phase.name !== 'undelimited';
}

function mayBeginMessage(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 6);
  return 'HTTP/1'.startsWith(start) || 'EVENT/'.startsWith(start);
}

/** The end of the head's closing empty line, or -1. A bare LF ends a line too. */
export function endOfHead(bytes: Buffer): number {
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2;
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3;
  }
  return -1;
}

function takeLine(bytes: Buffer): { text: string; end: number } | undefined {
  const at = bytes.indexOf(LF);
  if (at > MAX_LINE_BYTES || (at === -1 && bytes.length > MAX_LINE_BYTES)) throw new MessageError('A line is too long');
  if (at === -1) return undefined;
  return { text: bytes.toString('latin1', 0, bytes[at - 1] === CR ? at - 1 : at), end: at + 1 };
}

function parseHead(text: string): Head {
  const [startLine = '', ...lines] = text.trimEnd().split(/\r?\n/);
  const start = START_LINE.exec(startLine);
  if (!start) throw new MessageError('What should be a message does not begin like one');
  let length: number | undefined;
  let chunked = false;
  let typed = false;
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) throw new MessageError('A message has a malformed header');
    const value = line.slice(colon + 1).trim();
    switch (line.slice(0, colon).trim().toLowerCase()) {
      case 'content-length':
        length = parseLength(value, length);
        break;
      case 'transfer-encoding':
        chunked = parseCoding(value);
        break;
      case 'content-type':
        typed = true;
        break;
      default:
    }
  }
  return { kind: start[1] === 'EVENT/1.0' ? 'event' : 'response', status: Number(start[2]), length, chunked, typed };
}

export function parseLength(value: string, before: number | undefined): number {
  const length = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isNaN(length) || (before !== undefined && before !== length)) {
    throw new MessageError('A message has no clear length');
  }
  return length;
}

function parseCoding(value: string): boolean {
  const coding = value.toLowerCase();
  if (coding === 'chunked') return true;
  if (coding === 'identity' || coding === '') return false;
  throw new MessageError(`Unknown transfer coding: ${value.slice(0, 40)}`);
}
