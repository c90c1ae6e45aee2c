import type { ServiceGroup } from '../../contract/service-groups.ts';
import type { StateTree } from '../../contract/state.ts';
import { defineCommand } from '../define-command.ts';
import { keyPathOf, loadInventory, type StateItem } from '../inventory.ts';
import { stateInWords } from '../state-words.ts';

/** `hearthd state`: the state of all accessories. */
export const stateCommand = defineCommand({
  name: 'state',
  description: 'show the state of the accessories',
  options: [
    ['--home <text>', 'only homes whose key contains this text'],
    ['--room <text>', 'only rooms whose key contains this text'],
    ['--type <type>', 'only accessories of this type: light, switch, climate, lock, sensor …'],
    ['--name <text>', 'only accessories whose key contains this text'],
  ],
  examples: ['hearthd state', 'hearthd state --type light', 'hearthd state --room kitchen --json'],
  async run({ api, output }, { home, room, type, name }) {
    const tree = await api.get<StateTree>('/rest/state', { home, room, type, name });
    if (output.json) return output.result(tree, () => undefined);
    const [inventory, groups] = await Promise.all([
      loadInventory(api),
      api.get<ServiceGroup[]>('/rest/service-groups'),
    ]);
    const rows = rowsOf(tree, inventory.entries(groups));
    output.table(['Home', 'Room', 'Accessory', 'Type', 'State'], rows, 'No accessories.');
  },
});

/** The content of the tree, with names in place of its keys. */
function rowsOf(tree: StateTree, entries: readonly StateItem[]): readonly (readonly string[])[] {
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
