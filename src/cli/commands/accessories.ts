import { Command } from 'commander';
import type { Accessory } from '../../contract/accessories.ts';
import { type Cli, examples } from '../action.ts';
import { EXIT } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';

interface Filters {
  readonly home?: string;
  readonly room?: string;
  readonly type?: string;
  readonly name?: string;
}

/** `hearthd accessories`: lists accessories with their rooms and whether they are reachable. */
export function accessoriesCommand(cli: Cli): Command {
  return new Command('accessories')
    .description('list the accessories')
    .option('--home <home>', 'only in this home')
    .option('--room <room>', 'only in this room')
    .option('--type <type>', 'only this type (light, switch, climate, lightbulb …)')
    .option('--name <text>', 'only names that contain this text')
    .addHelpText(
      'after',
      examples('hearthd accessories', 'hearthd accessories --room Kitchen --type light', 'hearthd accessories --json'),
    )
    .action(
      cli.run(async ({ api, output }, { home, room, type, name }: Filters) => {
        const inventory = await loadInventory(api);
        const inHome = home === undefined ? undefined : inventory.home(home);
        const inRoom = room === undefined ? undefined : inventory.room(room, inHome);
        const accessories = await api.get<Accessory[]>('/rest/accessories', {
          home: inHome?.id,
          room: inRoom?.id,
          type,
          name,
        });
        const rows = accessories.map((accessory) => [
          inventory.homeName(accessory),
          accessory.roomName,
          accessory.name,
          accessory.type,
          accessory.isReachable ? 'yes' : 'no',
          accessory.id,
        ]);
        const head = ['Home', 'Room', 'Name', 'Type', 'Reachable', 'Id'];
        const none =
          inventory.accessories.length === 0
            ? 'No accessories. Find accessories to pair with hearthd discover.'
            : 'No accessory matches. List all with hearthd accessories.';
        output.result(accessories, () => output.table(head, rows, none));
        return EXIT.ok;
      }),
    );
}
