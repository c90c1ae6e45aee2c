/** E-mail address and password, marked up for password managers. */

import signInTexts from 'texts:sign-in';
import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { act } from '../../api/client.ts';
import { graphql } from '../../api/graphql.ts';
import { sessionHolder } from '../../api/session.ts';
import { useTexts } from '../../texts/texts.ts';
import { useErrorText } from '../../ui/error-text.ts';
import { PasswordField } from './password-field.tsx';
import { Problem } from './problem.tsx';

const Login = graphql(`
  mutation Login($email: String!, $password: String!) {
    login(email: $email, password: $password) {
      success
      error
      code
      reason
      token
      expiresAt
    }
  }
`);

export function PasswordForm() {
  const t = useTexts(signInTexts);
  const explain = useExplanation();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setError(undefined);
    try {
      const variables = { email: String(form.get('email')), password: String(form.get('password')) };
      const { login } = await act(Login, variables, { anonymous: true });
      if (login?.token)
        sessionHolder.begin({ token: login.token, expiresAt: login.expiresAt ?? null, kept: form.has('stay') });
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <Problem text={error === undefined ? undefined : explain(error)} />
        <TextInput name="email" label={t.emailOrName} autoComplete="username" required withAsterisk={false} />
        <PasswordField name="password" label={t.password} autoComplete="current-password" />
        <Checkbox name="stay" label={t.stay} defaultChecked />
        <Button type="submit" loading={isBusy}>
          {t.signIn}
        </Button>
      </Stack>
    </form>
  );
}

function useExplanation(): (error: unknown) => string {
  const t = useTexts(signInTexts);
  const errorText = useErrorText();
  return (error) => {
    if (!(error instanceof ApiError)) return errorText(error);
    if (error.code === 'invalid_credentials') return t.wrong;
    if (error.code === 'rate_limited' && error.retryAfterS !== undefined) return t.wait({ seconds: error.retryAfterS });
    // The relay's message contains the waiting time.
    return error.code === 'rate_limited' ? error.message : errorText(error);
  };
}
