/**
 * Rooms change places where they are. Handlers for the element around rooms: each has `data-room` with its id, and a
 * handle with `data-handle`, which moves it by a drag, or by Alt and an arrow key.
 */
import type { DragEvent, KeyboardEvent, PointerEvent } from 'react';
import { useFormat } from '../../texts/format.ts';

/** For `aria-keyshortcuts`. */
export const ROOM_KEYS = 'Alt+ArrowUp Alt+ArrowDown';
const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowUp: -1, ArrowDown: 1 };

function held(target: EventTarget): readonly [room: HTMLElement, handle: HTMLElement] | undefined {
  const handle = target instanceof Element ? target.closest<HTMLElement>('[data-handle]') : null;
  const room = handle?.closest<HTMLElement>('[data-room]');
  return handle && room ? [room, handle] : undefined;
}

const load = () => import('./arrange/move-room.ts');

/** @returns whether the press has ended: it may do so while the module is on its way. */
function untilReleased(): () => boolean {
  const released = new AbortController();
  const { signal } = released;
  const end = () => released.abort();
  for (const type of ['pointerup', 'pointercancel']) addEventListener(type, end, { signal, capture: true });
  return () => signal.aborted;
}

export function useRoomMove() {
  const { compare } = useFormat();
  return {
    onPointerDown({ target, isPrimary, button, pointerId, pointerType, clientX: x, clientY: y }: PointerEvent) {
      const found = held(target);
      if (!found || !isPrimary || button !== 0) return;
      const grip = { pointerId, isTouch: pointerType !== 'mouse', x, y };
      const isOver = untilReleased();
      void load().then(({ dragRoom }) => isOver() || dragRoom(found[0], grip, compare));
    },
    onKeyDown(event: KeyboardEvent) {
      const [found, by] = [held(event.target), STEPS[event.key]];
      if (!found || by === undefined || !event.altKey) return;
      event.preventDefault();
      const [room, handle] = found;
      void load().then(({ stepRoom }) => stepRoom(room, handle.querySelector('a') ?? handle, by, compare));
    },
    /** Browsers drag links by themselves. */
    onDragStart(event: DragEvent) {
      if (held(event.target)) event.preventDefault();
    },
  };
}
