/**
 * Zooms all graphs inside an element: two fingers, and Ctrl or ⌘ with the wheel, which is also what two fingers on a
 * touchpad send. The wheel alone scrolls the page. The graphs follow at once; the new window is applied at the end.
 */
import { type RefObject, useEffect, useRef, useState } from 'react';
import { type PlotWindow, zoomedAbout } from './window.ts';

/** The wheel has no end: this long after its last step. */
const WHEEL_END_MS = 300;
/** Pixels of the wheel that halve or double the window. */
const WHEEL_DOUBLES_PX = 240;
const LINE_PX = 16;
/** What has the width of the window: of a plot, without its axes. */
const AREAS = '.u-over, [data-zoom-area]';

interface Pinch {
  readonly area: DOMRect;
  readonly window: PlotWindow;
  readonly distance: number;
  readonly share: number;
}

export function useZoom(window: PlotWindow, onWindow: (window: PlotWindow) => void) {
  const place = useRef<HTMLDivElement>(null);
  const [draft, setDraft] = useState<PlotWindow>();
  const shown = draft ?? window;
  const latest = useRef({ shown, onWindow });
  latest.current = { shown, onWindow };
  useEffect(() => setDraft(undefined), [window.spanMs, window.to]);
  useEffect(() => {
    const show = (next: PlotWindow) => {
      latest.current = { ...latest.current, shown: next };
      setDraft(next);
    };
    return listen(place, {
      shown: () => latest.current.shown,
      show,
      apply: () => latest.current.onWindow(latest.current.shown),
    });
  }, []);
  return { place, shown };
}

interface Zoomed {
  readonly shown: () => PlotWindow;
  readonly show: (window: PlotWindow) => void;
  readonly apply: () => void;
}

function listen({ current: element }: RefObject<HTMLElement | null>, { shown, show, apply }: Zoomed) {
  if (!element) return undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pinch: Pinch | undefined;
  const onWheel = (event: WheelEvent): void => {
    const area = areaUnder(event.target);
    if (!area || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * LINE_PX;
    const factor = 2 ** Math.min(Math.max(pixels / WHEEL_DOUBLES_PX, -1), 1);
    show(zoomedAbout(shown(), { share: shareOf(area, event.clientX), factor }, Date.now()));
    clearTimeout(timer);
    timer = setTimeout(apply, WHEEL_END_MS);
  };
  const onTouchStart = (event: TouchEvent): void => {
    const area = areaUnder(event.target);
    const fingers = twoOf(event);
    if (!area || !fingers) return;
    // Else the browser scrolls, and takes the fingers away.
    event.preventDefault();
    pinch = { area, window: shown(), distance: fingers.distance, share: shareOf(area, fingers.middle) };
  };
  const onTouchMove = (event: TouchEvent): void => {
    const fingers = twoOf(event);
    if (!pinch || !fingers) return;
    event.preventDefault();
    const { area, window, distance, share } = pinch;
    const moved = { share, toShare: shareOf(area, fingers.middle), factor: distance / fingers.distance };
    show(zoomedAbout(window, moved, Date.now()));
  };
  const onTouchEnd = (): void => {
    if (pinch) apply();
    pinch = undefined;
  };
  const active = { passive: false };
  element.addEventListener('wheel', onWheel, active);
  element.addEventListener('touchstart', onTouchStart, active);
  element.addEventListener('touchmove', onTouchMove, active);
  element.addEventListener('touchend', onTouchEnd);
  element.addEventListener('touchcancel', onTouchEnd);
  return () => {
    clearTimeout(timer);
    element.removeEventListener('wheel', onWheel);
    element.removeEventListener('touchstart', onTouchStart);
    element.removeEventListener('touchmove', onTouchMove);
    element.removeEventListener('touchend', onTouchEnd);
    element.removeEventListener('touchcancel', onTouchEnd);
  };
}

function areaUnder(target: EventTarget | null): DOMRect | undefined {
  return target instanceof Element ? target.closest(AREAS)?.getBoundingClientRect() : undefined;
}

function shareOf({ left, width }: DOMRect, clientX: number): number {
  return (clientX - left) / width;
}

/** At least this far apart: fingers one above the other would zoom without end. */
const MIN_DISTANCE_PX = 24;

function twoOf({ touches }: TouchEvent): { readonly middle: number; readonly distance: number } | undefined {
  const [one, other] = [touches[0], touches[1]];
  if (!one || !other || touches.length > 2) return undefined;
  return {
    middle: (one.clientX + other.clientX) / 2,
    distance: Math.max(Math.abs(one.clientX - other.clientX), MIN_DISTANCE_PX),
  };
}
