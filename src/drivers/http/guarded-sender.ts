/**
 * Sends requests that people configured so that they harm nothing in the house (port `home/http-sender.ts`). Each has a connection of
 * its own, to the very address that was judged a moment before: a name that means something else a second later changes nothing.
 * Redirects are answers, proxies and cookies are unknown, and certificates are verified.
 */
import { lookup as systemLookup } from 'node:dns/promises';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Client, Dispatcher } from 'undici';
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
import { readBody } from './answer-body.ts';
import { type CheckedRequest, checkRequest } from './request-rules.ts';
import { refusalOf, refusalOfHost, type TargetPolicy } from './target-rules.ts';

/** How long one of several addresses is tried before the next one is as well (RFC 8305 says 250 ms; old devices are slower). */
const NEXT_ADDRESS_MS = 1_000;
/** As Node's own limit for a whole head. */
const MOST_HEADER_BYTES = 16 * 1_024;

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

interface SenderParts extends TargetPolicy {
  readonly clock: Clock;
  /** Every address of a name, the likeliest to work first; the system's resolver if left out. */
  readonly resolve?: Resolve;
  /** Certificates (PEM) of the authorities that are trusted; Node's own list if left out. */
  readonly authorities?: readonly string[];
}

type Connector = Extract<NonNullable<Client.Options['connect']>, (...args: never[]) => void>;

export class GuardedSender implements HttpSender, HttpJudge, Startable {
  readonly #parts: SenderParts;
  readonly #resolve: Resolve;
  readonly #underWay = new Map<AbortController, Promise<unknown>>();
  #stopped = false;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#resolve = parts.resolve ?? ((hostname) => systemLookup(hostname, { all: true }));
  }

  /** How many requests are on their way. */
  get underWay(): number {
    return this.#underWay.size;
  }

  start(): void {
    this.#stopped = false;
  }

  /** Breaks off what is under way, and waits until its connections are closed. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const ends = [...this.#underWay.values()];
    for (const controller of this.#underWay.keys()) {
      controller.abort(new HttpSendError('cancelled', 'hearthd is stopping'));
    }
    await Promise.allSettled(ends);
  }

  /** Any status is an answer. @throws `HttpSendError`, with a sentence that names the host and never the rest of the address */
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

  judge(url: string): string | null {
    try {
      const { hostname, port } = checkRequest({ url, method: 'POST', headers: {}, timeoutMs: 0 });
      const refusal = refusalOfHost(hostname, port, this.#parts);
      if (refusal === null) return null;
      const opens =
        !this.#parts.allowLoopback && refusalOfHost(hostname, port, { ...this.#parts, allowLoopback: true }) === null;
      return `${hostname} is ${refusal}: nothing is sent there${opens ? ' unless the setting webhooks_allow_loopback is on' : ''}`;
    } catch (error) {
      if (error instanceof HttpSendError) return error.message;
      throw error;
    }
  }

  async #sendWithin(checked: CheckedRequest, request: HttpRequest, controller: AbortController): Promise<HttpAnswer> {
    const { timeoutMs, signal } = request;
    const cancel = (): void => controller.abort(new HttpSendError('cancelled', 'The request was cancelled'));
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    const stopTimer = this.#parts.clock.after(timeoutMs, () => {
      const sentence = `${checked.hostname} did not answer within ${timeoutMs / 1_000} s`;
      controller.abort(new HttpSendError('timeout', sentence));
    });
    try {
      return await this.#exchange(checked, request.body, controller.signal);
    } catch (error) {
      throw failureOf(error, checked, controller.signal);
    } finally {
      stopTimer();
      signal?.removeEventListener('abort', cancel);
    }
  }

  async #exchange(checked: CheckedRequest, body: string | undefined, signal: AbortSignal): Promise<HttpAnswer> {
    const addresses = await this.#judged(checked, signal);
    // Loaded with the first request: most houses never send one, and it is not small.
    const { Client } = await unlessAborted(import('undici'), signal);
    const sockets: Socket[] = [];
    const client = new Client(checked.origin, {
      connect: connectorTo(checked, addresses, this.#parts.authorities, sockets),
      pipelining: 0,
      maxHeaderSize: MOST_HEADER_BYTES,
      // The signal is the one deadline, over all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    try {
      // While it still connects, the client does not listen to the signal.
      return await readAnswer(await unlessAborted(client.request(optionsOf(checked, body, signal)), signal));
    } finally {
      // Awaiting this would wait for a peer that does not close; the sockets are closed at once, connected or not yet.
      client.destroy().catch(() => {});
      for (const socket of sockets) socket.destroy();
    }
  }

  /** @returns those addresses of the host that may be connected to, at least one. @throws `refused_address` · `network` */
  async #judged({ hostname, port }: CheckedRequest, signal: AbortSignal): Promise<readonly ResolvedAddress[]> {
    const family = isIP(hostname);
    const found = family > 0 ? [{ address: hostname, family }] : await unlessAborted(this.#resolve(hostname), signal);
    const judged = found.map((one) => ({ one, refusal: refusalOf(one.address, port, this.#parts) }));
    const allowed = judged.filter(({ refusal }) => refusal === null).map(({ one }) => one);
    if (allowed.length > 0) return allowed;
    const [first] = judged;
    if (!first) throw new HttpSendError('network', `${hostname} has no address`);
    throw new HttpSendError('refused_address', `${hostname} is ${first.refusal}: nothing is sent there`);
  }
}

/** Connects to the addresses given and looks nothing up. @param sockets gets what it opens */
function connectorTo(
  { hostname, port, isTls }: CheckedRequest,
  addresses: readonly ResolvedAddress[],
  authorities: readonly string[] | undefined,
  sockets: Socket[],
): Connector {
  const lookup: LookupFunction = (_, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family ?? 0);
  };
  const target = {
    host: hostname,
    port,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    noDelay: true,
  };
  return (_, callback) => {
    const socket = isTls ? connectTls({ ...target, ...tlsOptions(hostname, authorities) }) : connectTcp(target);
    sockets.push(socket);
    let settled = false;
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      settled = true;
      callback(null, socket);
    });
    // It stays: what fails after the client is through with the socket is nobody's business, but must not be unheard.
    socket.on('error', (error) => {
      if (!settled) callback(error, null);
      settled = true;
    });
  };
}

/** `rejectUnauthorized` is said so that no environment variable says otherwise; an address is no name to ask for (RFC 6066 §3). */
function tlsOptions(hostname: string, authorities: readonly string[] | undefined) {
  const servername = isIP(hostname) > 0 ? undefined : hostname.replace(/\.$/, '');
  return {
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    ...(servername && { servername }),
    ...(authorities && { ca: [...authorities] }),
  };
}

function optionsOf(
  { path, method, headers }: CheckedRequest,
  body: string | undefined,
  signal: AbortSignal,
): Dispatcher.RequestOptions {
  return { path, method: method as Dispatcher.HttpMethod, headers, body: body ?? null, signal };
}

async function readAnswer(answer: Dispatcher.ResponseData): Promise<HttpAnswer> {
  const headers = Object.fromEntries(
    Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
  const body = await readBody(answer.body, headers['content-type']);
  return { status: answer.statusCode, statusText: answer.statusText, headers, body };
}

/** Whoever aborted has said why; everything else is the network's or the peer's doing. */
function failureOf(error: unknown, { hostname }: CheckedRequest, signal: AbortSignal): HttpSendError {
  if (signal.aborted && signal.reason instanceof HttpSendError) return signal.reason;
  if (error instanceof HttpSendError) return error;
  return new HttpSendError('network', `${hostname} could not be reached: ${sentenceOf(error)}`, { cause: error });
}

/** Several attempts fail as one error without a message of its own. */
function sentenceOf(error: unknown): string {
  const inner = error instanceof AggregateError && error.message === '' ? error.errors[0] : error;
  return messageOf(inner);
}

/** What can't be broken off by itself goes on alone, and its end is nobody's business any more. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
