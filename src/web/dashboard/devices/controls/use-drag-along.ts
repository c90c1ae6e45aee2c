/**
 * A finger or mouse that goes along an element from side to side. Up and down stays the page's own scrolling (`touch-action: pan-y`): the
 * browser then takes the finger away, and nothing has happened. A tap stays a tap.
 */
import { type MouseEvent, type PointerEvent, useRef } from 'react';

/** So far a finger trembles. */
const SLOP_PX = 8;

interface Along {
  readonly begin: () => void;
  /** @param moved how far since it began, in widths of the element */
  readonly move: (moved: number) => void;
  /** @param isTaken the browser took the finger away, for scrolling or something else */
  readonly end: (isTaken: boolean) => void;
}

interface Hold {
  readonly pointerId: number;
  readonly x: number;
  readonly y: number;
  isDragging: boolean;
}

export function useDragAlong({ begin, move, end }: Along) {
  const hold = useRef<Hold>(undefined);
  /** The click that follows a drag is none. */
  const hasDragged = useRef(false);
  const finish = (isTaken: boolean) => () => {
    if (hold.current?.isDragging) end(isTaken);
    hold.current = undefined;
  };
  return {
    onPointerDown({ pointerId, clientX, clientY, button, isPrimary }: PointerEvent) {
      hasDragged.current = false;
      if (isPrimary && button === 0) hold.current = { pointerId, x: clientX, y: clientY, isDragging: false };
    },
    onPointerMove({ pointerId, clientX, clientY, currentTarget }: PointerEvent) {
      const held = hold.current;
      if (held?.pointerId !== pointerId) return;
      const right = clientX - held.x;
      if (!held.isDragging) {
        if (Math.abs(right) < SLOP_PX || Math.abs(right) < Math.abs(clientY - held.y)) return;
        held.isDragging = true;
        hasDragged.current = true;
        currentTarget.setPointerCapture(pointerId);
        begin();
      }
      move((right - Math.sign(right) * SLOP_PX) / currentTarget.getBoundingClientRect().width);
    },
    onPointerUp: finish(false),
    onPointerCancel: finish(true),
    onClickCapture(event: MouseEvent) {
      if (!hasDragged.current) return;
      hasDragged.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
