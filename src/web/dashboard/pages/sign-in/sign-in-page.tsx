/**
 * Signs in to a relay that has an owner. The page appears at the requested URL, so the navigation continues from there.
 */
import signInTexts from 'texts:sign-in';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { sessionHolder } from '../../api/session.ts';
import { kioskNow } from '../../shell/kiosk/kiosk.ts';
import { useTexts } from '../../texts/texts.ts';
import { AuthLayout } from './auth-layout.tsx';
import { Heading } from './heading.tsx';
import { PasswordForm } from './password-form.tsx';
import classes from './sign-in.module.css';
import { TokenForm } from './token-form.tsx';

export function SignInPage() {
  const t = useTexts(signInTexts);
  // A tablet at the wall has no person of its own, and stays signed in for years.
  const [withToken, setWithToken] = useState(kioskNow() !== undefined);
  return (
    <AuthLayout>
      <Heading title={t.title} />
      {sessionHolder.ending === 'refused' && (
        <p className={classes.note} role="status">
          {t.refused}
        </p>
      )}
      {withToken ? <TokenForm /> : <PasswordForm />}
      <div className={classes.others}>
        {!withToken && (
          <details className={classes.forgot}>
            <summary>{t.forgot}</summary>
            <p>{t.forgotText}</p>
            <code>hearthd user password</code>
          </details>
        )}
        <Button variant="subtle" fullWidth onClick={() => setWithToken(!withToken)}>
          {withToken ? t.usePassword : t.useToken}
        </Button>
        <Text c="dimmed" fz="sm" ta="center" mt={8}>
          {t.invited}
        </Text>
      </div>
    </AuthLayout>
  );
}
