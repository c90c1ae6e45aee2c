/**
 * Durations: `{hours?, minutes?, seconds?}`; each part is a number or, where allowed, an expression that yields one.
 */
import { z } from 'zod';
import type { Duration, TemplateDuration, TemplateNumber } from '../field-types.ts';
import { invalid } from './faults.ts';
import { Fields, given } from './fields.ts';
import { hasTemplate, type Parsing } from './parsing.ts';

const HOUR_MS = 60 * 60_000;
const UNITS = { hours: HOUR_MS, minutes: 60_000, seconds: 1_000 } as const;
type Unit = keyof typeof UNITS;
const NAMES = Object.keys(UNITS) as readonly Unit[];

/** The longest "for" and the longest wait: for example, a plant may be dry for two weeks before a notification. */
export const MAX_HOLD_MS = 30 * 24 * HOUR_MS;
/** Before or after sunrise and sunset. */
export const MAX_OFFSET_MS = 12 * HOUR_MS;

const PART = z.union([z.number(), z.string()]).meta({ description: 'A number; in actions also a template.' });
/** For the reference of the API. */
export const DURATION = z
  .object({ hours: PART.optional(), minutes: PART.optional(), seconds: PART.optional() })
  .meta({ id: 'Duration' });

export interface DurationLimits {
  /** The maximum total. Milliseconds. */
  readonly maxMs: number;
  /** Whether parts may be negative: an offset. */
  readonly signed?: boolean;
}

/** @throws `invalid_value` with the path of the invalid part */
export function parseDuration(input: unknown, path: string, limits: DurationLimits): Duration {
  return parseParts(input, path, limits, (value, field) => {
    if (typeof value === 'number' && Number.isFinite(value) && (limits.signed || value >= 0)) return value + 0;
    throw invalid(field, limits.signed ? 'it must be a number' : 'it must be a number of at least 0');
  });
}

/** As `parseDuration`; parts, or the whole duration, may be templates. Their values are validated at run time. */
export function parseTemplateDuration(
  input: unknown,
  path: string,
  limits: DurationLimits,
  parsing: Parsing,
): TemplateDuration {
  if (typeof input === 'string') {
    if (hasTemplate(input)) return parsing.template(input, path);
    throw invalid(path, 'it must be {hours, minutes, seconds}, or a text with an expression in {{ }}');
  }
  return parseParts<TemplateNumber>(input, path, limits, (value, field) => {
    if (typeof value === 'string' && hasTemplate(value)) return parsing.template(value, field);
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value + 0;
    throw invalid(field, 'it must be a number of at least 0, or an expression in {{ }}');
  });
}

/**
 * Parses a duration whose parts are separate fields, such as `forMinutes`. Returns nothing if all parts are zero or
 * omitted.
 * @param names the names of the parts
 */
export function flatDuration(fields: Fields, names: Readonly<Record<Unit, string>>): unknown {
  const parts = Object.fromEntries(NAMES.map((unit) => [unit, fields.raw(names[unit])]));
  const isNothing = Object.values(parts).every((part) => part === undefined || part === 0);
  return isNothing ? undefined : given(parts);
}

function parseParts<T extends TemplateNumber>(
  input: unknown,
  path: string,
  { maxMs }: DurationLimits,
  parsePart: (value: unknown, field: string) => T,
): { readonly hours?: T; readonly minutes?: T; readonly seconds?: T } {
  const fields = new Fields(input, path, 'duration');
  const parts = Object.fromEntries(
    NAMES.flatMap((unit) => {
      const value = fields.raw(unit);
      return value === undefined ? [] : [[unit, parsePart(value, fields.at(unit))] as const];
    }),
  ) as { hours?: T; minutes?: T; seconds?: T };
  fields.done();
  if (Object.keys(parts).length === 0) throw invalid(path, 'it must have hours, minutes or seconds');
  const known = NAMES.map((unit) => Number(typeof parts[unit] === 'number' ? parts[unit] : 0) * UNITS[unit]);
  if (Math.abs(known.reduce((sum, ms) => sum + ms, 0)) > maxMs) {
    throw invalid(path, `it may be at most ${describeHours(maxMs)}`);
  }
  return parts;
}

function describeHours(ms: number): string {
  const hours = ms / HOUR_MS;
  return hours > 48 ? `${hours / 24} days` : `${hours} hours`;
}
