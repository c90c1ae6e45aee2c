/**
 * What a person is asked when an app wants into the house. Everything that the app says about itself is shown as its own claim, and
 * where the answer will really be sent stands there in full; what is allowed is chosen here, and confirmed with the password, so that
 * nobody who finds a browser signed in, or lays a page over this one, can let an app in.
 */
import { ROLES, type Role } from '../../app/access/caller.ts';
import { Field, Form, Problem } from './form.tsx';
import { type Markup, Page } from './page.tsx';
import { Foreign } from './plain-text.tsx';

export type ConsentScope = 'read' | 'write' | 'admin';

export interface ConsentPageProps {
  /** As the app registered itself: unverified. */
  readonly clientName: string;
  readonly clientUri?: string | undefined;
  /** Where the answer goes, as `redirectHostOf` tells it. */
  readonly redirectHost: string;
  readonly redirectUri: string;
  /** What the app asked for; less may be given. */
  readonly scopes: readonly ConsentScope[];
  /** The homes of the person, with what they may do there. */
  readonly homes: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
  readonly csrf: string;
  readonly action: string;
  readonly user: { readonly name: string; readonly email: string };
  /** Why the page came back: "Wrong password." */
  readonly error?: string | undefined;
  /** What the error is about: the password, unless it says otherwise. */
  readonly errorField?: 'password' | 'choice';
  /** What was chosen before it came back; the form's own fields. */
  readonly chosen?: Pick<URLSearchParams, 'get' | 'has'> | undefined;
}

/** A name that fills the page pushes what matters out of it: it stands in full further down. */
const MAX_HEADING_LENGTH = 40;

/** From the least to the most; each includes those before it. */
const SCOPES: readonly ConsentScope[] = ['read', 'write', 'admin'];

const SCOPE_WORDS: Readonly<Record<ConsentScope, { readonly title: string; readonly means: string }>> = {
  read: {
    title: 'See only',
    means: 'Which accessories, rooms and scenes there are, what they are doing, and what was recorded.',
  },
  write: {
    title: 'See and control',
    means: 'Also switch and set accessories, locks and doors among them, and run scenes.',
  },
  admin: {
    title: 'Everything you may do',
    means:
      'Also change homes, rooms, automations and who has access. Choose this only for an app that you trust as yourself.',
  },
};

/** The host that an answer goes to, as the network knows it: `xn--…` for letters that could look like others. */
export function redirectHostOf(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri);
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol} an app on your device`;
}

export function ConsentPage(props: ConsentPageProps): Markup {
  const { action, csrf, scopes, homes, chosen, error, errorField = 'password' } = props;
  const highest = SCOPES.findLastIndex((scope) => scopes.includes(scope));
  const offered = SCOPES.slice(0, Math.max(highest, 0) + 1);
  const wanted = chosen?.get('scope') ?? offered.at(-1);
  return (
    <Page title="Allow an app" wide>
      <h1>
        Let <Foreign text={props.clientName} maxLength={MAX_HEADING_LENGTH} /> into your home?
      </h1>
      <Problem message={error} />
      <WhoAsks {...props} />
      <Form action={action} csrf={csrf}>
        <ScopeChoice offered={offered} wanted={wanted} />
        <HomeChoice homes={homes} chosen={chosen} most={offered.at(-1)} />
        <input type="text" name="username" value={props.user.email} autocomplete="username" hidden />
        <Field
          name="password"
          label="Your password"
          hint="Asked again for every app, so that nobody else can allow one."
          type="password"
          autocomplete="current-password"
          problem={errorField === 'password' ? error : undefined}
        />
        <div class="actions pair">
          <button class="primary" type="submit" name="approve" value="yes">
            Allow
          </button>
          <button type="submit" name="approve" value="no" formnovalidate>
            Don’t allow
          </button>
        </div>
      </Form>
      <p class="quiet small aside">You can end this at any time on your account page.</p>
      <NotYou {...props} />
    </Page>
  );
}

function WhoAsks({ clientName, clientUri, redirectHost, redirectUri }: ConsentPageProps): Markup {
  return (
    <>
      <div class="notice warn">
        <p>
          <strong>Unverified.</strong> The app chose this name itself. Go on only if you started this in an app of yours
          just now, and if you know the address below.
        </p>
      </div>
      <dl class="facts">
        <div>
          <dt>The answer goes to</dt>
          <dd>
            <bdi class="address">{redirectHost}</bdi>
            <details>
              <summary class="quiet small">Full address</summary>
              <bdi class="small address">{redirectUri}</bdi>
            </details>
          </dd>
        </div>
        <div>
          <dt>It calls itself</dt>
          <dd>
            <Foreign text={clientName} /> <span class="badge warn">unverified</span>
          </dd>
        </div>
        {clientUri !== undefined && (
          <div>
            <dt>It says its site is</dt>
            <dd>
              <Foreign text={clientUri} maxLength={300} />
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}

interface ScopeChoiceProps {
  readonly offered: readonly ConsentScope[];
  readonly wanted: string | undefined;
}

function ScopeChoice({ offered, wanted }: ScopeChoiceProps): Markup {
  return (
    <fieldset>
      <legend>What it may do</legend>
      {offered.map((scope) => (
        <label class="choice">
          <input type="radio" name="scope" value={scope} checked={scope === wanted} required />
          <span>
            <b>{SCOPE_WORDS[scope].title}</b>
            <span class="hint">{SCOPE_WORDS[scope].means}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface HomeChoiceProps extends Pick<ConsentPageProps, 'homes' | 'chosen'> {
  /** The most that the app may be given. */
  readonly most: ConsentScope | undefined;
}

function HomeChoice({ homes, chosen, most: scope }: HomeChoiceProps): Markup {
  return (
    <fieldset>
      <legend>Where</legend>
      <label class="choice all-homes">
        <input type="checkbox" name="all_homes" checked={chosen?.has('all_homes') ?? false} />
        <span>
          <b>In all my homes</b>
          <span class="hint">
            Those I join later too, as far as I may go in each.
            {scope === 'admin' && ' In single homes an app can see and control, and change nothing else.'}
          </span>
        </span>
      </label>
      <div class="homes">
        {homes.map(({ id, name, role }) => {
          const most = scope === 'read' || ROLES.indexOf(role) < ROLES.indexOf('control') ? 'view' : 'control';
          const level = chosen?.get(`home_${id}`) ?? most;
          return <HomeLevels id={id} name={name} most={most} level={level} />;
        })}
      </div>
    </fieldset>
  );
}

const LEVELS = [
  { level: 'none', label: 'Not at all' },
  { level: 'view', label: 'See' },
  { level: 'control', label: 'Control' },
] as const;

interface HomeLevelsProps {
  readonly id: string;
  readonly name: string;
  readonly most: 'view' | 'control';
  readonly level: string;
}

function HomeLevels({ id, name, most, level: current }: HomeLevelsProps): Markup {
  const levels = LEVELS.filter(({ level }) => level !== 'control' || most === 'control');
  return (
    <fieldset class="field">
      <legend>
        <Foreign text={name} />
      </legend>
      <div class="levels">
        {levels.map(({ level, label }) => (
          <label class="choice">
            <input type="radio" name={`home_${id}`} value={level} checked={level === current} />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function NotYou({ user, csrf, action }: ConsentPageProps): Markup {
  return (
    <div class="row quiet small">
      <span>
        Signed in as <Foreign text={user.name} /> (<Foreign text={user.email} />)
      </span>
      <Form action="/logout" csrf={csrf} hidden={{ return_to: action }}>
        <button class="plain" type="submit">
          Not you? Sign out
        </button>
      </Form>
    </div>
  );
}
