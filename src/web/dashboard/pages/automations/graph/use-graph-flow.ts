import { useMemo } from 'react';
import { isNotFound } from '../../../api/api-error.ts';
import { graphql } from '../../../api/graphql.ts';
import { useApiQuery } from '../../../api/query.ts';
import type { FlowRecord } from '../flow/flow-record.ts';
import type { AutomationKind } from '../list/addresses.ts';
import { readFlow } from '../list/automation-list.ts';
import { nativeAsFlow } from './native-flow.ts';

const FlowOfGraph = graphql(`
  query FlowOfGraph($id: String!) {
    flow(flowId: $id) {
      dataJson
      metadata {
        updatedAt
      }
    }
  }
`);

const NativeOfGraph = graphql(`
  query NativeOfGraph($id: String!) {
    automation(automationId: $id) {
      dataJson
    }
  }
`);

export interface GraphFlow {
  readonly flow: FlowRecord;
  readonly isNative: boolean;
  /** ISO 8601; unknown for simple automations. */
  readonly changedAt: string | undefined;
}

/** An automation of either kind as the graph shows it: a simple one may have become a flow with the same id. */
export function useGraphFlow(kind: AutomationKind, id: string, enabled = true) {
  const native = useApiQuery(
    NativeOfGraph,
    { id },
    { subjects: ['automations'], enabled: enabled && kind === 'native' },
  );
  const isFlow = kind === 'flows' || isNotFound(native.error);
  const flow = useApiQuery(FlowOfGraph, { id }, { subjects: ['automations'], enabled: enabled && isFlow });
  const nativeJson = native.data?.automation?.dataJson;
  const flowJson = flow.data?.flow?.dataJson;
  const changedAt = flow.data?.flow?.metadata.updatedAt;
  const data = useMemo((): GraphFlow | null => {
    const record = readFlow((isFlow ? flowJson : nativeJson) ?? '');
    if (!record) return null;
    if (!isFlow) return { flow: nativeAsFlow(record), isNative: true, changedAt: undefined };
    return { flow: record, isNative: false, changedAt };
  }, [isFlow, flowJson, nativeJson, changedAt]);
  const query = isFlow ? flow : native;
  return { ...query, data: query.data === undefined ? undefined : data };
}
