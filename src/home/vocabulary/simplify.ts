/**
 * An accessory as the simplified REST form shows it (API §2.2): a device type, its properties, and which can be set.
 */
import type { Accessory, CharacteristicValue, HapId } from '../model.ts';
import { type Binding, bindingsOf } from './bindings.ts';
import { deviceType } from './device-types.ts';

/** How long a press of a button or doorbell is shown (decisions §3). */
const PRESS_SHOWN_MS = 10_000;

export interface SimplifiedAccessory {
  readonly type: string;
  /** In the order of services and characteristics. What has no value is left out. */
  readonly properties: Readonly<Record<string, boolean | number | string>>;
  /** The properties that can be written and have a value now. */
  readonly settable: readonly string[];
}

type Presses = ReadonlyMap<HapId, { readonly value: number; readonly at: number }>;

/**
 * @param presses the last press of each button by the iid of its characteristic; a button has no value but this.
 * @param now milliseconds since the epoch.
 */
export function simplify(accessory: Accessory, presses: Presses, now: number): SimplifiedAccessory {
  const properties: Record<string, boolean | number | string> = {};
  const settable: string[] = [];
  for (const binding of bindingsOf(accessory.services).list) {
    const value = binding.isButton ? recentPress(binding, presses, now) : readValue(binding);
    if (value === null) continue;
    properties[binding.property] = value;
    if (binding.writable) settable.push(binding.property);
  }
  return { type: deviceType(accessory), properties, settable };
}

function readValue({ conversion, characteristic, service }: Binding): CharacteristicValue {
  return characteristic.value === null ? null : conversion.read(characteristic, service);
}

function recentPress({ characteristic }: Binding, presses: Presses, now: number): CharacteristicValue {
  const press = presses.get(characteristic.iid);
  return press && now - press.at < PRESS_SHOWN_MS ? press.value : null;
}
