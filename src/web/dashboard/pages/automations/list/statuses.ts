/** Of many automations the newest run and the next moment, in one request for some dozens of them. */
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../../api/client.ts';
import { present } from '../../../api/graphql.ts';
import type { AutomationStatus } from './automation-list.ts';

/** A document may have 3,000 tokens; each automation takes some thirty. */
const AT_ONCE = 50;
/** While something runs: its end is told by no event. */
const WHILE_RUNNING_MS = 2_000;

const UUID = /^[0-9a-f-]{36}$/i;

/** Ids are written into the document, so nothing else than an id may be one. */
export function documentFor(ids: readonly string[]): string {
  const fields = ids.map(
    (id, index) =>
      `t${index}: flowTraces(flowId: "${id}", limit: 1) { ...Last } n${index}: nextFireDates(automationId: "${id}", count: 1)`,
  );
  return `query Statuses { ${fields.join('\n')} } fragment Last on Trace { id status error blockedReason startedAt }`;
}

export function readStatuses(ids: readonly string[], answer: unknown): ReadonlyMap<string, AutomationStatus> {
  const fields = (answer ?? {}) as Readonly<Record<string, unknown>>;
  return new Map(
    ids.map((id, index) => {
      const [trace] = listOf(fields[`t${index}`]);
      const [nextAt] = listOf(fields[`n${index}`]);
      const { id: traceId, status, error, blockedReason, startedAt } = (trace ?? {}) as Record<string, unknown>;
      const last =
        typeof traceId === 'string' && typeof status === 'string' && typeof startedAt === 'string'
          ? { id: traceId, status, error: textOrNull(error), at: startedAt }
          : undefined;
      return [id, { last, blockedReason: textOrNull(blockedReason), nextAt: textOrNull(nextAt) }] as const;
    }),
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? present(value) : [];
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

const NONE: ReadonlyMap<string, AutomationStatus> = new Map();

/** Empty until it is known; what was known before stays meanwhile. */
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
