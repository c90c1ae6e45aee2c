/** The name of a service: the name that its owner configured, otherwise the default name. */
import { CHARACTERISTIC } from '../hap-spec/characteristics.ts';
import type { Service } from './model.ts';
import { showableName } from './names.ts';

/** @returns `null` without a displayable name */
export function ownNameOf({ characteristics }: Pick<Service, 'characteristics'>): string | null {
  for (const type of [CHARACTERISTIC.configuredName, CHARACTERISTIC.name]) {
    const value = characteristics.find((characteristic) => characteristic.type === type)?.value;
    const name = typeof value === 'string' ? showableName(value) : '';
    if (name !== '') return name;
  }
  return null;
}
