/**
 * Answers the most frequent requests in front of Hono, which takes longer for one of them than the operation does. The
 * guards, credentials, limits, counts and errors are the same; `http.ts` lists both ways. A request with anything
 * unusual takes the long way: a query, a foreign origin, a body without a length, a browser that wants a page.
 */
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../app/access/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { type Authenticator, callerOf, judgedPrincipal } from '../authenticate.ts';
import type { Check, GuardedRequest } from '../env.ts';
import { internalError, plainError } from '../error-table.ts';
import { type FailureLog, isExpected } from '../failure-log.ts';
import {
  addressNoter,
  checkHost,
  checkJson,
  checkLength,
  type GuardOptions,
  ownOrigin,
  requestOrigin,
} from '../guards.ts';
import type { RequestTimings } from '../metrics/request-timings.ts';
import { prefersPage } from '../prefers-page.ts';
import { parseJson } from '../read-body.ts';
import type { PlainAnswer } from '../respond.ts';
import type { Strangers } from '../strangers.ts';
import { type Arrival, QuickRequest } from './quick-request.ts';
import { readWhole } from './read-whole.ts';

/** How long a client may go on sending the body of a request that is answered already. */
const UNREAD_MS = 500;

export interface QuickRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** @param body of a POST, parsed */
  answer(c: GuardedRequest, caller: Caller, body: unknown): PlainAnswer | Promise<PlainAnswer>;
}

export interface QuickDeps {
  readonly clock: Clock;
  readonly guards: GuardOptions;
  readonly credentials: Authenticator;
  // The long way's own, so that limits and counts hold for both together.
  readonly timings: RequestTimings;
  readonly strangers: Strangers;
  readonly failures: FailureLog;
}

export class QuickRoutes {
  readonly #deps: QuickDeps;
  readonly #routes: ReadonlyMap<string, QuickRoute>;
  readonly #isOwnOrigin: (c: GuardedRequest) => boolean;
  readonly #originOf: (c: GuardedRequest) => string;
  readonly #checks: readonly Check[];
  readonly #checkLength = checkLength();

  constructor(deps: QuickDeps, routes: readonly QuickRoute[]) {
    this.#deps = deps;
    this.#routes = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
    this.#isOwnOrigin = ownOrigin(deps.guards);
    this.#originOf = requestOrigin(deps.guards);
    this.#checks = [checkHost(deps.guards), addressNoter(deps.guards), deps.strangers.check];
  }

  /** @returns whether it answers the request; if not, nothing of it has been counted or read */
  take(arrival: Arrival): boolean {
    const { incoming } = arrival;
    const route = this.#routes.get(`${incoming.method} ${incoming.url}`);
    if (!route || !isUsual(incoming)) return false;
    const c = new QuickRequest(arrival);
    if (!this.#isOwnOrigin(c)) return false;
    void this.#answer(route, c);
    return true;
  }

  async #answer(route: QuickRoute, c: QuickRequest): Promise<void> {
    const { clock, timings } = this.#deps;
    const startedAt = clock.monotonic();
    const answer = await this.#handle(route, c).catch((error: unknown) => this.#refusal(error, c));
    timings.note(route.path, route.method, answer.status, startedAt);
    send(c, answer);
    const { incoming } = c.env;
    if (!incoming.complete && !incoming.destroyed) leaveUnread(incoming, clock);
  }

  /** With an access token it reaches the operation in the turn in which the last byte of the body arrives. */
  async #handle(route: QuickRoute, c: QuickRequest): Promise<PlainAnswer> {
    for (const check of this.#checks) check(c);
    const judged = judgedPrincipal(c, this.#deps.credentials);
    const caller = callerOf(c, judged instanceof Promise ? await judged : judged);
    c.set('caller', caller);
    if (route.method === 'GET') return route.answer(c, caller, undefined);
    this.#checkLength(c);
    checkJson(c);
    return route.answer(c, caller, parseJson(await readWhole(c.env.incoming)));
  }

  #refusal(error: unknown, c: QuickRequest): PlainAnswer {
    const requestId = c.get('caller')?.requestId ?? newId();
    this.#deps.failures.note(error, { requestId, method: c.method, path: c.env.incoming.url ?? '' });
    return plainError(isExpected(error) ? error : internalError(), requestId, this.#originOf(c));
  }
}

function isUsual({ method, headers }: IncomingMessage): boolean {
  if (headers.host === undefined || !URL.canParse(`http://${headers.host}`)) return false;
  if (headers['transfer-encoding'] !== undefined || prefersPage(headers.accept)) return false;
  return (method === 'GET') === (headers['content-length'] === undefined);
}

/** Node itself would read on to the announced end. */
function leaveUnread(incoming: IncomingMessage, clock: Clock): void {
  const cancel = clock.after(UNREAD_MS, () => incoming.destroy());
  incoming.once('close', cancel);
}

function send({ env: { outgoing } }: QuickRequest, { status, headers, body }: PlainAnswer): void {
  if (body === null) outgoing.writeHead(status, headers).end();
  else outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}
