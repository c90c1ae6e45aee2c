/**
 * Signing in and out. The one script is for passkeys; without it, passwords and codes work. An error never reveals
 * whether the address or the password was wrong: otherwise it would reveal who has an account.
 */
import { Hono } from 'hono';
import type { Caller } from '../../app/access/caller.ts';
import { SecondFactorRequired } from '../../app/users/pending-sign-ins.ts';
import type { SignedIn } from '../../app/users/user.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import { requestOrigin } from '../guards.ts';
import { languageOf } from '../language.ts';
import { findScript } from '../pages/find-script.ts';
import { answerJson } from '../respond.ts';
import { deviceOf } from './device-words.ts';
import { Done, Field, Form, type FormProps, Problem, readForm } from './form.tsx';
import type { HtmlDeps } from './html-deps.ts';
import { answerPage, type Markup, Page, seeOther } from './page.tsx';
import { CSRF_FIELD } from './page-session.ts';
import { type PageRefusal, refusalOf } from './refusal.ts';
import { loginPath, parseReturnTo, secondStepPath } from './return-to.ts';
import { type PageTexts, textsOf } from './texts.ts';

const ACCOUNT = '/account';
const PASSKEY = '/login/passkey';
const OAUTH = '/oauth/';
const SIGNED_OUT = 'signed-out';

type LoginDeps = Pick<HtmlDeps, 'users' | 'sessions' | 'passkeys' | 'pageSessions' | 'guards' | 'pagesDirectory'>;

export function loginRoutes({
  users,
  sessions,
  passkeys,
  pageSessions,
  guards,
  pagesDirectory,
}: LoginDeps): Hono<ApiEnv> {
  const script = findScript(pagesDirectory, 'passkey-sign-in');
  const originOf = requestOrigin(guards);
  const answerForm = (c: ApiContext, props: Omit<LoginPageProps, keyof PageFrame>): Response => {
    const { status = 200, headers = {} } = props.refusal ?? {};
    const page = <LoginPage {...props} texts={textsOf(c)} csrf={pageSessions.csrfToken(c)} script={script} />;
    return answerPage(c, page, { status, headers, scripts: script !== undefined });
  };
  const answerCodeForm = (c: ApiContext, props: Omit<CodePageProps, keyof PageFrame>): Response => {
    const { status = 200, headers = {} } = props.refusal ?? {};
    const page = <CodePage {...props} texts={textsOf(c)} csrf={pageSessions.csrfToken(c)} script={script} />;
    return answerPage(c, page, { status, headers, scripts: script !== undefined });
  };
  /** The password, the code that it lacks, or a passkey in the place of either. */
  const enter = (c: ApiContext, before: Caller, form: URLSearchParams): Promise<SignedIn> => {
    const device = deviceOf(c);
    const ticket = form.get('ticket') ?? undefined;
    const passkey = form.get('passkey');
    if (passkey !== null) {
      const at = { origin: originOf(c), form: form.get(CSRF_FIELD) ?? '', ticket };
      return passkeys.signIn(before, { ...at, response: readPasskey(passkey), device });
    }
    return ticket === undefined
      ? users.logIn(before, { email: form.get('email') ?? '', password: form.get('password') ?? '', device })
      : users.logInWithCode(before, { ticket, code: form.get('code') ?? '', device });
  };
  /** Signs the browser in; the previous user's session in it ends. */
  const begin = async (c: ApiContext, before: Caller, signedIn: SignedIn): Promise<void> => {
    const { principal } = before;
    if (principal.kind === 'user' || principal.kind === 'enrolling') sessions.end(before, principal.sessionId);
    await pageSessions.signIn(c, signedIn);
  };

  return (
    new Hono<ApiEnv>()
      .get('/login', async (c) => {
        if (!users.isClaimed()) return seeOther(c, '/setup');
        const returnTo = parseReturnTo(c.req.query('return_to'));
        const person = await pageSessions.personOf(c);
        if (person?.principal.kind === 'enrolling') return seeOther(c, secondStepPath(returnTo));
        if (person) return goOn(c, returnTo ?? ACCOUNT);
        // The confirmation after a form, by its `?done=` value: a URL cannot inject any other text.
        const done = c.req.query('done') === SIGNED_OUT ? textsOf(c).signIn.signedOut : undefined;
        return answerForm(c, { returnTo, done });
      })

      // What the browser signs with a passkey, for the script of the page.
      .post(PASSKEY, async (c) => {
        const form = await readForm(c);
        pageSessions.requireCsrf(c, form);
        const at = { origin: originOf(c), form: form.get(CSRF_FIELD) ?? '', ticket: form.get('ticket') ?? undefined };
        return answerJson(await passkeys.beginSignIn(await pageSessions.callerOf(c), at));
      })

      // One form after the other: the password, and for an account with a second step its code; or a passkey.
      .post('/login', async (c) => {
        const form = await readForm(c);
        pageSessions.requireCsrf(c, form);
        const returnTo = parseReturnTo(form.get('return_to'));
        const email = form.get('email') ?? '';
        const ticket = form.get('ticket') ?? undefined;
        const before = await pageSessions.callerOf(c);
        try {
          const signedIn = await enter(c, before, form);
          await begin(c, before, signedIn);
          if (signedIn.needsSecondStep) return seeOther(c, secondStepPath(returnTo));
        } catch (error) {
          if (error instanceof SecondFactorRequired) return answerCodeForm(c, { returnTo, ticket: error.ticket });
          const refusal = refusalOf(error, languageOf(c), 'signIn');
          if (ticket !== undefined && !isOver(error)) return answerCodeForm(c, { returnTo, ticket, refusal });
          return answerForm(c, { returnTo, email, refusal });
        }
        return seeOther(c, returnTo?.startsWith(OAUTH) ? loginPath(returnTo) : (returnTo ?? ACCOUNT));
      })

      .post('/logout', async (c) => {
        const form = await readForm(c);
        pageSessions.requireCsrf(c, form);
        const person = await pageSessions.callerOf(c);
        const { principal } = person;
        pageSessions.signOut(c);
        if (principal.kind === 'user' || principal.kind === 'enrolling') sessions.end(person, principal.sessionId);
        return seeOther(c, parseReturnTo(form.get('return_to')) ?? `/login?done=${SIGNED_OUT}`);
      })
  );
}

/** What the script put into the form; anything else is refused as no passkey's answer. */
function readPasskey(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The sign-in can't continue with a code: it begins again with the password. */
function isOver(error: unknown): boolean {
  return error instanceof HearthError && error.details.reason === 'sign_in_over';
}

/**
 * Redirects to an app's sign-in by a page that continues by itself. Chromium applies the policy of the form's page to
 * the redirects after a form, and an app that is already authorized is answered by redirects alone: Chromium would
 * block them on the way from the relay's form to the app.
 */
function goOn(c: ApiContext, path: string): Response {
  return path.startsWith(OAUTH) ? answerPage(c, <GoingOnPage texts={textsOf(c)} path={path} />) : seeOther(c, path);
}

function GoingOnPage({ texts, path }: { readonly texts: PageTexts; readonly path: string }): Markup {
  return (
    <Page texts={texts} title={texts.signIn.doneTitle} head={<meta http-equiv="refresh" content={`0; url=${path}`} />}>
      <h1>{texts.signIn.done}</h1>
      <p>
        <a class="button primary full" href={path}>
          {texts.signIn.toApp}
        </a>
      </p>
    </Page>
  );
}

interface PageFrame {
  readonly texts: PageTexts;
  readonly csrf: string;
  /** For passkeys; `undefined` if none is built. */
  readonly script: string | undefined;
}

interface LoginPageProps extends PageFrame {
  readonly returnTo: string | undefined;
  readonly email?: string;
  readonly refusal?: PageRefusal;
  readonly done?: string | undefined;
}

function LoginPage({ texts, csrf, script, returnTo, email, refusal, done }: LoginPageProps): Markup {
  const { signIn, fields } = texts;
  return (
    <Page
      texts={texts}
      title={refusal ? texts.failed({ title: signIn.title }) : signIn.title}
      head={<PasskeyScript script={script} />}
    >
      <h1>{signIn.title}</h1>
      {returnTo?.startsWith(OAUTH) && <p class="quiet">{signIn.forApp}</p>}
      <Done message={done} />
      <Problem message={refusal?.message} />
      <Form action="/login" csrf={csrf} hidden={{ return_to: returnTo }}>
        <Field
          name="email"
          label={fields.emailOrName}
          type="text"
          autocomplete="username"
          value={email}
          maxlength={254}
        />
        <Field name="password" label={fields.password} type="password" autocomplete="current-password" />
        <div class="actions">
          <button class="primary" type="submit">
            {signIn.signIn}
          </button>
        </div>
      </Form>
      <PasskeyForm texts={texts} csrf={csrf} script={script} hidden={{ return_to: returnTo }} />
      <p class="quiet small aside">{signIn.forgotten({ command: <code>hearthd user password</code> })}</p>
    </Page>
  );
}

interface CodePageProps extends PageFrame {
  readonly returnTo: string | undefined;
  /** Of the sign-in that lacks the code. */
  readonly ticket: string;
  readonly refusal?: PageRefusal;
}

function CodePage({ texts, csrf, script, returnTo, ticket, refusal }: CodePageProps): Markup {
  const { signIn, failed } = texts;
  return (
    <Page
      texts={texts}
      title={refusal ? failed({ title: signIn.codeTitle }) : signIn.codeTitle}
      head={<PasskeyScript script={script} />}
    >
      <h1>{signIn.codeTitle}</h1>
      <p>{signIn.codeLead}</p>
      <Problem message={refusal?.message} />
      <Form action="/login" csrf={csrf} hidden={{ return_to: returnTo, ticket }}>
        <Field
          name="code"
          label={signIn.code}
          hint={signIn.codeHint}
          autocomplete="one-time-code"
          autocapitalize="characters"
          maxlength={64}
          class="code"
        />
        <div class="actions">
          <button class="primary" type="submit">
            {signIn.signIn}
          </button>
          <a class="button" href={loginPath(returnTo)}>
            {signIn.startAgain}
          </a>
        </div>
      </Form>
      <PasskeyForm texts={texts} csrf={csrf} script={script} hidden={{ return_to: returnTo, ticket }} />
      <p class="quiet small aside">{signIn.codeLost({ command: <code>hearthd user reset-2fa</code> })}</p>
    </Page>
  );
}

function PasskeyScript({ script }: Pick<PageFrame, 'script'>): Markup | null {
  return script === undefined ? null : <script type="module" src={script} />;
}

/** Hidden until the script has found that this browser has passkeys at this address. */
function PasskeyForm({
  texts: { signIn },
  csrf,
  script,
  hidden,
}: PageFrame & Pick<Required<FormProps>, 'hidden'>): Markup | null {
  if (script === undefined) return null;
  return (
    <section
      class="passkey"
      data-passkey={PASSKEY}
      data-failed={signIn.passkeyFailed}
      data-no-answer={signIn.passkeyNoAnswer}
      hidden
    >
      <p class="problem" role="alert" />
      <Form action="/login" csrf={csrf} hidden={hidden}>
        <button class="full" type="submit">
          {signIn.usePasskey}
        </button>
      </Form>
    </section>
  );
}
