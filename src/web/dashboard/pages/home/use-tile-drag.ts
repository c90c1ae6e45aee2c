/**
 * Dragging tiles without an edit mode: with the mouse after a small movement, with a finger after it has rested, when
 * the menu is open. A slide along the tile of a lamp sets its level (`useDragAlong`): there the mouse has to begin up
 * or down. Escape cancels. Keyboards have the menu.
 */
import { type DragEvent, type PointerEvent, useEffect, useMemo, useRef } from 'react';
import type { DragPoint, Drop, MayDrop } from './tile-drag.ts';
import { TileDrag } from './tile-drag.ts';

/** As in `useDragAlong`: both decide by the same movement. */
const SLOP_PX = 8;

interface TileDragOptions {
  readonly copyClass: string;
  readonly mayDrop: MayDrop;
  readonly onDrop: (drop: Drop) => void;
  /** The drag begins: a menu that is open closes. */
  readonly onBegin: () => void;
}

interface Held {
  readonly item: HTMLElement;
  readonly pointerId: number;
  readonly from: DragPoint;
  /** A slide along the tile is a level. */
  readonly hasLevel: boolean;
  /** A finger that has rested moves it in any direction. */
  readonly isLifted: boolean;
}

export type MouseMove = 'wait' | 'drag' | 'leave';

/** What a movement of the mouse is. */
export function mouseMove(right: number, down: number, hasLevel: boolean): MouseMove {
  const [across, along] = [Math.abs(right), Math.abs(down)];
  if (!hasLevel) return Math.hypot(right, down) >= SLOP_PX ? 'drag' : 'wait';
  if (across >= SLOP_PX && across >= along) return 'leave';
  return along >= SLOP_PX && along > across ? 'drag' : 'wait';
}

export function useTileDrag(options: TileDragOptions) {
  const latest = useRef(options);
  latest.current = options;
  const gesture = useMemo(() => createGesture(() => latest.current), []);
  useEffect(() => gesture.cancel, [gesture]);
  return gesture;
}

function createGesture(options: () => TileDragOptions) {
  let held: Held | undefined;
  let drag: TileDrag | undefined;

  const stop = () => {
    held = undefined;
    drag = undefined;
    removeEventListener('pointermove', onMove);
    removeEventListener('pointerup', onUp);
    removeEventListener('pointercancel', onCancel);
    removeEventListener('keydown', onKey, { capture: true });
  };
  const cancel = () => {
    drag?.cancel();
    stop();
  };
  const hold = (next: Held) => {
    cancel();
    held = next;
    addEventListener('pointermove', onMove);
    addEventListener('pointerup', onUp);
    addEventListener('pointercancel', onCancel);
    addEventListener('keydown', onKey, { capture: true });
  };
  function begin({ item, from, pointerId }: Held) {
    const { copyClass, mayDrop, onBegin } = options();
    // A lamp does not follow the same pointer.
    const canceled = new globalThis.PointerEvent('pointercancel', { bubbles: true, pointerId });
    item.querySelector('button, a')?.dispatchEvent(canceled);
    onBegin();
    drag = new TileDrag(item, from, copyClass, mayDrop);
  }
  function onMove({ pointerId, clientX: x, clientY: y }: globalThis.PointerEvent) {
    if (!held || pointerId !== held.pointerId) return;
    if (!drag) {
      const [right, down] = [x - held.from.x, y - held.from.y];
      const move = held.isLifted ? mouseMove(right, down, false) : mouseMove(right, down, held.hasLevel);
      if (move === 'leave') return stop();
      if (move === 'wait') return;
      begin(held);
    }
    drag?.move({ x, y });
  }
  function onUp({ pointerId }: globalThis.PointerEvent) {
    if (pointerId !== held?.pointerId) return;
    const ended = drag;
    stop();
    if (!ended) return;
    ignoreNextClick();
    const drop = ended.end();
    if (drop) options().onDrop(drop);
  }
  function onCancel({ pointerId, isTrusted }: globalThis.PointerEvent) {
    // Others end a gesture of their own by an event of this kind.
    if (isTrusted && pointerId === held?.pointerId) cancel();
  }
  function onKey(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !drag) return;
    event.preventDefault();
    event.stopPropagation();
    cancel();
  }
  return {
    cancel,
    /** Whether the page must not scroll with the finger. */
    isHeld: () => held?.isLifted ?? false,
    /** A finger has rested on a tile. */
    lift: (item: HTMLElement, pointerId: number, from: DragPoint) =>
      hold({ item, pointerId, from, hasLevel: false, isLifted: true }),
    onPointerDown({ target, pointerType, isPrimary, button, pointerId, clientX: x, clientY: y }: PointerEvent) {
      cancel();
      const item = target instanceof Element ? target.closest<HTMLElement>('li[data-id]') : null;
      if (!item || pointerType !== 'mouse' || !isPrimary || button !== 0) return;
      const hasLevel = item.querySelector('[data-level]') !== null;
      hold({ item, pointerId, from: { x, y }, hasLevel, isLifted: false });
    },
    /** Browsers drag links by themselves. */
    onDragStart: (event: DragEvent) => event.preventDefault(),
  };
}

/** The click that ends a drag would act on the tile. */
function ignoreNextClick(): void {
  const ignore = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('click', ignore, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', ignore, { capture: true }), 0);
}
