/** Finds a broker and its API path. */

import type { Broker, Mqtt } from '../../contract/mqtt.ts';
import { loadInventory } from '../inventory.ts';
import type { ResourceRow } from '../resource-commands.ts';

export function mqttPath(homeId: string): string {
  return `/rest/homes/${homeId}/mqtt`;
}

export const BROKER: ResourceRow<Broker> = {
  argument: ['<broker>', 'name, "Home/Name" or id'],
  async find(api, text) {
    const inventory = await loadInventory(api);
    const all = await Promise.all(inventory.homes.map(({ id }) => api.get<Mqtt>(mqttPath(id))));
    const brokers = all.flatMap((mqtt) => mqtt.brokers);
    return inventory.thing('broker', text, brokers);
  },
  path: ({ homeId, id }) => `${mqttPath(homeId)}/brokers/${id}`,
};
