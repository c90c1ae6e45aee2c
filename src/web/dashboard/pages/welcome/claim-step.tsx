/** The setup code, and the owner's new account. */

import welcomeTexts from 'texts:welcome';
import { Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
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

export function ClaimStep() {
  const t = useTexts(welcomeTexts);
  const errorText = useErrorText();
  const [, navigate] = useLocation();
  const [fields, setFields] = useState(NOTHING);
  const [wrong, setWrong] = useState<Partial<typeof NOTHING>>({});
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [isTaken, setTaken] = useState(false);
  const change = (key: keyof typeof NOTHING) => (event: { readonly currentTarget: { readonly value: string } }) => {
    setFields({ ...fields, [key]: event.currentTarget.value });
    setWrong({ ...wrong, [key]: undefined });
  };
  const explain = (error: unknown) => {
    const code = error instanceof ApiError ? error.code : undefined;
    if (code === 'invalid_credentials') return setWrong({ setupCode: t.codeWrong });
    setTaken(code === 'conflict');
    setProblem(code === 'conflict' ? t.taken : errorText(error));
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const mistakes = {
      ...(!/^\S+@\S+$/.test(fields.email.trim()) && { email: t.emailBad }),
      ...([...fields.password].length < MIN_PASSWORD_LENGTH && { password: t.strength.short }),
    };
    setWrong(mistakes);
    setProblem(undefined);
    if (Object.keys(mistakes).length > 0) return;
    setBusy(true);
    try {
      const { signup } = await act(Claim, { ...fields, email: fields.email.trim() }, { anonymous: true });
      if (!signup?.token) return;
      // Before the session begins, because a session shows the home.
      navigate('/welcome?step=home', { replace: true });
      sessionHolder.begin({ token: signup.token, expiresAt: signup.expiresAt ?? null, kept: true });
    } catch (error) {
      explain(error);
    } finally {
      setBusy(false);
    }
  };
  const common = { required: true, withAsterisk: false, size: 'md' } as const;
  return (
    <>
      <StepProgress step="account" />
      <Heading title={t.title} lead={t.lead} />
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <Problem text={problem} />
          {isTaken && (
            <Button variant="light" size="md" onClick={() => location.assign('/')}>
              {t.signIn}
            </Button>
          )}
          <TextInput
            {...common}
            label={t.code}
            description={t.codeHint}
            error={wrong.setupCode}
            value={fields.setupCode}
            onChange={change('setupCode')}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={16}
            classNames={{ input: classes.code ?? '' }}
          />
          <WhereIsTheCode />
          <TextInput
            {...common}
            label={t.name}
            value={fields.name}
            onChange={change('name')}
            autoComplete="name"
            maxLength={64}
          />
          <TextInput
            {...common}
            label={t.email}
            description={t.emailHint}
            error={wrong.email}
            value={fields.email}
            onChange={change('email')}
            type="email"
            autoComplete="username"
            maxLength={254}
          />
          <PasswordField
            label={t.password}
            description={t.passwordHint}
            error={wrong.password}
            value={fields.password}
            onChange={change('password')}
            autoComplete="new-password"
          />
          <PasswordHint password={fields.password} names={[fields.name, fields.email.split('@')[0] ?? '']} />
          <Button type="submit" size="md" loading={isBusy}>
            {t.claim}
          </Button>
        </Stack>
      </form>
    </>
  );
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
