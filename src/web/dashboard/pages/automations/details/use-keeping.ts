/** Duplicates, exports and deletes automations, with undo for a deletion. */

import detailsTexts from 'texts:automation';
import commonTexts from 'texts:common';
import { useLocation } from 'wouter';
import { act, ask } from '../../../api/client.ts';
import { refresh } from '../../../api/query.ts';
import { useHome } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { confirm } from '../../../ui/confirm.ts';
import { useErrorText } from '../../../ui/error-text.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { showToast } from '../../../ui/toasts.tsx';
import { emptyFlow } from '../flow/flow-record.ts';
import { type AutomationKind, LIST_PAGE, pageOf } from '../list/addresses.ts';
import { readFlow } from '../list/automation-list.ts';
import type { NativeDraft } from '../native/native-draft.ts';
import { createNative, deleteAutomation } from './delete-automation.ts';
import { ExportFlow, SaveCopy } from './details-document.ts';

export type KeptAutomation =
  | {
      readonly kind: 'native';
      readonly id: string;
      readonly name: string;
      readonly isEnabled: boolean;
      readonly draft: NativeDraft;
    }
  | {
      readonly kind: 'flows';
      readonly id: string;
      readonly name: string;
      readonly dataJson: string;
      readonly hasWebhook: boolean;
    };

export function useKeeping(kept: KeptAutomation) {
  const t = useTexts(detailsTexts);
  const common = useTexts(commonTexts);
  const errorText = useErrorText();
  const { id: homeId } = useHome();
  const [, navigate] = useLocation();
  const { id, kind, name } = kept;

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      showToast({ tone: 'bad', text: common.refused({ what: name, why: errorText(error) }) });
    } finally {
      refresh('automations', 'traces');
    }
  };
  const show = (shownKind: AutomationKind, shownId: string | undefined) =>
    shownId && navigate(pageOf(shownKind, shownId));

  /** The copy is disabled, so that the home does not execute everything twice. */
  const duplicate = () =>
    attempt(async () => {
      const copyName = t.copyOf({ name });
      let copyId: string | undefined;
      if (kept.kind === 'native') {
        copyId = await createNative(homeId, { ...kept.draft, name: copyName }, false);
      } else {
        // The copy gets neither the id nor the webhook addresses of the original.
        const { id: _, ...data } = readFlow(kept.dataJson) ?? emptyFlow(name);
        copyId = (await act(SaveCopy, { homeId, data: { ...data, name: copyName, enabled: false } })).saveFlow?.id;
      }
      showToast({ text: t.duplicated({ name: copyName }) });
      show(kind, copyId);
    });

  const exportAs = (format: 'yaml' | 'json') =>
    attempt(async () => {
      const { exportFlow } = await ask(ExportFlow, { id, format });
      const type = format === 'json' ? 'application/json' : 'application/yaml';
      saveFile(`${fileName(name)}.${format}`, new Blob([exportFlow ?? ''], { type }));
    });

  const remove = async () => {
    const isFinal = kept.kind === 'flows' && kept.hasWebhook;
    const question = { title: t.deleteTitle({ name }), body: t.deleteBody, action: t.deleteAction, isDangerous: true };
    if (isFinal && !(await confirm(question))) return;
    await attempt(async () => {
      const bringBack = await deleteAutomation(kept, homeId);
      navigate(LIST_PAGE);
      const undo = () => void attempt(async () => void show(kind, await bringBack()));
      showToast({ text: t.deleted({ name }), ...(!isFinal && { action: { label: common.undo, run: undo } }) });
    });
  };

  return { duplicate, exportAs, remove };
}

/** A name that file systems accept. */
export function fileName(name: string): string {
  const safe = name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '');
  return safe.slice(0, 80) || 'automation';
}
