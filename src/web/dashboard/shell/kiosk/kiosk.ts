/**
 * The dashboard on a tablet at the wall: no menu, and a dark screen at night. The address `/?kiosk` begins it on this
 * device, with `&dim=22:00-07:00` for other hours and `&dim=off` for none; `/?kiosk=off` ends it.
 */
const KEY = 'hearthd.kiosk';
export const DEFAULT_HOURS = '22:00-07:00';

/**
 * @param search the query of the address
 * @param kept from an earlier start on this device, in the same format
 * @returns the query to keep; `undefined`: no kiosk
 */
export function kioskQuery(search: string, kept: string | null): string | undefined {
  const asked = new URLSearchParams(search);
  if (!asked.has('kiosk')) return kept ?? undefined;
  if (asked.get('kiosk') === 'off') return undefined;
  return `kiosk&dim=${asked.get('dim') ?? DEFAULT_HOURS}`;
}

let current: string | undefined;

/** Reads the address once, before the first render. */
export function startKiosk(): void {
  current = kioskQuery(location.search, null);
  try {
    current = kioskQuery(location.search, localStorage.getItem(KEY));
    if (current === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, current);
  } catch {
    // Without storage it lasts until the page closes.
  }
}

/** @returns the kept query; `undefined`: an ordinary device */
export function kioskNow(): string | undefined {
  return current;
}
