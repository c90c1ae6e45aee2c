/**
 * Asks the library in its own terms, Node's requests and responses, and gives back what it answered as plain data. Nothing of the
 * client's request reaches it but what a route hands over, and nothing of its answer reaches the client but what a route takes: our
 * guards, limits and protective headers hold for it as for every other face.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

export interface ProviderRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly target: string;
  /** The origin under which the client reached us: what the library builds its addresses on. */
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
  /** As text; empty for none. */
  readonly body: string;
}

/** What an answer that is no success says (RFC 6749 §5.2); `server_error` where it says nothing that can be read. */
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

/** Runs `handle` over a request made up of these parts, until it ends the response. @throws what it throws */
export async function askProvider(handle: NodeHandler, request: ProviderRequest): Promise<ProviderAnswer> {
  const incoming = makeRequest(request);
  const response = new KeptResponse(incoming);
  await Promise.all([response.ended, Promise.resolve(handle(incoming, response))]);
  return response.answer();
}

/** The same pair for those of its functions that only look at a request. */
export function makePair(request: ProviderRequest): readonly [IncomingMessage, ServerResponse] {
  const incoming = makeRequest(request);
  return [incoming, new KeptResponse(incoming)];
}

function makeRequest({ method, target, origin, cookie, form }: ProviderRequest): IncomingMessage {
  const { protocol, host } = new URL(origin);
  const socket = new Socket();
  // What tells it to mark its cookies as Secure.
  Object.defineProperty(socket, 'encrypted', { value: protocol === 'https:' });
  const incoming = new IncomingMessage(socket);
  incoming.method = method;
  incoming.url = target;
  incoming.headers.host = host;
  // Its errors are then JSON, whatever the client would like.
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

/** A response that goes nowhere. */
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
