/**
 * WebSockets in tests: a real client over a real socket, which keeps what it received and waits for what is to come;
 * and a connection that is a list, for what needs no socket.
 */
import { once } from 'node:events';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { type ClientOptions, WebSocket } from 'ws';
import { FailureLog } from '../../src/api/failure-log.ts';
import type { HttpApiDeps } from '../../src/api/http.ts';
import { LiveClients } from '../../src/api/live/live-clients.ts';
import type { CloseReason, Outlet } from '../../src/api/live/websocket/outlet.ts';
import type { SocketSession } from '../../src/api/live/websocket/session.ts';
import { WebSockets } from '../../src/api/live/websocket/web-sockets.ts';
import type { Principal } from '../../src/app/access/caller.ts';
import { PATIENCE_MS } from './patience.ts';
import { apiDeps } from './rest-client.ts';
import type { TestClock } from './test-clock.ts';
import { callerOf, type TestHome } from './test-home.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
export type Message = any;
type Wanted = (message: Message) => boolean;

export class TestWebSocket {
  readonly socket: WebSocket;
  /** Everything that came, in order. */
  readonly messages: Message[] = [];
  readonly #waiting = new Set<() => void>();
  /** How many of them a `next` has given. */
  #taken = 0;
  #ids = 0;
  closed: { readonly code: number; readonly reason: string } | undefined;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => {
      this.messages.push(JSON.parse(String(data)));
      this.#look();
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
      this.#look();
    });
    socket.on('error', () => {});
  }

  /** @throws what the server answered instead, as `HTTP <status>` */
  static async open(url: string, options: ClientOptions = {}): Promise<TestWebSocket> {
    const socket = new WebSocket(url, options);
    const client = new TestWebSocket(socket);
    await Promise.race([
      once(socket, 'open'),
      once(socket, 'unexpected-response').then(([, response]) => {
        throw new Error(`HTTP ${response.statusCode}`);
      }),
    ]);
    return client;
  }

  send(message: object | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** @returns the answer's payload, or its error */
  async ask(action: string, payload?: unknown): Promise<Message> {
    const answer = await this.request(action, payload);
    return answer.error ?? answer.payload;
  }

  async request(action: string, payload?: unknown): Promise<Message> {
    this.#ids += 1;
    const id = `r${this.#ids}`;
    this.send({ id, type: 'request', action, ...(payload !== undefined && { payload }) });
    return this.find((message) => message.id === id, `an answer to ${action}`);
  }

  /** The first that is so, of all that came or is to come. */
  async find(wanted: Wanted, what: string): Promise<Message> {
    return this.#until(() => this.messages.find(wanted), what);
  }

  /** The next of this type that was not given yet. */
  async next(type: string): Promise<Message> {
    return this.#until(() => {
      const index = this.messages.findIndex((message, at) => at >= this.#taken && message.type === type);
      if (index < 0) return undefined;
      this.#taken = index + 1;
      return this.messages[index];
    }, `a message of the type ${type}`);
  }

  async untilClosed(): Promise<{ readonly code: number; readonly reason: string }> {
    return this.#until(() => this.closed, 'the end');
  }

  close(): void {
    this.socket.terminate();
  }

  async #until<T>(look: () => T | undefined, what: string): Promise<T> {
    const until = performance.now() + PATIENCE_MS;
    for (let found = look(); ; found = look()) {
      if (found !== undefined) return found;
      const leftMs = until - performance.now();
      if (leftMs <= 0) throw new Error(`Waited in vain for ${what}; there came ${JSON.stringify(this.messages)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.#waiting.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  #look(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** A connection without a network. Its client takes nothing while it is `full`. */
export class ListOutlet implements Outlet {
  readonly messages: Message[] = [];
  pings = 0;
  /** What a client does by itself, unless it is gone. */
  answerPing: (() => void) | undefined;
  writes = 0;
  isFull = false;
  waitingBytes = 0;
  closed: CloseReason | 'cut' | undefined;

  send(text: string): void {
    this.messages.push(JSON.parse(text));
    if (this.isFull) this.waitingBytes += text.length;
  }

  write(frames: Buffer): void {
    this.writes += 1;
    for (const text of readFrames(frames)) this.messages.push(JSON.parse(text));
    if (this.isFull) this.waitingBytes += frames.byteLength;
  }

  ping(): void {
    this.pings += 1;
    this.answerPing?.();
  }

  close(reason: CloseReason): void {
    this.closed ??= reason;
  }

  cut(): void {
    this.closed ??= 'cut';
  }

  ofType(type: string): readonly Message[] {
    return this.messages.filter((message) => message.type === type);
  }
}

/** The texts of frames that a server sent (RFC 6455 §5.2). */
export function readFrames(bytes: Buffer): readonly string[] {
  const texts: string[] = [];
  for (let at = 0; at < bytes.byteLength; ) {
    const short = bytes.readUInt8(at + 1);
    const head = short === 127 ? 10 : short === 126 ? 4 : 2;
    const length =
      short === 127 ? Number(bytes.readBigUInt64BE(at + 2)) : short === 126 ? bytes.readUInt16BE(at + 2) : short;
    texts.push(bytes.toString('utf8', at + head, at + head + length));
    at += head + length;
  }
  return texts;
}

/** WebSockets over a test home, with clients that need no socket. */
export class SessionFixture {
  readonly webSockets: WebSockets;
  readonly #clock: TestClock;

  constructor(home: TestHome, overrides: Partial<HttpApiDeps> = {}) {
    const deps = apiDeps(home, overrides);
    this.webSockets = new WebSockets({ ...deps, failures: new FailureLog(deps), clients: new LiveClients() });
    this.#clock = home.clock;
  }

  open(principal: Principal = { kind: 'anonymous' }, address = '192.0.2.7'): SessionClient {
    const outlet = new ListOutlet();
    const session = this.webSockets.open({ ...callerOf(principal), address }, outlet);
    outlet.answerPing = () => session?.receivePong();
    return new SessionClient(outlet, session, (ms) => this.pass(ms));
  }

  /** Lets time and what hangs on it go on. */
  async pass(ms: number): Promise<void> {
    await this.#clock.advance(ms);
    for (let turn = 0; turn < 4; turn += 1) await setImmediate();
  }
}

export class SessionClient {
  readonly outlet: ListOutlet;
  readonly #session: SocketSession | undefined;
  readonly #pass: (ms: number) => Promise<void>;
  #ids = 0;

  constructor(outlet: ListOutlet, session: SocketSession | undefined, pass: (ms: number) => Promise<void>) {
    this.outlet = outlet;
    this.#session = session;
    this.#pass = pass;
  }

  get session(): SocketSession {
    if (!this.#session) throw new Error('There were too many');
    return this.#session;
  }

  send(message: object | string): void {
    this.session.receive(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The whole answer. */
  async request(action: string, payload?: unknown): Promise<Message> {
    this.#ids += 1;
    const id = this.#ids;
    this.send({ id, type: 'request', action, ...(payload !== undefined && { payload }) });
    const until = performance.now() + PATIENCE_MS;
    for (let turn = 0; performance.now() < until; turn += 1) {
      const answer = this.outlet.messages.find((message) => message.id === id);
      if (answer) return answer;
      // Signatures are verified on other threads.
      if (turn < 100) await setImmediate();
      else await delay(1);
    }
    throw new Error(`${action} was not answered`);
  }

  /** Its payload, or its error. */
  async ask(action: string, payload?: unknown): Promise<Message> {
    const answer = await this.request(action, payload);
    return answer.error ?? answer.payload;
  }

  subscribe(...ids: readonly string[]): Promise<Message> {
    return this.ask('subscribe', { scopes: ids.map((id) => ({ type: 'home', id })) });
  }

  /** What it received of these types, once all that is under way has come. */
  async received(...types: readonly string[]): Promise<readonly Message[]> {
    await this.#pass(50);
    return this.outlet.messages.filter(({ type }) => types.includes(type));
  }

  /** It takes what was given to it. */
  drain(): void {
    this.outlet.isFull = false;
    this.outlet.waitingBytes = 0;
    this.session.drained();
  }
}
