/** Open subscriptions: their limits, when they end, and the path of each from graphql-js to its client. */
import { type ExecutionResult, type GraphQLSchema, subscribe } from 'graphql';
import type { Caller } from '../../app/access/caller.ts';
import type { HomeEvents } from '../../home/events.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import { newId } from '../../kernel/ids.ts';
import type { ApiContext } from '../env.ts';
import type { FailureLog } from '../failure-log.ts';
import type { LiveClients } from '../live/live-clients.ts';
import { StreamSupervisor, type WatchLimits, watchCaller } from '../live/stream-supervisor.ts';
import type { GraphqlContext } from './context.ts';
import { answerOnce, answerStream } from './event-stream.ts';
import type { GraphqlOperation } from './execution.ts';
import { MAX_DOCUMENT_ERRORS } from './limits.ts';
import { presentRefusal } from './refusal.ts';

/** Each is a connection, of which a listener has 256 in total; browsers open six at a time. */
const LIMITS: WatchLimits = {
  inAll: 48,
  perOwner: 16,
  perAddress: 32,
  sentence: 'Too many subscriptions are open. End one and try again.',
};

export interface StreamsDeps {
  readonly bus: EventBus<HomeEvents>;
  readonly isReady: () => boolean;
  readonly clients?: LiveClients | undefined;
  readonly failures: FailureLog;
}

export interface GraphqlStream {
  readonly c: ApiContext;
  readonly operation: GraphqlOperation;
  readonly context: GraphqlContext;
  /** Serialises a result. */
  readonly write: (result: ExecutionResult) => string;
}

export class Streams {
  readonly #schema: GraphQLSchema;
  readonly #deps: StreamsDeps & GraphqlContext['deps'];
  readonly #watch: StreamSupervisor;

  constructor(schema: GraphQLSchema, deps: StreamsDeps & GraphqlContext['deps']) {
    this.#schema = schema;
    this.#deps = deps;
    this.#watch = new StreamSupervisor({ ...deps, onFailure: (error) => this.#note(error) }, LIMITS);
    deps.clients?.add('graphql', this.#watch);
  }

  /**
   * An invalid subscription returns its errors as its only result, as the protocol requires.
   * @throws `rate_limited` the maximum is open · `method_not_allowed`
   */
  async open({ c, operation, context, write }: GraphqlStream): Promise<Response> {
    // HEAD has no body, so no client would read the stream.
    if (c.req.method === 'HEAD') {
      throw new HearthError('method_not_allowed', 'Subscribe by GET or POST.', { allow: ['GET', 'POST'] });
    }
    const { document, name, variables } = operation;
    const results = await subscribe({
      schema: this.#schema,
      document,
      operationName: name,
      variableValues: variables,
      contextValue: context,
      options: { maxCoercionErrors: MAX_DOCUMENT_ERRORS },
    });
    if (!(Symbol.asyncIterator in results)) return answerOnce(write(results));
    try {
      return this.#stream(c, context.caller, results, write);
    } catch (error) {
      await results.return(undefined);
      throw error;
    }
  }

  #stream(
    c: ApiContext,
    caller: Caller,
    results: AsyncGenerator<ExecutionResult>,
    write: GraphqlStream['write'],
  ): Response {
    const { clock, credentials } = this.#deps;
    return answerStream({
      clock,
      results: written(results, write),
      watch: (acts) => watchCaller({ watch: this.#watch, credentials }, caller, acts),
      revoked: () => JSON.stringify(presentRefusal(noLonger(), caller.requestId)),
      onFailure: (error) => this.#note(error),
      env: c.env,
    });
  }

  #note(error: unknown): void {
    this.#deps.failures.note(error, { requestId: newId(), method: 'POST', path: '/graphql' });
  }
}

/** Passes calls straight through: a generator would not end before its next result. */
function written(results: AsyncGenerator<ExecutionResult>, write: GraphqlStream['write']): AsyncIterator<string> {
  const pass = (result: IteratorResult<ExecutionResult>): IteratorResult<string> =>
    result.done ? { value: undefined, done: true } : { value: write(result.value), done: false };
  return {
    next: async () => pass(await results.next()),
    return: async () => pass(await results.return(undefined)),
  };
}

function noLonger(): HearthError {
  return new HearthError('invalid_token', 'These credentials count no more. Sign in again.');
}
