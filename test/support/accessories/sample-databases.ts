/** Small databases made up for tests, and the recorded ones. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AccessoryJson, CharacteristicJson, Id, ServiceJson } from './served-database.ts';

/** Databases recorded from real products; where they are from is in the folder's README. */
const RECORDED_DIRECTORY = resolve(import.meta.dirname, '../../fixtures/accessories');

/** Names of the recorded databases, `hue_bridge` and the like. */
export function listRecorded(): readonly string[] {
  const files = readdirSync(RECORDED_DIRECTORY).filter((file) => file.endsWith('.json'));
  return files.map((file) => file.replace(/\.json$/, '')).sort();
}

/** The text of a recorded database, as the product sent it. */
export function readRecordedText(name: string): string {
  return readFileSync(join(RECORDED_DIRECTORY, `${name}.json`), 'utf8');
}

export function readRecorded(name: string): AccessoryJson[] {
  return JSON.parse(readRecordedText(name)) as AccessoryJson[];
}

const ON = /^0*25(-|$)/;

/** A switchable characteristic somewhere in the database, by the device's own ids. */
export function findSwitch(
  database: readonly AccessoryJson[],
): { aid: string; characteristic: CharacteristicJson } | undefined {
  for (const accessory of database) {
    for (const service of accessory.services) {
      const characteristic = service.characteristics.find(
        ({ type, perms }) => ON.test(String(type)) && (perms as string[]).includes('pw'),
      );
      if (characteristic) return { aid: String(accessory.aid), characteristic };
    }
  }
  return undefined;
}

const READ = ['pr'];
const READ_EVENTS = ['pr', 'ev'];
const ALL = ['pr', 'pw', 'ev'];

function text(iid: number, type: string, value: string): CharacteristicJson {
  return { iid, type, format: 'string', perms: READ, value };
}

/** The service every accessory begins with: iids 1–7. */
export function informationService(name: string, serial: string, model = 'Sample'): ServiceJson {
  return {
    iid: 1,
    type: '3E',
    characteristics: [
      { iid: 2, type: '14', format: 'bool', perms: ['pw'] },
      text(3, '20', 'hearthd'),
      text(4, '21', model),
      text(5, '23', name),
      text(6, '30', serial),
      text(7, '52', '1.0'),
    ],
  };
}

/** A dimmable colour lamp: on 1.9, brightness 1.10, hue 1.11, saturation 1.12, colour temperature 1.13. */
export function lampAccessory(name: string, aid: Id = 1): AccessoryJson {
  const number = { format: 'float', perms: ALL, minValue: 0, minStep: 1 };
  return {
    aid,
    services: [
      informationService(name, `L-${aid}`, 'Lamp'),
      {
        iid: 8,
        type: '43',
        primary: true,
        characteristics: [
          { iid: 9, type: '25', format: 'bool', perms: ALL, value: false },
          { ...number, iid: 10, type: '8', format: 'int', unit: 'percentage', maxValue: 100, value: 50 },
          { ...number, iid: 11, type: '13', unit: 'arcdegrees', maxValue: 360, value: 0 },
          { ...number, iid: 12, type: '2F', unit: 'percentage', maxValue: 100, value: 0 },
          { ...number, iid: 13, type: 'CE', format: 'uint32', minValue: 140, maxValue: 500, value: 200 },
        ],
      },
    ],
  };
}

/** A lock whose target (1.10) takes timed writes only, its current state 1.9, and a button (1.13). */
export function timedLockAccessory(name: string, aid: Id = 1): AccessoryJson {
  return {
    aid,
    services: [
      informationService(name, `T-${aid}`, 'Lock'),
      {
        iid: 8,
        type: '45',
        characteristics: [
          { iid: 9, type: '1D', format: 'uint8', perms: READ_EVENTS, minValue: 0, maxValue: 3, value: 1 },
          { iid: 10, type: '1E', format: 'uint8', perms: [...ALL, 'tw'], minValue: 0, maxValue: 1, value: 1 },
        ],
      },
      {
        iid: 12,
        type: '89',
        characteristics: [
          { iid: 13, type: '73', format: 'uint8', perms: READ_EVENTS, minValue: 0, maxValue: 2, value: null },
        ],
      },
    ],
  };
}

/**
 * A bridge with `children` lamps, each of 24 characteristics: aid 1 is the bridge, its children follow from 2 on. HAP
 * allows
 * 149. A child's on is `aid.9`, its brightness `aid.10`.
 */
export function bridgeDatabase(children: number): AccessoryJson[] {
  const bridge: AccessoryJson = { aid: 1, services: [informationService('Bridge', 'B-1', 'Bridge')] };
  const lamps = Array.from({ length: children }, (_, index) => fullAccessory(`Lamp ${index + 1}`, index + 2));
  return [bridge, ...lamps];
}

/** A lamp with a power meter: 24 characteristics, so that a fleet weighs what real homes do. */
export function fullAccessory(name: string, aid: Id = 1): AccessoryJson {
  const lamp = lampAccessory(name, aid);
  const sensor = { format: 'float', perms: READ_EVENTS, minValue: 0, maxValue: 100, value: 20 };
  lamp.services.push(
    {
      iid: 20,
      type: '8A',
      characteristics: [
        { ...sensor, iid: 21, type: '11', unit: 'celsius', minValue: -40 },
        text(22, '23', `${name} temperature`),
        { iid: 23, type: '75', format: 'bool', perms: READ_EVENTS, value: true },
      ],
    },
    {
      iid: 30,
      type: '82',
      characteristics: [
        { ...sensor, iid: 31, type: '10', unit: 'percentage', value: 45 },
        text(32, '23', `${name} humidity`),
        { iid: 33, type: '75', format: 'bool', perms: READ_EVENTS, value: true },
      ],
    },
    {
      iid: 40,
      type: '47',
      characteristics: [
        { iid: 41, type: '25', format: 'bool', perms: ALL, value: true },
        { iid: 42, type: '26', format: 'bool', perms: READ_EVENTS, value: false },
        text(43, '23', `${name} outlet`),
        { ...sensor, iid: 44, type: 'E863F10D-079E-48FF-8F27-9C2605A29F52', maxValue: 3680, value: 4.2 },
        { ...sensor, iid: 45, type: 'E863F10C-079E-48FF-8F27-9C2605A29F52', maxValue: 100000, value: 12.5 },
      ],
    },
    {
      iid: 50,
      type: '96',
      characteristics: [
        { iid: 51, type: '68', format: 'uint8', perms: READ_EVENTS, minValue: 0, maxValue: 100, value: 88 },
        { iid: 52, type: '79', format: 'uint8', perms: READ_EVENTS, minValue: 0, maxValue: 1, value: 0 },
      ],
    },
  );
  return lamp;
}
