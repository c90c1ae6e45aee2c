/** Renders a long list in several parts, so that the visible part appears at once. */
import { startTransition, useEffect, useState } from 'react';

/** More than fits on a wall tablet. */
const FIRST = 6;
const STEP = 4;

/** @returns the number of parts to render now; in the end all of them. */
export function useProgress(count: number): number {
  const [shown, setShown] = useState(FIRST);
  useEffect(() => {
    if (shown >= count) return;
    const timer = setTimeout(() => startTransition(() => setShown(shown + STEP)), 0);
    return () => clearTimeout(timer);
  }, [shown, count]);
  return Math.min(shown, count);
}
