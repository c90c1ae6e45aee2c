/**
 * Saves a flow: validates it here first, then on the relay. If another user saved meanwhile, a question precedes the
 * overwrite.
 */
import { useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { ask } from '../../../api/client.ts';
import { graphql } from '../../../api/graphql.ts';
import { refresh } from '../../../api/query.ts';
import { useHome } from '../../../home/use-home.ts';
import { confirm } from '../../../ui/confirm.tsx';
import type { FlowRecord } from '../flow/flow-record.ts';
import { type FlowRefusal, locateRefusal } from '../flow/refusals.ts';
import type { EditorTexts } from './editor-context.tsx';

const SaveFlow = graphql(`
  mutation SaveFlow($homeId: String!, $flowId: String, $data: JSON!) {
    saveFlow(homeId: $homeId, flowId: $flowId, data: $data) {
      id
      version
      dataJson
    }
  }
`);

const FlowVersionQuery = graphql(`
  query FlowVersionNow($flowId: String!, $homeId: String!) {
    flow(flowId: $flowId, homeId: $homeId) {
      id
      version
    }
  }
`);

export interface Saving {
  readonly isBusy: boolean;
  /** The relay's error, with its place. */
  readonly refusal: FlowRefusal | undefined;
  /** Any other error. */
  readonly error: unknown;
  /** @returns the saved flow; `undefined` if it was not saved */
  save(flow: FlowRecord): Promise<{ readonly id: string } | undefined>;
  forget(): void;
}

export function useSaveFlow(flowId: string | undefined, version: number | undefined, texts: EditorTexts): Saving {
  const { id: homeId } = useHome();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<FlowRefusal>();
  const [error, setError] = useState<unknown>();
  const forget = () => {
    setRefusal(undefined);
    setError(undefined);
  };

  const mayReplace = async () => {
    if (flowId === undefined) return true;
    const { flow } = await ask(FlowVersionQuery, { flowId, homeId });
    return !flow || flow.version === version || confirm(texts.conflict);
  };

  const save: Saving['save'] = async (flow) => {
    setBusy(true);
    forget();
    try {
      if (!(await mayReplace())) return undefined;
      const { saveFlow } = await ask(SaveFlow, { homeId, flowId: flowId ?? null, data: flow });
      refresh('automations');
      return saveFlow ?? undefined;
    } catch (fault) {
      if (fault instanceof ApiError && fault.field !== undefined)
        setRefusal(locateRefusal(flow, fault.field, fault.message));
      else setError(fault);
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, refusal, error, save, forget };
}
