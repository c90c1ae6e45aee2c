/**
 * Language, look and units. What a person chooses holds on this device and is kept with the account, so that a device on which they have
 * chosen nothing yet begins with it; what was chosen on a device stays.
 */
import { useMantineColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { chosenLanguage, LANGUAGES, type Language, setLanguage } from '../texts/language.ts';
import { chosenTemperatureUnit, setTemperatureUnit, type TemperatureUnit } from '../texts/temperature-unit.ts';
import { colorSchemeKey } from '../theme/color-scheme.ts';
import { dashboardSetting, useSettings, useUpdateSettings } from './account.ts';

export type ColorScheme = 'auto' | 'light' | 'dark';

export interface Preferences {
  readonly language?: Language;
  readonly colorScheme?: ColorScheme;
  readonly temperatureUnit?: TemperatureUnit;
}

/** @param kept what the account's settings hold under `dashboard.preferences`, whoever wrote it */
export function parsePreferences(kept: unknown): Preferences {
  if (typeof kept !== 'object' || kept === null) return {};
  const { language, colorScheme, temperatureUnit } = kept as Record<string, unknown>;
  return {
    ...(typeof language === 'string' && language in LANGUAGES && { language: language as Language }),
    ...((colorScheme === 'auto' || colorScheme === 'light' || colorScheme === 'dark') && { colorScheme }),
    ...((temperatureUnit === 'celsius' || temperatureUnit === 'fahrenheit') && { temperatureUnit }),
  };
}

/** A device on which nothing was chosen takes what the account has, once for each page that is opened. */
export function usePreferencesOfAccount(): void {
  const { dashboard } = useSettings();
  const { setColorScheme } = useMantineColorScheme();
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current) return;
    isDone.current = true;
    const { language, colorScheme, temperatureUnit } = parsePreferences(dashboard.preferences);
    if (language && chosenLanguage() === undefined) setLanguage(language);
    if (temperatureUnit && chosenTemperatureUnit() === undefined) setTemperatureUnit(temperatureUnit);
    if (colorScheme && !hasChosenColorScheme()) setColorScheme(colorScheme);
  }, [dashboard, setColorScheme]);
}

/** @returns what keeps a choice with the account; on the device it is kept by whoever offers it. */
export function useKeepPreference(): (
  changes: { readonly [K in keyof Preferences]?: Preferences[K] | undefined },
) => void {
  const { dashboard } = useSettings();
  const update = useUpdateSettings();
  return (changes) => {
    const preferences = { ...parsePreferences(dashboard.preferences), ...changes };
    update.mutate({ data: dashboardSetting('preferences', preferences) });
  };
}

function hasChosenColorScheme(): boolean {
  try {
    return localStorage.getItem(colorSchemeKey) !== null;
  } catch {
    return false;
  }
}
