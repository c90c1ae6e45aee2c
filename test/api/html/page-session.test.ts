import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiEnv } from '../../../src/api/env.ts';
import type { GuardOptions } from '../../../src/api/guards.ts';
import { readForm } from '../../../src/api/html/form.tsx';
import { seeOther } from '../../../src/api/html/page.tsx';
import { PageSessions } from '../../../src/api/html/page-session.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { createRestClient, createTestApi, TEST_GUARDS } from '../../support/rest-client.ts';
import { createTestHome, type TestHome } from '../../support/test-home.ts';
import { CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';
import { PageClient } from './page-client.ts';

const HTTPS = 'https://home.example';

let home: TestHome;
let ann: TestUser;

beforeEach(async () => {
  home = createTestHome({ passwordHasher: new CountingHasher() });
  ann = await createUser(home, { name: 'Ann', founder: true });
});

afterEach(() => home.close());

/** The least API that pages need: a token, a form, signing in and out. */
function smallApi(guards: GuardOptions = TEST_GUARDS) {
  const pages = new PageSessions({ ...home, guards });
  const { principal } = ann.caller;
  const sessionId = principal.kind === 'user' ? principal.sessionId : '';
  const signedIn = () => ({ sessionId, expiresAt: home.clock.now() + 3_600_000 });
  const app = new Hono<ApiEnv>()
    .get('/who', async (c) => {
      const { principal } = await pages.callerOf(c);
      return c.text(principal.kind === 'user' ? principal.userId : principal.kind);
    })
    .get('/token', (c) => c.text(pages.csrfToken(c)))
    .get('/twice', (c) => c.text(`${pages.csrfToken(c)} ${pages.csrfToken(c)}`))
    .post('/form', async (c) => {
      pages.requireCsrf(c, await readForm(c));
      return c.text('done');
    })
    .post('/in', async (c) => {
      await pages.signIn(c, signedIn());
      return seeOther(c, '/who');
    })
    .post('/out', (c) => {
      pages.signOut(c);
      return seeOther(c, '/who');
    })
    .onError((error, c) => c.text(error instanceof HearthError ? error.code : String(error), 403));
  return app;
}

describe('the session cookie', () => {
  it('is out of reach of scripts and other sites, for the whole home, and lasts as long as the session', async () => {
    const { cookies } = await new PageClient(smallApi()).post('/in', {});
    expect(cookies[0]).toBe(`hearthd_session=${ann.pageToken}; Max-Age=3600; Path=/; HttpOnly; SameSite=Lax`);
  });

  it('is never sent unencrypted once it came over https', async () => {
    const guards = { ...TEST_GUARDS, publicUrl: HTTPS };
    const { cookies } = await new PageClient(smallApi(guards), HTTPS).post('/in', {});
    expect(cookies[0]).toBe(
      `__Host-hearthd_session=${ann.pageToken}; Max-Age=3600; Path=/; HttpOnly; Secure; SameSite=Lax`,
    );
    const token = await new PageClient(smallApi(guards), HTTPS).get('/token');
    expect(token.cookies).toEqual([
      expect.stringMatching(/^__Host-hearthd_csrf=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
  });

  it('identifies the user', async () => {
    const client = new PageClient(smallApi());
    expect((await client.get('/who')).text).toBe('anonymous');
    await client.post('/in', {});
    expect((await client.get('/who')).text).toBe(ann.user.id);
    const { cookies } = await client.post('/out', {});
    expect(cookies).toEqual([
      'hearthd_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
      'hearthd_csrf=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    ]);
    expect((await client.get('/who')).text).toBe('anonymous');
  });

  it.each([
    ['an ended session', () => home.sessions.endAll(ann.caller)],
    ['a removed account', () => home.sessions.endOf(ann.user.id)],
    ['a session past its end', () => home.clock.advance(8 * 24 * 3_600_000)],
  ])('is signed out after %s', async (_, end) => {
    const client = new PageClient(smallApi());
    client.jar.set('hearthd_session', ann.pageToken);
    expect((await client.get('/who')).text).toBe(ann.user.id);
    await end();
    expect((await client.get('/who')).text).toBe('anonymous');
  });

  it.each(['', 'x', 'a.b.c', 'x'.repeat(5_000), 'hc_abcdefghijk'])(
    'is signed out if it is no session: %#',
    async (value) => {
      const client = new PageClient(smallApi());
      client.jar.set('hearthd_session', value);
      expect((await client.get('/who')).text).toBe('anonymous');
    },
  );

  it('is nothing to the API, which another site could else use in a visitor’s name', async () => {
    const rest = createRestClient(createTestApi(home));
    const cookie = { Cookie: `hearthd_session=${ann.pageToken}` };
    expect((await rest.get('/rest/homes', cookie)).status).toBe(401);
    expect((await rest.post('/rest/state', {}, cookie)).status).toBe(401);
    expect((await rest.post('/graphql', { query: '{ homes { id } }' }, cookie)).status).toBe(401);
    expect((await rest.get('/rest/homes', { Authorization: `Bearer ${ann.token}` })).status).toBe(200);
  });
});

describe('a form', () => {
  it('is taken from the browser that it was given to', async () => {
    const client = new PageClient(smallApi());
    const { text: csrf, cookies } = await client.get('/token');
    expect(cookies).toEqual([expect.stringMatching(/^hearthd_csrf=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)]);
    expect((await client.post('/form', { csrf })).text).toBe('done');
    // A second page does not make the first one's form worthless.
    await client.get('/token');
    expect((await client.post('/form', { csrf })).text).toBe('done');
  });

  it('has the same token twice on a page, and one cookie', async () => {
    const { text, cookies } = await new PageClient(smallApi()).get('/twice');
    const [first, second] = text.split(' ');
    expect(first).toBe(second);
    expect(cookies).toHaveLength(1);
  });

  it.each([
    ['without a token', {}],
    ['with an empty one', { csrf: '' }],
    ['with one that is invented', { csrf: 'A'.repeat(43) }],
  ])('is refused %s', async (_, fields) => {
    const client = new PageClient(smallApi());
    await client.get('/token');
    expect((await client.post('/form', fields)).text).toBe('forbidden_origin');
  });

  it('is refused with another browser’s token, and with none of the cookie', async () => {
    const app = smallApi();
    const [ours, theirs] = [new PageClient(app), new PageClient(app)];
    const { text: csrf } = await theirs.get('/token');
    await ours.get('/token');
    expect((await ours.post('/form', { csrf })).text).toBe('forbidden_origin');
    expect((await new PageClient(app).post('/form', { csrf })).text).toBe('forbidden_origin');
  });

  it('is refused with the cookie itself for a token', async () => {
    const client = new PageClient(smallApi());
    await client.get('/token');
    expect((await client.post('/form', { csrf: client.jar.get('hearthd_csrf') ?? '' })).text).toBe('forbidden_origin');
  });

  it('is refused after a sign-in, even if the cookie that it is tied to was planted back', async () => {
    const client = new PageClient(smallApi());
    const { text: csrf } = await client.get('/token');
    const planted = client.jar.get('hearthd_csrf') ?? '';
    await client.post('/in', {});
    expect(client.jar.has('hearthd_csrf')).toBe(false);
    client.jar.set('hearthd_csrf', planted);
    expect((await client.post('/form', { csrf })).text).toBe('forbidden_origin');
  });

  it.each(['cross-site', 'same-site'])('is refused if the browser reports that it is %s', async (site) => {
    const client = new PageClient(smallApi());
    const { text: csrf } = await client.get('/token');
    expect((await client.post('/form', { csrf }, { 'Sec-Fetch-Site': site })).text).toBe('forbidden_origin');
    expect((await client.post('/form', { csrf }, { 'Sec-Fetch-Site': 'same-origin' })).text).toBe('done');
  });

  it.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x', ''])(
    'is refused if it is none: %s',
    async (type) => {
      const client = new PageClient(smallApi());
      const { text: csrf } = await client.get('/token');
      expect((await client.post('/form', { csrf }, { 'Content-Type': type })).text).toBe('unsupported_media_type');
    },
  );

  it('outlives a restart: its key is the relay’s', async () => {
    const client = new PageClient(smallApi());
    const { text: csrf } = await client.get('/token');
    const restarted = new PageClient(smallApi());
    restarted.jar.set('hearthd_csrf', client.jar.get('hearthd_csrf') ?? '');
    expect((await restarted.post('/form', { csrf })).text).toBe('done');
  });
});
