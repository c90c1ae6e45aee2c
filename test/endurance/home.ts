/**
 * The home of an endurance run: the demo house of genuine accessories, registers that remember what was written to
 * them, and a bridge of lamps. All are paired beforehand, and on loopback only.
 */
import { Characteristic, type PermissionTypes } from '@homebridge/hap-nodejs';
import { registerAccessory, SENSOR } from '../e2e/chaos-fixture.ts';
import { type DemoHome, startParts } from '../support/accessories/demo-home.ts';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { bridgeDatabase } from '../support/accessories/sample-databases.ts';
import { type Answer, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { lastingPorts } from '../support/free-port.ts';
import type { TempDirectory } from '../support/temp-directory.ts';
import { Announcer } from './announcer.ts';
import type { Ledger } from './ledger.ts';

const REGISTER_COUNT = 12;
/** So many of the devices are announced, and may move. */
export const ANNOUNCED = 6;
const LAMPS = 20;
export const DEVICES = REGISTER_COUNT + 1;
/** What HAP calls an admin of an accessory. */
const ADMIN = 1 as PermissionTypes;
const BRIDGE = 2;
const OTHER = 1;
/** From here on an id is the relay's own: adaptive lighting adds a switch to lamps. No device knows it. */
const FIRST_OWN_IID = 2n ** 63n;

/** A point of a device, as `aid.iid`. */
interface Point {
  readonly aid: number;
  readonly iid: number;
}

export class Device {
  readonly accessory: RawAccessory;
  /** What changes from its own side. */
  readonly marker: Point;
  readonly isRegister: boolean;
  /** Whether something is done to it at this moment. */
  isInFault = false;
  #announcer: Announcer | undefined;
  #marks = 0;

  constructor(accessory: RawAccessory, isRegister: boolean) {
    this.accessory = accessory;
    this.isRegister = isRegister;
    this.marker = isRegister ? { aid: 1, iid: SENSOR } : { aid: 2, iid: 10 };
  }

  get name(): string {
    return this.accessory.name;
  }

  async announce(): Promise<void> {
    const { name, deviceId } = this.accessory;
    this.#announcer = await Announcer.start(name, deviceId, this.accessory);
  }

  /** Announces the port and address at which it is now. */
  async announceMove(): Promise<void> {
    await this.#announcer?.move(this.accessory);
  }

  /** Sends a goodbye. */
  async hush(): Promise<void> {
    await this.#announcer?.stop();
    this.#announcer = undefined;
  }

  /** Changes its marker. @returns the new value */
  mark(): number {
    this.#marks += 1;
    const value = this.isRegister ? this.#marks : this.#marks % 100;
    this.accessory.set(this.marker.aid, this.marker.iid, value);
    return value;
  }

  /** What befell it is over. */
  calm(): void {
    this.accessory.clearTricks();
    this.accessory.silent = false;
  }

  async stop(): Promise<void> {
    await this.hush();
    await this.accessory.stop();
  }
}

export class EnduranceHome {
  readonly devices: readonly Device[];
  readonly #demoHome: DemoHome;

  private constructor(devices: readonly Device[], demoHome: DemoHome) {
    this.devices = devices;
    this.#demoHome = demoHome;
  }

  /** @param data the data directory of a daemon that does not run */
  static async start(directory: TempDirectory, data: TempDirectory, ledger: Ledger): Promise<EnduranceHome> {
    const devices = await startDevices(ledger);
    const demoHome = await startParts({ directory: directory.file('demo-home'), prefix: 'Real ' });
    const home = new EnduranceHome(devices, demoHome);
    for (const { accessory } of demoHome.accessories) {
      accessory._accessoryInfo?.addPairedClient(KNOWN_CONTROLLER.id, KNOWN_CONTROLLER.publicKey, ADMIN);
    }
    const genuine = demoHome.accessories.map(({ accessory, deviceId, name, port }) => {
      const publicKey = accessory._accessoryInfo?.signPk;
      if (!publicKey) throw new Error(`${name} has not been published`);
      return { deviceId, name, port, publicKey: Buffer.from(publicKey) };
    });
    sharePairings(data, [...devices.map(({ accessory }) => accessory), ...genuine]);
    return home;
  }

  get deviceIds(): readonly string[] {
    return [
      ...this.devices.map(({ accessory }) => accessory.deviceId),
      ...this.#demoHome.accessories.map(({ deviceId }) => deviceId),
    ];
  }

  get registers(): readonly Device[] {
    return this.devices.filter(({ isRegister }) => isRegister);
  }

  /** Where what is shown of an accessory is not what its device holds. Nothing for one that is no device of these. */
  untruths(shown: Answer['body']): readonly string[] {
    const truthOf = this.#truthOf(shown);
    const characteristics: Answer['body'][] = truthOf
      ? shown.services.flatMap((service: Answer['body']) => service.characteristics)
      : [];
    return characteristics.flatMap(({ id, value, canRead }) => {
      const iid = String(id).split('.').at(-1) ?? '';
      if (!canRead || BigInt(iid) >= FIRST_OWN_IID) return [];
      const truth = truthOf?.(iid);
      const isSame = truth === undefined || truth === null || isEqual(truth, value);
      return isSame ? [] : [`${shown.name}.${iid} is ${String(truth)}, shown ${String(value)}`];
    });
  }

  #truthOf({ deviceId, aid }: Answer['body']): ((iid: string) => unknown) | undefined {
    const raw = this.devices.find(({ accessory }) => accessory.deviceId === deviceId);
    if (raw) return (iid) => raw.accessory.get(aid, iid);
    const server = this.#demoHome.accessories.find((one) => one.deviceId === deviceId);
    const all = server ? [server.accessory, ...server.children.map(({ accessory }) => accessory)] : [];
    const genuine = all.find((one) => String(one.aid) === String(aid));
    const characteristics = genuine?.services.flatMap((service) => service.characteristics);
    const held = characteristics?.filter(({ UUID }) => UUID !== Characteristic.ProgrammableSwitchEvent.UUID);
    // A press is over when it was reported: there is nothing to read of it.
    return held && ((iid) => held.find((one) => String(one.iid) === iid)?.value);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.devices.map((device) => device.stop()), this.#demoHome.stop()]);
  }
}

async function startDevices(ledger: Ledger): Promise<readonly Device[]> {
  const ports = await lastingPorts(DEVICES);
  const devices = await Promise.all(
    ports.map(async (port, index) => {
      const isRegister = index < REGISTER_COUNT;
      const name = isRegister ? `Register ${index + 1}` : 'Bridge of Lamps';
      const accessory = await startRawAccessory({
        ...{ port, name, paired: [KNOWN_CONTROLLER], mdns: false, keepLog: false },
        database: isRegister ? [registerAccessory(name)] : bridgeDatabase(LAMPS),
        category: isRegister ? OTHER : BRIDGE,
      });
      if (isRegister) accessory.onWrite(({ iid, value }) => ledger.carriedOut(value, name, iid));
      return new Device(accessory, isRegister);
    }),
  );
  await Promise.all(devices.slice(0, ANNOUNCED).map((device) => device.announce()));
  return devices;
}

/** Devices of few digits round. */
function isEqual(truth: unknown, shown: unknown): boolean {
  if (typeof truth === 'number' && typeof shown === 'number') return Math.abs(truth - shown) < 0.01;
  return truth === shown;
}
