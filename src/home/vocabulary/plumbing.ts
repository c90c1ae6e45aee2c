/** Services and characteristics that are not state of a device. Only names, because the browser loads them too. */
import type { CharacteristicName } from '../../hap-spec/characteristics.ts';
import type { ServiceName } from '../../hap-spec/services.ts';

/** Services that describe the accessory. The battery service is not included: its level is state. */
export const DESCRIBING_SERVICES = [
  'accessory_information',
  'protocol_information',
  'label',
] as const satisfies readonly ServiceName[];

/** Services for controllers: administration, transports, Eve's own history. */
export const TRANSPORT_SERVICES = [
  'lock_management',
  'thread_transport',
  'wifi_transport',
  'eve_history',
] as const satisfies readonly ServiceName[];

/** Characteristics that describe the accessory and not its state; `/rest/accessories` shows them. */
export const DESCRIBING_CHARACTERISTICS = [
  'name',
  'manufacturer',
  'model',
  'serial_number',
  'firmware_revision',
  'hardware_revision',
  'identify',
] as const satisfies readonly CharacteristicName[];
