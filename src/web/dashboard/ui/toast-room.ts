/**
 * Keeps toasts out of the way: the page has room for them at its foot, so that what they cover can be scrolled clear of
 * them; they lie above the bar of a selection and the buttons of forms and dialogs; and a swipe or Escape closes one.
 * Loaded with the first toast, which is shown without it, too.
 */

/** A shorter swipe is undecided: the toast comes back. */
const SWIPE_PX = 72;
/** Between a toast and what it lies above. */
const GAP_PX = 8;

const withRoom = new WeakSet<HTMLElement>();

/** @param toast in the list of all; its last button closes it. `null` once one is gone */
export function keepToastClear(toast: HTMLElement | null): void {
  if (!toast) return;
  const list = toast.parentElement;
  if (list && !withRoom.has(list)) {
    withRoom.add(list);
    keepRoom(list);
  }
  const close = () => [...toast.querySelectorAll('button')].at(-1)?.click();
  closeBySwipe(toast, close);
  toast.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    // A dialog below it stays open.
    event.stopPropagation();
    close();
  });
}

/** As much as the toasts reach up from the foot of the screen. */
function keepRoom(list: HTMLElement): void {
  const { documentElement: page } = document;
  let room = 0;
  // Where people want no motion, each change is a transition of no time, whose end would be awaited below.
  list.style.transitionProperty = 'none';
  const measure = () => {
    list.style.bottom = '';
    const { top, bottom, height } = list.getBoundingClientRect();
    if (height > 0) changes.observe(document.body, { childList: true, subtree: true });
    else changes.disconnect();
    const needed = height > 0 ? page.clientHeight - top : 0;
    // While the end of the page is in sight, less room would move it away from below a finger.
    const inSight = scrollY > 0 ? room - (page.scrollHeight - scrollY - page.clientHeight) : 0;
    room = Math.max(needed, Math.min(room, inSight), 0);
    const content = document.getElementById('content');
    if (content) content.style.paddingBottom = `${room}px`;
    // What gets the keyboard comes to lie above them.
    page.style.scrollPaddingBottom = room > 0 ? `${room}px` : '';
    const free = freeBottom(bottom, height);
    if (free < bottom) list.style.bottom = `${page.clientHeight - free}px`;
  };
  // A dialog or a selection that begins or ends meanwhile.
  const changes = new MutationObserver(measure);
  const remeasure = () => room > 0 && measure();
  new ResizeObserver(measure).observe(list);
  addEventListener('scroll', remeasure, { passive: true });
  // A dialog moves while it opens; the room for toasts is a transition too, where people want no motion.
  addEventListener('transitionend', ({ target }) => {
    if (target instanceof Element && target.closest('[role="dialog"]')) remeasure();
  });
  addEventListener('resize', remeasure);
}

/** @returns where toasts of this height end, which would end at `bottom`, so that they cover no buttons there */
function freeBottom(bottom: number, height: number): number {
  let free = bottom;
  for (const { top, bottom: end } of buttonRows()) {
    if (end > free - height && top - GAP_PX < free) free = top - GAP_PX;
  }
  // Where there is no room above them, the toasts stay in sight.
  return free > height ? free : bottom;
}

/** The bar of a selection, those of a form at the foot, and those at the end of each dialog; the lowest row first. */
function buttonRows(): readonly DOMRect[] {
  const rows = [...document.querySelectorAll('[data-selection-bar], [data-away]')];
  for (const dialog of document.querySelectorAll('[role="dialog"]')) {
    const last = [...dialog.querySelectorAll('button')].at(-1);
    if (last) rows.push(last.closest('.mantine-Group-root') ?? last);
  }
  return rows.map((row) => row.getBoundingClientRect()).sort((a, b) => b.bottom - a.bottom);
}

function closeBySwipe(toast: HTMLElement, close: () => void): void {
  let from: number | undefined;
  const moveTo = (x: number) => {
    toast.style.translate = `${x}px`;
  };
  const end = () => {
    from = undefined;
    moveTo(0);
  };
  // A swipe to the side is ours, one up or down scrolls the page.
  toast.style.touchAction = 'pan-y';
  toast.addEventListener('pointerdown', ({ isPrimary, pointerType, clientX }) => {
    // With a mouse, its text can be selected.
    if (isPrimary && pointerType !== 'mouse') from = clientX;
  });
  toast.addEventListener('pointermove', ({ clientX }) => {
    if (from !== undefined) moveTo(clientX - from);
  });
  toast.addEventListener('pointerup', ({ clientX }) => {
    if (from !== undefined && Math.abs(clientX - from) >= SWIPE_PX) close();
    end();
  });
  toast.addEventListener('pointercancel', end);
}
