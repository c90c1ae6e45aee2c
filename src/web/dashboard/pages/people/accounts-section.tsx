/** All accounts of the relay, for the account that claimed it. */

import peopleTexts from 'texts:people';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useAccount } from '../../account/account.ts';
import { act, ask } from '../../api/client.ts';
import { present, type ResultOf } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useTexts } from '../../texts/texts.ts';
import { attempt } from '../../ui/attempt.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { confirm } from '../../ui/confirm.ts';
import { ActsMenu, Badge, Entries, Entry } from '../../ui/entries.tsx';
import { Answer, Section } from '../../ui/page.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { CreateAccountDialog, PasswordDialog } from './account-dialogs.tsx';
import { AccountsQuery, DeleteAccount, RenameAccount, ResetTwoStep } from './documents.ts';
import { NameDialog } from './name-dialog.tsx';
import { isRole } from './roles.ts';

type Account = NonNullable<NonNullable<ResultOf<typeof AccountsQuery>['communityUsers']>[number]>;

type OpenedAccount =
  | { readonly what: 'create' }
  | { readonly what: 'rename' | 'password'; readonly id: string; readonly name: string };

export function AccountsSection() {
  const { accounts: t } = useTexts(peopleTexts);
  const [opened, setOpened] = useState<OpenedAccount>();
  const accounts = useApiQuery(AccountsQuery, {}, { subjects: ['members', 'account'] });
  const close = () => setOpened(undefined);
  return (
    <Section
      title={t.title}
      lead={t.lead}
      actions={
        <Button variant="default" onClick={() => setOpened({ what: 'create' })}>
          {t.create}
        </Button>
      }
    >
      <Answer query={accounts}>
        {({ communityUsers }) => (
          <Entries label={t.list}>
            {present(communityUsers).map((account) => (
              <AccountEntry key={account.id} account={account} onOpen={setOpened} />
            ))}
          </Entries>
        )}
      </Answer>
      {opened?.what === 'create' && <CreateAccountDialog onClose={close} />}
      {opened?.what === 'password' && <PasswordDialog userId={opened.id} name={opened.name} onClose={close} />}
      {opened?.what === 'rename' && (
        <NameDialog
          title={t.renameTitle}
          name={opened.name}
          subjects={['members', 'account']}
          onSubmit={(name) => ask(RenameAccount, { userId: opened.id, name })}
          onClose={close}
        />
      )}
    </Section>
  );
}

interface AccountEntryProps {
  readonly account: Account;
  readonly onOpen: (opened: OpenedAccount) => void;
}

function AccountEntry({ account, onOpen }: AccountEntryProps) {
  const t = useTexts(peopleTexts);
  const { accounts: words } = t;
  const { me } = useAccount();
  const { id, email, role, isFounder, hasSecondFactor, lastLoginAt } = account;
  const name = account.name ?? email;
  const remove = async () => {
    const { removeTitle, removeText: body, remove: action } = words;
    if (!(await confirm({ title: removeTitle({ name }), body, action, isDangerous: true }))) return;
    await attempt(() => act(DeleteAccount, { userId: id }), 'members', 'account', 'shares');
  };
  const turnOff = async () => {
    const { twoStepOffTitle, twoStepOffText: body, twoStepOff: action } = words;
    if (!(await confirm({ title: twoStepOffTitle({ name }), body, action, isDangerous: true }))) return;
    await attempt(() => act(ResetTwoStep, { userId: id }), 'members', 'account');
  };
  const rename = { label: words.rename, run: () => onOpen({ what: 'rename', id, name }) };
  const reset = { label: words.reset, run: () => onOpen({ what: 'password', id, name }) };
  const twoStep = hasSecondFactor ? [{ label: words.twoStepOff, run: () => void turnOff() }] : [];
  const acts = [rename, reset, ...twoStep, { label: words.remove, isDangerous: true, run: () => void remove() }];
  return (
    <Entry
      icon={<Avatar name={name} />}
      name={name}
      badges={
        <>
          {id === me.id && <Badge tone="cool">{t.you}</Badge>}
          {isFounder && <Badge>{words.founder}</Badge>}
          {hasSecondFactor && <Badge tone="good">{words.twoStep}</Badge>}
        </>
      }
      // The founder changes their own password and name in the settings, with the old password.
      menu={<ActsMenu label={t.actsFor({ name })} acts={isFounder ? [rename] : acts} />}
    >
      {email !== name && (
        <>
          <bdi>{email}</bdi> ·{' '}
        </>
      )}
      {role === null ? words.noHome : isRole(role) ? t.roles[role] : role} ·{' '}
      {lastLoginAt === null ? (
        words.neverSeen
      ) : (
        <>
          {words.lastSeen} <TimeAgo at={lastLoginAt} />
        </>
      )}
    </Entry>
  );
}
