/**
 * Moves a room among those around it, in place: by dragging its heading, with the mouse after a small movement, with a
 * finger after it has rested; or by keys. Loaded when a heading is first touched.
 */
import homeTexts from 'texts:home';
import { homeStore } from '../../../home/home-store.ts';
import { textsNow } from '../../../texts/texts.ts';
import { withRoomOrder } from '../arrangement.ts';
import { arrangeWithUndo } from '../edit/layout-acts.ts';
import { sectionsOf } from '../sections.ts';
import { scrollAt } from '../tile-drag.ts';
import { changeArrangement } from '../use-arrangement.ts';
import { placed } from './placed.ts';

type Compare = (a: string, b: string) => number;

/** Smaller movements are a press. */
const SLOP_PX = 8;
const REST_MS = 400;
/** Rooms that are narrower than this share of the page stand beside each other. */
const WHOLE_WIDTH = 0.75;

function reorder(id: string, targetId: string, isAfter: boolean, compare: Compare): void {
  const { inventory } = homeStore;
  if (!inventory || id === targetId) return;
  arrangeWithUndo(changeArrangement, textsNow(homeTexts).edit.orderChanged, (arrangement) => {
    const ids = sectionsOf(inventory, arrangement, compare).map(({ room }) => room.id);
    return withRoomOrder(arrangement, placed(ids, id, targetId, isAfter));
  });
}

/** The rooms of the same floor, in order. A room leaves its floor only by a change of the zones. */
function roomsBeside(item: HTMLElement): readonly HTMLElement[] {
  const rooms: HTMLElement[] = [];
  let isHere = false;
  for (const child of item.parentElement?.children ?? []) {
    if (child instanceof HTMLElement && child.dataset.room !== undefined) rooms.push(child);
    else if (isHere) break;
    else rooms.length = 0;
    isHere ||= child === item;
  }
  return rooms;
}

/** One place forward or back; the heading keeps the focus. */
export function stepRoom(item: HTMLElement, handle: HTMLElement, by: 1 | -1, compare: Compare): void {
  const rooms = roomsBeside(item);
  const target = rooms[rooms.indexOf(item) + by];
  const [id, targetId] = [item.dataset.room, target?.dataset.room];
  if (id === undefined || targetId === undefined) return;
  reorder(id, targetId, by > 0, compare);
  requestAnimationFrame(() => handle.focus());
}

interface Grip {
  readonly pointerId: number;
  readonly isTouch: boolean;
  readonly x: number;
  readonly y: number;
}

export function dragRoom(item: HTMLElement, { pointerId, isTouch, x: fromX, y: fromY }: Grip, compare: Compare): void {
  const listening = new AbortController();
  const { signal } = listening;
  const beside = roomsBeside(item);
  let [x, y] = [fromX, fromY];
  let isDragging = false;
  let target: { readonly room: HTMLElement; readonly isAfter: boolean } | undefined;
  let frame = 0;

  const mark = (next: typeof target) => {
    if (target && target.room !== next?.room) delete target.room.dataset.drop;
    if (next) next.room.dataset.drop = next.isAfter ? 'after' : 'before';
    target = next;
  };
  const look = () => {
    const room = beside.find((one) => one.contains(document.elementFromPoint(x, y)));
    if (!room || room === item) return mark(undefined);
    const { left, top, width, height } = room.getBoundingClientRect();
    const isWhole = width > (room.parentElement?.clientWidth ?? 0) * WHOLE_WIDTH;
    return mark({ room, isAfter: isWhole ? y > top + height / 2 : x > left + width / 2 });
  };
  const step = () => {
    const by = scrollAt(y, innerHeight);
    if (by !== 0) scrollBy(0, by);
    look();
    frame = requestAnimationFrame(step);
  };
  const begin = () => {
    isDragging = true;
    item.dataset.lifted = '';
    step();
  };
  const resting = isTouch ? setTimeout(begin, REST_MS) : undefined;
  const stop = () => {
    clearTimeout(resting);
    cancelAnimationFrame(frame);
    listening.abort();
    delete item.dataset.lifted;
    const dropped = isDragging ? target : undefined;
    mark(undefined);
    return dropped;
  };
  const on = <K extends keyof WindowEventMap>(type: K, run: (event: WindowEventMap[K]) => void) =>
    addEventListener(type, run, { signal, capture: true, passive: false });

  on('pointermove', (event) => {
    if (event.pointerId !== pointerId) return;
    [x, y] = [event.clientX, event.clientY];
    if (isDragging || Math.hypot(x - fromX, y - fromY) < SLOP_PX) return;
    // A finger that moves before it has rested scrolls the page.
    if (isTouch) stop();
    else begin();
  });
  on('pointerup', (event) => {
    if (event.pointerId !== pointerId) return;
    [x, y] = [event.clientX, event.clientY];
    const wasDragging = isDragging;
    if (wasDragging) look();
    const dropped = stop();
    if (wasDragging) ignoreNextClick();
    const [id, targetId] = [item.dataset.room, dropped?.room.dataset.room];
    if (id !== undefined && targetId !== undefined && dropped) reorder(id, targetId, dropped.isAfter, compare);
  });
  on('pointercancel', (event) => void (event.pointerId === pointerId && stop()));
  on('touchmove', (event) => isDragging && event.preventDefault());
  on('contextmenu', (event) => isTouch && event.preventDefault());
  on('keydown', (event) => {
    if (event.key !== 'Escape' || !isDragging) return;
    event.preventDefault();
    event.stopPropagation();
    stop();
  });
}

/** The click that ends a drag would open the room. */
function ignoreNextClick(): void {
  const ignore = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('click', ignore, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', ignore, { capture: true }), 0);
}
