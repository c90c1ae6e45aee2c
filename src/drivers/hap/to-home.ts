/**
 * Translates an accessory server's database for the home model: names, categories, and only those values that can be
 * trusted before they have been read.
 */
import { CHARACTERISTIC } from '../../hap-spec/characteristics.ts';
import { SERVICE } from '../../hap-spec/services.ts';
import type { DescribedAccessory } from '../../home/accessory-driver.ts';
import type { Characteristic, Service } from '../../home/model.ts';
import type { AttributeDatabase } from './wire/accessory-database.ts';

const OTHER_CATEGORY = 1;
const BRIDGE_CATEGORY = 2;

/** Services that do not define the accessory's category: battery, label, lock management, transports, Eve history. */
const SUPPORTING_SERVICES: ReadonlySet<string> = new Set([
  SERVICE.accessoryInformation,
  SERVICE.protocolInformation,
  SERVICE.battery,
  SERVICE.label,
  SERVICE.lockManagement,
  SERVICE.accessoryRuntimeInformation,
  SERVICE.threadTransport,
  SERVICE.wifiTransport,
  SERVICE.eveHistory,
]);

/**
 * The HAP category of a bridge's child, which advertises none itself: by its primary service, else by the first service
 * in this list. An accessory that may contain a light or a switch comes before them, as in
 * `home/vocabulary/device-types.ts`.
 */
const CATEGORY_BY_SERVICE: readonly (readonly [service: string, category: number])[] = [
  [SERVICE.doorbell, 18],
  [SERVICE.cameraRtpStreamManagement, 17],
  [SERVICE.thermostat, 9],
  [SERVICE.heaterCooler, 21], // heater cooler → air conditioner
  [SERVICE.humidifierDehumidifier, 22],
  [SERVICE.lightbulb, 5],
  [SERVICE.lock, 6],
  [SERVICE.garageDoor, 4],
  [SERVICE.securitySystem, 11],
  [SERVICE.windowCovering, 14],
  [SERVICE.window, 13],
  [SERVICE.door, 12],
  [SERVICE.fan, 3],
  [SERVICE.fanV2, 3],
  [SERVICE.airPurifier, 19],
  [SERVICE.irrigationSystem, 28],
  [SERVICE.faucet, 29],
  [SERVICE.valve, 28],
  [SERVICE.outlet, 7],
  [SERVICE.switch, 8],
  [SERVICE.statelessProgrammableSwitch, 15],
  [SERVICE.television, 31],
  [SERVICE.speaker, 26],
];

const SENSOR_SERVICES: ReadonlySet<string> = new Set([
  SERVICE.motionSensor,
  SERVICE.occupancySensor,
  SERVICE.contactSensor,
  SERVICE.temperatureSensor,
  SERVICE.humiditySensor,
  SERVICE.lightSensor,
  SERVICE.smokeSensor,
  SERVICE.carbonMonoxideSensor,
  SERVICE.carbonDioxideSensor,
  SERVICE.airQualitySensor,
  SERVICE.leakSensor,
]);
const SENSOR_CATEGORY = 10;

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
  const tableCategory = findCategory(services.filter(({ primary }) => primary)) ?? findCategory(services);
  if (tableCategory !== undefined) return tableCategory;
  if (services.some(({ type }) => SENSOR_SERVICES.has(type))) return SENSOR_CATEGORY;
  return aid === '1' ? BRIDGE_CATEGORY : OTHER_CATEGORY;
}

function findCategory(services: readonly Service[]): number | undefined {
  return CATEGORY_BY_SERVICE.find(([service]) => services.some(({ type }) => type === service))?.[1];
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
