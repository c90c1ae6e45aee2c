/** User accounts. */
import { parseName } from '../../home/names.ts';

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

/** Returns the given name, else the part of the address before the @. @throws `invalid_value` */
export function parseUserName(input: unknown, email: string): string {
  if (input !== undefined && input !== null) return parseName(input, 'Name');
  return parseName([...(email.split('@')[0] ?? email)].slice(0, 64).join(''), 'Name');
}
