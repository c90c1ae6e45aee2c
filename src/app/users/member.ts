/** Members and invited people of a home, as clients of this API know them (wire-facts §4.4). */
import type * as contract from '../../contract/members.ts';
import type { InMilliseconds } from '../../contract/parse.ts';
import type { StoredInvitation } from './invitation-store.ts';
import type { Membership } from './member-store.ts';
import type { User } from './user.ts';

export type Member = InMilliseconds<contract.Member, 'createdAt'>;

/** An invitation as the invited person sees it. */
export type Invitation = InMilliseconds<contract.Invitation, 'createdAt' | 'expiresAt'>;

export function activeMember({ homeId, userId, role, createdAt }: Membership, { email, name }: User): Member {
  return { id: userId, homeId, userId, email, name, role, status: 'active', isPending: false, createdAt };
}

/** @param user the invited account, if there was one. */
export function invitedMember(invitation: StoredInvitation, user: User | undefined): Member {
  const { id, homeId, userId, email, role, createdAt } = invitation;
  const status = userId === null ? 'awaiting_signup' : 'awaiting_acceptance';
  return { id, homeId, userId, email, name: user?.name ?? null, role, status, isPending: true, createdAt };
}
