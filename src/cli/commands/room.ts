import type { Room } from '../../contract/rooms.ts';
import { ROOM_COLORS } from '../../home/vocabulary/room-looks.ts';
import { HOME_OPTION } from '../action.ts';
import { defineCommand } from '../define-command.ts';
import { usageError } from '../exit-codes.ts';
import { type LocatedRoom, loadInventory } from '../inventory.ts';
import { requireFile } from '../read-file.ts';
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
  description: 'list, create, rename or delete rooms, set their color and picture',
  examples: [
    'hearthd room list',
    'hearthd room create Attic',
    'hearthd room color Attic teal',
    'hearthd room picture Attic attic.jpg',
  ],
  commands: [
    listInHomes({
      description: 'list the rooms',
      load: (_api, homeId, { rooms }) =>
        rooms
          .map(({ home: { id, name }, ...room }) => ({ ...room, homeId: id, homeName: name }))
          .filter((room) => homeId === undefined || room.homeId === homeId),
      columns: ({ homeName, name, accessoryCount, color, isDefault, id }) => ({
        Home: homeName,
        Name: name,
        Accessories: accessoryCount,
        Color: color ?? '',
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
    defineCommand({
      name: 'color',
      description: 'set the color of a room',
      arguments: [ROOM.argument, ['[color]', ROOM_COLORS.join(', ')]],
      options: [HOME_OPTION, ['--none', 'remove the color']],
      async run({ api, output }, text, color, { none, ...options }) {
        if ((color === undefined) !== (none ?? false)) throw usageError('Pass either a color or --none.');
        const room = await ROOM.find(api, text, options);
        const changed = await api.send('PATCH', ROOM.path(room), { color: color ?? null });
        output.done(changed, color === undefined ? `Removed the color of ${room.name}.` : `${room.name}: ${color}`);
      },
    }),
    defineCommand({
      name: 'picture',
      description: 'set the picture of a room',
      arguments: [ROOM.argument, ['[file]', 'JPEG, PNG or WebP of at most 200 kB']],
      options: [HOME_OPTION, ['--remove', 'remove the picture']],
      async run({ api, output }, text, file, { remove: isRemoved, ...options }) {
        if ((file === undefined) !== (isRemoved ?? false)) throw usageError('Pass either a file or --remove.');
        const room = await ROOM.find(api, text, options);
        const path = `${ROOM.path(room)}/picture`;
        const changed =
          file === undefined ? await api.send('DELETE', path) : await api.uploadFile(path, requireFile(file), 'PUT');
        output.done(changed, `${file === undefined ? 'Removed' : 'Set'} the picture of ${room.name}.`);
      },
    }),
    remove(ROOM, {
      description: 'delete a room and move its accessories to the default room',
      done: ({ name }) => `Deleted the room ${name}.`,
    }),
  ],
});
