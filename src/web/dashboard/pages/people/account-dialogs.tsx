/** Dialogs for a new account without an invitation, and for a new password. */
import commonTexts from 'texts:common';
import peopleTexts from 'texts:people';
import { PasswordInput, type PasswordInputProps, TextInput } from '@mantine/core';
import { act, ask } from '../../api/client.ts';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { EntityDialog } from '../../ui/entity-dialog.tsx';
import { Hint } from '../../ui/entries.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { CreateAccount, ResetAccountPassword } from './documents.ts';
import { RolePicker } from './role-picker.tsx';
import { ROLES, type Role } from './roles.ts';

/** The relay's minimum. */
const MIN_PASSWORD_LENGTH = 8;

export function CreateAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const { accounts: t } = useTexts(peopleTexts);
  const common = useTexts(commonTexts);
  const inventory = useHome();
  return (
    <EntityDialog
      title={t.createTitle}
      action={t.create}
      initialValues={{ name: '', email: '', password: '', role: 'control' as Role }}
      subjects={['members', 'account']}
      onSubmit={({ name, email, password, role }) =>
        ask(CreateAccount, { name: name.trim(), email: email.trim() || null, password, role, homeIds: [inventory.id] })
      }
      onClose={onClose}
    >
      {(form) => (
        <>
          <Hint>{t.createHint}</Hint>
          <TextInput label={common.name} required autoComplete="off" data-autofocus {...form.getInputProps('name')} />
          <TextInput
            type="email"
            label={t.email}
            description={t.emailHint}
            autoComplete="off"
            {...form.getInputProps('email')}
          />
          <NewPassword label={t.password} description={t.passwordHint} {...form.getInputProps('password')} />
          <RolePicker roles={ROLES} value={form.values.role} onChange={(role) => form.setFieldValue('role', role)} />
        </>
      )}
    </EntityDialog>
  );
}

interface PasswordDialogProps {
  readonly userId: string;
  readonly name: string;
  readonly onClose: () => void;
}

export function PasswordDialog({ userId, name, onClose }: PasswordDialogProps) {
  const { accounts: t } = useTexts(peopleTexts);
  return (
    <EntityDialog
      title={t.resetTitle({ name })}
      action={t.reset}
      initialValues={{ password: '' }}
      subjects={['members', 'sessions']}
      onSubmit={async ({ password }) => {
        await act(ResetAccountPassword, { userId, password });
        showToast({ text: t.resetDone({ name }) });
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <Hint>{t.resetHint}</Hint>
          <NewPassword label={t.password} description={t.passwordHint} {...form.getInputProps('password')} />
        </>
      )}
    </EntityDialog>
  );
}

function NewPassword(props: PasswordInputProps) {
  return <PasswordInput minLength={MIN_PASSWORD_LENGTH} required autoComplete="new-password" {...props} />;
}
