/**
 * GraphQL over HTTP (API §4.2): one path, by GET or POST. This file handles one request: it negotiates the media type,
 * reads and checks the operation, executes it and presents the result. It knows no subject: the schema does
 * (`schema.ts`), and each operation authorizes its caller.
 *
 * graphql-http reads the requests. Its handler is not used: it writes responses through a function called for every
 * value in them, which takes longer than creating them, and sends 200 where a variable of the wrong type calls for 400.
 *
 * Subscriptions are streams of server-sent events at the same path, for clients that accept them (`streams.ts`). A
 * query or mutation becomes such a stream only if the client accepts nothing else.
 *
 * Errors before execution are thrown and presented by `presentGraphqlError`, with REST's HTTP status. An invalid
 * document follows GraphQL's own rule: 400, but 200 for clients that accept only plain JSON.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type ExecutionResult, type GraphQLSchema, getOperationAST, OperationTypeNode } from 'graphql';
import { parseRequestParams, type RequestParams } from 'graphql-http';
import { addressKey } from '../../app/access/attempts.ts';
import type { Caller } from '../../app/access/caller.ts';
import { HearthError, messageOf } from '../../kernel/errors.ts';
import { type ApiContext, headerOf } from '../env.ts';
import type { FailureLog } from '../failure-log.ts';
import type { GuardOptions } from '../guards.ts';
import { acceptsGzip } from '../negotiate.ts';
import { readJson } from '../read-body.ts';
import { answer } from '../respond.ts';
import { webhookOrigin } from '../webhook-origin.ts';
import type { GraphqlDeps } from './context.ts';
import { Documents } from './documents.ts';
import { presentErrors } from './errors.ts';
import { answerOnce } from './event-stream.ts';
import { executeOperation, guardMutations, type Operation } from './execution.ts';
import { checkRequestSize, checkVariables } from './limits.ts';
import { contentType, GRAPHQL_RESPONSE, type MediaType, negotiate, takesStream } from './media-type.ts';
import { signInRequired } from './public-fields.ts';
import { presentRefusal } from './refusal.ts';
import { RequestScope } from './request-scope.ts';
import { Streams, type StreamsDeps } from './streams.ts';

const compress = promisify(gzip);
/** Number of characters below which compressing costs more than it saves in a home. */
const MIN_COMPRESSED_BYTES = 16_384;
/** JSON shrinks to a tenth at any level; the lowest costs a small computer a third of the usual one. */
const GZIP_LEVEL = 1;

export interface GraphqlFaceDeps extends GraphqlDeps, StreamsDeps {
  readonly guards: GuardOptions;
  readonly failures: FailureLog;
}

export class GraphqlApi {
  readonly #schema: GraphQLSchema;
  readonly #documents: Documents;
  readonly #streams: Streams;
  readonly #deps: GraphqlFaceDeps;
  readonly #webhookOrigin: (c: ApiContext) => string;

  constructor(schema: GraphQLSchema, deps: GraphqlFaceDeps) {
    guardMutations(schema);
    this.#schema = schema;
    this.#documents = new Documents(schema);
    this.#streams = new Streams(schema, deps);
    this.#deps = deps;
    this.#webhookOrigin = webhookOrigin(deps.guards);
  }

  /**
   * @throws `invalid_token` the caller has no session, and it is not public · `invalid_request` · `payload_too_large` ·
   * `method_not_allowed` a mutation by GET · `accessory_unreachable` took too long
   */
  async handle(c: ApiContext): Promise<Response> {
    const deps = this.#deps;
    const caller = c.get('caller');
    const accept = headerOf(c, 'accept');
    const type = negotiate(accept);
    const streamed = takesStream(accept);
    if (!type && !streamed) return notAcceptable(caller);
    const write = (result: ExecutionResult): string => writeResult(result, c, caller.requestId, deps.failures);
    const present = async (result: ExecutionResult): Promise<Response> =>
      type ? presentResult(result, type, c, write(result)) : answerOnce(write(result));

    const anybody = caller.principal.kind === 'anonymous';
    const params = await readParams(c).catch((error: unknown) => {
      // A stranger gets no details about a request that can't be read.
      throw anybody ? signInRequired() : error;
    });
    // Bodies of many strangers may be complete at the same time: they take turns to be parsed.
    if (anybody) await c.env?.turns?.wait(addressKey(caller.address));
    checkVariables(params.variables);
    const documents = this.#documents;
    const prepared = anybody ? documents.prepareForAnybody(params.query) : documents.prepare(params.query);
    if (!prepared.ok) return present({ errors: prepared.errors });
    const operation = chooseOperation(prepared.document, params);
    if (operation.type === OperationTypeNode.MUTATION && c.req.method !== 'POST') {
      throw new HearthError('method_not_allowed', 'Mutations change things: send them by POST.', { allow: ['POST'] });
    }
    const request = new RequestScope(caller, deps);
    const device = c.req.header('user-agent');
    const context = { caller, deps, request, device, webhookOrigin: this.#webhookOrigin(c) };
    if (operation.type === OperationTypeNode.SUBSCRIPTION) {
      if (!streamed) throw streamRequired();
      return this.#streams.open({ c, operation, context, write });
    }
    return present(await executeOperation(this.#schema, operation, context, deps.clock));
  }
}

/** @throws `invalid_request` · `payload_too_large` */
async function readParams(c: ApiContext): Promise<RequestParams> {
  const headers = { get: (name: string) => c.req.header(name) ?? null };
  const body = c.req.method === 'POST' ? await readBody(c) : null;
  const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
  // A "?" may stand in a query (RFC 3986 §3.4); the reader takes the second one for its end.
  const [path = '', ...query] = c.req.url.split('?');
  const url = `${path}?${query.join('%3F')}`;
  try {
    const params = await parseRequestParams({ method, url, headers, body, raw: null, context: null });
    if ('query' in params) return params;
  } catch (error) {
    throw new HearthError(
      'invalid_request',
      `${messageOf(error)}: give "query" as a text and, where needed, "operationName" as a text and "variables" as a JSON object.`,
    );
  }
  // Method and media type were checked before; the reader returns this if they do not fit.
  throw new HearthError('unsupported_media_type', 'Ask by GET, or send JSON by POST.');
}

async function readBody(c: ApiContext): Promise<Record<string, unknown>> {
  // The request caches the body, which can be read only once.
  checkRequestSize((await c.req.arrayBuffer().catch(() => new ArrayBuffer())).byteLength);
  const body = await readJson(c);
  if (Array.isArray(body)) {
    throw new HearthError('invalid_request', 'Batches are not possible: send one operation a request.');
  }
  return body as Record<string, unknown>;
}

/** @throws `invalid_request` no operation of this name, or several and no name */
function chooseOperation(document: Operation['document'], { operationName, variables }: RequestParams): Operation {
  const name = operationName || null;
  const operation = getOperationAST(document, name);
  if (!operation) {
    throw new HearthError(
      'invalid_request',
      name === null
        ? 'The document has several operations: say in "operationName" which one is meant.'
        : `The document has no operation named "${name.slice(0, 80)}".`,
      { field: 'operationName' },
    );
  }
  return { document, type: operation.operation, name, variables: variables ?? null };
}

/** Large responses are compressed for clients that accept that: a whole home has some hundred kilobytes. */
async function presentResult(
  { errors = [], data }: ExecutionResult,
  type: MediaType,
  c: ApiContext,
  text: string,
): Promise<Response> {
  // Without data nothing was executed (GraphQL §7.1): the request itself was wrong.
  const status = data === undefined && type === GRAPHQL_RESPONSE ? 400 : 200;
  const headers = {
    ...contentType(type),
    Vary: 'Accept-Encoding',
    ...(errors.length > 0 && { 'X-Request-Id': c.get('caller').requestId }),
  };
  if (text.length < MIN_COMPRESSED_BYTES || !acceptsGzip(headerOf(c, 'accept-encoding'))) {
    return answer(text, status, headers);
  }
  return answer(await compress(text, { level: GZIP_LEVEL }), status, { ...headers, 'Content-Encoding': 'gzip' });
}

function writeResult(
  { errors = [], data }: ExecutionResult,
  c: ApiContext,
  requestId: string,
  failures: FailureLog,
): string {
  if (errors.length === 0) return JSON.stringify({ data });
  const { method, path } = c.req;
  let noted = false;
  const presented = presentErrors(errors, requestId, (cause) => {
    // One log line a request: an error for one accessory of a list mostly occurs for all of them.
    if (!noted) failures.note(cause, { requestId, method, path });
    noted = true;
  });
  return JSON.stringify({ errors: presented, data });
}

/** Only clients that name the type get a stream: a client that waits for a response would wait forever. */
function streamRequired(): HearthError {
  return new HearthError('invalid_request', 'A subscription is a stream: ask for it with Accept: text/event-stream.');
}

/** 406, for which the API has no code: only GraphQL's clients negotiate. */
function notAcceptable({ requestId }: Caller): Response {
  const error = new HearthError('invalid_request', `Accept ${GRAPHQL_RESPONSE} or application/json, in UTF-8.`);
  return answer(JSON.stringify(presentRefusal(error, requestId)), 406, contentType('application/json'));
}
