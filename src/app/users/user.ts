/** User accounts, and how their address and name are parsed. */
import { parseName } from '../../home/names.ts';
import { HearthError } from '../../kernel/errors.ts';

/** An account without secrets. Times in milliseconds since the epoch. */
export interface User {
  /** UUID, lower case. */
  readonly id: string;
  /**
   * The sign-in name as entered: an address, or the name of an account without an address, as clients of this API
   * expect (wire-facts §10.1). The relay sends nothing to it.
   */
  readonly email: string;
  readonly name: string;
  /** Whether this user claimed the relay. */
  readonly isFounder: boolean;
  readonly createdAt: number;
  readonly lastLoginAt: number | null;
}

/** A signed-in user. */
export interface SignedIn {
  readonly sessionId: string;
  /** The session's JWT for the API. */
  readonly token: string;
  readonly user: User;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** RFC 5321 §4.5.3.1.3: a path has 256 octets, two of them brackets. */
export const MAX_EMAIL_LENGTH = 254;
/** One @ with text on both sides; no invisible characters. */
const EMAIL = /^[^\s@\p{C}\p{Z}]+@[^\s@\p{C}\p{Z}]+$/u;

/** Whether people would read it as an address: also in full-width letters, which look-ups treat as equal. */
export function isAddress(text: string): boolean {
  return EMAIL.test(emailKey(text));
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

/** A key that is equal for addresses that people would consider the same. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase().normalize('NFKC');
}

/** Returns the given name, else the part of the address before the @. @throws `invalid_value` */
export function parseUserName(input: unknown, email: string): string {
  if (input !== undefined && input !== null) return parseName(input, 'Name');
  return parseName([...(email.split('@')[0] ?? email)].slice(0, 64).join(''), 'Name');
}
