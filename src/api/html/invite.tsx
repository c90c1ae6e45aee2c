/**
 * An invitation's link. A person without an account creates one with it; a person signed in as the invited user joins
 * the home; a person signed in as another user gets a message. The link reveals the home's name and the invited
 * address, and nothing else.
 */
import { Hono } from 'hono';
import type { Role } from '../../app/access/caller.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import { languageOf } from '../language.ts';
import { NameField, NewPasswordField } from './account-fields.tsx';
import { deviceOf } from './device-words.ts';
import { Form, Problem, readForm } from './form.tsx';
import type { HtmlDeps } from './html-deps.ts';
import { answerPage, type Markup, Page, seeOther } from './page.tsx';
import { UntrustedText } from './plain-text.tsx';
import { type PageRefusal, refusalOf } from './refusal.ts';
import { loginPath } from './return-to.ts';
import { PageError } from './sentences.ts';
import { type PageTexts, texts, textsOf } from './texts.ts';

type InviteDeps = Pick<HtmlDeps, 'users' | 'members' | 'pageSessions'>;

export function inviteRoutes({ users, members, pageSessions }: InviteDeps): Hono<ApiEnv> {
  /** @throws `not_found` unknown, used, withdrawn or expired: the error does not reveal which. */
  const invitationOf = (c: ApiContext): ShownInvitation => {
    const code = c.req.param('code') ?? '';
    const invitation = members.findInvitation(code);
    if (invitation) return { ...invitation, path: `/invite/${code}` };
    throw new PageError(
      'not_found',
      (language) => texts[language].refused.invitationOver,
      {},
      { titleIn: (language) => texts[language].refused.invitationOverTitle },
    );
  };

  const answerForm = async (
    c: ApiContext,
    shown: Pick<InvitePageProps, 'name' | 'refusal'> = {},
  ): Promise<Response> => {
    const user = await pageSessions.userOf(c);
    const props = { ...shown, texts: textsOf(c), invitation: invitationOf(c), csrf: pageSessions.csrfToken(c) };
    const { status = 200, headers = {} } = shown.refusal ?? {};
    return answerPage(c, user ? <JoinPage {...props} user={users.me(user)} /> : <SignUpPage {...props} />, {
      status,
      headers,
    });
  };

  return new Hono<ApiEnv>()
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
        await pageSessions.signIn(c, await users.signUp(caller, { ...account, invitationCode }));
      } catch (error) {
        return answerForm(c, { name, refusal: refusalOf(error, languageOf(c), 'invitation') });
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
  readonly texts: PageTexts;
  readonly invitation: ShownInvitation;
  readonly csrf: string;
  readonly name?: string | undefined;
  readonly refusal?: PageRefusal;
}

function Invited({ texts, invitation }: Pick<InvitePageProps, 'texts' | 'invitation'>): Markup {
  const { homeName, inviterName, role } = invitation;
  const { heading, invited, invitedBy } = texts.invitation;
  return (
    <>
      <h1>{heading({ home: <UntrustedText text={homeName} texts={texts} /> })}</h1>
      <p>
        {inviterName === null ? invited : invitedBy({ inviter: <UntrustedText text={inviterName} texts={texts} /> })}{' '}
        {texts.roles[role]}
      </p>
    </>
  );
}

function SignUpPage({ texts, invitation, csrf, name, refusal }: InvitePageProps): Markup {
  const { title, emailHint, join, hasAccount } = texts.invitation;
  const signIn = (label: string) => <a href={loginPath(invitation.path)}>{label}</a>;
  return (
    <Page texts={texts} title={refusal ? texts.failed({ title }) : title}>
      <Invited texts={texts} invitation={invitation} />
      <Problem message={refusal?.message} />
      <Form action={invitation.path} csrf={csrf}>
        <div class="field">
          <span class="label">{texts.fields.email}</span>
          <span class="hint">{emailHint}</span>
          <bdi class="address">{invitation.email}</bdi>
          {/* For password managers, which keep a password with a name. */}
          <input type="text" name="email" value={invitation.email} autocomplete="username" hidden />
        </div>
        <NameField texts={texts} value={name} refusal={refusal} />
        <NewPasswordField texts={texts} name="password" label={texts.fields.password} refusal={refusal} />
        <div class="actions">
          <button class="primary" type="submit">
            {join}
          </button>
        </div>
      </Form>
      <p class="quiet small aside">{hasAccount({ signIn })}</p>
    </Page>
  );
}

interface JoinPageProps extends InvitePageProps {
  readonly user: { readonly name: string; readonly email: string };
}

function JoinPage({ texts, invitation, csrf, user }: JoinPageProps): Markup {
  const isInvited = sameAddress(user.email, invitation.email);
  const { title, join, notNow, forAnother, signedInAs, signOut } = texts.invitation;
  const untrusted = (text: string) => <UntrustedText text={text} texts={texts} />;
  return (
    <Page texts={texts} title={title}>
      <Invited texts={texts} invitation={invitation} />
      {isInvited ? (
        <Form action={`${invitation.path}/accept`} csrf={csrf}>
          <div class="actions pair">
            <button class="primary" type="submit">
              {join}
            </button>
            <a class="button" href="/account">
              {notNow}
            </a>
          </div>
        </Form>
      ) : (
        <div class="notice warn">
          <p>{forAnother({ invited: untrusted(invitation.email), user: untrusted(user.email) })}</p>
        </div>
      )}
      <div class="aside row quiet small">
        <span>{signedInAs({ user: untrusted(user.name) })}</span>
        <Form action="/logout" csrf={csrf} hidden={{ return_to: invitation.path }}>
          <button class="plain" type="submit">
            {signOut}
          </button>
        </Form>
      </div>
    </Page>
  );
}

/** Compares addresses as people do. The operation decides whose the invitation is. */
function sameAddress(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}
