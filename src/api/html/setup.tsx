/** The first page: a person who can read the daemon's output becomes the owner. */
import { Hono } from 'hono';
import { HearthError } from '../../kernel/errors.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import { languageOf } from '../language.ts';
import { NameField, NewPasswordField } from './account-fields.tsx';
import { deviceOf } from './device-words.ts';
import { Field, Form, Problem, readForm } from './form.tsx';
import type { HtmlDeps } from './html-deps.ts';
import { answerPage, type Markup, Page, seeOther } from './page.tsx';
import { type PageRefusal, problemOf, refusalOf } from './refusal.ts';
import { PageError } from './sentences.ts';
import { type PageTexts, texts, textsOf } from './texts.ts';

type SetupDeps = Pick<HtmlDeps, 'users' | 'pageSessions'>;

export function setupRoutes({ users, pageSessions }: SetupDeps): Hono<ApiEnv> {
  const answerForm = (c: ApiContext, props: Omit<SetupPageProps, 'texts' | 'csrf'>): Response => {
    const { status = 200, headers = {} } = props.refusal ?? {};
    const page = <SetupPage {...props} texts={textsOf(c)} csrf={pageSessions.csrfToken(c)} />;
    return answerPage(c, page, { status, headers });
  };

  return new Hono<ApiEnv>()
    .get('/setup', (c) => (users.isClaimed() ? seeOther(c, '/login') : answerForm(c, {})))

    .post('/setup', async (c) => {
      const form = await readForm(c);
      pageSessions.requireCsrf(c, form);
      const [email, name, setupCode] = ['email', 'name', 'setupCode'].map((field) => form.get(field) ?? '');
      const person = { email: email ?? '', ...(name && { name }) };
      try {
        const caller = await pageSessions.callerOf(c);
        const account = { ...person, password: form.get('password') ?? '', device: deviceOf(c) };
        await pageSessions.signIn(c, await users.claim(caller, { ...account, setupCode }));
      } catch (error) {
        // Another person has claimed the relay: the form can't be corrected.
        if (users.isClaimed()) throw claimedMeanwhile(error);
        return answerForm(c, { ...person, refusal: refusalOf(error, languageOf(c), 'setUp') });
      }
      return seeOther(c, '/account?done=claimed');
    });
}

function claimedMeanwhile(error: unknown): unknown {
  const isConflict = error instanceof HearthError && error.code === 'conflict';
  return isConflict ? new PageError('conflict', (language) => texts[language].refused.claimed) : error;
}

interface SetupPageProps {
  readonly texts: PageTexts;
  readonly csrf: string;
  readonly email?: string;
  readonly name?: string;
  readonly refusal?: PageRefusal;
}

function SetupPage({ texts, csrf, email, name, refusal }: SetupPageProps): Markup {
  const { setUp, fields, failed } = texts;
  return (
    <Page texts={texts} title={refusal ? failed({ title: setUp.title }) : setUp.title}>
      <h1>{setUp.heading}</h1>
      <p>{setUp.lead}</p>
      <div class="notice">
        <p>{setUp.whereCode({ command: <code>sudo hearthd setup-code</code> })}</p>
      </div>
      <Problem message={refusal?.message} />
      <Form action="/setup" csrf={csrf}>
        <Field
          name="setupCode"
          label={setUp.code}
          hint={setUp.codeHint}
          autocomplete="one-time-code"
          autocapitalize="characters"
          maxlength={16}
          class="code"
          problem={problemOf(refusal, 'setupCode')}
        />
        <Field
          name="email"
          label={fields.email}
          hint={setUp.emailHint}
          type="email"
          autocomplete="username"
          value={email}
          maxlength={254}
          problem={problemOf(refusal, 'email')}
        />
        <NameField texts={texts} value={name} refusal={refusal} />
        <NewPasswordField texts={texts} name="password" label={fields.password} refusal={refusal} />
        <div class="actions">
          <button class="primary" type="submit">
            {setUp.claim}
          </button>
        </div>
      </Form>
    </Page>
  );
}
