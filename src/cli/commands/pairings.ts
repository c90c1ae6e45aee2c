import type { Pairing } from '../../contract/pairings.ts';
import { categoryTitle } from '../../hap-spec/categories.ts';
import type { ApiClient } from '../api-client.ts';
import { requireOne } from '../require-one.ts';
import { listInHomes } from '../resource-commands.ts';

/** `hearthd pairings`: the paired devices and the status of their connections. */
export const pairingsCommand = listInHomes({
  name: 'pairings',
  description: 'show the paired devices and their connections',
  examples: ['hearthd pairings', 'hearthd pairings --home Cottage --json'],
  load: (api, home) => api.get<Pairing[]>('/rest/pairings', { home }),
  columns: ({ name, deviceId, category, homeId, address, status, statusDetail }, inventory) => ({
    Name: name,
    'Device id': deviceId,
    Kind: categoryTitle(category),
    Home: inventory.homeName({ homeId }),
    Address: address,
    Status: statusDetail ? `${status}: ${statusDetail}` : status,
  }),
  empty: 'No paired devices. Find accessories with hearthd discover.',
});

/** Finds a paired device by device id or name. @throws `CliError` not found · ambiguous */
export async function findPairing(api: ApiClient, text: string): Promise<Pairing> {
  const pairings = await api.get<Pairing[]>('/rest/pairings');
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
