/**
 * GraphQL over HTTP (API §4.2): one path, by GET or POST. `handle` lists the steps of one request. This file knows no
 * subject: the schema does (`schema.ts`), and each operation authorizes its caller.
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
import { type ExecutionResult, type GraphQLSchema, getOperationAST, OperationTypeNode } from 'graphql';
import type { RequestParams } from 'graphql-http';
import { addressKey } from '../../app/access/attempts.ts';
import type { Caller } from '../../app/access/caller.ts';
import { HearthError } from '../../kernel/errors.ts';
import { type ApiContext, headerOf } from '../env.ts';
import type { FailureLog } from '../failure-log.ts';
import { type GuardOptions, requestOrigin } from '../guards.ts';
import { answer } from '../respond.ts';
import { webhookOrigin } from '../webhook-origin.ts';
import type { GraphqlContext, GraphqlDeps } from './context.ts';
import { Documents } from './documents.ts';
import { answerOnce } from './event-stream.ts';
import { executeOperation, type GraphqlOperation, guardMutations } from './execution.ts';
import { KeptAnswers } from './kept-answers.ts';
import { checkVariables } from './limits.ts';
import { contentType, GRAPHQL_RESPONSE, type MediaType, negotiate, takesStream } from './media-type.ts';
import { signInRequired } from './public-fields.ts';
import { readParams } from './read-params.ts';
import { presentRefusal } from './refusal.ts';
import { RequestScope } from './request-scope.ts';
import { Streams, type StreamsDeps } from './streams.ts';
import { presentKept, presentResult, writeResult } from './write-result.ts';

export interface GraphqlFaceDeps extends GraphqlDeps, StreamsDeps {
  readonly guards: GuardOptions;
  readonly failures: FailureLog;
}

export class GraphqlApi {
  readonly #schema: GraphQLSchema;
  readonly #documents: Documents;
  readonly #kept: KeptAnswers;
  readonly #streams: Streams;
  readonly #deps: GraphqlFaceDeps;
  readonly #webhookOrigin: (c: ApiContext) => string;
  readonly #originOf: (c: ApiContext) => string;

  constructor(schema: GraphQLSchema, deps: GraphqlFaceDeps) {
    guardMutations(schema);
    this.#schema = schema;
    this.#documents = new Documents(schema);
    this.#kept = new KeptAnswers(schema);
    this.#streams = new Streams(schema, deps);
    this.#deps = deps;
    this.#webhookOrigin = webhookOrigin(deps.guards);
    this.#originOf = requestOrigin(deps.guards);
  }

  /**
   * @throws `invalid_token` the caller has no session, and it is not public · `invalid_request` · `payload_too_large` ·
   * `method_not_allowed` a mutation by GET · `accessory_unreachable` took too long
   */
  async handle(c: ApiContext): Promise<Response> {
    const wanted = wantedResponse(c);
    if (!wanted.type && !wanted.stream) return notAcceptable(c.get('caller'));
    const params = await this.#readRequest(c);
    const prepared = this.#prepare(c, params);
    if (!prepared.ok) return this.#present(c, wanted, { errors: prepared.errors });
    const operation = chooseOperation(prepared.document, params);
    requirePostForMutation(c, operation);
    if (operation.type === OperationTypeNode.SUBSCRIPTION) return this.#openStream(c, wanted, operation);
    const key = this.#keyOf(c, params, operation);
    if (key !== undefined) return this.#answerKept(c, wanted, operation, key);
    const result = await executeOperation(this.#schema, operation, this.#contextOf(c), this.#deps.clock);
    return this.#present(c, wanted, result);
  }

  /** What its answer depends on beside the home's state; `undefined` if on more than that. */
  #keyOf(c: ApiContext, { query }: RequestParams, { document, type, name, variables }: GraphqlOperation) {
    const caller = c.get('caller');
    if (type !== OperationTypeNode.QUERY || isStranger(caller) || !this.#kept.isKeepable(document)) return undefined;
    const { homes, access } = this.#deps;
    try {
      const roles = homes.list(caller).map(({ id }) => [id, access.roleIn(caller, id)]);
      return JSON.stringify([roles, name, variables, query]);
    } catch {
      // The execution fails in the same way, and reports it as GraphQL does.
      return undefined;
    }
  }

  async #answerKept(c: ApiContext, wanted: WantedResponse, operation: GraphqlOperation, key: string) {
    const { state, clock } = this.#deps;
    const { revision } = state;
    let kept = this.#kept.get(key, revision);
    if (!kept) {
      const result = await executeOperation(this.#schema, operation, this.#contextOf(c), clock);
      if (result.errors || state.revision !== revision) return this.#present(c, wanted, result);
      kept = this.#kept.put(key, revision, writeResult(result, c, this.#deps.failures));
    }
    return wanted.type ? presentKept(kept, wanted.type, c) : answerOnce(Buffer.from(kept.bytes).toString());
  }

  /** Bodies of many strangers may be complete at the same time: they take turns to be parsed. */
  async #readRequest(c: ApiContext): Promise<RequestParams> {
    const caller = c.get('caller');
    const params = await readParams(c).catch((error: unknown) => {
      // A stranger gets no details about a request that can't be read.
      throw isStranger(caller) ? signInRequired() : error;
    });
    if (isStranger(caller)) await c.env?.turns?.wait(addressKey(caller.address));
    checkVariables(params.variables);
    return params;
  }

  /** Parses, validates and measures the document. */
  #prepare(c: ApiContext, { query }: RequestParams): ReturnType<Documents['prepare']> {
    return isStranger(c.get('caller')) ? this.#documents.prepareForStranger(query) : this.#documents.prepare(query);
  }

  #contextOf(c: ApiContext): GraphqlContext {
    const caller = c.get('caller');
    const request = new RequestScope(caller, this.#deps);
    const device = c.req.header('user-agent');
    const origins = { webhookOrigin: this.#webhookOrigin(c), origin: this.#originOf(c) };
    return { caller, deps: this.#deps, request, device, ...origins };
  }

  /** Only clients that name the type get a stream: a client that waits for a response would wait forever. */
  #openStream(c: ApiContext, { stream }: WantedResponse, operation: GraphqlOperation): Promise<Response> {
    if (!stream) {
      throw new HearthError(
        'invalid_request',
        'A subscription is a stream: ask for it with Accept: text/event-stream.',
      );
    }
    const write = (result: ExecutionResult) => writeResult(result, c, this.#deps.failures);
    return this.#streams.open({ c, operation, context: this.#contextOf(c), write });
  }

  async #present(c: ApiContext, { type }: WantedResponse, result: ExecutionResult): Promise<Response> {
    const text = writeResult(result, c, this.#deps.failures);
    return type ? presentResult(result, type, c, text) : answerOnce(text);
  }
}

interface WantedResponse {
  /** `undefined`: the client accepts none but a stream. */
  readonly type: MediaType | undefined;
  readonly stream: boolean;
}

function wantedResponse(c: ApiContext): WantedResponse {
  const accept = headerOf(c, 'accept');
  return { type: negotiate(accept), stream: takesStream(accept) };
}

function isStranger({ principal }: Caller): boolean {
  return principal.kind === 'anonymous';
}

function requirePostForMutation(c: ApiContext, { type }: GraphqlOperation): void {
  if (type !== OperationTypeNode.MUTATION || c.req.method === 'POST') return;
  throw new HearthError('method_not_allowed', 'Mutations change things: send them by POST.', { allow: ['POST'] });
}

/** @throws `invalid_request` no operation of this name, or several and no name */
function chooseOperation(
  document: GraphqlOperation['document'],
  { operationName, variables }: RequestParams,
): GraphqlOperation {
  const name = operationName || null;
  const operation = getOperationAST(document, name);
  if (!operation) {
    throw new HearthError(
      'invalid_request',
      name === null
        ? 'The document has several operations: name one in "operationName".'
        : `The document has no operation named "${name.slice(0, 80)}".`,
      { field: 'operationName' },
    );
  }
  return { document, type: operation.operation, name, variables: variables ?? null };
}

/** 406, for which the API has no code: only GraphQL's clients negotiate. */
function notAcceptable({ requestId }: Caller): Response {
  const error = new HearthError('invalid_request', `Accept ${GRAPHQL_RESPONSE} or application/json, in UTF-8.`);
  return answer(JSON.stringify(presentRefusal(error, requestId)), 406, contentType('application/json'));
}
