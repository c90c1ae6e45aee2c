import { Command } from 'commander';
import { type Cli, examples } from '../action.ts';
import { EXIT, usageError } from '../exit-codes.ts';
import { loadHouse } from '../house.ts';

/** `hearthd accessory rename|move`: what an accessory is called and where it stands. */
export function accessoryCommand(cli: Cli): Command {
  const command = new Command('accessory')
    .description('rename or move an accessory')
    .addHelpText(
      'after',
      examples('hearthd accessory rename "Kitchen/Lamp 2" "Ceiling Lamp"', 'hearthd accessory move Lamp "Living Room"'),
    );
  command
    .command('rename')
    .description('give an accessory another name')
    .argument('<accessory>', 'name, path, slug key or id')
    .argument('[name]', 'the new name')
    .option('--reset', 'back to the name that the device gives itself')
    .action(
      cli.run(async ({ api, output }, text: string, name: string | undefined, { reset }: { reset?: boolean }) => {
        if ((name === undefined) !== (reset ?? false)) throw usageError('Give either the new name or --reset.');
        const accessory = (await loadHouse(api)).accessory(text);
        const renamed = await api.send<{ name: string }>('PATCH', `/rest/accessories/${accessory.id}`, {
          name: name ?? null,
        });
        output.result(renamed, () => output.line(`${accessory.name} is now called ${renamed.name}.`));
        return EXIT.ok;
      }),
    );
  command
    .command('move')
    .description('move an accessory into another room of its home')
    .argument('<accessory>', 'name, path, slug key or id')
    .argument('<room>', 'name, slug key or id of the room')
    .action(
      cli.run(async ({ api, output }, text: string, roomText: string) => {
        const house = await loadHouse(api);
        const accessory = house.accessory(text);
        const room = house.room(roomText, accessory.home);
        const moved = await api.send('PATCH', `/rest/accessories/${accessory.id}`, { roomId: room.id });
        output.result(moved, () => output.line(`${accessory.name} is now in ${room.name}.`));
        return EXIT.ok;
      }),
    );
  return command;
}
