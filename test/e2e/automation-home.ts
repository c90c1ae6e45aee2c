/**
 * Genuine HAP-NodeJS accessories for automations to live with: what their side causes, and what arrives there. Pairings
 * are shared beforehand and nothing is announced, so that no test waits for key exchanges and no other process finds
 * them. A process has one such home.
 */
import { once } from 'node:events';
import {
  Accessory,
  Bridge,
  type Categories,
  Characteristic,
  type HAPConnection,
  type PermissionTypes,
  Service,
  uuid,
  type WithUUID,
} from '@homebridge/hap-nodejs';
import { keepOnLoopback } from '../support/accessories/demo-home/loopback-only.ts';
import { testStorage, useHapStorage } from '../support/accessories/hap-storage.ts';
import { createDeviceId, createSetupCode } from '../support/accessories/identity.ts';
import { KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import type { TempDirectory } from '../support/temp-directory.ts';

type HapType = WithUUID<new () => Characteristic>;
/** What HAP calls an admin of an accessory. */
const ADMIN = 1 as PermissionTypes;

/** What arrived at an accessory of the home, in order. */
export interface HomeWrite {
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

/** What is in it, by name. */
export const HOME_NAMES = [
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

/**
 * A bridge with lamps, sensors and a button, and two servers of their own: a lamp, which can be switched off, and a
 * doorbell.
 */
export class AutomationHome implements AsyncDisposable {
  readonly writes: HomeWrite[] = [];
  readonly #services = new Map<string, Service>();
  readonly #servers: readonly Server[];

  private constructor() {
    const bridge = new Bridge('Fixture Bridge', uuid.generate('lab/bridge'));
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
      server(bridge, 'Fixture Bridge'),
      server(lamp('Hall Lamp'), 'Hall Lamp'),
      server(doorbell, 'Doorbell'),
    ];
  }

  static async start(): Promise<AutomationHome> {
    useHapStorage(testStorage());
    keepOnLoopback();
    const home = new AutomationHome();
    await Promise.all(home.#servers.map((one) => publish(one)));
    return home;
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

  /** Something happens at the accessory: all subscribers are notified. */
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

  /** Its writes get no answer before this is resolved; other requests are answered meanwhile. */
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

  /** Whether a client has subscribed to it. */
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
    if (!service) throw new Error(`The home has no ${name}`);
    return service;
  }

  #server(name: string): Server {
    const found = this.#servers.find((one) => one.name === name);
    if (!found) throw new Error(`${name} has no server of its own`);
    return found;
  }
}

/** It has been asked to close. */
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
  // No client looks for them, and several such homes on one machine would claim the same names.
  if (one.accessory._advertiser) one.accessory._advertiser.startAdvertising = () => Promise.resolve();
  [one.port] = (await listening) as [number];
  const { id, publicKey } = KNOWN_CONTROLLER;
  one.accessory._accessoryInfo?.addPairedClient(id, publicKey, ADMIN);
}
