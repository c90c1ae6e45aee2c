import type { Role } from '../../app/access/caller.ts';
import { parseScope } from '../../app/oauth/scope.ts';
import { NewPasswordField } from './account-fields.tsx';
import { deviceInWords } from './device-words.ts';
import { Done, Field, Form, Problem } from './form.tsx';
import { type Markup, Page } from './page.tsx';
import { Foreign } from './plain-text.tsx';
import { problemOf, type Refusal } from './refusal.ts';
import { ROLE_WORDS } from './role-words.ts';

export interface AccountPageProps {
  readonly user: { readonly name: string; readonly email: string };
  readonly invitations: readonly ShownInvitation[];
  readonly sessions: readonly ShownSession[];
  readonly apps: readonly ShownApp[];
  readonly csrf: string;
  readonly done?: string | undefined;
  /** What is done opened a home to them: they are led to the dashboard, which has a sign-in of its own. */
  readonly leadsHome?: boolean;
  readonly refusal?: Refusal;
}

interface ShownInvitation {
  readonly homeId: string;
  readonly homeName: string;
  readonly role: Role;
  readonly inviterName: string | null;
}

interface ShownSession {
  readonly id: string;
  readonly device: string | null;
  readonly address: string | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly isCurrent: boolean;
}

interface ShownApp {
  readonly clientId: string;
  readonly clientName: string;
  /** As OAuth has it: `mcp:read mcp:write`. */
  readonly scope: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

const SCOPE_WORDS = { read: 'sees', write: 'sees and controls', admin: 'does everything you may' } as const;

export function AccountPage({
  user,
  invitations,
  sessions,
  apps,
  csrf,
  done,
  leadsHome,
  refusal,
}: AccountPageProps): Markup {
  return (
    <Page title={refusal ? 'Error: Your account' : 'Your account'} wide>
      <h1>
        <Foreign text={user.name} />
      </h1>
      <div class="row">
        <span class="quiet">
          <Foreign text={user.email} maxLength={254} />
        </span>
        <Form action="/logout" csrf={csrf}>
          <button type="submit">Sign out</button>
        </Form>
      </div>
      <div class="news">
        <Done message={done}>
          {leadsHome && (
            <>
              <p>Sign in there once more, with the same address and password.</p>
              <div class="actions">
                <a class="button primary" href="/">
                  Open the home
                </a>
              </div>
            </>
          )}
        </Done>
        <Problem message={refusal?.message} />
        {invitations.map((invitation) => (
          <Invitation {...invitation} csrf={csrf} />
        ))}
      </div>
      <Sessions sessions={sessions} csrf={csrf} />
      <Apps apps={apps} csrf={csrf} />
      <NewPassword email={user.email} csrf={csrf} refusal={refusal} />
    </Page>
  );
}

type WithCsrf<T> = T & { readonly csrf: string };

function Invitation({ homeId, homeName, inviterName, role, csrf }: WithCsrf<ShownInvitation>): Markup {
  return (
    <section class="notice">
      <p>
        {inviterName === null ? (
          'You are'
        ) : (
          <>
            <Foreign text={inviterName} /> has you
          </>
        )}{' '}
        invited to{' '}
        <strong>
          <Foreign text={homeName} />
        </strong>
        . You may {ROLE_WORDS[role]}.
      </p>
      <Answers path={`/account/invitations/${homeId}`} csrf={csrf} />
    </section>
  );
}

interface AnswersProps {
  /** Below it are `/accept` and `/decline`. */
  readonly path: string;
  readonly csrf: string;
}

/** The two answers to an invitation. */
function Answers({ path, csrf }: AnswersProps): Markup {
  return (
    <div class="actions pair">
      <Form action={`${path}/accept`} csrf={csrf}>
        <button class="primary full" type="submit">
          Accept
        </button>
      </Form>
      <Form action={`${path}/decline`} csrf={csrf}>
        <button class="full" type="submit">
          Decline
        </button>
      </Form>
    </div>
  );
}

function Sessions({ sessions, csrf }: WithCsrf<Pick<AccountPageProps, 'sessions'>>): Markup {
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Where you are signed in</h2>
      <ul class="list">
        {sessions
          .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
          .map(({ id, device, address, createdAt, lastUsedAt, isCurrent }) => (
            <li>
              <div>
                <div>
                  {deviceInWords(device)} {isCurrent && <span class="badge">this one</span>}
                </div>
                <div class="quiet small">
                  since <Moment at={createdAt} />
                  {lastUsedAt !== null && !isCurrent && (
                    <>
                      , last used <Moment at={lastUsedAt} />
                    </>
                  )}
                  {address !== null && <> from {address}</>}
                </div>
              </div>
              {!isCurrent && (
                <Form action={`/account/sessions/${id}/end`} csrf={csrf}>
                  <button type="submit" aria-label={`End ${deviceInWords(device)}`}>
                    End
                  </button>
                </Form>
              )}
            </li>
          ))}
      </ul>
      {sessions.length > 1 && (
        <Form action="/account/sessions/end-others" csrf={csrf}>
          <button type="submit">Sign out everywhere else</button>
        </Form>
      )}
    </section>
  );
}

function Apps({ apps, csrf }: WithCsrf<Pick<AccountPageProps, 'apps'>>): Markup {
  return (
    <section aria-labelledby="apps">
      <h2 id="apps">Apps you let in</h2>
      {apps.length === 0 && <p class="quiet">None.</p>}
      {apps.length > 0 && (
        <ul class="list">
          {apps.map(({ clientId, clientName, scope, createdAt, lastUsedAt }) => (
            <li>
              <div>
                <div>
                  <Foreign text={clientName} />
                </div>
                <div class="quiet small">
                  {SCOPE_WORDS[parseScope(scope) ?? 'read']}, since <Moment at={createdAt} />
                  {lastUsedAt !== null && (
                    <>
                      , last used <Moment at={lastUsedAt} />
                    </>
                  )}
                </div>
              </div>
              <Form action={`/account/apps/${encodeURIComponent(clientId)}/end`} csrf={csrf}>
                <button type="submit" aria-label={`Shut out ${clientName}`}>
                  Shut out
                </button>
              </Form>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface NewPasswordProps {
  readonly email: string;
  readonly csrf: string;
  readonly refusal: Refusal | undefined;
}

function NewPassword({ email, csrf, refusal }: NewPasswordProps): Markup {
  return (
    <section aria-labelledby="password">
      <h2 id="password">A new password</h2>
      <p class="quiet">It signs you out everywhere else. Apps and access tokens stay.</p>
      <Form action="/account/password" csrf={csrf}>
        {/* For password managers, which keep a password with a name. */}
        <input type="text" name="username" value={email} autocomplete="username" hidden />
        <Field
          name="currentPassword"
          label="Your password until now"
          type="password"
          autocomplete="current-password"
          problem={problemOf(refusal, 'currentPassword')}
        />
        <NewPasswordField name="newPassword" label="New password" refusal={refusal} />
        <div class="actions">
          <button class="primary" type="submit">
            Change password
          </button>
        </div>
      </Form>
    </section>
  );
}

/** By the clock of the computer that the relay runs on, which is the house's. */
function Moment({ at }: { readonly at: number }): Markup {
  const date = new Date(at);
  return <time datetime={date.toISOString()}>{MOMENT.format(date)}</time>;
}

const MOMENT = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
