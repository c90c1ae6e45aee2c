/** Turns two-step sign-in on: the password, the QR code for the app, its first code. */

import settingsTexts from 'texts:settings';
import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ApiError } from '../../api/api-error.ts';
import { useApiMutation } from '../../api/query.ts';
import { useTexts } from '../../texts/texts.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Steps } from '../../ui/entries.tsx';
import { useErrorText } from '../../ui/error-text.ts';
import { QrCode } from '../../ui/qr-code.tsx';
import { PasswordField } from '../sign-in/password-field.tsx';
import { Problem } from '../sign-in/problem.tsx';
import { CodeForm } from './code-form.tsx';
import { BeginTwoStep, ConfirmTwoStep } from './two-step-documents.ts';

interface TwoStepSetupProps {
  readonly onDone: (recoveryCodes: readonly string[]) => void;
  readonly onCancel: () => void;
}

export function TwoStepSetup({ onDone, onCancel }: TwoStepSetupProps) {
  const begin = useApiMutation(BeginTwoStep, { subjects: [] });
  const { secret, uri } = begin.data?.beginSecondFactor ?? {};
  if (secret && uri) return <AppSetup secret={secret} uri={uri} onDone={onDone} onCancel={onCancel} />;
  return (
    <PasswordQuestion
      error={begin.error}
      isPending={begin.isPending}
      onSubmit={(currentPassword) => begin.mutate({ currentPassword })}
      onCancel={onCancel}
    />
  );
}

interface PasswordQuestionProps {
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onSubmit: (password: string) => void;
  readonly onCancel: () => void;
}

function PasswordQuestion({ error, isPending, onSubmit, onCancel }: PasswordQuestionProps) {
  const t = useTexts(settingsTexts);
  const errorText = useErrorText();
  const form = useForm({ initialValues: { password: '' } });
  const explain = (refusal: unknown) =>
    refusal instanceof ApiError && refusal.code === 'invalid_credentials' ? t.passwordWrong : errorText(refusal);
  return (
    <form onSubmit={form.onSubmit(({ password }) => onSubmit(password))}>
      <Stack>
        <Problem text={error ? explain(error) : undefined} />
        <PasswordField label={t.twoStepPassword} autoComplete="current-password" {...form.getInputProps('password')} />
        <Group justify="flex-end">
          <Button variant="subtle" onClick={onCancel}>
            {t.twoStepCancel}
          </Button>
          <Button type="submit" variant="default" loading={isPending} disabled={form.values.password === ''}>
            {t.twoStepGoOn}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface AppSetupProps extends TwoStepSetupProps {
  readonly secret: string;
  readonly uri: string;
}

function AppSetup({ secret, uri, onDone, onCancel }: AppSetupProps) {
  const t = useTexts(settingsTexts);
  const confirm = useApiMutation(ConfirmTwoStep, {
    subjects: ['account'],
    onDone: ({ confirmSecondFactor }) => onDone(confirmSecondFactor?.recoveryCodes ?? []),
  });
  return (
    <Stack>
      <Steps>
        <li>{t.twoStepInstall}</li>
        <li>{t.twoStepScan}</li>
        <li>{t.twoStepType}</li>
      </Steps>
      <QrCode value={uri} label={t.twoStepQr} />
      <CopyField label={t.twoStepSecret} value={secret} />
      <CodeForm
        lead={t.twoStepConfirmLead}
        action={t.twoStepTurnOn}
        isFirst
        isPending={confirm.isPending}
        error={confirm.error}
        onSubmit={(code) => confirm.mutate({ code })}
        onCancel={onCancel}
      />
    </Stack>
  );
}
