/** What a publication shows, as options of commands. */
import type { PublicationSelection } from '../../contract/publications.ts';
import type { Scene } from '../../contract/scenes.ts';
import type { ServiceGroup } from '../../contract/service-groups.ts';
import { repeated } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import type { Options } from '../define-command.ts';
import { loadInventory } from '../inventory.ts';

export const SELECTION_OPTIONS = [
  ['--rooms <room>', 'only accessories in this room (repeatable)', repeated],
  ['--types <type>', 'only accessories of this type, such as light or lock (repeatable)', repeated],
  ['--accessories <accessory>', 'only this accessory (repeatable)', repeated],
  ['--groups <group>', 'also this service group, as one accessory (repeatable)', repeated],
  ['--scenes <scene>', 'also this scene, as a switch (repeatable)', repeated],
  ['--except <accessory>', 'not this accessory (repeatable)', repeated],
  ['--only', 'only the groups and scenes that the options name, no accessory'],
] as const;

type SelectionOptions = Options<typeof SELECTION_OPTIONS>;

/**
 * In the API's form.
 * @returns `undefined` if no option is given
 * @throws `CliError` something is not found, or ambiguous
 */
export async function selectionOf(
  options: SelectionOptions,
  api: ApiClient,
  homeText: string | undefined,
): Promise<PublicationSelection | undefined> {
  const { rooms, types, accessories, groups, scenes, except, only } = options;
  const given = [rooms, types, accessories, groups, scenes, except, only];
  if (given.every((option) => option === undefined)) return undefined;
  const inventory = await loadInventory(api);
  const home = homeText === undefined && inventory.homes.length > 1 ? undefined : inventory.home(homeText);
  const isSelected = only === true || [rooms, types, accessories].some((option) => option !== undefined);
  const accessoryIds = (texts: readonly string[] | undefined) =>
    (texts ?? []).map((text) => inventory.accessory(text).id);
  const allGroups = groups === undefined ? [] : await api.get<ServiceGroup[]>('/rest/service-groups');
  const allScenes = scenes === undefined ? [] : await api.get<Scene[]>('/rest/scenes');
  return {
    scope: isSelected ? 'selected' : 'home',
    roomIds: (rooms ?? []).map((text) => inventory.room(text, home).id),
    types: types ?? [],
    accessoryIds: accessoryIds(accessories),
    serviceGroupIds: (groups ?? []).map((text) => inventory.thing('group', text, allGroups).id),
    sceneIds: (scenes ?? []).map((text) => inventory.thing('scene', text, allScenes).id),
    exceptIds: accessoryIds(except),
  };
}
