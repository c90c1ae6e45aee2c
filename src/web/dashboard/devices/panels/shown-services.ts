/** Selects and orders the services on an accessory's sheet. */
import type { HomeAccessory, HomeService } from '../../home/home-document.ts';
import { SENSORS } from '../kinds/sensors.ts';
import { UUID } from '../reading.ts';

/** Accessory information and protocol services: shown in the details, if at all. */
const NOT_CONTROLLED: ReadonlySet<string> = new Set([
  'access_code',
  'access_control',
  'accessory_information',
  'accessory_metrics',
  'accessory_runtime_information',
  'asset_update',
  'audio_stream_management',
  'bridging_state',
  'camera_recording_management',
  'data_stream_transport_management',
  'diagnostics',
  'eve_history',
  'firmware_update',
  // The television's panel covers all of them.
  'input_source',
  'label',
  'nfc_access',
  'pairing',
  'power_management',
  'protocol_information',
  'siri',
  'siri_endpoint',
  'tap_management',
  'target_control_management',
  'thread_transport',
  'time_information',
  'transfer_transport_management',
  'tunnel',
  'wifi_transport',
]);
/** A camera has one stream service for each viewer; one panel is enough. The keys of a remote share one panel. */
const ONCE: ReadonlySet<string> = new Set(['camera_rtp_stream_management', 'stateless_programmable_switch']);

/** Read-only services: all of an accessory's share one panel. */
function isReading({ type }: HomeService): boolean {
  return type in SENSORS || type === 'battery';
}

/**
 * Vendor services, such as a time server's address, are for the vendor's apps. They are shown only if there is nothing
 * else.
 */
function isMakersOwn({ type }: HomeService): boolean {
  return UUID.test(type);
}

/** Several services in one panel, whose own names do not describe the whole. */
export function isCollective({ type }: HomeService): boolean {
  return ONCE.has(type);
}

/** The services with controls: the accessory's main function first. */
export function controlledServices({ services }: HomeAccessory): readonly HomeService[] {
  const all = services.filter(
    (service, index) =>
      !service.isHidden &&
      !NOT_CONTROLLED.has(service.type) &&
      !isReading(service) &&
      !(ONCE.has(service.type) && services.findIndex(({ type }) => type === service.type) < index),
  );
  const ours = all.filter((service) => !isMakersOwn(service));
  const hasReadings = services.some((service) => !service.isHidden && isReading(service));
  return (ours.length > 0 || hasReadings ? ours : all).toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary));
}

/** The read-only services; the battery last. */
export function readingServices({ services }: HomeAccessory): readonly HomeService[] {
  const shown = services.filter((service) => !service.isHidden && isReading(service));
  return shown.toSorted((a, b) => Number(a.type === 'battery') - Number(b.type === 'battery'));
}
