/** Values that a flow holds without looking into them: copied, bounded, and free of whatever is no JSON. */
import type { Json, JsonObject } from '../flow.ts';
import { invalid } from './faults.ts';

/** Deeper than anybody writes, and shallow enough for every recursion that will walk it. */
const MAX_DEPTH = 50;

/**
 * A copy. Members that are `undefined` are left out.
 * @param levels how deep it may be nested
 * @throws `invalid_value` with the path of what is no JSON, is too deep, or has a member named `__proto__`, which would become the
 *         prototype of whatever it is copied into
 */
export function parseJson(input: unknown, path: string, levels = MAX_DEPTH): Json {
  if (input === null || typeof input === 'string' || typeof input === 'boolean') return input;
  if (typeof input === 'number') {
    if (!Number.isFinite(input)) throw invalid(path, 'it must be a finite number');
    // Minus zero is `0` in JSON and would not read back as it was.
    return input + 0;
  }
  if (typeof input !== 'object') throw invalid(path, 'it must be a JSON value');
  if (levels <= 0) throw invalid(path, 'it is nested too deeply');
  if (Array.isArray(input)) return input.map((item, index) => parseJson(item, `${path}[${index}]`, levels - 1));
  return parseObject(input, path, levels);
}

/** As `parseJson`, of an object. @throws `invalid_value` */
export function parseJsonObject(input: unknown, path: string): JsonObject {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw invalid(path, 'it must be an object');
  return parseObject(input, path, MAX_DEPTH);
}

function parseObject(input: object, path: string, levels: number): JsonObject {
  const copy: Record<string, Json> = {};
  for (const [key, value] of Object.entries(input)) {
    if (key === '__proto__') throw invalid(path, 'no member may be named "__proto__"');
    if (value !== undefined) copy[key] = parseJson(value, `${path}.${key}`, levels - 1);
  }
  return copy;
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
