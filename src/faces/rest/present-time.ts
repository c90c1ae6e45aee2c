/** Milliseconds since the epoch as ISO 8601 in UTC; nothing stays nothing. */
export function presentTime(at: number): string;
export function presentTime(at: number | null): string | null;
export function presentTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** The same with second precision and a numeric offset, as clients of GET /rest/state expect it (wire-facts §2.3). */
export function presentSecond(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}+00:00`;
}
