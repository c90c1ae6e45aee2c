import runTexts from 'texts:automation-runs';
import listTexts from 'texts:automations';
import { ApiError } from '../../../api/api-error.ts';
import { act } from '../../../api/client.ts';
import { refresh } from '../../../api/query.ts';
import { useTexts } from '../../../texts/texts.ts';
import { useErrorText } from '../../../ui/error-text.ts';
import { showToast } from '../../../ui/toasts.tsx';
import { blockedText } from '../runs/trace-words.ts';
import { RunFlow } from './list-document.ts';

/** Starts an advanced automation without its triggers, and shows the result. @returns the run's id, if it began */
export function useRunNow(): (flow: { readonly id: string; readonly name: string }) => Promise<string | undefined> {
  const t = useTexts(listTexts);
  const runs = useTexts(runTexts);
  const errorText = useErrorText();
  return async ({ id, name }) => {
    try {
      const { runFlow } = await act(RunFlow, { id });
      const { blockedReason, runId } = runFlow ?? {};
      if (blockedReason) showToast({ tone: 'bad', text: t.notRun({ name, why: blockedText(blockedReason, runs) }) });
      else showToast({ text: t.ranNow({ name }) });
      return runId ?? undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showToast({ tone: 'bad', text: t.notRun({ name, why: errorText(error) }) });
      return undefined;
    } finally {
      refresh('automations', 'traces');
    }
  };
}
