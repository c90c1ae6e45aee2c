import { Command } from 'commander';
import type { ServiceGroup } from '../../contract/service-groups.ts';
import { type Cli, examples } from '../action.ts';
import type { StateTree } from '../api-resources.ts';
import { EXIT, usageError } from '../exit-codes.ts';
import { type Entry, keyPathOf, loadInventory } from '../inventory.ts';
import type { Output } from '../output.ts';
import { settableInWords, stateInWords } from '../state-words.ts';

/** `hearthd accessory show|rename|move`: shows the state of an accessory, and changes its name and room. */
export function accessoryCommand(cli: Cli): Command {
  const command = new Command('accessory')
    .description('show, rename or move an accessory')
    .addHelpText(
      'after',
      examples(
        'hearthd accessory show "Front Door"',
        'hearthd accessory rename "Kitchen/Lamp 2" "Ceiling Lamp"',
        'hearthd accessory move Lamp "Living Room"',
      ),
    );
  command
    .command('show')
    .description('show the state of an accessory and its writable properties')
    .argument('<accessory>', 'name, path, slug key or id of an accessory or service group')
    .action(
      cli.run(async ({ api, output }, text: string, _options: object) => {
        const groups = await api.get<ServiceGroup[]>('/rest/service-groups');
        const entry = (await loadInventory(api)).entry(text, groups);
        const [home, room, key] = keyPathOf(entry);
        const state = (await api.get<StateTree>('/rest/state'))[home]?.[room]?.[key] ?? {};
        output.result(state, () => showAccessory(entry, state as object, output));
        return EXIT.ok;
      }),
    );
  command
    .command('rename')
    .description('rename an accessory')
    .argument('<accessory>', 'name, path, slug key or id')
    .argument('[name]', 'new name')
    .option('--reset', 'restore the name that the device reports')
    .action(
      cli.run(async ({ api, output }, text: string, name: string | undefined, { reset }: { reset?: boolean }) => {
        if ((name === undefined) !== (reset ?? false)) throw usageError('Pass either a new name or --reset.');
        const accessory = (await loadInventory(api)).accessory(text);
        const renamed = await api.send<{ name: string }>('PATCH', `/rest/accessories/${accessory.id}`, {
          name: name ?? null,
        });
        output.result(renamed, () => output.line(`Renamed ${accessory.name} to ${renamed.name}.`));
        return EXIT.ok;
      }),
    );
  command
    .command('move')
    .description('move an accessory to another room of its home')
    .argument('<accessory>', 'name, path, slug key or id')
    .argument('<room>', 'name, slug key or id of the room')
    .action(
      cli.run(async ({ api, output }, text: string, roomText: string) => {
        const inventory = await loadInventory(api);
        const accessory = inventory.accessory(text);
        const room = inventory.room(roomText, accessory.home);
        const moved = await api.send('PATCH', `/rest/accessories/${accessory.id}`, { roomId: room.id });
        output.result(moved, () => output.line(`Moved ${accessory.name} to ${room.name}.`));
        return EXIT.ok;
      }),
    );
  return command;
}

/** @param state its entry in the state tree */
function showAccessory({ id, name, home, roomName, isReachable }: Entry, state: object, output: Output): void {
  const { type } = state as { readonly type?: unknown };
  output.line(`${output.style('bold', name)} (${String(type ?? 'no type')}), ${home.name}/${roomName}`);
  if (!isReachable) output.line(output.style('yellow', 'Unreachable. These are the last known values.'));
  for (const [property, value] of stateInWords(state)) output.line(`  ${property}=${value}`);
  const settable = settableInWords(state);
  output.line(settable.length > 0 ? `Writable: ${settable.join(', ')}` : 'No writable properties.');
  output.line(`Id: ${id}`);
}
