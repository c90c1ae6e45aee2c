/** A relay, or any daemon, for automations to live in, and a client of its API. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../src/config/config.ts';
import { type Answer, E2eRelay, eventually } from '../support/e2e-relay.ts';
import { ScriptedDiscovery } from '../support/scripted-discovery.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import type { TestClock } from '../support/test-clock.ts';
import { AutomationHome, HOME_NAMES } from './automation-home.ts';

/** Where the sun of these tests rises. */
export const BERLIN = { latitude: 52.52, longitude: 13.405, radius: 150 };

/** One look at the wall clock (`WallTimers`), and room for sockets between two of them. */
const STEP_MS = 1_000;
const SOCKETS_MS = 6;

/** Any answer on a daemon's Unix socket. */
interface Api {
  asSystem(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** What these tests ask of a daemon, all of it by its API. */
export class AutomationClient {
  readonly #api: Api;
  readonly #ids = new Map<string, string>();
  homeId = '';

  constructor(api: Api) {
    this.#api = api;
  }

  /** Asks for what it must know of the home. The zone is UTC. */
  async begin(home: object = { timeZone: 'UTC', location: BERLIN }): Promise<void> {
    this.homeId = (await this.ask('GET', '/rest/homes'))[0].id;
    await this.ask('PATCH', `/rest/homes/${this.homeId}`, home);
  }

  /** @throws each answer that is no success */
  async ask(method: string, path: string, body?: unknown): Promise<Answer['body']> {
    const answer = await this.#api.asSystem(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Waits until all of these are connected, and learns the ids of the home's accessories. */
  async untilReachable(names: readonly string[], patienceMs?: number): Promise<void> {
    await eventually(
      async () => {
        const list: Answer['body'][] = await this.ask('GET', '/rest/accessories');
        for (const { name, id } of list) this.#ids.set(name, id);
        return names.every((name) => list.some((one) => one.name === name && one.isReachable));
      },
      `${names.join(', ')} to be reachable`,
      patienceMs,
    );
  }

  id(name: string): string {
    const id = this.#ids.get(name);
    if (id === undefined) throw new Error(`No ${name} is known`);
    return id;
  }

  async accessory(name: string): Promise<Answer['body']> {
    return this.ask('GET', `/rest/accessories/${this.id(name)}`);
  }

  /** Waits until the daemon shows a value that an accessory reported. */
  async untilShown(name: string, characteristicType: string, value: unknown): Promise<void> {
    await eventually(
      async () => {
        const { services } = await this.accessory(name);
        const all: Answer['body'][] = services.flatMap(({ characteristics }: Answer['body']) => characteristics);
        return all.some((one) => one.characteristicType === characteristicType && one.value === value);
      },
      `${characteristicType} of ${name} to be ${String(value)}`,
    );
  }

  /** A virtual accessory. @returns its id */
  async virtual(name: string, type: string, more: object = {}): Promise<string> {
    const { id } = await this.ask('POST', '/rest/virtual-accessories', { homeId: this.homeId, name, type, ...more });
    this.#ids.set(name, id);
    return id;
  }

  operate(name: string, operation: string, value?: unknown): Promise<Answer['body']> {
    return this.ask('POST', `/rest/virtual-accessories/${this.id(name)}/operate`, { operation, value });
  }

  /** The value of a virtual accessory, which has but one. */
  async valueOf(name: string): Promise<unknown> {
    return (await this.accessory(name)).services[0].characteristics[0].value;
  }

  async save(flow: Record<string, unknown>): Promise<Answer['body']> {
    return this.ask('POST', '/rest/flows', { homeId: this.homeId, triggers: [], actions: [], ...flow });
  }

  run(flowId: string, variables?: object): Promise<Answer['body']> {
    return this.ask('POST', `/rest/flows/${flowId}/run`, variables === undefined ? {} : { variables });
  }

  /** The newest first. */
  traces(automationId: string, limit = 100): Promise<Answer['body'][]> {
    return this.ask('GET', `/rest/flows/${automationId}/traces?limit=${limit}`);
  }

  /** Waits until so many runs have ended. @returns the traces, the newest first */
  async untilEnded(automationId: string, count = 1, patienceMs?: number): Promise<Answer['body'][]> {
    return eventually(
      async () => {
        const traces = await this.traces(automationId);
        return traces.filter(({ status }) => status !== 'running').length >= count ? traces : undefined;
      },
      `${count} runs of ${automationId} to end`,
      patienceMs,
    );
  }

  next(automationId: string, count = 1): Promise<string[]> {
    return this.ask('GET', `/rest/flows/${automationId}/next?count=${count}`);
  }

  async forgetAll(): Promise<void> {
    for (const { id } of await this.ask('GET', '/rest/flows')) await this.ask('DELETE', `/rest/flows/${id}`);
    for (const { id } of await this.ask('GET', '/rest/automations'))
      await this.ask('DELETE', `/rest/automations/${id}`);
  }

  /** An action that sets a lamp's brightness. */
  dim(name: string, value: unknown, more: object = {}): object {
    const accessoryId = this.id(name);
    return { type: 'set_characteristic', accessoryId, characteristicType: 'brightness', value, ...more };
  }

  /** An action that counts one up on a virtual counter. */
  count(name: string): object {
    return { type: 'virtual', accessoryId: this.id(name), operation: 'increment' };
  }
}

export interface FixtureOptions {
  /** The machine's own unless given. */
  readonly clock?: TestClock;
  readonly config?: Partial<Config>;
}

/** A relay in this process with the whole home, connected. */
export class AutomationFixture extends AutomationClient implements AsyncDisposable {
  readonly relay: E2eRelay;
  readonly demoHome: AutomationHome;
  readonly clock: TestClock | undefined;
  readonly #directory: TempDirectory;

  private constructor(relay: E2eRelay, inventory: AutomationHome, directory: TempDirectory, clock?: TestClock) {
    super(relay);
    this.relay = relay;
    this.demoHome = inventory;
    this.clock = clock;
    this.#directory = directory;
  }

  static async start({ clock, config }: FixtureOptions = {}): Promise<AutomationFixture> {
    const directory = createTempDirectory('automations');
    const inventory = await AutomationHome.start();
    inventory.share(directory);
    const overrides = { discovery: new ScriptedDiscovery(), ...(clock && { clock }) };
    const relay = await E2eRelay.start({ directory, overrides, ...(config && { config }) });
    const fixture = new AutomationFixture(relay, inventory, directory, clock);
    await fixture.begin();
    await fixture.untilReachable(HOME_NAMES);
    return fixture;
  }

  /** Lets time pass on the test's clock, with room for what goes over sockets meanwhile. */
  async pass(ms: number): Promise<void> {
    if (!this.clock) return delay(ms);
    for (let left = ms; left > 0; left -= STEP_MS) {
      await this.clock.advance(Math.min(left, STEP_MS));
      await delay(SOCKETS_MS);
    }
  }

  /** Sets the wall clock to a little before a moment, without anything taking that long, and lets the moment come. */
  async passTo(moment: string | number): Promise<void> {
    const { clock } = this;
    if (!clock) throw new Error('Only the clock of a test can be moved');
    const at = typeof moment === 'number' ? moment : Date.parse(moment);
    clock.jumpWallClock(at - 2 * STEP_MS - clock.now());
    await this.pass(3 * STEP_MS);
  }

  /** Waits for a value to arrive at an accessory. */
  untilWritten(accessory: string, value: unknown, type?: string): Promise<unknown> {
    return eventually(
      async () => {
        await delay(0);
        return this.demoHome.written(accessory, type).includes(value);
      },
      `${accessory} to get ${String(value)}; it got ${this.demoHome.written(accessory, type).join(', ')}`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.relay[Symbol.asyncDispose]();
    await this.demoHome.stop();
    this.#directory.remove();
  }
}
