/**
 * The pages that need no script, in a real browser and over real HTTP: claiming, signing in, accounts, invitations,
 * letting an app in.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { E2eRelay } from '../support/e2e-relay.ts';
import { freePort } from '../support/free-port.ts';
import { launchChromium, NO_BROWSER } from './chromium.ts';
import { registerApp } from './oauth-app.ts';
import { expectAccessible, expectToFit } from './page-rules.ts';

/** A liveness bound: a browser starts slowly on a machine that has a whole test run to do meanwhile. */
const PATIENCE_MS = 180_000;
/** How long one step may take. */
const WAIT_MS = 20_000;
const SUITE = `the pages without scripts in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;

const ANN = { email: 'ann@example.org', name: 'Ann', password: 'correct horse battery' };
const EVIL_NAME = '<img src=x onerror=document.title=1>';

/**
 * A form with an invalid field has an error status too; the app does not exist; and a user who types before the page
 * has moved the focus to the error keeps the field that they are in.
 */
const EXPECTED_ON_CONSOLE = /status of 4(?:04|22|29)|ERR_CONNECTION_REFUSED|^Autofocus processing was blocked/;

const VIEWS = {
  'a small phone by day': { viewport: { width: 320, height: 640 }, colorScheme: 'light' },
  'a desk in the dark': { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
} as const;

/** Where an app would be: the browser's requests are recorded and not answered. */
let app: string;
let relay: E2eRelay;
let browser: Browser;
let context: BrowserContext | undefined;
let complaints: string[];

/**
 * A browser of its own that must keep our promises: it runs nothing, asks no other host, and its policy stops nothing.
 */
async function open(options: Parameters<Browser['newContext']>[0] = {}, ...others: E2eRelay[]): Promise<Page> {
  const noted: string[] = [];
  complaints = noted;
  await context?.close();
  context = await browser.newContext(options);
  context.setDefaultTimeout(WAIT_MS);
  context.on('console', (message) => {
    if (!EXPECTED_ON_CONSOLE.test(message.text())) noted.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => noted.push(`thrown: ${error.error().message}`));
  const origins = [relay, ...others].map(({ url }) => new URL(url).origin);
  await context.route('**', (route) => {
    const url = new URL(route.request().url());
    if (origins.includes(url.origin) || url.protocol === 'data:') return route.continue();
    noted.push(`asks elsewhere: ${url.href}`);
    return route.abort();
  });
  return context.newPage();
}

function at(path: string, { url } = relay): string {
  return new URL(path, url).href;
}

async function signIn(page: Page, { email, password }: { email: string; password: string } = ANN): Promise<void> {
  await page.goto(at('/login'));
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/account');
}

/** Whether the field with this id, or the button with this text, has the focus. */
function hasFocus(page: Page, name: string): Promise<boolean> {
  const active = 'document.activeElement';
  return page.evaluate<boolean>(`${active}.id === '${name}' || ${active}.textContent.trim() === '${name}'`);
}

/** Presses Tab until it has the focus, as a person without a mouse would. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 25; presses += 1) {
    if (await hasFocus(page, name)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reaches ${name}`);
}

/** An app that asks for access. @returns the address that it sends the browser to */
async function appAddress(name: string): Promise<string> {
  const origin = new URL(relay.url).origin;
  const { path } = await registerApp(origin, { name, redirectUri: `${app}/callback`, state: 'the-state' });
  return at(path);
}

/** What the browser takes to the app: nothing, if a policy of ours stops it on the way. */
async function whatAppGets(page: Page): Promise<URLSearchParams> {
  const request = await page.waitForRequest((asked) => asked.url().startsWith(`${app}/callback?`));
  return new URL(request.url()).searchParams;
}

describe.skipIf(NO_BROWSER)(SUITE, { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    relay = await E2eRelay.start();
    app = `https://127.0.0.1:${await freePort()}`;
    // The first account is its owner's.
    expect((await relay.asSystem('POST', '/rest/users', ANN)).status).toBe(200);
    browser = await launchChromium();
  }, PATIENCE_MS);

  afterEach(async () => {
    await context?.close();
    context = undefined;
  });

  afterAll(async () => {
    await browser?.close();
    await relay?.[Symbol.asyncDispose]();
  });

  it('claims the relay, signs out and in again with the keyboard alone, on a small phone, without scripts', async () => {
    await using unclaimed = await E2eRelay.start();
    const { code } = (await unclaimed.asSystem('POST', '/rest/setup-code')).body;
    const page = await open({ javaScriptEnabled: false, ...VIEWS['a small phone by day'] }, unclaimed);
    await page.goto(at('/', unclaimed));
    await page.getByRole('link', { name: 'Set up' }).click();
    await page.waitForURL('**/setup');
    for (const [field, text] of Object.entries({ setupCode: code, email: ANN.email, name: ANN.name })) {
      await tabTo(page, field);
      await page.keyboard.type(text);
    }
    await tabTo(page, 'password');
    await page.keyboard.type(ANN.password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account?done=claimed');
    await page.getByRole('heading', { name: 'Ann' }).waitFor();
    await page.getByRole('status').getByText('You are now the owner.').waitFor();

    await tabTo(page, 'Sign out');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/login?done=signed-out');
    expect((await context?.cookies())?.map(({ name }) => name)).toEqual(['hearthd_csrf']);
    await tabTo(page, 'email');
    await page.keyboard.type(ANN.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(ANN.password);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account');
    expect(complaints).toEqual([]);
  });

  it('gives the focus to what was wrong, and the next Tab to the first field', async () => {
    const page = await open();
    await page.goto(at('/login'));
    await page.getByLabel('Email address').fill('nobody@example.org');
    await page.getByLabel('Password').fill('wrong one');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.title()).toMatch(/^Error: /);
    // The browser moves the focus with the frame after the one that shows it.
    await page.locator('[role=alert]:focus').waitFor();
    await page.keyboard.press('Tab');
    expect(await hasFocus(page, 'email')).toBe(true);
    expect(complaints).toEqual([]);
  });

  it.each(Object.entries(VIEWS))('is accessible and fits %s', async (_, view) => {
    const link = await invite(`guest-${view.colorScheme}-${view.viewport.width}@example.org`);
    const page = await open(view);
    for (const path of ['/login', link, '/invite/nothing']) {
      await page.goto(at(path));
      await expectToFit(page);
      await expectAccessible(page);
    }
    await signIn(page);
    for (const path of ['/account?done=password', link, await appAddress(`${EVIL_NAME} ${'W'.repeat(5_000)}`)]) {
      await page.goto(path.startsWith('/') ? at(path) : path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expectToFit(page);
      await expectAccessible(page);
    }
    expect(complaints).toEqual([]);
  });

  it('runs nothing that a name holds', async () => {
    const [home] = (await relay.get('/rest/homes')).body as { id: string; name: string }[];
    if (!home) throw new Error('There is no home');
    await relay.request('PATCH', `/rest/homes/${home.id}`, { name: EVIL_NAME });
    try {
      const page = await open({ userAgent: EVIL_NAME });
      await page.goto(at(await invite('eve@example.org')));
      await page.getByRole('heading', { name: EVIL_NAME }).waitFor();
      await signIn(page);
      await page.getByText(EVIL_NAME).first().waitFor();
      await page.goto(await appAddress(EVIL_NAME));
      await page.getByRole('group', { name: EVIL_NAME }).waitFor();
      expect(await page.title()).not.toBe('1');
      expect(complaints).toEqual([]);
    } finally {
      await relay.request('PATCH', `/rest/homes/${home.id}`, { name: home.name });
    }
  });

  it('adds an invited person', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.goto(at(await invite('bob@example.org')));
    await page.getByLabel('Your name').fill('Bob');
    await page.getByLabel('Password').fill('a password of Bob');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('status').getByText('You joined the home.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('authorizes an app without scripts, and later again without a question', async () => {
    const address = await appAddress('The App');
    const page = await open({ javaScriptEnabled: false });
    await page.goto(address);
    await page.getByLabel('Email address').fill(ANN.email);
    await page.getByLabel('Password').fill(ANN.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Allow The App to access your home?' }).waitFor();
    await page.getByText(new URL(app).host, { exact: true }).waitFor();
    await page.getByLabel('Your password').fill('not it');
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByRole('alert').getByText('Wrong password.').waitFor();
    await page.getByLabel('Your password').fill(ANN.password);
    const first = whatAppGets(page);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    expect(Object.fromEntries(await first)).toMatchObject({ state: 'the-state', code: expect.any(String) });
    // In another tab: the first one still shows that the app is not there.
    const again = await page.context().newPage();
    await again.goto(at('/account'));
    await again.getByText('The App', { exact: true }).waitFor();

    // Signed out meanwhile, and asked for nothing but the password: redirects alone lead from our form to the app.
    await again.getByRole('button', { name: 'Sign out', exact: true }).click();
    await again.waitForURL('**/login?done=signed-out');
    await again.goto(address);
    await again.getByLabel('Email address').fill(ANN.email);
    await again.getByLabel('Password').fill(ANN.password);
    const second = whatAppGets(again);
    await again.keyboard.press('Enter');
    expect((await second).get('code')).toEqual(expect.any(String));
    expect(complaints).toEqual([]);
  });

  it('sends the app a refusal without asking for the password', async () => {
    const page = await open();
    await signIn(page);
    await page.goto(await appAddress('Another App'));
    const answer = whatAppGets(page);
    await page.getByRole('button', { name: 'Don’t allow' }).click();
    expect((await answer).get('error')).toBe('access_denied');
    expect(complaints).toEqual([]);
  });

  async function invite(email: string): Promise<string> {
    const [home] = (await relay.get('/rest/homes')).body as { id: string }[];
    const { body } = await relay.asSystem('POST', `/rest/homes/${home?.id}/members`, { email, role: 'control' });
    return `/invite/${body.invitation?.code ?? body.invitationCode}`;
  }
});
