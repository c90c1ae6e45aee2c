/** One published thing as an endpoint of the library. */
import { isDeepStrictEqual } from 'node:util';
import { type ClusterBehavior, Endpoint, type EndpointType } from '@matter/main';
import { BridgedDeviceBasicInformationServer } from '@matter/main/behaviors/bridged-device-basic-information';
import { IdentifyServer } from '@matter/main/behaviors/identify';
import { AirPurifierDevice } from '@matter/main/devices/air-purifier';
import { AirQualitySensorDevice } from '@matter/main/devices/air-quality-sensor';
import { ColorTemperatureLightDevice } from '@matter/main/devices/color-temperature-light';
import { ContactSensorDevice } from '@matter/main/devices/contact-sensor';
import { DimmableLightDevice } from '@matter/main/devices/dimmable-light';
import { DoorLockDevice } from '@matter/main/devices/door-lock';
import { ExtendedColorLightDevice } from '@matter/main/devices/extended-color-light';
import { FanDevice } from '@matter/main/devices/fan';
import { GenericSwitchDevice } from '@matter/main/devices/generic-switch';
import { HumiditySensorDevice } from '@matter/main/devices/humidity-sensor';
import { LightSensorDevice } from '@matter/main/devices/light-sensor';
import { OccupancySensorDevice } from '@matter/main/devices/occupancy-sensor';
import { OnOffLightDevice } from '@matter/main/devices/on-off-light';
import { OnOffPlugInUnitDevice } from '@matter/main/devices/on-off-plug-in-unit';
import { PressureSensorDevice } from '@matter/main/devices/pressure-sensor';
import { SmokeCoAlarmDevice } from '@matter/main/devices/smoke-co-alarm';
import { TemperatureSensorDevice } from '@matter/main/devices/temperature-sensor';
import { ThermostatDevice } from '@matter/main/devices/thermostat';
import { WaterLeakDetectorDevice } from '@matter/main/devices/water-leak-detector';
import { WaterValveDevice } from '@matter/main/devices/water-valve';
import { WindowCoveringDevice } from '@matter/main/devices/window-covering';
import type { MatterClusters, MatterDeviceType, MatterEndpoint, MatterPress } from '../../../home/matter-port.ts';
import { BridgeEvents } from './bridge-events.ts';
import { ButtonServer, CLUSTER_SERVERS } from './cluster-servers.ts';
import { watchRemoteWrites } from './remote-writes.ts';

/** A device type that behaviors can be added to. */
interface DeviceType extends EndpointType {
  with(...behaviors: readonly ClusterBehavior.Type[]): DeviceType;
}

const DEVICE_TYPES: Readonly<Record<MatterDeviceType, DeviceType>> = {
  onOffLight: OnOffLightDevice,
  dimmableLight: DimmableLightDevice,
  colorTemperatureLight: ColorTemperatureLightDevice,
  extendedColorLight: ExtendedColorLightDevice,
  onOffPlugInUnit: OnOffPlugInUnitDevice,
  contactSensor: ContactSensorDevice,
  occupancySensor: OccupancySensorDevice,
  temperatureSensor: TemperatureSensorDevice,
  humiditySensor: HumiditySensorDevice,
  lightSensor: LightSensorDevice,
  pressureSensor: PressureSensorDevice,
  waterLeakDetector: WaterLeakDetectorDevice,
  smokeCoAlarm: SmokeCoAlarmDevice,
  airQualitySensor: AirQualitySensorDevice,
  doorLock: DoorLockDevice,
  thermostat: ThermostatDevice,
  fan: FanDevice,
  airPurifier: AirPurifierDevice,
  windowCovering: WindowCoveringDevice,
  waterValve: WaterValveDevice,
  genericSwitch: GenericSwitchDevice,
};

/** Lengths of the specification (§11.1.5). */
const MAX_NAME_BYTES = 32;

const servers: Readonly<Record<string, ClusterBehavior.Type>> = CLUSTER_SERVERS;

/** The features that it was created with. */
const featuresOf = new WeakMap<Endpoint, MatterEndpoint['features']>();

/** Features are a part of an endpoint's shape, which can't change. */
export function hasFeaturesOf(endpoint: Endpoint, { features }: MatterEndpoint): boolean {
  return isDeepStrictEqual(featuresOf.get(endpoint), features);
}

/** @throws when the library refuses it */
export function createEndpoint(thing: MatterEndpoint, configurationVersion: number): Endpoint {
  const { key, number, deviceType, features, clusters } = thing;
  const behaviors = Object.keys(clusters).map((cluster) => serverOf(cluster, features[cluster] ?? []));
  const type = DEVICE_TYPES[deviceType].with(BridgedDeviceBasicInformationServer, ...behaviors);
  const endpoint = new Endpoint(type, {
    id: key,
    number,
    // Else the library takes one that it refused out of its lists without a change of what controllers see.
    isEssential: false,
    bridgedDeviceBasicInformation: {
      uniqueId: thing.uniqueId,
      // Of all endpoints, a lock alone may have other features one day.
      ...('doorLock' in clusters && { configurationVersion }),
      ...descriptionOf(thing),
      ...(thing.vendor === null ? {} : { vendorName: within(thing.vendor, MAX_NAME_BYTES) }),
      ...(thing.product === null ? {} : { productName: within(thing.product, MAX_NAME_BYTES) }),
      ...(thing.serialNumber === null ? {} : { serialNumber: within(thing.serialNumber, MAX_NAME_BYTES) }),
    },
    ...clusters,
  } as never);
  featuresOf.set(endpoint, features);
  return endpoint;
}

function serverOf(cluster: string, features: readonly string[]): ClusterBehavior.Type {
  const server = servers[cluster];
  if (!server) throw new Error(`There is no cluster "${cluster}"`);
  return features.length === 0 ? server : server.with(...(features as never[]));
}

/** Called once it is part of the bridge. */
export function watchEndpoint(endpoint: Endpoint): void {
  watchRemoteWrites(endpoint);
  endpoint.eventsOf(IdentifyServer).startIdentifying.on(() => endpoint.env.get(BridgeEvents).identify(endpoint.id));
}

/** What may change about an endpoint besides its values. */
export async function describeEndpoint(endpoint: Endpoint, thing: MatterEndpoint): Promise<void> {
  await endpoint.setStateOf(BridgedDeviceBasicInformationServer, descriptionOf(thing));
  await setValues(endpoint, thing.clusters);
}

export async function setValues(endpoint: Endpoint, clusters: MatterClusters): Promise<void> {
  await endpoint.set(clusters as never);
}

export async function press(endpoint: Endpoint, kind: MatterPress): Promise<void> {
  await endpoint.act((agent) => agent.get(ButtonServer).press(kind));
}

function descriptionOf({ name, reachable }: MatterEndpoint) {
  return { nodeLabel: within(name, MAX_NAME_BYTES), productLabel: within(name, 2 * MAX_NAME_BYTES), reachable };
}

/** Cut to a number of bytes in UTF-8, between characters. */
function within(text: string, bytes: number): string {
  let cut = text;
  while (Buffer.byteLength(cut) > bytes) cut = [...cut].slice(0, -1).join('');
  return cut;
}
