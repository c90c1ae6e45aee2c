/** An access token instead of a password: for wall tablets, which stay signed in for years. */

import signInTexts from 'texts:sign-in';
import { Button, Checkbox, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { fetchRest } from '../../api/client.ts';
import { sessionHolder } from '../../api/session.ts';
import { useTexts } from '../../texts/texts.ts';
import { useErrorText } from '../../ui/error-text.ts';
import { PasswordField } from './password-field.tsx';
import { Problem } from './problem.tsx';

export function TokenForm() {
  const t = useTexts(signInTexts);
  const errorText = useErrorText();
  const [error, setError] = useState<unknown>();
  const form = useForm({ initialValues: { token: '', stay: true } });
  const explain = (refusal: unknown) => {
    const code = refusal instanceof ApiError ? refusal.code : undefined;
    if (code === 'invalid_token') return t.tokenWrong;
    return code === 'insufficient_permissions' ? t.tokenWithoutAccount : errorText(refusal);
  };
  const signIn = async (values: typeof form.values) => {
    const token = values.token.trim();
    setError(undefined);
    try {
      await requirePerson(token);
      sessionHolder.begin({ token, expiresAt: null, kept: values.stay });
    } catch (refusal) {
      setError(refusal);
    }
  };
  return (
    <form onSubmit={form.onSubmit(signIn)}>
      <Stack>
        <Problem text={error === undefined ? undefined : explain(error)} />
        <PasswordField label={t.token} description={t.tokenHint} autoComplete="off" {...form.getInputProps('token')} />
        <Checkbox label={t.stay} {...form.getInputProps('stay', { type: 'checkbox' })} />
        <Button type="submit" loading={form.submitting}>
          {t.signIn}
        </Button>
      </Stack>
    </form>
  );
}

/** The dashboard needs a user, with homes and settings. @throws `ApiError` the token is invalid, or acts for no user */
async function requirePerson(token: string): Promise<void> {
  // Other characters are invalid in a header.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new ApiError('invalid_token', 'This is no token.');
  await fetchRest('/rest/me', { anonymous: true, headers: { Authorization: `Bearer ${token}` } });
}
