/** Which automations there are: flows and native ones, found by the same words and told apart by their kind. */
import type { ApiClient } from '../api-client.ts';
import type { FlowResource, NativeAutomationResource } from '../api-resources.ts';
import { type House, loadHouse } from '../house.ts';

export const AUTOMATION_ARGUMENT = ['<automation>', 'name, "Home/Name" or id'] as const;

/** Dates are asked for one by one; so many at a time. */
const ASKED_AT_ONCE = 20;

export interface ListedAutomation {
  readonly id: string;
  readonly name: string;
  readonly homeId: string;
  readonly kind: 'flow' | 'native';
  readonly enabled: boolean;
  /** ISO 8601. */
  readonly lastFireDate: string | null;
}

/** @param homeId only those of this home. */
export async function listAutomations(api: ApiClient, homeId?: string): Promise<readonly ListedAutomation[]> {
  const [flows, natives] = await Promise.all([
    api.get<FlowResource[]>('/rest/flows', { home: homeId }),
    api.get<NativeAutomationResource[]>('/rest/automations', { home: homeId }),
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
export async function findAutomation(api: ApiClient, text: string): Promise<ListedAutomation> {
  const [house, all] = await Promise.all([loadHouse(api), listAutomations(api)]);
  return chooseAutomation(house, all, text);
}

/** A flow, for what native automations do not have. @throws `CliError` */
export async function findFlow(api: ApiClient, text: string): Promise<ListedAutomation> {
  const [house, all] = await Promise.all([loadHouse(api), listAutomations(api)]);
  const flows = all.filter(({ kind }) => kind === 'flow');
  return chooseAutomation(house, flows, text);
}

function chooseAutomation(house: House, all: readonly ListedAutomation[], text: string): ListedAutomation {
  return house.thing('automation', text, all);
}

/** When the clock sets each of them off next, by id; nothing for those that do not go by the clock. */
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
