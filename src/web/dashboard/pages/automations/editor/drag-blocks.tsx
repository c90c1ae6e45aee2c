/**
 * Cards are dragged by their handle into the gaps between other cards: in their own list, or in any list that accepts
 * their kind. Only gaps are drop targets, so nothing shifts during the drag. It works by touch, mouse and keyboard, and
 * screen readers announce it.
 */
import {
  type Active,
  type Announcements,
  type CollisionDetection,
  DndContext,
  type DragEndEvent,
  DragOverlay,
  type DroppableContainer,
  type KeyboardCoordinateGetter,
  KeyboardSensor,
  type Over,
  PointerSensor,
  useDndContext,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { type ReactNode, useState } from 'react';
import { isWithin, type Path, pathText, splitPath } from '../flow/paths.ts';
import type { NodeRole } from '../flow/structure.ts';
import classes from './editor.module.css';
import { type EditorTexts, useEditor } from './editor-context.tsx';

/** A tap on the handle does not start a drag. */
const DRAG_AFTER_PX = 6;

export interface DraggedBlock {
  readonly of: NodeRole;
  readonly path: Path;
  readonly type: string;
  readonly sentence: string;
  readonly icon: ReactNode;
}

/** The position before the node at that index, or after the last one. */
interface Gap {
  readonly of: NodeRole;
  readonly list: Path;
  readonly index: number;
  readonly count: number;
  /** The name of the list, for screen readers. */
  readonly label: string;
  readonly isInWait: boolean;
}

export function DragBlocks({ children }: { readonly children: ReactNode }) {
  const { session, texts } = useEditor();
  const [dragged, setDragged] = useState<DraggedBlock>();
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_AFTER_PX } }),
    useSensor(KeyboardSensor, { coordinateGetter: toNextGap, scrollBehavior: 'auto' }),
  );
  const drop = ({ active, over }: DragEndEvent) => {
    setDragged(undefined);
    const gap = over && gapOf(over);
    if (gap) session.moveTo(blockOf(active).path, gap.list, gap.index);
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={findGap}
      onDragStart={({ active }) => setDragged(blockOf(active))}
      onDragEnd={drop}
      onDragCancel={() => setDragged(undefined)}
      // The card has the keyboard focus after the move, at its new place.
      accessibility={{
        announcements: announcementsIn(texts),
        screenReaderInstructions: { draggable: texts.drag.help },
        restoreFocus: false,
      }}
    >
      {children}
      <DragOverlay dropAnimation={null}>
        {dragged && (
          <div className={classes.dragged}>
            {dragged.icon}
            <span className={classes.headText}>{dragged.sentence}</span>
          </div>
        )}
      </DragOverlay>
    </DndContext>
  );
}

/** A drop target for a card. */
export function DropGap(gap: Gap) {
  const { active } = useDndContext();
  const dragged = active ? blockOf(active) : undefined;
  const { setNodeRef, isOver } = useDroppable({
    id: `${pathText(gap.list)}:${gap.index}`,
    data: gap,
    disabled: dragged !== undefined && !takes(gap, dragged),
  });
  const isNews = isOver && dragged !== undefined && !isOwnPlace(gap, dragged.path);
  return (
    <div
      ref={setNodeRef}
      className={classes.gap}
      data-end={gap.index === gap.count || undefined}
      data-empty={gap.count === 0 || undefined}
      data-over={isNews || undefined}
      aria-hidden
    />
  );
}

function takes({ of: role, list, isInWait }: Gap, { of: draggedRole, path, type }: DraggedBlock): boolean {
  // A duration trigger is valid only inside a wait.
  return role === draggedRole && !isWithin(list, path) && (isInWait || role !== 'trigger' || type !== 'duration');
}

/** The gap right before or right after the card: the card would not move. */
function isOwnPlace({ list, index }: Gap, path: Path): boolean {
  const [ownList, ownIndex] = splitPath(path);
  return pathText(list) === pathText(ownList) && (index === ownIndex || index === ownIndex + 1);
}

/** The gap nearest to the pointer, or to the position that the keyboard selected. Nested lists begin further right. */
const findGap: CollisionDetection = ({ collisionRect, droppableContainers, droppableRects, pointerCoordinates }) => {
  const { x, y } = pointerCoordinates ?? { x: collisionRect.left, y: collisionRect.top };
  return droppableContainers
    .flatMap((container) => {
      const rect = droppableRects.get(container.id);
      if (!rect) return [];
      const aside = Math.max(0, rect.left - x, x - rect.right);
      return { id: container.id, data: { value: Math.abs(rect.top + rect.height / 2 - y) + aside } };
    })
    .sort((a, b) => a.data.value - b.data.value);
};

/** Moves from gap to gap with the arrow keys, in reading order. */
const toNextGap: KeyboardCoordinateGetter = (event, { context }) => {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.code];
  if (by === undefined || !context.active) return undefined;
  const { path } = blockOf(context.active);
  const here = context.over?.id;
  const gaps = context.droppableContainers
    .getEnabled()
    .filter((container) => container.id === here || !isBehindItself(container, path))
    .sort(inOrder);
  const next = gaps[gaps.findIndex(({ id }) => id === here) + by];
  const rect = next?.node.current?.getBoundingClientRect();
  return rect && { x: rect.left, y: rect.top + rect.height / 2 };
};

function isBehindItself({ data }: DroppableContainer, path: Path): boolean {
  const gap = data.current as Gap | undefined;
  return gap !== undefined && isOwnPlace(gap, path) && gap.index !== splitPath(path)[1];
}

function inOrder({ node: { current: a } }: DroppableContainer, { node: { current: b } }: DroppableContainer): number {
  if (!a || !b) return 0;
  return a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

function blockOf({ data }: Active): DraggedBlock {
  return data.current as DraggedBlock;
}

function gapOf({ data }: Over): Gap | undefined {
  return data.current as Gap | undefined;
}

function announcementsIn({ drag }: EditorTexts): Announcements {
  const place = (active: Active, over: Over | null) => {
    const gap = over && gapOf(over);
    if (!gap) return undefined;
    const { path, sentence } = blockOf(active);
    const [list, index] = splitPath(path);
    const isOwnList = pathText(list) === pathText(gap.list);
    // Within its own list, the card's old place no longer counts.
    const number = isOwnList && gap.index > index ? gap.index : gap.index + 1;
    return { name: sentence, number, count: isOwnList ? gap.count : gap.count + 1, list: gap.label };
  };
  return {
    onDragStart: ({ active }) => drag.picked({ name: blockOf(active).sentence }),
    onDragOver({ active, over }) {
      const at = place(active, over);
      return at && drag.over(at);
    },
    onDragEnd({ active, over }) {
      const at = place(active, over);
      return at ? drag.dropped(at) : drag.cancelled({ name: blockOf(active).sentence });
    },
    onDragCancel: ({ active }) => drag.cancelled({ name: blockOf(active).sentence }),
  };
}
