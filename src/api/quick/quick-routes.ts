/**
 * Answers the most frequent requests in front of Hono, which takes longer for one of them than the operation does. The
 * guards, credentials, limits, counts and errors are the same; `http.ts` lists both ways. A request with anything
 * unusual takes the long way: a query, a foreign origin, a body without a length, a browser that wants a page, http
 * that leads to https.
 */
import type { IncomingMessage } from 'node:http';
import type { Hono } from 'hono';
import type { Caller } from '../../app/access/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { parseUrl } from '../../kernel/parse-url.ts';
import { type Authenticator, callerOf, judgedPrincipal } from '../authenticate.ts';
import type { ApiEnv, Check, GuardedRequest } from '../env.ts';
import { internalError, plainError } from '../error-table.ts';
import { type FailureLog, isExpected } from '../failure-log.ts';
import {
  addressNoter,
  checkHost,
  checkJson,
  checkLength,
  type GuardOptions,
  httpsAddress,
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

/** What a request asks beside its route. */
export interface QuickInput {
  /** Of a POST, parsed. */
  readonly body: unknown;
  /** What stands in place of `:id` in the path. */
  readonly id: string;
}

export interface QuickRoute {
  readonly method: 'GET' | 'POST';
  /** As in Hono's table; `:id` may stand at its end. */
  readonly path: string;
  answer(c: GuardedRequest, caller: Caller, input: QuickInput): PlainAnswer | Promise<PlainAnswer>;
}

/** The routes of a resource, some of which are answered both ways. */
export interface QuickResource {
  readonly routes: Hono<ApiEnv>;
  readonly quick: readonly QuickRoute[];
}

const ID = ':id';
/** Ids of any version, and nothing that a path could also mean. */
const PLAIN_ID = /^[0-9A-Za-z-]{1,64}$/;

/** A route and what of the path is not its own. */
interface Found {
  readonly route: QuickRoute;
  readonly id: string;
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
  /** By method and path. */
  readonly #routes: ReadonlyMap<string, Found>;
  /** By method and path up to the id. */
  readonly #routesOfOne: ReadonlyMap<string, QuickRoute>;
  readonly #isOwnOrigin: (c: GuardedRequest) => boolean;
  readonly #httpsAddress: (c: GuardedRequest) => string | undefined;
  readonly #originOf: (c: GuardedRequest) => string;
  readonly #checks: readonly Check[];
  readonly #checkLength = checkLength();

  constructor(deps: QuickDeps, routes: readonly QuickRoute[]) {
    this.#deps = deps;
    const [ofOne, whole] = [true, false].map((is) => routes.filter(({ path }) => path.endsWith(`/${ID}`) === is));
    this.#routes = new Map(whole?.map((route) => [`${route.method} ${route.path}`, { route, id: '' }]));
    this.#routesOfOne = new Map(
      ofOne?.map((route) => [`${route.method} ${route.path.slice(0, -ID.length)}`, route] as const),
    );
    this.#isOwnOrigin = ownOrigin(deps.guards);
    this.#httpsAddress = httpsAddress(deps.guards);
    this.#originOf = requestOrigin(deps.guards);
    this.#checks = [checkHost(deps.guards), addressNoter(deps.guards), deps.strangers.check];
  }

  /** @returns whether it answers the request; if not, nothing of it has been counted or read */
  take(arrival: Arrival): boolean {
    const { incoming } = arrival;
    const found = this.#find(`${incoming.method} ${incoming.url}`);
    if (!found || !isUsual(incoming)) return false;
    const c = new QuickRequest(arrival);
    if (!this.#isOwnOrigin(c) || this.#httpsAddress(c) !== undefined) return false;
    void this.#answer(found, c);
    return true;
  }

  #find(asked: string): Found | undefined {
    const found = this.#routes.get(asked);
    if (found) return found;
    const end = asked.lastIndexOf('/') + 1;
    const route = this.#routesOfOne.get(asked.slice(0, end));
    const id = asked.slice(end);
    return route && PLAIN_ID.test(id) ? { route, id } : undefined;
  }

  async #answer(found: Found, c: QuickRequest): Promise<void> {
    const { clock, timings } = this.#deps;
    const { route } = found;
    const startedAt = clock.monotonic();
    const answer = await this.#handle(found, c).catch((error: unknown) => this.#refusal(error, c));
    timings.note(route.path, route.method, answer.status, startedAt);
    send(c, answer);
    const { incoming } = c.env;
    if (!incoming.complete && !incoming.destroyed) leaveUnread(incoming, clock);
  }

  /** With an access token it reaches the operation in the turn in which the last byte of the body arrives. */
  async #handle({ route, id }: Found, c: QuickRequest): Promise<PlainAnswer> {
    for (const check of this.#checks) check(c);
    const judged = judgedPrincipal(c, this.#deps.credentials);
    const caller = callerOf(c, judged instanceof Promise ? await judged : judged);
    c.set('caller', caller);
    if (route.method === 'GET') return route.answer(c, caller, { body: undefined, id });
    this.#checkLength(c);
    checkJson(c);
    return route.answer(c, caller, { body: parseJson(await readWhole(c.env.incoming)), id });
  }

  #refusal(error: unknown, c: QuickRequest): PlainAnswer {
    const requestId = c.get('caller')?.requestId ?? newId();
    this.#deps.failures.note(error, { requestId, method: c.method, path: c.env.incoming.url ?? '' });
    return plainError(isExpected(error) ? error : internalError(), requestId, this.#originOf(c));
  }
}

function isUsual({ method, headers }: IncomingMessage): boolean {
  if (headers.host === undefined || !parseUrl(`http://${headers.host}`)) return false;
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
