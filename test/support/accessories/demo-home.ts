/**
 * A home of genuine HAP-NodeJS accessories on loopback: fifteen servers of every common kind, one of them a bridge. For
 * end-to-end tests and the demo. Device ids, setup codes and pairings are kept in its directory, so that it can be
 * started again as the same home; HAP-NodeJS has one storage a process, so a process has one home directory, unless
 * `storage` names another.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Accessory, Bridge, type Categories, uuid } from '@homebridge/hap-nodejs';
import { airQualitySensor, climateSensor, fan, thermostat } from './demo-home/climate.ts';
import { type Device, describe } from './demo-home/device.ts';
import { Life } from './demo-home/life.ts';
import { colourLamp, plainLamp, whiteLamp } from './demo-home/lights.ts';
import { keepOnLoopback } from './demo-home/loopback-only.ts';
import { balconyDoor, blind, garageDoor, lock } from './demo-home/openings.ts';
import { coffeeMachine, powerStrip } from './demo-home/power.ts';
import {
  alarm,
  doorbell,
  leakSensor,
  lightSensor,
  motionSensor,
  smokeDetector,
  speaker,
  wallButton,
} from './demo-home/safety.ts';
import { useHapStorage } from './hap-storage.ts';
import { createDeviceId, createSetupCode } from './identity.ts';

export interface HomeOptions {
  /** Where pairings and ids are kept; created if absent. */
  readonly directory: string;
  /** HAP-NodeJS's own notes, for homes that come and go in one process; below `directory` unless given. */
  readonly storage?: string;
  /** Put before every name, so that several homes on one machine can be distinguished. */
  readonly prefix?: string;
  /** Things happen by themselves and take their time; `true` by default. */
  readonly behave?: boolean;
  /** Names of the devices that are wanted; all of them unless given. */
  readonly only?: readonly string[];
}

export interface HomeAccessory {
  /** As it is advertised. */
  readonly name: string;
  /** What it is, after any renaming because another home has the name already. */
  readonly device: string;
  /** `AA:BB:CC:DD:EE:FF`. */
  readonly deviceId: string;
  readonly port: number;
  /** `031-45-154`. */
  readonly setupCode: string;
  /** Where it belongs. */
  readonly room: string;
  /** What is behind it, if it is a bridge. */
  readonly children: readonly { readonly name: string; readonly room: string; readonly accessory: Accessory }[];
  /** HAP-NodeJS's own object, to read and change it from its side. */
  readonly accessory: Accessory;
}

export interface DemoHome {
  readonly accessories: readonly HomeAccessory[];
  /** Sends a goodbye, closes all connections and ends all behaviour. */
  stop(): Promise<void>;
}

const bridge: Device = {
  name: 'Bridge',
  room: 'Hallway',
  model: 'Bridge 1',
  category: 2,
  build() {},
  children: [plainLamp, balconyDoor, lightSensor, airQualitySensor, wallButton, smokeDetector, leakSensor],
};

const DEVICES: readonly Device[] = [
  colourLamp,
  whiteLamp,
  coffeeMachine,
  powerStrip,
  thermostat,
  lock,
  garageDoor,
  blind,
  fan,
  motionSensor,
  climateSensor,
  alarm,
  doorbell,
  speaker,
  bridge,
];

/**
 * Starts the home and waits until every accessory is announced: about two seconds. @throws `Error` there is no such
 * device
 */
export async function startParts({
  directory,
  storage,
  prefix = '',
  behave = true,
  only,
}: HomeOptions): Promise<DemoHome> {
  const missing = only?.filter((name) => !DEVICES.some((device) => device.name === name)) ?? [];
  if (missing.length > 0) throw new Error(`The home has no ${missing.join(', ')}`);
  const wanted = DEVICES.filter(({ name }) => only?.includes(name) ?? true);
  const home = resolve(directory);
  useHapStorage(storage ?? join(home, 'hap-nodejs'));
  mkdirSync(home, { recursive: true });
  keepOnLoopback();
  const seed = readSeed(join(home, 'house-seed'));
  const life = new Life(behave);
  const accessories = await Promise.all(wanted.map((device) => publish(device, { seed, prefix, life })));
  return {
    accessories,
    async stop() {
      life.end();
      await Promise.all(accessories.map(({ accessory }) => accessory.unpublish()));
    },
  };
}

interface Surroundings {
  readonly seed: string;
  readonly prefix: string;
  readonly life: Life;
}

async function publish(device: Device, { seed, prefix, life }: Surroundings): Promise<HomeAccessory> {
  const identity = `${seed}/${device.name}`;
  const accessory = build(device, { seed, prefix, life });
  const deviceId = createDeviceId(identity);
  const setupCode = createSetupCode(identity);
  const children = (device.children ?? []).map((child) => ({
    name: `${prefix}${child.name}`,
    room: child.room,
    accessory: build(child, { seed, prefix, life }),
  }));
  accessory.addBridgedAccessories(children.map((child) => child.accessory));
  const listening = once(accessory, 'listening');
  const advertised = once(accessory, 'advertised');
  await accessory.publish({
    username: deviceId,
    pincode: setupCode as `${number}-${number}-${number}`,
    category: device.category as Categories,
    port: 0,
    bind: '127.0.0.1',
    addIdentifyingMaterial: false,
  });
  const [port] = (await listening) as [number];
  await advertised;
  // Renamed where another home has the name already.
  return {
    name: accessory.displayName,
    device: device.name,
    deviceId,
    port,
    setupCode,
    room: device.room,
    children,
    accessory,
  };
}

function build(device: Device, { seed, prefix, life }: Surroundings): Accessory {
  const name = `${prefix}${device.name}`;
  const id = uuid.generate(`${seed}/${device.name}`);
  const accessory = device.children ? new Bridge(name, id) : new Accessory(name, id);
  describe(accessory, device, `HH-${id.slice(0, 8).toUpperCase()}`);
  accessory.on('identify', (_paired, callback) => callback());
  device.build(accessory, life);
  return accessory;
}

function readSeed(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomUUID());
  return readFileSync(file, 'utf8');
}
