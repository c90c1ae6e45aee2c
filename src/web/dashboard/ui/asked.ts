/**
 * What a link asks the page at its end to do at once: `/rooms?new=group` opens the dialog. It is followed once and
 * removed from the address: "back" does not repeat it.
 */
import { useEffect, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';

/** @param follow gets the value of `?new=` */
export function useAsked(follow: (what: string) => unknown): void {
  const what = new URLSearchParams(useSearch()).get('new');
  const [path, go] = useLocation();
  const latest = useRef(follow);
  latest.current = follow;
  useEffect(() => {
    if (what === null) return;
    go(path, { replace: true });
    latest.current(what);
  }, [what, path, go]);
}
