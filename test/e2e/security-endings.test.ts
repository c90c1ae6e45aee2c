/**
 * Endings (security checklist, rows 28 and 30): each right that is revoked, by any API, is over within a second for
 * what is open already; and what is past stays so, however the clock is set. Over real HTTP, on a clock that the test
 * moves.
 */
import { setImmediate } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type * as oauth from 'oauth4webapi';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hiddenFields } from '../api/html/page-client.ts';
import { createOAuthFixture, type OAuthFixture, type Tokens, WEB_REDIRECT } from '../support/oauth-fixture.ts';
import { systemCaller } from '../support/test-home.ts';
import { createUser, type TestUser } from '../support/test-users.ts';
import { TestWebSocket } from '../support/web-socket-client.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;

let fixture: OAuthFixture;
let bob: TestUser;
const clients: Client[] = [];
const sockets: TestWebSocket[] = [];

beforeEach(async () => {
  fixture = await createOAuthFixture();
  bob = await createUser(fixture.home, { name: 'Bob', role: 'admin' });
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  for (const socket of sockets.splice(0)) socket.close();
  await fixture.close();
});

/** One request as a person's session, to a door of the API. */
async function ask(token: string, method: string, path: string, body?: object): Promise<number> {
  const answer = await fetch(fixture.origin + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return answer.status;
}

const mutate = (token: string, query: string): Promise<number> => ask(token, 'POST', '/graphql', { query });

/** Sends one of the forms on a user's account page, or the sign-out. */
async function submit(person: TestUser, action: string, fields: Record<string, string> = {}): Promise<number> {
  const browser = fixture.browserOf(person);
  const page = await browser.get('/account');
  return (await browser.post(action, { ...hiddenFields(page.text, action), ...fields })).status;
}

/** Lets Bob's app in at the pages. */
async function authorizeApp(
  client: oauth.Client,
): Promise<Tokens & { readonly code: string; readonly verifier: string }> {
  const browser = fixture.browserOf(bob);
  const { path, verifier } = await fixture.begin(client);
  const page = await fixture.follow(browser, await browser.get(path));
  const answer = await fixture.allow(browser, page, { password: bob.password });
  const code = new URL(answer.location ?? '').searchParams.get('code') ?? '';
  const { body } = await fixture.exchange(client, code, verifier, { redirect_uri: WEB_REDIRECT });
  return { ...body, code, verifier };
}

/** A stream's last message, once it is over. */
type Ended = Promise<string>;

async function readToEnd(
  path: string,
  init: RequestInit & { readonly headers: Record<string, string> },
): Promise<{ ended: Ended }> {
  const answer = await fetch(fixture.origin + path, init);
  expect([path, answer.status]).toEqual([path, 200]);
  return { ended: answer.text().then((text) => text.slice(-300)) };
}

async function webSocket(url: string, headers: Record<string, string> = {}): Promise<TestWebSocket> {
  const socket = await TestWebSocket.open(url, { headers });
  sockets.push(socket);
  return socket;
}

const codeOf = async (socket: TestWebSocket): Promise<{ ended: Ended }> => ({
  ended: socket.untilClosed().then(({ code }) => `${code} ${JSON.stringify(socket.messages.at(-1))}`),
});

const bearerOf = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Every kind of stream that stays open for who has credentials, and its message when these are over. */
const STREAMS: Readonly<Record<string, { open(token: string): Promise<{ ended: Ended }>; message: RegExp }>> = {
  events: {
    open: (token) => readToEnd('/events', { headers: bearerOf(token) }),
    message: /event: end\ndata: \{"reason":"revoked"\}\n\n$/,
  },
  'GraphQL subscription': {
    open: (token) =>
      readToEnd('/graphql', {
        method: 'POST',
        headers: { ...bearerOf(token), Accept: 'text/event-stream', 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: 'subscription { events { type } }' }),
      }),
    message: /AUTHENTICATION_REQUIRED.*\n\nevent: complete\ndata:\n\n$/,
  },
  'WebSocket of the HTTP port, by its header': {
    open: async (token) => codeOf(await webSocket(`${fixture.origin.replace('http', 'ws')}/ws`, bearerOf(token))),
    message: /^1008 \{"type":"auth_required"\}$/,
  },
  'WebSocket of its own port, by its address': {
    open: async (token) => codeOf(await webSocket(`${fixture.wsOrigin}/?token=${encodeURIComponent(token)}`)),
    message: /^1008 \{"type":"auth_required"\}$/,
  },
  'WebSocket of its own port, by what it said': {
    async open(token) {
      const socket = await webSocket(fixture.wsOrigin);
      expect(await socket.ask('authenticate', { token })).toMatchObject({ success: true });
      return codeOf(socket);
    },
    message: /^1008 \{"type":"auth_required"\}$/,
  },
  MCP: {
    async open(token) {
      const info = { name: 'test', version: '1' };
      const client = new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
      const requestInit = { headers: bearerOf(token) };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${fixture.origin}/mcp`), { requestInit }));
      clients.push(client);
      const uri = `hearthd://accessories/${fixture.home.named('Lamp').id}`;
      return { ended: (await client.listen({ resourceSubscriptions: [uri] })).closed };
    },
    message: /^graceful$/,
  },
};

/** Half a second twice, as long as the supervisor of streams may sleep. */
async function passOneSecond(): Promise<void> {
  for (let n = 0; n < 4; n += 1) {
    await fixture.home.clock.advance(SECOND_MS / 4);
    await setImmediate();
  }
}

interface Held {
  readonly token: string;
  /** Takes it back. @returns the status of the answer */
  readonly end: () => Promise<number>;
}

async function accessToken(end: (id: string) => Promise<number>): Promise<Held> {
  await ask(bob.token, 'PATCH', '/rest/settings', { developerMode: true });
  const { token, info } = fixture.home.tokens.create(bob.caller, { name: 'Script' });
  return { token, end: () => end(info.id) };
}

async function app(
  end: (client: oauth.Client, tokens: Awaited<ReturnType<typeof authorizeApp>>) => Promise<number>,
): Promise<Held> {
  const client = await fixture.register();
  const tokens = await authorizeApp(client);
  return { token: tokens.access_token, end: () => end(client, tokens) };
}

const session = (end: () => Promise<number>): Promise<Held> => Promise.resolve({ token: bob.token, end });

function sessionId(): string {
  const { principal } = bob.caller;
  if (principal.kind !== 'user') throw new Error('A session is no user');
  return principal.sessionId;
}

const form = (fields: Record<string, string>) => new URLSearchParams(fields);
const statusOf = async (answer: Promise<Response>): Promise<number> => (await answer).status;

describe('every open stream ends within a second (row 28) when', () => {
  it.each<[string, () => Promise<Held>]>([
    [
      'its access token is revoked over REST',
      () => accessToken((id) => ask(bob.token, 'DELETE', `/rest/tokens/${id}`)),
    ],
    [
      'its access token is revoked over GraphQL',
      () => accessToken((id) => mutate(bob.token, `mutation { revokeAccessToken(tokenId: "${id}") { success } }`)),
    ],
    [
      'its access token expires',
      async () => {
        const expiresAt = fixture.home.clock.now() + SECOND_MS;
        const { token } = fixture.home.tokens.create(systemCaller, { name: 'Short', expiresAt });
        return { token, end: () => fixture.home.clock.advance(SECOND_MS).then(() => 200) };
      },
    ],
    [
      'the time of its session is over',
      () =>
        session(async () => {
          fixture.home.clock.jumpWallClock(8 * DAY_MS);
          return 200;
        }),
    ],
    ['its person signs out at the page', () => session(() => submit(bob, '/logout'))],
    ['its session is ended over REST', () => session(() => ask(bob.token, 'DELETE', `/rest/sessions/${sessionId()}`))],
    ['all sessions are ended', () => session(() => ask(bob.token, 'DELETE', '/rest/sessions'))],
    [
      'its person changes the password at the page',
      () =>
        session(() =>
          submit(bob, '/account/password', { currentPassword: bob.password, newPassword: 'another horse' }),
        ),
    ],
    [
      'its person changes the password over REST',
      () =>
        session(() =>
          ask(bob.token, 'POST', '/rest/me/password', { currentPassword: bob.password, newPassword: 'another horse' }),
        ),
    ],
    [
      'the founder gives its person another password',
      () =>
        session(() =>
          ask(fixture.ann.token, 'POST', `/rest/users/${bob.user.id}/password`, { password: 'another horse' }),
        ),
    ],
    [
      'the account of its session is deleted',
      () => session(() => ask(fixture.ann.token, 'DELETE', `/rest/users/${bob.user.id}`)),
    ],
    [
      'the account behind its access token is deleted',
      () => accessToken(() => ask(fixture.ann.token, 'DELETE', `/rest/users/${bob.user.id}`)),
    ],
    [
      'the access of its app is removed over REST',
      () => app(({ client_id: id }) => ask(bob.token, 'DELETE', `/rest/authorized-apps/${id}`)),
    ],
    [
      'the access of its app is removed at the page',
      () => app(({ client_id: id }) => submit(bob, `/account/apps/${id}/end`)),
    ],
    [
      'the account behind its app is deleted',
      () => app(() => ask(fixture.ann.token, 'DELETE', `/rest/users/${bob.user.id}`)),
    ],
    [
      'its app gives the token back',
      () =>
        app(({ client_id: id }, { access_token: token }) =>
          statusOf(fixture.post('/oauth/revoke', form({ client_id: id, token }))),
        ),
    ],
    [
      'its app gives the refresh token back',
      () =>
        app(({ client_id: id }, { refresh_token: token }) =>
          statusOf(fixture.post('/oauth/revoke', form({ client_id: id, token }))),
        ),
    ],
    [
      'another client comes with the code of its token again',
      () =>
        app(async (client, { code, verifier }) => {
          const { status } = await fixture.exchange(client, code, verifier);
          return status === 400 ? 200 : status;
        }),
    ],
    [
      'its refresh token is used by two',
      () =>
        app(async (client, { refresh_token: token }) => {
          const { body } = await fixture.refresh(client, token);
          await fixture.refresh(client, body.refresh_token);
          await fixture.home.clock.advance(MINUTE_MS);
          const { status } = await fixture.refresh(client, token);
          return status === 400 ? 200 : status;
        }),
    ],
  ])('%s', async (_, hold) => {
    const held = await hold();
    const open = await Promise.all(Object.values(STREAMS).map((stream) => stream.open(held.token)));
    expect(await ask(held.token, 'GET', '/rest/homes')).toBe(200);
    expect([200, 303]).toContain(await held.end());
    expect(await ask(held.token, 'GET', '/rest/homes')).toBe(401);
    await passOneSecond();
    // Whether it is over is a matter of the test's clock; that word of it comes through the socket is not.
    const answered = await Promise.all(open.map(({ ended }) => ended));
    expect(answered).toEqual(Object.values(STREAMS).map(({ message }) => expect.stringMatching(message)));
  });

  it('its share is opened by a session that ends', async () => {
    const lamp = { entityType: 'accessory', entityId: fixture.home.named('Lamp').id };
    const row = { ...lamp, accessType: 'user', role: 'view', userEmail: bob.user.email };
    const { shareHash } = await fixture.home.shares.create(systemCaller, row);
    const answer = await fetch(`${fixture.origin}/s/${shareHash}/events`, {
      headers: { Cookie: `hearthd_session=${bob.pageToken}` },
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const text = answer.text();
    expect(await submit(bob, '/logout')).toBe(303);
    await passOneSecond();
    expect(await text).toMatch(/event: end\n/);
  });
});

describe('what is past stays past (row 30):', () => {
  interface Passing {
    readonly lifeMs: number;
    /** Whether it is still good for anything; may use it up. */
    readonly isGood: () => Promise<boolean>;
    /** Where being asked is being used up, there is no asking before the end. */
    readonly once?: true;
  }

  const bearer = (token: string) => async (): Promise<boolean> => (await ask(token, 'GET', '/rest/homes')) === 200;

  async function share(): Promise<string> {
    const { shareHash } = await fixture.home.shares.create(systemCaller, {
      entityType: 'home',
      entityId: fixture.home.home.id,
      accessType: 'public',
      role: 'view',
      accessSchedule: { expires_at: new Date(fixture.home.clock.now() + HOUR_MS).toISOString() },
    });
    return shareHash;
  }

  const THINGS: Readonly<Record<string, () => Promise<Passing>>> = {
    'an access token': async () => {
      const expiresAt = fixture.home.clock.now() + DAY_MS;
      return {
        lifeMs: DAY_MS,
        isGood: bearer(fixture.home.tokens.create(systemCaller, { name: 'Short', expiresAt }).token),
      };
    },
    'a session': async () => ({ lifeMs: 7 * DAY_MS, isGood: bearer(bob.token) }),
    'the session of a browser': async () => ({
      lifeMs: 7 * DAY_MS,
      isGood: async () => (await fixture.browserOf(bob).get('/account')).status === 200,
    }),
    'an app’s token': async () => ({
      lifeMs: HOUR_MS,
      isGood: bearer((await authorizeApp(await fixture.register())).access_token),
    }),
    'a refresh token': async () => {
      const client = await fixture.register();
      const { refresh_token: token } = await authorizeApp(client);
      return {
        lifeMs: 30 * DAY_MS,
        isGood: async () => (await fixture.refresh(client, token)).status === 200,
        once: true,
      };
    },
    'a code': async () => {
      const client = await fixture.register();
      const { callback, verifier } = await fixture.authorize(client);
      const code = callback.searchParams.get('code') ?? '';
      const isGood = async () => (await fixture.exchange(client, code, verifier)).status === 200;
      return { lifeMs: 10 * MINUTE_MS, isGood, once: true };
    },
    'an invitation': async () => {
      const invited = { homeId: fixture.home.home.id, email: 'eve@example.org', role: 'view' };
      const { invitation } = fixture.home.members.invite(fixture.ann.caller, invited);
      const isGood = async () => (await fixture.browserOf().get(`/invite/${invitation?.code}`)).status === 200;
      return { lifeMs: 7 * DAY_MS, isGood };
    },
    'a share with an end': async () => {
      const hash = await share();
      return { lifeMs: HOUR_MS, isGood: async () => (await fetch(`${fixture.origin}/s/${hash}`)).status === 200 };
    },
  };

  const make = async (name: string): Promise<Passing> => {
    const thing = await THINGS[name]?.();
    if (!thing) throw new Error(`There is no ${name}`);
    return thing;
  };

  it.each(Object.keys(THINGS))('%s, though the clock is set back while it lives and after its end', async (name) => {
    const { clock } = fixture.home;
    const { lifeMs, isGood, once } = await make(name);
    await clock.advance(lifeMs / 2);
    clock.jumpWallClock(-YEAR_MS);
    if (!once) expect(await isGood()).toBe(true);
    await clock.advance(lifeMs / 2 + SECOND_MS);
    expect(await isGood()).toBe(false);
    clock.jumpWallClock(-YEAR_MS);
    expect(await isGood()).toBe(false);
  });

  it.each(Object.keys(THINGS))('%s, though it was not asked for before', async (name) => {
    const { clock } = fixture.home;
    const { lifeMs, isGood } = await make(name);
    clock.jumpWallClock(-YEAR_MS);
    await clock.advance(lifeMs + SECOND_MS);
    expect(await isGood()).toBe(false);
  });

  it.each(Object.keys(THINGS))('%s, once a clock that ran ahead has ended it', async (name) => {
    const { clock } = fixture.home;
    const { lifeMs, isGood } = await make(name);
    clock.jumpWallClock(lifeMs + MINUTE_MS);
    expect(await isGood()).toBe(false);
    clock.jumpWallClock(-lifeMs - MINUTE_MS);
    expect(await isGood()).toBe(false);
  });

  it.each(Object.keys(THINGS))('%s, and until then it was good', async (name) => {
    const { lifeMs, isGood } = await make(name);
    await fixture.home.clock.advance(lifeMs - MINUTE_MS);
    expect(await isGood()).toBe(true);
  });
});
