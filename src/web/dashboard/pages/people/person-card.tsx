/** A person on one card: the name with the account's address, presence, role, and a menu with everything else. */

import commonTexts from 'texts:common';
import peopleTexts from 'texts:people';
import { Button, NativeSelect, SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { act, ask } from '../../api/client.ts';
import { useHome, useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { attempt } from '../../ui/attempt.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { ActsMenu, Badge } from '../../ui/entries.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { ChangeMemberRole, SetPresence } from './documents.ts';
import { freeMembers } from './listed-people.ts';
import classes from './people.module.css';
import type { PersonProps } from './person-props.ts';
import { isLastOwner, isRole, type Role, rolesFor } from './roles.ts';
import type { HomeMember, Person } from './use-people.ts';
import { usePersonActs } from './use-person-acts.ts';

export function PersonCard(props: PersonProps) {
  const t = useTexts(peopleTexts);
  const { one } = props;
  const { name, email, isMe, presence, account } = one;
  const acts = usePersonActs(props);
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <span className={classes.face} data-presence={presence ? presenceWord(presence) : undefined}>
          <Avatar name={name} />
        </span>
        <div className={classes.who}>
          <p className={classes.name}>
            <bdi>{name}</bdi>
            {isMe && <Badge tone="cool">{t.you}</Badge>}
            {account?.isFounder && <Badge>{t.accounts.founder}</Badge>}
            {account?.hasSecondFactor && <Badge tone="good">{t.accounts.twoStep}</Badge>}
          </p>
          {email !== undefined && (
            <p className={classes.dim}>
              <bdi>{email}</bdi>
            </p>
          )}
        </div>
        <ActsMenu label={t.actsFor({ name })} acts={acts} />
      </div>
      <PresenceRow {...props} />
      <AccountRow {...props} />
    </li>
  );
}

function presenceWord({ atHome }: Person): 'atHome' | 'away' | 'unknown' {
  if (atHome === null) return 'unknown';
  return atHome ? 'atHome' : 'away';
}

interface RowProps {
  readonly title: string;
  readonly detail?: ReactNode;
  readonly children?: ReactNode;
}

function Row({ title, detail, children }: RowProps) {
  return (
    <div className={classes.row}>
      <div className={classes.words}>
        <p>{title}</p>
        {detail && <p className={classes.dim}>{detail}</p>}
      </div>
      {children}
    </div>
  );
}

/** Of those without presence only the members of this home may get it here. */
function PresenceRow({ one, onOpen }: PersonProps) {
  const { persons: t } = useTexts(peopleTexts);
  const common = useTexts(commonTexts);
  const { canManage, canControl } = useRights();
  const { presence, member, name } = one;
  if (presence) {
    return (
      <Row
        title={t[presenceWord(presence)]}
        detail={presence.changedAt === null ? undefined : <TimeAgo at={presence.changedAt} />}
      >
        {canControl && <PresenceField person={presence} />}
      </Row>
    );
  }
  if (!member) return null;
  return (
    <Row title={t.none}>
      {canManage && (
        <Button variant="default" aria-label={t.addTo({ name })} onClick={() => onOpen({ what: 'add', member })}>
          {common.add}
        </Button>
      )}
    </Row>
  );
}

function PresenceField({ person }: { readonly person: Person }) {
  const { persons: t } = useTexts(peopleTexts);
  const { id: homeId } = useHome();
  const { id: personId, name, atHome } = person;
  const set = (word: string) =>
    attempt(() => ask(SetPresence, { homeId, personId, atHome: word === 'home' }), 'people');
  return (
    <SegmentedControl
      className={classes.presence}
      aria-label={t.stateOf({ name })}
      value={atHome === null ? '' : atHome ? 'home' : 'away'}
      onChange={(word) => void set(word)}
      data={[
        { value: 'home', label: t.atHome },
        { value: 'away', label: t.away },
      ]}
    />
  );
}

/** The role in this home, and what the account that claimed the relay sees of the account. */
function AccountRow({ one, presences, members, onOpen }: PersonProps) {
  const t = useTexts(peopleTexts);
  const { role: mine, canManage } = useRights();
  const { account, member, presence, isMe, name } = one;
  const roleText = (role: string) => (isRole(role) ? t.roles[role] : role);
  const seen = account && !isMe && <LastSeen at={account.lastLoginAt} />;
  if (member) {
    const roles = rolesFor(mine, member, members);
    return (
      <Row title={t.role} detail={seen}>
        {roles.length > 0 ? (
          <RoleField member={member} name={name} roles={roles} />
        ) : (
          <span
            className={classes.fixed}
            title={isLastOwner(member, members) ? t.members.lastOwner : t.members.onlyOwner}
          >
            {roleText(member.role)}
          </span>
        )}
      </Row>
    );
  }
  if (isMe) {
    return (
      <Row title={t.role} detail={isRole(mine) ? t.roleMeans[mine] : undefined}>
        <span className={classes.fixed}>{roleText(mine)}</span>
      </Row>
    );
  }
  if (account) {
    const elsewhere =
      account.role === null ? t.accounts.noHome : t.accounts.otherHome({ role: roleText(account.role) });
    return <Row title={elsewhere} detail={seen} />;
  }
  // Whether others have an account is for those to know who manage the home.
  if (!canManage || !presence) return null;
  return (
    <Row title={t.link.none}>
      {freeMembers(presences, members).length > 0 && (
        <Button
          variant="default"
          aria-label={t.link.actFor({ name })}
          onClick={() => onOpen({ what: 'link', person: presence })}
        >
          {t.link.act}
        </Button>
      )}
    </Row>
  );
}

function LastSeen({ at }: { readonly at: string | null }) {
  const { accounts: t } = useTexts(peopleTexts);
  if (at === null) return t.neverSeen;
  return (
    <>
      {t.lastSeen} <TimeAgo at={at} />
    </>
  );
}

interface RoleFieldProps {
  readonly member: HomeMember;
  readonly name: string;
  readonly roles: readonly Role[];
}

function RoleField({ member, name, roles }: RoleFieldProps) {
  const t = useTexts(peopleTexts);
  const common = useTexts(commonTexts);
  const { id: homeId } = useHome();
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
      className={classes.role}
      aria-label={t.roleOf({ name })}
      value={member.role}
      onChange={({ currentTarget }) => void change(currentTarget.value)}
      data={roles.map((role) => ({ value: role, label: t.roles[role] }))}
    />
  );
}
