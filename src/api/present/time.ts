import { isoTime } from '../../kernel/iso-time.ts';

/** Milliseconds since the epoch as ISO 8601 in UTC; `null` and `undefined` stay as they are. */
export function presentTime(at: number): string;
export function presentTime(at: number | null): string | null;
export function presentTime(at: number | null): string | null {
  return at === null ? null : isoTime(at);
}

/** The same with second precision and a numeric offset, as clients of GET /rest/state expect it (wire-facts §2.3). */
export function presentSecond(at: number): string {
  return isoTime(at).replace(/\.\d+Z$/, '+00:00');
}
