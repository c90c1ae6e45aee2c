/**
 * One list of people: those with presence, the members of the home and, for the account that claimed the relay, all
 * accounts. What is linked is one person; an equal name only offers the link.
 */
import type { MemberLike } from './roles.ts';

interface PresenceLike {
  readonly id: string;
  readonly name: string;
  readonly userId: string | null;
}

interface JoinedMember extends MemberLike {
  readonly name: string | null;
  readonly email: string;
}

interface AccountLike {
  readonly id: string;
  readonly name: string | null;
  readonly email: string;
}

/** One person, with what is known of them here. At least one of the three is there, except for the user themselves. */
export interface ListedPerson<P, M, A> {
  /** Unique in the list. */
  readonly key: string;
  readonly name: string;
  /** The address of the account, unless it is the name. */
  readonly email: string | undefined;
  readonly userId: string | null;
  readonly isMe: boolean;
  readonly presence: P | undefined;
  readonly member: M | undefined;
  readonly account: A | undefined;
}

interface ListedData<P, M, A> {
  readonly presences: readonly P[];
  /** Without invitations; empty for those who may not see them. */
  readonly members: readonly M[];
  readonly accounts: readonly A[];
  /** Always in the list. */
  readonly me: AccountLike;
}

/** The user first, then the people of this home, then accounts without a role in it; each part by name. */
export function listPeople<P extends PresenceLike, M extends JoinedMember, A extends AccountLike>({
  presences,
  members,
  accounts,
  me,
}: ListedData<P, M, A>): readonly ListedPerson<P, M, A>[] {
  const memberById = new Map(members.map((member) => [member.id, member]));
  const accountById = new Map(accounts.map((account) => [account.id, account]));
  const presenceByUser = new Map(
    presences.flatMap((presence) => (presence.userId === null ? [] : [[presence.userId, presence]])),
  );
  const ofUser = (userId: string): ListedPerson<P, M, A> => {
    const [presence, member, account] = [presenceByUser.get(userId), memberById.get(userId), accountById.get(userId)];
    const { name: ownName, email } = member ?? account ?? me;
    const name = presence?.name ?? ownName ?? email;
    const isMe = userId === me.id;
    return { key: userId, name, email: email === name ? undefined : email, userId, isMe, presence, member, account };
  };
  const users = new Set([me.id, ...memberById.keys(), ...accountById.keys()]);
  const others = presences.filter(({ userId }) => userId === null || !users.has(userId));
  const listed = [
    ...[...users].map(ofUser),
    ...others.map((presence) => ({
      key: presence.id,
      name: presence.name,
      email: undefined,
      userId: presence.userId,
      isMe: false,
      presence,
      member: undefined,
      account: undefined,
    })),
  ];
  const place = (one: ListedPerson<P, M, A>) => (one.isMe ? 0 : one.member || one.presence ? 1 : 2);
  return listed.sort((a, b) => place(a) - place(b) || a.name.localeCompare(b.name, undefined, { sensitivity: 'base' }));
}

/** The members who are no person with presence yet: each may be linked to one. */
export function freeMembers<P extends PresenceLike, M extends JoinedMember>(
  presences: readonly P[],
  members: readonly M[],
) {
  const linked = new Set(presences.map(({ userId }) => userId));
  return members.filter(({ id }) => !linked.has(id));
}

/** Members without presence, each with the person without an account who is called the same. */
export function sameNames<P extends PresenceLike, M extends JoinedMember, A>(all: readonly ListedPerson<P, M, A>[]) {
  const persons = all.flatMap(({ presence }) => (presence?.userId === null ? presence : []));
  return all.flatMap(({ presence, member }) => {
    if (presence || !member?.name) return [];
    const name = keyOf(member.name);
    const person = persons.find((one) => keyOf(one.name) === name);
    return person ? [{ person, member }] : [];
  });
}

function keyOf(name: string): string {
  return name.trim().toLowerCase();
}
