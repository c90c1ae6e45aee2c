/**
 * What Matter has for each HAP service: one row a device type. The first row that fits a service decides. Clusters know
 * both directions, with their units.
 */
import { type ServiceName, serviceTypesNamed } from '../../../hap-spec/services.ts';
import type { MatterDeviceType } from '../../../home/matter-port.ts';
import { fan, HEATER_COOLER, THERMOSTAT } from './climate-clusters.ts';
import type { ClusterRow } from './cluster-row.ts';
import type { HapServiceView } from './hap-service-view.ts';
import { COLOR, COLOR_TEMPERATURE, LEVEL, onOff } from './light-clusters.ts';
import { COVERING, LOCK, VALVE } from './opening-clusters.ts';
import {
  AIR_QUALITY,
  BUTTON,
  booleanState,
  CONCENTRATIONS,
  HUMIDITY,
  ILLUMINANCE,
  occupancy,
  PRESSURE,
  smokeOrCo,
  TEMPERATURE,
} from './sensor-clusters.ts';

export interface DeviceRow {
  readonly services: readonly ServiceName[];
  readonly deviceType: MatterDeviceType;
  /** What people call it, in the preview. */
  readonly publishedAs: string;
  /** Added to the name of an accessory that is several devices. */
  readonly label: string;
  readonly fits?: (service: HapServiceView) => boolean;
  readonly clusters: readonly ClusterRow[];
}

const POWER = onOff('power_state', ['Lighting']);
const hasColor = (service: HapServiceView): boolean => service.canWrite('hue') && service.canWrite('saturation');

// biome-ignore format: one row, one device type
export const DEVICE_ROWS: readonly DeviceRow[] = [
  { services: ['lightbulb'], deviceType: 'extendedColorLight', publishedAs: 'light', label: 'Light',
    fits: (service) => hasColor(service) && service.canWrite('brightness'), clusters: [POWER, LEVEL, COLOR] },
  { services: ['lightbulb'], deviceType: 'colorTemperatureLight', publishedAs: 'light', label: 'Light',
    fits: (service) => service.canWrite('color_temperature') && service.canWrite('brightness'),
    clusters: [POWER, LEVEL, COLOR_TEMPERATURE] },
  { services: ['lightbulb'], deviceType: 'dimmableLight', publishedAs: 'light', label: 'Light',
    fits: (service) => service.canWrite('brightness'), clusters: [POWER, LEVEL] },
  { services: ['lightbulb'], deviceType: 'onOffLight', publishedAs: 'light', label: 'Light', clusters: [POWER] },
  { services: ['outlet'], deviceType: 'onOffPlugInUnit', publishedAs: 'outlet', label: 'Outlet', clusters: [POWER] },
  // Matter's switches are what controls lamps; a switch that is switched is a plug there.
  { services: ['switch'], deviceType: 'onOffPlugInUnit', publishedAs: 'switch', label: 'Switch', clusters: [POWER] },
  { services: ['lock'], deviceType: 'doorLock', publishedAs: 'lock', label: 'Lock', clusters: [LOCK] },
  { services: ['thermostat'], deviceType: 'thermostat', publishedAs: 'thermostat', label: 'Thermostat', clusters: [THERMOSTAT] },
  { services: ['heater_cooler'], deviceType: 'thermostat', publishedAs: 'thermostat', label: 'Thermostat', clusters: [HEATER_COOLER] },
  { services: ['fan'], deviceType: 'fan', publishedAs: 'fan', label: 'Fan', clusters: [fan('target_fan_state')] },
  { services: ['air_purifier'], deviceType: 'airPurifier', publishedAs: 'air purifier', label: 'Air purifier',
    clusters: [fan('target_air_purifier_state')] },
  { services: ['window_covering', 'window', 'door'], deviceType: 'windowCovering', publishedAs: 'covering', label: 'Covering',
    clusters: [COVERING] },
  { services: ['valve', 'faucet'], deviceType: 'waterValve', publishedAs: 'valve', label: 'Valve', clusters: [VALVE] },
  { services: ['contact_sensor'], deviceType: 'contactSensor', publishedAs: 'contact sensor', label: 'Contact',
    clusters: [booleanState('contact_state', 0)] },
  { services: ['motion_sensor'], deviceType: 'occupancySensor', publishedAs: 'motion sensor', label: 'Motion',
    clusters: [occupancy('motion_detected')] },
  { services: ['occupancy_sensor'], deviceType: 'occupancySensor', publishedAs: 'occupancy sensor', label: 'Occupancy',
    clusters: [occupancy('occupancy_detected')] },
  { services: ['leak_sensor'], deviceType: 'waterLeakDetector', publishedAs: 'leak sensor', label: 'Leak',
    clusters: [booleanState('leak_detected', 1)] },
  { services: ['smoke_sensor'], deviceType: 'smokeCoAlarm', publishedAs: 'smoke alarm', label: 'Smoke', clusters: [smokeOrCo('smoke')] },
  { services: ['carbon_monoxide_sensor'], deviceType: 'smokeCoAlarm', publishedAs: 'CO alarm', label: 'CO', clusters: [smokeOrCo('co')] },
  { services: ['temperature_sensor'], deviceType: 'temperatureSensor', publishedAs: 'temperature sensor', label: 'Temperature',
    clusters: [TEMPERATURE] },
  { services: ['humidity_sensor'], deviceType: 'humiditySensor', publishedAs: 'humidity sensor', label: 'Humidity', clusters: [HUMIDITY] },
  { services: ['light_sensor'], deviceType: 'lightSensor', publishedAs: 'light sensor', label: 'Brightness', clusters: [ILLUMINANCE] },
  { services: ['eve_air_pressure_sensor'], deviceType: 'pressureSensor', publishedAs: 'pressure sensor', label: 'Pressure',
    clusters: [PRESSURE] },
  { services: ['air_quality_sensor', 'carbon_dioxide_sensor'], deviceType: 'airQualitySensor', publishedAs: 'air quality sensor',
    label: 'Air quality', clusters: [AIR_QUALITY] },
  { services: ['stateless_programmable_switch', 'doorbell'], deviceType: 'genericSwitch', publishedAs: 'button', label: 'Button',
    clusters: [BUTTON] },
];

const ROWS_BY_TYPE: ReadonlyMap<string, readonly DeviceRow[]> = rowsByType();

/** The row of a service, with the clusters that it has. */
export function deviceRowOf(service: HapServiceView): DeviceRow | undefined {
  const rows = ROWS_BY_TYPE.get(service.service.type) ?? [];
  const row = rows.find(({ fits }) => fits === undefined || fits(service));
  if (row?.deviceType !== 'airQualitySensor') return row;
  const measured = CONCENTRATIONS.filter(({ name }) => service.has(name)).map((one) => one.row);
  return { ...row, clusters: [...row.clusters, ...measured] };
}

function rowsByType(): ReadonlyMap<string, readonly DeviceRow[]> {
  const byType = new Map<string, DeviceRow[]>();
  for (const row of DEVICE_ROWS) {
    for (const type of serviceTypesNamed(...row.services)) byType.set(type, [...(byType.get(type) ?? []), row]);
  }
  return byType;
}
