/** A user's account page: profile, pending invitations, sessions, authorized apps, and a new password. */
import { Hono } from 'hono';
import type { Caller } from '../../app/access/caller.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import { languageOf, localeOf } from '../language.ts';
import { AccountPage, type AccountPageProps } from './account-page.tsx';
import { readForm } from './form.tsx';
import type { HtmlDeps } from './html-deps.ts';
import { answerPage, seeOther } from './page.tsx';
import { refusalOf } from './refusal.ts';
import { loginPath } from './return-to.ts';
import { type PageTexts, textsOf } from './texts.ts';

const ACCOUNT = '/account';

/** `?done=` values after which the page links to the dashboard. */
const LEADS_HOME: ReadonlySet<string> = new Set(['claimed', 'joined']);

/** All for the signed-in user; others are redirected to sign in first. */
export function accountRoutes(deps: HtmlDeps): Hono<ApiEnv> {
  const { users, sessions, members, authorizedApps, pageSessions } = deps;
  const form = formsOf(deps);
  return new Hono<ApiEnv>()
    .get(ACCOUNT, async (c) => {
      const user = await pageSessions.userOf(c);
      if (!user) return seeOther(c, loginPath(ACCOUNT));
      const word = c.req.query('done') ?? '';
      return answerAccount(c, user, { done: doneIn(textsOf(c), word), leadsHome: LEADS_HOME.has(word) }, deps);
    })

    .post(
      '/account/password',
      form(async (user, fields, c) => {
        const [currentPassword, newPassword] = [fields.get('currentPassword') ?? '', fields.get('newPassword') ?? ''];
        await pageSessions.signIn(c, await users.changePassword(user, { currentPassword, newPassword }));
        return 'password';
      }, 'currentPassword'),
    )
    .post(
      '/account/sessions/end-others',
      form((user) => {
        sessions.endAll(user, { exceptCurrent: true });
        return 'sessions';
      }),
    )
    .post(
      '/account/sessions/:id/end',
      form((user, _fields, c) => {
        sessions.end(user, c.req.param('id') ?? '');
        return 'session';
      }),
    )
    .post(
      '/account/apps/:id/end',
      form((user, _fields, c) => {
        authorizedApps.revoke(user, c.req.param('id') ?? '');
        return 'app';
      }),
    )
    .post(
      '/account/invitations/:homeId/accept',
      form((user, _fields, c) => {
        members.accept(user, c.req.param('homeId') ?? '');
        return 'joined';
      }),
    )
    .post(
      '/account/invitations/:homeId/decline',
      form((user, _fields, c) => {
        members.reject(user, c.req.param('homeId') ?? '');
        return 'declined';
      }),
    );
}

type Shown = Pick<AccountPageProps, 'done' | 'leadsHome' | 'refusal'>;

function answerAccount(c: ApiContext, user: Caller, shown: Shown, deps: HtmlDeps): Response {
  const { users, sessions, members, authorizedApps, secondFactors, pageSessions } = deps;
  const page = (
    <AccountPage
      {...shown}
      texts={textsOf(c)}
      locale={localeOf(c)}
      user={users.me(user)}
      invitations={members.pending(user)}
      sessions={sessions.list(user)}
      apps={authorizedApps.list(user)}
      hasApp={secondFactors.status(user).isOn}
      csrf={pageSessions.csrfToken(c)}
    />
  );
  const { status = 200, headers = {} } = shown.refusal ?? {};
  return answerPage(c, page, { status, headers });
}

type FormAct = (user: Caller, fields: URLSearchParams, c: ApiContext) => string | Promise<string>;

/** A form of this page: its action, its `?done=` value, and the field that shows a wrong-password error. */
function formsOf(deps: HtmlDeps) {
  const { pageSessions } = deps;
  return (act: FormAct, field?: string) =>
    async (c: ApiContext): Promise<Response> => {
      const fields = await readForm(c);
      pageSessions.requireCsrf(c, fields);
      const user = await pageSessions.userOf(c);
      if (!user) return seeOther(c, loginPath(ACCOUNT));
      try {
        return seeOther(c, `${ACCOUNT}?done=${await act(user, fields, c)}`);
      } catch (error) {
        const refusal = refusalOf(error, languageOf(c));
        return answerAccount(c, user, { refusal: { ...refusal, field: refusal.field ?? field } }, deps);
      }
    };
}

/** The confirmation after a form, by its `?done=` value: a URL cannot inject any other text. */
function doneIn({ account }: PageTexts, word: string): string | undefined {
  const done: Readonly<Record<string, string>> = account.done;
  return Object.hasOwn(done, word) ? done[word] : undefined;
}
