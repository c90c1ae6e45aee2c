/** The cards of all people: of this home and, for the account that claimed the relay, of all who sign in to it. */

import peopleTexts from 'texts:people';
import { useAccount } from '../../account/account.ts';
import { present } from '../../api/graphql.ts';
import { useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { Answer } from '../../ui/page.tsx';
import { listPeople, sameNames } from './listed-people.ts';
import classes from './people.module.css';
import { PersonCard } from './person-card.tsx';
import type { OpenedDialog } from './person-props.ts';
import { SameName } from './same-name.tsx';
import { useAccounts, useJoinedMembers, useKnownPersons, useMembers, usePersons } from './use-people.ts';

export function PeopleList({ onOpen }: { readonly onOpen: (opened: OpenedDialog) => void }) {
  const t = useTexts(peopleTexts);
  const { me } = useAccount();
  const { canManage } = useRights();
  const [persons, members, accounts] = [usePersons(), useMembers(), useAccounts()];
  const presences = useKnownPersons();
  const joined = useJoinedMembers();
  const asked = [persons, ...(canManage ? [members] : []), ...(me.isAdmin ? [accounts] : [])];
  const missing = asked.find(({ data }) => data === undefined);
  if (missing) return <Answer<unknown> query={missing}>{() => null}</Answer>;
  const all = listPeople({
    presences,
    members: canManage ? joined : [],
    accounts: me.isAdmin ? present(accounts.data?.communityUsers) : [],
    me,
  });
  return (
    <>
      {sameNames(all).map(({ person, member }) => (
        <SameName key={member.id} person={person} member={member} />
      ))}
      <ul className={classes.cards} aria-label={t.persons.list} data-columns>
        {all.map((one) => (
          <PersonCard key={one.key} one={one} presences={presences} members={joined} onOpen={onOpen} />
        ))}
      </ul>
    </>
  );
}
