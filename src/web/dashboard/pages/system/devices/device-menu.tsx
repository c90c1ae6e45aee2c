/** What can be done with the devices of a selection. Left out for users who may not manage the home. */
import commonTexts from 'texts:common';
import selectingTexts from 'texts:selecting';
import { Menu } from '@mantine/core';
import { Ellipsis, FileDown, RefreshCw, Unplug } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { SelectionAct } from '../../../ui/selection-bar.tsx';
import { type PairedThing, reconnectSeveral, saveDiagnostics, unpairSeveral } from './device-acts.ts';

interface DeviceMenuProps {
  /** None: something that is selected is no device of its own. */
  readonly devices: readonly PairedThing[] | undefined;
  readonly onDone: () => void;
}

export function DeviceMenu({ devices = [], onDone }: DeviceMenuProps) {
  const t = useTexts(selectingTexts);
  const common = useTexts(commonTexts);
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true);
    const result = await work();
    setBusy(false);
    if (result !== false) onDone();
  };
  const isDisabled = devices.length === 0;
  return (
    <Menu position="top-end">
      <Menu.Target>
        <SelectionAct icon={<Ellipsis aria-hidden />} label={common.more} loading={isBusy} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          disabled={isDisabled}
          leftSection={<FileDown size={16} aria-hidden />}
          onClick={() => void run(() => saveDiagnostics(devices))}
        >
          {t.diagnostics}
        </Menu.Item>
        <Menu.Item
          disabled={isDisabled}
          leftSection={<RefreshCw size={16} aria-hidden />}
          onClick={() => void run(() => reconnectSeveral(devices))}
        >
          {t.reconnect}
        </Menu.Item>
        <Menu.Item
          disabled={isDisabled}
          color="var(--h-bad-ink)"
          leftSection={<Unplug size={16} aria-hidden />}
          onClick={() => void run(() => unpairSeveral(devices))}
        >
          {t.unpair}
        </Menu.Item>
        {isDisabled && <Menu.Label maw={260}>{t.notDevices}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  );
}
