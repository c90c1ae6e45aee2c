/** What people may set and ask for, checked: each sentence says what would be right. */
import { HearthError } from '../../kernel/errors.ts';
import { RESOLUTIONS, type Resolution } from './history-query.ts';

/** The last moment that a Date can hold. */
const LATEST_MS = 8_640_000_000_000_000;
const SECOND_MS = 1_000;
const LONGEST_INTERVAL_S = 86_400;
const LARGEST_DEADBAND = 1_000_000;
/** A hundred years: as good as for ever. */
const LONGEST_RETENTION_DAYS = 36_500;

export function checkFlag(input: unknown, field: string): boolean {
  if (typeof input === 'boolean') return input;
  throw refused(field, 'true or false');
}

/** A number within the range, or `null`, which is as the catalog says. */
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

/** @returns milliseconds of an input in seconds. */
export function checkInterval(seconds: unknown): number | null {
  const checked = checkOptional(seconds, 'minIntervalS', { min: 0, max: LONGEST_INTERVAL_S });
  return checked === null ? null : Math.round(checked * SECOND_MS);
}

export function checkDeadband(input: unknown): number | null {
  return checkOptional(input, 'deadband', { min: 0, max: LARGEST_DEADBAND });
}

export function checkRetention(days: unknown, field: string): number | null {
  return checkOptional(days, field, { min: 1, max: LONGEST_RETENTION_DAYS, whole: true });
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

/** `undefined` is by the length of the window. */
export function checkResolution(input: unknown): Resolution | undefined {
  if (input === undefined || input === null || input === 'auto') return undefined;
  const known = RESOLUTIONS.find((resolution) => resolution === input);
  if (known) return known;
  throw refused('resolution', `auto, ${RESOLUTIONS.join(', ')}`);
}

/** A number, brought into its range: who asks for a million points gets as many as there are. */
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
