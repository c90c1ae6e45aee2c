/** Whatever is on or off and nothing else: switches, outlets, the strips that have several of them, and virtual switches. */
import { type LucideIcon, Plug, PlugZap, Power, ToggleRight } from 'lucide-react';
import type { HouseAccessory } from '../../house/house-document.ts';
import type { DeviceKind } from '../kind.ts';
import { powerOf, powerWrites, servicesOf } from '../reading.ts';

function power(icons: { readonly on: LucideIcon; readonly off: LucideIcon }, ...types: readonly string[]): DeviceKind {
  const switchesOf = (accessory: HouseAccessory) => servicesOf(accessory, ...types);
  const countOn = (accessory: HouseAccessory) => switchesOf(accessory).filter((service) => powerOf(service)).length;
  return {
    look: (accessory) => (countOn(accessory) > 0 ? { icon: icons.on, tone: 'on' } : { icon: icons.off, tone: 'off' }),
    describe(accessory, t) {
      const all = switchesOf(accessory).length;
      const on = countOn(accessory);
      if (switchesOf(accessory).every((service) => powerOf(service) === undefined)) return t.noValue;
      if (all > 1 && on > 0 && on < all) return t.someOn(on, all);
      return on > 0 ? t.on : t.off;
    },
    act(accessory) {
      const [only, ...others] = switchesOf(accessory);
      // Which of several is meant, only the sheet can ask.
      if (!only || others.length > 0) return undefined;
      const isOn = powerOf(only) ?? false;
      const writes = powerWrites(accessory, only, !isOn);
      return writes.length > 0 ? { isOn, writes } : undefined;
    },
  };
}

export const switched = power({ on: Power, off: Power }, 'switch');
export const outlet = power({ on: PlugZap, off: Plug }, 'outlet');
export const virtualSwitch = power({ on: ToggleRight, off: ToggleRight }, 'switch');
