import { Command } from 'commander';
import { categoryTitle } from '../../hap-spec/categories.ts';
import { type Cli, examples } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import type { PairingResource } from '../api-resources.ts';
import { EXIT } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';
import { requireOne } from '../require-one.ts';

/** `hearthd pairings`: the paired devices and the status of their connections. */
export function pairingsCommand(cli: Cli): Command {
  return new Command('pairings')
    .description('show the paired devices and their connections')
    .option('--home <home>', 'only in this home')
    .addHelpText('after', examples('hearthd pairings', 'hearthd pairings --home Cottage --json'))
    .action(
      cli.run(async ({ api, output }, { home }: { home?: string }) => {
        const inventory = await loadInventory(api);
        const homeId = home === undefined ? undefined : inventory.home(home).id;
        const pairings = await api.get<PairingResource[]>('/rest/pairings', { home: homeId });
        const rows = pairings.map(({ name, deviceId, category, address, status, statusDetail, ...pairing }) => [
          name,
          deviceId,
          categoryTitle(category),
          inventory.homeName(pairing),
          address,
          statusDetail ? `${status}: ${statusDetail}` : status,
        ]);
        const head = ['Name', 'Device id', 'Kind', 'Home', 'Address', 'Status'];
        output.result(pairings, () =>
          output.table(head, rows, 'No paired devices. Find accessories with hearthd discover.'),
        );
        return EXIT.ok;
      }),
    );
}

/** Finds a paired device by device id or name. @throws `CliError` not found · ambiguous */
export async function findPairing(api: ApiClient, text: string): Promise<PairingResource> {
  const pairings = await api.get<PairingResource[]>('/rest/pairings');
  const wanted = text.trim().toLowerCase();
  const exact = pairings.find(({ deviceId }) => deviceId.toLowerCase() === wanted);
  if (exact) return exact;
  const namesakes = pairings.filter(({ name }) => name.trim().toLowerCase() === wanted);
  return requireOne(namesakes, text, {
    noun: 'device',
    none: `No paired device "${text}".`,
    shownBy: 'List them with hearthd pairings.',
    names: pairings.map(({ name }) => name),
    lineOf: ({ deviceId }) => deviceId,
  });
}
