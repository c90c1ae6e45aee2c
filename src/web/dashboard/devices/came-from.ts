/**
 * Links to a sheet put this in the history state, so that "back" returns to the previous page in its previous state.
 */
export const FROM_APP = { fromApp: true } as const;

export function isFromApp(): boolean {
  const { state } = history;
  return typeof state === 'object' && state !== null && (state as { fromApp?: unknown }).fromApp === true;
}
