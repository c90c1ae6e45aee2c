/** Finds a broker and its API path. */
import type { ApiClient } from '../api-client.ts';
import { loadInventory } from '../inventory.ts';
import type { BrokerResource, MqttResource } from '../notification-resources.ts';

export const BROKER_ARGUMENT = ['<broker>', 'name, "Home/Name" or id'] as const;

export function mqttPath(homeId: string): string {
  return `/rest/homes/${homeId}/mqtt`;
}

export function brokerPath({ homeId, id }: BrokerResource): string {
  return `${mqttPath(homeId)}/brokers/${id}`;
}

/** @throws `CliError` not found · ambiguous */
export async function findBroker(api: ApiClient, text: string): Promise<BrokerResource> {
  const inventory = await loadInventory(api);
  const all = await Promise.all(inventory.homes.map(({ id }) => api.get<MqttResource>(mqttPath(id))));
  return inventory.thing(
    'broker',
    text,
    all.flatMap(({ brokers }) => brokers),
  );
}
