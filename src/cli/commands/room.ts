import { Command } from 'commander';
import type { Room } from '../../contract/rooms.ts';
import { type Cli, examples, HOME_OPTION } from '../action.ts';
import { EXIT } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';

const ROOM_ARGUMENT = ['<room>', 'name, "Home/Room", slug key or id'] as const;

/** `hearthd room …`: the rooms of a home. Accessories are moved with `hearthd accessory move`. */
export function roomCommand(cli: Cli): Command {
  const command = new Command('room')
    .description('list, create, rename or delete rooms')
    .addHelpText(
      'after',
      examples('hearthd room list', 'hearthd room create Attic', 'hearthd room rename Attic Studio'),
    );
  command
    .command('list')
    .description('list the rooms')
    .option('--home <home>', 'only in this home')
    .action(
      cli.run(async ({ api, output }, { home }: { home?: string }) => {
        const inventory = await loadInventory(api);
        const inHome = home === undefined ? undefined : inventory.home(home);
        const rooms = inventory.rooms.filter((room) => !inHome || room.home.id === inHome.id);
        const rows = rooms.map((room) => [
          room.home.name,
          room.name,
          room.accessoryCount,
          room.isDefault ? 'default' : '',
          room.id,
        ]);
        const listed = rooms.map(({ home: of, ...room }) => ({ ...room, homeId: of.id, homeName: of.name }));
        output.result(listed, () => output.table(['Home', 'Name', 'Accessories', '', 'Id'], rows, 'No rooms.'));
        return EXIT.ok;
      }),
    );
  command
    .command('create')
    .description('create a room')
    .argument('<name>')
    .option(...HOME_OPTION)
    .action(
      cli.run(async ({ api, output }, name: string, { home }: { home?: string }) => {
        const { id: homeId } = (await loadInventory(api)).home(home);
        const room = await api.send<Room>('POST', '/rest/rooms', { homeId, name });
        output.result(room, () => output.line(`Created the room ${room.name} (${room.id}).`));
        return EXIT.ok;
      }),
    );
  command
    .command('rename')
    .description('rename a room')
    .argument(...ROOM_ARGUMENT)
    .argument('<name>', 'new name')
    .option(...HOME_OPTION)
    .action(
      cli.run(async ({ api, output }, text: string, name: string, { home }: { home?: string }) => {
        const inventory = await loadInventory(api);
        const room = inventory.room(text, home === undefined ? undefined : inventory.home(home));
        const renamed = await api.send<Room>('PATCH', `/rest/rooms/${room.id}`, { name });
        output.result(renamed, () => output.line(`Renamed the room ${room.name} to ${renamed.name}.`));
        return EXIT.ok;
      }),
    );
  command
    .command('delete')
    .description('delete a room and move its accessories to the default room')
    .argument(...ROOM_ARGUMENT)
    .option(...HOME_OPTION)
    .action(
      cli.run(async ({ api, output }, text: string, { home }: { home?: string }) => {
        const inventory = await loadInventory(api);
        const room = inventory.room(text, home === undefined ? undefined : inventory.home(home));
        const answer = await api.send('DELETE', `/rest/rooms/${room.id}`);
        output.result(answer, () => output.line(`Deleted the room ${room.name}.`));
        return EXIT.ok;
      }),
    );
  return command;
}
