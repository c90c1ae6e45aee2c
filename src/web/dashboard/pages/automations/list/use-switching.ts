/** Enables and disables automations: shown at once, reverted after an error, with undo in the toast. */

import listTexts from 'texts:automations';
import commonTexts from 'texts:common';
import { useState } from 'react';
import { act } from '../../../api/client.ts';
import { queryClient } from '../../../api/query.ts';
import { useTexts } from '../../../texts/texts.ts';
import { useErrorText } from '../../../ui/error-text.ts';
import { showToast } from '../../../ui/toasts.tsx';
import type { AutomationKind } from './addresses.ts';
import { SetFlowEnabled, SetNativeEnabled } from './list-document.ts';

interface Switchable {
  readonly id: string;
  readonly kind: AutomationKind;
  readonly name: string;
  readonly isEnabled: boolean;
}

function isAboutAutomations({ meta }: { readonly meta: Readonly<Record<string, unknown>> | undefined }): boolean {
  return Array.isArray(meta?.subjects) && meta.subjects.includes('automations');
}

export function useSwitching() {
  const t = useTexts(listTexts);
  const common = useTexts(commonTexts);
  const errorText = useErrorText();
  const [wanted, setWanted] = useState<ReadonlyMap<string, boolean>>(new Map());
  const forget = (id: string) => setWanted((all) => new Map([...all].filter(([key]) => key !== id)));
  const change = async (one: Switchable, enabled: boolean, isUndo = false): Promise<void> => {
    setWanted((all) => new Map(all).set(one.id, enabled));
    try {
      await act(one.kind === 'native' ? SetNativeEnabled : SetFlowEnabled, { id: one.id, enabled });
      if (!isUndo) {
        const text = enabled ? t.switchedOn({ name: one.name }) : t.switchedOff({ name: one.name });
        showToast({ text, action: { label: common.undo, run: () => void change(one, !enabled, true) } });
      }
    } catch (error) {
      showToast({ tone: 'bad', text: common.refused({ what: one.name, why: errorText(error) }) });
    } finally {
      // Until then the list still has the old state.
      await queryClient.invalidateQueries({ predicate: isAboutAutomations });
      forget(one.id);
    }
  };
  return {
    isOn: ({ id, isEnabled }: Switchable) => wanted.get(id) ?? isEnabled,
    change: (one: Switchable, enabled: boolean) => void change(one, enabled),
  };
}
