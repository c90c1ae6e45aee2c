import type { Json, JsonObject } from '../../../kernel/json.ts';
import { invalid } from './faults.ts';

/** Deeper than any real input, and shallow enough for every recursive function. */
const MAX_DEPTH = 50;

/** Names of members and indexes in lists, outermost first. */
type Trail = (string | number)[];

/**
 * A copy. Omits members that are `undefined`.
 * @param levels the maximum nesting depth
 * @throws `invalid_value` with the path of a value that is not JSON, is too deep, or has a member named `__proto__`,
 * which would become the prototype of a copy
 */
export function parseJson(input: unknown, path: string, levels = MAX_DEPTH): Json {
  return copyOf(input, path, [], levels);
}

/** As `parseJson`, for an object. @throws `invalid_value` */
export function parseJsonObject(input: unknown, path: string): JsonObject {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw invalid(path, 'it must be an object');
  return copyOfObject(input, path, [], MAX_DEPTH);
}

function copyOf(input: unknown, path: string, trail: Trail, levels: number): Json {
  if (input === null || typeof input === 'string' || typeof input === 'boolean') return input;
  if (typeof input === 'number') {
    if (!Number.isFinite(input)) throw invalid(placeOf(path, trail), 'it must be a finite number');
    // Minus zero is `0` in JSON and would not parse back to the same value.
    return input + 0;
  }
  if (typeof input !== 'object') throw invalid(placeOf(path, trail), 'it must be a JSON value');
  if (levels <= 0) throw invalid(placeOf(path, trail), 'it is nested too deeply');
  if (!Array.isArray(input)) return copyOfObject(input, path, trail, levels);
  const copy = input.map((item: unknown, index) => {
    trail.push(index);
    const value = copyOf(item, path, trail, levels - 1);
    trail.pop();
    return value;
  });
  return copy;
}

function copyOfObject(input: object, path: string, trail: Trail, levels: number): JsonObject {
  const copy: Record<string, Json> = {};
  for (const [key, value] of Object.entries(input)) {
    if (key === '__proto__') throw invalid(placeOf(path, trail), 'no member may be named "__proto__"');
    if (value === undefined) continue;
    trail.push(key);
    copy[key] = copyOf(value, path, trail, levels - 1);
    trail.pop();
  }
  return copy;
}

function placeOf(path: string, trail: Trail): string {
  return path + trail.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
}

/** Whether a value, with all nested values, has at most this many. Visits no more than that. */
export function hasAtMost(values: number, input: unknown): boolean {
  let left = values;
  const count = (value: unknown): boolean => {
    left -= 1;
    if (left < 0) return false;
    return typeof value !== 'object' || value === null || Object.values(value).every(count);
  };
  return count(input);
}

/** A copy with every text replaced. */
export function mapTexts(value: Json, replace: (text: string) => string): Json {
  if (typeof value === 'string') return replace(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((item) => mapTexts(item, replace));
  const entries = Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : [[key, mapTexts(item, replace)] as const],
  );
  return Object.fromEntries(entries);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
