/**
 * Which roles a member may grant in a home (decisions §7): admins may not grant or revoke admin and owner roles, and at
 * least one owner remains.
 */

export const ROLES = ['owner', 'admin', 'control', 'view'] as const;
export type Role = (typeof ROLES)[number];

/** The roles that admins may grant and revoke. */
const ORDINARY: readonly Role[] = ['control', 'view'];

export interface MemberLike {
  readonly id: string;
  readonly role: string;
  readonly isPending: boolean;
}

export function isRole(word: string): word is Role {
  return (ROLES as readonly string[]).includes(word);
}

/** The roles that a member with this role may grant in an invitation. */
export function rolesToGive(mine: string): readonly Role[] {
  if (mine === 'owner') return ROLES;
  return mine === 'admin' ? ORDINARY : [];
}

/** The roles that a member may receive, including the current one; none if it can't be changed. */
export function rolesFor(mine: string, member: MemberLike, members: readonly MemberLike[]): readonly Role[] {
  const roles = rolesToGive(mine);
  // To change an invitation, cancel it and create another one.
  if (member.isPending || isLastOwner(member, members)) return [];
  return roles.some((role) => role === member.role) ? roles : [];
}

/** Whether a member with this role may remove a member or an invitation from the home. */
export function mayRemove(mine: string, member: MemberLike, members: readonly MemberLike[]): boolean {
  return !isLastOwner(member, members) && rolesToGive(mine).some((role) => role === member.role);
}

export function isLastOwner(member: MemberLike, members: readonly MemberLike[]): boolean {
  if (member.role !== 'owner' || member.isPending) return false;
  return members.filter(({ role, isPending }) => role === 'owner' && !isPending).length === 1;
}
