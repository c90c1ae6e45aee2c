/**
 * The properties of accessories as automations name them: a characteristic in snake_case, numbered from the second
 * service that has one (`power_state_2`). Internal characteristics are left out.
 */
import type { CharacteristicName } from '../../../hap-spec/characteristics.ts';
import type { ServiceName } from '../../../hap-spec/services.ts';
import { DEVICE_KINDS } from '../../../home/vocabulary/device-kinds.ts';
import {
  DESCRIBING_CHARACTERISTICS,
  DESCRIBING_SERVICES,
  TRANSPORT_SERVICES,
} from '../../../home/vocabulary/plumbing.ts';
import type { HomeAccessory, HomeCharacteristic, HomeInventory, HomeService } from '../home/home-document.ts';

/** A reference in an automation. The id may be a service group's: its accessory has the same id. */
export interface PropertyRef {
  readonly accessoryId: string;
  readonly characteristicType: string;
}

/** The same, resolved in the home. */
export interface Property extends PropertyRef {
  readonly accessory: HomeAccessory;
  readonly service: HomeService;
  readonly characteristic: HomeCharacteristic;
  /** The number among its kind, from 1. */
  readonly number: number;
  /** Whether the accessory has several of its kind. */
  readonly isNumbered: boolean;
}

/** Services without functions that an automation could use. */
const PLUMBING_SERVICES: ReadonlySet<string> = new Set<ServiceName>([
  ...DESCRIBING_SERVICES,
  ...TRANSPORT_SERVICES,
  ...(['camera_rtp_stream_management', 'camera_operating_mode', 'microphone'] as const),
]);
const PLUMBING: ReadonlySet<string> = new Set<CharacteristicName>([
  ...DESCRIBING_CHARACTERISTICS,
  ...(['configured_name', 'version', 'label_index', 'label_namespace', 'accessory_flags', 'product_data'] as const),
  ...(['is_configured', 'status_active', 'valve_type', 'slat_type'] as const),
]);
/** A type without a name here is a vendor's own. */
const UUID = /^[0-9a-f-]{36}(_\d+)?$/i;
const NUMBERED = /^(.+?)_(\d+)$/;

/** The services that decide the accessory's type, most specific first: their properties have unnumbered names. */
const MAIN_SERVICES: readonly (readonly string[])[] = DEVICE_KINDS.flatMap(({ type, services }) =>
  type === undefined ? [] : [services.map(({ name }) => name)],
);

function findMainService(services: readonly HomeService[]): HomeService | undefined {
  const mainTypes = MAIN_SERVICES.find((types) => services.some(({ type }) => types.includes(type))) ?? [];
  return services.find(({ type }) => mainTypes.includes(type));
}

/** In the order in which the relay numbers services with the same characteristic. */
function rankServices(services: readonly HomeService[]): readonly HomeService[] {
  const main = findMainService(services.filter(({ isPrimary }) => isPrimary)) ?? findMainService(services);
  const rankOf = (service: HomeService) => (service.isPrimary ? 0 : service === main ? 1 : 2);
  return services.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** All properties that can be observed or set; the main service's first. */
export function propertiesOf(accessory: HomeAccessory): readonly Property[] {
  const counts = new Map<string, number>();
  const found: Omit<Property, 'isNumbered'>[] = [];
  for (const service of rankServices(accessory.services)) {
    for (const characteristic of service.characteristics) {
      const { type } = characteristic;
      const number = (counts.get(type) ?? 0) + 1;
      counts.set(type, number);
      if (PLUMBING_SERVICES.has(service.type) || PLUMBING.has(type) || UUID.test(type)) continue;
      const characteristicType = number === 1 ? type : `${type}_${number}`;
      found.push({ accessoryId: accessory.id, characteristicType, accessory, service, characteristic, number });
    }
  }
  return found.map((property) => ({ ...property, isNumbered: (counts.get(property.characteristic.type) ?? 0) > 1 }));
}

/** Accessories, and service groups in the shape of accessories. */
export function targetsOf(inventory: HomeInventory): readonly HomeAccessory[] {
  return [...inventory.accessories, ...inventory.serviceGroups.flatMap(({ accessory }) => accessory ?? [])];
}

export function findTarget(inventory: HomeInventory, id: string): HomeAccessory | undefined {
  const wanted = id.toLowerCase();
  const ofGroup = () =>
    inventory.serviceGroups.find((group) => group.id.toLowerCase() === wanted)?.accessory ?? undefined;
  return inventory.accessories.find((accessory) => accessory.id.toLowerCase() === wanted) ?? ofGroup();
}

/** @returns nothing if the accessory does not exist, or does not have the property (any more) */
export function findProperty(inventory: HomeInventory, ref: PropertyRef): Property | undefined {
  const accessory = findTarget(inventory, ref.accessoryId);
  if (!accessory) return undefined;
  const wanted = ref.characteristicType === 'on' ? 'power_state' : ref.characteristicType;
  return propertiesOf(accessory).find(({ characteristicType }) => characteristicType === wanted);
}

/** `power_state` and `2` of `power_state_2`; names such as `pm2_5_density` have no number. */
export function splitNumber(characteristicType: string): {
  readonly type: string;
  readonly number: string | undefined;
} {
  const [, type, number] = NUMBERED.exec(characteristicType) ?? [];
  return type === undefined ? { type: characteristicType, number: undefined } : { type, number };
}

/** The states of a virtual timer. */
const TIMER_STATES = ['running', 'paused', 'idle'] as const;

/** Numbers whose values have names: enumerations with few states. */
export function isChoice({ characteristic }: Property): boolean {
  const { type, format, validValues, minValue, maxValue, unit } = characteristic;
  if (type === 'virtual_timer') return true;
  if (format === 'bool') return true;
  if (validValues) return true;
  return (
    format?.startsWith('uint8') === true &&
    unit == null &&
    minValue != null &&
    maxValue != null &&
    maxValue - minValue <= 6
  );
}

/** The possible states, in the API's format. */
export function choicesOf({ characteristic }: Property): readonly unknown[] {
  const { type, format, validValues, minValue, maxValue } = characteristic;
  if (type === 'virtual_timer') return TIMER_STATES;
  if (format === 'bool') return [true, false];
  if (validValues) return format === 'string' ? validValues : validValues.map(Number);
  const least = minValue ?? 0;
  return Array.from({ length: (maxValue ?? least) - least + 1 }, (_, index) => least + index);
}

/** Whether its values have an order: only those can be compared. */
export function isNumeric(property: Property): boolean {
  const { format } = property.characteristic;
  return format !== 'bool' && format !== 'string' && format !== 'data' && format !== 'tlv8' && !isChoice(property);
}

/** The most common value, as the first one that is offered. */
export function firstValueOf(property: Property | undefined): unknown {
  if (!property || !isChoice(property)) return undefined;
  const choices = choicesOf(property);
  const { type } = property.characteristic;
  if (type.endsWith('_detected') || type === 'contact_state' || type === 'active') return choices.at(-1);
  return choices[0];
}
