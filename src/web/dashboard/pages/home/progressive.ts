/** A long list is drawn a few parts at a time, so that what is on the screen first is there at once. */
import { startTransition, useEffect, useState } from 'react';

/** More than a wall tablet shows. */
const FIRST = 6;
const STEP = 4;

/** @returns how many of the parts to draw now; in the end all of them. */
export function useProgress(count: number): number {
  const [shown, setShown] = useState(FIRST);
  useEffect(() => {
    if (shown >= count) return;
    const timer = setTimeout(() => startTransition(() => setShown(shown + STEP)), 0);
    return () => clearTimeout(timer);
  }, [shown, count]);
  return Math.min(shown, count);
}
