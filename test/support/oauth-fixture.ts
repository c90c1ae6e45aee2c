/**
 * A home with a person who signed in, served over real HTTP, and apps that ask for access: they speak through
 * oauth4webapi, and the person's browser keeps cookies and sends forms.
 */
import * as oauth from 'oauth4webapi';
import { createHttpApi, type HttpApiDeps } from '../../src/api/http.ts';
import { hiddenFields, type PageAnswer, PageClient } from '../api/html/page-client.ts';
import { apiDeps } from './rest-client.ts';
import { serveApi } from './served-api.ts';
import { createTestHome, type TestHomeOptions } from './test-home.ts';
import { CountingHasher, createUser, type TestUser } from './test-users.ts';

/** Tests speak plain HTTP on this computer. */
export const INSECURE = { [oauth.allowInsecureRequests]: true } as const;

export const WEB_REDIRECT = 'https://app.example/callback';

export interface AppMetadata {
  readonly redirect_uris?: readonly string[];
  readonly client_name?: string;
  readonly token_endpoint_auth_method?: string;
  readonly [field: string]: unknown;
}

/** A request to `/oauth/authorize` that is good but for what a test changes: `undefined` leaves a parameter out. */
export type AuthorizeChanges = Readonly<Record<string, string | undefined>>;

/** A proxy on this computer speaks https with browsers. */
const BEHIND_PROXY = {
  ownHosts: () => new Set(['localhost', '127.0.0.1']),
  allowedHosts: [],
  allowedOrigins: [],
  publicUrl: null,
  trustedProxies: ['127.0.0.1'],
};

/** What the person does on the consent page. */
export interface Choice {
  readonly scope?: string;
  /** Home id → level; all homes where left out. */
  readonly homes?: Readonly<Record<string, string>>;
  readonly password?: string;
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
}

export type OAuthFixture = Awaited<ReturnType<typeof createOAuthFixture>>;

export async function createOAuthFixture(
  options: TestHomeOptions & { api?: Partial<HttpApiDeps>; https?: boolean } = {},
) {
  const home = createTestHome({ sample: true, passwordHasher: new CountingHasher(), ...options });
  const { app: api } = createHttpApi(
    apiDeps(home, options.https ? { guards: BEHIND_PROXY, ...options.api } : options.api),
  );
  const server = await serveApi(api, { wsPort: 0 });
  const origin = server.url;
  let apps = 0;
  const sessionCookie = options.https ? '__Host-hearthd_session' : 'hearthd_session';
  /** What browsers of this fixture were given, each cookie whole. */
  const setCookies: string[] = [];
  const ann = await createUser(home, { name: 'Ann', founder: true });

  const post = (path: string, body: URLSearchParams | string, headers: Record<string, string> = {}) =>
    fetch(origin + path, { method: 'POST', body, headers, redirect: 'manual' });

  const discover = async (): Promise<oauth.AuthorizationServer> => {
    const issuer = new URL(origin);
    const answer = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE });
    return oauth.processDiscoveryResponse(issuer, answer);
  };

  /** Each from an address of its own: how often one may register is a matter of its own. */
  const register = async (metadata: AppMetadata = {}): Promise<oauth.Client> => {
    apps += 1;
    const { client, secret } = home.oauthClients.register(
      { address: `192.0.2.${apps}` },
      {
        redirect_uris: [WEB_REDIRECT],
        ...metadata,
      },
    );
    return { client_id: client.id, ...(secret !== null && { client_secret: secret }) };
  };

  const registerOverHttp = (body: unknown, path = '/oauth/register') =>
    post(path, JSON.stringify(body), { 'Content-Type': 'application/json' });

  /** A user's browser, signed in at our pages. */
  const browserOf = (person: TestUser | null = ann): PageClient => {
    const request = async (url: string, init: RequestInit) => {
      const headers = new Headers(init.headers);
      if (options.https) {
        headers.set('X-Forwarded-Proto', 'https');
        if (headers.get('Origin') === origin) headers.set('Origin', origin.replace('http:', 'https:'));
      }
      const answer = await fetch(url.replace('https:', 'http:'), { ...init, headers, redirect: 'manual' });
      setCookies.push(...answer.headers.getSetCookie());
      return answer;
    };
    const browser = new PageClient({ request: request as never }, origin);
    if (person) browser.jar.set(sessionCookie, person.pageToken);
    return browser;
  };

  const begin = async (client: oauth.Client, changes: AuthorizeChanges = {}) => {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const given: AuthorizeChanges = {
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: WEB_REDIRECT,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      scope: 'mcp:read mcp:write',
      state,
      ...changes,
    };
    const query = new URLSearchParams(
      Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    return { path: `/oauth/authorize?${query}`, verifier, state };
  };

  /** Goes on from a redirect of ours to where it leads away from us, or to a page. */
  const follow = async (browser: PageClient, answer: PageAnswer): Promise<PageAnswer> => {
    const here = answer.location === null ? undefined : new URL(answer.location, origin);
    if (here?.origin.replace('https:', 'http:') !== origin) return answer;
    return follow(browser, await browser.get(here.pathname + here.search));
  };

  /** Sends the consent page's form. */
  const allow = async (browser: PageClient, page: PageAnswer, choice: Choice = {}): Promise<PageAnswer> => {
    const action = /action="(\/oauth\/interaction\/[^"]+)"/.exec(page.text)?.[1];
    if (action === undefined) throw new Error(`This is no consent page: ${page.status} ${page.location} ${page.text}`);
    const { scope = 'write', homes, password = ann.password } = choice;
    const levels = Object.entries(homes ?? {}).map(([id, level]) => [`home_${id}`, level]);
    return follow(
      browser,
      await browser.post(action, {
        ...hiddenFields(page.text, action),
        scope,
        password,
        approve: 'yes',
        ...(homes ? Object.fromEntries(levels) : { all_homes: 'on' }),
      }),
    );
  };

  /** The whole way to where the app is sent back to, by a person who allows it what it asks for. */
  const authorize = async (client: oauth.Client, changes: AuthorizeChanges = {}, choice: Choice = {}) => {
    const browser = browserOf();
    const { path, verifier, state } = await begin(client, changes);
    const page = await follow(browser, await browser.get(path));
    const answer = page.location === null ? await allow(browser, page, choice) : page;
    return {
      callback: new URL(answer.location ?? 'about:blank'),
      verifier,
      state,
      browser,
      askedAgain: page.location === null,
    };
  };

  const exchange = (client: oauth.Client, code: string, verifier: string, changes: AuthorizeChanges = {}) =>
    askToken(client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: WEB_REDIRECT,
      code_verifier: verifier,
      ...changes,
    });

  const refresh = (client: oauth.Client, refreshToken: string, changes: AuthorizeChanges = {}) =>
    askToken(client, { grant_type: 'refresh_token', refresh_token: refreshToken, ...changes });

  const askToken = async (client: oauth.Client, fields: AuthorizeChanges) => {
    const secret = client.client_secret;
    const all = {
      client_id: client.client_id,
      ...(typeof secret === 'string' && { client_secret: secret }),
      ...fields,
    };
    const form = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const answer = await post('/oauth/token', new URLSearchParams(form));
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any };
  };

  /** Registers nothing: from the consent to the tokens. */
  const signIn = async (client: oauth.Client, changes: AuthorizeChanges = {}, choice: Choice = {}): Promise<Tokens> => {
    const { callback, verifier } = await authorize(client, changes, choice);
    const { redirect_uri: redirectUri = WEB_REDIRECT } = changes;
    const answer = await exchange(client, callback.searchParams.get('code') ?? '', verifier, {
      redirect_uri: redirectUri,
    });
    if (answer.status !== 200) throw new Error(`${callback.href}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

  /** The status of a question that every app may ask. */
  const statusOf = async (token: string, path = '/rest/homes'): Promise<number> =>
    (await fetch(origin + path, { headers: { Authorization: `Bearer ${token}` } })).status;

  return {
    home,
    origin,
    /** Of the port that speaks WebSocket alone. */
    wsOrigin: `ws://127.0.0.1:${server.wsPort}`,
    ann,
    sessionCookie,
    setCookies,
    post,
    discover,
    register,
    registerOverHttp,
    askToken,
    browserOf,
    begin,
    follow,
    allow,
    authorize,
    exchange,
    refresh,
    signIn,
    statusOf,
    async close(): Promise<void> {
      await server.stop();
      home.close();
    },
  };
}
