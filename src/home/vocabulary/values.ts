/**
 * Converts characteristic values by format. Input: any form that a client may send, checked against the device's own
 * range, never clamped, snapped to the device's step. Output: loose values of devices (`1` for true, `"21.5"` for a
 * number) converted to strict ones. Nothing here uses simplified properties.
 */
import { characteristicByType, characteristicName } from '../../hap-spec/characteristics.ts';
import { DEFAULT_MAX_LENGTH } from '../../hap-spec/formats.ts';
import { foldWord } from '../../hap-spec/words.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { Characteristic, CharacteristicFormat, CharacteristicValue } from '../model.ts';
import { describeRange, isInRange, type NumberRange, rangeOf, snap } from './ranges.ts';
import { applyTextRule, describeTextRule, lengthOf } from './text-rules.ts';

const BOOLEAN_WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['on', true],
  ['1', true],
  ['false', false],
  ['off', false],
  ['0', false],
]);

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const UNSIGNED = /^\d{1,20}$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const MAX_UINT64 = 2n ** 64n - 1n;

/** The number of input characters that an error message repeats. */
const QUOTED_LENGTH = 40;

/** The format of a characteristic; if a device omits or invents it, the format that its type or its value suggests. */
export function formatOf({ format, type, value }: Characteristic): CharacteristicFormat {
  if (format !== 'unknown') return format;
  const spec = characteristicByType(type);
  if (spec) return spec.format;
  if (value === null) return 'unknown';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' ? 'float' : 'string';
}

/**
 * Parses a client's input to a value for a write.
 * @param name the characteristic's name in messages.
 * @throws `invalid_value` with the accepted values.
 */
export function parseValue(
  characteristic: Characteristic,
  input: unknown,
  name = characteristicName(characteristic.type),
): CharacteristicValue {
  const format = formatOf(characteristic);
  switch (format) {
    case 'bool':
      return parseBoolean(input, name);
    case 'string':
      return parseText(characteristic, input, name);
    case 'tlv8':
    case 'data':
      return parseBase64(input, name);
    case 'uint64':
      return parseUint64(characteristic, input, name);
    case 'uint8':
    case 'uint16':
    case 'uint32':
    case 'int':
    case 'float':
      return parseNumber(characteristic, input, name);
    case 'unknown':
      return parseUntyped(input, name);
  }
}

/** true/false, 1/0, "on"/"off", "true"/"false", "1"/"0"; ignores case and surrounding blanks. */
export function parseBoolean(input: unknown, name: string): boolean {
  if (typeof input === 'boolean') return input;
  const isWord = typeof input === 'string' || typeof input === 'number';
  const value = isWord ? BOOLEAN_WORDS.get(String(input).trim().toLowerCase()) : undefined;
  if (value === undefined) throw invalid(input, name, 'true or false');
  return value;
}

/**
 * A number, a numeric string, one of the type's own words (`heat`), or a boolean if there are only two states. Checks
 * the number as given and then snaps it to the step.
 */
export function parseNumber(characteristic: Characteristic, input: unknown, name: string): number {
  const range = rangeOf(characteristic, formatOf(characteristic));
  const number = toNumber(characteristic, input, range);
  if (number === undefined) throw invalid(input, name, describeRange(range));
  const value = range.only ? number : snapChecked(number, range);
  if (value === undefined || !isInRange(value, range)) throw invalid(input, name, describeRange(range));
  // JSON writes minus zero as `0`, which would not equal the value that the device confirms.
  return value + 0;
}

/** Whether the device accepts this number, by its list or its range. */
export function takesNumber(characteristic: Characteristic, value: number): boolean {
  return isInRange(value, rangeOf(characteristic, formatOf(characteristic)));
}

/** The value to show: strictly of its format if the device was loose, otherwise as the device sent it. */
export function presentValue(characteristic: Characteristic): CharacteristicValue {
  const { value } = characteristic;
  if (value === null) return null;
  switch (formatOf(characteristic)) {
    case 'bool':
      if (typeof value === 'boolean') return value;
      return typeof value === 'number' ? value !== 0 : (BOOLEAN_WORDS.get(value.trim().toLowerCase()) ?? value);
    case 'uint8':
    case 'uint16':
    case 'uint32':
    case 'int':
    case 'float':
      if (typeof value === 'number') return value;
      if (typeof value === 'boolean') return value ? 1 : 0;
      return fromDecimal(value) ?? value;
    case 'uint64':
      return typeof value === 'string' && UNSIGNED.test(value) ? exact(BigInt(value)) : value;
    case 'string':
      return String(value);
    case 'tlv8':
    case 'data':
    case 'unknown':
      return value;
  }
}

export function invalid(input: unknown, name: string, accepted: string): HearthError {
  return new HearthError('invalid_value', `Invalid value ${quote(input)} for ${name}: it takes ${accepted}`);
}

function toNumber(characteristic: Characteristic, input: unknown, range: NumberRange): number | undefined {
  if (typeof input === 'number') return Number.isFinite(input) ? input : undefined;
  if (typeof input === 'boolean') return hasTwoStates(range) ? Number(input) : undefined;
  if (typeof input !== 'string') return undefined;
  return fromDecimal(input) ?? fromWord(characteristic, input, range);
}

function fromDecimal(text: string): number | undefined {
  const trimmed = text.trim();
  const number = DECIMAL.test(trimmed) ? Number(trimmed) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

function fromWord({ type }: Characteristic, text: string, range: NumberRange): number | undefined {
  const folded = foldWord(text);
  const known = Object.entries(characteristicByType(type)?.values ?? {}).find(([word]) => foldWord(word) === folded);
  if (known) return known[1];
  const boolean = hasTwoStates(range) ? BOOLEAN_WORDS.get(folded) : undefined;
  return boolean === undefined ? undefined : Number(boolean);
}

function hasTwoStates({ min, max, only, integer }: NumberRange): boolean {
  if (only) return only.every((value) => value === 0 || value === 1);
  return integer && min === 0 && max === 1;
}

function snapChecked(value: number, range: NumberRange): number | undefined {
  return isInRange(value, range) ? snap(value, range) : undefined;
}

function parseText({ maxLength, textRule }: Characteristic, input: unknown, name: string): string {
  const limit = maxLength !== undefined && maxLength > 0 ? maxLength : DEFAULT_MAX_LENGTH;
  const accepted = textRule ? describeTextRule(textRule, limit) : `text of at most ${limit} characters`;
  if (!isScalar(input) || lengthOf(String(input)) > limit) throw invalid(input, name, accepted);
  const text = textRule ? applyTextRule(textRule, String(input)) : String(input);
  if (text === undefined) throw invalid(input, name, accepted);
  return text;
}

/** Only the UUID of the characteristic is known: the value goes to the device unchanged. */
function parseUntyped(input: unknown, name: string): CharacteristicValue {
  if (!isScalar(input)) throw invalid(input, name, 'true, false, a number or text');
  return input;
}

function isScalar(input: unknown): input is boolean | number | string {
  return typeof input === 'string' || typeof input === 'boolean' || Number.isFinite(input);
}

function parseBase64(input: unknown, name: string): string {
  if (typeof input === 'string' && input.length % 4 === 0 && BASE64.test(input)) return input;
  throw invalid(input, name, 'base64 text');
}

/** Decimal text beyond 2^53, in both directions, so that no float rounds it. */
function parseUint64(characteristic: Characteristic, input: unknown, name: string): number | string {
  const range = rangeOf(characteristic, 'uint64');
  const text = typeof input === 'string' ? input.trim() : '';
  const exactly = UNSIGNED.test(text) ? exact(BigInt(text)) : undefined;
  if (typeof exactly === 'string') {
    if (BigInt(exactly) <= MAX_UINT64 && isInRange(Number(exactly), range)) return exactly;
    throw invalid(input, name, describeRange(range));
  }
  const number = parseNumber(characteristic, exactly ?? input, name);
  // A number of this size was rounded already on its way here.
  if (number > Number.MAX_SAFE_INTEGER) throw invalid(input, name, `${describeRange(range)}, beyond 2^53 as digits`);
  return number;
}

function exact(value: bigint): number | string {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : String(value);
}

/** The client's input, truncated for a message. */
export function shorten(text: string): string {
  return text.length <= QUOTED_LENGTH ? text : `${text.slice(0, QUOTED_LENGTH)}…`;
}

function quote(input: unknown): string {
  return shorten(typeof input === 'number' ? String(input) : (safeJson(input) ?? String(input)));
}

/** Input may not come from JSON: a caller inside the relay may pass a bigint or a circular structure. */
function safeJson(input: unknown): string | undefined {
  try {
    return JSON.stringify(input);
  } catch {
    return typeof input;
  }
}
