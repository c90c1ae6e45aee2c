/** Name and address. Only the founder can change their own address. */

import commonTexts from 'texts:common';
import settingsTexts from 'texts:settings';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { MAX_NAME_LENGTH } from '../../../../home/vocabulary/limits.ts';
import { useAccount } from '../../account/account.ts';
import { ApiError } from '../../api/api-error.ts';
import { useApiMutation } from '../../api/query.ts';
import { useTexts } from '../../texts/texts.ts';
import { useErrorText } from '../../ui/error-text.ts';
import { useLeaveGuard } from '../../ui/leave-guard.ts';
import { showToast } from '../../ui/toasts.tsx';
import { PasswordField } from '../sign-in/password-field.tsx';
import { Problem } from '../sign-in/problem.tsx';
import { UpdateProfile } from './account-documents.ts';
import { SettingsSection } from './settings-section.tsx';

export function ProfileSection() {
  const t = useTexts(settingsTexts);
  const common = useTexts(commonTexts);
  const errorText = useErrorText();
  const { me } = useAccount();
  const form = useForm({ initialValues: { name: me.name, email: me.email, currentPassword: '' } });
  const { name, email, currentPassword } = form.values;
  const update = useApiMutation(UpdateProfile, {
    subjects: ['account', 'members'],
    onDone: () => {
      form.setFieldValue('currentPassword', '');
      showToast({ text: t.saved });
    },
  });
  const isMoved = email.trim() !== me.email;
  const isRenamed = name.trim() !== me.name;
  const [sent, setSent] = useState<string>();
  const isOnItsWay = !isMoved && sent === name && !update.error;
  useLeaveGuard((isMoved || isRenamed) && !isOnItsWay);
  const explain = (error: unknown) =>
    error instanceof ApiError && error.code === 'invalid_credentials' ? t.passwordWrong : errorText(error);
  const save = () => {
    update.mutate({ name: name.trim(), ...(isMoved && { email: email.trim(), currentPassword }) });
  };
  // A changed address needs the password, so it waits for its button.
  const saveName = () => {
    if (!isRenamed || isMoved || isOnItsWay || name.trim() === '') return;
    setSent(name);
    save();
  };
  return (
    <SettingsSection id="profile" title={t.profile}>
      <form noValidate onSubmit={form.onSubmit(isMoved ? save : saveName)}>
        <Stack>
          <Problem text={update.error ? explain(update.error) : undefined} />
          <TextInput
            label={t.name}
            required
            withAsterisk={false}
            maxLength={MAX_NAME_LENGTH}
            autoComplete="name"
            {...form.getInputProps('name')}
            error={name.trim() === '' ? common.fields.missing : undefined}
            onBlur={saveName}
          />
          <TextInput
            label={t.email}
            description={me.isAdmin ? undefined : t.emailFixed}
            readOnly={!me.isAdmin}
            required
            withAsterisk={false}
            type="email"
            autoComplete="username"
            {...form.getInputProps('email')}
          />
          {isMoved && (
            <PasswordField
              label={t.emailPassword}
              autoComplete="current-password"
              {...form.getInputProps('currentPassword')}
            />
          )}
          {isMoved && (
            <Group justify="flex-end">
              <Button type="submit" loading={update.isPending} disabled={name.trim() === ''}>
                {common.save}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </SettingsSection>
  );
}
