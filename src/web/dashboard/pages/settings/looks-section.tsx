/** Language, light or dark, and units: they apply at once, without a save button. */

import settingsTexts from 'texts:settings';
import { NativeSelect, Stack, useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { LANGUAGES, type Language } from '../../../../texts/languages.ts';
import { type ColorScheme, useKeepPreference } from '../../account/preferences.ts';
import { chosenLanguage, languageNow, setLanguage } from '../../texts/language.ts';
import { chosenTemperatureUnit, setTemperatureUnit, type TemperatureUnit } from '../../texts/temperature-unit.ts';
import { useTexts } from '../../texts/texts.ts';
import { ACCENTS, type Accent, chosenAccent, setAccent } from '../../theme/accent.ts';
import { SettingsSection } from './settings-section.tsx';

export function LooksSection() {
  const t = useTexts(settingsTexts);
  const keep = useKeepPreference();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [language, choose] = useState(chosenLanguage() ?? '');
  const [accent, chooseAccent] = useState<Accent>(chosenAccent() ?? ACCENTS[0]);
  const [unit, chooseUnit] = useState(chosenTemperatureUnit() ?? '');
  return (
    <SettingsSection id="appearance" title={t.looks} lead={t.looksLead}>
      <Stack>
        <NativeSelect
          label={t.language}
          value={language}
          data={[
            { value: '', label: t.browsers({ name: LANGUAGES[languageNow()] }) },
            ...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
          ]}
          onChange={({ currentTarget }) => {
            const chosen = currentTarget.value === '' ? undefined : (currentTarget.value as Language);
            choose(chosen ?? '');
            void setLanguage(chosen);
            keep({ language: chosen });
          }}
        />
        <NativeSelect
          label={t.look}
          value={colorScheme}
          data={Object.entries(t.looksOf).map(([value, label]) => ({ value, label }))}
          onChange={({ currentTarget }) => {
            const chosen = currentTarget.value as ColorScheme;
            setColorScheme(chosen);
            keep({ colorScheme: chosen });
          }}
        />
        <NativeSelect
          label={t.accent}
          value={accent}
          data={ACCENTS.map((value) => ({ value, label: t.accents[value] }))}
          onChange={({ currentTarget }) => {
            const chosen = currentTarget.value as Accent;
            chooseAccent(chosen);
            setAccent(chosen);
            keep({ accent: chosen });
          }}
        />
        <NativeSelect
          label={t.temperature}
          value={unit}
          data={[{ value: '', label: t.usual }, ...Object.entries(t.units).map(([value, label]) => ({ value, label }))]}
          onChange={({ currentTarget }) => {
            const chosen = currentTarget.value === '' ? undefined : (currentTarget.value as TemperatureUnit);
            chooseUnit(chosen ?? '');
            setTemperatureUnit(chosen);
            keep({ temperatureUnit: chosen });
          }}
        />
      </Stack>
    </SettingsSection>
  );
}
