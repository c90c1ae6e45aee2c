/**
 * What `/docs`, `/graphiql` and their scripts are served with, over a small folder like the one that the build makes.
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DASHBOARD_POLICY } from '../../src/api/pages/dashboard.ts';
import { MANUAL_POLICY, PAGE_POLICY } from '../../src/api/pages/pages.ts';
import { createRestClient, createTestApi, type RestClient } from '../support/rest-client.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { createTestHome, type TestHome } from '../support/test-home.ts';

const SCRIPT = 'assets/docs-M5P2E_K4.js';
const FILES = [
  {
    path: 'docs/index.html',
    type: 'text/html; charset=utf-8',
    etag: '"html"',
    immutable: false,
    text: '<!doctype html>',
  },
  {
    path: 'docs/api/index.html',
    type: 'text/html; charset=utf-8',
    etag: '"reference"',
    immutable: false,
    text: '<!doctype html><title>Reference</title>',
  },
  {
    path: 'docs/install.html',
    type: 'text/html; charset=utf-8',
    etag: '"install"',
    immutable: false,
    text: '<!doctype html><title>Install</title>',
  },
  { path: 'docs/search.json', type: 'application/json', etag: '"search"', immutable: false, text: '[]' },
  { path: SCRIPT, type: 'text/javascript; charset=utf-8', etag: '"script"', immutable: true, text: 'run()' },
];

let home: TestHome;
let folder: TempDirectory;

beforeEach(() => {
  home = createTestHome();
  folder = createTempDirectory('built');
  for (const name of ['docs/api', 'assets']) mkdirSync(folder.file(name), { recursive: true });
  for (const { path, text } of FILES) {
    writeFileSync(folder.file(path), text);
    writeFileSync(folder.file(`${path}.gz`), gzipSync(text));
  }
  writeFileSync(folder.file('manifest.json'), JSON.stringify(FILES.map(({ text: _, ...asset }) => asset)));
  // What lies there without being in the list, however it came there.
  writeFileSync(folder.file('secret.txt'), 'secret');
  writeFileSync(folder.file('assets/left-over.js'), 'secret');
  symlinkSync('/etc/passwd', folder.file('assets/passwd'));
});

afterEach(() => {
  home.close();
  folder.remove();
});

function client(pagesDirectory = folder.path): RestClient {
  return createRestClient(createTestApi(home, { pagesDirectory }));
}

describe('a page', () => {
  it('is served to everyone, with headers that let it run its own scripts and nothing else', async () => {
    const { status, text, headers } = await client().get('/docs/api');
    expect([status, text]).toEqual([200, '<!doctype html><title>Reference</title>']);
    expect(Object.fromEntries(headers)).toEqual({
      'cache-control': 'no-cache',
      'content-security-policy': PAGE_POLICY,
      'content-type': 'text/html; charset=utf-8',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      etag: '"reference"',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      'referrer-policy': 'no-referrer',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect((await client().get('/docs/api/')).text).toBe(text);
  });

  it.each([
    ['/docs', '<!doctype html>'],
    ['/docs/', '<!doctype html>'],
    ['/docs/install', '<!doctype html><title>Install</title>'],
    ['/docs/search.json', '[]'],
  ])('of the manual at %s has no inline style and makes no markup of text', async (path, text) => {
    const answer = await client().get(path);
    expect([answer.status, answer.text]).toEqual([200, text]);
    expect(answer.headers.get('content-security-policy')).toBe(MANUAL_POLICY);
    expect(MANUAL_POLICY).toMatch(/style-src 'self';.*require-trusted-types-for 'script'/);
    expect(MANUAL_POLICY).not.toContain('unsafe');
  });

  it.each(['/docs/nothing', '/docs/index.html', '/docs/install.html', '/docs/..%2Fsecret.txt', '/docs/api%2Findex'])(
    'of the manual that is not there is not found: %s',
    async (path) => {
      const { status, body } = await client().get(path);
      expect([status, body.code]).toEqual([404, 'not_found']);
    },
  );

  it('has a policy without inline scripts, eval, other hosts or frames', () => {
    const directives = new Map(PAGE_POLICY.split('; ').map((line) => [line.split(' ')[0], line.split(' ').slice(1)]));
    expect(directives.get('default-src')).toEqual(["'none'"]);
    expect(directives.get('script-src')).toEqual(["'self'"]);
    expect(directives.get('connect-src')).toEqual(["'self'"]);
    expect(directives.get('frame-ancestors')).toEqual(["'none'"]);
    expect(PAGE_POLICY).not.toMatch(/unsafe-eval|https?:|\*|blob:/);
  });

  it('is asked for again each time, its scripts once for ever', async () => {
    expect((await client().get(`/${SCRIPT}`)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    for (const [path, etag] of [
      ['/docs', '"html"'],
      [`/${SCRIPT}`, '"script"'],
    ] as const) {
      const again = await client().get(path, { 'If-None-Match': `W/${etag}` });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    }
  });

  it('travels in Brotli, where there is a copy, to clients that take it', async () => {
    writeFileSync(folder.file(`${SCRIPT}.br`), brotliCompressSync('run()'));
    const rows = FILES.map(({ text: _, ...asset }) => ({ ...asset, hasBrotli: asset.path === SCRIPT }));
    writeFileSync(folder.file('manifest.json'), JSON.stringify(rows));
    const app = createTestApi(home, { pagesDirectory: folder.path });
    const ask = (path: string, coding: string) =>
      app.request(`/${path}`, { headers: { Host: 'localhost', 'Accept-Encoding': coding } });
    const answer = await ask(SCRIPT, 'gzip, deflate, br');
    expect([answer.headers.get('content-encoding'), answer.headers.get('etag')]).toEqual(['br', '"script"']);
    expect(brotliDecompressSync(Buffer.from(await answer.arrayBuffer())).toString()).toBe('run()');
    expect((await ask(SCRIPT, 'gzip, br;q=0')).headers.get('content-encoding')).toBe('gzip');
    expect((await ask('docs/search.json', 'gzip, br')).headers.get('content-encoding')).toBe('gzip');
  });

  it('travels gzipped to clients that take it, with the same ETag', async () => {
    const app = createTestApi(home, { pagesDirectory: folder.path });
    const answer = await app.request(`/${SCRIPT}`, { headers: { Host: 'localhost', 'Accept-Encoding': 'br, gzip' } });
    expect([answer.headers.get('content-encoding'), answer.headers.get('etag')]).toEqual(['gzip', '"script"']);
    expect(gunzipSync(Buffer.from(await answer.arrayBuffer())).toString()).toBe('run()');
    const refused = await client().get(`/${SCRIPT}`, { 'Accept-Encoding': 'gzip;q=0' });
    expect([refused.headers.get('content-encoding'), refused.text]).toEqual([null, 'run()']);
  });

  it('answers HEAD without a body', async () => {
    const { status, text, headers } = await client().request('HEAD', '/docs');
    expect([status, text, headers.get('content-type')]).toEqual([200, '', 'text/html; charset=utf-8']);
  });

  it('can’t be written to', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status } = await client().request(method, '/docs');
      // Without a token, a client learns only that.
      expect(status).toBe(401);
    }
  });

  it('is for those who ask for it under our own name', async () => {
    expect((await client().get('http://evil.example/docs')).status).toBe(403);
  });
});

describe('no request reaches a file that is not in the list', () => {
  it.each([
    '/assets/left-over.js',
    '/assets/passwd',
    '/assets/..%2fsecret.txt',
    '/assets/%2e%2e%2fmanifest.json',
    '/assets/..%2f..%2f..%2fetc%2fpasswd',
    '/assets/..%5csecret.txt',
    '/assets/docs-M5P2E_K4.js%00.html',
    '/assets/docs-M5P2E_K4.js.gz',
    '/assets/%c0%ae%c0%ae%2fsecret.txt',
    '/assets/__proto__',
    '/assets/constructor',
  ])('%s', async (path) => {
    const { status, body, text } = await client().get(path);
    expect([status, body.code]).toEqual([404, 'not_found']);
    expect(text).not.toContain('secret');
  });

  it.each(['/docs/../secret.txt', '/assets/../manifest.json', '/docs/api/index.html', '/manifest.json', '/assets/a/b'])(
    '%s is none of the pages',
    async (path) => {
      expect((await client().get(path)).status).toBe(401);
    },
  );
});

it('no path under /assets answers anything but its files, regardless of its form', async () => {
  const pages = client();
  const piece = fc.oneof(
    fc.constantFrom('..', '%2e%2e', '/', '%2f', '%5c', '%00', 'assets', 'secret.txt', 'passwd'),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 6 }), async (pieces) => {
      const path = `/assets/${pieces.map((text) => (text.startsWith('%') ? text : encodeURI(text))).join('')}`;
      const { status, text } = await pages.get(path);
      expect([400, 401, 404]).toContain(status);
      expect(text).not.toMatch(/secret|root:/);
    }),
    { numRuns: 300 },
  );
});

describe('where nothing is built', () => {
  it('explains what to do', async () => {
    const { status, body } = await client(folder.file('nowhere')).get('/docs');
    expect([status, body.code]).toEqual([404, 'not_found']);
    expect(body.error).toMatch(/not built: run "npm run build"/);
  });

  it('reports it for the scripts too, under any name', async () => {
    expect((await client(folder.file('nowhere')).get('/assets/x.js')).body.error).toMatch(/not built/);
  });

  it('reports it if the list of the build is damaged, and the home works on', async () => {
    writeFileSync(folder.file('manifest.json'), '[{"path":');
    expect((await client().get('/docs')).body.error).toMatch(/not built/);
    expect((await client().get('/health')).status).toBe(200);
  });

  it('asks for a restart where another build has taken the place of the one it knows', async () => {
    const pages = client();
    rmSync(folder.file(SCRIPT));
    const { status, body } = await pages.get(`/${SCRIPT}`);
    expect([status, body.code, body.error]).toEqual([404, 'not_found', expect.stringContaining('restart')]);
  });
});

describe('the dashboard', () => {
  const DASHBOARD = [
    { path: 'dashboard/index.html', type: 'text/html; charset=utf-8', etag: '"home"', immutable: false, text: 'home' },
    { path: 'sw.js', type: 'text/javascript; charset=utf-8', etag: '"worker"', immutable: false, text: 'work()' },
    {
      path: 'manifest.webmanifest',
      type: 'application/manifest+json',
      etag: '"manifest"',
      immutable: false,
      text: '{}',
    },
    {
      path: 'manifest.de.webmanifest',
      type: 'application/manifest+json',
      etag: '"manifest-de"',
      immutable: false,
      text: '{"lang":"de"}',
    },
  ];
  const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

  beforeEach(() => {
    mkdirSync(folder.file('dashboard'));
    for (const { path, text } of DASHBOARD) writeFileSync(folder.file(path), text);
    writeFileSync(folder.file('manifest.json'), JSON.stringify(DASHBOARD.map(({ text: _, ...asset }) => asset)));
  });

  it.each(['/', '/welcome', '/rooms/x', '/settings', '/system/logs'])(
    'is what a browser gets at %s, with its own policy',
    async (path) => {
      const { status, text, headers } = await client().get(path, BROWSER);
      expect([status, text]).toEqual([200, 'home']);
      expect(Object.fromEntries(headers)).toEqual({
        'cache-control': 'no-cache',
        'content-security-policy': DASHBOARD_POLICY,
        'content-type': 'text/html; charset=utf-8',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        etag: '"home"',
        'permissions-policy': 'camera=(self), geolocation=(self), microphone=()',
        'referrer-policy': 'no-referrer',
        vary: 'Accept-Encoding',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
    },
  );

  it('is not in the way of programs, of forms, nor of addresses that are not its own', async () => {
    expect((await client().get('/')).body.code).toBe('invalid_token');
    expect((await client().get('/', { Accept: 'application/json' })).status).toBe(401);
    expect((await client().request('POST', '/', '', BROWSER)).status).toBe(401);
    expect((await client().get('/rest/homes', BROWSER)).status).toBe(401);
    expect((await client().get('/login', BROWSER)).headers.get('location')).toBe('/setup');
  });

  it('runs its own scripts and workers only, and makes nothing of text', () => {
    const directives = new Map(DASHBOARD_POLICY.split('; ').map((line) => [line.split(' ')[0], line]));
    expect(Object.fromEntries(directives)).toMatchObject({
      'default-src': "default-src 'none'",
      'script-src': "script-src 'self'",
      'worker-src': "worker-src 'self'",
      'connect-src': "connect-src 'self'",
      'frame-ancestors': "frame-ancestors 'none'",
      'require-trusted-types-for': "require-trusted-types-for 'script'",
    });
    expect(DASHBOARD_POLICY).not.toMatch(/unsafe-eval|https?:|\*/);
  });

  it.each([
    ['/sw.js', 'text/javascript; charset=utf-8', 'work()'],
    ['/manifest.webmanifest', 'application/manifest+json', '{}'],
  ])('has %s at a fixed address, asked for again each time', async (path, type, text) => {
    const answer = await client().get(path);
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([200, text, type]);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
  });

  it.each([
    ['de-AT,de;q=0.9,en;q=0.8', '{"lang":"de"}'],
    ['fr,de;q=0.9', '{"lang":"de"}'],
    ['en-GB,de;q=0.9', '{}'],
    ['fr', '{}'],
  ])('names its shortcuts in the language that the browser prefers: %s', async (requested, text) => {
    const answer = await client().get('/manifest.webmanifest', { 'Accept-Language': requested });
    expect([answer.text, answer.headers.get('vary')]).toEqual([text, 'Accept-Encoding, Accept-Language']);
  });

  it('explains what to do if it is not built, and where to go on without', async () => {
    const { status, text } = await client(folder.file('nowhere')).get('/', BROWSER);
    expect(status).toBe(200);
    for (const part of ['npm run build', 'href="/login"', 'href="/setup"']) expect(text).toContain(part);
  });
});
