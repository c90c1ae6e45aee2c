/**
 * Converts characteristic values between the wire and the home model. Devices send `true`, 1, "1" and "true" for the
 * same value; the home model has one form per format (HAP specification, table 6-5). Out-of-range values are kept: a
 * device's value is shown unchanged.
 */
import type { CharacteristicFormat, CharacteristicValue, HapId } from '../../../home/model.ts';
import type { Json } from '../../../kernel/json.ts';

const MAX_UINT64 = 2n ** 64n - 1n;

/** @returns an aid or iid as decimal text without leading zeros; `undefined` if it is not an unsigned 64-bit number */
export function parseId(raw: Json | undefined): HapId | undefined {
  if (typeof raw === 'number') return Number.isSafeInteger(raw) && raw >= 0 ? String(raw) : undefined;
  if (typeof raw !== 'string' || !/^\d{1,20}$/.test(raw)) return undefined;
  const id = BigInt(raw);
  return id <= MAX_UINT64 ? String(id) : undefined;
}

/** @returns the value in the home model's form for its format; `null` if the value is missing or invalid */
export function normalizeValue(format: CharacteristicFormat, raw: Json | undefined): CharacteristicValue {
  if (raw === undefined || raw === null || typeof raw === 'object') return null;
  switch (format) {
    case 'bool':
      return toBoolean(raw);
    case 'uint8':
    case 'uint16':
    case 'uint32':
    case 'int':
    case 'float':
      return toNumber(raw);
    case 'uint64':
      return toUint64(raw);
    case 'string':
    case 'tlv8':
    case 'data':
      return String(raw);
    case 'unknown':
      return raw;
  }
}

/** The value as JSON text: numbers beyond 2^53, held as text, are written as digits. */
export function encodeValue(format: CharacteristicFormat, value: CharacteristicValue): string {
  if (format === 'uint64' && typeof value === 'string' && /^\d+$/.test(value)) return value;
  return JSON.stringify(value);
}

function toBoolean(raw: boolean | number | string): boolean | null {
  if (typeof raw === 'boolean') return raw;
  if (typeof raw === 'number') return raw !== 0;
  const word = raw.trim().toLowerCase();
  if (word === '1' || word === 'true') return true;
  return word === '0' || word === 'false' ? false : null;
}

function toNumber(raw: boolean | number | string): number | null {
  if (typeof raw === 'string' && raw.trim() === '') return null;
  const number = Number(raw);
  return Number.isFinite(number) ? number : null;
}

function toUint64(raw: boolean | number | string): number | string | null {
  if (typeof raw !== 'string') return toNumber(raw);
  const digits = parseId(raw);
  if (digits === undefined) return toNumber(raw);
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : digits;
}
