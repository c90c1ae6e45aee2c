import { useMemo } from 'react';
import { graphql } from '../../../api/graphql.ts';
import { useApiQuery } from '../../../api/query.ts';
import { type FlowRecord, type Json, toFlowRecord } from '../flow/flow-record.ts';
import type { AutomationKind } from '../list/addresses.ts';
import type { Run } from '../runs/runs-document.ts';
import { nativeAsFlow } from './native-flow.ts';
import { useGraphFlow } from './use-graph-flow.ts';

const AutomationOfRunQuery = graphql(`
  query AutomationOfRun($traceId: String!) {
    flowTrace(traceId: $traceId) {
      automation {
        kind
        isCurrent
        definition
      }
    }
  }
`);

export interface RunFlow {
  readonly flow: FlowRecord;
  readonly isNative: boolean;
  /** It was changed since: `then` the flow is the automation as the run found it, `now` the present one. */
  readonly changedSince: 'then' | 'now' | undefined;
}

/** The automation as the run found it; the present one for a run that is older than what is kept. */
export function useRunFlow(kind: AutomationKind, { id, automationId, startedAt }: Run) {
  const ran = useApiQuery(AutomationOfRunQuery, { traceId: id }, { subjects: ['automations'] });
  const automation = ran.data?.flowTrace?.automation;
  const isGone = ran.data !== undefined && !automation;
  const now = useGraphFlow(kind, automationId, isGone);
  const data = useMemo((): RunFlow | null | undefined => {
    if (automation) {
      const flow = readDefinition(automation.definition);
      const isNative = automation.kind === 'native';
      const changedSince = automation.isCurrent ? undefined : 'then';
      return flow ? { flow: isNative ? nativeAsFlow(flow) : flow, isNative, changedSince } : null;
    }
    if (!now.data) return now.data;
    const { flow, isNative, changedAt } = now.data;
    const isChanged = changedAt !== undefined && Date.parse(changedAt) > Date.parse(startedAt);
    return { flow, isNative, changedSince: isChanged ? 'now' : undefined };
  }, [automation, now.data, startedAt]);
  return { ...(isGone ? now : ran), data };
}

/** One that this dashboard can't parse is shown by the run's own steps. */
function readDefinition(definition: unknown): FlowRecord | undefined {
  try {
    return toFlowRecord(definition as Json);
  } catch {
    return undefined;
  }
}
