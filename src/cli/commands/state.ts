import { Command } from 'commander';
import type { ServiceGroup } from '../../contract/service-groups.ts';
import { type Cli, examples } from '../action.ts';
import type { StateTree } from '../api-resources.ts';
import { EXIT } from '../exit-codes.ts';
import { type Entry, keyPathOf, loadInventory } from '../inventory.ts';
import { stateInWords } from '../state-words.ts';

interface Filters {
  readonly home?: string;
  readonly room?: string;
  readonly type?: string;
  readonly name?: string;
}

/** `hearthd state`: the state of all accessories. */
export function stateCommand(cli: Cli): Command {
  return new Command('state')
    .description('show the state of the accessories')
    .option('--home <text>', 'only homes whose key contains this text')
    .option('--room <text>', 'only rooms whose key contains this text')
    .option('--type <type>', 'only accessories of this type: light, switch, climate, lock, sensor …')
    .option('--name <text>', 'only accessories whose key contains this text')
    .addHelpText(
      'after',
      examples('hearthd state', 'hearthd state --type light', 'hearthd state --room kitchen --json'),
    )
    .action(
      cli.run(async ({ api, output }, { home, room, type, name }: Filters) => {
        const tree = await api.get<StateTree>('/rest/state', { home, room, type, name });
        if (output.json) {
          output.result(tree, () => undefined);
          return EXIT.ok;
        }
        const [inventory, groups] = await Promise.all([
          loadInventory(api),
          api.get<ServiceGroup[]>('/rest/service-groups'),
        ]);
        const rows = rowsOf(tree, inventory.entries(groups));
        output.table(['Home', 'Room', 'Accessory', 'Type', 'State'], rows, 'No accessories.');
        return EXIT.ok;
      }),
    );
}

/** The content of the tree, with names in place of its keys. */
function rowsOf(tree: StateTree, entries: readonly Entry[]): readonly (readonly string[])[] {
  return entries.flatMap((item) => {
    const [homeKey, roomKey, key] = keyPathOf(item);
    const entry = tree[homeKey]?.[roomKey]?.[key];
    if (typeof entry !== 'object' || entry === null) return [];
    const shown = stateInWords(entry).map(([name, value]) => `${name}=${value}`);
    if (!item.isReachable) shown.unshift('(unreachable)');
    const type = 'type' in entry ? String(entry.type) : '';
    return [[item.home.name, item.roomName, item.name, 'group' in entry ? `${type} group` : type, shown.join(' ')]];
  });
}
