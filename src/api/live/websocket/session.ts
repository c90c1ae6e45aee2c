/**
 * One client: its requests, their responses, and its live events. It implements the protocol (wire-facts §11.1) and
 * does not depend on sockets. A session begins with the caller of the upgrade, or unauthenticated. An unauthenticated
 * client may ping, subscribe, follow shares and authenticate.
 */
import { type Allowance, Allowances } from '../../../app/access/allowances.ts';
import type { Caller } from '../../../app/access/caller.ts';
import type { HearthError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { internalError } from '../../error-table.ts';
import { isExpected } from '../../failure-log.ts';
import type { EndReason, WatchedStream } from '../stream-supervisor.ts';
import { ACTIONS } from './actions/index.ts';
import { presentWebSocketError, WebSocketError } from './error-codes.ts';
import { Feed } from './feed.ts';
import { type ClientMessage, type MessageLabel, NO_LABEL, parseMessage, RefusedMessage } from './messages.ts';
import type { CloseReason, Outlet } from './outlet.ts';
import { SESSION_ACTIONS, type SessionAction, type SessionSubject } from './session-actions.ts';
import type { SessionDeps } from './session-deps.ts';
import { SharedSubscriptions } from './shared-subscriptions.ts';
import { SocketSubscriptions } from './subscriptions.ts';

/** A page sends a dozen requests at once when it opens, and a slider sends ten a second. */
const MESSAGES: Allowance = { burst: 120, perSecond: 30 };
/** A client that continues after so many errors in a row is in a loop. */
const MAX_REFUSALS = 500;
/** Requests without a response yet: a write waits for its device. */
const MAX_IN_PROGRESS = 64;
/** Tokens are not mistyped; a client with a new token may try once with the old one. */
const MAX_BAD_TOKENS = 5;
/** How long an unauthenticated client may stay that follows no share. */
const STRANGER_MS = 30_000;
/** Proxies drop connections that are idle for a minute; the next ping detects a peer that is gone. */
const PING_MS = 30_000;

/** Actions of unauthenticated clients (wire-facts §11.1). */
const UNAUTHENTICATED_ACTIONS: ReadonlySet<string> = new Set([
  'authenticate',
  'subscribe',
  'unsubscribe',
  'subscriptions.list',
  'ping',
]);

export class SocketSession implements SessionSubject {
  readonly subscriptions: SocketSubscriptions;
  readonly #deps: SessionDeps;
  readonly #outlet: Outlet;
  readonly #feed: Feed;
  readonly #shared: SharedSubscriptions;
  readonly #openedAt: number;
  readonly #allowances: Allowances;
  #caller: Caller;
  #watched: WatchedStream | undefined;
  #isOpen = false;
  #authenticating: Promise<unknown> | undefined;
  #badTokens = 0;
  #refusals = 0;
  #underWay = 0;
  /** The time of a ping without a pong yet, by the monotonic clock. */
  #pingedAt: number;
  #hasAnsweredPing = true;

  /** @param caller the caller of the upgrade, or `anonymous` */
  constructor(deps: SessionDeps, caller: Caller, outlet: Outlet) {
    this.#deps = deps;
    this.#caller = caller;
    this.#outlet = outlet;
    this.#openedAt = deps.clock.monotonic();
    this.#pingedAt = this.#openedAt;
    this.#allowances = new Allowances(deps.clock, 'Too many messages at once. Wait a moment and try again.');
    this.subscriptions = new SocketSubscriptions(deps, caller);
    const { subscriptions } = this;
    this.#shared = new SharedSubscriptions(
      { ...deps, limits: deps.shareLimits },
      { ready: () => this.#pump(), end: (shareHash) => this.#invalidate('share', shareHash, 'closed') },
    );
    this.#feed = new Feed({
      ...{ ...deps, outlet, subscriptions, shared: this.#shared },
      onReady: () => this.#pump(),
      onGiven: () => this.#noteWaiting(),
    });
  }

  get caller(): Caller {
    return this.#caller;
  }

  get isStranger(): boolean {
    return this.#caller.principal.kind === 'anonymous';
  }

  /** Whether it may be closed for others when there are too many. */
  get isDispensable(): boolean {
    return this.isStranger && this.#shared.size === 0;
  }

  /** @throws `rate_limited` the maximum is open */
  open(): void {
    this.#watched = this.#watch(this.#caller);
    this.#isOpen = true;
    this.#publishConfig();
    if (!this.isStranger) this.#feed.listen(this.#caller);
  }

  /** Handles a text message. Never throws: errors become its response. */
  receive(text: string): void {
    if (!this.#isOpen) return;
    const refusal = this.#count();
    try {
      const message = parseMessage(text);
      if (refusal === undefined) void this.#inTurn(message);
      else this.#answerError({ ...NO_LABEL, ...message }, new WebSocketError('INVALID_REQUEST', refusal));
    } catch (error) {
      this.#answerError(error instanceof RefusedMessage ? error.label : NO_LABEL, error);
    }
  }

  /** Handles a binary message: the protocol has none. */
  receiveBinary(): void {
    if (!this.#isOpen) return;
    const refusal = this.#count() ?? 'Send text: a message is one JSON object.';
    this.#answerError(NO_LABEL, new WebSocketError('INVALID_REQUEST', refusal));
  }

  /** Handles a protocol pong. */
  receivePong(): void {
    this.#hasAnsweredPing = true;
  }

  /** The connection has sent all data. */
  drained(): void {
    this.#watched?.took();
    this.#pump();
  }

  /** The connection is closed. */
  closed(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#watched?.close();
    this.#feed.close();
    this.#deps.onClosed();
  }

  /** Closes the connection properly; data that the client did not read by then is lost. */
  end(reason: CloseReason, sentence: string): void {
    this.#outlet.close(reason, sentence);
    this.closed();
  }

  // — for the actions about the session itself —

  identify(caller: Caller): void {
    // The connection may have closed during the authentication.
    if (!this.#isOpen) return;
    const watched = this.#watch(caller);
    this.#watched?.close();
    this.#watched = watched;
    this.#caller = caller;
    for (const { type, id } of this.subscriptions.identify(caller)) this.#invalidate(type, id, 'not_found');
    this.#feed.listen(caller);
    this.#publishConfig();
  }

  countBadToken(): void {
    this.#badTokens += 1;
    if (this.#badTokens >= MAX_BAD_TOKENS) {
      setImmediate(() => this.#isOpen && this.end('policy', 'Too many wrong tokens'));
    }
  }

  // — incoming —

  /** Messages after an `authenticate` wait for it to finish: existing clients do not wait for its response. */
  async #inTurn(message: ClientMessage): Promise<void> {
    if (message.type === 'request' && message.action === 'authenticate') {
      const before = this.#authenticating;
      const mine = (before ?? Promise.resolve()).then(() => this.#handle(message));
      this.#authenticating = mine;
      await mine;
      if (this.#authenticating === mine) this.#authenticating = undefined;
      return;
    }
    if (this.#authenticating && message.type !== 'ping') await this.#authenticating;
    await this.#handle(message);
  }

  async #handle(message: ClientMessage): Promise<void> {
    if (!this.#isOpen) return;
    switch (message.type) {
      case 'ping':
        this.#send({ type: 'pong' });
        return;
      case 'pong':
        return;
      case 'subscribe':
        await this.#subscribeShared(message.shareHash, message.passcode);
        return;
      case 'unsubscribe':
        this.#shared.unsubscribe(message.shareHash);
        this.#send({ type: 'unsubscribed', shareHash: message.shareHash });
        return;
      case 'request':
        await this.#answer(message);
    }
  }

  async #answer({ id, action, payload }: Extract<ClientMessage, { type: 'request' }>): Promise<void> {
    this.#underWay += 1;
    try {
      const answer = await this.#perform(action, payload);
      this.#send({ id, type: 'response', action, payload: answer });
    } catch (error) {
      this.#answerError({ id, action }, error);
    } finally {
      this.#underWay -= 1;
    }
  }

  async #perform(name: string, payload: unknown): Promise<object> {
    if (this.isStranger && !UNAUTHENTICATED_ACTIONS.has(name)) {
      throw new WebSocketError('AUTH_REQUIRED', 'Authenticate first: {"action":"authenticate","payload":{"token":…}}.');
    }
    const own: SessionAction | undefined = SESSION_ACTIONS.get(name);
    if (own) return own(payload, this, this.#deps);
    const perform = ACTIONS.get(name);
    if (!perform) throw new WebSocketError('UNKNOWN_ACTION', `There is no action "${name}".`);
    return perform(payload, { caller: { ...this.#caller, requestId: newId() }, deps: this.#deps });
  }

  async #subscribeShared(shareHash: string, passcode: string | undefined): Promise<void> {
    try {
      await this.#shared.subscribe(this.#caller, shareHash, passcode);
      if (!this.#isOpen) this.#shared.close();
      this.#send({ type: 'subscribed', shareHash });
    } catch (error) {
      this.#send({ type: 'subscribe_error', shareHash, error: this.#expected(error).message });
    }
  }

  /** Counts a message, valid or not. @returns the reason for ignoring it, if there are too many */
  #count(): string | undefined {
    if (this.#underWay >= MAX_IN_PROGRESS) return 'Too many requests wait for their answers. Wait for some of them.';
    try {
      this.#allowances.take('messages', MESSAGES);
      this.#refusals = 0;
      return undefined;
    } catch (error) {
      this.#refusals += 1;
      if (this.#refusals >= MAX_REFUSALS) this.end('policy', 'Too many messages');
      return this.#expected(error).message;
    }
  }

  // — outgoing —

  /** Socket and ring callbacks have no caller: an error there ends only this session. */
  #pump(): void {
    if (!this.#isOpen) return;
    try {
      this.#feed.pump();
    } catch (error) {
      this.#deps.onFailure(error);
      this.#over('failed');
    }
  }

  #send(message: object): void {
    if (!this.#isOpen) return;
    this.#outlet.send(JSON.stringify(message));
    this.#noteWaiting();
  }

  #noteWaiting(): void {
    if (this.#outlet.waitingBytes > 0) this.#watched?.gave();
  }

  #answerError({ id, action }: MessageLabel, error: unknown): void {
    this.#send({
      id,
      type: 'response',
      ...(action !== null && { action }),
      error: presentWebSocketError(this.#expected(error)),
    });
  }

  /** The error for the client; the log gets the details. */
  #expected(error: unknown): HearthError | WebSocketError {
    if (error instanceof WebSocketError) return error;
    this.#deps.onFailure(error);
    return isExpected(error) ? error : internalError();
  }

  #invalidate(type: string, id: string, reason: string): void {
    this.#send({ type: 'subscription_invalidated', scope: { type, id }, reason });
  }

  /** Existing clients expect it and read nothing in it. An unauthenticated client gets no counts. */
  #publishConfig(): void {
    const counts = this.isStranger ? { webClientCount: 0, webhookCount: 0 } : this.#deps.counts(this.caller);
    const payload = { ...counts, subscriptionCount: this.subscriptions.size, accessoryLimit: null };
    this.#send({ type: 'broadcast', action: 'config', payload });
  }

  // — checked twice a second —

  #watch(caller: Caller): WatchedStream {
    return this.#deps.watch(caller, { onEnd: (reason) => this.#over(reason), onTick: () => this.#look() });
  }

  #over(reason: EndReason): void {
    switch (reason) {
      case 'revoked':
        // Home Assistant's integration ignores `auth_required`. An unserved home makes it request the state, for which
        // it fetches its next token or has its user sign in: now, and not with its next poll in five minutes.
        for (const homeId of this.subscriptions.homeIds()) {
          this.#send({ type: 'relay_status_update', homeId, connected: false });
        }
        this.#send({ type: 'auth_required' });
        this.end('policy', 'Authentication required');
        return;
      case 'stopping':
        this.#send({ type: 'reconnect' });
        this.end('restart', 'The relay stops');
        return;
      case 'failed':
        this.#send({ type: 'reconnect' });
        this.end('failed', 'Something went wrong');
        return;
      case 'stalled':
        this.#outlet.cut();
        this.closed();
    }
  }

  #look(): void {
    const now = this.#deps.clock.monotonic();
    // Only a connection that was full reports when it has room again; over TLS even a small message leaves a moment
    // later.
    if (this.#outlet.waitingBytes === 0) this.#watched?.took();
    for (const { scope, reason } of this.subscriptions.sweep()) this.#invalidate(scope.type, scope.id, reason);
    this.#shared.sweep();
    if (this.isDispensable && now - this.#openedAt >= STRANGER_MS) this.#over('revoked');
    else if (now - this.#pingedAt >= PING_MS) this.#ping(now);
  }

  #ping(now: number): void {
    if (!this.#hasAnsweredPing && this.#outlet.waitingBytes === 0) {
      this.#outlet.cut();
      this.closed();
      return;
    }
    this.#pingedAt = now;
    this.#hasAnsweredPing = false;
    this.#outlet.ping();
  }
}
