import { createElement, type FormEvent, type ReactNode } from 'react';

export interface SignInProps {
  readonly token: string;
  /** An empty token removes the stored one. */
  onToken(token: string): void;
}

/** One line above the editor: a field for the access token, or a button to forget it. */
export function SignIn({ token, onToken }: SignInProps): ReactNode {
  return token === '' ? askForToken(onToken) : offerToForget(onToken);
}

function askForToken(onToken: SignInProps['onToken']): ReactNode {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onToken(String(new FormData(event.currentTarget).get('token')).trim());
  };
  return createElement(
    'form',
    { className: 'sign-in', onSubmit: submit },
    createElement('label', { htmlFor: 'token' }, 'Access token'),
    createElement('input', {
      id: 'token',
      name: 'token',
      type: 'password',
      placeholder: 'hc_…',
      required: true,
      autoComplete: 'off',
      spellCheck: false,
      autoFocus: true,
    }),
    createElement('button', { type: 'submit' }, 'Use it'),
    createElement('p', null, 'hearthd token create makes one. It is kept until this tab is closed, and nowhere else.'),
  );
}

function offerToForget(onToken: SignInProps['onToken']): ReactNode {
  return createElement(
    'div',
    { className: 'sign-in' },
    createElement('span', null, 'Signed in with an access token.'),
    createElement('button', { type: 'button', onClick: () => onToken('') }, 'Forget it'),
  );
}
