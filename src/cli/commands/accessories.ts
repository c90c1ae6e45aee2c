import type { Accessory } from '../../contract/accessories.ts';
import { defineCommand } from '../define-command.ts';
import { loadInventory } from '../inventory.ts';

/** `hearthd accessories`: lists accessories with their rooms and whether they are reachable. */
export const accessoriesCommand = defineCommand({
  name: 'accessories',
  description: 'list the accessories',
  options: [
    ['--home <home>', 'only in this home'],
    ['--room <room>', 'only in this room'],
    ['--type <type>', 'only this type (light, switch, climate, lightbulb …)'],
    ['--name <text>', 'only names that contain this text'],
  ],
  examples: ['hearthd accessories', 'hearthd accessories --room Kitchen --type light', 'hearthd accessories --json'],
  async run({ api, output }, { home, room, type, name }) {
    const inventory = await loadInventory(api);
    const inHome = home === undefined ? undefined : inventory.home(home);
    const inRoom = room === undefined ? undefined : inventory.room(room, inHome);
    const query = { home: inHome?.id, room: inRoom?.id, type, name };
    output.list(
      await api.get<Accessory[]>('/rest/accessories', query),
      (accessory) => ({
        Home: inventory.homeName(accessory),
        Room: accessory.roomName,
        Name: accessory.name,
        Type: accessory.type,
        Reachable: accessory.isReachable ? 'yes' : 'no',
        Id: accessory.id,
      }),
      inventory.accessories.length === 0
        ? 'No accessories. Find accessories to pair with hearthd discover.'
        : 'No accessory matches. List all with hearthd accessories.',
    );
  },
});
