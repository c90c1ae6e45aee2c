/** The devices of selected tiles. */
import type { HomeInventory } from '../../../home/home-document.ts';
import type { PairedThing } from '../../system/devices/device-acts.ts';

/**
 * @returns `undefined` if something of them is no device of its own: a group, a virtual accessory, or one of several
 * accessories of a bridge, which are unpaired together
 */
export function pairedThingsOf(
  ids: readonly string[],
  { accessories }: Pick<HomeInventory, 'accessories'>,
): readonly PairedThing[] | undefined {
  const devices = new Map<string, PairedThing>();
  for (const id of ids) {
    const accessory = accessories.find((each) => each.id === id);
    if (!accessory || accessory.isVirtual) return undefined;
    const { deviceId, name, isReachable } = accessory;
    if (accessories.some((other) => other.deviceId === deviceId && !ids.includes(other.id))) return undefined;
    devices.set(deviceId, devices.get(deviceId) ?? { deviceId, name, isThere: isReachable });
  }
  return [...devices.values()];
}
