/**
 * The members of the home, their presence, and the accounts of the relay. Access for others is under Shares and Apps.
 */

import peopleTexts from 'texts:people';
import { useAccount } from '../../account/account.ts';
import { useTexts } from '../../texts/texts.ts';
import { Columns } from '../../ui/columns.tsx';
import { AccountsSection } from './accounts-section.tsx';
import { InvitationsSection } from './invitations-section.tsx';
import { MembersSection } from './members-section.tsx';
import { PeopleFrame } from './people-frame.tsx';
import { PersonsSection } from './persons-section.tsx';

export function PeoplePage() {
  const t = useTexts(peopleTexts);
  const { me } = useAccount();
  return (
    <PeopleFrame lead={t.lead}>
      <Columns
        second={
          <>
            <MembersSection />
            {me.isAdmin && <AccountsSection />}
          </>
        }
      >
        <InvitationsSection />
        <PersonsSection />
      </Columns>
    </PeopleFrame>
  );
}
