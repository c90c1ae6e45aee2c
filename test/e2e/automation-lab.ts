/**
 * A relay, or any daemon, with genuine HAP-NodeJS accessories for automations to live with: what the accessories' side causes, and what
 * arrives there. Pairings are shared beforehand and nothing is announced, so that
 * nobody waits for key exchanges and nobody else finds them. A process has one such house.
 */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Accessory,
  Bridge,
  type Categories,
  Characteristic,
  type HAPConnection,
  HAPStorage,
  type PermissionTypes,
  Service,
  uuid,
  type WithUUID,
} from '@homebridge/hap-nodejs';
import type { Config } from '../../src/config/config.ts';
import { keepOnLoopback } from '../support/accessories/house/loopback-only.ts';
import { createDeviceId, createSetupCode } from '../support/accessories/identity.ts';
import { type Answer, E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { ScriptedDiscovery } from '../support/scripted-discovery.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import type { TestClock } from '../support/test-clock.ts';

/** Where the sun of these tests rises. */
export const BERLIN = { latitude: 52.52, longitude: 13.405, radius: 150 };

/** One look at the wall clock (`WallTimers`), and room for sockets between two of them. */
const STEP_MS = 1_000;
const SOCKETS_MS = 6;

type HapType = WithUUID<new () => Characteristic>;
/** What HAP calls an admin of an accessory. */
const ADMIN = 1 as PermissionTypes;

/** What arrived at an accessory of the house, in order. */
export interface HouseWrite {
  readonly accessory: string;
  readonly type: string;
  readonly value: unknown;
}

interface Server {
  readonly accessory: Accessory;
  readonly name: string;
  readonly deviceId: string;
  readonly setupCode: string;
  port: number;
}

/** A bridge with lamps, sensors and a button, and two servers of their own: a lamp, which can be switched off, and a doorbell. */
export class AutomationHouse implements AsyncDisposable {
  readonly writes: HouseWrite[] = [];
  readonly #services = new Map<string, Service>();
  readonly #servers: readonly Server[];

  private constructor() {
    const bridge = new Bridge('Lab Bridge', uuid.generate('lab/bridge'));
    const lamp = (name: string) => this.#lamp(new Accessory(name, uuid.generate(`lab/${name}`)));
    bridge.addBridgedAccessories([
      lamp('Lamp'),
      lamp('Echo'),
      lamp('Spare'),
      this.#plain('Button', Service.StatelessProgrammableSwitch),
      this.#plain('Window', Service.ContactSensor),
      this.#plain('Thermometer', Service.TemperatureSensor),
      this.#plain('Motion', Service.MotionSensor),
    ]);
    const doorbell = this.#plain('Doorbell', Service.Doorbell);
    this.#servers = [
      server(bridge, 'Lab Bridge'),
      server(lamp('Hall Lamp'), 'Hall Lamp'),
      server(doorbell, 'Doorbell'),
    ];
  }

  static async start(storage: string): Promise<AutomationHouse> {
    HAPStorage.setCustomStoragePath(storage);
    keepOnLoopback();
    const house = new AutomationHouse();
    await Promise.all(house.#servers.map((one) => publish(one)));
    return house;
  }

  get servers(): readonly { readonly deviceId: string; readonly name: string; readonly port: number }[] {
    return this.#servers;
  }

  /** As pairings made earlier: in the data directory of a daemon that does not run. */
  share(directory: TempDirectory): void {
    sharePairings(
      directory,
      this.#servers.map(({ accessory, deviceId, name, port }) => {
        const publicKey = accessory._accessoryInfo?.signPk;
        if (!publicKey) throw new Error(`${name} has not been published`);
        return { deviceId, name, port, publicKey: Buffer.from(publicKey) };
      }),
    );
  }

  /** Something happens at the accessory: everybody who listens is told. */
  report(name: string, type: HapType, value: string | number | boolean): void {
    this.#service(name).getCharacteristic(type).updateValue(value);
  }

  /** 0 once, 1 twice, 2 long. */
  press(name: string, kind = 0): void {
    this.#service(name).getCharacteristic(Characteristic.ProgrammableSwitchEvent).sendEventNotification(kind);
  }

  value(name: string, type: HapType): unknown {
    return this.#service(name).getCharacteristic(type).value;
  }

  /** Values that arrived at one characteristic (`On`, `Brightness`). */
  written(accessory: string, type = 'Brightness'): readonly unknown[] {
    return this.writes
      .filter((write) => write.accessory === accessory && write.type === type)
      .map(({ value }) => value);
  }

  /** Whoever writes to it gets no answer before this is resolved; everybody else is answered meanwhile. */
  stall(name: string, type: HapType): () => void {
    const characteristic = this.#service(name).getCharacteristic(type);
    let release: () => void = () => {};
    const stalled = new Promise<void>((resolve) => {
      release = resolve;
    });
    characteristic.onSet(() => stalled);
    return () => {
      release();
      this.#listen(name, characteristic);
    };
  }

  /** A server of its own is unplugged: its connections end. */
  async unplug(name: string): Promise<void> {
    await this.#server(name).accessory.unpublish();
  }

  async plugIn(name: string): Promise<void> {
    await publish(this.#server(name));
  }

  /** Ends the connections of a server of its own, as a router that is restarted. */
  cutConnections(name: string): void {
    for (const connection of this.#connections(this.#server(name))) connection.close();
  }

  /** Whether anybody has asked to be told of it. */
  isSubscribed(name: string, type: HapType): boolean {
    const { accessory } = this.#server(name);
    const { iid } = this.#service(name).getCharacteristic(type);
    return this.#connections(this.#server(name)).some(
      (connection) => connection.hasEventNotifications(accessory.aid ?? 1, iid ?? 0) && !isEnding(connection),
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map(({ accessory }) => accessory.unpublish()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #lamp(accessory: Accessory): Accessory {
    const service = accessory.addService(Service.Lightbulb, accessory.displayName);
    this.#services.set(accessory.displayName, service);
    service.setCharacteristic(Characteristic.On, false).setCharacteristic(Characteristic.Brightness, 1);
    for (const type of [Characteristic.On, Characteristic.Brightness]) {
      this.#listen(accessory.displayName, service.getCharacteristic(type));
    }
    return accessory;
  }

  #listen(name: string, characteristic: Characteristic): void {
    characteristic.onSet((value) => {
      this.writes.push({ accessory: name, type: characteristic.displayName, value });
    });
  }

  #plain(name: string, service: typeof Service.Doorbell): Accessory {
    const accessory = new Accessory(name, uuid.generate(`lab/${name}`));
    this.#services.set(name, accessory.addService(service, name));
    return accessory;
  }

  #connections({ accessory }: Server): readonly HAPConnection[] {
    // HAP-NodeJS keeps them to itself.
    const http = accessory._server as unknown as { httpServer: { connections: Set<HAPConnection> } } | undefined;
    return [...(http?.httpServer.connections ?? [])];
  }

  #service(name: string): Service {
    const service = this.#services.get(name);
    if (!service) throw new Error(`The house has no ${name}`);
    return service;
  }

  #server(name: string): Server {
    const found = this.#servers.find((one) => one.name === name);
    if (!found) throw new Error(`${name} has no server of its own`);
    return found;
  }
}

/** It has been told to close. */
function isEnding(connection: HAPConnection): boolean {
  return (
    (connection as unknown as { tcpSocket: { destroyed: boolean; writable: boolean } }).tcpSocket.writable === false
  );
}

function server(accessory: Accessory, name: string): Server {
  return {
    accessory,
    name,
    deviceId: createDeviceId(`lab/${name}`),
    setupCode: createSetupCode(`lab/${name}`),
    port: 0,
  };
}

/** At the port that it had before, if it had one. */
async function publish(one: Server): Promise<void> {
  const listening = once(one.accessory, 'listening');
  await one.accessory.publish({
    username: one.deviceId,
    pincode: one.setupCode as `${number}-${number}-${number}`,
    category: 2 as Categories,
    port: one.port,
    bind: '127.0.0.1',
    addIdentifyingMaterial: false,
  });
  // Nobody looks for them, and several such houses on one machine would claim the same names.
  if (one.accessory._advertiser) one.accessory._advertiser.startAdvertising = () => Promise.resolve();
  [one.port] = (await listening) as [number];
  const { id, publicKey } = KNOWN_CONTROLLER;
  one.accessory._accessoryInfo?.addPairedClient(id, publicKey, ADMIN);
}

/** Whatever answers on a daemon's Unix socket. */
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

  /** @throws whatever is no success */
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

export interface LabOptions {
  /** The machine's own unless given. */
  readonly clock?: TestClock;
  readonly config?: Partial<Config>;
}

export const HOUSE_NAMES = [
  'Lamp',
  'Echo',
  'Spare',
  'Button',
  'Window',
  'Thermometer',
  'Motion',
  'Hall Lamp',
  'Doorbell',
] as const;

/** A relay in this process with the whole house, connected. */
export class AutomationLab extends AutomationClient implements AsyncDisposable {
  readonly relay: E2eRelay;
  readonly house: AutomationHouse;
  readonly clock: TestClock | undefined;
  readonly #directory: TempDirectory;

  private constructor(relay: E2eRelay, house: AutomationHouse, directory: TempDirectory, clock?: TestClock) {
    super(relay);
    this.relay = relay;
    this.house = house;
    this.clock = clock;
    this.#directory = directory;
  }

  static async start({ clock, config }: LabOptions = {}): Promise<AutomationLab> {
    const directory = createTempDirectory('automations');
    const house = await AutomationHouse.start(directory.file('hap-nodejs'));
    house.share(directory);
    const overrides = { discovery: new ScriptedDiscovery(), ...(clock && { clock }) };
    const relay = await E2eRelay.start({ directory, overrides, ...(config && { config }) });
    const lab = new AutomationLab(relay, house, directory, clock);
    await lab.begin();
    await lab.untilReachable(HOUSE_NAMES);
    return lab;
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
        return this.house.written(accessory, type).includes(value);
      },
      `${accessory} to get ${String(value)}; it got ${this.house.written(accessory, type).join(', ')}`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.relay[Symbol.asyncDispose]();
    await this.house.stop();
    this.#directory.remove();
  }
}
