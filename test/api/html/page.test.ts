import { writeFileSync } from 'node:fs';
import { Hono } from 'hono';
import { afterEach, describe, expect, it } from 'vitest';
import type { ApiEnv } from '../../../src/api/env.ts';
import { ErrorPage, presentErrorPage } from '../../../src/api/html/error-page.tsx';
import { answerPage, formActionSource, type PageAnswer } from '../../../src/api/html/page.tsx';
import { texts } from '../../../src/api/html/texts.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { createTestApi } from '../../support/rest-client.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { createTestHome, type TestHome } from '../../support/test-home.ts';
import { createUser } from '../../support/test-users.ts';
import { PageClient } from './page-client.ts';

const PROTECTION = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'content-language': 'en',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  vary: 'Accept-Language',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

let home: TestHome | undefined;

afterEach(() => {
  home?.close();
  home = undefined;
});

function pageWith(options: PageAnswer): Promise<Response> {
  const app = new Hono<ApiEnv>().get('/', (c) =>
    answerPage(c, ErrorPage({ texts: texts.en, title: 'A', message: 'B' }), options),
  );
  return Promise.resolve(app.request('/'));
}

async function policyWith(options: PageAnswer): Promise<string | null> {
  return (await pageWith(options)).headers.get('content-security-policy');
}

describe('every page', () => {
  it.each(['/login', '/setup', '/account', '/invite/nothing'])(
    'carries exactly these protective headers: %s',
    async (path) => {
      home = createTestHome();
      const token = path === '/setup' ? '' : (await createUser(home, { founder: true })).pageToken;
      const client = new PageClient(createTestApi(home));
      if (path === '/account') client.jar.set('hearthd_session', token);
      const { headers, text } = await client.get(path);
      const others = new Set(['content-type', 'set-cookie', 'x-request-id']);
      expect(Object.fromEntries([...headers].filter(([name]) => !others.has(name)))).toEqual(PROTECTION);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(text).toMatch(/^<!DOCTYPE html><html lang="en">/);
    },
  );

  it('has no script, no style and no handler written into it, and names nothing of another site', async () => {
    home = createTestHome();
    const { pageToken } = await createUser(home, { founder: true });
    const client = new PageClient(createTestApi(home));
    const pages = [await client.get('/login')];
    client.jar.set('hearthd_session', pageToken);
    pages.push(await client.get('/account'));
    for (const { text } of pages) {
      expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:/i);
      const addresses = [...text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, address = '']) => address);
      expect(addresses.length).toBeGreaterThan(2);
      for (const address of addresses) expect(address).toMatch(/^(?:\/(?!\/)|data:image\/svg\+xml,)/);
    }
  });

  it('names the one script of the sign-in page where it is built, as a file of ours, and is whole without it', async () => {
    using folder = createTempDirectory();
    const path = 'assets/passkey-sign-in-0123abcd.js';
    writeFileSync(folder.file('manifest.json'), JSON.stringify([{ path }]));
    home = createTestHome();
    await createUser(home, { founder: true });
    const client = new PageClient(createTestApi(home, { pagesDirectory: folder.path }));
    const { headers, text } = await client.get('/login');
    expect(text.match(/<script[^>]*>/g)).toEqual([`<script type="module" src="/${path}">`]);
    expect(headers.get('content-security-policy')).toContain("; script-src 'self'; connect-src 'self'; ");
    expect(text).toMatch(/<section class="passkey"[^>]* hidden=""/);
    const [, script = ''] = /(<section class="passkey".*?<\/section>)/s.exec(text) ?? [];
    const bare = await new PageClient(createTestApi(home)).get('/login');
    const sheet = (page: string) => page.replace(/<head>.*<\/head>/s, '').replaceAll(/ value="[^"]*"/g, '');
    expect(script).not.toBe('');
    expect(sheet(text.replace(script, ''))).toBe(sheet(bare.text));
  });

  it('lets browsers report the origin of our own forms, which the header alone would hide', async () => {
    expect(await (await pageWith({})).text()).toContain('<meta name="referrer" content="same-origin"/>');
  });

  it('escapes what it is given as text', async () => {
    const app = new Hono<ApiEnv>().get('/', (c) =>
      answerPage(c, ErrorPage({ texts: texts.en, title: '<b>"title"</b>', message: '</p><script>alert(1)</script>' })),
    );
    const text = await (await app.request('/')).text();
    expect(text).toContain('<h1>&lt;b&gt;&quot;title&quot;&lt;/b&gt;</h1>');
    expect(text).toContain('&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
  });
});

describe('the policy of a page', () => {
  it('allows scripts only where the page has some of ours', async () => {
    expect(await policyWith({ scripts: true })).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; connect-src 'self'; " +
        "require-trusted-types-for 'script'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
  });

  it.each([
    ['https://app.example/callback?x=1', 'https://app.example'],
    ['http://127.0.0.1:4711/cb', 'http://127.0.0.1:4711'],
    ['http://[::1]:8123/cb', 'http://[::1]:8123'],
    ['https://bücher.example/cb', 'https://xn--bcher-kva.example'],
    ['com.example.app:/oauth', 'com.example.app:'],
    ['homeassistant://auth', 'homeassistant:'],
  ])('lets forms lead on to an app at %s', async (redirectUri, source) => {
    expect(formActionSource(redirectUri)).toBe(source);
    expect(await policyWith({ formAction: [source] })).toContain(`form-action 'self' ${source};`);
  });

  it.each([
    "https://a.example; script-src 'unsafe-inline'",
    'https://a.example *',
    "'unsafe-inline'",
    '*',
    'https://a.example,b',
  ])('takes nothing else for an address: %s', async (source) => {
    expect(await policyWith({ formAction: [source] })).toBe(PROTECTION['content-security-policy']);
  });
});

describe('the style sheet', () => {
  it('is kept by browsers and asked for again', async () => {
    home = createTestHome();
    const app = createTestApi(home);
    const first = await app.request('/page.css', { headers: { Host: 'localhost' } });
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const etag = first.headers.get('etag') ?? '';
    const again = await app.request('/page.css', { headers: { Host: 'localhost', 'If-None-Match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const zipped = await app.request('/page.css', { headers: { Host: 'localhost', 'Accept-Encoding': 'gzip' } });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect((await zipped.arrayBuffer()).byteLength).toBeLessThan((await first.text()).length / 2);
  });

  it('loads no fonts or pictures from elsewhere', async () => {
    home = createTestHome();
    const css = await (await createTestApi(home).request('/page.css', { headers: { Host: 'localhost' } })).text();
    expect(css).not.toMatch(/url\(|@import|https?:/);
  });
});

describe('an error', () => {
  const present = async (error: unknown): Promise<Response> =>
    new Hono<ApiEnv>().get('/', (c) => presentErrorPage(error, c, 'request-1')).request('/');

  it.each([
    [new HearthError('share_not_found', 'Share not found'), 404],
    [new HearthError('forbidden_origin', 'This form is not valid any more.'), 403],
    [new HearthError('invalid_token', 'Token expired'), 401],
    [new HearthError('conflict', 'Taken.'), 422],
    [new HearthError('storage_unavailable', 'The disk is full.'), 503],
  ])('is a page with its sentence and its status: $code', async (error, status) => {
    const answer = await present(error);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(error.message);
    // A browser would open a box of its own.
    expect(answer.headers.get('www-authenticate')).toBeNull();
  });

  it('unexpected ones are shown without their cause, under the id that the log has', async () => {
    const answer = await present(new Error('secret detail'));
    const html = await answer.text();
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([500, 'request-1']);
    expect(html).toContain('<code>request-1</code>');
    expect(html).not.toContain('secret detail');
  });

  it('shows how long to wait', async () => {
    const answer = await present(new HearthError('rate_limited', 'Wait.', { retryAfterSeconds: 17 }));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '17']);
  });

  it('unexpected ones show only where to look them up', async () => {
    const answer = await present(new Error('password is hunter2 at /root/secret.ts'));
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text).not.toMatch(/hunter2|secret\.ts/);
    expect(text).toContain(answer.headers.get('x-request-id') ?? 'none');
  });
});
