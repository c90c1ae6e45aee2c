import type { Invitation as StoredInvitation, Member as StoredMember } from '../../app/users/member.ts';
import type { Invitation, Member } from '../../contract/members.ts';
import { presentTime } from './time.ts';

export function presentMember(member: StoredMember): Member {
  const { id, homeId, userId, email, name, role, status, isPending, createdAt } = member;
  return { id, homeId, userId, email, name, role, status, isPending, createdAt: presentTime(createdAt) };
}

export function presentInvitation(invitation: StoredInvitation): Invitation {
  const { id, homeId, homeName, role, inviterName, createdAt, expiresAt } = invitation;
  const times = { createdAt: presentTime(createdAt), expiresAt: presentTime(expiresAt) };
  return { id, homeId, homeName, role, inviterName, ...times };
}
