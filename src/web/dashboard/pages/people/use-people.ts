/** What the page about people reads, as far as the user may: presence, members, and the accounts of the relay. */
import { useAccount } from '../../account/account.ts';
import { present, type ResultOf } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHome, useRights } from '../../home/use-home.ts';
import { AccountsQuery, MembersQuery, PersonsQuery } from './documents.ts';
import type { ListedPerson } from './listed-people.ts';

export type Person = NonNullable<NonNullable<ResultOf<typeof PersonsQuery>['people']>[number]>;
export type HomeMember = NonNullable<NonNullable<ResultOf<typeof MembersQuery>['homeMembers']>[number]>;
type RelayAccount = NonNullable<NonNullable<ResultOf<typeof AccountsQuery>['communityUsers']>[number]>;
export type AnyPerson = ListedPerson<Person, HomeMember, RelayAccount>;

/** People with presence. A link ends with the membership. */
export function usePersons(enabled = true) {
  const { id: homeId } = useHome();
  return useApiQuery(PersonsQuery, { homeId }, { subjects: ['people', 'members'], enabled });
}

/** Members and invitations: for those who manage the home. */
export function useMembers() {
  const { id: homeId } = useHome();
  const { canManage: enabled } = useRights();
  return useApiQuery(MembersQuery, { homeId }, { subjects: ['members'], enabled });
}

/** For the account that claimed the relay. */
export function useAccounts() {
  const { me } = useAccount();
  return useApiQuery(AccountsQuery, {}, { subjects: ['members', 'account'], enabled: me.isAdmin });
}

/** The members who have joined; none for those who do not manage the home. */
export function useJoinedMembers(): readonly HomeMember[] {
  return present(useMembers().data?.homeMembers).filter(({ isPending }) => !isPending);
}

/** Empty until they are loaded. */
export function useKnownPersons(enabled = true): readonly Person[] {
  return present(usePersons(enabled).data?.people);
}
