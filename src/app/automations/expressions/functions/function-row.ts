import type { Json } from '../../../../kernel/json.ts';
import type { Evaluation } from '../evaluation.ts';
import { ExpressionFault } from '../fault.ts';
import { asNumber, fieldOf, isList, isObject, typeName } from '../values.ts';

export interface FunctionDefinition {
  /** Name and arguments for people: `?` marks an optional argument, `…` a repeated one. */
  readonly signature: string;
  /** One line for people. */
  readonly summary: string;
  /** @throws `ExpressionFault`, or a `HearthError` of the home, whose message is shown */
  call(args: readonly Json[], evaluation: Evaluation): Json;
}

export interface FunctionRow extends FunctionDefinition {
  readonly name: string;
  readonly minCount: number;
  readonly maxCount: number;
}

/** Derives the argument count of a function from its signature. */
export function functionRow(definition: FunctionDefinition): FunctionRow {
  const [, name, list] = /^(\w+)\((.*)\)$/.exec(definition.signature) ?? [];
  if (name === undefined || list === undefined) throw new Error(`"${definition.signature}" is no signature`);
  const parameters = list === '' ? [] : list.split(', ');
  const minCount = parameters.filter((parameter) => !/[?…]$/.test(parameter)).length;
  const maxCount = list.endsWith('…') ? Number.POSITIVE_INFINITY : parameters.length;
  return { ...definition, name, minCount, maxCount };
}

export function needText(value: Json | undefined, what: string): string {
  if (typeof value === 'string') return value;
  throw new ExpressionFault(`${what} must be text, not ${typeName(value ?? null)}`);
}

export function needNumber(value: Json | undefined, what: string): number {
  if (typeof value === 'number') return value;
  throw new ExpressionFault(`${what} must be a number, not ${typeName(value ?? null)}`);
}

export function needList(value: Json | undefined, what: string): readonly Json[] {
  if (value !== undefined && isList(value)) return value;
  throw new ExpressionFault(`${what} must be a list, not ${typeName(value ?? null)}`);
}

const SECONDS_PER_PART: Readonly<Record<string, number>> = { hours: 3600, minutes: 60, seconds: 1 };
const MS_PER_SECOND = 1000;

/** A number of seconds, or `{hours, minutes, seconds}` as in flows. @returns milliseconds */
export function needDurationMs(value: Json | undefined, what: string): number {
  const seconds = value !== undefined && isObject(value) ? secondsOf(value) : value;
  if (typeof seconds === 'number' && seconds >= 0) return seconds * MS_PER_SECOND;
  throw new ExpressionFault(`${what} must be a number of seconds, or an object of hours, minutes and seconds`);
}

function secondsOf(duration: { readonly [key: string]: Json | undefined }): number | undefined {
  let seconds = 0;
  for (const part of Object.keys(duration)) {
    const factor = Object.hasOwn(SECONDS_PER_PART, part) ? SECONDS_PER_PART[part] : undefined;
    const count = asNumber(fieldOf(duration, part));
    if (factor === undefined || count === undefined) return undefined;
    seconds += factor * count;
  }
  return seconds;
}
