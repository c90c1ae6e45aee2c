import { Command } from 'commander';
import type { RoomSet } from '../../contract/rooms.ts';
import { type Cli, examples, HOME_OPTION, repeated } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { EXIT, usageError } from '../exit-codes.ts';
import { type Inventory, loadInventory } from '../inventory.ts';

/** The common commands of zones and room groups, with different words. */
export interface RoomSetKind {
  /** The command's name, also used in "not found" messages. */
  readonly word: 'zone' | 'room-group';
  /** The name in sentences. */
  readonly title: string;
  readonly path: string;
  readonly meaning: string;
  readonly example: string;
}

export function roomSetCommand(cli: Cli, kind: RoomSetKind): Command {
  const { word, title, meaning, example } = kind;
  const command = new Command(word)
    .description(`list, create, change or delete ${title}s: ${meaning}`)
    .addHelpText(
      'after',
      examples(
        `hearthd ${word} create ${example} Bedroom Bath`,
        `hearthd ${word} update ${example} --room Bedroom --room Attic`,
      ),
    );
  for (const add of [addList, addCreate, addUpdate, addDelete]) add(command, cli, kind);
  return command;
}

function addList(command: Command, cli: Cli, { title, path }: RoomSetKind): void {
  command
    .command('list')
    .description(`list the ${title}s`)
    .option('--home <home>', 'only in this home')
    .action(
      cli.run(async ({ api, output }, { home }: { home?: string }) => {
        const inventory = await loadInventory(api);
        const homeId = home === undefined ? undefined : inventory.home(home).id;
        const sets = await api.get<RoomSet[]>(path, { home: homeId });
        const rows = sets.map((set) => [inventory.homeName(set), set.name, roomNames(set, inventory), set.id]);
        output.result(sets, () => output.table(['Home', 'Name', 'Rooms', 'Id'], rows, `No ${title}s.`));
        return EXIT.ok;
      }),
    );
}

function addCreate(command: Command, cli: Cli, { title, path }: RoomSetKind): void {
  command
    .command('create')
    .description(`create a ${title}`)
    .argument('<name>')
    .argument('<rooms...>', 'names, slug keys or ids of rooms of one home')
    .option(...HOME_OPTION)
    .action(
      cli.run(async ({ api, output }, name: string, texts: readonly string[], { home }: { home?: string }) => {
        const inventory = await loadInventory(api);
        const inHome = inventory.home(
          home ?? (inventory.homes.length > 1 ? inventory.room(texts[0] ?? '').home.id : undefined),
        );
        const roomIds = texts.map((text) => inventory.room(text, inHome).id);
        const set = await api.send<RoomSet>('POST', path, { homeId: inHome.id, name, roomIds });
        output.result(set, () =>
          output.line(`Created the ${title} ${set.name} (${set.id}): ${roomNames(set, inventory)}.`),
        );
        return EXIT.ok;
      }),
    );
}

function addUpdate(command: Command, cli: Cli, kind: RoomSetKind): void {
  const { word, title, path } = kind;
  command
    .command('update')
    .description(`rename a ${title} or replace its rooms`)
    .argument(`<${word}>`, 'name, "Home/Name" or id')
    .option('--name <name>', 'new name')
    .option('--room <room>', 'new room; replaces all rooms (repeatable)', repeated)
    .action(
      cli.run(async ({ api, output }, text: string, { name, room }: { name?: string; room?: readonly string[] }) => {
        if (name === undefined && room === undefined) throw usageError('Pass --name, --room or both.');
        const inventory = await loadInventory(api);
        const { id, homeId } = await findSet(api, inventory, kind, text);
        const roomIds = room?.map((one) => inventory.room(one, inventory.home(homeId)).id);
        const set = await api.send<RoomSet>('PATCH', `${path}/${id}`, { name, roomIds });
        output.result(set, () => output.line(`Updated the ${title} ${set.name}: ${roomNames(set, inventory)}.`));
        return EXIT.ok;
      }),
    );
}

function addDelete(command: Command, cli: Cli, kind: RoomSetKind): void {
  const { word, title, path } = kind;
  command
    .command('delete')
    .description(`delete a ${title} (not its rooms)`)
    .argument(`<${word}>`, 'name, "Home/Name" or id')
    .action(
      cli.run(async ({ api, output }, text: string, _options: object) => {
        const set = await findSet(api, await loadInventory(api), kind, text);
        const answer = await api.send('DELETE', `${path}/${set.id}`);
        output.result(answer, () => output.line(`Deleted the ${title} ${set.name}.`));
        return EXIT.ok;
      }),
    );
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
