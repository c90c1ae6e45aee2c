/** Degrees as the person reads them: what they chose, else what is usual where their browser is from. Values themselves are always °C. */
import { useSyncExternalStore } from 'react';

export type TemperatureUnit = 'celsius' | 'fahrenheit';

const KEY = 'hearthd.temperature';
/** Where the weather is told in Fahrenheit (Unicode CLDR, unitPreferenceData: temperature, weather). */
const FAHRENHEIT_REGIONS = new Set(['BS', 'BZ', 'KY', 'PR', 'PW', 'US']);

const listeners = new Set<() => void>();
/** Found when it is first asked for, as the language is. */
let current: TemperatureUnit | undefined;

function usual(): TemperatureUnit {
  const region = new Intl.Locale(navigator.language || 'en').region;
  return region !== undefined && FAHRENHEIT_REGIONS.has(region) ? 'fahrenheit' : 'celsius';
}

function unitNow(): TemperatureUnit {
  current ??= chosenTemperatureUnit() ?? usual();
  return current;
}

export function chosenTemperatureUnit(): TemperatureUnit | undefined {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'celsius' || kept === 'fahrenheit' ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** @param unit `undefined`: as is usual where the browser is from. */
export function setTemperatureUnit(unit: TemperatureUnit | undefined): void {
  try {
    if (unit) localStorage.setItem(KEY, unit);
    else localStorage.removeItem(KEY);
  } catch {
    // Kept until the page is left.
  }
  current = unit ?? usual();
  for (const listener of listeners) listener();
}

export function useTemperatureUnit(): TemperatureUnit {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, unitNow);
}
