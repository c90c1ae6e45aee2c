/** The first page of all: whoever can read what the daemon printed becomes its owner. */
import { Hono } from 'hono';
import type { FaceContext, FaceEnv } from '../env.ts';
import { Field, Form, Problem, readForm } from './form.tsx';
import type { HtmlDeps } from './html-deps.ts';
import { NewPasswordField } from './new-password-field.tsx';
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
        const password = form.get('password') ?? '';
        pageSessions.signIn(c, await users.claim(caller, { ...person, password, setupCode: setupCode ?? '' }));
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
      <p>Nobody owns this relay yet. Who proves to have it at hand becomes its owner, and can invite others.</p>
      <Problem message={refusal?.message} />
      <Form action="/setup" csrf={csrf}>
        <Field
          name="setupCode"
          label="Setup code"
          hint="Eight letters and digits that hearthd printed when it started."
          autocomplete="one-time-code"
          autocapitalize="characters"
          maxlength={16}
          class="code"
          problem={problemOf(refusal, 'setupCode')}
        />
        <details class="help">
          <summary>Where do I find the code?</summary>
          <p>
            On the computer that runs hearthd. A code is good for ten minutes; this makes a new one:
            <code class="block">sudo hearthd setup-code</code>
          </p>
        </details>
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
        <Field
          name="name"
          label="Your name"
          hint="What others in the house see. You may leave it out."
          autocomplete="name"
          autocapitalize="words"
          value={name}
          maxlength={64}
          required={false}
          problem={problemOf(refusal, 'name')}
        />
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
