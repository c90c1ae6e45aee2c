/**
 * An accessory as the simplified REST form shows it (API §2.2): a device type, its properties, and which can be set.
 */
import type { Accessory, CharacteristicValue, HapId } from '../model.ts';
import { type Binding, bindingsOf } from './bindings.ts';
import { deviceType } from './device-types.ts';

export interface SimplifiedAccessory {
  readonly type: string;
  /** In the order of services and characteristics. What has no value is left out. */
  readonly properties: Readonly<Record<string, boolean | number | string>>;
  /** The properties that can be written and have a value now. */
  readonly settable: readonly string[];
}

/** @param presses those still to be shown, by the iid of the button's characteristic; a button has no value but this. */
export function simplify(
  accessory: Accessory,
  presses: ReadonlyMap<HapId, { readonly value: number }>,
): SimplifiedAccessory {
  const properties: Record<string, boolean | number | string> = {};
  const settable: string[] = [];
  for (const binding of bindingsOf(accessory.services).list) {
    const value = binding.isButton ? (presses.get(binding.characteristic.iid)?.value ?? null) : readValue(binding);
    if (value === null) continue;
    properties[binding.property] = value;
    if (binding.writable) settable.push(binding.property);
  }
  return { type: deviceType(accessory), properties, settable };
}

function readValue({ conversion, characteristic, service }: Binding): CharacteristicValue {
  return characteristic.value === null ? null : conversion.read(characteristic, service);
}
