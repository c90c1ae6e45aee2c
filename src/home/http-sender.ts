/**
 * The port through which the daemon sends HTTP requests that people configured. The sender guards the house: it refuses loopback,
 * link-local and metadata addresses and the daemon itself, connects to the very address that it checked, follows no redirect, knows
 * no proxy and no cookies, and reads a bounded part of the answer (decisions §9).
 */
export interface HttpRequest {
  /** `http` or `https`. */
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** For all of it, from the look-up of the name to the last byte. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * Whoever will send there again soon, one request after the other: the connection is kept for seconds, for them alone. A request that
   * meets such a connection's end is sent a second time: its receiver must not mind.
   */
  readonly keptFor?: string | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly statusText: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** At most 64 KiB of it. */
  readonly body: string;
}

/** Why there was no answer. */
export class HttpSendError extends Error {
  override readonly name = 'HttpSendError';
  readonly reason: 'refused_address' | 'invalid_url' | 'timeout' | 'network' | 'cancelled';

  constructor(reason: HttpSendError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

export interface HttpSender {
  /** Any status is an answer. @throws `HttpSendError` */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** How many are on their way now, where that is counted. */
  readonly underWay?: number;
}

/** Says beforehand what sending would say, for whoever is about to store a URL. */
export interface HttpJudge {
  /**
   * Why nothing would be sent to this URL, as a sentence without its full stop; `null` where it may be sent to. Addresses are judged in
   * whatever spelling; a name is judged each time that it is connected to, but for those that only ever mean this computer itself.
   */
  judge(url: string): string | null;
}

/** RFC 9110 §5.6.2; longer ones are a mistake. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]{1,128}$/i;
/** RFC 9110 §5.5, as octets: what Latin-1 can say, without control characters but the tab. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** What only the sender knows, what would turn one request into two, and what belongs to a proxy, of which there is none. */
const SENDERS_OWN =
  /^(host|connection|keep-alive|transfer-encoding|content-length|te|trailer|upgrade|expect|proxy-.*)$/i;

/** Why no request can have a header of this name, after "it"; `null` where one can. */
export function faultOfHeaderName(name: string): string | null {
  if (!TOKEN.test(name)) return 'has characters that no name of a header may have';
  return SENDERS_OWN.test(name) ? 'is set by what sends the request: leave it out' : null;
}

/** Why no header can have this value, after "it"; `null` where one can. */
export function faultOfHeaderValue(value: string): string | null {
  return FIELD_VALUE.test(value) ? null : 'has a line break, or characters that no header may have';
}
