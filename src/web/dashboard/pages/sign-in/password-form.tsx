/** E-mail address and password, marked up for password managers. */

import signInTexts from 'texts:sign-in';
import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
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
  const form = useForm({ initialValues: { email: '', password: '', stay: true } });
  const signIn = async ({ email, password, stay }: typeof form.values) => {
    setError(undefined);
    try {
      const { login } = await act(Login, { email, password }, { anonymous: true });
      if (login?.token) sessionHolder.begin({ token: login.token, expiresAt: login.expiresAt ?? null, kept: stay });
    } catch (refusal) {
      setError(refusal);
    }
  };
  return (
    <form onSubmit={form.onSubmit(signIn)}>
      <Stack>
        <Problem text={error === undefined ? undefined : explain(error)} />
        <TextInput
          name="email"
          label={t.emailOrName}
          autoComplete="username"
          required
          withAsterisk={false}
          {...form.getInputProps('email')}
        />
        <PasswordField
          name="password"
          label={t.password}
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <Checkbox label={t.stay} {...form.getInputProps('stay', { type: 'checkbox' })} />
        <Button type="submit" loading={form.submitting}>
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
