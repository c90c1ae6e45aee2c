/**
 * A small HAP accessory server of our own, whose every byte is at hand: ids of any size are exact, and any reply can be
 * cut, corrupted, fragmented, delayed, chunked or crossed by an event. Pairing and encryption are real. It is also the
 * cheapest server to run by the hundred. It is not HAP-NodeJS: prove behaviour against genuine accessories as well.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Advertiser } from './advertiser.ts';
import { parseExact } from './exact-json.ts';
import {
  createDeviceId,
  createSetupCode,
  createSigningKeys,
  type KnownController,
  type SigningKeys,
} from './identity.ts';
import { type PairingAnswer, PairingBook, type Stumble } from './raw-pairing.ts';
import { RawSession } from './raw-session.ts';
import { type Trick, TrickQueue } from './raw-tricks.ts';
import { encodeEvent, encodeReply, jsonReply, type RawReply, type RawRequest } from './raw-wire.ts';
import type { ReceivedWrite } from './replay-accessory.ts';
import {
  type AccessoryJson,
  type Failure,
  type Id,
  keyOf,
  parseIds,
  ServedDatabase,
  type WriteItem,
} from './served-database.ts';

export interface RawOptions {
  /** Ids may be numbers, decimal text or bigints; they travel as bare digits. */
  readonly database: readonly AccessoryJson[];
  readonly name?: string;
  readonly model?: string;
  readonly deviceId?: string;
  /** `031-45-154`. */
  readonly setupCode?: string;
  /** Its long-term keys; new ones by default. */
  readonly keys?: SigningKeys;
  /** HAP category number; 1 (other) by default. */
  readonly category?: number;
  /** `ff` of the advertisement. */
  readonly featureFlags?: number;
  /** TXT entries to replace or add. */
  readonly txt?: Readonly<Record<string, string | undefined>>;
  /** 0 picks a free one. */
  readonly port?: number;
  /** Advertise over mDNS on loopback, which takes about a second. `true` by default. */
  readonly mdns?: boolean;
  /** Controllers that are paired already. */
  readonly paired?: readonly KnownController[];
  /** Further connections get 503 to every request, as from devices that are out of slots. */
  readonly maxConnections?: number;
  /** Every answer in a session comes so much later: devices take tens of milliseconds. */
  readonly replyDelayMs?: number;
  /** Serves a request itself, in any way; `undefined` leaves it to the accessory. */
  readonly takeOver?: (request: RawRequest, session: RawSession) => Promise<void> | undefined;
  /** Keep `requests` and `writes`; `true` by default. Benchmarks do without. */
  readonly keepLog?: boolean;
}

const OK: RawReply = { status: 204 };
const TLV8 = 'application/pairing+tlv8';

/** Starts it and waits until it listens and, with mDNS, is announced. Stop it in `afterEach`. */
export async function startRawAccessory(options: RawOptions): Promise<RawAccessory> {
  const accessory = new RawAccessory(options);
  await accessory.start();
  return accessory;
}

export class RawAccessory {
  readonly deviceId: string;
  readonly name: string;
  readonly setupCode: string;
  /** Pairings and how pairing goes wrong. */
  readonly pairing: PairingBook;
  requestCount = 0;
  /** Every request, in the order of arrival. */
  readonly requests: RawRequest[] = [];
  /** In the order of arrival. */
  readonly writes: ReceivedWrite[] = [];
  /** Events are never sent, though subscriptions are accepted. */
  mute = false;
  /** Takes connections and requests, and sends nothing more. */
  silent = false;
  /** A request of more bytes than this gets no answer. */
  ignoreRequestsOver = Number.POSITIVE_INFINITY;
  /** How often it was asked to identify itself while unpaired. */
  identified = 0;
  readonly #options: RawOptions;
  readonly #sessions = new Set<RawSession>();
  readonly #tricks = new TrickQueue();
  readonly #writeListeners = new Set<(write: ReceivedWrite) => void>();
  #database: ServedDatabase;
  #configNumber = 1;
  #port: number;
  #address = '127.0.0.1';
  #server: Server | undefined;
  #advertiser: Advertiser | undefined;

  constructor(options: RawOptions) {
    this.#options = options;
    this.deviceId = options.deviceId ?? createDeviceId();
    this.name = options.name ?? `Raw ${this.deviceId.slice(-5).replace(':', '')}`;
    this.setupCode = options.setupCode ?? createSetupCode();
    this.#database = new ServedDatabase(options.database);
    this.#port = options.port ?? 0;
    const keys = options.keys ?? createSigningKeys();
    this.pairing = new PairingBook(this.deviceId, this.setupCode, keys, options.paired ?? [], () => {
      void this.#advertiser?.update({ paired: this.pairing.controllers.size > 0 });
    });
  }

  /** Where it listens, or listened last. */
  get port(): number {
    return this.#port;
  }

  /** At which it listens, or listened last. */
  get address(): string {
    return this.#address;
  }

  /** Ed25519, 32 bytes: what a pre-shared pairing needs. */
  get publicKey(): Buffer {
    return this.pairing.publicKey;
  }

  async start(): Promise<void> {
    await this.#listen();
    if (!(this.#options.mdns ?? true)) return;
    this.#advertiser = await Advertiser.start({
      name: this.name,
      deviceId: this.deviceId,
      port: this.#port,
      model: this.#options.model ?? 'Raw',
      category: this.#options.category ?? 1,
      configNumber: this.#configNumber,
      paired: this.pairing.controllers.size > 0,
      featureFlags: this.#options.featureFlags ?? 0,
      ...(this.#options.txt && { txt: this.#options.txt }),
    });
  }

  get(aid: Id, iid: Id): unknown {
    return this.#database.get(aid, iid);
  }

  /** Changes a value from the accessory's side and notifies the subscribers at once. */
  set(aid: Id, iid: Id, value: unknown): void {
    this.#database.set(aid, iid, value);
    this.#notify(aid, iid, value);
  }

  /** Changes a value and keeps quiet about it. */
  setSilently(aid: Id, iid: Id, value: unknown): void {
    this.#database.set(aid, iid, value);
  }

  /** Sends one event message with these characteristics in exactly this order to all verified sessions. */
  sendEvent(
    characteristics: readonly object[],
    { chunkBytes, frameBytes }: Pick<Trick, 'chunkBytes' | 'frameBytes'> = {},
  ): void {
    const message = encodeEvent(characteristics, chunkBytes);
    for (const session of this.#sessions) session.sendEvent(message, frameBytes);
  }

  /** Sends plain text as it is, encrypted, to all verified sessions: malformed events, several in one frame. */
  sendText(text: string | Buffer, frameBytes?: number): void {
    for (const session of this.#sessions) session.sendEvent(Buffer.from(text), frameBytes);
  }

  /** Writes bytes past the encryption to every open connection. */
  sendBytes(bytes: Buffer): void {
    for (const { socket } of this.#sessions) socket.write(bytes);
  }

  /** Plays a trick on a reply to come. */
  play(trick: Trick): void {
    this.#tricks.add(trick);
  }

  clearTricks(): void {
    this.#tricks.clear();
  }

  /** Makes pairing go wrong at a step to come. */
  stumble(stumble: Stumble): void {
    this.pairing.stumble(stumble);
  }

  /** Makes reads or writes answer with a HAP status. @returns the function that ends it. */
  fail(failure: Failure): () => void {
    return this.#database.fail(failure);
  }

  /** @returns the function that ends the subscription. */
  onWrite(listener: (write: ReceivedWrite) => void): () => void {
    this.#writeListeners.add(listener);
    return () => this.#writeListeners.delete(listener);
  }

  /** Open TCP connections, verified or not. */
  connections(): number {
    return this.#sessions.size;
  }

  /** `aid.iid` of everything that some connection is subscribed to. */
  subscriptions(): ReadonlySet<string> {
    return new Set([...this.#sessions].flatMap((session) => [...session.subscriptions]));
  }

  /** Closes all connections; it keeps listening. */
  disconnectAll(): void {
    for (const session of this.#sessions) session.close();
  }

  /** Answers 470 on all connections that are open now, until they are closed. */
  forgetSessions(): void {
    for (const session of this.#sessions) session.forgotten = true;
  }

  /** Serves another database. Sessions stay, as in a bridge that gains a child. */
  async setDatabase(database: readonly AccessoryJson[], configNumber = this.#configNumber + 1): Promise<void> {
    this.#database = new ServedDatabase(database);
    this.#configNumber = configNumber;
    await this.#advertiser?.update({ configNumber });
  }

  /** Stops listening and drops all connections; the advertisement stays. */
  async goOffline(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    const closed = once(server, 'close');
    server.close();
    this.disconnectAll();
    await closed;
  }

  /**
   * Comes back where it was, or on `port` (0 picks a free one) and `address` of loopback, with its pairings and without
   * its sessions.
   */
  async restart({ port = this.#port, address = this.#address } = {}): Promise<void> {
    await this.goOffline();
    this.#port = port;
    this.#address = address;
    await this.#listen();
    await this.#advertiser?.update({ port: this.#port });
  }

  /** Sends a goodbye and closes everything. */
  async stop(): Promise<void> {
    await this.goOffline();
    await this.#advertiser?.stop();
    this.#advertiser = undefined;
  }

  async #listen(): Promise<void> {
    const server = createServer((socket) => {
      const session = new RawSession(socket, this.pairing, (_session, request) => this.#serve(session, request));
      this.#sessions.add(session);
      socket.on('close', () => this.#sessions.delete(session));
    });
    server.listen(this.#port, this.#address);
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async #serve(session: RawSession, request: RawRequest): Promise<void> {
    this.requestCount += 1;
    if (this.#options.keepLog ?? true) this.requests.push(request);
    if (this.silent || request.bytes > this.ignoreRequestsOver) return;
    const takenOver = this.#options.takeOver?.(request, session);
    if (takenOver !== undefined) return takenOver;
    const trick = this.#tricks.take(request) ?? {};
    const delayMs = trick.delayMs ?? (request.encrypted ? this.#options.replyDelayMs : undefined);
    if (delayMs) await delay(delayMs);
    // A device that lost the connection meanwhile has forgotten what was asked on it.
    if (session.socket.destroyed) return;
    const reply = await this.#answer(session, request, trick);
    if (trick.silence || reply === 'silence') return;
    if (reply === 'cut') session.close();
    else if (trick.replyText !== undefined) await session.send(Buffer.from(trick.replyText), trick);
    else await session.send(encodeReply(reply, trick.chunkBytes), trick);
  }

  async #answer(session: RawSession, request: RawRequest, trick: Trick): Promise<RawReply | 'cut' | 'silence'> {
    const failing = jsonReply(trick.status ?? 200, { status: -70402 });
    if (trick.apply === false) return failing;
    if (this.#isSlotless(session)) return jsonReply(503, { status: -70403 });
    const reply = await this.#route(session, request);
    if (typeof reply === 'string') return reply;
    if (trick.body !== undefined) return { ...failing, status: trick.status ?? 200, body: Buffer.from(trick.body) };
    return trick.status === undefined ? reply : failing;
  }

  /** The oldest connections hold the slots. */
  #isSlotless(session: RawSession): boolean {
    const { maxConnections } = this.#options;
    return maxConnections !== undefined && [...this.#sessions].indexOf(session) >= maxConnections;
  }

  async #route(session: RawSession, request: RawRequest): Promise<RawReply | 'cut' | 'silence'> {
    const [path, query = ''] = request.path.split('?', 2);
    if (path === '/pair-setup') return tlvReply(await session.talk.setup(request.body));
    if (path === '/pair-verify') return tlvReply(await session.talk.verify(request.body));
    if (path === '/identify') return this.#identify();
    if (!session.isVerified || session.forgotten) return jsonReply(470, { status: -70401 });
    if (path === '/pairings') return this.#changePairings(session, request.body);
    if (path === '/accessories') return jsonReply(200, { accessories: this.#database.accessories });
    if (path === '/prepare') return prepare(session, request.body);
    if (path !== '/characteristics') return jsonReply(404, { status: -70409 });
    return request.method === 'GET' ? this.#read(session, query) : this.#write(session, request.body);
  }

  #identify(): RawReply {
    if (this.pairing.controllers.size > 0) return jsonReply(400, { status: -70401 });
    this.identified += 1;
    return OK;
  }

  #changePairings(session: RawSession, body: Buffer): RawReply | 'cut' {
    const reply = session.talk.pairings(body, session.controllerId ?? '');
    for (const other of this.#sessions) {
      if (other === session || !other.controllerId) continue;
      if (!this.pairing.controllers.has(other.controllerId)) other.close();
    }
    return { status: 200, contentType: TLV8, body: reply };
  }

  #read(session: RawSession, query: string): RawReply {
    const parameters = new URLSearchParams(query);
    const flag = (name: string) => ['1', 'true'].includes(parameters.get(name) ?? '');
    const flags = { meta: flag('meta'), perms: flag('perms'), type: flag('type'), ev: flag('ev') };
    const results = parseIds(parameters.get('id') ?? '').map(({ aid, iid }) =>
      this.#database.read(aid, iid, flags, session.subscriptions.has(keyOf(aid, iid))),
    );
    return multiStatus(results, 200) ?? jsonReply(200, { characteristics: results });
  }

  #write(session: RawSession, body: Buffer): RawReply {
    const { characteristics, pid } = parseExact(body.toString()) as {
      characteristics: WriteItem[];
      pid?: number | bigint;
    };
    const { prepared } = session;
    session.prepared = undefined;
    const timed = prepared !== undefined && prepared.pid === String(pid) && performance.now() <= prepared.until;
    const results = characteristics.map((item) => this.#writeItem(session, item, timed));
    return multiStatus(results, 204) ?? OK;
  }

  #writeItem(session: RawSession, item: WriteItem, timed: boolean) {
    const { aid, iid, value } = item;
    const before = this.#database.find(aid, iid)?.value;
    const result = this.#database.write(item, timed);
    if (result.status) return result;
    if (item.ev === true) session.subscriptions.add(keyOf(aid, iid));
    if (item.ev === false) session.subscriptions.delete(keyOf(aid, iid));
    if (value === undefined) return result;
    const write = { aid: String(aid), iid: String(iid), value, at: performance.now(), timed };
    if (this.#options.keepLog ?? true) this.writes.push(write);
    for (const listener of this.#writeListeners) listener(write);
    const after = this.#database.get(aid, iid);
    if (after !== before) this.#notify(aid, iid, after, session);
    return result;
  }

  #notify(aid: Id, iid: Id, value: unknown, except?: RawSession): void {
    if (this.mute || this.silent) return;
    const message = encodeEvent([{ aid: String(aid), iid: String(iid), value }]);
    for (const session of this.#sessions) {
      if (session !== except && session.subscriptions.has(keyOf(aid, iid))) session.sendEvent(message);
    }
  }
}

function tlvReply(answer: PairingAnswer): RawReply | 'cut' | 'silence' {
  return typeof answer === 'string' ? answer : { status: 200, contentType: TLV8, body: answer };
}

function prepare(session: RawSession, body: Buffer): RawReply {
  const { pid, ttl } = parseExact(body.toString()) as { pid: number | bigint; ttl: number };
  session.prepared = { pid: String(pid), until: performance.now() + ttl };
  return jsonReply(200, { status: 0 });
}

/**
 * 207 where one of several failed or has a write response: then every one has a status (HAP specification §6.7.2.2).
 */
function multiStatus(results: readonly { status?: number; value?: unknown }[], whole: 200 | 204): RawReply | undefined {
  const isPlain = results.every(({ status, value }) => !status && (whole === 200 || value === undefined));
  return isPlain ? undefined : jsonReply(207, { characteristics: results.map((item) => ({ status: 0, ...item })) });
}
