/** When the screen of a tablet at the wall is dark. */
import { DEFAULT_HOURS } from './kiosk.ts';

const MINUTES_A_DAY = 24 * 60;

/** Minutes of the day, by the clock of the home. The end may be on the next day. */
export interface DimHours {
  readonly from: number;
  readonly to: number;
}

/**
 * Hours that can't be read are the usual ones: a tablet must not stay bright all night because of a typo.
 * @param query as `kioskNow` has it
 * @returns `undefined`: the screen stays as it is
 */
export function parseDimHours(query: string): DimHours | undefined {
  const text = new URLSearchParams(query).get('dim') ?? DEFAULT_HOURS;
  return text === 'off' ? undefined : (parseHours(text) ?? parseHours(DEFAULT_HOURS));
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

/** @param time `07:30` */
export function isDimAt({ from, to }: DimHours, time: string): boolean {
  const now = minutesOf(time) ?? 0;
  return from < to ? now >= from && now < to : now >= from || now < to;
}
