/** Turns several automations on or off, or deletes them. */
import listTexts from 'texts:automations';
import commonTexts from 'texts:common';
import { Power, PowerOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { act } from '../../../api/client.ts';
import { refreshed } from '../../../api/query.ts';
import { useHome } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { confirm } from '../../../ui/confirm.ts';
import { SelectionAct, SelectionBar, useEscape } from '../../../ui/selection-bar.tsx';
import { doToEach, type SeveralOutcome } from '../../../ui/several.ts';
import { showFailures } from '../../../ui/show-failures.ts';
import { showToast } from '../../../ui/toasts.tsx';
import { deleteAutomation } from '../details/delete-automation.ts';
import { type AutomationEntry, hasWebhook } from './automation-list.ts';
import { SetFlowEnabled, SetNativeEnabled } from './list-document.ts';

interface SelectedAutomationsProps {
  readonly selected: readonly AutomationEntry[];
  readonly onSelectAll: () => void;
  readonly onEnd: () => void;
}

export function SelectedAutomations({ selected, onSelectAll, onEnd }: SelectedAutomationsProps) {
  const t = useTexts(listTexts);
  const common = useTexts(commonTexts);
  const { id: homeId } = useHome();
  const [isBusy, setBusy] = useState(false);
  useEscape(onEnd);
  const run = async (work: () => Promise<SeveralOutcome<AutomationEntry>>, text?: (done: number) => string) => {
    const outcome = await work();
    const { undo, done } = outcome;
    await refreshed('automations', 'traces');
    showFailures(outcome, ({ name }) => name);
    if (done === 0 || !text) return;
    const action = { label: common.undo, run: () => void run(undo ?? work) };
    showToast({ text: text(done), ...(undo && { action }) });
  };
  const runAndEnd = async (...args: Parameters<typeof run>) => {
    setBusy(true);
    await run(...args);
    onEnd();
  };
  const turn = (enabled: boolean) => {
    const changing = selected.filter(({ isEnabled }) => isEnabled !== enabled);
    const set = async ({ kind, id }: AutomationEntry, to: boolean) => {
      await act(kind === 'native' ? SetNativeEnabled : SetFlowEnabled, { id, enabled: to });
    };
    const work = () =>
      doToEach(changing, async (one) => {
        await set(one, enabled);
        return () => set(one, !enabled);
      });
    void runAndEnd(work, (count) => (enabled ? t.allOn({ count }) : t.allOff({ count })));
  };
  const remove = async () => {
    const isFinal = selected.some(hasWebhook);
    const agreed = await confirm({
      title: t.deleteTitle({ count: selected.length }),
      body: isFinal ? t.deleteWebhooks : t.deleteBody,
      action: t.delete,
      isDangerous: true,
    });
    if (!agreed) return;
    await runAndEnd(
      () => doToEach(selected, (one) => deleteAutomation(one, homeId)),
      (count) => t.allDeleted({ count }),
    );
  };
  const isDisabled = isBusy || selected.length === 0;
  return (
    <SelectionBar count={selected.length} isBusy={isBusy} onSelectAll={onSelectAll} onClear={onEnd}>
      <SelectionAct
        icon={<Power aria-hidden />}
        label={t.turnOn}
        disabled={isDisabled || selected.every(({ isEnabled }) => isEnabled)}
        onClick={() => turn(true)}
      />
      <SelectionAct
        icon={<PowerOff aria-hidden />}
        label={t.turnOff}
        disabled={isDisabled || !selected.some(({ isEnabled }) => isEnabled)}
        onClick={() => turn(false)}
      />
      <SelectionAct
        icon={<Trash2 aria-hidden />}
        label={t.delete}
        {...(!isDisabled && { c: 'var(--h-bad-ink)' })}
        disabled={isDisabled}
        onClick={() => void remove()}
      />
    </SelectionBar>
  );
}
