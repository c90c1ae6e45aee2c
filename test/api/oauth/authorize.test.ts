import type { Client } from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AuthorizeChanges,
  createOAuthFixture,
  type OAuthFixture,
  WEB_REDIRECT,
} from '../../support/oauth-fixture.ts';
import { createUser } from '../../support/test-users.ts';
import { hiddenFields } from '../html/page-client.ts';

let fixture: OAuthFixture;
/** An app that a person has allowed. */
let allowed: Client;

beforeAll(async () => {
  fixture = await createOAuthFixture();
  allowed = await fixture.register();
  await fixture.signIn(allowed);
});

afterAll(() => fixture.close());

const ask = async (changes: AuthorizeChanges, metadata = {}, known?: Client) => {
  const client = known ?? (await fixture.register(metadata));
  const browser = fixture.browserOf();
  const { path, state } = await fixture.begin(client, changes);
  const answer = await browser.get(path);
  return {
    client,
    browser,
    answer,
    state,
    location: answer.location === null ? undefined : new URL(answer.location, fixture.origin),
  };
};

describe('asking for a person’s consent', () => {
  it.each([
    'https://app.example/callback/',
    'https://app.example/callback/more',
    'https://app.example/callbackx',
    'https://app.example/callback?x=1',
    'https://app.example/callback#x',
    'https://app.example/callback%00',
    'https://app.example/%63allback',
    'https://app.example/x/../callback',
    'https://app.example//callback',
    'https://app.example/Callback',
    'https://APP.example/callback',
    'HTTPS://app.example/callback',
    'http://app.example/callback',
    'https://app.example:443/callback',
    'https://app.example:8443/callback',
    'https://user@app.example/callback',
    'https://app.example@evil.example/callback',
    'https://app.example.evil.example/callback',
    'https://evil.example/https://app.example/callback',
    'https://evil.example\\@app.example/callback',
    'https://app.example\\.evil.example/callback',
    ' https://app.example/callback',
    'https://app.example/callback ',
    '//app.example/callback',
    'javascript:alert(1)//https://app.example/callback',
    'https://app.example',
    '',
  ])('sends no one to %j, which the app did not register, but answers with a page', async (redirectUri) => {
    const { answer } = await ask({ redirect_uri: redirectUri });
    expect(answer.status).toBe(400);
    expect(answer.location).toBeNull();
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it.each([
    ['http://127.0.0.1/cb', 'http://127.0.0.1:49152/cb', true],
    ['http://localhost:3000/cb', 'http://localhost:49152/cb', true],
    ['http://[::1]/cb', 'http://[::1]:49152/cb', true],
    ['http://127.0.0.1/cb', 'http://localhost:49152/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:49152/other', false],
    ['http://127.0.0.1/cb', 'https://127.0.0.1:49152/cb', false],
    ['http://127.0.0.1/cb', 'http://user@127.0.0.1:49152/cb', false],
    ['https://app.example/cb', 'https://app.example:49152/cb', false],
    ['cursor://cb', 'cursor://cb', true],
    ['cursor://cb', 'cursor://cb:49152', false],
  ])(
    'registered for %s, may be sent to %s: %s (RFC 8252: only the port of this computer is free)',
    async (uri, given, may) => {
      const { answer, location } = await ask({ redirect_uri: given }, { redirect_uris: [uri] });
      expect(answer.status).toBe(may ? 303 : 400);
      if (may) expect(location?.pathname).toMatch(/^\/oauth\/interaction\//);
    },
  );

  it.each([
    ['an unknown app', 'no-such-app'],
    ['no app', undefined],
    ['an app with an id of 10 kB', 'x'.repeat(10_000)],
  ])('answers %s with a page', async (_, id) => {
    const { answer } = await ask({ client_id: id });
    expect(answer).toMatchObject({ status: 400, location: null });
    expect(answer.text).toContain('<h1>');
  });

  const FAULTY: readonly [string, AuthorizeChanges, string][] = [
    ['no code challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['a plain one', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['one without its method', { code_challenge_method: undefined }, 'invalid_request'],
    ['one that is none', { code_challenge: 'short' }, 'invalid_request'],
    ['another type of answer', { response_type: 'token' }, 'unsupported_response_type'],
    ['two of them', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['scopes of other services', { scope: 'openid profile' }, 'invalid_scope'],
    ['another way of answering', { response_mode: 'form_post' }, 'invalid_request'],
    ['an answer in a fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['a resource of somebody else', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['a resource that is no address', { resource: 'mcp' }, 'invalid_target'],
    ['a path of ours that is no resource', { resource: 'ORIGIN/rest' }, 'invalid_target'],
    ['our own name for a resource', { resource: 'urn:hearthd:mcp' }, 'invalid_target'],
    ['its wishes in an object', { request: 'e30.e30.' }, 'request_not_supported'],
    ['its wishes at an address', { request_uri: 'https://app.example/request' }, 'request_uri_not_supported'],
    ['no page', { prompt: 'none' }, 'login_required'],
  ];
  const fill = (changes: AuthorizeChanges): AuthorizeChanges =>
    Object.fromEntries(Object.entries(changes).map(([k, v]) => [k, v?.replace('ORIGIN', fixture.origin)]));

  it.each(FAULTY)('an app without consent is sent no error for %s: the page shows it', async (_, changes) => {
    const { answer } = await ask(fill(changes));
    expect([answer.status, answer.location]).toEqual([400, null]);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.text).toContain('<h1>');
  });

  it.each(FAULTY)('reports %s to the app in the redirect, with state and issuer', async (_, changes, error) => {
    const { answer, location, state } = await ask(fill(changes), {}, allowed);
    expect(answer.status).toBe(303);
    expect(location?.origin + (location?.pathname ?? '')).toBe(WEB_REDIRECT);
    // A client that asks for a token outright looks for the answer in the fragment (RFC 6749 §4.2.2.1).
    const reported = new URLSearchParams(location?.search || location?.hash.slice(1));
    expect(Object.fromEntries(reported)).toMatchObject({ error, state, iss: fixture.origin });
    expect(reported.has('code')).toBe(false);
  });

  it('refuses a parameter that comes twice', async () => {
    const { path } = await fixture.begin(allowed);
    const twice = await fixture.browserOf().get(`${path}&scope=mcp:admin`);
    expect(new URL(twice.location ?? '').searchParams.get('error')).toBe('invalid_request');
  });

  it('asks a signed-out user to sign in, and comes back', async () => {
    const client = await fixture.register();
    const browser = fixture.browserOf(undefined);
    browser.jar.delete('hearthd_session');
    const { path } = await fixture.begin(client);
    const begun = await browser.get(path);
    const interaction = new URL(begun.location ?? '', fixture.origin).pathname;
    const sent = await browser.get(interaction);
    expect(sent.status).toBe(303);
    expect(sent.location).toBe(`/login?return_to=${encodeURIComponent(interaction)}`);
    expect(begun.cookies.join('\n')).toMatch(/httponly/i);
    for (const cookie of begun.cookies)
      expect(cookie).toMatch(/^hearthd_app_[\w-]+=[\w-]+; Max-Age=1800; Path=\/; HttpOnly; SameSite=Lax$/);
  });
});

describe('the consent page', () => {
  const toPage = async (changes: AuthorizeChanges = {}, metadata = {}) => {
    const { browser, answer, client } = await ask(changes, metadata);
    const page = await fixture.follow(browser, answer);
    const action = /action="(\/oauth\/interaction\/[^"]+)"/.exec(page.text)?.[1] ?? '';
    const fields = { ...hiddenFields(page.text, action), scope: 'write', all_homes: 'on', approve: 'yes' };
    return { browser, page, action, client, fields: { ...fields, password: fixture.ann.password } };
  };

  it('shows the app as unverified, where it leads to in full, what it asks for and which homes there are', async () => {
    const hostile = `<img src=x onerror=alert(1)>gpj.exe ${'x'.repeat(10_000)}`;
    const { page } = await toPage({}, { client_name: hostile });
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/unverified/i);
    expect(page.text).toContain('app.example');
    expect(page.text).toContain(fixture.home.home.name);
    expect(page.text).not.toContain('<img');
    expect(page.text.length).toBeLessThan(15_000);
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://app.example");
  });

  it('is refused without its token, from elsewhere and from another browser', async () => {
    const { browser, action, fields } = await toPage();
    const { csrf: _csrf, ...bare } = fields as Record<string, string>;
    expect((await browser.post(action, bare)).status).toBe(403);
    expect((await browser.post(action, { ...fields, csrf: 'x'.repeat(43) })).status).toBe(403);
    expect((await browser.post(action, fields, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await browser.post(action, fields, { Origin: 'https://evil.example' })).status).toBe(403);
    const other = fixture.browserOf();
    expect((await other.post(action, fields)).status).toBe(400);
    expect((await other.get(action)).status).toBe(400);
  });

  it('takes no wrong password, and goes on with the right one by 303', async () => {
    const { browser, action, fields } = await toPage();
    const wrong = await browser.post(action, { ...fields, password: 'wrong' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('Wrong password.');
    const right = await browser.post(action, fields);
    expect(right.status).toBe(303);
    const back = await browser.get(right.location ?? '');
    expect(back.status).toBe(303);
    const callback = new URL(back.location ?? '');
    expect(callback.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
    expect(callback.searchParams.get('iss')).toBe(fixture.origin);
    // The way is gone once only.
    expect((await browser.get(right.location ?? '')).status).toBe(400);
  });

  it('gives no more than was asked for, and asks for a home', async () => {
    const { browser, action, fields } = await toPage({ scope: 'mcp:read' });
    expect((await browser.post(action, { ...fields, scope: 'admin' })).status).toBe(422);
    const { all_homes: _all, ...none } = { ...fields, scope: 'read' } as Record<string, string>;
    const back = await browser.post(action, none);
    expect(back.status).toBe(422);
    // The problem is the choice: the field of the password has none.
    expect(back.text).toContain('Choose at least one home');
    expect(back.text).not.toContain('password-problem');
    expect((await browser.post(action, { ...none, [`home_${fixture.home.home.id}`]: 'view' })).status).toBe(303);
  });

  it('reports a refusal to the app', async () => {
    const { browser, action, fields } = await toPage();
    const answer = await fixture.follow(
      browser,
      await browser.post(action, { ...fields, approve: 'no', password: '' }),
    );
    expect(Object.fromEntries(new URL(answer.location ?? '').searchParams)).toMatchObject({
      error: 'access_denied',
      iss: fixture.origin,
    });
  });

  it('names no home that the person is not in', async () => {
    const bob = await createUser(fixture.home, { name: 'Bob' });
    const client = await fixture.register();
    const browser = fixture.browserOf(bob);
    const page = await fixture.follow(browser, await browser.get((await fixture.begin(client)).path));
    expect(page.text).not.toContain(fixture.home.home.id);
    const foreign = { homes: { [fixture.home.home.id]: 'control' }, password: bob.password };
    expect((await fixture.allow(browser, page, foreign)).status).toBe(422);
  });
});

describe('a person who has allowed an app', () => {
  it('is not asked again for the same or less, and is for more', async () => {
    const client = await fixture.register();
    await fixture.signIn(client);
    expect((await fixture.authorize(client)).askedAgain).toBe(false);
    expect((await fixture.authorize(client, { scope: 'read' })).askedAgain).toBe(false);
    expect((await fixture.authorize(client, { resource: `${fixture.origin}/mcp` })).askedAgain).toBe(false);
    expect((await fixture.authorize(client, { prompt: 'consent' })).askedAgain).toBe(true);
    expect((await fixture.authorize(client, { scope: 'mcp:admin' }, { scope: 'admin' })).askedAgain).toBe(true);
    fixture.home.authorizedApps.revoke(fixture.ann.caller, client.client_id);
    expect((await fixture.authorize(client)).askedAgain).toBe(true);
  });

  it('is asked again where it was for MCP alone and is now for everything', async () => {
    const client = await fixture.register();
    await fixture.signIn(client, { resource: `${fixture.origin}/mcp` });
    expect((await fixture.authorize(client, { resource: `${fixture.origin}/mcp/` })).askedAgain).toBe(false);
    expect((await fixture.authorize(client)).askedAgain).toBe(true);
  });

  it.each(['http://127.0.0.1:5000/cb', 'com.example.app:/cb'])(
    'is always asked for an app that leads to %s: any program there may pass for it',
    async (uri) => {
      const client = await fixture.register({ redirect_uris: [uri] });
      await fixture.signIn(client, { redirect_uri: uri });
      expect((await fixture.authorize(client, { redirect_uri: uri })).askedAgain).toBe(true);
    },
  );
});

describe('beginning sign-ins without end', () => {
  it('is held back by address, with a page, before it pushes out those of others', async () => {
    const own = await createOAuthFixture();
    const client = await own.register();
    const browser = own.browserOf();
    const { path } = await own.begin(client);
    const statuses = new Map<number, number>();
    for (let index = 0; index < 310; index += 1) {
      const { status } = await browser.get(path);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(statuses).toEqual(
      new Map([
        [303, 300],
        [429, 10],
      ]),
    );
    await own.close();
  });
});
