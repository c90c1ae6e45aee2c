/** Combines a device's described services with their known values. */
import { SERVICE } from '../../hap-spec/services.ts';
import { PROGRAMMABLE_SWITCH_EVENT } from '../../home/home-state.ts';
import type { Characteristic, CharacteristicValue, HapId, Service } from '../../home/model.ts';
import { unreachable } from '../../kernel/errors.ts';

/** Whether both have the same services, characteristics and values. */
export function sameServices(a: readonly Service[], b: readonly Service[]): boolean {
  return a.length === b.length && a.every((service, index) => sameService(service, b[index]));
}

function sameService(a: Service, b: Service | undefined): boolean {
  return (
    b !== undefined &&
    a.iid === b.iid &&
    a.type === b.type &&
    a.primary === b.primary &&
    a.hidden === b.hidden &&
    sameList(a.linked, b.linked) &&
    a.characteristics.length === b.characteristics.length &&
    a.characteristics.every((characteristic, index) => sameCharacteristic(characteristic, b.characteristics[index]))
  );
}

function sameCharacteristic(a: Characteristic, b: Characteristic | undefined): boolean {
  return (
    b !== undefined &&
    a.iid === b.iid &&
    a.type === b.type &&
    a.format === b.format &&
    a.unit === b.unit &&
    a.minValue === b.minValue &&
    a.maxValue === b.maxValue &&
    a.minStep === b.minStep &&
    a.maxLength === b.maxLength &&
    sameTextRule(a.textRule, b.textRule) &&
    a.description === b.description &&
    a.value === b.value &&
    sameList(a.permissions, b.permissions) &&
    sameList(a.validValues ?? [], b.validValues ?? [])
  );
}

/** Rules are small and created in one place with the same key order. */
function sameTextRule(a: Characteristic['textRule'], b: Characteristic['textRule']): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function sameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

/** Copies of described services: the home's state changes the values of its own copies. */
export function copyServices(services: readonly Service[]): readonly Service[] {
  return services.map((service) => ({
    ...service,
    characteristics: service.characteristics.map((one) => ({ ...one })),
  }));
}

/**
 * Copies described services, each characteristic with the best known value: the current one, else the one from before
 * the restart, else the described one. Reported values take precedence over descriptions: devices answer
 * `GET /accessories` with stale values, and drivers read again after every connect anyway.
 */
export function settleValues(
  described: readonly Service[],
  current: readonly Service[],
  restored: ReadonlyMap<HapId, CharacteristicValue>,
): readonly Service[] {
  const shown = new Map<HapId, Characteristic>();
  for (const service of current) for (const one of service.characteristics) shown.set(one.iid, one);
  return described.map((service) => ({
    ...service,
    characteristics: service.characteristics.map((one) => {
      const isStatic = service.type === SERVICE.accessoryInformation && one.value !== null;
      return {
        ...one,
        value: isStatic ? one.value : bestValue(one, shown.get(one.iid), restored.get(one.iid) ?? null),
      };
    }),
  }));
}

function bestValue(
  described: Characteristic,
  shown: Characteristic | undefined,
  restored: CharacteristicValue,
): CharacteristicValue {
  if (described.type === PROGRAMMABLE_SWITCH_EVENT) return null;
  const isSame = shown?.type === described.type && shown.format === described.format;
  if (isSame && shown.value !== null) return shown.value;
  return restored !== null && fits(described, restored) ? restored : described.value;
}

/** Whether a value fits this characteristic: after a firmware update an iid may belong to another one. */
function fits({ format }: Characteristic, value: CharacteristicValue): boolean {
  switch (format) {
    case 'bool':
      return typeof value === 'boolean';
    case 'uint8':
    case 'uint16':
    case 'uint32':
    case 'int':
    case 'float':
      return typeof value === 'number';
    case 'uint64':
      return typeof value === 'number' || typeof value === 'string';
    case 'string':
    case 'tlv8':
    case 'data':
      return typeof value === 'string';
    case 'unknown':
      return true;
    default:
      return unreachable(format);
  }
}
