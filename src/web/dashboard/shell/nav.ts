import type { Catalogues } from 'texts:types';
import type { IconName } from './nav-icons.ts';

/** An entry of the menu. */
export interface NavRow {
  readonly path: string;
  readonly label: Exclude<keyof Catalogues['shell']['nav'], 'label' | 'more' | 'close'>;
  readonly icon: IconName;
  /** Limits the menu entry to these users; at the address, the page itself explains missing permission. */
  readonly for?: 'managers' | 'developers';
  /** Further addresses whose pages belong to the entry. */
  readonly also?: readonly string[];
  /** In the bottom bar on phones; other entries are behind "More". */
  readonly isMain?: true;
}

export const NAV: readonly NavRow[] = [
  { path: '/', label: 'home', icon: 'home', isMain: true, also: ['/accessories', '/categories', '/pair'] },
  { path: '/automations', label: 'automations', icon: 'automations', isMain: true },
  { path: '/scenes', label: 'scenes', icon: 'scenes', isMain: true },
  { path: '/history', label: 'history', icon: 'history', isMain: true },
  { path: '/energy', label: 'energy', icon: 'energy' },
  { path: '/activity', label: 'activity', icon: 'activity' },
  { path: '/rooms', label: 'rooms', icon: 'rooms' },
  { path: '/virtual', label: 'virtual', icon: 'virtual' },
  { path: '/people', label: 'people', icon: 'people' },
  { path: '/notifications', label: 'notifications', icon: 'notifications' },
  { path: '/connections', label: 'connections', icon: 'connections', also: ['/publish'] },
  { path: '/system', label: 'system', icon: 'system', for: 'managers' },
  { path: '/developer', label: 'developer', icon: 'developer', for: 'developers' },
  { path: '/settings', label: 'settings', icon: 'settings' },
];
