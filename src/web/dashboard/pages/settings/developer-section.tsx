/** Developer Mode: for developers only. */

import settingsTexts from 'texts:settings';
import { Switch } from '@mantine/core';
import { useSettings, useUpdateSettings } from '../../account/account.ts';
import { useTexts } from '../../texts/texts.ts';
import { errorText } from '../../ui/error-text.ts';
import { showToast } from '../../ui/toasts.tsx';
import { SettingsSection } from './settings-section.tsx';

export function DeveloperSection() {
  const t = useTexts(settingsTexts);
  const { developerMode } = useSettings();
  const update = useUpdateSettings();
  const shown = update.isPending ? update.variables?.data : undefined;
  const isOn = isChange(shown) ? shown.developerMode : developerMode;
  return (
    <SettingsSection id="developer" title={t.developer} lead={t.developerLead}>
      <Switch
        label={t.developerOn}
        checked={isOn}
        onChange={({ currentTarget }) =>
          update.mutate(
            { data: { developerMode: currentTarget.checked } },
            { onError: (error) => showToast({ text: errorText(error), tone: 'bad' }) },
          )
        }
      />
    </SettingsSection>
  );
}

function isChange(data: unknown): data is { readonly developerMode: boolean } {
  return typeof data === 'object' && data !== null && 'developerMode' in data;
}
