/** An access token instead of a password: for wall tablets, which stay signed in for years. */

import signInTexts from 'texts:sign-in';
import { Button, Checkbox, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
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
  const [isBusy, setBusy] = useState(false);
  const explain = (refusal: unknown) => {
    const code = refusal instanceof ApiError ? refusal.code : undefined;
    if (code === 'invalid_token') return t.tokenWrong;
    return code === 'insufficient_permissions' ? t.tokenOfNobody : errorText(refusal);
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const token = String(form.get('token')).trim();
    setBusy(true);
    setError(undefined);
    try {
      await requirePerson(token);
      sessionHolder.begin({ token, expiresAt: null, kept: form.has('stay') });
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
        <PasswordField name="token" label={t.token} description={t.tokenHint} autoComplete="off" />
        <Checkbox name="stay" label={t.stay} defaultChecked />
        <Button type="submit" loading={isBusy}>
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
