/**
 * Sends user-configured requests so that they can't harm the home (port `home/http-sender.ts`). Each request has its
 * own connection to the exact address that was checked, so a DNS name that changes a second later has no effect. Only a
 * sender that announces further requests reuses its own connection. Redirects are responses, proxies and cookies are
 * not supported, and certificates are verified.
 */
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import {
  type HttpAnswer,
  type HttpJudge,
  type HttpRequest,
  HttpSendError,
  type HttpSender,
} from '../../home/http-sender.ts';
import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { type KeptConnection, KeptConnections } from './kept-connections.ts';
import { PinnedConnection, type ResolvedAddress } from './pinned-connection.ts';
import { type CheckedRequest, checkRequest } from './request-rules.ts';
import { refusalOf, refusalOfHost, type TargetPolicy } from './target-rules.ts';
import { unlessAborted } from './unless-aborted.ts';

export type { ResolvedAddress };
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

interface SenderDeps extends TargetPolicy {
  readonly clock: Clock;
  /** Resolves a name to all its addresses, the likeliest to work first. Default: the system's resolver. */
  readonly resolve?: Resolve;
  /** Certificates (PEM) of the trusted authorities. Default: Node's own list. */
  readonly authorities?: readonly string[];
}

/** A request for which no response began. */
class Unanswered extends Error {}

export class GuardedSender implements HttpSender, HttpJudge, Startable {
  readonly #deps: SenderDeps;
  readonly #resolve: Resolve;
  readonly #underWay = new Map<AbortController, Promise<unknown>>();
  readonly #kept: KeptConnections;
  #stopped = false;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    this.#kept = new KeptConnections(deps.clock);
    this.#resolve = deps.resolve ?? ((hostname) => systemLookup(hostname, { all: true }));
  }

  /** The number of requests in progress. */
  get underWay(): number {
    return this.#underWay.size;
  }

  start(): void {
    this.#stopped = false;
  }

  /** Aborts the requests in progress and waits until their connections are closed. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const ends = [...this.#underWay.values()];
    for (const controller of this.#underWay.keys()) {
      controller.abort(new HttpSendError('cancelled', 'hearthd is stopping'));
    }
    this.#kept.closeAll();
    await Promise.allSettled(ends);
  }

  /**
   * Returns a response of any status. @throws `HttpSendError`, with a sentence that names the host and never the rest
   * of the address
   */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    if (this.#stopped) throw new HttpSendError('cancelled', 'hearthd is stopping');
    const checked = checkRequest(request);
    const controller = new AbortController();
    const ending = this.#sendWithin(checked, request, controller);
    this.#underWay.set(controller, ending);
    try {
      return await ending;
    } finally {
      this.#underWay.delete(controller);
    }
  }

  judge(url: string, options: Pick<HttpRequest, 'publicOnly'> = {}): string | null {
    try {
      const { hostname, port } = checkRequest({ url, method: 'POST', headers: {}, timeoutMs: 0 });
      const policy = this.#policyOf(options);
      const refusal = refusalOfHost(hostname, port, policy);
      if (refusal === null) return null;
      return `${hostname} is ${refusal}: nothing is sent there${this.#wayOut(hostname, port, policy)}`;
    } catch (error) {
      if (error instanceof HttpSendError) return error.message;
      throw error;
    }
  }

  /** Names the setting that would permit the target, if one would. */
  #wayOut(hostname: string, port: number, policy: TargetPolicy): string {
    const would = (change: Partial<TargetPolicy>): boolean =>
      refusalOfHost(hostname, port, { ...policy, ...change }) === null;
    if (!this.#deps.allowLoopback && would({ allowLoopback: true })) {
      return ' unless the setting webhooks_allow_loopback is on';
    }
    return this.#deps.publicOnly && would({ publicOnly: false }) ? ' while the setting webhooks_public_only is on' : '';
  }

  /** A request may be stricter than the settings, never the other way round. */
  #policyOf({ publicOnly }: Pick<HttpRequest, 'publicOnly'>): TargetPolicy {
    const { allowLoopback, ownAddresses, ownPorts } = this.#deps;
    return { allowLoopback, ownAddresses, ownPorts, publicOnly: this.#deps.publicOnly || publicOnly };
  }

  async #sendWithin(checked: CheckedRequest, request: HttpRequest, controller: AbortController): Promise<HttpAnswer> {
    const { timeoutMs, signal } = request;
    const cancel = (): void => controller.abort(new HttpSendError('cancelled', 'The request was cancelled'));
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    const stopTimer = this.#deps.clock.after(timeoutMs, () => {
      const sentence = `${checked.hostname} did not answer within ${timeoutMs / 1_000} s`;
      controller.abort(new HttpSendError('timeout', sentence));
    });
    try {
      return await this.#exchange(checked, request, controller.signal);
    } catch (error) {
      throw failureOf(error instanceof Unanswered ? error.cause : error, checked, controller.signal);
    } finally {
      stopTimer();
      signal?.removeEventListener('abort', cancel);
    }
  }

  async #exchange(checked: CheckedRequest, request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const { keptFor, bytes, body = bytes } = request;
    const policy = this.#policyOf(request);
    if (keptFor === undefined)
      return this.#sendOver(await this.#connect(checked, policy, false, signal), checked, body, signal);
    const key = `${keptFor} ${checked.origin}`;
    const kept = this.#kept.take(key, (address) => refusalOf(address, checked.port, policy) === null);
    try {
      if (kept) return await this.#sendOver(kept, checked, body, signal, key);
    } catch (error) {
      // A peer may close an idle connection in the moment the relay reuses it. The request is then sent over another
      // one.
      if (signal.aborted || !(error instanceof Unanswered)) throw error;
    }
    return this.#sendOver(await this.#connect(checked, policy, true, signal), checked, body, signal, key);
  }

  async #connect(
    checked: CheckedRequest,
    policy: TargetPolicy,
    isKept: boolean,
    signal: AbortSignal,
  ): Promise<KeptConnection> {
    const addresses = await this.#judged(checked, policy, signal);
    const { authorities, clock } = this.#deps;
    const connection = await PinnedConnection.to({ ...checked, addresses, authorities, isKept }, signal);
    return { connection, openedAt: clock.monotonic() };
  }

  /**
   * @param key under which a successful request keeps the connection; closed if left out.
   * @throws `Unanswered` · the error of the response body
   */
  async #sendOver(
    kept: KeptConnection,
    checked: CheckedRequest,
    body: string | Uint8Array | undefined,
    signal: AbortSignal,
    key?: string,
  ): Promise<HttpAnswer> {
    const { connection } = kept;
    try {
      const read = await connection.send(checked, body, signal).catch((cause: unknown) => {
        throw new Unanswered('No answer', { cause });
      });
      const answer = await read();
      if (key === undefined || this.#stopped) connection.close();
      else this.#kept.put(key, kept);
      return answer;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** @returns the addresses of the host that are allowed, at least one. @throws `refused_address` · `network` */
  async #judged(
    { hostname, port }: CheckedRequest,
    policy: TargetPolicy,
    signal: AbortSignal,
  ): Promise<readonly ResolvedAddress[]> {
    const family = isIP(hostname);
    const found = family > 0 ? [{ address: hostname, family }] : await unlessAborted(this.#resolve(hostname), signal);
    const judged = found.map((one) => ({ one, refusal: refusalOf(one.address, port, policy) }));
    const allowed = judged.filter(({ refusal }) => refusal === null).map(({ one }) => one);
    if (allowed.length > 0) return allowed;
    const [first] = judged;
    if (!first) throw new HttpSendError('network', `${hostname} has no address`);
    throw new HttpSendError('refused_address', `${hostname} is ${first.refusal}: nothing is sent there`);
  }
}

/** An abort carries its own reason. Every other error is a network or peer error. */
function failureOf(error: unknown, { hostname }: CheckedRequest, signal: AbortSignal): HttpSendError {
  if (signal.aborted && signal.reason instanceof HttpSendError) return signal.reason;
  if (error instanceof HttpSendError) return error;
  return new HttpSendError('network', `${hostname} could not be reached: ${sentenceOf(error)}`, { cause: error });
}

/** Several failed attempts arrive as one error without a message of its own. */
function sentenceOf(error: unknown): string {
  const inner = error instanceof AggregateError && error.message === '' ? error.errors[0] : error;
  return messageOf(inner);
}
