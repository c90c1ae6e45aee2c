/** Asks a person who signed in long ago for the password, a code or a passkey, before an important change. */

import commonTexts from 'texts:common';
import proofTexts from 'texts:proof';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { getCredential, passkeyObstacle } from '../../passkeys/webauthn.ts';
import { ApiError } from '../api/api-error.ts';
import { act } from '../api/client.ts';
import { present } from '../api/graphql.ts';
import { answerProof } from '../api/proof.ts';
import { useApiQuery } from '../api/query.ts';
import { CodeField } from '../pages/sign-in/code-field.tsx';
import { PasswordField } from '../pages/sign-in/password-field.tsx';
import { Problem } from '../pages/sign-in/problem.tsx';
import { useTexts } from '../texts/texts.ts';
import { DialogContent, DialogFrame } from '../ui/dialog.tsx';
import { usePasskeyErrorText } from './passkey-error.ts';
import { BeginProof, GiveProof, ProofWays } from './proof-documents.ts';

export function ProofDialog({ isOpen }: { readonly isOpen: boolean }) {
  const t = useTexts(proofTexts);
  // Only a dialog that opens later remembers where the focus was.
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return (
    <DialogFrame opened={isOpen && isMounted} onClose={() => answerProof(false)} title={t.title} zIndex={500}>
      <ProofForm />
    </DialogFrame>
  );
}

function ProofForm() {
  const t = useTexts(proofTexts);
  const { cancel } = useTexts(commonTexts);
  const explainPasskey = usePasskeyErrorText();
  const ways = useApiQuery(ProofWays, {}, { subjects: ['account'] });
  const [isCode, setCode] = useState(false);
  const [error, setError] = useState<unknown>();
  const form = useForm({ initialValues: { password: '', code: '' } });
  const hasApp = ways.data?.secondFactor?.isOn === true;
  const hasPasskey =
    passkeyObstacle() === undefined && present(ways.data?.passkeys).some(({ host }) => host === location.hostname);
  const explain = (failure: unknown) =>
    failure instanceof ApiError && failure.reason === 'wrong_password' ? t.wrongPassword : explainPasskey(failure);
  const prove = async (proof: () => Promise<Parameters<typeof give>[0]>) => {
    setError(undefined);
    try {
      await give(await proof());
      answerProof(true);
    } catch (failure) {
      setError(failure);
    }
  };
  const withPasskey = () =>
    prove(async () => {
      const { beginProof } = await act(BeginProof, {});
      return { response: await getCredential(beginProof?.options) };
    });
  const { password, code } = form.values;
  return (
    <DialogContent
      onSubmit={form.onSubmit(() => prove(async () => (isCode ? { code } : { currentPassword: password })))}
      foot={
        <>
          <Button variant="default" onClick={() => answerProof(false)}>
            {cancel}
          </Button>
          <Button type="submit" loading={form.submitting} disabled={(isCode ? code : password).trim() === ''}>
            {t.confirm}
          </Button>
        </>
      }
    >
      <Stack>
        <Text>{t.lead}</Text>
        <Problem text={error === undefined ? undefined : explain(error)} />
        {isCode ? (
          <CodeField label={t.code} description={t.codeHint} data-autofocus {...form.getInputProps('code')} />
        ) : (
          <PasswordField
            label={t.password}
            autoComplete="current-password"
            data-autofocus
            {...form.getInputProps('password')}
          />
        )}
        {(hasApp || hasPasskey) && (
          <Group>
            {hasPasskey && (
              <Button variant="default" leftSection={<KeyRound size={18} />} onClick={() => void withPasskey()}>
                {t.usePasskey}
              </Button>
            )}
            {hasApp && (
              <Button variant="subtle" onClick={() => setCode(!isCode)}>
                {isCode ? t.usePassword : t.useCode}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </DialogContent>
  );
}

function give(proof: { readonly currentPassword?: string; readonly code?: string; readonly response?: object }) {
  return act(GiveProof, proof);
}
