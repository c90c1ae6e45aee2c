/**
 * The people of the home, each on one card: presence, account and role; below them, the invitations. Access for others
 * is under Shares and Apps.
 */

import commonTexts from 'texts:common';
import peopleTexts from 'texts:people';
import { Button } from '@mantine/core';
import { KeyRound, MailPlus, Plus, UserRoundPlus } from 'lucide-react';
import { useState } from 'react';
import { useAccount } from '../../account/account.ts';
import { useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { useAsked } from '../../ui/asked.ts';
import { ChoiceDialog, type DialogChoice } from '../../ui/choice-dialog.tsx';
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
  const { role, canManage } = useRights();
  const [opened, setOpened] = useState<OpenedDialog>();
  useAsked((what) => what === 'invitation' && canManage && setOpened({ what: 'invite' }));
  const lead = canManage ? t.lead : t.members.onlyManagers({ role: isRole(role) ? t.roles[role] : role });
  return (
    <PeopleFrame lead={lead} actions={canManage && <Actions onOpen={setOpened} />}>
      <InvitationsSection />
      <PeopleList onOpen={setOpened} />
      {canManage && <InvitedSection />}
      {opened && <PersonDialogs opened={opened} onClose={() => setOpened(undefined)} />}
    </PeopleFrame>
  );
}

/** Buttons and a menu; on phones one plus with the same choices. */
function Actions({ onOpen }: { readonly onOpen: (opened: OpenedDialog) => void }) {
  const t = useTexts(peopleTexts);
  const common = useTexts(commonTexts);
  const { me } = useAccount();
  const [isChoosing, setChoosing] = useState(false);
  const open = (what: 'invite' | 'add' | 'account') => () => onOpen({ what });
  const invite = { name: t.members.invite, text: t.adding.inviteText, icon: MailPlus, act: open('invite') };
  const add = { name: t.persons.add, text: t.adding.personText, icon: UserRoundPlus, act: open('add') };
  const account = { name: t.accounts.create, text: t.adding.accountText, icon: KeyRound, act: open('account') };
  const choices: readonly DialogChoice[] = me.isAdmin ? [invite, add, account] : [invite, add];
  return (
    <>
      <Button className={classes.wide} onClick={invite.act}>
        {invite.name}
      </Button>
      <Button className={classes.wide} variant="default" onClick={add.act}>
        {add.name}
      </Button>
      {me.isAdmin && (
        <div className={classes.wide}>
          <ActsMenu label={t.moreActs} acts={[{ label: account.name, run: account.act }]} />
        </div>
      )}
      <Button
        className={classes.phone}
        leftSection={<Plus size={18} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setChoosing(true)}
      >
        {common.add}
      </Button>
      {isChoosing && <ChoiceDialog title={t.adding.title} choices={choices} onClose={() => setChoosing(false)} />}
    </>
  );
}
