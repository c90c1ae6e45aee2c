/** An accessory in the simplified REST form (API §2.2): its device type, its properties, and the settable ones. */
import type { Accessory, CharacteristicValue, HapId } from '../model.ts';
import { type Binding, bindingsOf } from './bindings.ts';
import { deviceType } from './device-types.ts';

export interface SimplifiedAccessory {
  readonly type: string;
  /** In the order of services and characteristics, without properties that have no value. */
  readonly properties: Readonly<Record<string, boolean | number | string>>;
  /** The properties that are writable and have a value now. */
  readonly settable: readonly string[];
}

/** @param presses the presses to show, by the iid of the button's characteristic; a button has no other value. */
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
