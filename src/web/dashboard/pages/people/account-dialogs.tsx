/** Dialogs for a new account without an invitation, and for a new password. */

import commonTexts from 'texts:common';
import peopleTexts from 'texts:people';
import { PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { act, ask } from '../../api/client.ts';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { Hint } from '../../ui/entries.tsx';
import { FormDialog, textIn } from '../../ui/form-dialog.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { CreateAccount, ResetAccountPassword } from './documents.ts';
import { RolePicker } from './role-picker.tsx';
import { ROLES, type Role } from './roles.ts';

/** The relay's minimum. */
const MIN_PASSWORD_LENGTH = 8;

export function CreateAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const { accounts: t } = useTexts(peopleTexts);
  const common = useTexts(commonTexts);
  const house = useHome();
  const [role, setRole] = useState<Role>('control');
  const create = (form: FormData) =>
    ask(CreateAccount, {
      name: textIn(form, 'name'),
      email: textIn(form, 'email') || null,
      password: String(form.get('password')),
      role,
      homeIds: [house.id],
    });
  return (
    <FormDialog
      title={t.createTitle}
      action={t.create}
      subjects={['members', 'account']}
      onSubmit={create}
      onClose={onClose}
    >
      <Hint>{t.createHint}</Hint>
      <TextInput name="name" label={common.name} required autoComplete="off" data-autofocus size="md" />
      <TextInput name="email" type="email" label={t.email} description={t.emailHint} autoComplete="off" size="md" />
      <NewPassword label={t.password} hint={t.passwordHint} />
      <RolePicker roles={ROLES} value={role} onChange={setRole} />
    </FormDialog>
  );
}

interface PasswordDialogProps {
  readonly userId: string;
  readonly name: string;
  readonly onClose: () => void;
}

export function PasswordDialog({ userId, name, onClose }: PasswordDialogProps) {
  const { accounts: t } = useTexts(peopleTexts);
  const reset = async (form: FormData) => {
    await act(ResetAccountPassword, { userId, password: String(form.get('password')) });
    showToast({ text: t.resetDone({ name }) });
  };
  return (
    <FormDialog
      title={t.resetTitle({ name })}
      action={t.reset}
      subjects={['members', 'sessions']}
      onSubmit={reset}
      onClose={onClose}
    >
      <Hint>{t.resetHint}</Hint>
      <NewPassword label={t.password} hint={t.passwordHint} />
    </FormDialog>
  );
}

function NewPassword({ label, hint }: { readonly label: string; readonly hint: string }) {
  return (
    <PasswordInput
      name="password"
      label={label}
      description={hint}
      minLength={MIN_PASSWORD_LENGTH}
      required
      autoComplete="new-password"
      size="md"
    />
  );
}
