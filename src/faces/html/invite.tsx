/**
 * An invitation's link. Who has no account makes one with it; who is signed in as the invited person joins the home; who is signed in
 * as somebody else is told so. Whoever has the link learns the home's name and the invited address, and nothing else.
 */
import { Hono } from 'hono';
import type { Role } from '../../app/access/caller.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { FaceContext, FaceEnv } from '../env.ts';
import { NameField, NewPasswordField } from './account-fields.tsx';
import { deviceOf } from './device-words.ts';
import { Field, Form, Problem, readForm } from './form.tsx';
import type { HtmlDeps } from './html-deps.ts';
import { answerPage, type Markup, Page, seeOther } from './page.tsx';
import { Foreign } from './plain-text.tsx';
import { type Refusal, refusalOf } from './refusal.ts';
import { loginPath } from './return-to.ts';
import { ROLE_WORDS } from './role-words.ts';

type InviteDeps = Pick<HtmlDeps, 'users' | 'members' | 'pageSessions'>;

export function inviteRoutes({ users, members, pageSessions }: InviteDeps): Hono<FaceEnv> {
  /** @throws `not_found` unknown, used, withdrawn or too old: which of them is not told. */
  const invitationOf = (c: FaceContext): ShownInvitation => {
    const code = c.req.param('code') ?? '';
    const invitation = members.findInvitation(code);
    if (invitation) return { ...invitation, path: `/invite/${code}` };
    throw new HearthError('not_found', 'This invitation is not valid any more. Ask whoever invited you for a new one.');
  };

  const answerForm = async (
    c: FaceContext,
    shown: Pick<InvitePageProps, 'name' | 'refusal'> = {},
  ): Promise<Response> => {
    const user = await pageSessions.userOf(c);
    const props = { ...shown, invitation: invitationOf(c), csrf: pageSessions.csrfToken(c) };
    const { status = 200, headers = {} } = shown.refusal ?? {};
    return answerPage(c, user ? <JoinPage {...props} user={users.me(user)} /> : <SignUpPage {...props} />, {
      status,
      headers,
    });
  };

  return new Hono<FaceEnv>()
    .get('/invite/:code', (c) => answerForm(c))

    .post('/invite/:code', async (c) => {
      const form = await readForm(c);
      pageSessions.requireCsrf(c, form);
      const { email } = invitationOf(c);
      const name = form.get('name') || undefined;
      try {
        const caller = await pageSessions.callerOf(c);
        const account = { email, name, password: form.get('password') ?? '', device: deviceOf(c) };
        const invitationCode = c.req.param('code');
        pageSessions.signIn(c, await users.signUp(caller, { ...account, invitationCode }));
      } catch (error) {
        return answerForm(c, { name, refusal: refusalOf(error) });
      }
      return seeOther(c, '/account?done=joined');
    })

    .post('/invite/:code/accept', async (c) => {
      const form = await readForm(c);
      pageSessions.requireCsrf(c, form);
      const { path } = invitationOf(c);
      const user = await pageSessions.userOf(c);
      if (!user) return seeOther(c, loginPath(path));
      members.acceptCode(user, c.req.param('code'));
      return seeOther(c, '/account?done=joined');
    });
}

interface ShownInvitation {
  readonly email: string;
  readonly homeName: string;
  readonly role: Role;
  readonly inviterName: string | null;
  readonly path: string;
}

interface InvitePageProps {
  readonly invitation: ShownInvitation;
  readonly csrf: string;
  readonly name?: string | undefined;
  readonly refusal?: Refusal;
}

function Invited({ invitation: { homeName, inviterName, role } }: Pick<InvitePageProps, 'invitation'>): Markup {
  return (
    <>
      <h1>
        Join <Foreign text={homeName} />
      </h1>
      <p>
        {inviterName === null ? (
          'You are invited.'
        ) : (
          <>
            You are invited by <Foreign text={inviterName} />.
          </>
        )}{' '}
        You may {ROLE_WORDS[role]}.
      </p>
    </>
  );
}

function SignUpPage({ invitation, csrf, name, refusal }: InvitePageProps): Markup {
  return (
    <Page title={refusal ? 'Error: Join a home' : 'Join a home'}>
      <Invited invitation={invitation} />
      <Problem message={refusal?.message} />
      <Form action={invitation.path} csrf={csrf}>
        <Field
          name="email"
          label="E-mail address"
          hint="The invitation is for this one. You sign in with it; nothing is ever sent to it."
          type="email"
          autocomplete="username"
          value={invitation.email}
          readonly
        />
        <NameField value={name} refusal={refusal} />
        <NewPasswordField name="password" label="Password" refusal={refusal} />
        <div class="actions">
          <button class="primary" type="submit">
            Join
          </button>
        </div>
      </Form>
      <p class="quiet small aside">
        You have an account here already? <a href={loginPath(invitation.path)}>Sign in</a> and come back.
      </p>
    </Page>
  );
}

interface JoinPageProps extends InvitePageProps {
  readonly user: { readonly name: string; readonly email: string };
}

function JoinPage({ invitation, csrf, user }: JoinPageProps): Markup {
  const isInvited = sameAddress(user.email, invitation.email);
  return (
    <Page title="Join a home">
      <Invited invitation={invitation} />
      {isInvited ? (
        <Form action={`${invitation.path}/accept`} csrf={csrf}>
          <div class="actions pair">
            <button class="primary" type="submit">
              Join
            </button>
            <a class="button" href="/account">
              Not now
            </a>
          </div>
        </Form>
      ) : (
        <div class="notice warn">
          <p>
            The invitation is for <Foreign text={invitation.email} />, and you are signed in as{' '}
            <Foreign text={user.email} />. Sign out to use it.
          </p>
        </div>
      )}
      <div class="aside row quiet small">
        <span>
          Signed in as <Foreign text={user.name} />
        </span>
        <Form action="/logout" csrf={csrf} hidden={{ return_to: invitation.path }}>
          <button class="plain" type="submit">
            Sign out
          </button>
        </Form>
      </div>
    </Page>
  );
}

/** As people take addresses for the same. Whose the invitation is decides the operation. */
function sameAddress(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}
