import type { Role } from '../../app/access/caller.ts';
import { parseScope } from '../../contract/oauth-scope.ts';
import { dateFormat } from '../../texts/intl.ts';
import { NewPasswordField } from './account-fields.tsx';
import { deviceInWords } from './device-words.ts';
import { Done, Field, Form, Problem } from './form.tsx';
import { type Markup, Page } from './page.tsx';
import { UntrustedText } from './plain-text.tsx';
import { type PageRefusal, problemOf } from './refusal.ts';
import type { PageTexts } from './texts.ts';

export interface AccountPageProps {
  readonly texts: PageTexts;
  /** Of dates and times: `en-GB`. */
  readonly locale: string;
  readonly user: { readonly name: string; readonly email: string };
  readonly invitations: readonly ShownInvitation[];
  readonly sessions: readonly ShownSession[];
  readonly apps: readonly ShownApp[];
  /** Whether the password needs a code of an authenticator app. */
  readonly hasApp: boolean;
  readonly csrf: string;
  readonly done?: string | undefined;
  /** The action gave them access to a home: the page links to the dashboard, which has a sign-in of its own. */
  readonly leadsHome?: boolean;
  readonly refusal?: PageRefusal;
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
  /** What is deleted with it. */
  readonly made: readonly { readonly kind: keyof PageTexts['account']['made']; readonly name: string }[];
}

export function AccountPage({
  texts,
  locale,
  user,
  invitations,
  sessions,
  apps,
  hasApp,
  csrf,
  done,
  leadsHome,
  refusal,
}: AccountPageProps): Markup {
  const { title, signOut, signInThere, openHome } = texts.account;
  return (
    <Page texts={texts} title={refusal ? texts.failed({ title }) : title} wide>
      <h1>
        <UntrustedText text={user.name} texts={texts} />
      </h1>
      <div class="row">
        <span class="quiet">
          {user.email !== user.name && <UntrustedText text={user.email} texts={texts} maxLength={254} />}
        </span>
        <Form action="/logout" csrf={csrf}>
          <button type="submit">{signOut}</button>
        </Form>
      </div>
      <div class="news">
        <Done message={done}>
          {leadsHome && (
            <>
              <p>{signInThere}</p>
              <div class="actions">
                <a class="button primary" href="/">
                  {openHome}
                </a>
              </div>
            </>
          )}
        </Done>
        <Problem message={refusal?.message} />
        {invitations.map((invitation) => (
          <Invitation texts={texts} {...invitation} csrf={csrf} />
        ))}
      </div>
      <Sessions texts={texts} locale={locale} sessions={sessions} csrf={csrf} />
      <Apps texts={texts} locale={locale} apps={apps} csrf={csrf} />
      <SecondStep texts={texts} hasApp={hasApp} />
      <NewPassword texts={texts} email={user.email} csrf={csrf} refusal={refusal} />
    </Page>
  );
}

type WithForms<T> = T & Pick<AccountPageProps, 'texts' | 'csrf'>;

function Invitation({ texts, homeId, homeName, inviterName, role, csrf }: WithForms<ShownInvitation>): Markup {
  const { invited, invitedBy } = texts.account;
  const home = (
    <strong>
      <UntrustedText text={homeName} texts={texts} />
    </strong>
  );
  return (
    <section class="notice">
      <p>
        {inviterName === null
          ? invited({ home })
          : invitedBy({ home, inviter: <UntrustedText text={inviterName} texts={texts} /> })}{' '}
        {texts.roles[role]}
      </p>
      <Answers texts={texts} path={`/account/invitations/${homeId}`} csrf={csrf} />
    </section>
  );
}

/** The two responses to an invitation. @param path the base of `/accept` and `/decline` */
function Answers({ texts, path, csrf }: WithForms<{ readonly path: string }>): Markup {
  return (
    <div class="actions pair">
      <Form action={`${path}/accept`} csrf={csrf}>
        <button class="primary full" type="submit">
          {texts.account.accept}
        </button>
      </Form>
      <Form action={`${path}/decline`} csrf={csrf}>
        <button class="full" type="submit">
          {texts.account.decline}
        </button>
      </Form>
    </div>
  );
}

function Sessions({ texts, locale, sessions, csrf }: WithForms<Pick<AccountPageProps, 'sessions' | 'locale'>>): Markup {
  const { account } = texts;
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">{account.sessions}</h2>
      <ul class="list">
        {sessions
          .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
          .map(({ id, device, address, createdAt, lastUsedAt, isCurrent }) => (
            <li>
              <div>
                <div>
                  {deviceInWords(device, texts)} {isCurrent && <span class="badge">{account.thisOne}</span>}
                </div>
                <div class="quiet small">
                  {account.since({ moment: <Moment locale={locale} at={createdAt} /> })}
                  {lastUsedAt !== null &&
                    !isCurrent &&
                    account.lastUsed({ moment: <Moment locale={locale} at={lastUsedAt} /> })}
                  {address !== null && account.from({ address })}
                </div>
              </div>
              {!isCurrent && (
                <Form action={`/account/sessions/${id}/end`} csrf={csrf}>
                  <button type="submit" aria-label={account.endOf({ device: deviceInWords(device, texts) })}>
                    {account.end}
                  </button>
                </Form>
              )}
            </li>
          ))}
      </ul>
      {sessions.length > 1 && (
        <Form action="/account/sessions/end-others" csrf={csrf}>
          <button type="submit">{account.endOthers}</button>
        </Form>
      )}
    </section>
  );
}

function Apps({ texts, locale, apps, csrf }: WithForms<Pick<AccountPageProps, 'apps' | 'locale'>>): Markup {
  const { account } = texts;
  return (
    <section aria-labelledby="apps">
      <h2 id="apps">{account.apps}</h2>
      {apps.length === 0 && <p class="quiet">{account.noApps}</p>}
      {apps.length > 0 && (
        <ul class="list">
          {apps.map(({ clientId, clientName, scope, createdAt, lastUsedAt, made }) => (
            <li>
              <div>
                <div>
                  <UntrustedText text={clientName} texts={texts} />
                </div>
                <div class="quiet small">
                  {account.appSince({
                    scope: account.scopes[parseScope(scope) ?? 'read'],
                    moment: <Moment locale={locale} at={createdAt} />,
                  })}
                  {lastUsedAt !== null && account.lastUsed({ moment: <Moment locale={locale} at={lastUsedAt} /> })}
                </div>
                {made.length > 0 && (
                  <div class="small">
                    {account.endsWithApp}
                    <ul>
                      {made.map(({ kind, name }) => (
                        <li>
                          {account.made[kind]} <UntrustedText text={name} texts={texts} />
                        </li>
                      ))}
                    </ul>
                  </div>
                )}
              </div>
              <Form action={`/account/apps/${encodeURIComponent(clientId)}/end`} csrf={csrf}>
                <button type="submit" aria-label={account.removeAccessOf({ name: clientName })}>
                  {account.removeAccess}
                </button>
              </Form>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function SecondStep({ texts, hasApp }: Pick<AccountPageProps, 'texts' | 'hasApp'>): Markup {
  const { secondStep } = texts;
  return (
    <section aria-labelledby="second-step">
      <h2 id="second-step">{secondStep.title}</h2>
      <p>{hasApp ? secondStep.on : secondStep.off}</p>
      {!hasApp && (
        <p>
          <a class="button" href="/account/second-step">
            {secondStep.setUp}
          </a>
        </p>
      )}
    </section>
  );
}

interface NewPasswordProps {
  readonly email: string;
  readonly refusal: PageRefusal | undefined;
}

function NewPassword({ texts, email, csrf, refusal }: WithForms<NewPasswordProps>): Markup {
  const { account } = texts;
  return (
    <section aria-labelledby="password">
      <h2 id="password">{account.password}</h2>
      <p class="quiet">{account.passwordLead}</p>
      <Form action="/account/password" csrf={csrf}>
        {/* For password managers, which keep a password with a name. */}
        <input type="text" name="username" value={email} autocomplete="username" hidden />
        <Field
          name="currentPassword"
          label={account.currentPassword}
          type="password"
          autocomplete="current-password"
          problem={problemOf(refusal, 'currentPassword')}
        />
        <NewPasswordField texts={texts} name="newPassword" label={account.newPassword} refusal={refusal} />
        <div class="actions">
          <button class="primary" type="submit">
            {account.changePassword}
          </button>
        </div>
      </Form>
    </section>
  );
}

const MOMENT = { dateStyle: 'medium', timeStyle: 'short' } as const;

/** In the time zone of the relay's computer, which is the home's. */
function Moment({ locale, at }: { readonly locale: string; readonly at: number }): Markup {
  const date = new Date(at);
  return <time datetime={date.toISOString()}>{dateFormat(locale, MOMENT).format(date)}</time>;
}
