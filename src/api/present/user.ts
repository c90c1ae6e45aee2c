import type { Passkey as StoredPasskey } from '../../app/users/passkeys.ts';
import type { SecondFactorStatus } from '../../app/users/second-factors.ts';
import type { Session as StoredSession } from '../../app/users/sessions.ts';
import type { User as StoredUser } from '../../app/users/user.ts';
import type { Passkey, SecondFactor, Session, SignedIn, User } from '../../contract/users.ts';
import { presentTime } from './time.ts';

/** A user with an account. */
export function presentUser({ id, email, name, isFounder, createdAt, lastLoginAt }: StoredUser): User {
  return { id, email, name, isFounder, createdAt: presentTime(createdAt), lastLoginAt: presentTime(lastLoginAt) };
}

interface NewSession {
  readonly token: string;
  readonly expiresAt: number;
  readonly needsSecondStep: boolean;
  readonly user: StoredUser;
}

export function presentSignedIn({ token, expiresAt, needsSecondStep, user }: NewSession): SignedIn {
  return { success: true, token, expiresAt: presentTime(expiresAt), needsSecondStep, user: presentUser(user) };
}

export function presentSession({ id, userId, device, address, isCurrent, ...times }: StoredSession): Session {
  return {
    id,
    userId,
    device,
    address,
    isCurrent,
    createdAt: presentTime(times.createdAt),
    expiresAt: presentTime(times.expiresAt),
    lastUsedAt: presentTime(times.lastUsedAt),
  };
}

export function presentSecondFactor({ createdAt, ...status }: SecondFactorStatus): SecondFactor {
  return { ...status, createdAt: presentTime(createdAt) };
}

export function presentPasskey({ createdAt, lastUsedAt, ...passkey }: StoredPasskey): Passkey {
  return { ...passkey, createdAt: presentTime(createdAt), lastUsedAt: presentTime(lastUsedAt) };
}
