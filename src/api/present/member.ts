import type { Invitation as StoredInvitation, Member as StoredMember } from '../../app/users/member.ts';
import type { Invitation, Member } from '../../contract/members.ts';
import { presentTime } from './time.ts';

export function presentMember(member: StoredMember): Member {
  return { ...member, createdAt: presentTime(member.createdAt) };
}

export function presentInvitation(invitation: StoredInvitation): Invitation {
  const { createdAt, expiresAt } = invitation;
  return { ...invitation, createdAt: presentTime(createdAt), expiresAt: presentTime(expiresAt) };
}
