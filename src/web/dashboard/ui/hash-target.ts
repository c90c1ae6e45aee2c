/** Shows the part of a page that the address names, also if the page loads it later or is shown already. */
import { type RefObject, useEffect, useRef } from 'react';
import { useLocationProperty } from 'wouter/use-browser-location';

/** @param id without one, the part has no address. @returns the ref of the part's element */
export function useHashTarget<T extends HTMLElement>(id: string | undefined): RefObject<T | null> {
  const target = useRef<T>(null);
  const isTarget = useLocationProperty(() => location.hash === `#${id}`);
  useEffect(() => {
    if (!isTarget) return;
    target.current?.scrollIntoView();
    target.current?.focus({ preventScroll: true });
  }, [isTarget]);
  return target;
}
