/**
 * How kinds of devices read an accessory: by the names that the API gives services and characteristics. What is missing or of another
 * form than it should be is `undefined`: devices leave out what they like.
 */
import type { HouseAccessory, HouseCharacteristic, HouseService, Value } from '../house/house-document.ts';
import type { Write } from '../house/write.ts';

/** What has no name of HAP's has its maker's. */
export const UUID = /^[0-9a-f]{8}-/i;

/** The first service of one of these types; a primary one before all others. */
export function serviceOf({ services }: HouseAccessory, ...types: readonly string[]): HouseService | undefined {
  const found = services.filter(({ type }) => types.includes(type));
  return found.find(({ isPrimary }) => isPrimary) ?? found[0];
}

export function servicesOf({ services }: HouseAccessory, ...types: readonly string[]): readonly HouseService[] {
  return services.filter(({ type }) => types.includes(type));
}

export function characteristicOf(service: HouseService | undefined, type: string): HouseCharacteristic | undefined {
  return service?.characteristics.find((characteristic) => characteristic.type === type);
}

export function numberOf(service: HouseService | undefined, type: string): number | undefined {
  const value = characteristicOf(service, type)?.value;
  return typeof value === 'number' ? value : undefined;
}

/** HAP has flags as booleans, and as numbers where 0 is no. */
export function flagOf(service: HouseService | undefined, type: string): boolean | undefined {
  const value = characteristicOf(service, type)?.value;
  if (typeof value === 'number') return value !== 0;
  return typeof value === 'boolean' ? value : undefined;
}

export function textOf(service: HouseService | undefined, type: string): string | undefined {
  const value = characteristicOf(service, type)?.value;
  return typeof value === 'string' ? value : undefined;
}

/** Whether anything of this name says yes, in any service: a fault, a low battery. */
export function anyFlag({ services }: HouseAccessory, type: string): boolean {
  return services.some((service) => flagOf(service, type) === true);
}

/** The range that a slider has; HAP's own defaults where the device gives none. */
export interface Range {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

export function rangeOf(characteristic: HouseCharacteristic | undefined, fallback: Range): Range {
  const { min, max, step } = fallback;
  const given = characteristic?.minStep ?? step;
  return {
    min: characteristic?.minValue ?? min,
    max: characteristic?.maxValue ?? max,
    step: given > 0 ? given : step,
  };
}

export const PERCENT: Range = { min: 0, max: 100, step: 1 };

/** The values that an enumeration takes, as numbers; `undefined` where the device does not say. */
export function choicesOf(characteristic: HouseCharacteristic | undefined): readonly number[] | undefined {
  const numbers = characteristic?.validValues?.map(Number).filter(Number.isFinite);
  return numbers && numbers.length > 0 ? numbers : undefined;
}

/** The write of one value; none where the device does not take it. */
export function writeOf(
  accessory: HouseAccessory,
  service: HouseService | undefined,
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

/** `power_state` of lamps and switches, `active` of what was made later. */
export function powerOf(service: HouseService | undefined): boolean | undefined {
  return flagOf(service, 'power_state') ?? flagOf(service, 'active');
}

export function powerWrites(
  accessory: HouseAccessory,
  service: HouseService | undefined,
  isOn: boolean,
): readonly Write[] {
  if (characteristicOf(service, 'power_state')) return writeOf(accessory, service, 'power_state', isOn);
  return writeOf(accessory, service, 'active', Number(isOn));
}
