/** The icon of an accessory or a service group: the one that a user chose, otherwise that of its kind. */
import type { LucideIcon } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import type { HomeAccessory } from '../../home/home-document.ts';
import { kindOf } from '../devices.ts';
import { chosenName, loadedIcons, loadIcons, subscribeToIcons } from './load-icons.ts';

/** For use outside of components. */
export function deviceIconNow(accessory: HomeAccessory): LucideIcon {
  const [name, icons] = [chosenName(accessory), loadedIcons()];
  const chosen = name !== undefined && icons && Object.hasOwn(icons, name) ? icons[name] : undefined;
  return chosen ?? kindOf(accessory).look(accessory).icon;
}

/** Re-renders when the chosen icons are loaded. @param other where there is no accessory */
export function useDeviceIcon(accessory: HomeAccessory): LucideIcon;
export function useDeviceIcon(accessory: HomeAccessory | undefined, other: LucideIcon): LucideIcon;
export function useDeviceIcon(accessory: HomeAccessory | undefined, other?: LucideIcon): LucideIcon | undefined {
  useSyncExternalStore(subscribeToIcons, loadedIcons);
  const isChosen = accessory !== undefined && chosenName(accessory) !== undefined;
  useEffect(() => {
    if (isChosen) void loadIcons();
  }, [isChosen]);
  return accessory ? deviceIconNow(accessory) : other;
}
