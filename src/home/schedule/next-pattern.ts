/** Times that repeat within the day: every N hours, minutes or seconds of the wall clock. */
import { HearthError } from '../../kernel/errors.ts';
import { shorten } from '../vocabulary/values.ts';
import { ANY, type ClockRule, type ClockRules, FIRST, nextMoment, nextSecondOfDay } from './next-wall-time.ts';

/**
 * Each component is `/N` (multiples of N), `N` or `*`. Components before the first given one match everything; those
 * after it are 0.
 */
export interface TimePattern {
  readonly hours?: string | undefined;
  readonly minutes?: string | undefined;
  readonly seconds?: string | undefined;
}

/** The components in order, each with the upper bound (exclusive) of its clock field. */
const PARTS = [
  ['hours', 24],
  ['minutes', 60],
  ['seconds', 60],
] as const;

/**
 * Accepts a number in place of its text.
 * @param field the position of the pattern, for the error; '' at the top.
 * @returns the pattern in its own terms. @throws `invalid_value`
 */
export function parseTimePattern(input: Readonly<Record<string, unknown>>, field: string): TimePattern {
  const given = PARTS.filter(([part]) => input[part] !== undefined && input[part] !== null);
  if (given.length === 0) {
    const message = `${field || 'A time pattern'}: give hours, minutes or seconds, such as minutes "/15".`;
    throw new HearthError('invalid_value', message, { field });
  }
  return Object.fromEntries(
    given.map(([part, end]) => {
      const value = input[part];
      const text = typeof value === 'number' ? String(value) : value;
      if (typeof text === 'string' && readRule(text, end)) return [part, text];
      const at = field ? `${field}.${part}` : part;
      const what = typeof text === 'string' ? `"${shorten(text)}" is none of these` : 'it is none of these';
      const message = `${at}: write "*", a number from 0 to ${end - 1}, or "/N" with N from 1 to ${end - 1}; ${what}.`;
      throw new HearthError('invalid_value', message, { field: at });
    }),
  );
}

/** The first matching time after `after`; `null` if there is none. Milliseconds. */
export function nextPattern(pattern: TimePattern, zone: string, after: number): number | null {
  const rules = clockRules(pattern);
  if (!rules) return null;
  return nextMoment({ day: (from) => from, second: (from) => nextSecondOfDay(rules, from) }, zone, after);
}

function clockRules(pattern: TimePattern): ClockRules | undefined {
  let absent = ANY;
  const rules: ClockRule[] = [];
  for (const [part, end] of PARTS) {
    const text = pattern[part];
    const rule = text === undefined ? absent : readRule(text, end);
    if (!rule) return undefined;
    if (text !== undefined) absent = FIRST;
    rules.push(rule);
  }
  const [hour, minute, second] = rules;
  return hour && minute && second && absent === FIRST ? { hour, minute, second } : undefined;
}

function readRule(text: string, end: number): ClockRule | undefined {
  if (text === '*') return ANY;
  const match = /^(\/?)(\d{1,2})$/.exec(text);
  const number = Number(match?.[2]);
  if (!match || number >= end) return undefined;
  if (match[1] === '') return { exactly: number };
  return number > 0 ? { every: number } : undefined;
}
