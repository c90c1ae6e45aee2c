/** The user's invitations to homes. Also for users without a home. */

import peopleTexts from 'texts:people';
import { Button } from '@mantine/core';
import { Mail } from 'lucide-react';
import { useAccountQuery } from '../../account/account.ts';
import { act } from '../../api/client.ts';
import { present } from '../../api/graphql.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { attempt } from '../../ui/attempt.ts';
import { confirm } from '../../ui/confirm.ts';
import { Entries, Entry } from '../../ui/entries.tsx';
import { Section } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { AcceptInvitation, DeclineInvitation } from './documents.ts';
import { isRole } from './roles.ts';

export function InvitationsSection() {
  const t = useTexts(peopleTexts);
  const { invitations: words } = t;
  const format = useFormat();
  const invitations = present(useAccountQuery(true).data?.pendingInvitations);
  if (invitations.length === 0) return null;
  const accept = async (homeId: string, home: string) => {
    const done = await attempt(() => act(AcceptInvitation, { homeId }), 'account', 'members', 'inventory');
    if (done) showToast({ text: words.accepted({ home }) });
  };
  const decline = async (homeId: string) => {
    const agreed = await confirm({ title: words.declineTitle, body: words.declineText, action: words.decline });
    if (agreed) await attempt(() => act(DeclineInvitation, { homeId }), 'account', 'members');
  };
  return (
    <Section title={words.title}>
      <Entries label={words.title}>
        {invitations.map(({ id, homeId, homeName, inviterName, role, expiresAt }) => (
          <Entry
            key={id}
            icon={<Mail />}
            tone="accent"
            name={words.text({ home: homeName, role: isRole(role) ? t.roles[role] : role })}
            actions={
              <>
                <Button
                  variant="default"
                  aria-label={words.declineFor({ home: homeName })}
                  onClick={() => void decline(homeId)}
                >
                  {words.decline}
                </Button>
                <Button aria-label={words.acceptFor({ home: homeName })} onClick={() => void accept(homeId, homeName)}>
                  {words.accept}
                </Button>
              </>
            }
          >
            {[
              inviterName === null ? undefined : words.by({ name: inviterName }),
              words.until({ when: format.dateTime(expiresAt) }),
            ]
              .filter((each) => each !== undefined)
              .join(' · ')}
          </Entry>
        ))}
      </Entries>
    </Section>
  );
}
