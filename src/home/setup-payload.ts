/**
 * `X-HM://` setup payloads, as in an accessory's QR code: nine base-36 digits that hold 46 bits, then the setup id of
 * four letters and digits. From the lowest bit: setup code (27), flags (4), category (8), reserved (4), version (3).
 */
import { HearthError } from '../kernel/errors.ts';

/** HAP specification §4.2.1.2: codes that an accessory must not have, because they are easy to guess. */
export const TRIVIAL_SETUP_CODES: ReadonlySet<string> = new Set([
  '000-00-000',
  '111-11-111',
  '222-22-222',
  '333-33-333',
  '444-44-444',
  '555-55-555',
  '666-66-666',
  '777-77-777',
  '888-88-888',
  '999-99-999',
  '123-45-678',
  '876-54-321',
]);

export interface SetupPayload {
  /** `XXX-XX-XXX`, unchecked: `parseSetupCode` rejects the forbidden codes. */
  readonly setupCode: string;
  /** HAP category number. */
  readonly category: number;
  /** Bit 0 NFC, bit 1 IP, bit 2 BLE, bit 3 Wi-Fi accessory configuration. */
  readonly flags: number;
  /** Four letters or digits; `null` if the payload ends before it. */
  readonly setupId: string | null;
}

const SCHEME = 'X-HM://';
const PAYLOAD = /^X-HM:\/\/([0-9A-Z]{9})([0-9A-Z]{4})?$/;
const PAYLOAD_DIGITS = 9;

const CODE_BITS = 27n;
const FLAGS_BITS = 4n;
const CATEGORY_BITS = 8n;
const PAYLOAD_BITS = 46n;
const MAX_CODE = 99_999_999;

export function isSetupPayload(text: string): boolean {
  return /^X-HM:/i.test(text);
}

/** @param digits eight digits */
export function formatSetupCode(digits: string): string {
  return `${digits.slice(0, 3)}-${digits.slice(3, 5)}-${digits.slice(5)}`;
}

/** @throws `invalid_value` with what to do */
export function decodeSetupPayload(text: string): SetupPayload {
  const match = PAYLOAD.exec(text.toUpperCase());
  if (!match?.[1]) throw damaged();
  const bits = parseBase36(match[1]);
  const code = Number(bits & mask(CODE_BITS));
  if (bits > mask(PAYLOAD_BITS) || code > MAX_CODE) throw damaged();
  return {
    setupCode: formatSetupCode(String(code).padStart(8, '0')),
    flags: Number((bits >> CODE_BITS) & mask(FLAGS_BITS)),
    category: Number((bits >> (CODE_BITS + FLAGS_BITS)) & mask(CATEGORY_BITS)),
    setupId: match[2] ?? null,
  };
}

/** Encodes a payload, for QR codes and tests. Reserved bits and version are zero. */
export function encodeSetupPayload(payload: SetupPayload): string {
  const code = BigInt(payload.setupCode.replaceAll('-', ''));
  const flags = BigInt(payload.flags) & mask(FLAGS_BITS);
  const category = BigInt(payload.category) & mask(CATEGORY_BITS);
  const bits = code | (flags << CODE_BITS) | (category << (CODE_BITS + FLAGS_BITS));
  return SCHEME + bits.toString(36).toUpperCase().padStart(PAYLOAD_DIGITS, '0') + (payload.setupId ?? '');
}

function parseBase36(digits: string): bigint {
  let value = 0n;
  for (const digit of digits) value = value * 36n + BigInt(Number.parseInt(digit, 36));
  return value;
}

function mask(bits: bigint): bigint {
  return (1n << bits) - 1n;
}

function damaged(): HearthError {
  return new HearthError(
    'invalid_value',
    'This X-HM:// payload is damaged or cut short: it has 13 letters and digits after X-HM://. Scan it again, or type the 8 digits that are printed beside it.',
    { reason: 'damaged_payload', field: 'setupCode' },
  );
}
