/**
 * Translates an accessory server's database into what the home is told: names, categories, and only those values that can
 * be trusted before they have been read.
 */
import type { DescribedAccessory } from '../../home/accessory-driver.ts';
import type { Characteristic, Service } from '../../home/model.ts';
import type { AttributeDatabase } from './accessory-database.ts';

const ACCESSORY_INFORMATION = '3E';
const NAME = '23';
const CONFIGURED_NAME = 'E3';
const MANUFACTURER = '20';
const SERIAL_NUMBER = '30';
const FIRMWARE_REVISION = '52';
const OTHER_CATEGORY = 1;
const BRIDGE_CATEGORY = 2;

/** Services that say nothing about what the accessory is for: battery, label, lock management, transports, Eve history. */
const SUPPORTING_SERVICES: ReadonlySet<string> = new Set([
  ACCESSORY_INFORMATION,
  'A2', // protocol information
  '96',
  'CC',
  '44',
  '239',
  '701',
  '22A', // Wi-Fi transport
  'E863F007-079E-48FF-8F27-9C2605A29F52',
]);

/** HAP category of a bridge's child, which advertises none itself: by its first telling service, in this order. */
const CATEGORY_BY_SERVICE: readonly (readonly [service: string, category: number])[] = [
  ['43', 5], // lightbulb
  ['4A', 9], // thermostat
  ['BC', 21], // heater cooler → air conditioner
  ['45', 6], // door lock
  ['41', 4], // garage door opener
  ['7E', 11], // security system
  ['8C', 14], // window covering
  ['8B', 13], // window
  ['81', 12], // door
  ['40', 3], // fan
  ['B7', 3],
  ['BB', 19], // air purifier
  ['BD', 22], // humidifier
  ['CF', 28], // sprinkler
  ['D7', 29], // faucet
  ['D0', 28],
  ['121', 18], // video doorbell
  ['110', 17], // IP camera
  ['47', 7], // outlet
  ['49', 8], // switch
  ['89', 15], // programmable switch
  ['D8', 31], // television
  ['113', 26], // speaker
];

const SENSOR_SERVICES: ReadonlySet<string> = new Set(
  ['85', '86', '80', '8A', '82', '84', '87', '7F', '97', '8D', '83'], // motion … leak
);
const SENSOR_CATEGORY = 10;

/**
 * @param database as the accessory server described itself.
 * @param server the advertised name and category, for what the database leaves out.
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
 * The name of the accessory information service. Where an owner has renamed the functional services on the device itself
 * (HAP ConfiguredName) and all of them agree, that name wins. Plain service names do not: makers put the product's name there,
 * and four plugs would all be called alike.
 */
function displayName(services: readonly Service[], fallback: string): string {
  const functional = services.filter(({ type }) => !SUPPORTING_SERVICES.has(type));
  const configured = new Set(functional.map((service) => textOf(service, CONFIGURED_NAME)));
  const [agreed] = configured;
  if (configured.size === 1 && agreed) return agreed;
  const information = services.find(({ type }) => type === ACCESSORY_INFORMATION);
  return (information && textOf(information, NAME)) || fallback.trim() || 'Unknown';
}

/** What an accessory says of its make. */
export function informationOf(services: readonly Service[]): {
  readonly manufacturer: string | null;
  readonly serialNumber: string | null;
  readonly firmware: string | null;
} {
  const information = services.find(({ type }) => type === ACCESSORY_INFORMATION);
  const text = (type: string): string | null => (information && textOf(information, type)) || null;
  return { manufacturer: text(MANUFACTURER), serialNumber: text(SERIAL_NUMBER), firmware: text(FIRMWARE_REVISION) };
}

function textOf(service: Service, type: string): string {
  const value = service.characteristics.find((characteristic) => characteristic.type === type)?.value;
  return typeof value === 'string' ? value.trim() : '';
}

function categoryOf(services: readonly Service[], aid: string): number {
  const types = new Set(services.map(({ type }) => type));
  for (const [service, category] of CATEGORY_BY_SERVICE) if (types.has(service)) return category;
  if ([...types].some((type) => SENSOR_SERVICES.has(type))) return SENSOR_CATEGORY;
  return aid === '1' ? BRIDGE_CATEGORY : OTHER_CATEGORY;
}

/**
 * Values in GET /accessories may be stale after a restart (thermostats have been seen to show 100 °C), so whatever can change
 * is told only once it has been read. What offers no events (maker, model, serial number) is taken as it stands.
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
