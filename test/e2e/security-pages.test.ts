/**
 * Forms and cookies (security checklist, rows 19, 20, 44): every address that a browser can send a form to, from the
 * API's own list, and every way in which another site could make it do so. What is refused has done nothing.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { codeOf, stepAt } from '../../src/app/users/totp.ts';
import { hiddenFields, type PageAnswer, type PageClient } from '../api/html/page-client.ts';
import { createOAuthFixture, type OAuthFixture } from '../support/oauth-fixture.ts';
import { createTestApi } from '../support/rest-client.ts';
import { systemCaller } from '../support/test-home.ts';
import { anonymousCaller, createUser } from '../support/test-users.ts';
import { TestWebSocket } from '../support/web-socket-client.ts';

const NEW_PASSWORD = 'another horse entirely';

let fixture: OAuthFixture;
let browser: PageClient;
/** A page of ours that is open in the browser, with a form. */
let csrf: string;

beforeEach(async () => {
  fixture = await createOAuthFixture();
  browser = fixture.browserOf();
  csrf = csrfOf(await browser.get('/account'));
});

afterEach(() => fixture.close());

const csrfOf = (page: PageAnswer): string => /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';

interface Filled {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Whether what the form asks for has happened. */
  readonly isDone: () => boolean;
}

/** Somewhere else that Ann is signed in. */
async function signInElsewhere(): Promise<string> {
  const { user, password } = fixture.ann;
  const { token } = await fixture.home.users.logIn(anonymousCaller('192.0.2.7'), { email: user.email, password });
  const principal = await fixture.home.sessions.authenticate(token);
  if (principal.kind !== 'user') throw new Error('A session is no user');
  return principal.sessionId;
}

const sessionCount = (): number => fixture.home.sessions.list(fixture.ann.caller).length;

/** Another user's home that Ann is invited to. */
async function invitedHome(): Promise<string> {
  const bob = await createUser(fixture.home, { name: 'Bob', role: 'owner' });
  const cottage = fixture.home.homes.create(bob.caller, { name: 'Cottage' });
  fixture.home.members.invite(bob.caller, { homeId: cottage.id, email: fixture.ann.user.email, role: 'view' });
  return cottage.id;
}

const isInvited = (): boolean => fixture.home.members.pending(fixture.ann.caller).length > 0;
const isMember = (homeId: string): boolean =>
  fixture.home.members
    .list(systemCaller, homeId)
    .some(({ userId, isPending }) => userId === fixture.ann.user.id && !isPending);

/** Each form of ours as a signed-in user would send it, but for its token. */
const FORMS: Readonly<Record<string, () => Promise<Filled>>> = {
  '/login': async () => {
    const before = sessionCount();
    const { user, password } = fixture.ann;
    return {
      path: '/login',
      fields: { email: user.email, password },
      // Signing in again ends the session that the browser had, and begins another one.
      isDone: () => sessionCount() !== before || !fixture.home.credentials.isLive(fixture.ann.caller.principal),
    };
  },
  '/login/passkey': async () => {
    // There are none at this fixture's address.
    const begun = vi.spyOn(fixture.home.passkeys, 'beginSignIn').mockResolvedValue({ challenge: 'AAAA' });
    return { path: '/login/passkey', fields: {}, isDone: () => begun.mock.calls.length > 0 };
  },
  '/logout': async () => ({
    path: '/logout',
    fields: {},
    isDone: () => !fixture.home.credentials.isLive(fixture.ann.caller.principal),
  }),
  '/setup': async () => ({
    path: '/setup',
    fields: { email: 'eve@example.org', name: 'Eve', password: NEW_PASSWORD, setupCode: 'ABCD-2345' },
    isDone: () => fixture.home.users.findByEmail('eve@example.org') !== undefined,
  }),
  '/invite/:code': async () => {
    const invited = { homeId: fixture.home.home.id, email: 'eve@example.org', role: 'view' };
    const { invitation } = fixture.home.members.invite(fixture.ann.caller, invited);
    return {
      path: `/invite/${invitation?.code}`,
      fields: { name: 'Eve', password: NEW_PASSWORD },
      isDone: () => fixture.home.users.findByEmail('eve@example.org') !== undefined,
    };
  },
  '/invite/:code/accept': async () => {
    const bob = await createUser(fixture.home, { name: 'Bob', role: 'owner' });
    const cottage = fixture.home.homes.create(bob.caller, { name: 'Cottage' });
    const dora = { homeId: cottage.id, email: 'dora@example.org', role: 'view' };
    const { invitation } = fixture.home.members.invite(bob.caller, dora);
    const { pageToken } = await createUser(fixture.home, { name: 'Dora' });
    browser.jar.set(fixture.sessionCookie, pageToken);
    return {
      path: `/invite/${invitation?.code}/accept`,
      fields: {},
      isDone: () =>
        fixture.home.members
          .list(systemCaller, cottage.id)
          .some(({ name, isPending }) => name === 'Dora' && !isPending),
    };
  },
  '/account/password': async () => ({
    path: '/account/password',
    fields: { currentPassword: fixture.ann.password, newPassword: NEW_PASSWORD },
    isDone: () => !fixture.home.credentials.isLive(fixture.ann.caller.principal),
  }),
  '/account/sessions/end-others': async () => {
    await signInElsewhere();
    const before = sessionCount();
    return { path: '/account/sessions/end-others', fields: {}, isDone: () => sessionCount() !== before };
  },
  '/account/sessions/:id/end': async () => {
    const id = await signInElsewhere();
    const before = sessionCount();
    return { path: `/account/sessions/${id}/end`, fields: {}, isDone: () => sessionCount() !== before };
  },
  '/account/second-step': async () => ({
    path: '/account/second-step',
    fields: { currentPassword: fixture.ann.password },
    isDone: () => fixture.home.secondFactors.pending(fixture.ann.caller) !== undefined,
  }),
  '/account/second-step/confirm': async () => {
    const { caller, password, user } = fixture.ann;
    const { secret } = await fixture.home.secondFactors.begin(caller, { currentPassword: password });
    return {
      path: '/account/second-step/confirm',
      fields: { code: codeOf(secret, stepAt(fixture.home.clock.now())) },
      isDone: () => fixture.home.secondFactors.isOnFor(user.id),
    };
  },
  '/account/apps/:id/end': async () => {
    const client = await fixture.register();
    await fixture.signIn(client);
    return {
      path: `/account/apps/${client.client_id}/end`,
      fields: {},
      isDone: () => fixture.home.authorizedApps.list(fixture.ann.caller).length === 0,
    };
  },
  '/account/invitations/:homeId/accept': async () => {
    const homeId = await invitedHome();
    return { path: `/account/invitations/${homeId}/accept`, fields: {}, isDone: () => isMember(homeId) };
  },
  '/account/invitations/:homeId/decline': async () => {
    const homeId = await invitedHome();
    return { path: `/account/invitations/${homeId}/decline`, fields: {}, isDone: () => !isInvited() };
  },
  '/oauth/interaction/:uid': async () => {
    const { path } = await fixture.begin(await fixture.register());
    const page = await fixture.follow(browser, await browser.get(path));
    const action = /action="(\/oauth\/interaction\/[^"]+)"/.exec(page.text)?.[1] ?? '';
    return {
      path: action,
      fields: {
        ...hiddenFields(page.text, action),
        approve: 'yes',
        scope: 'write',
        all_homes: 'on',
        password: fixture.ann.password,
        csrf: '',
      },
      isDone: () => fixture.home.authorizedApps.list(fixture.ann.caller).length > 0,
    };
  },
  '/s/:hash/passcode': async () => {
    const hash = await shareLamp('passcode');
    return {
      path: `/s/${hash}/passcode`,
      fields: { passcode: '493817' },
      isDone: () => [...browser.jar.keys()].some((name) => name.includes('hearthd_share_')),
    };
  },
  '/s/:hash/set': async () => {
    const hash = await shareLamp('user');
    return {
      path: `/s/${hash}/set`,
      fields: { accessory: fixture.home.named('Lamp').id, property: 'on', value: 'true' },
      isDone: lampIsOn,
    };
  },
  '/s/:hash/on': async () => ({ path: `/s/${await shareLamp('user')}/on`, fields: {}, isDone: lampIsOn }),
};

/** What only the browser's cookie opens: with a link that is open to everyone no user needs a form. */
async function shareLamp(accessType: 'passcode' | 'user'): Promise<string> {
  const lamp = { entityType: 'accessory', entityId: fixture.home.named('Lamp').id, accessType, role: 'control' };
  const { shareHash } = await fixture.home.shares.create(systemCaller, {
    ...lamp,
    ...(accessType === 'passcode' ? { passcode: '493817' } : { userEmail: fixture.ann.user.email }),
  });
  return shareHash;
}

function lampIsOn(): boolean {
  return fixture.home
    .named('Lamp')
    .services.some(({ characteristics }) => characteristics.some(({ type, value }) => type === '25' && value === true));
}

/** What another site, or a program in its place, can make a browser send. */
const FOREIGN: Readonly<Record<string, (form: Filled) => Promise<PageAnswer>>> = {
  'no token': ({ path, fields }) => browser.post(path, fields),
  'a token that was made up': ({ path, fields }) => browser.post(path, { ...fields, csrf: 'x'.repeat(43) }),
  'the token of another browser': async ({ path, fields }) => {
    const other = csrfOf(await fixture.browserOf().get('/account'));
    return browser.post(path, { ...fields, csrf: other });
  },
  'our token, from another site': ({ path, fields }) =>
    browser.post(path, { ...fields, csrf: currentCsrf() }, { Origin: 'https://evil.example' }),
  'our token, from nowhere': ({ path, fields }) =>
    browser.post(path, { ...fields, csrf: currentCsrf() }, { Origin: 'null' }),
  'our token, across sites': ({ path, fields }) =>
    browser.post(path, { ...fields, csrf: currentCsrf() }, { 'Sec-Fetch-Site': 'cross-site' }),
  'our token, from a neighbour': ({ path, fields }) =>
    browser.post(path, { ...fields, csrf: currentCsrf() }, { 'Sec-Fetch-Site': 'same-site' }),
  'our token as text': ({ path, fields }) =>
    browser.post(path, { ...fields, csrf: currentCsrf() }, { 'Content-Type': 'text/plain' }),
  'our token as JSON': ({ path, fields }) =>
    browser.post(path, { ...fields, csrf: currentCsrf() }, { 'Content-Type': 'application/json' }),
  'our token in the address': ({ path, fields }) => browser.post(`${path}?csrf=${currentCsrf()}`, fields),
};

const currentCsrf = (): string => csrf;

async function fill(route: string): Promise<Filled> {
  const form = await FORMS[route]?.();
  if (!form) throw new Error(`There is no form at ${route}`);
  // Tied to who is signed in, which some forms change before they are filled in.
  csrf = csrfOf(await browser.get('/account'));
  expect(form.isDone()).toBe(false);
  return form;
}

/** Recovery codes are shown once, in the answer itself: no address holds them. Nor does one hold a challenge. */
function doneStatus(route: string): number {
  return ['/account/second-step/confirm', '/login/passkey'].includes(route) ? 200 : 303;
}

describe('every form (row 44)', () => {
  it('is in the table', () => {
    const { routes } = createTestApi(fixture.home);
    const posts = routes.filter(({ method, path }) => method === 'POST' && !path.includes('*')).map(({ path }) => path);
    // Not for browsers: they want a token in a header, a secret in the body or an id in the address, and no cookie
    // counts.
    const programs =
      /^\/(?:rest|mcp|graphql|webhook|notification-action|owntracks|register|oauth\/(?:register|token|revoke))(?:\/|$)/;
    // The verbs of a share are one form, seen eleven times.
    const isOtherVerb = (path: string): boolean => /^\/s\/:hash\/(?!(?:passcode|set|on)$)/.test(path);
    const forms = posts.filter((path) => !programs.test(path) && !isOtherVerb(path));
    expect([...new Set(forms)].sort()).toEqual(Object.keys(FORMS).sort());
  });

  it.each(Object.keys(FORMS))('%s does nothing for any other site', async (route) => {
    const form = await fill(route);
    for (const [how, send] of Object.entries(FOREIGN)) {
      const { status } = await send(form);
      expect([how, form.isDone()]).toEqual([how, false]);
      expect([how, [303, 400, 401, 403, 415].includes(status)]).toEqual([how, true]);
      if (!route.startsWith('/s/')) expect([how, [403, 415].includes(status)]).toEqual([how, true]);
    }
  });

  // The relay has an owner already: what /setup does with a good code is proved where there is none.
  it.each(Object.keys(FORMS).filter((route) => route !== '/setup'))(
    '%s does its work for ours, and answers 303, or with what is shown once (row 19)',
    async (route) => {
      const form = await fill(route);
      const { status } = await browser.post(form.path, { ...form.fields, csrf: currentCsrf() });
      expect(status).toBe(doneStatus(route));
      expect(form.isDone()).toBe(true);
    },
  );
});

describe('every cookie', () => {
  interface SetCookie {
    readonly name: string;
    readonly value: string;
    readonly attributes: readonly string[];
  }

  function parseCookie(line: string): SetCookie {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', ...value] = pair.split('=');
    return { name, value: value.join('='), attributes: attributes.map((attribute) => attribute.toLowerCase()) };
  }

  /** Opens another home, so that what came before leaves no trace. */
  async function openFixture(https: boolean): Promise<void> {
    await fixture.close();
    fixture = await createOAuthFixture({ https });
    browser = fixture.browserOf();
  }

  /** Every cookie that a page or a form of the API's own list sets. */
  async function collect(https: boolean): Promise<readonly string[]> {
    const set: string[] = [];
    for (const route of Object.keys(FORMS).filter((one) => one !== '/setup')) {
      await openFixture(https);
      const form = await fill(route);
      const { status } = await browser.post(form.path, { ...form.fields, csrf: currentCsrf() });
      expect([route, status]).toEqual([route, doneStatus(route)]);
      // What the app's browser gets at the end of its way, too.
      const next = new URL(browser.last?.location ?? '/', fixture.origin).pathname;
      if (next.startsWith('/oauth/')) await browser.get(next);
      set.push(...fixture.setCookies);
    }
    await openFixture(https);
    const stranger = fixture.browserOf(null);
    const pages = createTestApi(fixture.home).routes.filter(
      ({ method, path }) => method === 'GET' && !/\*|^\/events|^\/ws/.test(path),
    );
    // Each once: a stranger may ask only so often.
    const paths = new Set(pages.map(({ path }) => path.replaceAll(/:\w+/g, 'x')));
    for (const path of paths) await stranger.get(path);
    return [...set, ...fixture.setCookies];
  }

  it.each([
    ['https', true],
    ['http', false],
  ] as const)(
    'of every page and form over %s has every attribute that keeps others out',
    async (_, https) => {
      const cookies = (await collect(https)).map(parseCookie);
      const prefix = https ? '__Host-' : '';
      const kinds = ['hearthd_session', 'hearthd_csrf', 'hearthd_app_', 'hearthd_share_'];
      for (const kind of kinds) expect(cookies.some(({ name }) => name.startsWith(prefix + kind))).toBe(true);
      for (const { name, attributes } of cookies) {
        expect(name).toMatch(new RegExp(`^${prefix}hearthd_(?:session|csrf|(?:app|share)_[\\w-]+)$`));
        expect(attributes).toEqual(expect.arrayContaining(['path=/', 'httponly', 'samesite=lax']));
        expect(attributes.includes('secure')).toBe(https);
        expect(attributes.some((attribute) => attribute.startsWith('domain'))).toBe(false);
      }
    },
    60_000,
  );

  it('is worth nothing as a bearer token on any API', async () => {
    const values = new Set(
      (await collect(false)).map((line) => parseCookie(line).value).filter((value) => value !== ''),
    );
    values.add(fixture.ann.pageToken);
    const query = JSON.stringify({ query: '{ homes { id } }' });
    for (const value of values) {
      // A stranger may ask 40 times a second.
      await fixture.home.clock.advance(1_000);
      const headers = { Authorization: `Bearer ${value}`, 'Content-Type': 'application/json' };
      for (const path of ['/rest/homes', '/rest/state', '/events', '/metrics', '/mcp'])
        expect([path, (await fetch(fixture.origin + path, { headers })).status]).toEqual([path, 401]);
      const asked = await fetch(`${fixture.origin}/graphql`, { method: 'POST', headers, body: query });
      expect(asked.status).toBe(401);
      const spoken = await fetch(`${fixture.origin}/mcp`, { method: 'POST', headers, body: '{}' });
      expect(spoken.status).toBe(401);
      for (const url of [`${fixture.wsOrigin}/ws`, `${fixture.wsOrigin}/ws?token=${value}`])
        await expect(TestWebSocket.open(url, { headers: { Authorization: headers.Authorization } })).rejects.toThrow(
          'HTTP 401',
        );
    }
  }, 60_000);

  it('is worth nothing in the place of another one', async () => {
    const hash = await shareLamp('passcode');
    const share = `hearthd_share_${hash}`;
    await browser.post(`/s/${hash}/passcode`, { passcode: '493817', csrf });
    await browser.get((await fixture.begin(await fixture.register())).path);
    const given = [...browser.jar].filter(([name]) => name !== 'hearthd_session');
    expect(given.map(([name]) => name)).toContain(share);
    for (const [, value] of given) {
      const other = fixture.browserOf(null);
      other.jar.set('hearthd_session', value);
      expect((await other.get('/account')).status).toBe(303);
    }
    const other = fixture.browserOf(null);
    for (const value of [fixture.ann.pageToken, fixture.ann.token, browser.jar.get('hearthd_csrf') ?? '']) {
      other.jar.set(share, value);
      expect((await other.get(`/s/${hash}`)).status).toBe(403);
    }
  });

  it('of the session holds a token for pages: the API’s token opens no page', async () => {
    const other = fixture.browserOf(null);
    other.jar.set(fixture.sessionCookie, fixture.ann.token);
    expect((await other.get('/account')).location).toContain('/login');
    other.jar.set(fixture.sessionCookie, fixture.ann.pageToken);
    expect((await other.get('/account')).status).toBe(200);
  });

  it('that http could have planted is not read over https', async () => {
    await openFixture(true);
    const other = fixture.browserOf(null);
    other.jar.set('hearthd_session', fixture.ann.pageToken);
    expect((await other.get('/account')).status).toBe(303);
    other.jar.set('__Host-hearthd_session', fixture.ann.pageToken);
    expect((await other.get('/account')).status).toBe(200);
  });

  it('of sign-ins that are begun without end stays small', async () => {
    const client = await fixture.register();
    for (let begun = 0; begun < 20; begun += 1) await browser.get((await fixture.begin(client)).path);
    expect([...browser.jar.keys()].filter((name) => name.startsWith('hearthd_app_'))).toHaveLength(8);
  });

  it('is set in one file alone', () => {
    const folder = join(import.meta.dirname, '../../src');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
    const setting = files.filter((file) =>
      /hono\/cookie|['"]set-cookie['"]/i.test(readFileSync(join(folder, file), 'utf8')),
    );
    // The bridge reads what the library set; nothing of it goes on.
    expect(setting.sort()).toEqual(['api/cookies.ts', 'api/oauth/provider-bridge.ts']);
  });
});

describe('the consent page (row 20)', () => {
  it('can’t be framed, and asks for the password each time', async () => {
    const { path } = await fixture.begin(await fixture.register());
    const { headers, text } = await fixture.follow(browser, await browser.get(path));
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
    const form = await FORMS['/oauth/interaction/:uid']?.();
    const { password: _, ...rest } = form?.fields ?? {};
    const without = await browser.post(form?.path ?? '', { ...rest, csrf });
    expect([without.status, form?.isDone()]).toEqual([422, false]);
    expect(text).toContain('type="password"');
  });
});
