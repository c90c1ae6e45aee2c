/**
 * `npm run pictures`: takes the pictures of the README and the manual from the demo house, in Chromium. Run it where no
 * other demo runs: of two accessories of one name on the network, one gets a number.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../browser/chromium.ts';
import { ROOT } from '../support/built-once.ts';

/** In the repository, and on the pages of the manual. */
const FOLDER = join(ROOT, 'src/docs/manual/pictures');
const MAX_BYTES = 150_000;
/** Values, pictures and codes arrive one after another. */
const SETTLED_MS = 3_000;

const DESKTOP = { width: 1280, height: 800 };
/** For pages with much on them. */
const LOW = { width: 1200, height: 640 };
const PHONE = { width: 390, height: 844 };

interface Picture {
  readonly name: string;
  /** `{lamp}` is the reading lamp's id, `{flow}` that of the automation with several steps. */
  readonly path: string;
  readonly size: { readonly width: number; readonly height: number };
  readonly isDark?: boolean;
}

const PICTURES: readonly Picture[] = [
  { name: 'home-desktop', path: '/', size: DESKTOP },
  { name: 'home-phone', path: '/', size: PHONE, isDark: true },
  { name: 'lamp', path: '/accessories/{lamp}', size: LOW },
  { name: 'automation', path: '/automations/flow/{flow}/edit', size: DESKTOP },
  { name: 'apple-home', path: '/publish', size: DESKTOP },
  { name: 'connections', path: '/connections', size: LOW },
];

interface Demo {
  readonly url: string;
  readonly email: string;
  readonly password: string;
}

const child = spawn(process.execPath, ['--import', 'tsx', join(ROOT, 'test/demo/main.ts'), '--json'], {
  cwd: ROOT,
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  await takeAll(await readDemo());
} finally {
  child.kill('SIGTERM');
}

async function readDemo(): Promise<Demo> {
  for await (const line of createInterface(child.stdout)) if (line.startsWith('{')) return JSON.parse(line);
  throw new Error('The demo ended before it was ready');
}

async function takeAll({ url, email, password }: Demo): Promise<void> {
  const browser = await launchChromium();
  try {
    const { token } = await post(`${url}/graphql`, {
      query: 'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { token } }',
      variables: { email, password },
    }).then(({ data }) => data.login);
    const [home] = await get(`${url}/rest/homes`, token);
    const accessories: readonly { id: string; name: string }[] = await get(`${url}/rest/accessories`, token);
    const [flow] = await get(`${url}/rest/flows?home=${home.id}`, token);
    const lamp = accessories.find(({ name }) => name.startsWith('Reading Lamp'));
    const light = { home: home.name, room: 'Living Room', accessory: lamp?.name, on: true, brightness: 80 };
    await post(`${url}/rest/state`, light, token);
    mkdirSync(FOLDER, { recursive: true });
    for (const picture of PICTURES) {
      const path = picture.path.replace('{lamp}', lamp?.id ?? '').replace('{flow}', flow.id);
      await take(browser, { ...picture, path }, { url, token });
    }
  } finally {
    await browser.close();
  }
}

async function take(browser: Browser, picture: Picture, { url, token }: { url: string; token: string }) {
  const context = await browser.newContext({
    viewport: picture.size,
    colorScheme: picture.isDark ? 'dark' : 'light',
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  const page: Page = await context.newPage();
  const session = JSON.stringify({ token, expiresAt: null, kept: true });
  await page.addInitScript(`localStorage.setItem('hearthd.session', ${JSON.stringify(session)})`);
  await page.goto(url + picture.path);
  await page.locator('h1').first().waitFor();
  await page.waitForTimeout(SETTLED_MS);
  const file = join(FOLDER, `${picture.name}.png`);
  await page.screenshot({ path: file });
  await context.close();
  const { size } = statSync(file);
  console.log(`${picture.name}.png: ${Math.round(size / 1_000)} kB`);
  if (size > MAX_BYTES) throw new Error(`${file} is larger than ${MAX_BYTES} bytes: choose a calmer part of the page`);
}

// biome-ignore lint/suspicious/noExplicitAny: what the API describes.
async function get(url: string, token: string): Promise<any> {
  return (await fetch(url, { headers: { Authorization: `Bearer ${token}` } })).json();
}

// biome-ignore lint/suspicious/noExplicitAny: what the API describes.
async function post(url: string, body: object, token?: string): Promise<any> {
  const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
