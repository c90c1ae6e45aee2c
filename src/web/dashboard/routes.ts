/**
 * Every page of the dashboard: its address, and what is loaded when somebody goes there. The relay serves the app at the first part of
 * each address (`faces/pages/dashboard.ts`). The order is the rule: the first row that matches wins.
 */
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { IconName } from './shell/nav-icons.ts';
import type { shellTexts } from './shell/texts/texts.ts';

/** Pages get the parts of their address that have a name. */
export type PageProps = Readonly<Record<string, string | undefined>>;

export interface RouteRow {
  /** `/rooms/:roomId`, as wouter matches it. */
  readonly path: string;
  readonly page: LazyExoticComponent<ComponentType<PageProps>>;
}

/** A row of the menu. */
export interface NavRow {
  readonly path: string;
  readonly label: keyof (typeof shellTexts)['en']['nav'];
  readonly icon: IconName;
  /** Who finds it there; whoever goes to the address is told by the page itself. */
  readonly for?: 'managers' | 'developers';
  /** On phones in the bar at the bottom; the others are behind "More". */
  readonly isMain?: true;
}

type Loaded<Name extends string> = Readonly<Record<Name, ComponentType<never>>>;

/** @param load the page's own file, which no other page loads. */
function page<Name extends string>(load: () => Promise<Loaded<Name>>, name: Name): RouteRow['page'] {
  return lazy(async () => ({ default: (await load())[name] as ComponentType<PageProps> }));
}

export const ROUTES: readonly RouteRow[] = [
  { path: '/', page: page(() => import('./pages/home/home-page.tsx'), 'HomePage') },
];

export const NAV: readonly NavRow[] = [{ path: '/', label: 'home', icon: 'home', isMain: true }];
