/**
 * Asks before a navigation that loses unsaved changes. Links, a home switch and the browser's "back" are handled here;
 * the browser itself asks when the tab closes.
 */

import commonTexts from 'texts:common';
import { useEffect } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { useTexts } from '../texts/texts.ts';
import { confirm, type Question } from './confirm.ts';

/** The questions of all displayed forms with changes, by form. */
const questions = new Map<object, Question>();
/** The browser's history entry of the displayed forms. */
let here = { href: '', state: null as unknown };
let isGoingBack = false;
/** The router's events for navigation by a link. */
const ROUTED = ['pushState', 'replaceState'];

/** Call it before the router subscribes: a window calls its listeners in order, and this one must be the first. */
export function guardWayBack(): void {
  window.addEventListener('popstate', onBack);
}

/** @param question by default, that changes will be lost */
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

/** Whether the page may navigate: there are no changes, or the user agreed to lose them. */
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

/** The browser has already gone back. This returns to the entry at once, and navigates after the user agrees. */
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
    if (agreed) navigate(url.pathname + url.search + url.hash);
  });
}
