/**
 * Opens a tile's menu: by right click, by the menu key, and by a finger that rests on it. One set of handlers serves a
 * whole grid; the tiles are its items with `data-id`.
 */
import { type MouseEvent, type PointerEvent, type TouchEvent, useEffect, useRef, useState } from 'react';

/** As long as phones themselves wait. */
const REST_MS = 500;
/** A finger moves a little while it rests. */
const SLOP_PX = 8;

export interface OpenTileMenu {
  readonly id: string;
  readonly at: { readonly x: number; readonly y: number };
}

interface Rest {
  readonly x: number;
  readonly y: number;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** @param onRest a finger has rested on a tile, whose menu is open now; it may go on to drag the tile */
export function useTileMenu(onRest: (item: HTMLElement, pointerId: number, at: OpenTileMenu['at']) => void) {
  const [menu, setMenu] = useState<OpenTileMenu>();
  /** The tile whose icon is being chosen. */
  const [iconOf, chooseIcon] = useState<string>();
  const rest = useRef<Rest>(undefined);
  /** The click that ends a long press would act on the tile. */
  const ignoresClick = useRef(false);
  const opener = useRef<HTMLElement>(undefined);
  const end = () => {
    clearTimeout(rest.current?.timer);
    rest.current = undefined;
  };
  useEffect(() => end, []);
  const endFinger = () => {
    end();
    finger.current = undefined;
  };
  /** The finger on the screen, for browsers that report its rest as a right click. */
  const finger = useRef<number>(undefined);
  const open = (target: EventTarget, at: OpenTileMenu['at']) => {
    const item = itemOf(target);
    const { id } = item?.dataset ?? {};
    if (!item || id === undefined) return false;
    opener.current = item.querySelector<HTMLElement>('button, a') ?? undefined;
    setMenu({ id, at });
    return true;
  };
  const handlers = {
    onContextMenu(event: MouseEvent) {
      end();
      const box = event.target instanceof Element ? event.target.getBoundingClientRect() : undefined;
      // The menu key has no place of its own.
      const isByKey = event.clientX === 0 && event.clientY === 0;
      const at = isByKey && box ? { x: box.left + 8, y: box.top + 8 } : { x: event.clientX, y: event.clientY };
      if (!open(event.target, at)) return;
      event.preventDefault();
      const item = itemOf(event.target);
      if (finger.current === undefined || !item) return;
      ignoresClick.current = true;
      onRest(item, finger.current, at);
    },
    onPointerDown({ target, clientX: x, clientY: y, pointerType, isPrimary, pointerId }: PointerEvent) {
      end();
      ignoresClick.current = false;
      finger.current = undefined;
      if (pointerType !== 'touch' || !isPrimary) return;
      finger.current = pointerId;
      const timer = setTimeout(() => {
        rest.current = undefined;
        ignoresClick.current = open(target, { x, y });
        // A finger that goes on from here does not dim the lamp.
        target.dispatchEvent(new globalThis.PointerEvent('pointercancel', { bubbles: true, pointerId }));
        const item = itemOf(target);
        if (item && ignoresClick.current) onRest(item, pointerId, { x, y });
      }, REST_MS);
      rest.current = { x, y, timer };
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const { x, y } = rest.current ?? { x: clientX, y: clientY };
      if (Math.hypot(clientX - x, clientY - y) >= SLOP_PX) end();
    },
    onPointerUp: endFinger,
    onPointerCancel: end,
    onTouchEnd(event: TouchEvent) {
      if (!ignoresClick.current || !event.cancelable) return;
      // No click follows, nor the mouse events before it, which would close the menu.
      event.preventDefault();
      ignoresClick.current = false;
    },
    onClickCapture(event: MouseEvent) {
      if (!ignoresClick.current || event.detail === 0) return;
      ignoresClick.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
  const close = () => {
    setMenu(undefined);
    opener.current?.focus({ preventScroll: true });
  };
  const openByKey = (target: EventTarget) => {
    const box = itemOf(target)?.getBoundingClientRect();
    return box !== undefined && open(target, { x: box.left + 8, y: box.top + 8 });
  };
  return { menu, iconOf, chooseIcon, handlers, close, openByKey, dismiss: () => setMenu(undefined) };
}

function itemOf(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-id]') : null;
}
