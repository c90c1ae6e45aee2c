/**
 * The members of the home, their presence, and the accounts of the relay. Access for others is under Shares and Apps.
 */

import peopleTexts from 'texts:people';
import { useAccount } from '../../account/account.ts';
import { useTexts } from '../../texts/texts.ts';
import { Page } from '../../ui/page.tsx';
import { AccountsSection } from './accounts-section.tsx';
import { InvitationsSection } from './invitations-section.tsx';
import { MembersSection } from './members-section.tsx';
import { PeopleTabs } from './people-tabs.tsx';
import { PersonsSection } from './persons-section.tsx';

export function PeoplePage() {
  const t = useTexts(peopleTexts);
  const { me } = useAccount();
  return (
    <Page title={t.title} lead={t.lead} narrow>
      <PeopleTabs />
      <InvitationsSection />
      <PersonsSection />
      <MembersSection />
      {me.isAdmin && <AccountsSection />}
    </Page>
  );
}
