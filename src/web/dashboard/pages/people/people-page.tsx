/**
 * The people of the home, each on one card: presence, account and role; below them, the invitations. Access for others
 * is under Shares and Apps.
 */

import peopleTexts from 'texts:people';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useAccount } from '../../account/account.ts';
import { useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { useAsked } from '../../ui/asked.ts';
import { ActsMenu } from '../../ui/entries.tsx';
import { InvitationsSection } from './invitations-section.tsx';
import { InvitedSection } from './invited-section.tsx';
import classes from './people.module.css';
import { PeopleFrame } from './people-frame.tsx';
import { PeopleList } from './people-list.tsx';
import { PersonDialogs } from './person-dialogs.tsx';
import type { OpenedDialog } from './person-props.ts';
import { isRole } from './roles.ts';

export function PeoplePage() {
  const t = useTexts(peopleTexts);
  const { me } = useAccount();
  const { role, canManage } = useRights();
  const [opened, setOpened] = useState<OpenedDialog>();
  useAsked((what) => what === 'invitation' && canManage && setOpened({ what: 'invite' }));
  const create = { label: t.accounts.create, run: () => setOpened({ what: 'account' }) };
  const lead = canManage ? t.lead : t.members.onlyManagers({ role: isRole(role) ? t.roles[role] : role });
  return (
    <PeopleFrame
      lead={lead}
      actions={
        canManage && (
          <>
            <Button className={classes.invite} onClick={() => setOpened({ what: 'invite' })}>
              {t.members.invite}
            </Button>
            <Button variant="default" onClick={() => setOpened({ what: 'add' })}>
              {t.persons.add}
            </Button>
            {me.isAdmin && <ActsMenu label={t.moreActs} acts={[create]} />}
          </>
        )
      }
    >
      <InvitationsSection />
      <PeopleList onOpen={setOpened} />
      {canManage && <InvitedSection />}
      {opened && <PersonDialogs opened={opened} onClose={() => setOpened(undefined)} />}
    </PeopleFrame>
  );
}
