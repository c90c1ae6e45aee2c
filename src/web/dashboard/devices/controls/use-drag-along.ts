/**
 * A horizontal drag with a finger or mouse along an element. Vertical movement stays page scrolling (`touch-action:
 * pan-y`): the browser then cancels the pointer, and no value changes. A tap stays a tap.
 */
import { type MouseEvent, type PointerEvent, useRef } from 'react';

/** Smaller movements count as a tap. */
const SLOP_PX = 8;

interface Along {
  readonly begin: () => void;
  /** @param moved the distance since the start, in widths of the element */
  readonly move: (moved: number) => void;
  /** @param isTaken the browser cancelled the pointer, for scrolling or another gesture */
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
  /** The click event that follows a drag is ignored. */
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
