/** Signing in to a relay that somebody owns already. */
import { Button, Checkbox, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { act } from '../../api/client.ts';
import { graphql } from '../../api/graphql.ts';
import { sessionHolder } from '../../api/session.ts';
import { useTexts } from '../../texts/texts.ts';
import { ErrorNotice, Page } from '../../ui/page.tsx';
import { signInTexts } from './texts/texts.ts';

const Login = graphql(`
  mutation Login($email: String!, $password: String!) {
    login(email: $email, password: $password) {
      success
      error
      code
      token
      expiresAt
    }
  }
`);

export function SignInPage() {
  const t = useTexts(signInTexts);
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
      if (login?.token) sessionHolder.begin({ token: login.token, expiresAt: login.expiresAt, kept: form.has('stay') });
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Page title={t.title} narrow>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          {error !== undefined && <ErrorNotice error={error} />}
          <TextInput name="email" type="email" label={t.email} autoComplete="username" required size="md" />
          <PasswordInput name="password" label={t.password} autoComplete="current-password" required size="md" />
          <Checkbox name="stay" label={t.stay} defaultChecked />
          <Button type="submit" size="md" loading={isBusy}>
            {t.signIn}
          </Button>
        </Stack>
      </form>
    </Page>
  );
}
