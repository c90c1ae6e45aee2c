/** User accounts. */
import type { InMilliseconds } from '../../contract/parse.ts';
import type { User as UserFields } from '../../contract/users.ts';
import { parseName } from '../../home/names.ts';

/**
 * An account without secrets. The relay sends nothing to the address. Times in milliseconds since the epoch.
 */
export type User = InMilliseconds<UserFields, 'createdAt' | 'lastLoginAt'>;

/** A signed-in user. */
export interface SignedIn {
  readonly sessionId: string;
  /** The session's JWT for the API. */
  readonly token: string;
  readonly user: User;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** The session does nothing but set a second step up, which its account must have. */
  readonly needsSecondStep: boolean;
}

/** Returns the given name, else the part of the address before the @. @throws `invalid_value` */
export function parseUserName(input: unknown, email: string): string {
  if (input !== undefined && input !== null) return parseName(input, 'Name');
  return parseName([...(email.split('@')[0] ?? email)].slice(0, 64).join(''), 'Name');
}
