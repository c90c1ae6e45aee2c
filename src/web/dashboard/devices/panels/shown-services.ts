/** Which of an accessory's services its sheet has, and in which order. */
import type { HouseAccessory, HouseService } from '../../house/house-document.ts';
import { SENSORS } from '../kinds/sensors.ts';
import { UUID } from '../reading.ts';

/** What accessories say about themselves, and how machines speak with them: in the details, if at all. */
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
  // The television's panel has all of them.
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
/** A camera has a stream for each who watches; one is enough to say so. The keys of a remote are one panel. */
const ONCE: ReadonlySet<string> = new Set(['camera_rtp_stream_management', 'stateless_programmable_switch']);

/** They only tell: all of an accessory's are in one place. */
function isReading({ type }: HouseService): boolean {
  return type in SENSORS || type === 'battery';
}

/** What makers made up is for their own apps, like a time server's address: it is shown where there is nothing else. */
function isMakersOwn({ type }: HouseService): boolean {
  return UUID.test(type);
}

/** Several services in one panel, whose own names say nothing about the whole. */
export function isCollective({ type }: HouseService): boolean {
  return ONCE.has(type);
}

/** What can be set: what the accessory is for first. */
export function controlledServices({ services }: HouseAccessory): readonly HouseService[] {
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

/** What only tells; the battery last. */
export function readingServices({ services }: HouseAccessory): readonly HouseService[] {
  const shown = services.filter((service) => !service.isHidden && isReading(service));
  return shown.toSorted((a, b) => Number(a.type === 'battery') - Number(b.type === 'battery'));
}
