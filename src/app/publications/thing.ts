/** The things of a home that can be published: accessories, service groups and scenes. */
import type { PublicationSelection } from '../../contract/publications.ts';
import { asAccessory } from '../../home/group-accessory.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory, Scene, ServiceGroup } from '../../home/model.ts';
import { matchesTypeFilter } from '../../home/vocabulary/device-types.ts';
import { HearthError } from '../../kernel/errors.ts';

interface ThingFields {
  readonly id: string;
  /** Unique among all kinds of things, and stored with their ids: `accessory:<id>`. */
  readonly key: string;
  readonly name: string;
  /** The name of its room; `null` without one. */
  readonly room: string | null;
}

export type Thing =
  | (ThingFields & { readonly kind: 'accessory'; readonly accessory: Accessory })
  /** `accessory`: the group as one accessory; `undefined` while no member exists. */
  | (ThingFields & { readonly kind: 'group'; readonly group: ServiceGroup; readonly accessory: Accessory | undefined })
  | (ThingFields & { readonly kind: 'scene'; readonly scene: NamedScene });

/** A scene of people, or a built-in one. */
export type NamedScene = Pick<Scene, 'id' | 'homeId' | 'name'>;

interface SelectDeps {
  readonly state: HomeState;
  /** All scenes of a home that can be executed. */
  scenesOf(homeId: string): readonly NamedScene[];
}

/** What a selection names in a home now: accessories, then groups, then scenes, each by name. */
export function selectThings(
  { state, scenesOf }: SelectDeps,
  homeId: string,
  selection: PublicationSelection,
): readonly Thing[] {
  const rooms = new Map(state.rooms(homeId).map(({ id, name }) => [id, name]));
  const accessories = state
    .accessories(homeId)
    .filter((accessory) => isSelected(accessory, selection))
    .map((accessory): Thing => {
      const { id, name, roomId } = accessory;
      return { kind: 'accessory', id, key: `accessory:${id}`, name, room: rooms.get(roomId) ?? null, accessory };
    });
  const groups = state.serviceGroups
    .list(homeId)
    .filter(({ id }) => selection.serviceGroupIds.includes(id))
    .map((group): Thing => {
      const accessory = asAccessory(group, state);
      const room = (accessory && rooms.get(accessory.roomId)) ?? null;
      return { kind: 'group', id: group.id, key: `group:${group.id}`, name: group.name, room, group, accessory };
    });
  const scenes = (selection.sceneIds.length === 0 ? [] : scenesOf(homeId))
    .filter(({ id }) => selection.sceneIds.includes(id))
    .map((scene): Thing => {
      return { kind: 'scene', id: scene.id, key: `scene:${scene.id}`, name: scene.name, room: null, scene };
    });
  return [...accessories, ...groups, ...scenes];
}

/** The selected groups of each accessory. */
export function groupsByMember(
  state: HomeState,
  { homeId, selection }: { readonly homeId: string; readonly selection: PublicationSelection },
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { id, members } of state.serviceGroups.list(homeId)) {
    if (!selection.serviceGroupIds.includes(id)) continue;
    for (const { accessoryId } of members) groups.set(accessoryId, [...(groups.get(accessoryId) ?? []), id]);
  }
  return groups;
}

function isSelected(accessory: Accessory, selection: PublicationSelection): boolean {
  const { scope, roomIds, types, accessoryIds, exceptIds } = selection;
  if (exceptIds.includes(accessory.id)) return false;
  if (scope === 'home') return true;
  return (
    accessoryIds.includes(accessory.id) ||
    roomIds.includes(accessory.roomId) ||
    types.some((type) => matchesTypeFilter(accessory, type))
  );
}

/**
 * @param before a selection whose ids may be of things that are gone
 * @throws `invalid_value` naming what is not in the home
 */
export function requireKnown(
  { state, scenesOf }: SelectDeps,
  homeId: string,
  selection: PublicationSelection,
  before?: PublicationSelection,
): void {
  const checks = {
    roomIds: (id) => state.room(id)?.homeId === homeId,
    accessoryIds: (id) => state.accessoryIn(homeId, id) !== undefined,
    serviceGroupIds: (id) => state.serviceGroups.find(id)?.homeId === homeId,
    sceneIds: (id) => scenesOf(homeId).some((scene) => scene.id === id),
  } as const satisfies Readonly<Record<string, (id: string) => boolean>>;
  for (const field of Object.keys(checks) as (keyof typeof checks)[]) {
    const unknown = selection[field].find((id) => !before?.[field].includes(id) && !checks[field](id));
    if (unknown === undefined) continue;
    throw new HearthError('invalid_value', `Invalid value for selection.${field}: ${unknown} is not in this home.`, {
      field: `selection.${field}`,
    });
  }
}
