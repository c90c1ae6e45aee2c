/** The actions of edit mode: on the user's own arrangement, and through `layout-acts.ts` on the shared home. */

import homeTexts from 'texts:home';
import { useMemo, useRef } from 'react';
import { homeStore } from '../../../home/home-store.ts';
import { textsNow } from '../../../texts/texts.ts';
import {
  type Arrangement,
  GROUPS,
  moved,
  withAccessoryOrder,
  withFavourites,
  withHidden,
  withRoomOrder,
} from '../arrangement.ts';
import type { RoomSection } from '../sections.ts';
import { type ChangeArrangement, useArrangement } from '../use-arrangement.ts';
import { arrangeWithUndo, deleteRoom, moveAccessories, renameThing } from './layout-acts.ts';
import type { RoomActs } from './room-card.tsx';
import type { ThingActs } from './thing-row.tsx';

export interface EditActs {
  readonly thingActs: ThingActs;
  readonly roomActs: RoomActs;
  /** Puts a room, or a tile in a room, at the place of another. */
  placeRoom(roomId: string, targetId: string): void;
  placeThing(thingId: string, target: { readonly roomId: string; readonly index: number }): void;
}

type Select = (id: string, isOn: boolean) => void;

/**
 * @param sections the displayed rooms
 * @param groups the row of the service groups
 */
export function useEditActs(
  homeId: string,
  sections: readonly RoomSection[],
  groups: RoomSection,
  nameOf: (room: RoomSection['room']) => string,
  select: Select,
): EditActs {
  const [arrangement, change] = useArrangement();
  // The many rows are memoized: their actions keep one identity during editing and read the current data here.
  const now = useRef({ sections, groups, arrangement, nameOf });
  now.current = { sections, groups, arrangement, nameOf };
  return useMemo(() => createActs(homeId, () => now.current, change, select), [homeId, change, select]);
}

interface Now {
  readonly sections: readonly RoomSection[];
  readonly groups: RoomSection;
  readonly arrangement: Arrangement;
  readonly nameOf: (room: RoomSection['room']) => string;
}

/** What the actions of rows and rooms have in common. */
function createArranger(now: () => Now, change: ChangeArrangement) {
  const t = () => textsNow(homeTexts).edit;
  const notify = (text: string, next: (arrangement: Arrangement) => Arrangement) => arrangeWithUndo(change, text, next);
  return {
    now,
    change,
    t,
    notify,
    roomIds: () => now().sections.map(({ room }) => room.id),
    idsIn: (roomId: string) =>
      [now().groups, ...now().sections].find(({ room }) => room.id === roomId)?.things.map(({ id }) => id) ?? [],
    orderThings: (roomId: string, ids: readonly string[]) =>
      notify(t().orderChanged, (all) => withAccessoryOrder(all, roomId, ids)),
    moveTo(ids: readonly string[], roomId: string) {
      const room = now().sections.find((section) => section.room.id === roomId)?.room;
      if (room) void moveAccessories(ids, { id: room.id, name: now().nameOf(room) });
    },
  };
}

type Arranger = ReturnType<typeof createArranger>;

function createActs(homeId: string, now: () => Now, change: ChangeArrangement, select: Select): EditActs {
  const arranger = createArranger(now, change);
  const { t, notify, roomIds, idsIn, orderThings, moveTo } = arranger;
  const placeRoom = (roomId: string, targetId: string) => {
    const ids = roomIds();
    notify(t().orderChanged, (all) => withRoomOrder(all, moved(ids, ids.indexOf(roomId), ids.indexOf(targetId))));
  };
  return {
    placeRoom,
    placeThing(thingId, { roomId, index }) {
      const ids = idsIn(roomId);
      const from = ids.indexOf(thingId);
      if (from !== -1) return orderThings(roomId, moved(ids, from, index));
      // Groups stay in their own row.
      if (roomId === GROUPS || !homeStore.inventory?.accessories.some(({ id }) => id === thingId)) return;
      change((all) => withAccessoryOrder(all, roomId, ids.toSpliced(index, 0, thingId)));
      moveTo([thingId], roomId);
    },
    thingActs: createThingActs(arranger, select),
    roomActs: createRoomActs(homeId, arranger, placeRoom),
  };
}

function createThingActs({ t, notify, idsIn, orderThings, moveTo }: Arranger, select: Select): ThingActs {
  return {
    select,
    rename: (thing, name) => void renameThing(thing.isGroup ? 'group' : 'accessory', thing, name),
    step({ id, roomId }, by) {
      const ids = idsIn(roomId);
      const from = ids.indexOf(id);
      orderThings(roomId, moved(ids, from, from + by));
    },
    hide: (ids, isOn) =>
      notify(isOn ? t().nowHidden({ count: ids.length }) : t().nowShown({ count: ids.length }), (all) =>
        withHidden(all, ids, isOn),
      ),
    favour: (ids, isOn) => notify(isOn ? t().nowFavourite : t().noFavourite, (all) => withFavourites(all, ids, isOn)),
    move: moveTo,
  };
}

function createRoomActs(
  homeId: string,
  { now, change, roomIds, idsIn }: Arranger,
  placeRoom: EditActs['placeRoom'],
): RoomActs {
  return {
    rename: (room, name) => void renameThing('room', { id: room.id, name: room.name }, name),
    remove(room) {
      const place = roomIds().indexOf(room.id);
      const inside = idsIn(room.id);
      const isOrdered = now().arrangement.rooms.length > 0;
      void deleteRoom(homeId, { id: room.id, name: room.name }, (newId) => {
        const others = roomIds().filter((id) => id !== newId);
        change((all) => {
          const restored = withAccessoryOrder(all, newId, inside);
          return isOrdered ? withRoomOrder(restored, others.toSpliced(place, 0, newId)) : restored;
        });
      });
    },
    step(roomId, by) {
      const ids = roomIds();
      const target = ids[ids.indexOf(roomId) + by];
      if (target !== undefined) placeRoom(roomId, target);
    },
  };
}
