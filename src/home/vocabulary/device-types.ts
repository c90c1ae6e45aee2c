/**
 * The device type of an accessory, from its services. The primary service decides if a row of `device-kinds.ts` lists
 * it. Otherwise the first matching row wins, so the order is the rule: a lamp with a motion sensor is a lamp.
 */
import { serviceByName, serviceTypesNamed } from '../../hap-spec/services.ts';
import { type Accessory, type Service, VIRTUAL_TYPES } from '../model.ts';
import { DEVICE_KINDS, type DeviceTypeName } from './device-kinds.ts';

interface DeviceTypeRow {
  readonly type: string;
  /** Canonical service types, any of which determines this type. */
  readonly services: readonly string[];
}

const DEVICE_TYPES: readonly DeviceTypeRow[] = DEVICE_KINDS.flatMap(({ type, services }) =>
  type === undefined ? [] : { type, services: serviceTypesNamed(...services.map(({ name }) => name)) },
);

/** For accessories without a service that determines the type: by HAP category number. */
const TYPE_BY_CATEGORY: ReadonlyMap<number, DeviceTypeName> = new Map([
  [5, 'light'],
  [9, 'climate'],
  [6, 'lock'],
  [7, 'outlet'],
  [8, 'switch'],
  [15, 'switch'], // programmable switch
]);

const OTHER = 'other';

const TYPE_NAMES: ReadonlySet<string> = new Set([...DEVICE_TYPES.map(({ type }) => type), ...VIRTUAL_TYPES, OTHER]);

/** Virtual accessories that a type filter includes: `type=switch` also finds these. */
const FOUND_AS_WELL: Readonly<Record<string, string>> = { switch: 'input_boolean' };

export interface DeterminedType {
  readonly type: string;
  /** The first service that determined this type. */
  readonly service: Service;
}

const determined = new WeakMap<readonly Service[], DeterminedType | null>();

/**
 * @returns `null` if no service determines the type. Cached by the list of services, which is replaced when it changes.
 */
export function determineType(services: readonly Service[]): DeterminedType | null {
  let result = determined.get(services);
  if (result === undefined) {
    result = findType(services);
    determined.set(services, result);
  }
  return result;
}

/** The type of a virtual accessory is the one it was created with, regardless of its services (decisions §3). */
export function deviceType({ virtual, services, category }: Accessory): string {
  return virtual?.virtualType ?? determineType(services)?.type ?? TYPE_BY_CATEGORY.get(category) ?? OTHER;
}

/**
 * @param filter a device type (`light`: exactly that), otherwise the name of a service (`lightbulb`: any accessory with
 * one), in any case. Any other word matches nothing.
 */
export function matchesTypeFilter(accessory: Accessory, filter: string): boolean {
  const word = filter.trim().toLowerCase();
  if (TYPE_NAMES.has(word)) return [word, FOUND_AS_WELL[word]].includes(deviceType(accessory));
  const wanted = serviceByName(word)?.type;
  return wanted !== undefined && accessory.services.some(({ type }) => type === wanted);
}

function findType(services: readonly Service[]): DeterminedType | null {
  const primary = services.filter((service) => service.primary);
  return findFirstRow(primary) ?? findFirstRow(services);
}

function findFirstRow(services: readonly Service[]): DeterminedType | null {
  for (const row of DEVICE_TYPES) {
    const service = services.find(({ type }) => row.services.includes(type));
    if (service) return { type: row.type, service };
  }
  return null;
}
