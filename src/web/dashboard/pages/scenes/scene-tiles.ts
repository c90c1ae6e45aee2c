/** The actions of a scene by accessory, in the rooms and the order of the home page. */
import type { HomeAccessory, HomeInventory, HomeRoom } from '../../home/home-document.ts';
import { asWanted } from '../../home/wanted.ts';
import { findProperty, findTarget } from '../../pickers/property.ts';
import type { Arrangement } from '../home/arrangement.ts';
import { groupSection, sectionsOf } from '../home/sections.ts';
import { type DraftAction, refOf } from './scene-draft.ts';

export interface SceneTile {
  /** Of an accessory or a service group. */
  readonly id: string;
  readonly actions: readonly DraftAction[];
}

export interface SceneRoom {
  /** `GROUPS` for groups of several rooms; `undefined` for what is gone, or what the home page leaves out. */
  readonly room: HomeRoom | undefined;
  readonly tiles: readonly SceneTile[];
}

export function tilesByRoom(
  actions: readonly DraftAction[],
  inventory: HomeInventory,
  arrangement: Arrangement,
  compare: (a: string, b: string) => number,
): readonly SceneRoom[] {
  const byId = new Map<string, readonly DraftAction[]>();
  for (const action of actions) {
    const id = findTarget(inventory, action.accessoryId)?.id ?? action.accessoryId;
    byId.set(id, [...(byId.get(id) ?? []), action]);
  }
  const tileOf = (id: string) => {
    const those = byId.get(id);
    return those ? [{ id, actions: those }] : [];
  };
  const sections = [groupSection(inventory, arrangement, compare), ...sectionsOf(inventory, arrangement, compare)];
  const placed = new Set(sections.flatMap(({ things }) => things.map(({ id }) => id)));
  const rooms: readonly SceneRoom[] = [
    ...sections.map(({ room, things }) => ({ room, tiles: things.flatMap(({ id }) => tileOf(id)) })),
    { room: undefined, tiles: [...byId.keys()].filter((id) => !placed.has(id)).flatMap(tileOf) },
  ];
  return rooms.filter(({ tiles }) => tiles.length > 0);
}

/** What a device reports once it has done what it was asked for. */
const REACHED: Readonly<Record<string, string>> = {
  lock_target_state: 'lock_current_state',
  target_door_state: 'current_door_state',
  target_position: 'current_position',
  security_system_target_state: 'security_system_current_state',
};

/** The accessory as the scene makes it, for the icon and the colour of its tile. */
export function asSet(
  accessory: HomeAccessory,
  actions: readonly DraftAction[],
  inventory: HomeInventory,
): HomeAccessory {
  const values = actions.flatMap((action) => {
    const property = findProperty(inventory, refOf(action));
    if (!property) return [];
    const { service, characteristic } = property;
    const reached = service.characteristics.find(({ type }) => type === REACHED[characteristic.type]);
    return [characteristic, ...(reached ? [reached] : [])].map(({ id }) => [id, action.value] as const);
  });
  return asWanted({ ...accessory, isReachable: true, vanishedAt: null, wanted: Object.fromEntries(values) });
}
