/** The people who are invited and have not answered. To change an invitation, cancel it and create another one. */

import peopleTexts from 'texts:people';
import { Mail } from 'lucide-react';
import { act } from '../../api/client.ts';
import { present } from '../../api/graphql.ts';
import { useHome, useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { attempt } from '../../ui/attempt.ts';
import { confirm } from '../../ui/confirm.ts';
import { ActsMenu, Badge, Entries, Entry } from '../../ui/entries.tsx';
import { Section } from '../../ui/page.tsx';
import { RemoveMember } from './documents.ts';
import { isRole, mayRemove } from './roles.ts';
import { type HomeMember, useMembers } from './use-people.ts';

export function InvitedSection() {
  const { members: t } = useTexts(peopleTexts);
  const invited = present(useMembers().data?.homeMembers).filter(({ isPending }) => isPending);
  if (invited.length === 0) return null;
  return (
    <Section title={t.invited}>
      <Entries label={t.invited}>
        {invited.map((invitation) => (
          <InvitationEntry key={invitation.id} invitation={invitation} />
        ))}
      </Entries>
    </Section>
  );
}

function InvitationEntry({ invitation }: { readonly invitation: HomeMember }) {
  const t = useTexts(peopleTexts);
  const { id: homeId } = useHome();
  const { role: mine } = useRights();
  const { members: words } = t;
  const { id: memberId, role, status } = invitation;
  const name = invitation.name ?? invitation.email;
  const takeBack = async () => {
    const { takeBackTitle, takeBackText: body, takeBack: action } = words;
    if (!(await confirm({ title: takeBackTitle({ name }), body, action }))) return;
    await attempt(() => act(RemoveMember, { homeId, memberId }), 'members', 'shares');
  };
  const acts = [{ label: words.takeBack, isDangerous: true, run: () => void takeBack() }];
  return (
    <Entry
      icon={<Mail />}
      name={name}
      badges={<Badge>{isRole(role) ? t.roles[role] : role}</Badge>}
      menu={mayRemove(mine, invitation, []) && <ActsMenu label={t.actsFor({ name })} acts={acts} />}
    >
      {status === 'awaiting_signup' ? words.awaitingSignup : words.awaitingAcceptance}
    </Entry>
  );
}
