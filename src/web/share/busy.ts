/** Forms that are in use or being sent: the relay's updates during that time may be older than the user's input. */

const busy = new Map<HTMLFormElement, number>();

/** After the last response, its state update is still on its way. */
const SETTLING_MS = 700;

/** @returns a function to call when it ends. */
export function holdBusy(form: HTMLFormElement): () => void {
  busy.set(form, (busy.get(form) ?? 0) + 1);
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    setTimeout(() => {
      const left = (busy.get(form) ?? 1) - 1;
      if (left > 0) busy.set(form, left);
      else busy.delete(form);
      if (left <= 0) form.dispatchEvent(new Event('settled', { bubbles: true }));
    }, SETTLING_MS);
  };
}

export function isBusy(form: HTMLFormElement): boolean {
  return busy.has(form);
}
