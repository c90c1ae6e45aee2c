/** What people see of a share that does not open: why, and what to do about it. */
import { Form } from '../html/form.tsx';
import { type Markup, Page } from '../html/page.tsx';
import { loginPath } from '../html/return-to.ts';
import type { FormGround } from './controls-view.tsx';
import { PasscodeForm } from './passcode-form.tsx';
import { SHARE_STYLE_PATH } from './style.ts';

interface RefusalProps {
  readonly ground: FormGround;
}

export function PasscodePage({ ground, problem }: RefusalProps & { readonly problem?: string | undefined }): Markup {
  const { texts } = ground;
  const { title, heading, lead } = texts.passcode;
  return (
    <Page texts={texts} title={title}>
      <h1>{heading}</h1>
      <p>{lead}</p>
      <PasscodeForm ground={ground} problem={problem} />
    </Page>
  );
}

interface ClosedProps extends RefusalProps {
  /** Why it does not open. */
  readonly message: string;
}

/** It opens for people with an account, and nobody is signed in. */
export function PersonalPage({ ground, message }: ClosedProps): Markup {
  const { texts } = ground;
  const { title, heading, signIn } = texts.personal;
  return (
    <Page texts={texts} title={title}>
      <h1>{heading}</h1>
      <p>{message}</p>
      <p class="actions">
        <a class="button primary full" href={loginPath(ground.address)}>
          {signIn}
        </a>
      </p>
    </Page>
  );
}

export function ClosedPage({ ground, message }: ClosedProps): Markup {
  const { texts } = ground;
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
  /** What would be done, in words: `unlock`, `brightness 40`. */
  readonly act: string;
}

/** A link that acts, opened where a link alone may not: one touch more, which no preview and no other site can give. */
export function ConfirmPage({ ground, action, act }: ConfirmProps): Markup {
  const { texts } = ground;
  const { title, heading, means, yes, lookFirst } = texts.confirm;
  return (
    <Page texts={texts} title={title} head={<link rel="stylesheet" href={SHARE_STYLE_PATH} />}>
      <h1>{heading}</h1>
      <p>{means(<b>{act}</b>)}</p>
      <Form action={action} csrf={ground.csrf}>
        <button type="submit" class="primary full">
          {yes(act)}
        </button>
      </Form>
      <p class="aside">
        <a href={ground.address}>{lookFirst}</a>
      </p>
    </Page>
  );
}
