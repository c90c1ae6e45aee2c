/** Name and address. Only the founder can change their own address. */

import commonTexts from 'texts:common';
import settingsTexts from 'texts:settings';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useAccount } from '../../account/account.ts';
import { ApiError } from '../../api/api-error.ts';
import { useApiMutation } from '../../api/query.ts';
import { useTexts } from '../../texts/texts.ts';
import { useErrorText } from '../../ui/error-text.ts';
import { useLeaveGuard } from '../../ui/leave-guard.ts';
import { Section } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { PasswordField } from '../sign-in/password-field.tsx';
import { Problem } from '../sign-in/problem.tsx';
import { UpdateProfile } from './account-documents.ts';

export function ProfileSection() {
  const t = useTexts(settingsTexts);
  const common = useTexts(commonTexts);
  const errorText = useErrorText();
  const { me } = useAccount();
  const [name, setName] = useState(me.name);
  const [email, setEmail] = useState(me.email);
  const [currentPassword, setPassword] = useState('');
  const update = useApiMutation(UpdateProfile, {
    subjects: ['account', 'members'],
    onDone: () => {
      setPassword('');
      showToast({ text: t.saved });
    },
  });
  const isMoved = email.trim() !== me.email;
  const isRenamed = name.trim() !== me.name;
  useLeaveGuard(isMoved || isRenamed);
  const explain = (error: unknown) =>
    error instanceof ApiError && error.code === 'invalid_credentials' ? t.passwordWrong : errorText(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ name: name.trim(), ...(isMoved && { email: email.trim(), currentPassword }) });
  };
  return (
    <Section title={t.profile}>
      <form onSubmit={submit}>
        <Stack>
          <Problem text={update.error ? explain(update.error) : undefined} />
          <TextInput
            label={t.name}
            value={name}
            required
            withAsterisk={false}
            maxLength={64}
            size="md"
            autoComplete="name"
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <TextInput
            label={t.email}
            description={me.isAdmin ? undefined : t.emailFixed}
            value={email}
            readOnly={!me.isAdmin}
            required
            withAsterisk={false}
            type="email"
            size="md"
            autoComplete="username"
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          {isMoved && (
            <PasswordField
              label={t.emailPassword}
              value={currentPassword}
              autoComplete="current-password"
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            />
          )}
          <Group justify="flex-end">
            <Button
              type="submit"
              size="md"
              loading={update.isPending}
              disabled={!isMoved && (!isRenamed || name.trim() === '')}
            >
              {common.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
