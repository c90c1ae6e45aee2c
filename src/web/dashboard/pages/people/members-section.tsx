/**
 * The members of the home with their roles, and the invitations. Only owners and admins see them; other members see
 * their own role, and how to leave.
 */

import commonTexts from 'texts:common';
import peopleTexts from 'texts:people';
import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useAccount } from '../../account/account.ts';
import { act } from '../../api/client.ts';
import { present, type ResultOf } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHome, useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { useAsked } from '../../ui/asked.ts';
import { attempt } from '../../ui/attempt.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { confirm } from '../../ui/confirm.ts';
import { ActsMenu, Badge, Entries, Entry, Hint, type MenuAct } from '../../ui/entries.tsx';
import { Answer, Section } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { ChangeMemberRole, MembersQuery, RemoveMember } from './documents.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { isLastOwner, isRole, mayRemove, type Role, rolesFor } from './roles.ts';

type Member = NonNullable<NonNullable<ResultOf<typeof MembersQuery>['homeMembers']>[number]>;

export function MembersSection() {
  const t = useTexts(peopleTexts);
  const inventory = useHome();
  const { canManage } = useRights();
  const [isInviting, setInviting] = useState(false);
  const members = useApiQuery(MembersQuery, { homeId: inventory.id }, { subjects: ['members'], enabled: canManage });
  useAsked((what) => what === 'invitation' && canManage && setInviting(true));
  if (!canManage) return <OwnRole />;
  return (
    <Section
      title={t.members.title}
      lead={t.members.lead}
      actions={<Button onClick={() => setInviting(true)}>{t.members.invite}</Button>}
    >
      <Answer query={members}>
        {({ homeMembers }) => {
          const all = present(homeMembers);
          return (
            <Entries label={t.members.list}>
              {all.map((member) => (
                <MemberEntry key={member.id} member={member} members={all} />
              ))}
            </Entries>
          );
        }}
      </Answer>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Section>
  );
}

function MemberEntry({ member, members }: { readonly member: Member; readonly members: readonly Member[] }) {
  const t = useTexts(peopleTexts);
  const { role: mine } = useRights();
  const { me } = useAccount();
  const isMe = member.userId === me.id;
  const name = member.name ?? member.email;
  const roles = rolesFor(mine, member, members);
  return (
    <Entry
      icon={<Avatar name={name} />}
      name={name}
      badges={
        <>
          {isMe && <Badge tone="cool">{t.you}</Badge>}
          {roles.length === 0 && <FixedRole member={member} members={members} />}
          {member.isPending && (
            <Badge tone="note">
              {member.status === 'awaiting_signup' ? t.members.awaitingSignup : t.members.awaitingAcceptance}
            </Badge>
          )}
        </>
      }
      actions={roles.length > 0 && <RoleField member={member} roles={roles} />}
      menu={
        !isMe && mayRemove(mine, member, members) ? (
          <RemoveMenu member={member} name={name} />
        ) : (
          isMe && !isLastOwner(member, members) && <LeaveMenu />
        )
      }
    >
      {member.name === null || member.name === member.email ? undefined : <bdi>{member.email}</bdi>}
    </Entry>
  );
}

/** A role that can't be changed is text, with the reason as its title. */
function FixedRole({ member, members }: { readonly member: Member; readonly members: readonly Member[] }) {
  const t = useTexts(peopleTexts);
  const { role, isPending } = member;
  const why = isLastOwner(member, members) ? t.members.lastOwner : isPending ? undefined : t.members.onlyOwner;
  return (
    <span title={why}>
      <Badge>{isRole(role) ? t.roles[role] : role}</Badge>
    </span>
  );
}

function RoleField({ member, roles }: { readonly member: Member; readonly roles: readonly Role[] }) {
  const t = useTexts(peopleTexts);
  const common = useTexts(commonTexts);
  const { id: homeId } = useHome();
  const name = member.name ?? member.email;
  const wordOf = (role: string) => (isRole(role) ? t.roles[role] : role);
  const give = (role: string) =>
    attempt(() => act(ChangeMemberRole, { homeId, memberId: member.id, role }), 'members', 'account');
  const change = async (role: string) => {
    if (!(await give(role))) return;
    const undo = { label: common.undo, run: () => void give(member.role) };
    showToast({ text: t.members.changed({ name, role: wordOf(role) }), action: undo });
  };
  return (
    <NativeSelect
      aria-label={t.roleOf({ name })}
      value={member.role}
      onChange={({ currentTarget }) => void change(currentTarget.value)}
      data={roles.map((role) => ({ value: role, label: t.roles[role] }))}
    />
  );
}

function RemoveMenu({ member, name }: { readonly member: Member; readonly name: string }) {
  const t = useTexts(peopleTexts);
  const { id: homeId } = useHome();
  const { members: words } = t;
  const question = member.isPending
    ? { title: words.takeBackTitle({ name }), body: words.takeBackText, action: words.takeBack }
    : { title: words.removeTitle({ name }), body: words.removeText, action: words.remove, isDangerous: true };
  const remove = async () => {
    if (!(await confirm(question))) return;
    await attempt(() => act(RemoveMember, { homeId, memberId: member.id }), 'members', 'shares');
  };
  const acts: readonly MenuAct[] = [{ label: question.action, isDangerous: true, run: () => void remove() }];
  return <ActsMenu label={t.actsFor({ name })} acts={acts} />;
}

function LeaveMenu() {
  const t = useTexts(peopleTexts);
  const leave = useLeave();
  const acts = [{ label: t.members.leave, isDangerous: true, run: () => void leave() }];
  return <ActsMenu label={t.actsFor({ name: t.you })} acts={acts} />;
}

function useLeave(): () => Promise<void> {
  const t = useTexts(peopleTexts);
  const { id: homeId } = useHome();
  const { me } = useAccount();
  return async () => {
    const { leaveTitle: title, leaveText: body, leave: action } = t.members;
    if (!(await confirm({ title, body, action, isDangerous: true }))) return;
    await attempt(() => act(RemoveMember, { homeId, memberId: me.id }), 'account', 'members', 'inventory');
  };
}

function OwnRole() {
  const t = useTexts(peopleTexts);
  const { role } = useRights();
  const leave = useLeave();
  return (
    <Section title={t.members.title}>
      <Hint>{t.members.onlyManagers({ role: isRole(role) ? t.roles[role] : role })}</Hint>
      {isRole(role) && <Hint>{t.roleMeans[role]}</Hint>}
      <div>
        <Button variant="default" onClick={() => void leave()}>
          {t.members.leave}
        </Button>
      </div>
    </Section>
  );
}
