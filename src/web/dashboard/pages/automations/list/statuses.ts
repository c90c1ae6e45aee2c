/** The latest run and the next time of many automations, in one request for some dozens of them. */
import { present } from '../../../api/graphql.ts';
import type { Failure } from '../runs/trace-words.ts';
import type { AutomationStatus } from './automation-list.ts';

/** A document may have 50 fields at its root; each automation takes two. */
export const AT_ONCE = 25;

/** Ids become part of the document, so only valid ids are allowed. */
export function documentFor(ids: readonly string[]): string {
  const fields = ids.map(
    (id, index) =>
      `t${index}: flowTraces(flowId: "${id}", limit: 1) { ...Last } n${index}: nextFireDates(automationId: "${id}", count: 1)`,
  );
  return `query Statuses { ${fields.join('\n')} } fragment Last on Trace { id status error reason refusals { accessoryId code } blockedReason startedAt }`;
}

export function readStatuses(ids: readonly string[], answer: unknown): ReadonlyMap<string, AutomationStatus> {
  const fields = (answer ?? {}) as Readonly<Record<string, unknown>>;
  return new Map(
    ids.map((id, index) => {
      const [trace] = listOf(fields[`t${index}`]);
      const [nextAt] = listOf(fields[`n${index}`]);
      const { id: traceId, status, startedAt, blockedReason, ...failure } = (trace ?? {}) as Record<string, unknown>;
      const last =
        typeof traceId === 'string' && typeof status === 'string' && typeof startedAt === 'string'
          ? { id: traceId, status, at: startedAt, failure: readFailure(failure) }
          : undefined;
      return [id, { last, blockedReason: textOrNull(blockedReason), nextAt: textOrNull(nextAt) }] as const;
    }),
  );
}

function readFailure({ error, reason, refusals }: Readonly<Record<string, unknown>>): Failure {
  return {
    error: textOrNull(error),
    reason: textOrNull(reason),
    refusals: listOf(refusals) as NonNullable<Failure['refusals']>,
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? present(value) : [];
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
