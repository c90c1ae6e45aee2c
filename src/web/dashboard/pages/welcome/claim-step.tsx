/** The setup code, and the owner's new account. */

import welcomeTexts from 'texts:welcome';
import { Button, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { MAX_NAME_LENGTH } from '../../../../home/vocabulary/limits.ts';
import { ApiError } from '../../api/api-error.ts';
import { act } from '../../api/client.ts';
import { graphql } from '../../api/graphql.ts';
import { sessionHolder } from '../../api/session.ts';
import { useTexts } from '../../texts/texts.ts';
import { useErrorText } from '../../ui/error-text.ts';
import { Heading } from '../sign-in/heading.tsx';
import { PasswordField } from '../sign-in/password-field.tsx';
import { Problem } from '../sign-in/problem.tsx';
import { PasswordHint } from './password-hint.tsx';
import { MIN_PASSWORD_LENGTH } from './password-strength.ts';
import { StepProgress } from './step-progress.tsx';
import classes from './welcome.module.css';

const Claim = graphql(`
  mutation Claim($email: String!, $name: String!, $password: String!, $setupCode: String!) {
    signup(email: $email, name: $name, password: $password, setupCode: $setupCode) {
      success
      error
      code
      reason
      token
      expiresAt
    }
  }
`);

const NOTHING = { setupCode: '', name: '', email: '', password: '' };
const FIELD = { required: true, withAsterisk: false } as const;

export function ClaimStep() {
  const t = useTexts(welcomeTexts);
  const form = useForm({
    initialValues: NOTHING,
    validate: {
      email: (email) => (/^\S+@\S+$/.test(email.trim()) ? null : t.emailBad),
      password: (password) => ([...password].length < MIN_PASSWORD_LENGTH ? t.strength.short : null),
    },
  });
  const { name, email, password } = form.values;
  const { problem, isTaken, claim } = useClaim(form);
  return (
    <>
      <StepProgress step="account" />
      <Heading title={t.title} lead={t.lead} />
      <form onSubmit={form.onSubmit(claim)}>
        <Stack>
          <Problem text={problem} />
          {isTaken && (
            <Button variant="light" onClick={() => location.assign('/')}>
              {t.signIn}
            </Button>
          )}
          <TextInput
            {...FIELD}
            label={t.code}
            description={t.codeHint}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={16}
            classNames={{ input: classes.code ?? '' }}
            {...form.getInputProps('setupCode')}
          />
          <WhereIsTheCode />
          <TextInput
            {...FIELD}
            label={t.name}
            autoComplete="name"
            maxLength={MAX_NAME_LENGTH}
            {...form.getInputProps('name')}
          />
          <TextInput
            {...FIELD}
            label={t.email}
            description={t.emailHint}
            type="email"
            autoComplete="username"
            maxLength={254}
            {...form.getInputProps('email')}
          />
          <PasswordField
            label={t.password}
            description={t.passwordHint}
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
          <PasswordHint password={password} names={[name, email.split('@')[0] ?? '']} />
          <Button type="submit" loading={form.submitting}>
            {t.claim}
          </Button>
        </Stack>
      </form>
    </>
  );
}

/** Claims the relay, and begins the owner's session. */
function useClaim(form: UseFormReturnType<typeof NOTHING>) {
  const t = useTexts(welcomeTexts);
  const errorText = useErrorText();
  const [, navigate] = useLocation();
  const [problem, setProblem] = useState<string>();
  const [isTaken, setTaken] = useState(false);
  const explain = (error: unknown) => {
    const code = error instanceof ApiError ? error.code : undefined;
    if (code === 'invalid_credentials') return form.setErrors({ setupCode: t.codeWrong });
    setTaken(code === 'conflict');
    setProblem(code === 'conflict' ? t.taken : errorText(error));
  };
  const claim = async (values: typeof NOTHING) => {
    setProblem(undefined);
    try {
      const { signup } = await act(Claim, { ...values, email: values.email.trim() }, { anonymous: true });
      if (!signup?.token) return;
      // Before the session begins, because a session shows the home.
      navigate('/welcome?step=home', { replace: true });
      sessionHolder.begin({ token: signup.token, expiresAt: signup.expiresAt ?? null, kept: true });
    } catch (error) {
      explain(error);
    }
  };
  return { problem, isTaken, claim };
}

function WhereIsTheCode() {
  const t = useTexts(welcomeTexts);
  return (
    <details className={classes.where}>
      <summary>{t.codeWhere}</summary>
      <p>{t.codeLog}</p>
      <code>journalctl -u hearthd</code>
      <p>{t.codeCommand}</p>
      <code>sudo hearthd setup-code</code>
    </details>
  );
}
