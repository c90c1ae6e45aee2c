/**
 * Handles one message with the SDK: it detects the client's protocol generation, creates a server for the message, and
 * responds. Clients of 2025 and before begin with `initialize`; those of 2026 on identify themselves in each message,
 * and may keep a stream of changes open. Both use the same tools and resources.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  type ServerEventBus,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Caller } from '../../app/access/caller.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { ApiContext } from '../env.ts';
import { requestOrigin } from '../guards.ts';
import { readText } from '../read-body.ts';
import { answer, answerJson } from '../respond.ts';
import { answerMissingScope, missingScope } from './challenge.ts';
import type { McpFaceDeps } from './mcp-deps.ts';
import { createServer } from './mcp-server.ts';
import { McpSubscriptions } from './subscriptions.ts';
import { findTool } from './tool-calls.ts';

/** JSON-RPC 2.0 §5.1. */
const PARSE_ERROR = -32_700;

/** Only one old version of the protocol has batches, and no client sends long ones. */
const MAX_BATCH_SIZE = 16;

/** The transports check only this of a request that has been read already. */
const ACCEPT = 'application/json, text/event-stream';

/** For a client that has disconnected: no one reads it. */
const GONE = 499;

interface JsonRpcMessage {
  readonly caller: Caller;
  readonly request: Request;
  readonly body: unknown;
  /** Cuts the connection. */
  readonly cut: () => void;
}

export class McpApi {
  readonly #deps: McpFaceDeps;
  readonly #subscriptions: McpSubscriptions;
  readonly #originOf: (c: ApiContext) => string;

  constructor(deps: McpFaceDeps) {
    this.#deps = deps;
    this.#subscriptions = new McpSubscriptions(deps);
    this.#originOf = requestOrigin(deps.guards);
  }

  /**
   * @throws `invalid_request` the body is incomplete, not UTF-8 or a long batch · `rate_limited` too many streams are
   * open
   */
  async handle(c: ApiContext): Promise<Response> {
    const caller = c.get('caller');
    const body = parse(await readText(c));
    if (body === undefined) {
      const error = { code: PARSE_ERROR, message: 'Parse error: this is not JSON.' };
      return answerJson({ jsonrpc: '2.0', error, id: null }, 400);
    }
    if (Array.isArray(body) && body.length > MAX_BATCH_SIZE) {
      throw new HearthError('invalid_request', `A batch may have ${MAX_BATCH_SIZE} messages at most.`);
    }
    const scope = scopeMissingFor(caller, body);
    if (scope !== undefined) return answerMissingScope(scope, caller.requestId, this.#originOf(c));

    const cut = (): void => void c.env?.outgoing?.destroy();
    const message = { caller, body, request: withoutBody(c), cut };
    if (await isLegacyRequest(message.request, body)) return this.#answerLegacy(message);
    return isListening(body) ? this.#listen(message) : present(await this.#answerModern(message).response);
  }

  /** One JSON response for a message or a batch, even if the client accepts a stream: there are no partial results. */
  async #answerLegacy({ caller, request, body }: JsonRpcMessage): Promise<Response> {
    const server = this.#createServer(caller, false);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const gone = whenAborted(request.signal);
    try {
      await server.connect(transport);
      const answered = transport.handleRequest(request, { parsedBody: body });
      return await present(await Promise.race([answered, gone.response]));
    } finally {
      gone.forget();
      await server.close();
    }
  }

  #answerModern({ caller, request, body }: JsonRpcMessage, bus?: ServerEventBus) {
    const handler = createMcpHandler(() => this.#createServer(caller, true), { legacy: 'reject', ...(bus && { bus }) });
    return { response: handler.fetch(request, { parsedBody: body }), close: () => handler.close() };
  }

  async #listen(message: JsonRpcMessage): Promise<Response> {
    const subscription = this.#subscriptions.open(message.caller);
    try {
      const { response: answering, close } = this.#answerModern(message, subscription);
      const response = await answering;
      if (!isStream(response) || response.body === null) return await present(response);
      const headers = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' };
      return answer(subscription.carry(response.body, close, message.cut), response.status, headers);
    } finally {
      subscription.endUnlessCarrying();
    }
  }

  #createServer(caller: Caller, canListen: boolean) {
    const { requestId } = caller;
    return createServer({
      deps: this.#deps,
      caller,
      version: this.#deps.info.version,
      canListen,
      note: (error) => this.#deps.failures.note(error, { requestId, method: 'POST', path: '/mcp' }),
    });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The head of the request; the body has been read, and clients may omit the Accept header. */
function withoutBody(c: ApiContext): Request {
  const headers = new Headers(c.req.raw.headers);
  headers.set('Accept', ACCEPT);
  headers.set('Content-Type', 'application/json');
  headers.delete('Authorization');
  return new Request(c.req.url, { method: 'POST', headers, signal: c.req.raw.signal });
}

function isListening(body: unknown): boolean {
  return isObject(body) && body.method === 'subscriptions/listen';
}

/** Checked before anything runs, so that the app can request a wider scope and send the same message again. */
function scopeMissingFor({ principal }: Caller, body: unknown): string | undefined {
  for (const message of Array.isArray(body) ? body : [body]) {
    const name =
      isObject(message) && message.method === 'tools/call' && isObject(message.params) && message.params.name;
    const tool = typeof name === 'string' ? findTool(name) : undefined;
    const scope = tool && missingScope(principal, tool.needs);
    if (scope !== undefined) return scope;
  }
  return undefined;
}

async function present(response: Response): Promise<Response> {
  if (response.body === null) return answer(null, response.status, {});
  return answer(await response.text(), response.status, { 'Content-Type': 'application/json' });
}

function isStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

/** The transport never answers a disconnected client: its message would wait forever. */
function whenAborted(signal: AbortSignal): { readonly response: Promise<Response>; forget(): void } {
  let forget = (): void => {};
  const response = new Promise<Response>((resolve) => {
    const give = (): void => resolve(new Response(null, { status: GONE }));
    if (signal.aborted) give();
    signal.addEventListener('abort', give, { once: true });
    forget = () => signal.removeEventListener('abort', give);
  });
  return { response, forget: () => forget() };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
