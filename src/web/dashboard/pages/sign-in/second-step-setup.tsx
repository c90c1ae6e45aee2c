/**
 * For an account that must have a second step and has none: a passkey or an authenticator app, before the session is
 * good for anything else.
 */

import settingsTexts from 'texts:settings';
import signInTexts from 'texts:sign-in';
import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { createCredential, passkeyObstacle } from '../../../passkeys/webauthn.ts';
import { nameOfThisDevice } from '../../account/device-name.ts';
import { usePasskeyErrorText } from '../../account/passkey-error.ts';
import { act } from '../../api/client.ts';
import { useTexts } from '../../texts/texts.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Steps } from '../../ui/entries.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { CodeForm } from '../settings/code-form.tsx';
import { BeginPasskey, CreatePasskey } from '../settings/passkey-documents.ts';
import { RecoveryCodes } from '../settings/recovery-codes.tsx';
import { BeginTwoStep, ConfirmTwoStep } from '../settings/two-step-documents.ts';
import { Problem } from './problem.tsx';

interface SecondStepSetupProps {
  /** Of the session that has just begun. */
  readonly token: string;
  readonly password: string;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

export function SecondStepSetup({ token, password: currentPassword, onDone, onCancel }: SecondStepSetupProps) {
  const t = useTexts(signInTexts);
  const { passkeys } = useTexts(settingsTexts);
  const explain = usePasskeyErrorText();
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const [app, setApp] = useState<{ readonly secret: string; readonly uri: string }>();
  const [codes, setCodes] = useState<readonly string[]>();
  const attempt = async (step: () => Promise<void>) => {
    setError(undefined);
    setPending(true);
    try {
      await step();
    } catch (failure) {
      setError(failure);
    }
    setPending(false);
  };
  const createPasskey = async () => {
    const { beginPasskey } = await act(BeginPasskey, { currentPassword }, { token });
    const response = await createCredential(beginPasskey?.options);
    await act(CreatePasskey, { name: nameOfThisDevice(), response }, { token });
    onDone();
  };
  const beginApp = async () => {
    const { beginSecondFactor } = await act(BeginTwoStep, { currentPassword }, { token });
    const { secret, uri } = beginSecondFactor ?? {};
    if (secret && uri) setApp({ secret, uri });
  };
  const confirmApp = async (code: string) => {
    const { confirmSecondFactor } = await act(ConfirmTwoStep, { code }, { token });
    setCodes(confirmSecondFactor?.recoveryCodes ?? []);
  };
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  if (app) {
    return (
      <AppSetup
        {...app}
        error={error}
        isPending={isPending}
        onSubmit={(code) => void attempt(() => confirmApp(code))}
        onCancel={onCancel}
      />
    );
  }
  return (
    <Stack>
      <Problem text={error === undefined ? undefined : explain(error)} />
      <Text role="status">{t.secondStepLead}</Text>
      {passkeyObstacle() === undefined && (
        <Button loading={isPending} onClick={() => void attempt(createPasskey)}>
          {passkeys.create}
        </Button>
      )}
      <Button variant="default" disabled={isPending} onClick={() => void attempt(beginApp)}>
        {t.secondStepApp}
      </Button>
      <Button variant="subtle" onClick={onCancel}>
        {t.startAgain}
      </Button>
    </Stack>
  );
}

interface AppSetupProps {
  readonly secret: string;
  readonly uri: string;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onSubmit: (code: string) => void;
  readonly onCancel: () => void;
}

function AppSetup({ secret, uri, ...form }: AppSetupProps) {
  const t = useTexts(settingsTexts);
  return (
    <Stack>
      <Steps>
        <li>{t.twoStepInstall}</li>
        <li>{t.twoStepScan}</li>
        <li>{t.twoStepType}</li>
      </Steps>
      <QrCode value={uri} label={t.twoStepQr} />
      <CopyField label={t.twoStepSecret} value={secret} />
      <CodeForm lead={t.twoStepConfirmLead} action={t.twoStepTurnOn} isFirst {...form} />
    </Stack>
  );
}
