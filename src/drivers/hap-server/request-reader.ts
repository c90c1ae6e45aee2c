/**
 * Parses the decrypted stream from a controller into HTTP/1.1 requests. Bodies have a Content-Length; controllers use
 * no other framing. Anything else is a `RequestError`, after which nothing of the stream can be trusted.
 */

import { parseUrl } from '../../kernel/parse-url.ts';
import { GrowingBuffer, NO_BODY } from '../hap/wire/growing-buffer.ts';
import { endOfHead, parseLength } from '../hap/wire/message-reader.ts';

export interface ReceivedRequest {
  readonly method: string;
  /** Without the query, in lower case. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

/** The stream is not HTTP, or exceeds a limit. The connection must close after this answer. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: 400 | 411 | 413 | 431;

  constructor(status: RequestError['status'], message: string) {
    super(message);
    this.status = status;
  }
}

export interface RequestSizes {
  readonly headBytes: number;
  readonly bodyBytes: number;
}

const REQUEST_LINE = /^([A-Z]{1,16}) (\S+) HTTP\/1\.[01]$/;
/** RFC 9112 §2.2: empty lines before a request are ignored. More is a flood. */
const MAX_BLANK_BYTES = 64;
/** Resolves targets without a host. */
const BASE = 'http://accessory.local';

interface Head {
  readonly method: string;
  readonly url: URL;
  readonly length: number;
}

export class RequestReader {
  readonly #limits: RequestSizes;
  #pending: Buffer = NO_BODY;
  #head: Head | undefined;
  #body = new GrowingBuffer();

  constructor(limits: RequestSizes) {
    this.#limits = limits;
  }

  /** Whether a request has begun and not ended. */
  get unfinished(): boolean {
    return this.#head !== undefined || this.#pending.length > 0;
  }

  /** Calls `deliver` with each request that `bytes` completes, in order. @throws RequestError */
  push(bytes: Buffer, deliver: (request: ReceivedRequest) => void): void {
    let rest = this.#pending.length > 0 ? Buffer.concat([this.#pending, bytes]) : bytes;
    this.#pending = NO_BODY;
    while (rest.length > 0) {
      const left = this.#head ? this.#readBody(this.#head, rest, deliver) : this.#readHead(rest, deliver);
      if (!left) return;
      rest = left;
    }
  }

  /** @returns the bytes behind the head; `undefined` if it is incomplete */
  #readHead(bytes: Buffer, deliver: (request: ReceivedRequest) => void): Buffer | undefined {
    const start = beginOfRequest(bytes);
    const rest = bytes.subarray(start);
    if (rest.length === 0) return undefined;
    const end = endOfHead(rest);
    if ((end === -1 ? rest.length : end) > this.#limits.headBytes) throw new RequestError(431, 'The head is too long');
    if (end === -1) {
      if (!/^[A-Z]/.test(rest.toString('latin1', 0, 1))) throw new RequestError(400, 'Not HTTP');
      this.#pending = Buffer.from(rest);
      return undefined;
    }
    const head = parseHead(rest.toString('latin1', 0, end));
    if (head.length > this.#limits.bodyBytes) throw new RequestError(413, 'The body is too large');
    if (head.length === 0) complete(head, NO_BODY, deliver);
    else this.#head = head;
    return rest.subarray(end);
  }

  #readBody(head: Head, bytes: Buffer, deliver: (request: ReceivedRequest) => void): Buffer | undefined {
    const missing = head.length - this.#body.length;
    this.#body.append(bytes.subarray(0, missing));
    if (bytes.length < missing) return undefined;
    this.#head = undefined;
    complete(head, this.#body.take(), deliver);
    return bytes.subarray(missing);
  }
}

function beginOfRequest(bytes: Buffer): number {
  let start = 0;
  while (bytes[start] === 0x0d || bytes[start] === 0x0a) start += 1;
  if (start > MAX_BLANK_BYTES) throw new RequestError(400, 'Not HTTP');
  return start;
}

function parseHead(text: string): Head {
  const [requestLine = '', ...lines] = text.trimEnd().split(/\r?\n/);
  const [, method = '', target = ''] = REQUEST_LINE.exec(requestLine) ?? [];
  const url = parseUrl(target, BASE);
  if (!method || !url) throw new RequestError(400, 'The request line is malformed');
  let length: number | undefined;
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) throw new RequestError(400, 'A header is malformed');
    const name = line.slice(0, colon).toLowerCase();
    if (name === 'content-length') length = lengthOf(line.slice(colon + 1).trim(), length);
    if (name === 'transfer-encoding') throw new RequestError(411, 'The body has no length');
  }
  return { method, url, length: length ?? 0 };
}

function lengthOf(value: string, before: number | undefined): number {
  try {
    return parseLength(value, before);
  } catch {
    throw new RequestError(400, 'The body has no clear length');
  }
}

function complete({ method, url }: Head, body: Buffer, deliver: (request: ReceivedRequest) => void): void {
  deliver({ method, path: url.pathname.toLowerCase(), query: url.searchParams, body });
}
