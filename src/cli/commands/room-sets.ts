import type { RoomSet } from '../../contract/rooms.ts';
import { HOME_OPTION, repeated } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { type CommandBuilder, defineCommand } from '../define-command.ts';
import { usageError } from '../exit-codes.ts';
import { type Inventory, loadInventory } from '../inventory.ts';
import { listInHomes, type ResourceRow, remove } from '../resource-commands.ts';

/** The common commands of zones and room groups, with different words. */
interface RoomSetKind {
  /** The command's name, also used in "not found" messages. */
  readonly word: 'zone' | 'room-group';
  /** The name in sentences. */
  readonly title: string;
  readonly path: string;
  readonly meaning: string;
  readonly example: string;
}

/** `hearthd zone …`: parts of a home, such as a floor. */
export const zoneCommand = roomSetCommand({
  word: 'zone',
  title: 'zone',
  path: '/rest/zones',
  meaning: 'parts of a home, such as a floor',
  example: 'Upstairs',
});

/** `hearthd room-group …`: rooms that you share together. */
export const roomGroupCommand = roomSetCommand({
  word: 'room-group',
  title: 'room group',
  path: '/rest/room-groups',
  meaning: 'rooms that you share together',
  example: 'Guests',
});

function roomSetCommand(kind: RoomSetKind): CommandBuilder {
  const { word, title, path, meaning, example } = kind;
  const resource: ResourceRow<RoomSet> = {
    argument: [`<${word}>`, 'name, "Home/Name" or id'],
    find: async (api, text) => findSet(api, await loadInventory(api), kind, text),
    path: ({ id }) => `${path}/${id}`,
  };
  return defineCommand({
    name: word,
    description: `list, create, change or delete ${title}s: ${meaning}`,
    examples: [
      `hearthd ${word} create ${example} Bedroom Bath`,
      `hearthd ${word} update ${example} --room Bedroom --room Attic`,
    ],
    commands: [
      listInHomes({
        description: `list the ${title}s`,
        load: (api, home) => api.get<RoomSet[]>(path, { home }),
        columns: (set, inventory) => ({
          Home: inventory.homeName(set),
          Name: set.name,
          Rooms: roomNames(set, inventory),
          Id: set.id,
        }),
        empty: `No ${title}s.`,
      }),
      creation(kind),
      update(kind),
      remove(resource, {
        description: `delete a ${title} (not its rooms)`,
        done: ({ name }) => `Deleted the ${title} ${name}.`,
      }),
    ],
  });
}

function creation({ title, path }: RoomSetKind): CommandBuilder {
  return defineCommand({
    name: 'create',
    description: `create a ${title}`,
    arguments: [['<name>'], ['<rooms...>', 'names, slug keys or ids of rooms of one home']],
    options: [HOME_OPTION],
    async run({ api, output }, name, texts, { home }) {
      const inventory = await loadInventory(api);
      const inHome = inventory.home(
        home ?? (inventory.homes.length > 1 ? inventory.room(texts[0] ?? '').home.id : undefined),
      );
      const roomIds = texts.map((text) => inventory.room(text, inHome).id);
      const set = await api.send<RoomSet>('POST', path, { homeId: inHome.id, name, roomIds });
      output.done(set, `Created the ${title} ${set.name} (${set.id}): ${roomNames(set, inventory)}.`);
    },
  });
}

function update(kind: RoomSetKind): CommandBuilder {
  const { word, title, path } = kind;
  return defineCommand({
    name: 'update',
    description: `rename a ${title} or replace its rooms`,
    arguments: [[`<${word}>`, 'name, "Home/Name" or id']],
    options: [
      ['--name <name>', 'new name'],
      ['--room <room>', 'new room; replaces all rooms (repeatable)', repeated],
    ],
    async run({ api, output }, text, { name, room }) {
      if (name === undefined && room === undefined) throw usageError('Pass --name, --room or both.');
      const inventory = await loadInventory(api);
      const { id, homeId } = await findSet(api, inventory, kind, text);
      const roomIds = room?.map((one) => inventory.room(one, inventory.home(homeId)).id);
      const set = await api.send<RoomSet>('PATCH', `${path}/${id}`, { name, roomIds });
      output.done(set, `Updated the ${title} ${set.name}: ${roomNames(set, inventory)}.`);
    },
  });
}

async function findSet(
  api: ApiClient,
  inventory: Inventory,
  { word, path }: RoomSetKind,
  text: string,
): Promise<RoomSet> {
  return inventory.thing(word, text, await api.get<RoomSet[]>(path));
}

function roomNames({ roomIds }: RoomSet, inventory: Inventory): string {
  const names = roomIds.map((roomId) => inventory.rooms.find(({ id }) => id === roomId)?.name ?? roomId);
  return names.length > 0 ? names.join(', ') : 'no rooms';
}
