/**
 * GraphQL over HTTP (API §4.2): one address, asked by GET or POST. This file is the way of one request: which answer the client
 * takes, what it asks, whether that may be executed, executing it, presenting the result. It knows no subject: the schema does
 * (`schema.ts`), and who may do what is decided inside each operation.
 *
 * Requests are read by graphql-http. Its handler is not used: it writes answers through a function called for every value in
 * them, which takes longer than making them, and says 200 where a variable of the wrong type calls for 400.
 *
 * Subscriptions are streams of server-sent events at the same address, for those who take them (`streams.ts`); a query or mutation comes
 * as such a stream only where nothing else is taken.
 *
 * What is refused before execution is thrown and told by `presentGraphqlError`, with the HTTP status that REST has for it. A
 * document that is not valid is GraphQL's own affair: 400, but 200 for those who asked for plain JSON.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type ExecutionResult, type GraphQLSchema, getOperationAST, OperationTypeNode } from 'graphql';
import { parseRequestParams, type RequestParams } from 'graphql-http';
import type { Caller } from '../../app/access/caller.ts';
import { HearthError, messageOf } from '../../kernel/errors.ts';
import { type FaceContext, headerOf } from '../env.ts';
import type { FailureLog } from '../failure-log.ts';
import type { GuardOptions } from '../guards.ts';
import { acceptsGzip } from '../negotiate.ts';
import { answer } from '../respond.ts';
import { readJson } from '../rest/request.ts';
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
/** Characters below which compressing costs more than it saves in a house. */
const LEAST_COMPRESSED = 16_384;
/** JSON shrinks to a tenth at any level; the lowest costs a small computer a third of the usual one. */
const GZIP_LEVEL = 1;

export interface GraphqlFaceDeps extends GraphqlDeps, StreamsDeps {
  readonly guards: GuardOptions;
  readonly failures: FailureLog;
}

export class GraphqlFace {
  readonly #schema: GraphQLSchema;
  readonly #documents: Documents;
  readonly #streams: Streams;
  readonly #deps: GraphqlFaceDeps;
  readonly #webhookOrigin: (c: FaceContext) => string;

  constructor(schema: GraphQLSchema, deps: GraphqlFaceDeps) {
    guardMutations(schema);
    this.#schema = schema;
    this.#documents = new Documents(schema);
    this.#streams = new Streams(schema, deps);
    this.#deps = deps;
    this.#webhookOrigin = webhookOrigin(deps.guards);
  }

  /**
   * @throws `invalid_token` nobody has signed in, and it is not public · `invalid_request` · `payload_too_large` ·
   *         `method_not_allowed` a mutation by GET · `accessory_unreachable` took too long
   */
  async handle(c: FaceContext): Promise<Response> {
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
      // A stranger's request that can't be read is not worth a word about what is wrong with it.
      throw anybody ? signInRequired() : error;
    });
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
async function readParams(c: FaceContext): Promise<RequestParams> {
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
  // Method and media type were judged before; this is what the reader answers where they do not fit.
  throw new HearthError('unsupported_media_type', 'Ask by GET, or send JSON by POST.');
}

async function readBody(c: FaceContext): Promise<Record<string, unknown>> {
  // Kept by the request, and read once only.
  checkRequestSize((await c.req.arrayBuffer().catch(() => new ArrayBuffer())).byteLength);
  const body = await readJson(c);
  if (Array.isArray(body)) {
    throw new HearthError('invalid_request', 'Batches are not possible: send one operation a request.');
  }
  return body as Record<string, unknown>;
}

/** @throws `invalid_request` none of this name, or several and no name */
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

/** What is large travels compressed to those who take that: a whole home has some hundred kilobytes. */
async function presentResult(
  { errors = [], data }: ExecutionResult,
  type: MediaType,
  c: FaceContext,
  text: string,
): Promise<Response> {
  // Without data nothing was executed (GraphQL §7.1): the request itself was at fault.
  const status = data === undefined && type === GRAPHQL_RESPONSE ? 400 : 200;
  const headers = {
    ...contentType(type),
    Vary: 'Accept-Encoding',
    ...(errors.length > 0 && { 'X-Request-Id': c.get('caller').requestId }),
  };
  if (text.length < LEAST_COMPRESSED || !acceptsGzip(headerOf(c, 'accept-encoding'))) {
    return answer(text, status, headers);
  }
  return answer(await compress(text, { level: GZIP_LEVEL }), status, { ...headers, 'Content-Encoding': 'gzip' });
}

function writeResult(
  { errors = [], data }: ExecutionResult,
  c: FaceContext,
  requestId: string,
  failures: FailureLog,
): string {
  if (errors.length === 0) return JSON.stringify({ data });
  const { method, path } = c.req;
  let noted = false;
  const presented = presentErrors(errors, requestId, (cause) => {
    // One line a request: what fails for one accessory of a list fails for all of them.
    if (!noted) failures.note(cause, { requestId, method, path });
    noted = true;
  });
  return JSON.stringify({ errors: presented, data });
}

/** Only those who name the type get a stream: a client that waits for an answer would wait for ever. */
function streamRequired(): HearthError {
  return new HearthError('invalid_request', 'A subscription is a stream: ask for it with Accept: text/event-stream.');
}

/** 406, for which the face has no code: only GraphQL's clients negotiate. */
function notAcceptable({ requestId }: Caller): Response {
  const error = new HearthError('invalid_request', `Accept ${GRAPHQL_RESPONSE} or application/json, in UTF-8.`);
  return answer(JSON.stringify(presentRefusal(error, requestId)), 406, contentType('application/json'));
}
