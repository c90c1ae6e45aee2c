/**
 * Setup codes, typed or scanned. No error message contains a code: it gives control of the device until the device is
 * paired.
 */
import {
  decodeSetupPayload,
  formatSetupCode,
  isSetupPayload,
  TRIVIAL_SETUP_CODES,
} from '../../../home/setup-payload.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { PairingReason } from '../../../kernel/reasons.ts';

/** Spaces and hyphens of every kind, as phones and word processors insert them. */
const SEPARATORS = /[\s\p{Pd}]/gu;

/**
 * @param text `031-45-154`, `03145154`, either with spaces, or an `X-HM://…` payload
 * @returns the code in the form for pair-setup: `XXX-XX-XXX`
 * @throws `invalid_value` with what to do
 */
export function parseSetupCode(text: string): string {
  const trimmed = text.normalize('NFKC').trim();
  if (isSetupPayload(trimmed)) return requireUncommon(decodeSetupPayload(trimmed).setupCode);
  if (/^MT:/i.test(trimmed)) {
    throw refused(
      'matter_code',
      'This is a Matter code. HomeKit accessories have eight digits like 031-45-154, or a QR code that begins with X-HM://.',
    );
  }
  const digits = trimmed.replace(SEPARATORS, '');
  if (/\D/.test(digits)) {
    throw refused(
      'malformed_code',
      'A setup code has digits only, like 031-45-154; letters and signs do not belong in it. Read it again from the accessory or its box.',
    );
  }
  if (digits.length !== 8) {
    throw refused(
      'malformed_code',
      `A setup code has 8 digits, like 031-45-154; this one has ${digits.length}. Read it again from the accessory or its box.`,
    );
  }
  return requireUncommon(formatSetupCode(digits));
}

function requireUncommon(code: string): string {
  if (!TRIVIAL_SETUP_CODES.has(code)) return code;
  throw refused(
    'trivial_code',
    'This setup code is one of the twelve that HomeKit forbids because they are easy to guess. Check the digits; if the accessory really has it, set another one there.',
  );
}

function refused(reason: PairingReason, message: string): HearthError {
  return new HearthError('invalid_value', message, { reason, field: 'setupCode' });
}
