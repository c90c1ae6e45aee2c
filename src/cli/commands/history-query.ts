/** The options of the history commands: which home, which accessory, which time. */
import type { HistoryReport } from '../../contract/history.ts';
import type { Home } from '../../contract/homes.ts';
import { parseIsoTime } from '../../kernel/clock.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { ApiClient } from '../api-client.ts';
import { usageError } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';

const HOURS_PER_UNIT: Readonly<Record<string, number>> = { h: 1, d: 24, w: 168, y: 8_784 };

const MS_PER_HOUR = 3_600_000;

/** The zone of the queried item's home; a service group is not in the list of accessories. */
export async function zoneOf(api: ApiClient, { accessory }: HistoryReport): Promise<string | null> {
  const inventory = await loadInventory(api);
  const known = inventory.accessories.find(({ id }) => id === accessory.id);
  const [only, ...others] = inventory.homes;
  if (known) return inventory.zoneOf(known);
  return others.length === 0 ? (only?.timeZone ?? null) : null;
}

export async function homeOf(api: ApiClient, { home }: HomeOptions): Promise<Home> {
  return (await loadInventory(api)).home(home);
}

export function pathOf({ id }: Home): string {
  return `/rest/history/homes/${id}`;
}

export async function queryOf(api: ApiClient, options: Which) {
  const home = await homeOf(api, options);
  const { accessory, characteristic } = options;
  return {
    home: home.id,
    accessory: accessory === undefined ? undefined : await accessoryIdOf(api, home, accessory),
    characteristic,
  };
}

/** Finds accessories and groups; a deleted item's id may still have a history. */
export async function accessoryIdOf(api: ApiClient, home: Home, text: string): Promise<string> {
  if (isUuid(text)) return text;
  const { accessory } = await api.get<HistoryReport>('/rest/history', { accessory: text, home: home.id });
  const wanted = text.toLowerCase();
  // Setting and deleting require the full name: a part of a name could match another item.
  if ([accessory.name.toLowerCase(), accessory.key].includes(wanted)) return accessory.id;
  throw usageError(`Use the full name: "${text}" is part of "${accessory.name}".`);
}

/** @returns `null` for "default". */
export function numberOr(text: string, flag: string): number | null {
  if (text === 'default') return null;
  const value = Number(text);
  if (text.trim() !== '' && !Number.isNaN(value)) return value;
  throw usageError(`${flag} takes a number or "default", not "${text}".`);
}

/** @returns hours. */
export function parseSpan(text: string, flag: string): number {
  const [, count, unit = 'h'] = /^(\d{1,6}(?:\.\d{1,3})?)([hdwy])?$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * (HOURS_PER_UNIT[unit] ?? 1);
  throw usageError(`${flag} takes a time span such as 12h, 7d or 4w, not "${text}".`);
}

/** A date, a time or an age. @returns milliseconds, as a text for the query. */
export function timeOf(text: string | undefined, now: number, flag: string): string | undefined {
  if (text === undefined) return undefined;
  if (/^[\d.]+[hdwy]$/.test(text)) return String(Math.max(0, now - parseSpan(text, flag) * MS_PER_HOUR));
  const at = parseIsoTime(text);
  if (!Number.isNaN(at) && at >= 0) return String(at);
  throw usageError(
    `${flag} takes a date such as 2026-01-31, a time such as 2026-01-31T12:00:00Z, or an age such as 7d, not "${text}".`,
  );
}

export const FROM_OPTION = ['--from <time>', 'start: a date such as 2026-01-31, a time, or an age such as 7d'] as const;

interface HomeOptions {
  readonly home?: string;
}

interface Which extends HomeOptions {
  readonly accessory?: string;
  readonly characteristic?: string;
}
