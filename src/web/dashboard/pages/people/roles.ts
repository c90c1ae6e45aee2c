/** Who may give whom which role in a home (decisions §7): admins may not make or remove admins and owners, and one owner stays. */

export const ROLES = ['owner', 'admin', 'control', 'view'] as const;
export type Role = (typeof ROLES)[number];

/** What admins may give and take. */
const ORDINARY: readonly Role[] = ['control', 'view'];

export interface MemberLike {
  readonly id: string;
  readonly role: string;
  readonly isPending: boolean;
}

export function isRole(word: string): word is Role {
  return (ROLES as readonly string[]).includes(word);
}

/** The roles that somebody with a role may give to those whom they invite. */
export function rolesToGive(mine: string): readonly Role[] {
  if (mine === 'owner') return ROLES;
  return mine === 'admin' ? ORDINARY : [];
}

/** The roles that a member may be given, the present one among them; none where it can't be changed. */
export function rolesFor(mine: string, member: MemberLike, members: readonly MemberLike[]): readonly Role[] {
  const roles = rolesToGive(mine);
  // An invitation is taken back and made again.
  if (member.isPending || isLastOwner(member, members)) return [];
  return roles.some((role) => role === member.role) ? roles : [];
}

/** Whether a member, or an invitation, may be taken out of the home by somebody with a role. */
export function mayRemove(mine: string, member: MemberLike, members: readonly MemberLike[]): boolean {
  return !isLastOwner(member, members) && rolesToGive(mine).some((role) => role === member.role);
}

export function isLastOwner(member: MemberLike, members: readonly MemberLike[]): boolean {
  if (member.role !== 'owner' || member.isPending) return false;
  return members.filter(({ role, isPending }) => role === 'owner' && !isPending).length === 1;
}
