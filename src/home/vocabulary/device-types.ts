/**
 * What kind of device an accessory is, from its services. The first row that matches wins, so the order is the rule: a lamp
 * with a motion sensor is a lamp.
 *
 * To add a device type, add a row (and a property, if it needs one, in `properties.ts`).
 */
import { serviceByName } from '../../hap-spec/services.ts';
import { type Accessory, type Service, VIRTUAL_TYPES } from '../model.ts';

interface DeviceTypeRow {
  readonly type: string;
  /** Canonical service types, any of which makes the accessory this. */
  readonly services: readonly string[];
}

const DEVICE_TYPES: readonly DeviceTypeRow[] = [
  { type: 'light', services: ['43'] },
  { type: 'switch', services: ['49'] },
  { type: 'outlet', services: ['47'] },
  { type: 'climate', services: ['BC', '4A'] }, // heater cooler, thermostat
  { type: 'lock', services: ['45'] },
  { type: 'alarm', services: ['7E'] },
  // Before the sensors and speakers that these devices contain: nearly every doorbell has a camera, a motion sensor, a
  // microphone and a speaker, and nearly every purifier and garage door opener has sensors.
  { type: 'doorbell', services: ['121'] },
  { type: 'camera', services: ['110'] }, // RTP stream management
  { type: 'purifier', services: ['BB'] },
  { type: 'humidifier', services: ['BD'] },
  { type: 'blind', services: ['41', '81', '8B'] }, // garage door, door, window
  { type: 'motion', services: ['85', '86'] }, // motion, occupancy
  { type: 'contact', services: ['80'] },
  { type: 'temperature', services: ['8A'] },
  { type: 'fan', services: ['40', 'B7'] },
  { type: 'blind', services: ['8C'] }, // window covering
  { type: 'valve', services: ['D0'] },
  { type: 'speaker', services: ['113', '112'] }, // speaker, microphone
  { type: 'light_sensor', services: ['84'] },
  { type: 'button', services: ['89'] }, // stateless programmable switch
  { type: 'sensor', services: ['82', '83', '87', '7F', '97', '8D'] }, // humidity, leak, smoke, CO, CO2, air quality
];

/** For accessories without a telling service: by HAP category number. */
const TYPE_BY_CATEGORY: ReadonlyMap<number, string> = new Map([
  [5, 'light'],
  [9, 'climate'],
  [6, 'lock'],
  [7, 'outlet'],
  [8, 'switch'],
  [15, 'switch'], // programmable switch
]);

const OTHER = 'other';

const TYPE_NAMES: ReadonlySet<string> = new Set([...DEVICE_TYPES.map(({ type }) => type), ...VIRTUAL_TYPES, OTHER]);

/** Virtual accessories that a device type finds too: `type=switch` is asked for whatever switches. */
const FOUND_AS_WELL: Readonly<Record<string, string>> = { switch: 'input_boolean' };

export interface DeterminedType {
  readonly type: string;
  /** The first service that made it this type. */
  readonly service: Service;
}

const determined = new WeakMap<readonly Service[], DeterminedType | null>();

/** @returns `null` where no service tells. Remembered by the list of services, which is replaced when it changes. */
export function determineType(services: readonly Service[]): DeterminedType | null {
  let result = determined.get(services);
  if (result === undefined) {
    result = findType(services);
    determined.set(services, result);
  }
  return result;
}

/** A virtual accessory's type is what it was made as, whatever service it has (decisions §3). */
export function deviceType({ virtual, services, category }: Accessory): string {
  return virtual?.virtualType ?? determineType(services)?.type ?? TYPE_BY_CATEGORY.get(category) ?? OTHER;
}

/**
 * @param filter a device type (`light`: exactly that), else the name of a service (`lightbulb`: whatever has one), in any
 *        case. A word that is neither matches nothing.
 */
export function matchesTypeFilter(accessory: Accessory, filter: string): boolean {
  const word = filter.trim().toLowerCase();
  if (TYPE_NAMES.has(word)) return [word, FOUND_AS_WELL[word]].includes(deviceType(accessory));
  const wanted = serviceByName(word)?.type;
  return wanted !== undefined && accessory.services.some(({ type }) => type === wanted);
}

function findType(services: readonly Service[]): DeterminedType | null {
  for (const row of DEVICE_TYPES) {
    const service = services.find(({ type }) => row.services.includes(type));
    if (service) return { type: row.type, service };
  }
  return null;
}
