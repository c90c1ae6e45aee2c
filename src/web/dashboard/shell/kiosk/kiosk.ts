/**
 * The dashboard on a tablet at the wall: no menu, and a dark screen at night. The address `/?kiosk` begins it on this
 * device, with `&dim=22:00-07:00` for other hours and `&dim=off` for none; `/?kiosk=off` ends it.
 */
const KEY = 'hearthd.kiosk';
const DEFAULT_HOURS = '22:00-07:00';
const MINUTES_A_DAY = 24 * 60;

/** Minutes of the day, by the clock of the device. The end may be on the next day. */
export interface DimHours {
  readonly from: number;
  readonly to: number;
}

export interface Kiosk {
  /** `undefined`: the screen stays as it is. */
  readonly dim: DimHours | undefined;
}

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

/** Hours that can't be read are the usual ones: a tablet must not stay bright all night because of a typo. */
export function parseKiosk(query: string): Kiosk {
  const text = new URLSearchParams(query).get('dim') ?? DEFAULT_HOURS;
  if (text === 'off') return { dim: undefined };
  return { dim: parseHours(text) ?? parseHours(DEFAULT_HOURS) };
}

function parseHours(text: string): DimHours | undefined {
  const [from, to] = text.split('-').map(minutesOf);
  return from === undefined || to === undefined || from === to ? undefined : { from, to };
}

function minutesOf(text: string): number | undefined {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? [];
  const all = Number(hours) * 60 + Number(minutes);
  return Number(minutes) < 60 && all < MINUTES_A_DAY ? all : undefined;
}

export function isDimAt({ from, to }: DimHours, date: Date): boolean {
  const now = date.getHours() * 60 + date.getMinutes();
  return from < to ? now >= from && now < to : now >= from || now < to;
}

let current: Kiosk | undefined;

/** Reads the address once, before the first render. */
export function startKiosk(): void {
  let query = kioskQuery(location.search, null);
  try {
    query = kioskQuery(location.search, localStorage.getItem(KEY));
    if (query === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, query);
  } catch {
    // Without storage it lasts until the page closes.
  }
  current = query === undefined ? undefined : parseKiosk(query);
}

/** @returns `undefined`: an ordinary device */
export function kioskNow(): Kiosk | undefined {
  return current;
}
