import { Command } from 'commander';
import { isProperty, type StateTree } from '../api-resources.ts';
import { EXIT } from '../exit-codes.ts';
import { type House, keyPathOf, loadHouse } from '../house.ts';
import { type Cli, examples } from '../session.ts';

interface Filters {
  readonly home?: string;
  readonly room?: string;
  readonly type?: string;
  readonly name?: string;
}

/** `hearthd state`: what everything is doing. */
export function stateCommand(cli: Cli): Command {
  return new Command('state')
    .description('show the state of the accessories')
    .option('--home <text>', 'only homes with this text in their key')
    .option('--room <text>', 'only rooms with this text in their key')
    .option('--type <type>', 'only accessories of this type: light, switch, climate, lock, sensor …')
    .option('--name <text>', 'only accessories with this text in their key')
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
        const rows = rowsOf(tree, await loadHouse(api));
        output.table(['Home', 'Room', 'Accessory', 'Type', 'State'], rows, 'Nothing to show.');
        return EXIT.ok;
      }),
    );
}

/** The accessories that the tree has, with the names that their keys stand for. */
function rowsOf(tree: StateTree, house: House): readonly (readonly string[])[] {
  return house.accessories.flatMap((accessory) => {
    const [homeKey, roomKey, key] = keyPathOf(accessory);
    const entry = tree[homeKey]?.[roomKey]?.[key];
    if (typeof entry !== 'object' || entry === null) return [];
    const properties = Object.entries(entry).filter(([key]) => isProperty(key));
    const shown = properties.map(([property, value]) => `${property}=${String(value)}`);
    if (!accessory.isReachable) shown.unshift('(unreachable)');
    const type = 'type' in entry ? String(entry.type) : '';
    return [[accessory.home.name, accessory.roomName, accessory.name, type, shown.join(' ')]];
  });
}
