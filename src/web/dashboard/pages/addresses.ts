/** The page of each thing that others name: in activity, in the search, where something is used. */
import { sheetPath } from '../devices/accessory-tile.tsx';
import { pageOf } from './automations/list/addresses.ts';

/** By the kind of thing, from its id. Automations of the relay's own format are flows. */
export const PAGE_OF = {
  accessory: sheetPath,
  group: sheetPath,
  room: (id: string) => `/rooms/${encodeURIComponent(id)}`,
  scene: (id: string) => `/scenes/${encodeURIComponent(id)}`,
  automation: (id: string) => pageOf('native', encodeURIComponent(id)),
  flow: (id: string) => pageOf('flows', encodeURIComponent(id)),
  /** All people are on one page. */
  person: () => '/people',
  /** In the list of all. */
  notification: (id: string) => `/notifications#${encodeURIComponent(id)}`,
} as const;
