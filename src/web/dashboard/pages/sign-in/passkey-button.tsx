/** Signs in with a passkey: by a button, and in browsers that have it, where they fill the name in. */

import signInTexts from 'texts:sign-in';
import { Button } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { getCredential, offersAutofill, passkeyObstacle } from '../../../passkeys/webauthn.ts';
import { act } from '../../api/client.ts';
import { graphql } from '../../api/graphql.ts';
import { sessionHolder } from '../../api/session.ts';
import { useTexts } from '../../texts/texts.ts';

/** Challenges last five minutes; a page may wait longer for its person. */
const RENEW_MS = 4 * 60_000;

const BeginPasskeySignIn = graphql(`
  mutation BeginPasskeySignIn {
    beginPasskeySignIn {
      success
      error
      code
      reason
      options
    }
  }
`);

const SignInWithPasskey = graphql(`
  mutation SignInWithPasskey($response: JSON!) {
    signInWithPasskey(response: $response) {
      success
      error
      code
      reason
      token
      expiresAt
    }
  }
`);

interface PasskeyButtonProps {
  readonly stays: boolean;
  readonly onError: (error: unknown) => void;
}

export function PasskeyButton({ stays, onError }: PasskeyButtonProps) {
  const t = useTexts(signInTexts);
  const [isPending, setPending] = useState(false);
  const latest = useRef({ stays, onError });
  latest.current = { stays, onError };
  const waiting = useRef<AbortController>(undefined);
  const signIn = useCallback(async (how: CredentialRequestOptions) => {
    const { beginPasskeySignIn } = await act(BeginPasskeySignIn, {}, { anonymous: true });
    const response = await getCredential(beginPasskeySignIn?.options, how);
    const { signInWithPasskey } = await act(SignInWithPasskey, { response }, { anonymous: true });
    if (!signInWithPasskey?.token) return;
    const { token, expiresAt } = signInWithPasskey;
    sessionHolder.begin({ token, expiresAt: expiresAt ?? null, kept: latest.current.stays });
  }, []);
  /** Waits for a choice in the field of the name. */
  const wait = useCallback(() => {
    waiting.current?.abort();
    const controller = new AbortController();
    waiting.current = controller;
    const { signal } = controller;
    const attempt = async () => {
      if (!(await offersAutofill()) || signal.aborted) return;
      await signIn({ mediation: 'conditional', signal });
    };
    attempt().catch((error: unknown) => {
      if (!signal.aborted && !(error instanceof DOMException)) latest.current.onError(error);
    });
  }, [signIn]);
  useEffect(() => {
    wait();
    const renewal = setInterval(wait, RENEW_MS);
    return () => {
      clearInterval(renewal);
      waiting.current?.abort();
    };
  }, [wait]);
  if (passkeyObstacle() !== undefined) return null;
  const choose = async () => {
    waiting.current?.abort();
    setPending(true);
    try {
      await signIn({});
    } catch (error) {
      onError(error);
      wait();
    }
    setPending(false);
  };
  return (
    <Button variant="default" loading={isPending} onClick={() => void choose()}>
      {t.usePasskey}
    </Button>
  );
}
