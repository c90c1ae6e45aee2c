/** Devices that are only on or off: switches, outlets, power strips with several of them, and virtual switches. */
import { type LucideIcon, Plug, PlugZap, Power, ToggleRight } from 'lucide-react';
import type { HomeAccessory } from '../../home/home-document.ts';
import { type DeviceKind, onText } from '../kind.ts';
import { powerOf, powerWrites, servicesOf } from '../reading.ts';

function power(icons: { readonly on: LucideIcon; readonly off: LucideIcon }, ...types: readonly string[]): DeviceKind {
  const switchesOf = (accessory: HomeAccessory) => servicesOf(accessory, ...types);
  const countOn = (accessory: HomeAccessory) => switchesOf(accessory).filter((service) => powerOf(service)).length;
  return {
    look: (accessory) => (countOn(accessory) > 0 ? { icon: icons.on, tone: 'on' } : { icon: icons.off, tone: 'off' }),
    describe(accessory, t) {
      const all = switchesOf(accessory).length;
      const on = countOn(accessory);
      if (switchesOf(accessory).every((service) => powerOf(service) === undefined)) return t.noValue;
      if (all > 1 && on > 0 && on < all) return t.someOn({ on, all });
      return on > 0 ? onText(accessory, t) : t.off;
    },
    act(accessory) {
      const [only, ...others] = switchesOf(accessory);
      // With several switches, only the sheet can ask which one.
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
