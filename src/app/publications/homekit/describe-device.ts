/**
 * A device as HomeKit accessory: its services and characteristics as they came in, with the name that it has in our
 * home. What is left out belongs to the connection with the device itself.
 */
import type { PublicationRemarkCode } from '../../../contract/publications.ts';
import { CHARACTERISTIC, characteristicTypesNamed } from '../../../hap-spec/characteristics.ts';
import { SERVICE, serviceName, serviceTypesNamed } from '../../../hap-spec/services.ts';
import { lampsOf } from '../../../home/adaptive-lighting/lamp.ts';
import type { HomeState } from '../../../home/home-state.ts';
import type { Accessory, Characteristic, Permission, Service } from '../../../home/model.ts';
import type { PublishedCharacteristic } from '../../../home/publication-port.ts';
import { determineType } from '../../../home/vocabulary/device-types.ts';
import { TRANSPORT_SERVICES } from '../../../home/vocabulary/plumbing.ts';
import { formatOf } from '../../../home/vocabulary/values.ts';
import { remark } from '../remarks.ts';
import { BRIDGE_MODEL, deviceInformation, fixedSpec, informationService, MANUFACTURER } from './information.ts';
import type { CharacteristicTemplate, Described, ServiceTemplate, TransitionSource } from './template.ts';

const CAMERA_SERVICES: ReadonlySet<string> = new Set(
  serviceTypesNamed('camera_rtp_stream_management', 'camera_control', 'microphone', 'audio_stream_management'),
);

/** Recordings go to the home hub that the camera is paired with. */
const RECORDING_SERVICES: ReadonlySet<string> = new Set(
  serviceTypesNamed('camera_recording_management', 'camera_operating_mode'),
);

/** Services between a device and the controller that it is paired with. */
const OWN_SERVICES: ReadonlySet<string> = new Set(
  serviceTypesNamed(
    ...TRANSPORT_SERVICES,
    'accessory_information',
    'protocol_information',
    'pairing',
    'tunnel',
    'cloud_relay',
    'bridging_state',
    'bridge_configuration',
    'time_information',
    'access_control',
    'target_control_management',
    'target_control',
    'data_stream_transport_management',
    'transfer_transport_management',
    'siri',
    'siri_endpoint',
    'assistant',
    'wifi_router',
    'wifi_satellite',
    'power_management',
    'tap_management',
    'firmware_update',
    'diagnostics',
    'accessory_runtime_information',
    'access_code',
    'nfc_access',
    'asset_update',
    'accessory_metrics',
  ),
);

/** Characteristics that are a conversation with the device, not a value; and the relay's own. Lamps get ours. */
const OWN_CHARACTERISTICS: ReadonlySet<string> = new Set(
  characteristicTypesNamed(
    'adaptive_lighting',
    'characteristic_value_transition_control',
    'supported_characteristic_value_transition_configuration',
    'characteristic_value_active_transition_count',
    'service_signature',
    'lock_control_point',
  ),
);

/** What Apple Home shows only as an accessory that is paired by itself. */
const ALONE: ReadonlySet<string> = new Set(serviceTypesNamed('television', 'smart_speaker'));

/** `aa` and `wr` need more than a value. */
const PUBLISHED_PERMISSIONS: readonly Permission[] = ['pr', 'pw', 'ev', 'tw', 'hd'];

export function describeDevice(accessory: Accessory, state: HomeState): Described {
  if (isFromHearthd(accessory, state)) {
    return { reason: remark('from_hearthd') };
  }
  const hasCamera = accessory.services.some(({ type }) => CAMERA_SERVICES.has(type) || RECORDING_SERVICES.has(type));
  const hasVideo = accessory.services.some(canStream);
  const services = accessory.services
    .filter(({ type }) => !OWN_SERVICES.has(type) && !RECORDING_SERVICES.has(type))
    .filter(({ type }) => hasVideo || !hasCamera || !(CAMERA_SERVICES.has(type) || PARTS_OF_CAMERAS.has(type)));
  const templates = services
    .map((service) => serviceTemplate(accessory, service, services))
    .filter(({ characteristics }) => characteristics.length > 0);
  if (templates.every(({ type }) => type === SERVICE.label || type === SERVICE.battery)) {
    return { reason: remark(reasonForNothing(accessory, hasCamera)) };
  }
  const [first] = templates;
  return {
    name: accessory.name,
    publishedAs: determineType(services)?.type ?? (first ? serviceName(first.type) : 'other'),
    category: accessory.category,
    standsAlone: hasVideo || templates.some(({ type }) => ALONE.has(type)),
    note: hasCamera ? remark(hasVideo ? 'camera_video_direct' : 'camera_without_video') : null,
    services: [informationService(deviceInformation(accessory), accessory.id), ...templates],
  };
}

/** Whether controllers can set up a stream of it. */
function canStream({ type, characteristics }: Service): boolean {
  const canWrite = (wanted: string): boolean =>
    characteristics.some((one) => one.type === wanted && one.permissions.includes('pw'));
  return type === SERVICE.cameraRtpStreamManagement && STREAM_TYPES.every(canWrite);
}

const [SETUP_ENDPOINTS = ''] = characteristicTypesNamed('setup_endpoints');
const STREAM_TYPES = characteristicTypesNamed('setup_endpoints', 'selected_rtp_stream_configuration');

/** A doorbell, its loudspeaker and its lock control are worth nothing without the video. */
const PARTS_OF_CAMERAS: ReadonlySet<string> = new Set(serviceTypesNamed('doorbell', 'speaker'));

function reasonForNothing({ services }: Accessory, hasCamera: boolean): PublicationRemarkCode {
  if (services.length === 0) return 'not_known_yet';
  return hasCamera ? 'camera_video' : 'apple_home_nothing';
}

/** Whether its server is one of a hearthd: what came in that way would go round in circles. */
export function isFromHearthd({ address }: Accessory, state: HomeState): boolean {
  const server = state.findByAddress({ source: address.source, aid: '1' });
  const has = (service: string, type: string, text: string): boolean =>
    server?.services
      .find((one) => one.type === service)
      ?.characteristics.some((one) => one.type === type && one.value === text) === true;
  const { accessoryInformation, protocolInformation } = SERVICE;
  const isBridge =
    has(accessoryInformation, CHARACTERISTIC.manufacturer, MANUFACTURER) &&
    has(accessoryInformation, CHARACTERISTIC.model, BRIDGE_MODEL);
  return isBridge || has(protocolInformation, CHARACTERISTIC.name, MANUFACTURER);
}

function serviceTemplate(accessory: Accessory, service: Service, published: readonly Service[]): ServiceTemplate {
  const { iid, type, primary, hidden, linked, characteristics } = service;
  const keys = new Map(published.map((one) => [one.iid, keyOf(one)]));
  return {
    key: keyOf(service),
    type,
    primary,
    hidden,
    linked: linked.flatMap((one) => (one === iid ? [] : (keys.get(one) ?? []))),
    characteristics: [
      ...characteristics.flatMap((one) => characteristicTemplate(accessory.id, service, one) ?? []),
      ...transitionTemplates(accessory, service),
    ],
  };
}

/** Lamps with a colour temperature offer adaptive lighting to Apple Home: the relay runs what it writes. */
function transitionTemplates(accessory: Accessory, service: Service): readonly CharacteristicTemplate[] {
  const lamp = lampsOf(accessory).find((one) => one.service === service);
  if (
    !lamp?.brightness ||
    ![lamp.brightness, lamp.temperature].every(({ permissions }) => permissions.includes('pr'))
  ) {
    return [];
  }
  const source = {
    ...({ kind: 'transition', accessoryId: accessory.id, serviceIid: service.iid } as const),
    ...{ temperature: keyOf(lamp.temperature), brightness: keyOf(lamp.brightness) },
  };
  return Object.entries(TRANSITION_PARTS).map(([type, part]) => ({
    ...fixedSpec(type, { ...source, part }),
    key: `${service.iid}:adaptive/${type}`,
  }));
}

const TRANSITION_PARTS = {
  [CHARACTERISTIC.supportedCharacteristicValueTransitionConfiguration]: 'supported',
  [CHARACTERISTIC.characteristicValueTransitionControl]: 'control',
  [CHARACTERISTIC.characteristicValueActiveTransitionCount]: 'count',
} as const satisfies Readonly<Record<string, TransitionSource['part']>>;

/** A device that uses an iid for another purpose after an update gets a new one of ours. */
function keyOf({ iid, type }: Pick<Service | Characteristic, 'iid' | 'type'>): string {
  return `${iid}:${type}`;
}

function characteristicTemplate(
  accessoryId: string,
  service: Service,
  characteristic: Characteristic,
): CharacteristicTemplate | undefined {
  const { iid, type } = characteristic;
  const shape = shapeOf(characteristic);
  if (!shape) return undefined;
  return {
    key: keyOf(characteristic),
    shape,
    source: {
      kind: type === SETUP_ENDPOINTS ? 'stream' : 'characteristic',
      accessoryId,
      serviceIid: service.iid,
      iid,
      type,
    },
  };
}

/** @returns `undefined` for what can't be published */
export function shapeOf(characteristic: Characteristic): Omit<PublishedCharacteristic, 'iid'> | undefined {
  const { iid: _, value: __, textRule: ___, permissions, ...shape } = characteristic;
  if (OWN_CHARACTERISTICS.has(characteristic.type)) return undefined;
  const format = formatOf(characteristic);
  const published = PUBLISHED_PERMISSIONS.filter((one) => permissions.includes(one));
  if (format === 'unknown' || permissions.includes('wr') || !published.some((one) => one !== 'hd')) return undefined;
  return { ...shape, format, permissions: published };
}
