/**
 * Reads accessories for device kinds, by the API's names of services and characteristics. Missing or malformed values
 * are `undefined`, because devices may omit any of them.
 */
import type { HomeAccessory, HomeCharacteristic, HomeService, Value } from '../home/home-document.ts';
import type { Write } from '../home/write.ts';

/** Types that HAP does not define have a vendor UUID. */
export const UUID = /^[0-9a-f]{8}-/i;

/** The first service of one of these types; a primary service precedes all others. */
export function serviceOf({ services }: HomeAccessory, ...types: readonly string[]): HomeService | undefined {
  const found = services.filter(({ type }) => types.includes(type));
  return found.find(({ isPrimary }) => isPrimary) ?? found[0];
}

export function servicesOf({ services }: HomeAccessory, ...types: readonly string[]): readonly HomeService[] {
  return services.filter(({ type }) => types.includes(type));
}

export function characteristicOf(service: HomeService | undefined, type: string): HomeCharacteristic | undefined {
  return service?.characteristics.find((characteristic) => characteristic.type === type);
}

export function numberOf(service: HomeService | undefined, type: string): number | undefined {
  const value = characteristicOf(service, type)?.value;
  return typeof value === 'number' ? value : undefined;
}

/** HAP has flags as booleans, and as numbers where 0 is no. */
export function flagOf(service: HomeService | undefined, type: string): boolean | undefined {
  return flagIn(characteristicOf(service, type)?.value);
}

function flagIn(value: Value | undefined): boolean | undefined {
  if (typeof value === 'number') return value !== 0;
  return typeof value === 'boolean' ? value : undefined;
}

export function textOf(service: HomeService | undefined, type: string): string | undefined {
  const value = characteristicOf(service, type)?.value;
  return typeof value === 'string' ? value : undefined;
}

/** Whether any service has this flag set: a fault, a low battery. */
export function anyFlag({ services }: HomeAccessory, type: string): boolean {
  return services.some((service) => flagOf(service, type) === true);
}

/** The range of a slider; HAP's defaults if the device reports none. */
export interface Range {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

export function rangeOf(characteristic: HomeCharacteristic | undefined, fallback: Range): Range {
  const { min, max, step } = fallback;
  const given = characteristic?.minStep ?? step;
  return {
    min: characteristic?.minValue ?? min,
    max: characteristic?.maxValue ?? max,
    step: given > 0 ? given : step,
  };
}

export const PERCENT: Range = { min: 0, max: 100, step: 1 };

/** The values that an enumeration accepts, as numbers; `undefined` if the device does not report them. */
export function choicesOf(characteristic: HomeCharacteristic | undefined): readonly number[] | undefined {
  const numbers = characteristic?.validValues?.map(Number).filter(Number.isFinite);
  return numbers && numbers.length > 0 ? numbers : undefined;
}

/** The write of one value; none if the device does not accept it. */
export function writeOf(
  accessory: HomeAccessory,
  service: HomeService | undefined,
  type: string,
  value: Value,
): readonly Write[] {
  const characteristic = characteristicOf(service, type);
  if (!service || !characteristic?.canWrite) return [];
  return [
    {
      accessoryId: accessory.id,
      serviceId: service.id,
      characteristicId: characteristic.id,
      characteristicType: type,
      value,
    },
  ];
}

/** Whether a value was set here and the device has not confirmed it. */
function isSent({ wanted = {} }: HomeAccessory, service: HomeService | undefined, type: string): boolean {
  const { id } = characteristicOf(service, type) ?? {};
  return id !== undefined && id in wanted;
}

/** What a switch shows, and what is known of it. */
export interface ToggleState {
  /** As it was asked to be, or else as it is. */
  readonly isOn: boolean;
  /** What the device confirmed last; `undefined` if it is not known. */
  readonly confirmed: boolean | undefined;
  /** It was switched here, and the device has not confirmed it. */
  readonly isSent: boolean;
}

export function toggleOf(accessory: HomeAccessory, service: HomeService | undefined, type: string): ToggleState {
  const characteristic = characteristicOf(service, type);
  const isOn = flagIn(characteristic?.value);
  const sent = isSent(accessory, service, type);
  const confirmed = sent && characteristic ? flagIn(accessory.confirmed?.[characteristic.id]) : isOn;
  return { isOn: isOn ?? false, confirmed, isSent: sent };
}

/** For screen readers. ARIA has no switch that is neither on nor off, and none without a state. */
export function toggleSemantics(confirmed: boolean | undefined) {
  return confirmed === undefined
    ? ({ role: 'checkbox', 'aria-checked': 'mixed' } as const)
    : ({ role: 'switch', 'aria-checked': confirmed } as const);
}

/** Of the one of HAP's two characteristics that switch a service on which it has. */
export function powerToggleOf(accessory: HomeAccessory, service: HomeService | undefined): ToggleState {
  return toggleOf(accessory, service, characteristicOf(service, 'power_state') ? 'power_state' : 'active');
}

/** `power_state` of lamps and switches, `active` of newer services. */
export function powerOf(service: HomeService | undefined): boolean | undefined {
  return flagOf(service, 'power_state') ?? flagOf(service, 'active');
}

export function powerWrites(
  accessory: HomeAccessory,
  service: HomeService | undefined,
  isOn: boolean,
): readonly Write[] {
  if (characteristicOf(service, 'power_state')) return writeOf(accessory, service, 'power_state', isOn);
  return writeOf(accessory, service, 'active', Number(isOn));
}
