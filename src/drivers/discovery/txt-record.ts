/**
 * The TXT record of a HAP accessory server (HAP specification R2, table 6-7), parsed leniently because devices deviate:
 * only the device id is required, everything else has a fallback.
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
  | 'publishedBy'
>;

const DEVICE_ID = /^[0-9A-F]{2}(:[0-9A-F]{2}){5}$/;
const EQUALS = 0x3d;
const OTHER_CATEGORY = 1;
/** HAP R2 §6.6.1: the default is version 1.0. */
const DEFAULT_PROTOCOL_VERSION = '1.0';
const MAX_NUMBER = 2 ** 32 - 1;
const MAX_VERSION_LENGTH = 16;

/**
 * @returns `undefined` if the record is not that of a HAP accessory server: `id` is missing, or not of the form
 * AA:BB:CC:DD:EE:FF
 */
export function parseHapTxt(strings: readonly Buffer[]): HapTxt | undefined {
  const pairs = readPairs(strings);
  const deviceId = text(pairs.get('id')).trim().toUpperCase();
  if (!DEVICE_ID.test(deviceId)) return undefined;
  const publishedBy = text(pairs.get('hd'));
  return {
    deviceId,
    model: text(pairs.get('md')),
    category: number(pairs.get('ci')) ?? OTHER_CATEGORY,
    configNumber: number(pairs.get('c#')),
    stateNumber: number(pairs.get('s#')),
    statusFlags: number(pairs.get('sf')) ?? 0,
    featureFlags: number(pairs.get('ff')) ?? 0,
    protocolVersion: text(pairs.get('pv')).slice(0, MAX_VERSION_LENGTH) || DEFAULT_PROTOCOL_VERSION,
    ...(publishedBy !== '' && { publishedBy }),
  };
}

/**
 * RFC 6763 §6.4: keys are case-insensitive, the first of several equal keys counts, a string that begins with `=` is
 * ignored.
 */
function readPairs(strings: readonly Buffer[]): Map<string, Buffer> {
  const pairs = new Map<string, Buffer>();
  for (const string of strings) {
    const split = string.indexOf(EQUALS);
    const key = string.toString('latin1', 0, split < 0 ? string.length : split).toLowerCase();
    if (key && !pairs.has(key)) pairs.set(key, split < 0 ? Buffer.alloc(0) : string.subarray(split + 1));
  }
  return pairs;
}

/** Bytes that are not UTF-8 (seen in `md`) become replacement characters. */
function text(value: Buffer | undefined): string {
  return value ? printable(decodeText(value) ?? value.toString('utf8')) : '';
}

/** Decimal, or hexadecimal with `0x` as some devices write their flags. `null` for anything else. */
function number(value: Buffer | undefined): number | null {
  const digits = text(value).trim();
  if (!/^(\d{1,10}|0x[0-9a-f]{1,8})$/i.test(digits)) return null;
  const parsed = Number(digits);
  return parsed <= MAX_NUMBER ? parsed : null;
}

/** Names are printed in terminals and logs: control characters are replaced to prevent terminal escape sequences. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd');
}
