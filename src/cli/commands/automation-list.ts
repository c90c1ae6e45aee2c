/** Lists automations: flows and native ones, with the same lookup, distinguished by their kind. */
import type { Automation } from '../../contract/automations.ts';
import type { Flow } from '../../contract/flows.ts';
import type { ApiClient } from '../api-client.ts';
import { type Inventory, loadInventory } from '../inventory.ts';

export const AUTOMATION_ARGUMENT = ['<automation>', 'name, "Home/Name" or id'] as const;

/** The number of concurrent requests; each date needs one. */
const ASKED_AT_ONCE = 20;

/** The automation, and the zone of its home. */
export interface FoundAutomation extends ListedAutomation {
  readonly zone: string | null;
}

export interface ListedAutomation {
  readonly id: string;
  readonly name: string;
  readonly homeId: string;
  readonly kind: 'flow' | 'native';
  readonly enabled: boolean;
  /** ISO 8601. */
  readonly lastFireDate: string | null;
}

/** @param homeId only those of this home */
export async function listAutomations(api: ApiClient, homeId?: string): Promise<readonly ListedAutomation[]> {
  const [flows, natives] = await Promise.all([
    api.get<Flow[]>('/rest/flows', { home: homeId }),
    api.get<Automation[]>('/rest/automations', { home: homeId }),
  ]);
  return [
    ...flows.map(({ id, name, homeId: home, enabled, metadata }) => {
      const lastFireDate = metadata.lastTriggeredAt ?? null;
      return { id, name, homeId: home, kind: 'flow' as const, enabled, lastFireDate };
    }),
    ...natives.map(({ id, name, homeId: home, isEnabled, lastFireDate }) => {
      return { id, name, homeId: home, kind: 'native' as const, enabled: isEnabled, lastFireDate };
    }),
  ];
}

/** @throws `CliError` not found · ambiguous */
export async function findAutomation(api: ApiClient, text: string): Promise<FoundAutomation> {
  const [inventory, all] = await Promise.all([loadInventory(api), listAutomations(api)]);
  return chooseAutomation(inventory, all, text);
}

/** A flow, for what native automations do not have. @throws `CliError` */
export async function findFlow(api: ApiClient, text: string): Promise<FoundAutomation> {
  const [inventory, all] = await Promise.all([loadInventory(api), listAutomations(api)]);
  const flows = all.filter(({ kind }) => kind === 'flow');
  return chooseAutomation(inventory, flows, text);
}

function chooseAutomation(inventory: Inventory, all: readonly ListedAutomation[], text: string): FoundAutomation {
  const automation = inventory.thing('automation', text, all);
  return { ...automation, zone: inventory.zoneOf(automation) };
}

/** The next scheduled start of each automation, by id; missing for automations without a schedule. */
export async function nextDates(
  api: ApiClient,
  automations: readonly ListedAutomation[],
): Promise<ReadonlyMap<string, string>> {
  const enabled = automations.filter((one) => one.enabled);
  const dates = new Map<string, string>();
  for (let from = 0; from < enabled.length; from += ASKED_AT_ONCE) {
    const some = enabled.slice(from, from + ASKED_AT_ONCE);
    await Promise.all(
      some.map(async ({ id }) => {
        const [next] = await api.get<string[]>(`/rest/flows/${id}/next`, { count: '1' });
        if (next !== undefined) dates.set(id, next);
      }),
    );
  }
  return dates;
}
