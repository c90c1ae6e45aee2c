/** Links to a sheet leave this in the history, so that going back returns to where the person was, as it was. */
export const FROM_APP = { fromApp: true } as const;

export function isFromApp(): boolean {
  const { state } = history;
  return typeof state === 'object' && state !== null && (state as { fromApp?: unknown }).fromApp === true;
}
