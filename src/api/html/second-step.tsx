/**
 * Sets an authenticator app up without a script: the password, the app's key as a picture and as text, the first code,
 * the recovery codes. Who must have a second step comes here after the sign-in.
 */
import { Hono } from 'hono';
import { renderSVG } from 'uqr';
import type { Caller } from '../../app/access/caller.ts';
import type { SecondFactorSetup } from '../../app/users/second-factors.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import { languageOf } from '../language.ts';
import { Field, Form, Problem, readForm } from './form.tsx';
import type { HtmlDeps } from './html-deps.ts';
import { answerPage, type Markup, Page, seeOther } from './page.tsx';
import { type PageRefusal, problemOf, refusalOf } from './refusal.ts';
import { loginPath, parseReturnTo, secondStepPath } from './return-to.ts';
import { type PageTexts, textsOf } from './texts.ts';

const ACCOUNT = '/account';
const PAGE = '/account/second-step';
const CONFIRM = `${PAGE}/confirm`;

type SecondStepDeps = Pick<HtmlDeps, 'secondFactors' | 'pageSessions'>;

export function secondStepRoutes({ secondFactors, pageSessions }: SecondStepDeps): Hono<ApiEnv> {
  const answerForm = (c: ApiContext, person: Caller, returnTo: string | undefined, refusal?: PageRefusal): Response => {
    const { status = 200, headers = {} } = refusal ?? {};
    const props = {
      texts: textsOf(c),
      csrf: pageSessions.csrfToken(c),
      returnTo,
      refusal,
      isRequired: person.principal.kind === 'enrolling',
    };
    const setup = secondFactors.pending(person);
    const page = setup ? <AppPage {...props} setup={setup} /> : <PasswordPage {...props} />;
    return answerPage(c, page, { status, headers });
  };
  /** A form of these pages, for the person who is signed in. */
  const form =
    (
      act: (person: Caller, fields: URLSearchParams, c: ApiContext, returnTo: string | undefined) => Promise<Response>,
    ) =>
    async (c: ApiContext): Promise<Response> => {
      const fields = await readForm(c);
      pageSessions.requireCsrf(c, fields);
      const returnTo = parseReturnTo(fields.get('return_to'));
      const person = await pageSessions.personOf(c);
      if (!person) return seeOther(c, loginPath(PAGE));
      try {
        return await act(person, fields, c, returnTo);
      } catch (error) {
        return answerForm(c, person, returnTo, refusalOf(error, languageOf(c)));
      }
    };

  return new Hono<ApiEnv>()
    .get(PAGE, async (c) => {
      const returnTo = parseReturnTo(c.req.query('return_to'));
      const person = await pageSessions.personOf(c);
      if (!person) return seeOther(c, loginPath(PAGE));
      return secondFactors.status(person).isOn ? seeOther(c, returnTo ?? ACCOUNT) : answerForm(c, person, returnTo);
    })
    .post(
      PAGE,
      form(async (person, fields, c, returnTo) => {
        await secondFactors.begin(person, { currentPassword: fields.get('currentPassword') ?? '' });
        return seeOther(c, secondStepPath(returnTo));
      }),
    )
    .post(
      CONFIRM,
      form(async (person, fields, c, returnTo) => {
        const codes = secondFactors.confirm(person, { code: fields.get('code') ?? '' });
        return answerPage(c, <CodesPage texts={textsOf(c)} codes={codes} next={next(returnTo)} />);
      }),
    );
}

/** Pages of an app's sign-in follow the sign-in page, which goes on by itself. */
function next(returnTo: string | undefined): string {
  return returnTo?.startsWith('/oauth/') ? loginPath(returnTo) : (returnTo ?? ACCOUNT);
}

interface StepProps {
  readonly texts: PageTexts;
  readonly csrf: string;
  readonly returnTo: string | undefined;
  readonly refusal: PageRefusal | undefined;
  /** The account must have a second step. */
  readonly isRequired: boolean;
}

function PasswordPage({ texts, csrf, returnTo, refusal, isRequired }: StepProps): Markup {
  const { secondStep, account, failed } = texts;
  return (
    <Page texts={texts} title={refusal ? failed({ title: secondStep.title }) : secondStep.title}>
      <h1>{secondStep.title}</h1>
      <p>{isRequired ? secondStep.required : secondStep.lead}</p>
      <Problem message={refusal?.message} />
      <Form action={PAGE} csrf={csrf} hidden={{ return_to: returnTo }}>
        <Field
          name="currentPassword"
          label={account.currentPassword}
          type="password"
          autocomplete="current-password"
          problem={problemOf(refusal, 'currentPassword')}
        />
        <div class="actions">
          <button class="primary" type="submit">
            {secondStep.goOn}
          </button>
        </div>
      </Form>
      <Leave texts={texts} csrf={csrf} isRequired={isRequired} />
    </Page>
  );
}

function AppPage({
  texts,
  csrf,
  returnTo,
  refusal,
  isRequired,
  setup,
}: StepProps & { readonly setup: SecondFactorSetup }): Markup {
  const { secondStep, failed } = texts;
  const svg = renderSVG(setup.uri, { ecc: 'M', border: 4, whiteColor: '#fff', blackColor: '#000' });
  return (
    <Page texts={texts} title={refusal ? failed({ title: secondStep.title }) : secondStep.title}>
      <h1>{secondStep.title}</h1>
      <Problem message={refusal?.message} />
      <ol>
        <li>{secondStep.install}</li>
        <li>{secondStep.scan}</li>
        <li>{secondStep.type}</li>
      </ol>
      <p>
        <img alt={secondStep.qr} width="240" height="240" src={`data:image/svg+xml,${encodeURIComponent(svg)}`} />
      </p>
      <p>{secondStep.key}</p>
      <p>
        <code>{(setup.secret.match(/.{1,4}/g) ?? []).join(' ')}</code>
      </p>
      <Form action={CONFIRM} csrf={csrf} hidden={{ return_to: returnTo }}>
        <Field
          name="code"
          label={texts.signIn.code}
          hint={secondStep.codeHint}
          autocomplete="one-time-code"
          maxlength={64}
          class="code"
        />
        <div class="actions">
          <button class="primary" type="submit">
            {secondStep.turnOn}
          </button>
        </div>
      </Form>
      <Leave texts={texts} csrf={csrf} isRequired={isRequired} />
    </Page>
  );
}

function CodesPage({
  texts,
  codes,
  next: path,
}: {
  readonly texts: PageTexts;
  readonly codes: readonly string[];
  readonly next: string;
}): Markup {
  const { secondStep } = texts;
  return (
    <Page texts={texts} title={secondStep.codesTitle}>
      <h1>{secondStep.codesTitle}</h1>
      <p>{secondStep.codesLead}</p>
      <ul>
        {codes.map((code) => (
          <li>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <a class="button primary" href={path}>
          {secondStep.kept}
        </a>
      </div>
    </Page>
  );
}

/** The way out: to the account, or for a person who must set it up, out of the session. */
function Leave({ texts, csrf, isRequired }: Pick<StepProps, 'texts' | 'csrf' | 'isRequired'>): Markup {
  const { secondStep, account } = texts;
  if (!isRequired) {
    return (
      <p class="aside">
        <a href={ACCOUNT}>{secondStep.back}</a>
      </p>
    );
  }
  return (
    <Form action="/logout" csrf={csrf}>
      <div class="actions">
        <button type="submit">{account.signOut}</button>
      </div>
    </Form>
  );
}
