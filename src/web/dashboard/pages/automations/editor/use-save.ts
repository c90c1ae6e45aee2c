/**
 * Saves an automation; the relay decides whether it is stored as a simple one or as a flow. If another user saved a
 * flow meanwhile, a question precedes the overwrite.
 */
import { useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { ask } from '../../../api/client.ts';
import { graphql } from '../../../api/graphql.ts';
import { refresh } from '../../../api/query.ts';
import { useHome } from '../../../home/use-home.ts';
import { confirm } from '../../../ui/confirm.ts';
import type { FlowRecord } from '../flow/flow-record.ts';
import { type FlowRefusal, locateRefusal } from '../flow/refusals.ts';
import type { AutomationKind } from '../list/addresses.ts';
import type { EditorTexts } from './editor-context.tsx';

const SaveAutomation = graphql(`
  mutation SaveAutomation($homeId: String!, $automationId: String, $data: JSON!) {
    saveAutomation(homeId: $homeId, automationId: $automationId, data: $data) {
      id
      kind
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

export interface StoredAutomation {
  readonly id: string;
  readonly kind: AutomationKind;
  /** Of a flow: its version at the time of loading. */
  readonly version: number | undefined;
}

export interface Saving {
  readonly isBusy: boolean;
  /** The relay's error, with its place. */
  readonly refusal: FlowRefusal | undefined;
  /** Any other error. */
  readonly error: unknown;
  /** @returns what it is stored as; `undefined` if it was not saved */
  save(flow: FlowRecord): Promise<Pick<StoredAutomation, 'id' | 'kind'> | undefined>;
  forget(): void;
}

export function useSave(stored: StoredAutomation | undefined, texts: EditorTexts): Saving {
  const { id: homeId } = useHome();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<FlowRefusal>();
  const [error, setError] = useState<unknown>();
  const forget = () => {
    setRefusal(undefined);
    setError(undefined);
  };

  const mayReplace = async () => {
    if (stored?.kind !== 'flows') return true;
    const { flow } = await ask(FlowVersionQuery, { flowId: stored.id, homeId });
    return !flow || flow.version === stored.version || confirm(texts.conflict);
  };

  const save: Saving['save'] = async (flow) => {
    setBusy(true);
    forget();
    try {
      if (!(await mayReplace())) return undefined;
      const input = { homeId, automationId: stored?.id ?? null, data: flow };
      const { saveAutomation } = await ask(SaveAutomation, input);
      refresh('automations');
      return saveAutomation
        ? { id: saveAutomation.id, kind: saveAutomation.kind === 'native' ? 'native' : 'flows' }
        : undefined;
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
