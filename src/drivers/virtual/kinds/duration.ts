import { refusedField } from './fields.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const MIN_DURATION_MS = SECOND_MS;
const MAX_DURATION_MS = 366 * DAY_MS;

const UNITS: Readonly<Record<string, number>> = { d: DAY_MS, h: HOUR_MS, m: MINUTE_MS, s: SECOND_MS };
const PARTS: Readonly<Record<string, number>> = {
  days: DAY_MS,
  hours: HOUR_MS,
  minutes: MINUTE_MS,
  seconds: SECOND_MS,
};

/**
 * Parses the duration of a timer: seconds as a number or text, `90s`, `5m`, `1h30m`, `1:30` (minutes and seconds),
 * `1:30:00`, or `{hours, minutes, seconds}` (wire-facts §11.2).
 * @returns milliseconds. @throws `invalid_value` naming the field
 */
export function parseDuration(input: unknown, field: string): number {
  const ms = typeof input === 'string' ? fromText(input.trim().toLowerCase()) : fromValue(input);
  return checkDuration(ms === undefined ? undefined : Math.round(ms), field);
}

/** @param ms whole milliseconds. @throws `invalid_value` naming the field */
export function checkDuration(ms: unknown, field: string): number {
  if (typeof ms === 'number' && Number.isInteger(ms) && ms >= MIN_DURATION_MS && ms <= MAX_DURATION_MS) return ms;
  throw refusedField(field, 'give seconds, 90s, 5m, 1:30:00 or {hours, minutes, seconds}, from one second to 366 days');
}

function fromValue(input: unknown): number | undefined {
  if (typeof input === 'number') return input * SECOND_MS;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const parts = Object.entries(input).map(([name, value]: [string, unknown]) => {
    const unit = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
    return unit !== undefined && typeof value === 'number' && value >= 0 ? value * unit : Number.NaN;
  });
  return sum(parts);
}

function fromText(text: string): number | undefined {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * SECOND_MS;
  const clock = /^(?:(\d+):)?(\d+):([0-5]\d)$/.exec(text);
  if (clock) return fromClock(clock);
  if (!/^(\d+(\.\d+)?[dhms]\s*)+$/.test(text)) return undefined;
  return sum(
    [...text.matchAll(/([\d.]+)([dhms])/g)].map(([, amount, unit]) => Number(amount) * (UNITS[unit ?? ''] ?? 0)),
  );
}

function fromClock([, hours, minutes, seconds]: readonly (string | undefined)[]): number | undefined {
  if (hours !== undefined && Number(minutes) >= 60) return undefined;
  return Number(hours ?? 0) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS;
}

function sum(parts: readonly number[]): number | undefined {
  return parts.length > 0 ? parts.reduce((total, part) => total + part, 0) : undefined;
}
