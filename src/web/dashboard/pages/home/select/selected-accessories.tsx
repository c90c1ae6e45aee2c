/** What can be done with selected accessories, on every page where they can be selected. Escape ends the selection. */
import homeTexts from 'texts:home';
import type { ReactNode } from 'react';
import { useHome, useRights } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { useEscape } from '../../../ui/selection-bar.tsx';
import { useRoomName } from '../../rooms/room-name.ts';
import { type Arrangement, isFavourite, isHidden, withFavourites, withHidden } from '../arrangement.ts';
import { arrangeWithUndo, moveAccessories } from '../edit/layout-acts.ts';
import { TileActions, type TileActionsProps } from '../edit/tile-actions.tsx';
import { useArrangement } from '../use-arrangement.ts';

interface SelectedAccessoriesProps extends Pick<TileActionsProps, 'onGroup' | 'count'> {
  /** Of accessories and groups. */
  readonly ids: readonly string[];
  readonly children?: ReactNode;
  readonly onSelectAll?: (() => void) | undefined;
  readonly onEnd: () => void;
}

export function SelectedAccessories({ ids, onEnd, ...rest }: SelectedAccessoriesProps) {
  const { edit: t } = useTexts(homeTexts);
  const inventory = useHome();
  const { canManage } = useRights();
  const nameOf = useRoomName();
  const [arrangement, change] = useArrangement();
  const rooms = inventory.rooms.map((room) => ({ id: room.id, name: nameOf(room) }));
  // Groups are in the room of their members.
  const canMove = canManage && ids.some((id) => inventory.accessories.some((accessory) => accessory.id === id));
  useEscape(onEnd);
  const alter = (text: string, next: (arrangement: Arrangement) => Arrangement) => arrangeWithUndo(change, text, next);
  const count = ids.length;
  return (
    <TileActions
      ids={ids}
      rooms={canMove ? rooms : []}
      areFavourites={count > 0 && ids.every((id) => isFavourite(arrangement, id))}
      areHidden={count > 0 && ids.every((id) => isHidden(arrangement, id))}
      acts={{
        move(_, roomId) {
          const room = rooms.find(({ id }) => id === roomId);
          if (room) void moveAccessories(ids, room);
        },
        favour: (_, isOn) => alter(isOn ? t.nowFavourite : t.noFavourite, (all) => withFavourites(all, ids, isOn)),
        hide: (_, isOn) =>
          alter(isOn ? t.nowHidden({ count }) : t.nowShown({ count }), (all) => withHidden(all, ids, isOn)),
      }}
      onClear={onEnd}
      {...rest}
    />
  );
}
