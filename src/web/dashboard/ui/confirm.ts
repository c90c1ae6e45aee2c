/** Asks for confirmation before an irreversible action. `await confirm({...})` returns whether the user agreed. */

import { type ReactNode, useSyncExternalStore } from 'react';

export interface Question {
  readonly title: string;
  /** What is lost, and what is not. */
  readonly body: ReactNode;
  /** The label of the button: "Delete room", never "OK". */
  readonly action: string;
  readonly isDangerous?: boolean;
}

interface Asked extends Question {
  answer(agreed: boolean): void;
}

let asked: Asked | undefined;
let isOpen = false;
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

export function confirm(question: Question): Promise<boolean> {
  asked?.answer(false);
  return new Promise((resolve) => {
    asked = {
      ...question,
      answer(agreed) {
        isOpen = false;
        notify();
        resolve(agreed);
      },
    };
    isOpen = true;
    notify();
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @returns the last question, also while its dialog closes; `undefined` before the first */
export function useQuestion(): { readonly question: Asked | undefined; readonly isOpen: boolean } {
  const question = useSyncExternalStore(subscribe, () => asked);
  return { question, isOpen: useSyncExternalStore(subscribe, () => isOpen) };
}
