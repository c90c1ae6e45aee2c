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
}
