import runTexts from 'texts:automation-runs';
import listTexts from 'texts:automations';
import type { RunAnswer } from '../../../../../contract/automation-runs.ts';
import { ApiError } from '../../../api/api-error.ts';
import { callRest } from '../../../api/client.ts';
import { refresh } from '../../../api/query.ts';
import { useTexts } from '../../../texts/texts.ts';
import { useErrorText } from '../../../ui/error-text.ts';
import { showToast } from '../../../ui/toasts.tsx';
import { blockedText } from '../runs/trace-words.ts';

/** Starts an automation without its triggers, and shows the result. @returns the id of the run, or of its refusal */
export function useRunNow(): (automation: {
  readonly id: string;
  readonly name: string;
}) => Promise<string | undefined> {
  const t = useTexts(listTexts);
  const runs = useTexts(runTexts);
  const errorText = useErrorText();
  return async ({ id, name }) => {
    try {
      // GraphQL's `runFlow` takes no simple automations.
      const { blockedReason, runId } = (await callRest('POST', `/rest/flows/${id}/run`)) as RunAnswer;
      if (blockedReason) showToast({ tone: 'bad', text: t.notRun({ name, why: blockedText(blockedReason, runs) }) });
      else showToast({ text: t.ranNow({ name }) });
      return runId;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showToast({ tone: 'bad', text: t.notRun({ name, why: errorText(error) }) });
      return undefined;
    } finally {
      refresh('automations', 'traces');
    }
  };
}
