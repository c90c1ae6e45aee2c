/**
 * Calls the library with Node's requests and responses, and returns its response as plain data. The library gets only
 * the parts of the request that a route passes on, and the client gets only the parts of the response that a route
 * uses. So the relay's guards, limits and protective headers apply to it as to every other API.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import context from 'oidc-provider/lib/helpers/als.js';
import { whileOn } from '../../kernel/run-in-context.ts';

export interface ProviderRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly target: string;
  /** The origin of the client's request, on which the library bases its URLs. */
  readonly origin: string;
  readonly cookie?: string | undefined;
  /** Sent as a form. */
  readonly form?: URLSearchParams;
}

export interface ProviderAnswer {
  readonly status: number;
  readonly location: string | undefined;
  readonly cookies: readonly string[];
  readonly wwwAuthenticate: string | undefined;
  /** A string; empty if there is no body. */
  readonly body: string;
}

/** The code of an error response (RFC 6749 §5.2); `server_error` if it has no readable one. */
export function errorOf({ body }: Pick<ProviderAnswer, 'body'>): {
  readonly error: string;
  readonly description: string | undefined;
} {
  const { error, error_description: description } = readObject(body);
  return {
    error: typeof error === 'string' ? error : 'server_error',
    description: typeof description === 'string' ? description : undefined,
  };
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Runs `handle` over a request built from these parts, until it ends the response. @throws what it throws */
export async function askProvider(handle: NodeHandler, request: ProviderRequest): Promise<ProviderAnswer> {
  const incoming = makeRequest(request);
  const response = new KeptResponse(incoming);
  await whileOn(context, () => Promise.all([response.ended, Promise.resolve(handle(incoming, response))]));
  return response.answer();
}

/** The same pair for those of its functions that only read a request. */
export function makePair(request: ProviderRequest): readonly [IncomingMessage, ServerResponse] {
  const incoming = makeRequest(request);
  return [incoming, new KeptResponse(incoming)];
}

function makeRequest({ method, target, origin, cookie, form }: ProviderRequest): IncomingMessage {
  const { protocol, host } = new URL(origin);
  const socket = new Socket();
  // Makes the library mark its cookies as Secure.
  Object.defineProperty(socket, 'encrypted', { value: protocol === 'https:' });
  const incoming = new IncomingMessage(socket);
  incoming.method = method;
  incoming.url = target;
  incoming.headers.host = host;
  // Its errors are then JSON, even if the client prefers another type.
  incoming.headers.accept = 'application/json';
  if (cookie !== undefined) incoming.headers.cookie = cookie;
  if (form) {
    const body = Buffer.from(form.toString());
    incoming.headers['content-type'] = 'application/x-www-form-urlencoded';
    incoming.headers['content-length'] = String(body.length);
    incoming.push(body);
  }
  incoming.push(null);
  return incoming;
}

/** A response that is kept instead of sent. */
class KeptResponse extends ServerResponse {
  readonly ended: Promise<void>;
  readonly #end: () => void;
  #body = '';

  constructor(request: IncomingMessage) {
    super(request);
    const { promise, resolve } = deferred();
    this.ended = promise;
    this.#end = resolve;
  }

  override end(...[chunk]: readonly unknown[]): this {
    if (this.finished) return this;
    if (typeof chunk === 'string') this.#body = chunk;
    else if (chunk instanceof Uint8Array) this.#body = Buffer.from(chunk).toString('utf8');
    this.finished = true;
    this.#end();
    return this;
  }

  answer(): ProviderAnswer {
    const cookies = this.getHeader('set-cookie');
    return {
      status: this.statusCode,
      location: textOf(this.getHeader('location')),
      cookies: Array.isArray(cookies) ? cookies : cookies === undefined ? [] : [String(cookies)],
      wwwAuthenticate: textOf(this.getHeader('www-authenticate')),
      body: this.#body,
    };
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function textOf(header: number | string | string[] | undefined): string | undefined {
  return header === undefined ? undefined : String(header);
}
