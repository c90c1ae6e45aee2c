/** How someone looks at a page, which this browser keeps. */
import { useState } from 'react';

/** @param name among all of the dashboard */
export function useKeptFlag(name: string): readonly [isOn: boolean, set: (isOn: boolean) => void] {
  const key = `hearthd.${name}`;
  const [isOn, setOn] = useState(() => isKept(key));
  const set = (next: boolean) => {
    setOn(next);
    keep(key, next);
  };
  return [isOn, set];
}

function isKept(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

function keep(key: string, isOn: boolean): void {
  try {
    if (isOn) localStorage.setItem(key, 'on');
    else localStorage.removeItem(key);
  } catch {
    // Without storage it applies until the page closes.
  }
}
