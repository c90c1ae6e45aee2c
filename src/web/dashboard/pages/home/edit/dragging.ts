/** Dragging of rooms and tiles by touch, mouse or keyboard, with announcements for screen readers. */

import type { Catalogues } from 'texts:types';
import {
  type Active,
  type Announcements,
  type CollisionDetection,
  closestCenter,
  type DragEndEvent,
  KeyboardSensor,
  type Over,
  PointerSensor,
  pointerWithin,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { sortableKeyboardCoordinates } from '@dnd-kit/sortable';
import type { EditActs } from './use-edit-acts.ts';

type EditTexts = Catalogues['home']['edit'];

/** A tap on the handle does not start a drag. */
const DRAG_AFTER_PX = 6;

export function useDragSensors() {
  return useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_AFTER_PX } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
}

/** Rooms drop between rooms; tiles drop on the nearest tile, or into an empty room. */
export const findTarget: CollisionDetection = (args) => {
  const kind = args.active.data.current?.kind;
  const ofKind = (wanted: string) =>
    args.droppableContainers.filter((container) => container.data.current?.kind === wanted);
  if (kind === 'room') return closestCenter({ ...args, droppableContainers: ofKind('room') });
  const things = pointerWithin({ ...args, droppableContainers: ofKind('thing') });
  if (things.length > 0) return things;
  const rooms = pointerWithin({ ...args, droppableContainers: ofKind('room') });
  return rooms.length > 0 ? rooms : closestCenter({ ...args, droppableContainers: ofKind('thing') });
};

export function applyDrag({ active, over }: DragEndEvent, acts: EditActs): void {
  if (!over || active.id === over.id) return;
  const target = over.data.current;
  if (active.data.current?.kind === 'room') acts.placeRoom(String(active.id), String(over.id));
  else if (target?.kind === 'room') acts.placeThing(String(active.id), { roomId: String(over.id), index: 0 });
  else if (target?.kind === 'thing') {
    const index = target.sortable?.index ?? 0;
    acts.placeThing(String(active.id), { roomId: target.thing.roomId, index });
  }
}

export function announcementsIn(t: EditTexts): Announcements {
  const nameOf = (item: Active | Over) => item.data.current?.thing?.name ?? item.data.current?.name ?? '';
  return {
    onDragStart: ({ active }) => t.picked({ name: nameOf(active) }),
    // The dragged item is over itself at first: no announcement.
    onDragOver: ({ active, over }) =>
      over && over.id !== active.id ? t.over({ name: nameOf(active), place: nameOf(over) }) : undefined,
    onDragEnd: ({ active, over }) =>
      over && over.id !== active.id
        ? t.dropped({ name: nameOf(active), place: nameOf(over) })
        : t.droppedNowhere({ name: nameOf(active) }),
    onDragCancel: ({ active }) => t.cancelled({ name: nameOf(active) }),
  };
}
