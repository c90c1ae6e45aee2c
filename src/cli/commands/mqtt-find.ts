/** Finds a broker and its API path. */
import type { Broker, Mqtt } from '../../contract/mqtt.ts';
import type { ApiClient } from '../api-client.ts';
import { loadInventory } from '../inventory.ts';

export const BROKER_ARGUMENT = ['<broker>', 'name, "Home/Name" or id'] as const;

export function mqttPath(homeId: string): string {
  return `/rest/homes/${homeId}/mqtt`;
}

export function brokerPath({ homeId, id }: Broker): string {
  return `${mqttPath(homeId)}/brokers/${id}`;
}

/** @throws `CliError` not found · ambiguous */
export async function findBroker(api: ApiClient, text: string): Promise<Broker> {
  const inventory = await loadInventory(api);
  const all = await Promise.all(inventory.homes.map(({ id }) => api.get<Mqtt>(mqttPath(id))));
  return inventory.thing(
    'broker',
    text,
    all.flatMap(({ brokers }) => brokers),
  );
}
