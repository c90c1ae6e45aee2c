/** Sentences for the steps of a simple automation's run, from the automation in the form of a flow (`nativeAsFlow`). */

import runTexts from 'texts:automation-runs';
import { useTexts } from '../../../texts/texts.ts';
import { type FlowRecord, nodesOf } from '../flow/flow-record.ts';
import { useSentences } from '../flow/use-sentences.ts';
import { ACTIONS_ID } from '../graph/native-flow.ts';
import type { RunStep } from './runs-document.ts';

export function useNativeStepWords(flow: FlowRecord | undefined): (step: RunStep) => string | undefined {
  const t = useTexts(runTexts);
  const describe = useSentences(flow?.triggers);
  return ({ type, nodeType, parentNodeId }) => {
    if (!flow) return undefined;
    if (type === 'condition') return parentNodeId ? t.again : describe.condition(flow.conditions) || undefined;
    if (nodeType === 'execute_scene') {
      const settings = flow.actions.filter(({ id }) => id === ACTIONS_ID);
      return settings.map(describe.action).join(' · ') || undefined;
    }
    return nodesOf(flow.until).length > 0 ? t.native[nodeType as keyof typeof t.native] : undefined;
  };
}
