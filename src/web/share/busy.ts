/** Forms that a person is using or that are under way: what the relay tells meanwhile may be older than what the person wants. */

const busy = new Map<HTMLFormElement, number>();

/** After the last answer the state that came of it is on its way. */
const SETTLING_MS = 700;

/** @returns to be called once it is over. */
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
