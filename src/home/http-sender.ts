/**
 * The port for HTTP requests that users configure. The sender protects the home: it refuses loopback, link-local and
 * metadata addresses and the daemon itself, and connects to exactly the address that it checked. It follows no
 * redirects, uses no proxy and no cookies, and reads a bounded part of the response (decisions §9).
 */
export interface HttpRequest {
  /** `http` or `https`. */
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** A body that is no text, in the place of `body`. */
  readonly bytes?: Uint8Array | undefined;
  /** Refuses the local network, even if the settings permit it: for addresses that no admin entered. */
  readonly publicOnly?: boolean | undefined;
  /** For the whole exchange, from the name lookup to the last byte. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * Identifies a caller that sends several requests in a row. The sender keeps the connection open for some seconds,
   * for this caller only. If such a connection has closed, the sender sends the request a second time, so the receiver
   * must tolerate duplicates.
   */
  readonly keptFor?: string | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly statusText: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** At most 64 KiB of the body. */
  readonly body: string;
}

/** The reason for a missing response. */
export class HttpSendError extends Error {
  override readonly name = 'HttpSendError';
  readonly reason: 'refused_address' | 'invalid_url' | 'timeout' | 'network' | 'cancelled';

  constructor(reason: HttpSendError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

export interface HttpSender {
  /** Any status is a response. @throws `HttpSendError` */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** The number of requests in progress, if counted. */
  readonly underWay?: number;
}

/** Checks a URL before it is saved, with the rules of the sender. */
export interface HttpJudge {
  /**
   * The reason why the sender would refuse this URL, as a sentence without its full stop; `null` if it would send. It
   * checks addresses in every spelling. A name is checked at each connection, except names that always mean this
   * computer.
   */
  judge(url: string, options?: Pick<HttpRequest, 'publicOnly'>): string | null;
}

/** RFC 9110 §5.6.2; a longer name is a mistake. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]{1,128}$/i;
/** RFC 9110 §5.5, as octets: Latin-1 without control characters except the tab. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Headers that only the sender may set, that could split one request into two, or that belong to a proxy (the sender
 * uses none).
 */
const SENDERS_OWN =
  /^(host|connection|keep-alive|transfer-encoding|content-length|te|trailer|upgrade|expect|proxy-.*)$/i;

/** Why a request cannot have a header of this name, to follow "it"; `null` if it can. */
export function faultOfHeaderName(name: string): string | null {
  if (!TOKEN.test(name)) return 'has characters that no name of a header may have';
  return SENDERS_OWN.test(name) ? 'is set by what sends the request: leave it out' : null;
}

/** Why a header cannot have this value, to follow "it"; `null` if it can. */
export function faultOfHeaderValue(value: string): string | null {
  return FIELD_VALUE.test(value) ? null : 'has a line break, or characters that no header may have';
}
