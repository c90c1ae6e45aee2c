/**
 * Forms and cookies (security checklist, rows 19, 20, 44): every address that a browser can send a form to, from the face's own list,
 * and every way in which another site could make it do so. What is refused has done nothing.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hiddenFields, type PageAnswer, PageClient } from '../faces/html/page-client.ts';
import { createOAuthLab, type OAuthLab } from '../support/oauth-lab.ts';
import { createTestFace } from '../support/rest-client.ts';
import { systemCaller } from '../support/test-home.ts';
import { anonymousCaller, createUser } from '../support/test-users.ts';

const NEW_PASSWORD = 'another horse entirely';

let lab: OAuthLab;
let browser: PageClient;
/** A page of ours that is open in the browser, with a form. */
let csrf: string;

beforeEach(async () => {
  lab = await createOAuthLab();
  browser = lab.browserOf();
  csrf = csrfOf(await browser.get('/account'));
});

afterEach(() => lab.close());

const csrfOf = (page: PageAnswer): string => /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';

interface Filled {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Whether what the form asks for has happened. */
  readonly isDone: () => boolean;
}

/** Somewhere else that Ann is signed in. */
async function signInElsewhere(): Promise<string> {
  const { user, password } = lab.ann;
  const { token } = await lab.home.users.logIn(anonymousCaller('192.0.2.7'), { email: user.email, password });
  const principal = await lab.home.sessions.authenticate(token);
  if (principal.kind !== 'user') throw new Error('A session is no user');
  return principal.sessionId;
}

const sessionCount = (): number => lab.home.sessions.list(lab.ann.caller).length;

/** A home of somebody else that Ann is invited to. */
async function invitedHome(): Promise<string> {
  const bob = await createUser(lab.home, { name: 'Bob', role: 'owner' });
  const cottage = lab.home.homes.create(bob.caller, { name: 'Cottage' });
  lab.home.members.invite(bob.caller, { homeId: cottage.id, email: lab.ann.user.email, role: 'view' });
  return cottage.id;
}

const isInvited = (): boolean => lab.home.members.pending(lab.ann.caller).length > 0;
const isMember = (homeId: string): boolean =>
  lab.home.members.list(systemCaller, homeId).some(({ userId, isPending }) => userId === lab.ann.user.id && !isPending);

/** Each form of ours as somebody who is signed in would send it, but for its token. */
const FORMS: Readonly<Record<string, () => Promise<Filled>>> = {
  '/login': async () => {
    const before = sessionCount();
    const { user, password } = lab.ann;
    return {
      path: '/login',
      fields: { email: user.email, password },
      // Signing in again ends the session that the browser had, and begins another one.
      isDone: () => sessionCount() !== before || !lab.home.credentials.isLive(lab.ann.caller.principal),
    };
  },
  '/logout': async () => ({
    path: '/logout',
    fields: {},
    isDone: () => !lab.home.credentials.isLive(lab.ann.caller.principal),
  }),
  '/setup': async () => ({
    path: '/setup',
    fields: { email: 'eve@example.org', name: 'Eve', password: NEW_PASSWORD, setupCode: 'ABCD-2345' },
    isDone: () => lab.home.users.findByEmail('eve@example.org') !== undefined,
  }),
  '/invite/:code': async () => {
    const invited = { homeId: lab.home.home.id, email: 'eve@example.org', role: 'view' };
    const { invitation } = lab.home.members.invite(lab.ann.caller, invited);
    return {
      path: `/invite/${invitation?.code}`,
      fields: { name: 'Eve', password: NEW_PASSWORD },
      isDone: () => lab.home.users.findByEmail('eve@example.org') !== undefined,
    };
  },
  '/invite/:code/accept': async () => {
    const bob = await createUser(lab.home, { name: 'Bob', role: 'owner' });
    const cottage = lab.home.homes.create(bob.caller, { name: 'Cottage' });
    const dora = { homeId: cottage.id, email: 'dora@example.org', role: 'view' };
    const { invitation } = lab.home.members.invite(bob.caller, dora);
    await createUser(lab.home, { name: 'Dora' });
    const { token } = await lab.home.users.logIn(anonymousCaller(), {
      email: dora.email,
      password: 'password of Dora',
    });
    browser.jar.set('hearthd_session', token);
    return {
      path: `/invite/${invitation?.code}/accept`,
      fields: {},
      isDone: () =>
        lab.home.members.list(systemCaller, cottage.id).some(({ name, isPending }) => name === 'Dora' && !isPending),
    };
  },
  '/account/password': async () => ({
    path: '/account/password',
    fields: { currentPassword: lab.ann.password, newPassword: NEW_PASSWORD },
    isDone: () => !lab.home.credentials.isLive(lab.ann.caller.principal),
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
  '/account/apps/:id/end': async () => {
    const client = await lab.register();
    await lab.signIn(client);
    return {
      path: `/account/apps/${client.client_id}/end`,
      fields: {},
      isDone: () => lab.home.authorizedApps.list(lab.ann.caller).length === 0,
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
    const { path } = await lab.begin(await lab.register());
    const page = await lab.follow(browser, await browser.get(path));
    const action = /action="(\/oauth\/interaction\/[^"]+)"/.exec(page.text)?.[1] ?? '';
    return {
      path: action,
      fields: {
        ...hiddenFields(page.text, action),
        approve: 'yes',
        scope: 'write',
        all_homes: 'on',
        password: lab.ann.password,
        csrf: '',
      },
      isDone: () => lab.home.authorizedApps.list(lab.ann.caller).length > 0,
    };
  },
  '/s/:hash/passcode': async () => {
    const hash = await shareLamp('passcode');
    return {
      path: `/s/${hash}/passcode`,
      fields: { passcode: '493817' },
      isDone: () => [...browser.jar.keys()].some((name) => !['hearthd_session', 'hearthd_csrf'].includes(name)),
    };
  },
  '/s/:hash/set': async () => {
    const hash = await shareLamp('user');
    return {
      path: `/s/${hash}/set`,
      fields: { accessory: lab.home.named('Lamp').id, property: 'on', value: 'true' },
      isDone: lampIsOn,
    };
  },
  '/s/:hash/on': async () => ({ path: `/s/${await shareLamp('user')}/on`, fields: {}, isDone: lampIsOn }),
};

/** What only the browser's cookie opens: with a link that is open to everybody nobody needs a form. */
async function shareLamp(accessType: 'passcode' | 'user'): Promise<string> {
  const lamp = { entityType: 'accessory', entityId: lab.home.named('Lamp').id, accessType, role: 'control' };
  const { shareHash } = await lab.home.shares.create(systemCaller, {
    ...lamp,
    ...(accessType === 'passcode' ? { passcode: '493817' } : { userEmail: lab.ann.user.email }),
  });
  return shareHash;
}

function lampIsOn(): boolean {
  return lab.home
    .named('Lamp')
    .services.some(({ characteristics }) => characteristics.some(({ type, value }) => type === '25' && value === true));
}

/** What another site, or a program in its place, can make a browser send. */
const FOREIGN: Readonly<Record<string, (form: Filled) => Promise<PageAnswer>>> = {
  'no token': ({ path, fields }) => browser.post(path, fields),
  'a token that was made up': ({ path, fields }) => browser.post(path, { ...fields, csrf: 'x'.repeat(43) }),
  'the token of another browser': async ({ path, fields }) => {
    const other = csrfOf(await lab.browserOf().get('/account'));
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

describe('every form (row 44)', () => {
  it('is in the table', () => {
    const { routes } = createTestFace(lab.home);
    const posts = routes.filter(({ method, path }) => method === 'POST' && !path.includes('*')).map(({ path }) => path);
    // Not for browsers: they want a token in a header, a secret in the body or an id in the address, and no cookie counts.
    const programs = /^\/(?:rest|mcp|graphql|webhook|owntracks|register|oauth\/(?:register|token|revoke))(?:\/|$)/;
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

  // Nobody is left to claim anything: what /setup does with a good code is proved where there is somebody.
  it.each(Object.keys(FORMS).filter((route) => route !== '/setup'))(
    '%s does its work for ours, and answers 303 (row 19)',
    async (route) => {
      const form = await fill(route);
      const { status } = await browser.post(form.path, { ...form.fields, csrf: currentCsrf() });
      expect(status).toBe(303);
      expect(form.isDone()).toBe(true);
    },
  );
});

describe('every cookie', () => {
  const NAMES = /^(?:hearthd_|_)/;

  it('is out of reach of scripts and other sites, and never leaves https again', async () => {
    const proxied = await createOAuthLab({ face: { guards: httpsGuards() } });
    const set: string[] = [];
    const request = async (url: string, init: RequestInit) => {
      const answer = await fetch(url, { ...init, redirect: 'manual' });
      set.push(...answer.headers.getSetCookie());
      return answer;
    };
    const client = new PageClient({ request: request as never }, proxied.origin);
    const https = { 'X-Forwarded-Proto': 'https', Origin: proxied.origin.replace('http:', 'https:') };
    const login = await client.get('/login', https);
    const { user, password } = proxied.ann;
    const fields = { ...hiddenFields(login.text, '/login'), email: user.email, password };
    expect((await client.post('/login', fields, https)).status).toBe(303);
    await client.get('/account', https);
    const { path } = await proxied.begin(await proxied.register());
    const away = await client.get(path, https);
    await client.get(new URL(away.location ?? '', proxied.origin).pathname, https);
    expect(set.length).toBeGreaterThan(4);
    for (const cookie of set) {
      const parts = cookie.toLowerCase().split('; ');
      expect(cookie).toMatch(NAMES);
      expect(parts, cookie).toContain('httponly');
      expect(parts, cookie).toContain('secure');
      expect(parts.includes('samesite=lax') || parts.includes('samesite=strict'), cookie).toBe(true);
      expect(cookie).not.toMatch(/domain=/i);
    }
    await proxied.close();
  });

  function httpsGuards() {
    return {
      ownHosts: () => new Set(['localhost', '127.0.0.1']),
      allowedHosts: [],
      allowedOrigins: [],
      publicUrl: null,
      trustedProxies: ['127.0.0.1'],
    };
  }
});

describe('the consent page (row 20)', () => {
  it('can’t be framed, and asks for the password each time', async () => {
    const { path } = await lab.begin(await lab.register());
    const { headers, text } = await lab.follow(browser, await browser.get(path));
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
