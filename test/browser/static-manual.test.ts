/** The manual as a static site: built by `npm run docs`, and served by a server that only knows files. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/built-once.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { launchChromium, NO_BROWSER, openPage } from './chromium.ts';

const BASE = '/hearthd/';
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
};

let site: TempDirectory;

/** What a page names: links, scripts, styles, pictures, and where its search looks. */
function addressesIn(html: string): readonly string[] {
  return [...html.matchAll(/ (?:href|src|data-(?:index|operations|reference|description))="([^"]*)"/g)].map(
    ([, address = '']) => address,
  );
}

function read(name: string): string {
  return readFileSync(site.file(name), 'utf8');
}

/** @returns why an address leads nowhere, or `undefined` */
function brokenReason(page: string, address: string): string | undefined {
  if (/^(?:https?|mailto|data):/.test(address)) return undefined;
  const [path = '', anchor] = address.split('#');
  if (path !== '' && !path.startsWith(BASE)) return 'outside of the site';
  const file = path === '' ? page : path.slice(BASE.length);
  if (!existsSync(site.file(file))) return 'no file';
  return anchor === undefined || read(file).includes(`id="${anchor}"`) ? undefined : 'no such heading';
}

/** `npm run docs` */
function makeSite(folder: string): void {
  execFileSync(process.execPath, ['--import', 'tsx', '.ci/docs/main.ts', '--base', BASE, '--out', folder], {
    cwd: ROOT,
    stdio: 'pipe',
    env: { ...process.env, NODE_ENV: 'production' },
  });
}

beforeAll(() => {
  site = createTempDirectory('static-manual');
  makeSite(site.path);
});

afterAll(() => site?.remove());

describe('the static manual', () => {
  it('has a page for each topic, with the menu, and the reference', () => {
    const topics = readdirSync(join(ROOT, 'src/docs/manual')).filter((name) => name.endsWith('.md'));
    const pages = [...topics.map((name) => name.replace(/\.md$/, '.html')), 'api.html', 'contract-api.html'];
    expect(pages.filter((name) => !existsSync(site.file(name)))).toEqual([]);
    expect(addressesIn(read('settings.html'))).toEqual(expect.arrayContaining(['/hearthd/install.html']));
    expect(Object.keys(JSON.parse(read('openapi.json')).paths).length).toBeGreaterThan(50);
  });

  it('does not empty a folder that holds other files', () => {
    using folder = createTempDirectory('no-manual');
    writeFileSync(folder.file('letter.txt'), 'Dear reader');
    expect(() => makeSite(folder.path)).toThrow('Name another folder');
    expect(readdirSync(folder.path)).toEqual(['letter.txt']);
  });

  it('has no link that leads nowhere', () => {
    const pages = readdirSync(site.path).filter((name) => name.endsWith('.html'));
    const named = pages.flatMap((page) => addressesIn(read(page)).map((address) => ({ page, address })));
    const sections = JSON.parse(read('search.json')) as readonly { readonly address: string }[];
    const found = sections.map(({ address }) => ({ page: 'search.json', address }));
    expect(pages.length).toBeGreaterThan(30);
    expect(found.length).toBeGreaterThan(200);
    const broken = [...named, ...found].flatMap(({ page, address }) => {
      const reason = brokenReason(page, address);
      return reason === undefined ? [] : [`${page}: ${address}: ${reason}`];
    });
    expect(broken).toEqual([]);
  });
});

describe.skipIf(NO_BROWSER)(
  `the static manual in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`,
  { retry: 1 },
  () => {
    let server: Server;
    let browser: Browser;

    beforeAll(async () => {
      server = createServer((request, response) => {
        const path = new URL(request.url ?? '/', 'http://site').pathname;
        const file = path.startsWith(BASE) ? site.file(path.slice(BASE.length)) : '';
        if (!existsSync(file)) response.writeHead(404).end();
        else response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'text/plain' }).end(readFileSync(file));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      browser = await launchChromium();
    });

    afterAll(async () => {
      await browser?.close();
      server?.close();
    });

    it('finds what people type, in the manual and in the reference, and asks no other server', async () => {
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { page, complaints } = await openPage(browser, origin);
      await page.goto(`${origin}${BASE}install.html`);
      await page.getByRole('searchbox').fill('paired elsewhere');
      await page.locator('#hits mark').first().waitFor();
      await page.getByRole('searchbox').press('Enter');
      await page.waitForURL(`${origin}${BASE}troubleshooting.html#an-accessory-is-paired-elsewhere`);
      await page.getByRole('searchbox').fill('POST /rest/scenes/{id}/execute');
      await page.locator('#hits a[href*="api.html#/Scenes/executeScene"]').click();
      await page.locator('#operations-Scenes-executeScene .opblock-body').waitFor();
      expect(await page.locator('.try-out').count()).toBe(0);
      expect(complaints).toEqual([]);
      await page.context().close();
    });
  },
);
