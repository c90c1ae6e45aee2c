/** Carries out where a tile was dropped, with the data of that moment. */
import { homeStore } from '../../home/home-store.ts';
import { useFormat } from '../../texts/format.ts';
import { useRoomName } from '../rooms/room-name.ts';
import type { Drop } from './tile-drag.ts';
import { useArrangement } from './use-arrangement.ts';

export function useDrop(): (drop: Drop) => void {
  const [arrangement, change] = useArrangement();
  const { compare } = useFormat();
  const nameOf = useRoomName();
  return (drop) => {
    const { inventory } = homeStore;
    if (!inventory) return;
    void import('./arrange/drop-tile.ts').then(({ dropTile }) =>
      dropTile(drop, { inventory, arrangement, change, compare, nameOf }),
    );
  };
}
