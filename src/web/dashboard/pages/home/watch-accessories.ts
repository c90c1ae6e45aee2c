/** A value derived from many accessories, recomputed at most once a frame when one of them changes. */
import { useMemo, useSyncExternalStore } from 'react';
import type { HomeAccessory } from '../../home/home-document.ts';
import { homeStore } from '../../home/home-store.ts';

/**
 * @param ids the same list object as long as the ids are the same: another list restarts the subscription
 * @param derive a cheap function, always the same object
 * @param isSame whether no re-render is needed
 */
export function useWatched<T>(
  ids: readonly string[],
  derive: (accessories: readonly HomeAccessory[]) => T,
  isSame: (a: T, b: T) => boolean,
): T {
  const watch = useMemo(() => createWatch(ids, derive, isSame), [ids, derive, isSame]);
  return useSyncExternalStore(watch.subscribe, watch.get);
}

function createWatch<T>(
  ids: readonly string[],
  derive: (accessories: readonly HomeAccessory[]) => T,
  isSame: (a: T, b: T) => boolean,
) {
  const read = () => derive(ids.flatMap((id) => homeStore.accessory(id) ?? []));
  let current = read();
  const update = () => {
    const next = read();
    if (isSame(current, next)) return false;
    current = next;
    return true;
  };
  return {
    get: () => current,
    subscribe(listener: () => void): () => void {
      let isAsked = false;
      // The store notifies all changes of a frame in one task: the value is recomputed once, after the last of them.
      const onChange = () => {
        if (isAsked) return;
        isAsked = true;
        queueMicrotask(() => {
          isAsked = false;
          if (update()) listener();
        });
      };
      const ends = ids.map((id) => homeStore.subscribe(id, onChange));
      // An accessory may have changed between the render and the subscription.
      onChange();
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
