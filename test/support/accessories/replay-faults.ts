/** The errors that a replaying accessory can make. Set a field, and it does so from the next request on. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HAPConnection } from '@homebridge/hap-nodejs';

/** Requests of a verified session; pairing and identify are spared unless `paths` is widened. */
const SECURED = /^\/(accessories|characteristics|prepare|resource|pairings)/;

/** Sent instead of an answer by `garbage`; longer than a frame's header, so that a reader must judge it. */
const GARBAGE = Buffer.from('\xff\xff this is no frame and no reply either \x00\x01\x02', 'latin1');

const HAP_JSON = { 'Content-Type': 'application/hap+json' };

export interface FaultyRequest {
  readonly connection: HAPConnection;
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly response: ServerResponse;
}

export class ReplayFaults {
  /** Which paths the faults below apply to. */
  paths: RegExp = SECURED;
  /**
   * Requests are taken and never answered; events wait as well. Widen `paths` to `/./` for a device that is silent at
   * all.
   */
  hang = false;
  /** So many requests are cut off before anything is done. */
  dropBeforeReply = 0;
  /** So many requests are carried out, then cut off instead of answered. */
  dropAfterApply = 0;
  /** So many requests are answered with a TCP reset. */
  reset = 0;
  /** So many requests are answered with bytes that are no frame. */
  garbage = 0;
  /** Every request gets this HTTP status and `{"status":-70402}`. */
  httpStatus: number | null = null;
  /** Every answer comes so much later. */
  delayMs = 0;
  /** Events are never sent, though subscriptions are accepted. */
  mute = false;
  /** A PUT that touches more accessories than this is refused as malformed. */
  maxAidsPerPut: number | null = null;
  /** A GET for more ids than this gets no answer. */
  maxIdsPerGet: number | null = null;
  /** A request of more bytes than this, head included, gets no answer. */
  ignoreRequestsOver: number | null = null;
  readonly #forgotten = new WeakSet<HAPConnection>();

  /** The sessions open now answer 470 from now on, while their TCP connections stay. */
  forgetSessions(connections: Iterable<HAPConnection>): void {
    for (const connection of connections) this.#forgotten.add(connection);
  }

  /** Carries the request out through `proceed`, or does what the test set instead. */
  play(faulty: FaultyRequest, proceed: () => void): void {
    const instead = this.#chooseFault(faulty);
    if (instead) {
      instead();
      return;
    }
    const applies = this.paths.test(faulty.request.url ?? '/');
    if (applies && this.#takes('dropAfterApply')) cutInsteadOfAnswering(faulty);
    if (applies && this.delayMs > 0) setTimeout(proceed, this.delayMs);
    else proceed();
  }

  #chooseFault(faulty: FaultyRequest): (() => void) | undefined {
    const { connection, response } = faulty;
    const path = faulty.request.url ?? '/';
    if (this.#forgotten.has(connection) && SECURED.test(path)) return () => answer(response, 470, -70401);
    if (!this.paths.test(path)) return undefined;
    if (this.hang || this.#isIgnored(faulty)) return () => {};
    if (this.#takes('dropBeforeReply')) return () => connection.close();
    if (this.#takes('reset')) return () => socketOf(connection).resetAndDestroy();
    if (this.#takes('garbage')) return () => socketOf(connection).write(GARBAGE);
    const { httpStatus } = this;
    if (httpStatus !== null) return () => answer(response, httpStatus, -70402);
    return this.#isRefused(faulty) ? () => answer(response, 400, -70410) : undefined;
  }

  #takes(fault: 'dropBeforeReply' | 'dropAfterApply' | 'reset' | 'garbage'): boolean {
    if (this[fault] <= 0) return false;
    this[fault] -= 1;
    return true;
  }

  #isIgnored({ request, body }: FaultyRequest): boolean {
    if (this.ignoreRequestsOver !== null && sizeOf(request, body) > this.ignoreRequestsOver) return true;
    const ids = request.method === 'GET' ? /[?&]id=([^&]*)/.exec(request.url ?? '')?.[1] : undefined;
    return this.maxIdsPerGet !== null && ids !== undefined && ids.split(',').length > this.maxIdsPerGet;
  }

  #isRefused({ request, body }: FaultyRequest): boolean {
    if (this.maxAidsPerPut === null || request.method !== 'PUT' || !request.url?.startsWith('/characteristics'))
      return false;
    const aids = body.toString().matchAll(/"aid"\s*:\s*(\d+)/g);
    return new Set([...aids].map((match) => match[1])).size > this.maxAidsPerPut;
  }
}

/** HAP-NodeJS keeps the socket for itself. */
function socketOf(connection: HAPConnection) {
  return (connection as unknown as { tcpSocket: Socket }).tcpSocket;
}

function cutInsteadOfAnswering({ connection, response }: FaultyRequest): void {
  response.writeHead = () => response;
  response.end = () => {
    connection.close();
    return response;
  };
}

function answer(response: ServerResponse, status: number, hapStatus: number): void {
  response.writeHead(status, HAP_JSON);
  response.end(JSON.stringify({ status: hapStatus }));
}

/** The request's bytes as they came in. */
function sizeOf(request: IncomingMessage, body: Buffer): number {
  const headers = request.rawHeaders.reduce((bytes, part) => bytes + Buffer.byteLength(part) + 2, 0);
  return Buffer.byteLength(`${request.method} ${request.url} HTTP/1.1\r\n\r\n`) + headers + body.length;
}
