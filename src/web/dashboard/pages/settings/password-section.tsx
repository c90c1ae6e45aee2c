/** Changes the password, which signs out every other session. */

import settingsTexts from 'texts:settings';
import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAccount } from '../../account/account.ts';
import { ApiError } from '../../api/api-error.ts';
import { useApiMutation } from '../../api/query.ts';
import { sessionHolder } from '../../api/session.ts';
import { useTexts } from '../../texts/texts.ts';
import { useErrorText } from '../../ui/error-text.ts';
import { showToast } from '../../ui/toasts.tsx';
import { PasswordField } from '../sign-in/password-field.tsx';
import { Problem } from '../sign-in/problem.tsx';
import { PasswordHint } from '../welcome/password-hint.tsx';
import { MIN_PASSWORD_LENGTH } from '../welcome/password-strength.ts';
import { ChangePassword } from './account-documents.ts';
import { SettingsSection } from './settings-section.tsx';

export function PasswordSection() {
  const t = useTexts(settingsTexts);
  const errorText = useErrorText();
  const { me } = useAccount();
  const form = useForm({ initialValues: { currentPassword: '', newPassword: '' } });
  const { currentPassword, newPassword } = form.values;
  const change = useApiMutation(ChangePassword, {
    subjects: ['sessions'],
    onDone: ({ changePassword }) => {
      // The old token ended with the old password.
      if (changePassword?.token) sessionHolder.renew(changePassword.token, changePassword.expiresAt ?? null);
      form.reset();
      showToast({ text: t.passwordChanged });
    },
  });
  const explain = (error: unknown) =>
    error instanceof ApiError && error.code === 'invalid_credentials' ? t.passwordWrong : errorText(error);
  return (
    <SettingsSection id="password" title={t.password} lead={t.passwordLead}>
      <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <Stack>
          <Problem text={change.error ? explain(change.error) : undefined} />
          <PasswordField
            label={t.currentPassword}
            autoComplete="current-password"
            {...form.getInputProps('currentPassword')}
          />
          <PasswordField
            label={t.newPassword}
            minLength={MIN_PASSWORD_LENGTH}
            autoComplete="new-password"
            {...form.getInputProps('newPassword')}
          />
          <PasswordHint password={newPassword} names={[me.name, me.email.split('@')[0] ?? '']} />
          <Group justify="flex-end">
            <Button
              type="submit"
              variant="default"
              loading={change.isPending}
              disabled={currentPassword === '' || newPassword === ''}
            >
              {t.changePassword}
            </Button>
          </Group>
        </Stack>
      </form>
    </SettingsSection>
  );
}
