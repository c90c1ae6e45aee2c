/**
 * Loads the icons that users can choose: when the first tile has one, and ahead of the home if the last one had some.
 * The first page does without them.
 */
import type { LucideIcon } from 'lucide-react';
import type { HomeAccessory, HomeInventory } from '../../home/home-document.ts';

type Icons = Readonly<Record<string, LucideIcon>>;

/** In this browser: set if the last home had chosen icons. */
const NEEDED = 'hearthd.icons';

let icons: Icons | undefined;
let loading: Promise<void> | undefined;
const listeners = new Set<() => void>();

export function subscribeToIcons(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** `undefined` until they are loaded. */
export function loadedIcons(): Icons | undefined {
  return icons;
}

/** Without a connection tiles keep the icons of their kinds. @returns when they are loaded, or can't be */
export function loadIcons(): Promise<void> {
  loading ??= import('./icons.ts').then(
    (loaded) => {
      icons = loaded.ICONS;
      for (const listener of listeners) listener();
    },
    () => {
      loading = undefined;
    },
  );
  return loading;
}

/** A virtual accessory may have an icon from its making, by a name of any client. */
export function chosenName({ icon, virtualIcon }: Pick<HomeAccessory, 'icon' | 'virtualIcon'>): string | undefined {
  return icon ?? virtualIcon ?? undefined;
}

/** Before the home is loaded. */
export function loadIconsAhead(): void {
  if (localStorage.getItem(NEEDED) !== null) void loadIcons();
}

/** For a loaded home. @returns when its icons are there */
export async function loadIconsOf({ accessories, serviceGroups, scenes }: HomeInventory): Promise<void> {
  const all = [...accessories, ...serviceGroups.flatMap(({ accessory }) => accessory ?? [])];
  const areNeeded =
    all.some((accessory) => chosenName(accessory) !== undefined) || scenes.some(({ icon }) => icon !== null);
  try {
    if (areNeeded) localStorage.setItem(NEEDED, 'yes');
    else localStorage.removeItem(NEEDED);
  } catch {
    // The storage is full: the next page loads them with the first tile.
  }
  if (areNeeded) await loadIcons();
}
