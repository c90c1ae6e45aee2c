/**
 * The display unit of temperatures: the user's choice, else the usual one of the browser's region. Values themselves
 * are always in °C.
 */
import { useSyncExternalStore } from 'react';

export type TemperatureUnit = 'celsius' | 'fahrenheit';

const KEY = 'hearthd.temperature';
/** Regions that use Fahrenheit (Unicode CLDR, unitPreferenceData: temperature, weather). */
const FAHRENHEIT_REGIONS = new Set(['BS', 'BZ', 'KY', 'PR', 'PW', 'US']);

const listeners = new Set<() => void>();
/** Determined at first use, like the language. */
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

/** @param unit `undefined`: the usual unit of the browser's region. */
export function setTemperatureUnit(unit: TemperatureUnit | undefined): void {
  try {
    if (unit) localStorage.setItem(KEY, unit);
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage the choice lasts until the page closes.
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
