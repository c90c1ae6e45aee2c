/** The dialogs of the page about people. */

import commonTexts from 'texts:common';
import peopleTexts from 'texts:people';
import { NativeSelect, TextInput } from '@mantine/core';
import { MAX_NAME_LENGTH } from '../../../../home/vocabulary/limits.ts';
import { ask } from '../../api/client.ts';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { EntityDialog } from '../../ui/entity-dialog.tsx';
import { CreateAccountDialog, PasswordDialog } from './account-dialogs.tsx';
import { CreatePerson, RenameAccount, RenamePerson } from './documents.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { freeMembers } from './listed-people.ts';
import { NameDialog } from './name-dialog.tsx';
import type { OpenedDialog } from './person-props.ts';
import { PhoneDialog } from './phone-dialog.tsx';
import { useLink } from './use-link.ts';
import { type HomeMember, type Person, useJoinedMembers, useKnownPersons } from './use-people.ts';

interface DialogsProps {
  readonly opened: OpenedDialog;
  readonly onClose: () => void;
}

export function PersonDialogs({ opened, onClose }: DialogsProps) {
  const t = useTexts(peopleTexts);
  const { id: homeId } = useHome();
  switch (opened.what) {
    case 'invite':
      return <InviteDialog onClose={onClose} />;
    case 'account':
      return <CreateAccountDialog onClose={onClose} />;
    case 'password':
      return <PasswordDialog userId={opened.id} name={opened.name} onClose={onClose} />;
    case 'phone':
      return <PhoneDialog name={opened.person.name} onClose={onClose} />;
    case 'add':
      return <AddDialog member={opened.member} onClose={onClose} />;
    case 'link':
      return <LinkDialog person={opened.person} onClose={onClose} />;
    case 'rename': {
      const { id: personId, name } = opened.person;
      const rename = (next: string) => ask(RenamePerson, { homeId, personId, name: next });
      const { renameTitle: title, nameHint: hint } = t.persons;
      return (
        <NameDialog title={title} hint={hint} name={name} subjects={['people']} onSubmit={rename} onClose={onClose} />
      );
    }
    case 'rename-account': {
      const { id: userId, name } = opened;
      const rename = (next: string) => ask(RenameAccount, { userId, name: next });
      const subjects = ['members', 'account'] as const;
      return (
        <NameDialog
          title={t.accounts.renameTitle}
          name={name}
          subjects={subjects}
          onSubmit={rename}
          onClose={onClose}
        />
      );
    }
  }
}

interface AddDialogProps {
  readonly member: HomeMember | undefined;
  readonly onClose: () => void;
}

function AddDialog({ member, onClose }: AddDialogProps) {
  const t = useTexts(peopleTexts);
  const common = useTexts(commonTexts);
  const { id: homeId } = useHome();
  const free = freeMembers(useKnownPersons(), useJoinedMembers());
  return (
    <EntityDialog
      title={member ? t.persons.addPresence : t.persons.createTitle}
      action={common.add}
      initialValues={{ name: member?.name ?? '', userId: member?.id ?? '' }}
      subjects={['people']}
      onSubmit={({ name, userId }) => ask(CreatePerson, { homeId, name: name.trim(), userId: userId || null })}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            label={common.name}
            description={t.persons.nameHint}
            required
            maxLength={MAX_NAME_LENGTH}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('name')}
          />
          {free.length > 0 && (
            <NativeSelect
              label={t.link.account}
              description={t.link.hint}
              data={[{ value: '', label: t.link.none }, ...free.map(optionOf)]}
              {...form.getInputProps('userId')}
            />
          )}
        </>
      )}
    </EntityDialog>
  );
}

function LinkDialog({ person, onClose }: { readonly person: Person; readonly onClose: () => void }) {
  const { link: t } = useTexts(peopleTexts);
  const members = useJoinedMembers();
  const free = freeMembers(useKnownPersons(), members);
  const link = useLink();
  return (
    <EntityDialog
      title={t.titleOf({ name: person.name })}
      action={t.act}
      initialValues={{ userId: free[0]?.id ?? '' }}
      subjects={['people']}
      onSubmit={({ userId }) =>
        link(
          person,
          members.find(({ id }) => id === userId),
        )
      }
      onClose={onClose}
    >
      {(form) => (
        <NativeSelect
          label={t.account}
          description={t.hint}
          data={free.map(optionOf)}
          data-autofocus
          {...form.getInputProps('userId')}
        />
      )}
    </EntityDialog>
  );
}

function optionOf({ id, name, email }: HomeMember) {
  return { value: id, label: name === null || name === email ? email : `${name} (${email})` };
}
