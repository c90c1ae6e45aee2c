/**
 * The consent page of an app that requests access to the home. Everything that the app states about itself is shown as
 * its own claim, and the host that receives the response is shown in full. The user chooses the scopes here and
 * confirms them with the password. So another person at a signed-in browser, or a page overlaid on this one, cannot
 * authorize an app.
 */
import { ROLES, type Role } from '../../app/access/caller.ts';
import { Field, Form, Problem } from './form.tsx';
import { type Markup, Page } from './page.tsx';
import { UntrustedText } from './plain-text.tsx';
import type { PageTexts } from './texts.ts';

export type ConsentScope = 'read' | 'write' | 'admin';

export interface ConsentPageProps {
  readonly texts: PageTexts;
  /** As the app registered itself: unverified. */
  readonly clientName: string;
  readonly clientUri?: string | undefined;
  /** The host of the redirect, from `redirectHostOf`. */
  readonly redirectHost: string;
  readonly redirectUri: string;
  /** The requested scopes; the user may grant less. */
  readonly scopes: readonly ConsentScope[];
  /** The user's homes, with their role in each. */
  readonly homes: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
  readonly csrf: string;
  readonly action: string;
  readonly user: { readonly name: string; readonly email: string };
  /** Why the form is shown again: "Wrong password." */
  readonly error?: string | undefined;
  /** The field of the error: the password, unless set. */
  readonly errorField?: 'password' | 'choice';
  /** The submitted choices; the form's own fields. */
  readonly chosen?: Pick<URLSearchParams, 'get' | 'has'> | undefined;
}

/** A longer name would push the important text out of view: the full name stands further down. */
const MAX_HEADING_LENGTH = 40;

/** From the smallest to the largest; each includes those before it. */
const SCOPES: readonly ConsentScope[] = ['read', 'write', 'admin'];

/** The host of the redirect in its network form: `xn--…` for letters that could look like others. */
export function redirectHostOf(redirectUri: string, { consent }: PageTexts): string {
  const { host, protocol } = new URL(redirectUri);
  return protocol === 'https:' || protocol === 'http:' ? host : consent.onDevice({ protocol });
}

export function ConsentPage(props: ConsentPageProps): Markup {
  const { texts, action, csrf, scopes, homes, chosen, error, errorField = 'password' } = props;
  const { consent } = texts;
  const highest = SCOPES.findLastIndex((scope) => scopes.includes(scope));
  const offered = SCOPES.slice(0, Math.max(highest, 0) + 1);
  const wanted = chosen?.get('scope') ?? offered.at(-1);
  return (
    <Page texts={texts} title={consent.title} wide>
      <h1>
        {consent.heading({
          app: <UntrustedText text={props.clientName} texts={texts} maxLength={MAX_HEADING_LENGTH} />,
        })}
      </h1>
      <Problem message={error} />
      <WhoAsks {...props} />
      <Form action={action} csrf={csrf}>
        <ScopeChoice texts={texts} offered={offered} wanted={wanted} />
        <HomeChoice texts={texts} homes={homes} chosen={chosen} most={offered.at(-1)} />
        <input type="text" name="username" value={props.user.email} autocomplete="username" hidden />
        <Field
          name="password"
          label={consent.password}
          hint={consent.passwordHint}
          type="password"
          autocomplete="current-password"
          problem={errorField === 'password' ? error : undefined}
        />
        <div class="actions pair">
          <button class="primary" type="submit" name="approve" value="yes">
            {consent.allow}
          </button>
          <button type="submit" name="approve" value="no" formnovalidate>
            {consent.refuse}
          </button>
        </div>
      </Form>
      <p class="quiet small aside">{consent.endLater}</p>
      <NotYou {...props} />
    </Page>
  );
}

function WhoAsks({ texts, clientName, clientUri, redirectHost, redirectUri }: ConsentPageProps): Markup {
  const { consent } = texts;
  return (
    <>
      <div class="notice warn">
        <p>
          <strong>{consent.unverified}</strong> {consent.unverifiedMeans}
        </p>
      </div>
      <dl class="facts">
        <div>
          <dt>{consent.goesTo}</dt>
          <dd>
            <bdi class="address">{redirectHost}</bdi>
            <details>
              <summary class="quiet small">{consent.fullAddress}</summary>
              <bdi class="small address">{redirectUri}</bdi>
            </details>
          </dd>
        </div>
        <div>
          <dt>{consent.callsItself}</dt>
          <dd>
            <UntrustedText text={clientName} texts={texts} /> <span class="badge warn">{consent.badge}</span>
          </dd>
        </div>
        {clientUri !== undefined && (
          <div>
            <dt>{consent.site}</dt>
            <dd>
              <UntrustedText text={clientUri} texts={texts} maxLength={300} />
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}

interface ScopeChoiceProps {
  readonly texts: PageTexts;
  readonly offered: readonly ConsentScope[];
  readonly wanted: string | undefined;
}

function ScopeChoice({ texts: { consent }, offered, wanted }: ScopeChoiceProps): Markup {
  return (
    <fieldset>
      <legend>{consent.what}</legend>
      {offered.map((scope) => (
        <label class="choice">
          <input type="radio" name="scope" value={scope} checked={scope === wanted} required />
          <span>
            <b>{consent.scopes[scope].title}</b>
            <span class="hint">{consent.scopes[scope].means}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface HomeChoiceProps extends Pick<ConsentPageProps, 'texts' | 'homes' | 'chosen'> {
  /** The largest scope that the app may get. */
  readonly most: ConsentScope | undefined;
}

function HomeChoice({ texts, homes, chosen, most: scope }: HomeChoiceProps): Markup {
  const { consent } = texts;
  return (
    <fieldset>
      <legend>{consent.where}</legend>
      <label class="choice all-homes">
        <input type="checkbox" name="all_homes" checked={chosen?.has('all_homes') ?? false} />
        <span>
          <b>{consent.allHomes}</b>
          <span class="hint">
            {consent.allHomesMeans}
            {scope === 'admin' && consent.singleHomesMean}
          </span>
        </span>
      </label>
      <div class="homes">
        {homes.map(({ id, name, role }) => {
          const most = scope === 'read' || ROLES.indexOf(role) < ROLES.indexOf('control') ? 'view' : 'control';
          const level = chosen?.get(`home_${id}`) ?? most;
          return <HomeLevels texts={texts} id={id} name={name} most={most} level={level} />;
        })}
      </div>
    </fieldset>
  );
}

const LEVELS = ['none', 'view', 'control'] as const;

interface HomeLevelsProps {
  readonly texts: PageTexts;
  readonly id: string;
  readonly name: string;
  readonly most: 'view' | 'control';
  readonly level: string;
}

function HomeLevels({ texts, id, name, most, level: current }: HomeLevelsProps): Markup {
  const levels = LEVELS.filter((level) => level !== 'control' || most === 'control');
  return (
    <fieldset class="field">
      <legend>
        <UntrustedText text={name} texts={texts} />
      </legend>
      <div class="levels">
        {levels.map((level) => (
          <label class="choice">
            <input type="radio" name={`home_${id}`} value={level} checked={level === current} />
            <span>{texts.consent.levels[level]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function NotYou({ texts, user, csrf, action }: ConsentPageProps): Markup {
  const untrusted = (text: string) => <UntrustedText text={text} texts={texts} />;
  return (
    <div class="row quiet small">
      <span>{texts.consent.signedInAs({ user: untrusted(user.name), email: untrusted(user.email) })}</span>
      <Form action="/logout" csrf={csrf} hidden={{ return_to: action }}>
        <button class="plain" type="submit">
          {texts.consent.notYou}
        </button>
      </Form>
    </div>
  );
}
