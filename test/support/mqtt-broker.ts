/**
 * A real broker (aedes) on loopback, and a client that looks on: what is retained, what was published, and how to
 * publish.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, Server as TlsServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { Aedes } from 'aedes';
import mqtt, { type MqttClient } from 'mqtt';
import { PATIENCE_MS } from './patience.ts';

/** Its own authority, for `localhost` and 127.0.0.1. */
export function certificate(): { readonly cert: string; readonly key: string; readonly path: string } {
  const path = (kind: string) =>
    fileURLToPath(new URL(`../drivers/notifications/fixtures/mail.${kind}.pem`, import.meta.url));
  return { cert: readFileSync(path('cert'), 'utf8'), key: readFileSync(path('key'), 'utf8'), path: path('cert') };
}

export interface TestBrokerOptions {
  readonly port?: number;
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly credentials?: { readonly username: string; readonly password: string };
  /** Topic filters that no client may subscribe to. */
  readonly refuses?: (filter: string) => boolean;
}

export class TestBroker {
  readonly #aedes: Aedes;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Every message that clients published, oldest first. */
  readonly published: { topic: string; payload: string; retain: boolean; qos: number; clientId: string | undefined }[] =
    [];

  private constructor(aedes: Aedes, server: Server) {
    this.#aedes = aedes;
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', () => {});
    });
    aedes.on('publish', (packet, client) => {
      if (!client) return;
      const { topic, payload, retain, qos } = packet;
      this.published.push({ topic, payload: String(payload), retain, qos, clientId: client.id });
    });
  }

  static async start({ port = 0, tls, credentials, refuses }: TestBrokerOptions = {}): Promise<TestBroker> {
    const aedes = await Aedes.createBroker({
      authenticate: (_client, username, password, done) => {
        const isKnown = username === credentials?.username && String(password) === credentials?.password;
        done(null, credentials === undefined || isKnown);
      },
      authorizeSubscribe: (_client, subscription, done) =>
        done(null, refuses?.(subscription.topic) ? null : subscription),
    });
    const handle = (socket: Socket): void => void aedes.handle(socket);
    const server = tls ? createTlsServer(tls, handle) : createServer(handle);
    if (tls) server.on('tlsClientError', () => {});
    const broker = new TestBroker(aedes, server);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return broker;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get isSecured(): boolean {
    return this.#server instanceof TlsServer;
  }

  /** The topics under which it keeps something. */
  get keptTopics(): ReadonlySet<string> {
    const last = new Map(this.published.filter(({ retain }) => retain).map(({ topic, payload }) => [topic, payload]));
    return new Set([...last].flatMap(([topic, payload]) => (payload === '' ? [] : [topic])));
  }

  get connections(): number {
    return this.#sockets.size;
  }

  /** Breaks every connection off, as a crash would: wills are published. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Messages are neither read nor acknowledged any more. */
  freeze(): void {
    for (const socket of this.#sockets) {
      // Who listens for what can be read goes on reading from a paused socket.
      socket.removeAllListeners('readable');
      socket.pause();
    }
  }

  async stop(): Promise<void> {
    const closed = this.#server.listening ? once(this.#server, 'close') : undefined;
    this.#server.close();
    this.cut();
    await new Promise<void>((resolve) => this.#aedes.close(resolve));
    await closed;
  }
}

/** Another client of the broker. */
export class Onlooker {
  readonly #client: MqttClient;
  /** What is retained now, by topic: what a client that subscribes at this moment would get. */
  readonly retained = new Map<string, string>();
  /** Everything that came while it looked on, oldest first. */
  readonly received: { topic: string; payload: string; retain: boolean }[] = [];

  private constructor(client: MqttClient) {
    this.#client = client;
    client.on('message', (topic, payload, { retain }) =>
      this.received.push({ topic, payload: String(payload), retain }),
    );
    client.on('error', () => {});
  }

  static async start(broker: TestBroker, options: { username?: string; password?: string } = {}): Promise<Onlooker> {
    const scheme = broker.isSecured ? 'mqtts' : 'mqtt';
    const client = await mqtt.connectAsync(`${scheme}://127.0.0.1:${broker.port}`, {
      ...{ reconnectPeriod: 0, rejectUnauthorized: false },
      ...options,
    });
    const onlooker = new Onlooker(client);
    await client.subscribeAsync('#', { qos: 1 });
    return onlooker;
  }

  /** The newest payload on a topic; `undefined` where there was none, or it was deleted. */
  last(topic: string): string | undefined {
    return this.received.findLast((message) => message.topic === topic)?.payload || undefined;
  }

  /** The last payload as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
  json(topic: string): any {
    const text = this.last(topic);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** Topics that have a payload now. */
  topics(): string[] {
    const last = new Map(this.received.map(({ topic, payload }) => [topic, payload]));
    return [...last]
      .filter(([, payload]) => payload !== '')
      .map(([topic]) => topic)
      .sort();
  }

  async send(topic: string, payload: string | Buffer | object, retain = false): Promise<void> {
    const text = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload);
    await this.#client.publishAsync(topic, text, { retain, qos: 1 });
  }

  async stop(): Promise<void> {
    await this.#client.endAsync(true);
  }
}

/** What a new client gets. */
export async function retainedOn(broker: TestBroker): Promise<ReadonlyMap<string, string>> {
  const onlooker = await Onlooker.start(broker);
  // Retained messages come one by one, and messages published meanwhile may overtake them.
  await onlooker.send('test/marker', 'x');
  await until(() => onlooker.last('test/marker'));
  const isComplete = (): boolean => {
    const topics = new Set(onlooker.received.map(({ topic }) => topic));
    return [...broker.keptTopics].every((topic) => topics.has(topic));
  };
  await until(isComplete, 'Everything that is retained');
  await onlooker.stop();
  return new Map(
    onlooker.received
      .filter(({ retain, payload }) => retain && payload !== '')
      .map(({ topic, payload }) => [topic, payload]),
  );
}

/** Waits until something is so, and gives it. */
export async function until<T>(look: () => T | undefined | false | null | '', what = 'It'): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`${what} did not happen: ${String(look)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
