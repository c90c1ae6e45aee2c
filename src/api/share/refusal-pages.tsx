/** Pages for a share that does not open: the reason and the remedy. */
import { Form } from '../html/form.tsx';
import { type Markup, Page } from '../html/page.tsx';
import { loginPath } from '../html/return-to.ts';
import type { FormDeps } from './controls-view.tsx';
import { PasscodeForm } from './passcode-form.tsx';
import { SHARE_STYLE_PATH } from './style.ts';

interface RefusalProps {
  readonly deps: FormDeps;
}

export function PasscodePage({ deps, problem }: RefusalProps & { readonly problem?: string | undefined }): Markup {
  const { texts } = deps;
  const { title, heading, lead } = texts.passcode;
  return (
    <Page texts={texts} title={title}>
      <h1>{heading}</h1>
      <p>{lead}</p>
      <PasscodeForm deps={deps} problem={problem} />
    </Page>
  );
}

interface ClosedProps extends RefusalProps {
  /** Why it does not open. */
  readonly message: string;
}

/** The share needs an account, and the visitor is not signed in. */
export function PersonalPage({ deps, message }: ClosedProps): Markup {
  const { texts } = deps;
  const { title, heading, signIn } = texts.personal;
  return (
    <Page texts={texts} title={title}>
      <h1>{heading}</h1>
      <p>{message}</p>
      <p class="actions">
        <a class="button primary full" href={loginPath(deps.address)}>
          {signIn}
        </a>
      </p>
    </Page>
  );
}

export function ClosedPage({ deps, message }: ClosedProps): Markup {
  const { texts } = deps;
  const { title, heading, advice } = texts.closed;
  return (
    <Page texts={texts} title={title}>
      <h1>{heading}</h1>
      <p>{message}</p>
      <p class="quiet">{advice}</p>
    </Page>
  );
}

export interface ConfirmProps extends RefusalProps {
  /** The path of the verb: `/s/{hash}/unlock`. */
  readonly action: string;
  /** The action in words: `unlock`, `brightness 40`. */
  readonly act: string;
}

/**
 * A link that acts, opened where a link alone may not act: it needs one more touch, which no preview and no other site
 * can provide.
 */
export function ConfirmPage({ deps, action, act }: ConfirmProps): Markup {
  const { texts } = deps;
  const { title, heading, means, yes, lookFirst } = texts.confirm;
  return (
    <Page texts={texts} title={title} head={<link rel="stylesheet" href={SHARE_STYLE_PATH} />}>
      <h1>{heading}</h1>
      <p>{means({ act: <b>{act}</b> })}</p>
      <Form action={action} csrf={deps.csrf}>
        <button type="submit" class="primary full">
          {yes({ act })}
        </button>
      </Form>
      <p class="aside">
        <a href={deps.address}>{lookFirst}</a>
      </p>
    </Page>
  );
}
