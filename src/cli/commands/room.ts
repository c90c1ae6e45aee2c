import type { Room } from '../../contract/rooms.ts';
import { HOME_OPTION } from '../action.ts';
import { defineCommand } from '../define-command.ts';
import { type LocatedRoom, loadInventory } from '../inventory.ts';
import { create, listInHomes, type ResourceRow, remove, rename } from '../resource-commands.ts';

const ROOM: ResourceRow<LocatedRoom, readonly [typeof HOME_OPTION]> = {
  argument: ['<room>', 'name, "Home/Room", slug key or id'],
  options: [HOME_OPTION],
  async find(api, text, { home } = {}) {
    const inventory = await loadInventory(api);
    return inventory.room(text, home === undefined ? undefined : inventory.home(home));
  },
  path: ({ id }) => `/rest/rooms/${id}`,
};

/** `hearthd room …`: the rooms of a home. Accessories are moved with `hearthd accessory move`. */
export const roomCommand = defineCommand({
  name: 'room',
  description: 'list, create, rename or delete rooms',
  examples: ['hearthd room list', 'hearthd room create Attic', 'hearthd room rename Attic Studio'],
  commands: [
    listInHomes({
      description: 'list the rooms',
      load: (_api, homeId, { rooms }) =>
        rooms
          .map(({ home: { id, name }, ...room }) => ({ ...room, homeId: id, homeName: name }))
          .filter((room) => homeId === undefined || room.homeId === homeId),
      columns: ({ homeName, name, accessoryCount, isDefault, id }) => ({
        Home: homeName,
        Name: name,
        Accessories: accessoryCount,
        '': isDefault ? 'default' : '',
        Id: id,
      }),
      empty: 'No rooms.',
    }),
    create({
      description: 'create a room',
      arguments: [['<name>']],
      options: [HOME_OPTION],
      path: '/rest/rooms',
      body: async (api, name, { home }) => ({ homeId: (await loadInventory(api)).home(home).id, name }),
      done: ({ name, id }: Room) => `Created the room ${name} (${id}).`,
    }),
    rename(ROOM, {
      description: 'rename a room',
      done: (name, room) => `Renamed the room ${room.name} to ${name}.`,
    }),
    remove(ROOM, {
      description: 'delete a room and move its accessories to the default room',
      done: ({ name }) => `Deleted the room ${name}.`,
    }),
  ],
});
