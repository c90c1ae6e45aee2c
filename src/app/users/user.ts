/** A person with an account, and how their address and name are read. */
import { parseName } from '../../home/names.ts';
import { HearthError } from '../../kernel/errors.ts';

/** An account as it may be shown. Times in milliseconds since the epoch. */
export interface User {
  /** UUID, lower case. */
  readonly id: string;
  /** As it was written. Nothing is sent to it: it is a name to sign in with. */
  readonly email: string;
  readonly name: string;
  /** The one who claimed the relay. */
  readonly isFounder: boolean;
  readonly createdAt: number;
  readonly lastLoginAt: number | null;
}

/** Somebody who has signed in. */
export interface SignedIn {
  /** The session's JWT. */
  readonly token: string;
  readonly user: User;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** RFC 5321 §4.5.3.1.3: a path has 256 octets, two of them brackets. */
export const MAX_EMAIL_LENGTH = 254;
/** One @ with something on both sides; nothing that a person could not see. */
const EMAIL = /^[^\s@\p{C}\p{Z}]+@[^\s@\p{C}\p{Z}]+$/u;

/** @throws `invalid_value` */
export function parseEmail(input: unknown): string {
  const email = typeof input === 'string' ? input.trim() : '';
  if (EMAIL.test(email) && email.length <= MAX_EMAIL_LENGTH) return email;
  throw new HearthError('invalid_value', 'Invalid value for email: give an e-mail address, such as ann@example.org.', {
    reason: 'bad_address',
    field: 'email',
  });
}

/** Equal for addresses that people would take for the same. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase().normalize('NFKC');
}

/** The name that somebody gave, else the part of their address before the @. @throws `invalid_value` */
export function parseUserName(input: unknown, email: string): string {
  if (input !== undefined && input !== null) return parseName(input, 'Name');
  return parseName([...(email.split('@')[0] ?? email)].slice(0, 64).join(''), 'Name');
}
