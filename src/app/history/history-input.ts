/** Validates history settings and query input. Each error message states the expected value. */
import { HearthError } from '../../kernel/errors.ts';
import { RESOLUTIONS, type Resolution } from './history-query.ts';

/** The latest time that a `Date` can hold. */
const LATEST_MS = 8_640_000_000_000_000;
const SECOND_MS = 1_000;
const MAX_INTERVAL_S = 86_400;
const MAX_DEADBAND = 1_000_000;
/** A hundred years: effectively for ever. */
const MAX_RETENTION_DAYS = 36_500;

export function checkFlag(input: unknown, field: string): boolean {
  if (typeof input === 'boolean') return input;
  throw refused(field, 'true or false');
}

/** A number within the range, or `null` for the catalog's default. */
function checkOptional(
  input: unknown,
  field: string,
  range: { min: number; max: number; whole?: true },
): number | null {
  if (input === null) return null;
  const { min, max, whole } = range;
  const fits = typeof input === 'number' && input >= min && input <= max && (!whole || Number.isInteger(input));
  if (fits) return input;
  throw refused(field, `a ${whole ? 'whole ' : ''}number from ${min} to ${max}, or null for the usual`);
}

/** Converts an input in seconds. @returns milliseconds */
export function checkInterval(seconds: unknown): number | null {
  const checked = checkOptional(seconds, 'minIntervalS', { min: 0, max: MAX_INTERVAL_S });
  return checked === null ? null : Math.round(checked * SECOND_MS);
}

export function checkDeadband(input: unknown): number | null {
  return checkOptional(input, 'deadband', { min: 0, max: MAX_DEADBAND });
}

export function checkRetention(days: unknown, field: string): number | null {
  return checkOptional(days, field, { min: 1, max: MAX_RETENTION_DAYS, whole: true });
}

/** Milliseconds since the epoch. */
export function checkTime(input: unknown, field: string): number {
  if (typeof input === 'number' && input >= 0 && input <= LATEST_MS) return Math.floor(input);
  throw refused(field, 'a time in milliseconds since 1970');
}

export function checkWindow(from: unknown, to: unknown): { readonly fromMs: number; readonly toMs: number } {
  const fromMs = checkTime(from, 'fromTs');
  const toMs = checkTime(to, 'toTs');
  if (fromMs < toMs) return { fromMs, toMs };
  throw refused('toTs', 'later than "fromTs"');
}

/** `undefined` = by the length of the window. */
export function checkResolution(input: unknown): Resolution | undefined {
  if (input === undefined || input === null || input === 'auto') return undefined;
  const known = RESOLUTIONS.find((resolution) => resolution === input);
  if (known) return known;
  throw refused('resolution', `auto, ${RESOLUTIONS.join(', ')}`);
}

/** Clamps a number to its range: a request for a million points gets the maximum. */
export function checkNumber(
  input: unknown,
  field: string,
  { otherwise, min, max }: { readonly otherwise: number; readonly min: number; readonly max: number },
): number {
  if (input === undefined || input === null) return otherwise;
  if (typeof input !== 'number' || Number.isNaN(input)) throw refused(field, `a number from ${min} to ${max}`);
  return Math.min(max, Math.max(min, input));
}

export function checkPoints(
  input: unknown,
  range: { readonly otherwise: number; readonly min: number; readonly max: number },
  field = 'maxPoints',
): number {
  return Math.floor(checkNumber(input, field, range));
}

function refused(field: string, expected: string): HearthError {
  return new HearthError('invalid_value', `"${field}" must be ${expected}.`, { field });
}
