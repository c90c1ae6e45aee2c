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

/** The icon of this name once the icons are loaded, else the other one. */
export function useNamedIcon(name: string | null, other: LucideIcon): LucideIcon {
  const icons = useSyncExternalStore(subscribeToIcons, loadedIcons);
  useEffect(() => {
    if (name !== null) void loadIcons();
  }, [name]);
  return (name !== null && icons && Object.hasOwn(icons, name) ? icons[name] : undefined) ?? other;
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
