import {
  CHARACTERISTIC,
  type CharacteristicName,
  characteristicTypesNamed,
} from '../../../hap-spec/characteristics.ts';
import type { Characteristic, CharacteristicValue, Service } from '../../../home/model.ts';

const TYPES = new Map<CharacteristicName, string>();

/** A service by the names of its characteristics. */
export class HapServiceView {
  readonly service: Service;

  constructor(service: Service) {
    this.service = service;
  }

  find(name: CharacteristicName): Characteristic | undefined {
    const type = typeOf(name);
    return this.service.characteristics.find((one) => one.type === type);
  }

  has(name: CharacteristicName): boolean {
    return this.find(name) !== undefined;
  }

  canWrite(name: CharacteristicName): boolean {
    return this.find(name)?.permissions.includes('pw') === true;
  }

  /** Its value as a number: booleans are 0 and 1. */
  number(name: CharacteristicName): number | undefined {
    return numberOf(this.find(name)?.value);
  }

  isOn(name: CharacteristicName): boolean {
    return (this.number(name) ?? 0) > 0;
  }

  /** Whether an enumeration allows a value; those without a list allow all. */
  allows(name: CharacteristicName, value: number): boolean {
    const characteristic = this.find(name);
    if (!characteristic) return false;
    const { validValues, minValue = value, maxValue = value } = characteristic;
    return validValues ? validValues.includes(value) : value >= minValue && value <= maxValue;
  }
}

function typeOf(name: CharacteristicName): string {
  const known = TYPES.get(name) ?? characteristicTypesNamed(name)[0] ?? CHARACTERISTIC.name;
  TYPES.set(name, known);
  return known;
}

function numberOf(value: CharacteristicValue | undefined): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' ? value : undefined;
}
