/** A person's own page: who they are, what waits for them, where they are signed in, what they let in, and a new password. */
import { Hono } from 'hono';
import type { Caller } from '../../app/access/caller.ts';
import type { FaceContext, FaceEnv } from '../env.ts';
import { languageOf } from '../language.ts';
import { AccountPage, type AccountPageProps } from './account-page.tsx';
import { readForm } from './form.tsx';
import type { HtmlDeps } from './html-deps.ts';
import { answerPage, seeOther } from './page.tsx';
import { refusalOf } from './refusal.ts';
import { loginPath } from './return-to.ts';
import { type PageTexts, textsOf } from './texts/texts.ts';

const ACCOUNT = '/account';

/** Words in the address after which people are led on to the dashboard. */
const LEADS_HOME: ReadonlySet<string> = new Set(['claimed', 'joined']);

/** All for the person who is signed in; others are sent to sign in first. */
export function accountRoutes(deps: HtmlDeps): Hono<FaceEnv> {
  const { users, sessions, members, authorizedApps, pageSessions } = deps;

  const answerAccount = (
    c: FaceContext,
    user: Caller,
    shown: Pick<AccountPageProps, 'done' | 'leadsHome' | 'refusal'>,
  ): Response => {
    const page = (
      <AccountPage
        {...shown}
        texts={textsOf(c)}
        user={users.me(user)}
        invitations={members.pending(user)}
        sessions={sessions.list(user)}
        apps={authorizedApps.list(user)}
        csrf={pageSessions.csrfToken(c)}
      />
    );
    const { status = 200, headers = {} } = shown.refusal ?? {};
    return answerPage(c, page, { status, headers });
  };

  /** A form of this page: what it does, the word under which the page tells of it, and the field that a wrong password is told beside. */
  const form =
    (act: (user: Caller, fields: URLSearchParams, c: FaceContext) => string | Promise<string>, field?: string) =>
    async (c: FaceContext): Promise<Response> => {
      const fields = await readForm(c);
      pageSessions.requireCsrf(c, fields);
      const user = await pageSessions.userOf(c);
      if (!user) return seeOther(c, loginPath(ACCOUNT));
      try {
        return seeOther(c, `${ACCOUNT}?done=${await act(user, fields, c)}`);
      } catch (error) {
        const refusal = refusalOf(error, languageOf(c));
        return answerAccount(c, user, { refusal: { ...refusal, field: refusal.field ?? field } });
      }
    };

  return new Hono<FaceEnv>()
    .get(ACCOUNT, async (c) => {
      const user = await pageSessions.userOf(c);
      if (!user) return seeOther(c, loginPath(ACCOUNT));
      const word = c.req.query('done') ?? '';
      return answerAccount(c, user, { done: doneIn(textsOf(c), word), leadsHome: LEADS_HOME.has(word) });
    })

    .post(
      '/account/password',
      form(async (user, fields, c) => {
        const [currentPassword, newPassword] = [fields.get('currentPassword') ?? '', fields.get('newPassword') ?? ''];
        pageSessions.signIn(c, await users.changePassword(user, { currentPassword, newPassword }));
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

/** What is told after a form, by the word in the address: nothing that anybody could write there. */
function doneIn({ account }: PageTexts, word: string): string | undefined {
  const done: Readonly<Record<string, string>> = account.done;
  return Object.hasOwn(done, word) ? done[word] : undefined;
}
