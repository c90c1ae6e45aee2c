/**
 * Asks before somebody leaves with changes that are not saved: by a link of the dashboard, another home or the way back in the browser's
 * history here, by the browser itself when the tab goes.
 */
import { useEffect } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { commonTexts } from '../texts/common/common.ts';
import { useTexts } from '../texts/texts.ts';
import { confirm, type Question } from './confirm.tsx';

/** What is asked for the forms on the screen with changes, by form. */
const questions = new Map<object, Question>();
/** The entry of the browser's history that the forms are on. */
let here = { href: '', state: null as unknown };
let isGoingBack = false;
/** What the router makes of going somewhere by a link. */
const ROUTED = ['pushState', 'replaceState'];

/** To be called before the router listens: a window tells its listeners in their order, and this one must be the first. */
export function guardWayBack(): void {
  window.addEventListener('popstate', onBack);
}

/** @param question unless given, that what was changed will be lost */
export function useLeaveGuard(isChanged: boolean, question?: Question): void {
  const { leave } = useTexts(commonTexts);
  const asked = question ?? leave;
  useEffect(() => {
    if (!isChanged) return undefined;
    const form = {};
    if (questions.size === 0) listen();
    questions.set(form, asked);
    return () => {
      questions.delete(form);
      if (questions.size === 0) stopListening();
    };
  }, [isChanged, asked]);
}

/** Whether what is on the screen may go: nothing would be lost, or whoever typed it agreed. */
export async function mayLeave(): Promise<boolean> {
  const [question] = questions.values();
  return question === undefined || confirm(question);
}

function listen(): void {
  stayHere();
  isGoingBack = false;
  for (const moved of ROUTED) window.addEventListener(moved, stayHere);
  window.addEventListener('beforeunload', onUnload);
  document.addEventListener('click', onClick, { capture: true });
}

function stopListening(): void {
  for (const moved of ROUTED) window.removeEventListener(moved, stayHere);
  window.removeEventListener('beforeunload', onUnload);
  document.removeEventListener('click', onClick, { capture: true });
}

function stayHere(): void {
  here = { href: location.href, state: history.state };
}

/** The browser has gone back already. It is brought here again before anybody notices, and goes once somebody agreed. */
function onBack(event: PopStateEvent): void {
  if (questions.size === 0 || isGoingBack || location.pathname === new URL(here.href).pathname) {
    stayHere();
    return;
  }
  event.stopImmediatePropagation();
  history.pushState(here.state, '', here.href);
  void mayLeave().then((agreed) => {
    if (!agreed) return;
    isGoingBack = true;
    history.back();
  });
}

function onUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function onClick(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  if (!(link instanceof HTMLAnchorElement) || !isPlain || link.target === '_blank' || link.download) return;
  const url = new URL(link.href, location.href);
  if (url.origin !== location.origin || url.pathname === location.pathname) return;
  event.preventDefault();
  event.stopPropagation();
  void mayLeave().then((agreed) => {
    if (agreed) navigate(url.pathname + url.search);
  });
}
