/**
 * E-mail address and password, marked up for password managers; then the code, for accounts with two-step sign-in.
 */

import signInTexts from 'texts:sign-in';
import { Button, Checkbox, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { usePasskeyErrorText } from '../../account/passkey-error.ts';
import { ApiError } from '../../api/api-error.ts';
import { act } from '../../api/client.ts';
import { graphql } from '../../api/graphql.ts';
import { sessionHolder } from '../../api/session.ts';
import { useTexts } from '../../texts/texts.ts';
import { useErrorText } from '../../ui/error-text.ts';
import { lazyPart } from '../../ui/load-part.ts';
import { CodeField } from './code-field.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { PasswordField } from './password-field.tsx';
import { Problem } from './problem.tsx';
import classes from './sign-in.module.css';

const Login = graphql(`
  mutation Login($email: String!, $password: String!, $code: String) {
    login(email: $email, password: $password, code: $code) {
      success
      error
      code
      reason
      clockDifferenceSeconds
      token
      expiresAt
      needsSecondStep
    }
  }
`);

const SecondStepSetup = lazyPart(() => import('./second-step-setup.tsx'), 'SecondStepSetup');

interface Unfinished {
  readonly session: Parameters<typeof sessionHolder.begin>[0];
  readonly password: string;
}

export function PasswordForm() {
  const t = useTexts(signInTexts);
  const explain = useExplanation();
  const [error, setError] = useState<unknown>();
  const [asksForCode, setAsksForCode] = useState(false);
  /** A session that is good for nothing before its person has a second step. */
  const [unfinished, setUnfinished] = useState<Unfinished>();
  const form = useForm({ initialValues: { email: '', password: '', code: '', stay: true } });
  const signIn = async ({ email, password, code, stay }: typeof form.values) => {
    setError(undefined);
    try {
      const { login } = await act(Login, { email, password, code: asksForCode ? code : null }, { anonymous: true });
      if (!login?.token) return;
      const session = { token: login.token, expiresAt: login.expiresAt ?? null, kept: stay };
      if (login.needsSecondStep) setUnfinished({ session, password });
      else sessionHolder.begin(session);
    } catch (refusal) {
      const reason = refusal instanceof ApiError ? refusal.reason : undefined;
      if (reason === 'second_factor_required') setAsksForCode(true);
      else setError(refusal);
    }
  };
  const startAgain = () => {
    setError(undefined);
    setAsksForCode(false);
    setUnfinished(undefined);
    form.reset();
  };
  if (unfinished) {
    const { session, password } = unfinished;
    const enter = () => sessionHolder.begin(session);
    return <SecondStepSetup token={session.token} password={password} onDone={enter} onCancel={startAgain} />;
  }
  return (
    <form onSubmit={form.onSubmit(signIn)}>
      <Stack>
        <Problem text={error === undefined ? undefined : explain(error)} />
        {asksForCode ? (
          <CodeFields input={form.getInputProps('code')} />
        ) : (
          <>
            <TextInput
              name="email"
              label={t.emailOrName}
              autoComplete="username webauthn"
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
          </>
        )}
        <Button type="submit" loading={form.submitting}>
          {t.signIn}
        </Button>
        <PasskeyButton stays={form.values.stay} onError={setError} />
        {asksForCode && (
          <Button variant="default" onClick={startAgain}>
            {t.startAgain}
          </Button>
        )}
      </Stack>
    </form>
  );
}

function CodeFields({ input }: { readonly input: TextInputProps }) {
  const t = useTexts(signInTexts);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <>
      <CodeField ref={field} label={t.code} description={t.codeHint} {...input} />
      <details className={classes.forgot}>
        <summary>{t.codeLost}</summary>
        <p>{t.codeLostText}</p>
        <code>hearthd user reset-2fa</code>
      </details>
    </>
  );
}

function useExplanation(): (error: unknown) => string {
  const t = useTexts(signInTexts);
  const errorText = useErrorText();
  const passkeyError = usePasskeyErrorText();
  return (error) => {
    if (!(error instanceof ApiError)) return passkeyError(error);
    if (error.reason !== undefined) return errorText(error);
    if (error.code === 'invalid_credentials') return t.wrong;
    if (error.code === 'rate_limited' && error.retryAfterS !== undefined) return t.wait({ seconds: error.retryAfterS });
    // The relay's message contains the waiting time.
    return error.code === 'rate_limited' ? error.message : errorText(error);
  };
}
