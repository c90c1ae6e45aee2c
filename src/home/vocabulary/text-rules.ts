/**
 * Rules for texts beyond their length: the options of a mode, dates and times, patterns, and the words that start a
 * timer. Each rule converts the client's text to the stored spelling, or describes what it accepts.
 */
import { unreachable } from '../../kernel/errors.ts';
import type { TextRule } from '../model.ts';

/** The words that start a timer; any other text stops it (API §4.1.1, wire-facts §7). */
const STARTING_WORDS: ReadonlySet<string> = new Set(['active', 'start', 'true']);

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

/** The days of each month in a leap year; February needs another check. */
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** @returns the text to store; `undefined` if it violates the rule. */
export function applyTextRule(rule: TextRule, text: string): string | undefined {
  switch (rule.kind) {
    case 'options':
      return findOption(rule.options, text);
    case 'pattern':
      return lengthOf(text) >= rule.minLength && matches(rule.pattern, text) ? text : undefined;
    case 'moment':
      return isMoment(rule, text.trim()) ? text.trim() : undefined;
    case 'timer':
      return STARTING_WORDS.has(text.trim().toLowerCase()) ? 'active' : 'idle';
    default:
      return unreachable(rule);
  }
}

/** For messages, to follow "it takes". @param maxLength characters. */
export function describeTextRule(rule: TextRule, maxLength: number): string {
  switch (rule.kind) {
    case 'options':
      return `one of ${rule.options.join(', ')}`;
    case 'pattern': {
      const length = rule.minLength > 0 ? `${rule.minLength} to ${maxLength}` : `at most ${maxLength}`;
      return `text of ${length} characters${rule.pattern === null ? '' : ` that matches ${rule.pattern}`}`;
    }
    case 'moment':
      return describeMoment(rule);
    case 'timer':
      return '"active" to start it, any other word to stop it';
    default:
      return unreachable(rule);
  }
}

/** In user-perceived characters. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/** The pattern must match the whole text. @throws SyntaxError it is not a regular expression */
export function compilePattern(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`, 'u');
}

/** The exact spelling, otherwise ignoring case if that is unambiguous: options never differ by case alone. */
function findOption(options: readonly string[], text: string): string | undefined {
  const folded = text.trim().toLowerCase();
  return options.find((option) => option === text) ?? options.find((option) => option.toLowerCase() === folded);
}

function matches(pattern: string | null, text: string): boolean {
  return pattern === null || compilePattern(pattern).test(text);
}

function isMoment({ hasDate, hasTime }: { hasDate: boolean; hasTime: boolean }, text: string): boolean {
  if (!hasDate) return TIME.test(text);
  if (!hasTime) return isDate(text);
  const [date = '', time = '', ...rest] = text.split('T');
  return rest.length === 0 && isDate(date) && TIME.test(time);
}

/** Whether the day exists: no 31st of April, and a 29th of February only in leap years. */
function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && !isLeapYear ? 28 : (DAYS[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

function describeMoment({ hasDate, hasTime }: { hasDate: boolean; hasTime: boolean }): string {
  if (!hasDate) return 'a time of day as HH:MM or HH:MM:SS';
  return hasTime ? 'a date and a time as YYYY-MM-DDTHH:MM or YYYY-MM-DDTHH:MM:SS' : 'a date as YYYY-MM-DD';
}
