/** The series whose lines are hidden in the plots, while the page is open. */
import { useEffect, useState } from 'react';
import { type SeriesRef, seriesKey } from './window.ts';

export interface HiddenSeries {
  has(ref: SeriesRef): boolean;
  toggle(ref: SeriesRef): void;
}

/** @param series what is selected: a series that is selected again is shown */
export function useHiddenSeries(series: readonly SeriesRef[]): HiddenSeries {
  const [keys, setKeys] = useState<readonly string[]>([]);
  const selected = series.map(seriesKey);
  useEffect(() => setKeys((before) => before.filter((key) => selected.includes(key))), [selected.join()]);
  return {
    has: (ref) => keys.includes(seriesKey(ref)),
    toggle(ref) {
      const key = seriesKey(ref);
      setKeys((before) => (before.includes(key) ? before.filter((other) => other !== key) : [...before, key]));
    },
  };
}
