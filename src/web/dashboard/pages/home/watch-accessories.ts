/** Something worked out from many accessories at once, worked out again when one of them changed, once a frame. */
import { useMemo, useSyncExternalStore } from 'react';
import type { HouseAccessory } from '../../house/house-document.ts';
import { houseStore } from '../../house/house-store.ts';

/**
 * @param ids the same list as long as it has the same ids: with another one everything is begun anew
 * @param derive cheap, and always the same function
 * @param isSame whether nothing has to be drawn again
 */
export function useWatched<T>(
  ids: readonly string[],
  derive: (accessories: readonly HouseAccessory[]) => T,
  isSame: (a: T, b: T) => boolean,
): T {
  const watch = useMemo(() => createWatch(ids, derive, isSame), [ids, derive, isSame]);
  return useSyncExternalStore(watch.subscribe, watch.get);
}

function createWatch<T>(
  ids: readonly string[],
  derive: (accessories: readonly HouseAccessory[]) => T,
  isSame: (a: T, b: T) => boolean,
) {
  const read = () => derive(ids.flatMap((id) => houseStore.accessory(id) ?? []));
  let current = read();
  const update = () => {
    const next = read();
    if (isSame(current, next)) return false;
    current = next;
    return true;
  };
  return {
    get: () => current,
    subscribe(tell: () => void): () => void {
      let isAsked = false;
      // All that changed in a frame is told one by one, in one go: the answer is worked out once, behind the last of them.
      const onChange = () => {
        if (isAsked) return;
        isAsked = true;
        queueMicrotask(() => {
          isAsked = false;
          if (update()) tell();
        });
      };
      const ends = ids.map((id) => houseStore.subscribe(id, onChange));
      // Something may have changed between drawing and listening.
      onChange();
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
