/** The colour of actions: the user's choice, else the first. `tokens.css` has the colours of each. */

export const ACCENTS = ['ember', 'ocean', 'forest'] as const;
export type Accent = (typeof ACCENTS)[number];

const KEY = 'hearthd.accent';

export function isAccent(value: unknown): value is Accent {
  return ACCENTS.some((accent) => accent === value);
}

export function chosenAccent(): Accent | undefined {
  try {
    const kept = localStorage.getItem(KEY);
    return isAccent(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Before the first render: the page must not change its colour while it opens. */
export function showAccent(accent = chosenAccent()): void {
  document.documentElement.dataset.accent = accent ?? ACCENTS[0];
}

export function setAccent(accent: Accent): void {
  showAccent(accent);
  try {
    localStorage.setItem(KEY, accent);
  } catch {
    // Without storage it applies until the page closes.
  }
}
