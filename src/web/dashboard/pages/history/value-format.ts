/** What plots of every size need: values in words, and the time. */
import { useEffect, useState } from 'react';
import { useWords, valueText } from '../../pickers/property-words.ts';
import type { SeriesData } from './plot-data.ts';

/** A formatted value of a series, with its unit. */
export function useValueFormat(): (series: SeriesData, value: number | string) => string {
  const words = useWords();
  return ({ characteristicType, unit, kind }, value) => {
    if (kind === 'numeric') return valueText(characteristicType, value, words, unit === '°C' ? 'celsius' : unit);
    // The recorded number is shown as the characteristic's value.
    return valueText(characteristicType, kind === 'bool' ? value === 1 || value === 'true' : value, words);
  };
}

/** The current time, updated at an interval. @param everyMs the interval; no updates if left out */
export function useNow(everyMs: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
