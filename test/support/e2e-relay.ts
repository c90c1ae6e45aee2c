/**
 * A whole relay in this process, on a directory of its own and on loopback only, reached as clients reach it: TCP
 * with a token, and the Unix socket as the system. Devices are found over real mDNS unless a test scripts the
 * sightings.
 */
import { request as httpRequest } from 'node:http';
import type { Config } from '../../src/config/config.ts';
import { PairingCopy } from '../../src/drivers/hap/pairing/pairing-copy.ts';
import { PairingStore } from '../../src/drivers/hap/pairing/pairing-store.ts';
import { createLog, silentLogger } from '../../src/kernel/logger.ts';
import type { RelayOverrides } from '../../src/relay/relay-deps.ts';
import { createRelay, type Relay } from '../../src/relay.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { type ControllerKeys, createControllerKeys, pairingKeys } from './accessories/identity.ts';
import { PATIENCE_MS } from './patience.ts';
import { createTempDirectory, type TempDirectory } from './temp-directory.ts';

const LOOK_EVERY_MS = 15;

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
  readonly body: any;
}

interface SharedAccessory {
  readonly deviceId: string;
  readonly name: string;
  readonly publicKey: Buffer;
  readonly port: number;
}

export interface E2eOptions {
  readonly overrides?: RelayOverrides;
  readonly config?: Partial<Config>;
  /** A directory to go on in; one of its own, removed at the end, unless given. */
  readonly directory?: TempDirectory;
}

/** Our side of pairings that tests share with accessories beforehand, so that each test is spared a key exchange. */
export const CONTROLLER: ControllerKeys = createControllerKeys();

export const KNOWN_CONTROLLER = { id: CONTROLLER.id, publicKey: CONTROLLER.publicKey };

/** Writes pairings into a data directory that no daemon has open, as if they had been made earlier. */
export function sharePairings(directory: TempDirectory, accessories: readonly SharedAccessory[]): void {
  const database = openDatabase(directory.file('relay.db'));
  const homeId = '0b7f9f5e-0000-4000-8000-00000000a0a0';
  database.exec(`
    INSERT OR IGNORE INTO homes (id, name, name_key, created_at) VALUES ('${homeId}', 'Test Home', 'test home', 1);
    INSERT OR IGNORE INTO rooms (id, home_id, name, name_key, is_default, created_at)
      VALUES ('0b7f9f5e-0000-4000-8000-00000000b0b0', '${homeId}', 'Default Room', 'default room', 1, 1);
  `);
  const store = new PairingStore(database, new PairingCopy(directory.file('pairings.json')), silentLogger);
  store.open();
  for (const accessory of accessories) {
    const keys = pairingKeys(CONTROLLER, accessory);
    store.begin({ keys, homeId, name: accessory.name, model: 'Test', category: 5, pairedAt: 1 });
    store.complete(keys.deviceId, keys);
    store.saveAddress(keys.deviceId, { host: '127.0.0.1', port: accessory.port });
  }
  database.close();
}

export class E2eRelay {
  readonly directory: TempDirectory;
  readonly #options: E2eOptions;
  readonly #ownsDirectory: boolean;
  /** What the relay logs, printed beside an answer that only refers to it. */
  readonly #log = createLog({ level: 'error', format: 'json', destination: { write() {} } });
  #relay: Relay | undefined;
  #token = '';

  private constructor(options: E2eOptions) {
    this.#options = options;
    this.#ownsDirectory = options.directory === undefined;
    this.directory = options.directory ?? createTempDirectory('e2e');
  }

  static async start(options: E2eOptions = {}): Promise<E2eRelay> {
    const relay = new E2eRelay(options);
    await relay.start();
    return relay;
  }

  get url(): string {
    return this.#require().url;
  }

  get token(): string {
    return this.#token;
  }

  async start(): Promise<void> {
    const relay = createRelay(
      {
        dataDir: this.directory.path,
        host: ['127.0.0.1'],
        port: 0,
        wsPort: 0,
        httpsPort: 0,
        httpsRedirect: false,
        acme: { directory: 'https://127.0.0.1:9/directory', hook: null, ca: null },
        interfaces: ['lo'],
        advertise: false,
        manualDevices: [],
        logLevel: 'silent',
        logFormat: 'json',
        historyMaxMb: 500,
        automationRunsPerMinute: 10,
        automationLateMinutes: 5,
        oauthRefreshGraceSeconds: 0,
        secondStepRequiredFor: 'none',
        publicUrl: null,
        trustedProxies: [],
        allowedHosts: [],
        allowedOrigins: [],
        tls: null,
        webhooksAllowLoopback: false,
        webhooksPublicOnly: false,
        updateCheck: false,
        mqtt: null,
        ntfy: null,
        email: null,
        ...this.#options.config,
      },
      { logger: this.#log.logger, ...this.#options.overrides },
    );
    await relay.start();
    this.#relay = relay;
    if (this.#token === '') this.#token = (await this.asSystem('POST', '/rest/tokens', { name: 'e2e' })).body.token;
  }

  /** Stops the daemon and leaves its directory. */
  async stop(): Promise<void> {
    await this.#relay?.stop();
    this.#relay = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    if (this.#ownsDirectory) this.directory.remove();
  }

  get(path: string): Promise<Answer> {
    return this.request('GET', path);
  }

  post(path: string, body: unknown): Promise<Answer> {
    return this.request('POST', path, body);
  }

  async request(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return this.#explained({ status: response.status, body: await response.json() });
  }

  /** Through `hearthd.sock`, as the CLI does. */
  async asSystem(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.#explained(await asSystem(this.directory.file('hearthd.sock'), method, path, body));
  }

  /** Waits until discovery lists the device. */
  async discovered(deviceId: string): Promise<Answer['body']> {
    return eventually(async () => {
      const { body } = await this.asSystem('GET', '/rest/discovered');
      return body.find((device: { deviceId: string }) => device.deviceId === deviceId);
    }, `${deviceId} to be discovered`);
  }

  /** Discovers and pairs for real. */
  async pair(accessory: { readonly deviceId: string; readonly setupCode: string }): Promise<Answer> {
    await this.discovered(accessory.deviceId);
    return this.asSystem('POST', '/rest/pairings', { device: accessory.deviceId, setupCode: accessory.setupCode });
  }

  async pairing(deviceId: string): Promise<Answer['body']> {
    const { body } = await this.asSystem('GET', '/rest/pairings');
    return body.find((device: { deviceId: string }) => device.deviceId === deviceId);
  }

  async untilStatus(deviceId: string, status: string): Promise<Answer['body']> {
    return eventually(async () => {
      const device = await this.pairing(deviceId);
      return device?.status === status ? device : undefined;
    }, `${deviceId} to be ${status}`);
  }

  /** The one accessory with this name, whole. */
  async accessory(name: string): Promise<Answer['body']> {
    const { body } = await this.get(`/rest/accessories?name=${encodeURIComponent(name)}`);
    return body.find((accessory: { name: string }) => accessory.name === name);
  }

  /** The simplified state of the accessory with this name, and where it is in the tree. */
  async state(name: string): Promise<{ properties: Answer['body']; path: readonly [string, string, string] }> {
    const { body } = await this.get('/rest/state');
    const { id } = await this.accessory(name);
    for (const [home, rooms] of Object.entries<Answer['body']>(body)) {
      if (home.startsWith('_')) continue;
      for (const [room, accessories] of Object.entries<Answer['body']>(rooms)) {
        if (room.startsWith('_')) continue;
        for (const [key, properties] of Object.entries<Answer['body']>(accessories)) {
          if (key.endsWith(`_${id.slice(-4)}`)) return { properties, path: [home, room, key] };
        }
      }
    }
    throw new Error(`${name} is not in the state tree`);
  }

  /** Writes simplified properties through the nested form of POST /rest/state. */
  async set(name: string, settings: Record<string, unknown>): Promise<Answer> {
    const [home, room, key] = (await this.state(name)).path;
    return this.post('/rest/state', { [home]: { [room]: { [key]: settings } } });
  }

  /** Waits until a property of the accessory is as wanted. */
  untilState(name: string, property: string, value: unknown): Promise<unknown> {
    return eventually(
      async () => ((await this.state(name)).properties[property] === value ? true : undefined),
      `${name}.${property} to be ${JSON.stringify(value)}`,
    );
  }

  #explained(answer: Answer): Answer {
    if (answer.status === 500) process.stderr.write(`${JSON.stringify(this.#log.ring.read({ limit: 3 }))}\n`);
    return answer;
  }

  #require(): Relay {
    if (!this.#relay) throw new Error('The relay is not running');
    return this.#relay;
  }
}

/** One request over a daemon's Unix socket, where the caller is the system. */
export function asSystem(socketPath: string, method: string, path: string, body?: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json' };
    // A kept connection would lead to a daemon that has been restarted since.
    const outgoing = httpRequest({ socketPath, method, path, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      // A daemon that dies in the middle of its answer.
      response.on('error', reject);
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(parts).toString()) });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Asks until there is an answer other than `undefined` or `false`. @throws naming what never came */
export async function eventually<T>(
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  what: string,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > until) throw new Error(`Waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
