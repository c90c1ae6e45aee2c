/** The fields of accounts: addresses, passwords and roles, with their rules. */
import { HearthError } from '../kernel/errors.ts';
import { checkedBy, text, word } from './fields.ts';

/** RFC 5321 §4.5.3.1.3: a path has 256 octets, two of them brackets. */
export const MAX_EMAIL_LENGTH = 254;
/** One @ with text on both sides; no invisible characters. */
const EMAIL = /^[^\s@\p{C}\p{Z}]+@[^\s@\p{C}\p{Z}]+$/u;

/** Whether people would read it as an address: also in full-width letters, which look-ups treat as equal. */
export function isAddress(given: string): boolean {
  return EMAIL.test(emailKey(given));
}

/** A key that is equal for addresses that people would consider the same. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase().normalize('NFKC');
}

/** @throws `invalid_value` */
export function parseEmail(input: unknown): string {
  const email = typeof input === 'string' ? input.trim() : '';
  if (EMAIL.test(email) && email.length <= MAX_EMAIL_LENGTH) return email;
  throw new HearthError('invalid_value', 'Invalid value for email: give an e-mail address, such as ann@example.org.', {
    reason: 'bad_address',
    field: 'email',
  });
}

/** NIST SP 800-63B §5.1.1.2: at least 8; no rules about kinds of characters. */
const MIN_PASSWORD = 8;
export const MAX_PASSWORD = 1_024;

/**
 * Parses a password for hashing. Composes its characters, so that two keyboards give the same text for the same
 * letters.
 * @param field the name that the caller gave it.
 * @throws `invalid_value`
 */
export function parsePassword(input: unknown, field = 'password'): string {
  const given = typeof input === 'string' ? input.normalize('NFC') : '';
  const length = [...given].length;
  // Lone surrogates would all become the same replacement character.
  if (length >= MIN_PASSWORD && length <= MAX_PASSWORD && !/\p{Cs}/u.test(given)) return given;
  throw new HearthError(
    'invalid_value',
    `Invalid value for ${field}: give ${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`,
    { reason: 'password_length', field },
  );
}

/** A password that is to be hashed. */
export function newPassword(field = 'password') {
  return checkedBy(text('8 to 1,024 characters.'), (given) => parsePassword(given, field));
}

export const ROLE = word(['owner', 'admin', 'control', 'view']);
