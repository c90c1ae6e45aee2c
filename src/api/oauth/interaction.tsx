/**
 * The pages of an app's sign-in. The library begins it and redirects the browser here. These pages authenticate the
 * user and ask for consent; then the browser returns to the library, which responds to the app.
 */
import { Hono } from 'hono';
import type { Interaction, Provider } from 'oidc-provider';
import type { AppDeps } from '../../app/access/app-deps.ts';
import type { Caller } from '../../app/access/caller.ts';
import type { AuthorizedApps } from '../../app/oauth/authorized-apps.ts';
import { nameOf, type OAuthClients } from '../../app/oauth/clients.ts';
import { type ResourceKind, resourceOfUrn, resourceUrn } from '../../app/oauth/resource.ts';
import type { Users } from '../../app/users/users.ts';
import { isLevel, levelsUpTo, parseScope, presentScope, type ScopeLevel } from '../../contract/oauth-scope.ts';
import { kindOfRedirect } from '../../contract/redirect-uri.ts';
import type { Cookies } from '../cookies.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import { ConsentPage, redirectHostOf } from '../html/consent-page.tsx';
import { readForm } from '../html/form.tsx';
import { answerPage, formActionSource, seeOther } from '../html/page.tsx';
import type { PageSessions } from '../html/page-session.ts';
import { type PageRefusal, refusalOf } from '../html/refusal.ts';
import { loginPath } from '../html/return-to.ts';
import { PageError } from '../html/sentences.ts';
import { texts, textsOf } from '../html/texts.ts';
import { languageOf } from '../language.ts';
import type { AuthorizationServers } from './authorization-server.ts';
import { interactionCookies } from './interaction-cookie.ts';
import { PATHS } from './provider.ts';
import { askProvider, makePair, type ProviderRequest } from './provider-bridge.ts';

export interface InteractionDeps extends AppDeps<'state' | 'access'> {
  readonly users: Users;
  readonly oauthClients: OAuthClients;
  readonly authorizedApps: AuthorizedApps;
  readonly pageSessions: PageSessions;
  readonly servers: AuthorizationServers;
  readonly cookies: Cookies;
  readonly originOf: (c: ApiContext) => string;
}

/** A sign-in in progress, as this browser began it. */
interface SignIn {
  readonly provider: Provider;
  readonly request: ProviderRequest;
  readonly uid: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** The largest scope that the app requests. */
  readonly level: ScopeLevel;
  readonly resource: ResourceKind;
  /** The app requires consent, even if the user granted it before. */
  readonly asksAgain: boolean;
}

/** Forms and their pages: for the user signed in at the relay's pages. */
export function interactionRoutes(deps: InteractionDeps): Hono<ApiEnv> {
  const { pageSessions, authorizedApps, users } = deps;

  return new Hono<ApiEnv>()
    .get(`${PATHS.interaction}/:uid`, async (c) => {
      const signIn = await findSignIn(deps, c);
      const caller = await pageSessions.userOf(c);
      if (!caller) return seeOther(c, loginPath(pathOf(signIn)));
      const level = allowedBefore(authorizedApps, caller, signIn);
      return level === undefined ? answerConsent(deps, c, caller, signIn) : finish(c, caller, signIn, level);
    })

    .post(`${PATHS.interaction}/:uid`, async (c) => {
      const signIn = await findSignIn(deps, c);
      const form = await readForm(c);
      pageSessions.requireCsrf(c, form);
      const caller = await pageSessions.userOf(c);
      if (!caller) return seeOther(c, loginPath(pathOf(signIn)));
      if (form.get('approve') !== 'yes') return decline(c, signIn);
      try {
        const { level, homePermissions } = parseChoice(deps, caller, signIn, form);
        if (!(await users.verifyPassword(caller, form.get('password') ?? ''))) {
          throw new PageError('invalid_credentials', (language) => texts[language].refused.wrongPassword);
        }
        const { clientId, resource } = signIn;
        authorizedApps.allow(caller, { clientId, scope: level, homePermissions, resource });
        return await finish(c, caller, signIn, level);
      } catch (error) {
        return answerConsent(deps, c, caller, signIn, { form, refusal: refusalOf(error, languageOf(c)) });
      }
    });
}

/** @throws `invalid_request` this browser began no sign-in, or it has ended */
async function findSignIn({ servers, cookies, originOf }: InteractionDeps, c: ApiContext): Promise<SignIn> {
  const origin = originOf(c);
  const uid = c.req.param('uid') ?? '';
  const provider = await servers.at(origin);
  const cookie = interactionCookies(cookies, c, uid);
  const request: ProviderRequest = { method: 'GET', target: c.req.path, origin, cookie };
  const interaction = await provider.interactionDetails(...makePair(request)).catch(() => undefined);
  const details = interaction && readDetails(interaction);
  if (!details || details.uid !== uid) throw ended();
  return { provider, request, ...details };
}

function readDetails({ uid, params }: Interaction): Omit<SignIn, 'provider' | 'request'> | undefined {
  const { client_id: clientId, redirect_uri: redirectUri, scope, resource: urn, prompt } = params;
  const level = parseScope(String(scope));
  const resource = resourceOfUrn(urn);
  if (typeof clientId !== 'string' || typeof redirectUri !== 'string' || !level || !resource) return undefined;
  return { uid, clientId, redirectUri, level, resource, asksAgain: /\b(?:login|consent)\b/.test(String(prompt ?? '')) };
}

function ended(): PageError {
  return new PageError('invalid_request', (language) => texts[language].refused.consentOver);
}

/**
 * The same consent is not requested twice, except for an app on a user's own computer: any program there may
 * impersonate it, so the user must confirm (RFC 8252 §8.6, RFC 9700 §4.14).
 */
function allowedBefore(apps: AuthorizedApps, caller: Caller, signIn: SignIn): ScopeLevel | undefined {
  if (signIn.asksAgain || kindOfRedirect(signIn.redirectUri) !== 'web') return undefined;
  return apps.allowed(caller, signIn.clientId, signIn.level, signIn.resource);
}

interface ConsentChoice {
  readonly level: ScopeLevel;
  readonly homePermissions: Readonly<Record<string, 'view' | 'control'>> | null;
}

/** @throws `invalid_value` */
function parseChoice(deps: InteractionDeps, caller: Caller, { level }: SignIn, form: URLSearchParams): ConsentChoice {
  const chosen = form.get('scope');
  if (!isLevel(chosen) || !levelsUpTo(level).includes(chosen)) {
    throw new PageError('invalid_value', (language) => texts[language].refused.noScope, { field: 'scope' });
  }
  if (form.has('all_homes')) return { level: chosen, homePermissions: null };
  const homes = deps.access.visibleHomes(caller, deps.state.homes());
  const levels = homes.flatMap(({ id }) => {
    const wanted = form.get(`home_${id}`);
    return wanted === 'view' || wanted === 'control' ? [[id, wanted] as const] : [];
  });
  if (levels.length === 0) {
    throw new PageError('invalid_value', (language) => texts[language].refused.noHome, { field: 'homes' });
  }
  return { level: chosen, homePermissions: Object.fromEntries(levels) };
}

interface SentBack {
  readonly form: URLSearchParams;
  readonly refusal: PageRefusal;
}

function answerConsent(
  deps: InteractionDeps,
  c: ApiContext,
  caller: Caller,
  signIn: SignIn,
  back?: SentBack,
): Response {
  const client = deps.oauthClients.find(signIn.clientId);
  if (!client) throw ended();
  const homes = deps.access
    .visibleHomes(caller, deps.state.homes())
    .map(({ id, name }) => ({ id, name, role: deps.access.roleIn(caller, id) ?? 'view' }));
  const page = (
    <ConsentPage
      texts={textsOf(c)}
      clientName={nameOf(client.metadata, client.id)}
      clientUri={client.metadata.clientUri ?? undefined}
      redirectHost={redirectHostOf(signIn.redirectUri, textsOf(c))}
      redirectUri={signIn.redirectUri}
      scopes={levelsUpTo(signIn.level)}
      homes={homes}
      csrf={deps.pageSessions.csrfToken(c)}
      action={pathOf(signIn)}
      user={deps.users.me(caller)}
      error={back?.refusal.message}
      errorField={back?.refusal.field === undefined ? 'password' : 'choice'}
      chosen={back?.form}
    />
  );
  const { status = 200, headers = {} } = back?.refusal ?? {};
  return answerPage(c, page, { status, headers, formAction: [formActionSource(signIn.redirectUri)] });
}

/** The app gets a grant of its own for each sign-in, so that a stolen one ends without the others. */
async function finish(c: ApiContext, { principal }: Caller, signIn: SignIn, level: ScopeLevel): Promise<Response> {
  if (principal.kind !== 'user') throw ended();
  const { provider, clientId } = signIn;
  const accountId = principal.userId;
  const grant = new provider.Grant({ accountId, clientId });
  const urn = resourceUrn(signIn.resource);
  grant.addResourceScope(urn, presentScope(level));
  // Scopes that were not granted are declined: otherwise the library would ask for them.
  const declined = levelsUpTo(signIn.level).slice(levelsUpTo(level).length);
  if (declined.length > 0) grant.rejectResourceScope(urn, declined.map((each) => `mcp:${each}`).join(' '));
  const grantId = await grant.save();
  return goBack(c, signIn, { login: { accountId, remember: false }, consent: { grantId } });
}

function decline(c: ApiContext, signIn: SignIn): Promise<Response> {
  return goBack(c, signIn, { error: 'access_denied', error_description: 'The person did not allow it.' });
}

type Result = Parameters<Provider['interactionFinished']>[2];

async function goBack(c: ApiContext, { provider, request, uid }: SignIn, result: Result): Promise<Response> {
  const options = { mergeWithLastSubmission: false };
  await askProvider((incoming, response) => provider.interactionFinished(incoming, response, result, options), request);
  return seeOther(c, `${PATHS.authorize}/${uid}`);
}

function pathOf({ uid }: SignIn): string {
  return `${PATHS.interaction}/${uid}`;
}
