import { Command } from 'commander';
import { type Cli, examples } from '../action.ts';
import type { ServiceGroupResource, StateTree } from '../api-resources.ts';
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
    .description('show what an accessory does, and what can be set on it')
    .argument('<accessory>', 'name, path, slug key or id; a service group too')
    .action(
      cli.run(async ({ api, output }, text: string, _options: object) => {
        const groups = await api.get<ServiceGroupResource[]>('/rest/service-groups');
        const entry = (await loadInventory(api)).entry(text, groups);
        const [home, room, key] = keyPathOf(entry);
        const state = (await api.get<StateTree>('/rest/state'))[home]?.[room]?.[key] ?? {};
        output.result(state, () => showAccessory(entry, state as object, output));
        return EXIT.ok;
      }),
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
        const accessory = (await loadInventory(api)).accessory(text);
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
        const house = await loadInventory(api);
        const accessory = house.accessory(text);
        const room = house.room(roomText, accessory.home);
        const moved = await api.send('PATCH', `/rest/accessories/${accessory.id}`, { roomId: room.id });
        output.result(moved, () => output.line(`${accessory.name} is now in ${room.name}.`));
        return EXIT.ok;
      }),
    );
  return command;
}

/** @param state its entry in the state tree */
function showAccessory({ id, name, home, roomName, isReachable }: Entry, state: object, output: Output): void {
  const { type } = state as { readonly type?: unknown };
  output.line(`${output.style('bold', name)} (${String(type ?? 'no type')}), ${home.name}/${roomName}`);
  if (!isReachable) output.line(output.style('yellow', 'It is unreachable: what follows is what was known last.'));
  for (const [property, value] of stateInWords(state)) output.line(`  ${property}=${value}`);
  const settable = settableInWords(state);
  output.line(settable.length > 0 ? `Can be set: ${settable.join(', ')}` : 'Nothing can be set on it.');
  output.line(`Id: ${id}`);
}
