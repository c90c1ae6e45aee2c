/** Members and invited people of a home, as clients of this API know them (wire-facts §4.4). */
import type { Role } from '../access/caller.ts';
import type { StoredInvitation } from './invitation-store.ts';
import type { Membership } from './member-store.ts';
import type { User } from './user.ts';

export interface Member {
  /** The user's id, or the invitation's. */
  readonly id: string;
  readonly homeId: string;
  /** `null` for a person who has no account yet. */
  readonly userId: string | null;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly status: 'awaiting_signup' | 'awaiting_acceptance' | 'active';
  readonly isPending: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** An invitation as the invited person sees it. */
export interface Invitation {
  readonly id: string;
  readonly homeId: string;
  readonly homeName: string;
  readonly role: Role;
  /** `null` if it was created on the relay's command line. */
  readonly inviterName: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export function activeMember({ homeId, userId, role, createdAt }: Membership, { email, name }: User): Member {
  return { id: userId, homeId, userId, email, name, role, status: 'active', isPending: false, createdAt };
}

/** @param user the invited account, if there was one. */
export function invitedMember(invitation: StoredInvitation, user: User | undefined): Member {
  const { id, homeId, userId, email, role, createdAt } = invitation;
  const status = userId === null ? 'awaiting_signup' : 'awaiting_acceptance';
  return { id, homeId, userId, email, name: user?.name ?? null, role, status, isPending: true, createdAt };
}
