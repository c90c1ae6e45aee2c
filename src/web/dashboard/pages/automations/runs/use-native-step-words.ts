/** Sentences for the steps of a simple automation's run, from the current automation. */

import runTexts from 'texts:automation-runs';
import { useMemo } from 'react';
import { useApiQuery } from '../../../api/query.ts';
import { useTexts } from '../../../texts/texts.ts';
import { NativeQuery } from '../native/native-document.ts';
import { draftOf } from '../native/native-draft.ts';
import { summaryOf } from '../native/native-words.ts';
import { useNativeWords } from '../native/use-native-words.ts';
import type { RunStep } from './runs-document.ts';

export function useNativeStepWords(automationId: string | undefined): (step: RunStep) => string | undefined {
  const t = useTexts(runTexts);
  const words = useNativeWords();
  const { data } = useApiQuery(
    NativeQuery,
    { automationId: automationId ?? '' },
    { subjects: ['automations'], enabled: automationId !== undefined },
  );
  const summary = useMemo(
    () => (data?.automation ? summaryOf(draftOf(data.automation), words) : undefined),
    [data, words],
  );
  return ({ type, nodeType, parentNodeId }) => {
    if (!summary) return undefined;
    if (type === 'condition') return parentNodeId ? t.again : summary.onlyIf.join(' · ') || undefined;
    if (nodeType === 'execute_scene') return summary.does.join(' · ') || undefined;
    return summary.until.length > 0 ? t.native[nodeType as keyof typeof t.native] : undefined;
  };
}
