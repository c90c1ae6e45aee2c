/**
 * The TXT record of a HAP accessory server (HAP specification R2, table 6-7), read as leniently as devices demand: only the
 * device id must be there, and everything else has a fallback.
 */
import type { Advertisement } from './discovery.ts';
import { decodeText } from './dns-name.ts';

export type HapTxt = Pick<
  Advertisement,
  | 'deviceId'
  | 'model'
  | 'category'
  | 'configNumber'
  | 'stateNumber'
  | 'statusFlags'
  | 'featureFlags'
  | 'protocolVersion'
>;

const DEVICE_ID = /^[0-9A-F]{2}(:[0-9A-F]{2}){5}$/;
const EQUALS = 0x3d;
const OTHER_CATEGORY = 1;
/** HAP R2 §6.6.1: of a device that does not say, version 1.0 is meant. */
const DEFAULT_PROTOCOL_VERSION = '1.0';
const LARGEST_NUMBER = 2 ** 32 - 1;
const LONGEST_VERSION = 16;

/** @returns `undefined` if the record is not that of a HAP accessory server: no `id`, or none of the form AA:BB:CC:DD:EE:FF. */
export function parseHapTxt(strings: readonly Buffer[]): HapTxt | undefined {
  const pairs = readPairs(strings);
  const deviceId = text(pairs.get('id')).trim().toUpperCase();
  if (!DEVICE_ID.test(deviceId)) return undefined;
  return {
    deviceId,
    model: text(pairs.get('md')),
    category: number(pairs.get('ci')) ?? OTHER_CATEGORY,
    configNumber: number(pairs.get('c#')),
    stateNumber: number(pairs.get('s#')),
    statusFlags: number(pairs.get('sf')) ?? 0,
    featureFlags: number(pairs.get('ff')) ?? 0,
    protocolVersion: text(pairs.get('pv')).slice(0, LONGEST_VERSION) || DEFAULT_PROTOCOL_VERSION,
  };
}

/** RFC 6763 §6.4: keys in any case, the first of several alike counts, a string that begins with `=` is ignored. */
function readPairs(strings: readonly Buffer[]): Map<string, Buffer> {
  const pairs = new Map<string, Buffer>();
  for (const string of strings) {
    const split = string.indexOf(EQUALS);
    const key = string.toString('latin1', 0, split < 0 ? string.length : split).toLowerCase();
    if (key && !pairs.has(key)) pairs.set(key, split < 0 ? Buffer.alloc(0) : string.subarray(split + 1));
  }
  return pairs;
}

/** Bytes that are no UTF-8 (seen in `md`) become replacement characters. */
function text(value: Buffer | undefined): string {
  return value ? printable(decodeText(value) ?? value.toString('utf8')) : '';
}

/** Decimal, or hexadecimal with `0x` as some write their flags. `null` for anything else. */
function number(value: Buffer | undefined): number | null {
  const digits = text(value).trim();
  if (!/^(\d{1,10}|0x[0-9a-f]{1,8})$/i.test(digits)) return null;
  const parsed = Number(digits);
  return parsed <= LARGEST_NUMBER ? parsed : null;
}

/** Names travel to terminals and logs: control characters, which could steer those, are replaced. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd');
}
