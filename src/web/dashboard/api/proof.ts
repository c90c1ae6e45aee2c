/**
 * Asks for a proof of who is there, where the relay needs one: the person signed in more than ten minutes ago.
 * `account/proof-dialog.tsx` shows the question.
 */
let isAsked = false;
let answers: ((isGiven: boolean) => void)[] = [];
const listeners = new Set<() => void>();

/** @returns whether the relay has taken one. */
export function askForProof(): Promise<boolean> {
  return new Promise((resolve) => {
    answers.push(resolve);
    isAsked = true;
    notify();
  });
}

/** For the dialog. */
export function answerProof(isGiven: boolean): void {
  const waiting = answers;
  answers = [];
  isAsked = false;
  notify();
  for (const answer of waiting) answer(isGiven);
}

export function onProofAsked(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function isProofAsked(): boolean {
  return isAsked;
}

function notify(): void {
  for (const listener of listeners) listener();
}
