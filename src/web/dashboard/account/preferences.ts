/**
 * Language, appearance and units. A choice applies to this device and is also stored with the account. A device without
 * a choice starts with the account's; a choice made on a device is not replaced.
 */
import { useMantineColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { isLanguage, type Language } from '../../../texts/languages.ts';
import { chosenLanguage, setLanguage } from '../texts/language.ts';
import { chosenTemperatureUnit, setTemperatureUnit, type TemperatureUnit } from '../texts/temperature-unit.ts';
import { type Accent, chosenAccent, isAccent, setAccent } from '../theme/accent.ts';
import { colorSchemeKey } from '../theme/color-scheme.ts';
import { dashboardSetting, useSettings, useUpdateSettings } from './account.ts';

export type ColorScheme = 'auto' | 'light' | 'dark';

export interface Preferences {
  readonly language?: Language;
  readonly colorScheme?: ColorScheme;
  readonly accent?: Accent;
  readonly temperatureUnit?: TemperatureUnit;
}

/** @param kept the account's `dashboard.preferences`, from any client */
export function parsePreferences(kept: unknown): Preferences {
  if (typeof kept !== 'object' || kept === null) return {};
  const { language, colorScheme, accent, temperatureUnit } = kept as Record<string, unknown>;
  return {
    ...(typeof language === 'string' && isLanguage(language) && { language }),
    ...((colorScheme === 'auto' || colorScheme === 'light' || colorScheme === 'dark') && { colorScheme }),
    ...(isAccent(accent) && { accent }),
    ...((temperatureUnit === 'celsius' || temperatureUnit === 'fahrenheit') && { temperatureUnit }),
  };
}

/** A device without a choice takes the account's choice, once for each page load. */
export function usePreferencesOfAccount(): void {
  const { dashboard } = useSettings();
  const { setColorScheme } = useMantineColorScheme();
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current) return;
    isDone.current = true;
    const { language, colorScheme, accent, temperatureUnit } = parsePreferences(dashboard.preferences);
    if (language && chosenLanguage() === undefined) void setLanguage(language);
    if (temperatureUnit && chosenTemperatureUnit() === undefined) setTemperatureUnit(temperatureUnit);
    if (accent && chosenAccent() === undefined) setAccent(accent);
    if (colorScheme && !hasChosenColorScheme()) setColorScheme(colorScheme);
  }, [dashboard, setColorScheme]);
}

/** @returns a function that stores a choice with the account; the calling component stores it on the device. */
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
