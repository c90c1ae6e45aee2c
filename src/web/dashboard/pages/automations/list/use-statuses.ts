/** Loads the statuses of the listed automations, and again whenever one fires. */
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../../api/client.ts';
import type { AutomationStatus } from './automation-list.ts';
import { AT_ONCE, documentFor, readStatuses } from './statuses.ts';

/** During a run: no event reports its end. */
const WHILE_RUNNING_MS = 2_000;

const UUID = /^[0-9a-f-]{36}$/i;

const NONE: ReadonlyMap<string, AutomationStatus> = new Map();

/** Empty until loaded; during a reload the previous data stays. */
export function useStatuses(automationIds: readonly string[]): ReadonlyMap<string, AutomationStatus> {
  const ids = automationIds.filter((id) => UUID.test(id));
  const { data } = useQuery({
    queryKey: ['automation statuses', ids],
    queryFn: async ({ signal }) => {
      const chunks = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, index) =>
        ids.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
      );
      const answers = await Promise.all(
        chunks.map(async (chunk) => [...readStatuses(chunk, await ask(documentFor(chunk), {} as never, { signal }))]),
      );
      return new Map(answers.flat());
    },
    meta: { subjects: ['automations', 'traces'] },
    placeholderData: (before) => before,
    refetchInterval: ({ state }) =>
      [...(state.data?.values() ?? [])].some(({ last }) => last?.status === 'running') ? WHILE_RUNNING_MS : false,
  });
  return data ?? NONE;
}
