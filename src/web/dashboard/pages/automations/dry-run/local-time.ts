/** Times in the format of the browser's date field: this device's local time, without a zone. */

const MINUTE_MS = 60_000;
const MINUTES_LENGTH = 'YYYY-MM-DDTHH:MM'.length;

export function localText(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, MINUTES_LENGTH);
}

export function isoText(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}
