/**
 * Translates an accessory server's database for the home model: names, categories, and only those values that can be
 * trusted before they have been read.
 */
import { CHARACTERISTIC } from '../../hap-spec/characteristics.ts';
import { SERVICE, serviceTypesNamed } from '../../hap-spec/services.ts';
import type { DescribedAccessory } from '../../home/accessory-driver.ts';
import type { Characteristic, Service } from '../../home/model.ts';
import { DEVICE_SERVICES, SENSOR_CATEGORY } from '../../home/vocabulary/device-kinds.ts';
import { DESCRIBING_SERVICES, TRANSPORT_SERVICES } from '../../home/vocabulary/plumbing.ts';
import type { AttributeDatabase } from './wire/accessory-database.ts';

const OTHER_CATEGORY = 1;
const BRIDGE_CATEGORY = 2;

/** Their names are not the accessory's: battery, label, lock management, transports, Eve history. */
const SUPPORTING_SERVICES: ReadonlySet<string> = new Set(
  serviceTypesNamed(...DESCRIBING_SERVICES, ...TRANSPORT_SERVICES, 'battery', 'accessory_runtime_information'),
);

interface CategoryRow {
  readonly types: readonly string[];
  readonly category: number;
}

/** The HAP category of a bridge's child, which advertises none: by its primary service, else by the first row. */
const CATEGORIES: readonly CategoryRow[] = DEVICE_SERVICES.toSorted(
  (a, b) => (a.categoryRank ?? 0) - (b.categoryRank ?? 0),
).flatMap(({ name, category }) => (category === undefined ? [] : { types: serviceTypesNamed(name), category }));

const DEVICES = CATEGORIES.filter(({ category }) => category !== SENSOR_CATEGORY);

/**
 * @param database the attribute database of the accessory server
 * @param server the advertised name and category, used if the database has none
 */
export function toHome(
  database: AttributeDatabase,
  server: { readonly name: string; readonly category: number },
): readonly DescribedAccessory[] {
  return database.map(({ aid, services }) => ({
    aid,
    name: displayName(services, server.name),
    category: database.length === 1 ? server.category : categoryOf(services, aid),
    services: services.map(withTrustedValues),
  }));
}

/**
 * The name of the accessory information service. If the owner renamed the functional services on the device itself (HAP
 * ConfiguredName), and all of them agree, that name is used instead. Plain service names are not used: manufacturers
 * put the product name there, and four plugs would have the same name.
 */
function displayName(services: readonly Service[], fallback: string): string {
  const functional = services.filter(({ type }) => !SUPPORTING_SERVICES.has(type));
  const configured = new Set(functional.map((service) => textOf(service, CHARACTERISTIC.configuredName)));
  const [agreed] = configured;
  if (configured.size === 1 && agreed) return agreed;
  const information = services.find(({ type }) => type === SERVICE.accessoryInformation);
  return (information && textOf(information, CHARACTERISTIC.name)) || fallback.trim() || 'Unknown';
}

/** Manufacturer, model and serial number of an accessory. */
export function informationOf(services: readonly Service[]): {
  readonly manufacturer: string | null;
  readonly serialNumber: string | null;
  readonly firmware: string | null;
} {
  const information = services.find(({ type }) => type === SERVICE.accessoryInformation);
  const text = (type: string): string | null => (information && textOf(information, type)) || null;
  return {
    manufacturer: text(CHARACTERISTIC.manufacturer),
    serialNumber: text(CHARACTERISTIC.serialNumber),
    firmware: text(CHARACTERISTIC.firmwareRevision),
  };
}

function textOf(service: Service, type: string): string {
  const value = service.characteristics.find((characteristic) => characteristic.type === type)?.value;
  return typeof value === 'string' ? value.trim() : '';
}

function categoryOf(services: readonly Service[], aid: string): number {
  const primary = services.filter(({ primary: isPrimary }) => isPrimary);
  const known = findCategory(DEVICES, primary) ?? findCategory(DEVICES, services) ?? findCategory(CATEGORIES, services);
  return known ?? (aid === '1' ? BRIDGE_CATEGORY : OTHER_CATEGORY);
}

function findCategory(rows: readonly CategoryRow[], services: readonly Service[]): number | undefined {
  return rows.find(({ types }) => services.some(({ type }) => types.includes(type)))?.category;
}

/**
 * Values in GET /accessories may be stale after a restart (thermostats have reported 100 °C), so a changeable value is
 * used only after a read. Characteristics without events (manufacturer, model, serial number) are used unchanged.
 */
function withTrustedValues(service: Service): Service {
  return {
    ...service,
    characteristics: service.characteristics.map(
      (characteristic): Characteristic =>
        characteristic.permissions.includes('ev') ? { ...characteristic, value: null } : characteristic,
    ),
  };
}
