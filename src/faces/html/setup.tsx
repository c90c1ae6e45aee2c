/** The first page of all: whoever can read what the daemon printed becomes its owner. */
import { Hono } from 'hono';
import type { FaceContext, FaceEnv } from '../env.ts';
import { NameField, NewPasswordField } from './account-fields.tsx';
import { deviceOf } from './device-words.ts';
import { Field, Form, Problem, readForm } from './form.tsx';
import type { HtmlDeps } from './html-deps.ts';
import { answerPage, type Markup, Page, seeOther } from './page.tsx';
import { problemOf, type Refusal, refusalOf } from './refusal.ts';

type SetupDeps = Pick<HtmlDeps, 'users' | 'pageSessions'>;

export function setupRoutes({ users, pageSessions }: SetupDeps): Hono<FaceEnv> {
  const answerForm = (c: FaceContext, props: Omit<SetupPageProps, 'csrf'>): Response => {
    const { status = 200, headers = {} } = props.refusal ?? {};
    return answerPage(c, <SetupPage {...props} csrf={pageSessions.csrfToken(c)} />, { status, headers });
  };

  return new Hono<FaceEnv>()
    .get('/setup', (c) => (users.isClaimed() ? seeOther(c, '/login') : answerForm(c, {})))

    .post('/setup', async (c) => {
      const form = await readForm(c);
      pageSessions.requireCsrf(c, form);
      const [email, name, setupCode] = ['email', 'name', 'setupCode'].map((field) => form.get(field) ?? '');
      const person = { email: email ?? '', ...(name && { name }) };
      try {
        const caller = await pageSessions.callerOf(c);
        const account = { ...person, password: form.get('password') ?? '', device: deviceOf(c) };
        pageSessions.signIn(c, await users.claim(caller, { ...account, setupCode }));
      } catch (error) {
        // Another was faster: no form can mend that.
        if (users.isClaimed()) throw error;
        return answerForm(c, { ...person, refusal: refusalOf(error) });
      }
      return seeOther(c, '/account?done=claimed');
    });
}

interface SetupPageProps {
  readonly csrf: string;
  readonly email?: string;
  readonly name?: string;
  readonly refusal?: Refusal;
}

function SetupPage({ csrf, email, name, refusal }: SetupPageProps): Markup {
  return (
    <Page title={refusal ? 'Error: Set up' : 'Set up'}>
      <h1>Make this house yours</h1>
      <p>Nobody owns this relay yet. Show with a setup code that it is yours, and you become its owner.</p>
      <div class="notice">
        <p>
          hearthd printed the code when it started. To get a new one, run <code>sudo hearthd setup-code</code> on its
          computer. Each is good for ten minutes.
        </p>
      </div>
      <Problem message={refusal?.message} />
      <Form action="/setup" csrf={csrf}>
        <Field
          name="setupCode"
          label="Setup code"
          hint="Eight letters and digits."
          autocomplete="one-time-code"
          autocapitalize="characters"
          maxlength={16}
          class="code"
          problem={problemOf(refusal, 'setupCode')}
        />
        <Field
          name="email"
          label="E-mail address"
          hint="To sign in with. Nothing is ever sent to it."
          type="email"
          autocomplete="username"
          value={email}
          maxlength={254}
          problem={problemOf(refusal, 'email')}
        />
        <NameField value={name} refusal={refusal} />
        <NewPasswordField name="password" label="Password" refusal={refusal} />
        <div class="actions">
          <button class="primary" type="submit">
            Become the owner
          </button>
        </div>
      </Form>
    </Page>
  );
}
