/** What people see of a share that does not open: why, and what to do about it. */
import type { HearthError } from '../../kernel/errors.ts';
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
  return (
    <Page title="Passcode">
      <h1>This needs a passcode</h1>
      <p>Somebody shared a part of their home with you and keeps it behind a passcode.</p>
      <PasscodeForm ground={ground} problem={problem} />
    </Page>
  );
}

/** @param requiresSignIn it opens for people with an account, and nobody is signed in */
export function ClosedPage({
  ground,
  error,
  requiresSignIn,
}: RefusalProps & { error: HearthError; requiresSignIn: boolean }): Markup {
  if (requiresSignIn) {
    return (
      <Page title="Sign in">
        <h1>This is for somebody by name</h1>
        <p>{error.message}</p>
        <p class="actions">
          <a class="button primary full" href={loginPath(ground.address)}>
            Sign in
          </a>
        </p>
      </Page>
    );
  }
  return (
    <Page title="Closed">
      <h1>This is closed</h1>
      <p>{error.message}</p>
      <p class="quiet">
        Links can be open at certain hours only, or until a certain day. Whoever gave you this one can tell you when.
      </p>
    </Page>
  );
}

export interface ConfirmProps extends RefusalProps {
  /** The path of the verb: `/s/{hash}/unlock`. */
  readonly action: string;
  /** What would be done, as it stands in the link: `unlock`, `brightness 40`. */
  readonly act: string;
}

/** A link that acts, opened where a link alone may not: one touch more, which no preview and no other site can give. */
export function ConfirmPage({ ground, action, act }: ConfirmProps): Markup {
  return (
    <Page title="Are you sure?" head={<link rel="stylesheet" href={SHARE_STYLE_PATH} />}>
      <h1>Do it now?</h1>
      <p>
        This link is meant to do something: <b>{act}</b>.
      </p>
      <Form action={action} csrf={ground.csrf}>
        <button type="submit" class="primary full">
          Yes, {act}
        </button>
      </Form>
      <p class="aside">
        <a href={ground.address}>Show me first</a>
      </p>
    </Page>
  );
}
