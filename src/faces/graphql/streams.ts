/** Subscriptions that somebody listens to: how many there may be, when they end, and the way of each from graphql-js to its client. */
import { type ExecutionResult, type GraphQLSchema, subscribe } from 'graphql';
import type { Caller } from '../../app/access/caller.ts';
import type { HomeEvents } from '../../home/events.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import { newId } from '../../kernel/ids.ts';
import type { FaceContext } from '../env.ts';
import type { FailureLog } from '../failure-log.ts';
import type { LiveClients } from '../live/live-clients.ts';
import { Watch, type WatchLimits, watchCaller } from '../live/watch.ts';
import type { GraphqlContext } from './context.ts';
import { answerOnce, answerStream } from './event-stream.ts';
import type { Operation } from './execution.ts';
import { MAX_DOCUMENT_ERRORS } from './limits.ts';
import { presentRefusal } from './refusal.ts';

/** Each is a connection, of which a listener has 256 for everybody; browsers have six at a time. */
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

export interface StreamRequest {
  readonly c: FaceContext;
  readonly operation: Operation;
  readonly context: GraphqlContext;
  /** Makes the text of a result. */
  readonly write: (result: ExecutionResult) => string;
}

export class Streams {
  readonly #schema: GraphQLSchema;
  readonly #deps: StreamsDeps & GraphqlContext['deps'];
  readonly #watch: Watch;

  constructor(schema: GraphQLSchema, deps: StreamsDeps & GraphqlContext['deps']) {
    this.#schema = schema;
    this.#deps = deps;
    this.#watch = new Watch({ ...deps, onFailure: (error) => this.#note(error) }, LIMITS);
    deps.clients?.add('graphql', this.#watch);
  }

  /**
   * What is wrong with the subscription itself is its one result, as the protocol wants it.
   * @throws `rate_limited` there are as many as there may be · `method_not_allowed`
   */
  async open({ c, operation, context, write }: StreamRequest): Promise<Response> {
    // Nobody would take what a stream without a body gives.
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
    c: FaceContext,
    caller: Caller,
    results: AsyncGenerator<ExecutionResult>,
    write: StreamRequest['write'],
  ): Response {
    const { clock, credentials } = this.#deps;
    return answerStream({
      clock,
      results: written(results, write),
      watch: (acts) => watchCaller({ watch: this.#watch, credentials }, caller, acts),
      revoked: () => JSON.stringify(presentRefusal(noLonger(), caller.requestId)),
      onFailure: (error) => this.#note(error),
      cut: () => void c.env?.outgoing?.destroy(),
    });
  }

  #note(error: unknown): void {
    this.#deps.failures.note(error, { requestId: newId(), method: 'POST', path: '/graphql' });
  }
}

/** A generator would not end before its next result: what is asked of it goes straight through. */
function written(results: AsyncGenerator<ExecutionResult>, write: StreamRequest['write']): AsyncIterator<string> {
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
