/** The frame that every page of the dashboard is in, against a real daemon. */
import type { Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { WatchedPage } from './chromium.ts';
import { Dashboard, eventually, expectAccessible, expectToFit, NO_BROWSER, PATIENCE_MS, picture } from './dashboard.ts';

const SUITE = `the dashboard's frame in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;

/** Those that people open most. */
const PAGES = [
  ...['/rooms', '/activity', '/energy', '/automations', '/automations/new', '/connections', '/publish'],
  ...['/notifications', '/settings', '/settings/home', '/system/devices', '/people'],
];

let dashboard: Dashboard;
let watched: WatchedPage | undefined;

describe.skipIf(NO_BROWSER)(SUITE, { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start();
  }, PATIENCE_MS);

  afterEach(async () => {
    await watched?.page.context().close();
    watched = undefined;
  });

  afterAll(() => dashboard?.stop());

  it.each([
    { width: 320, height: 640, dark: false },
    { width: 1360, height: 900, dark: true },
  ])('shows the home at $width px, loads nothing from elsewhere, and its policy stops nothing', async (options) => {
    watched = await dashboard.open(options);
    const { page, complaints } = watched;
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  it.each([
    { width: 2560, height: 1300, dark: true },
    { width: 320, height: 640, dark: false },
  ])('fits at $width px in German, page by page', async (options) => {
    watched = await dashboard.open({ ...options, locale: 'de-DE' });
    const { page, complaints } = watched;
    for (const path of PAGES) {
      await page.goto(new URL(path, dashboard.relay.url).href);
      await expectAccessible(page);
      await expectToFit(page);
    }
    expect(complaints).toEqual([]);
  });

  it('shows that it waits where the relay does not answer soon, and shows the home as soon as it does', async () => {
    // The manual keeps no home that could be shown meanwhile.
    watched = await dashboard.open({ path: '/docs' });
    const { page } = watched;
    const held: Route[] = [];
    let isAway = true;
    await page.route('**/graphql', (route) => (isAway ? void held.push(route) : route.fallback()));
    await page.goto(new URL('/', dashboard.relay.url).href, { waitUntil: 'commit' });
    await page.getByText('Opening the home …').waitFor();
    isAway = false;
    // Asked once: what was asked for before anything was drawn is what the page waits for.
    expect(held).toHaveLength(1);
    for (const route of held) await route.fallback();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(watched.complaints.filter((text) => !text.includes('Service Worker'))).toEqual([]);
  });

  it('asks for the home once before it follows its events', async () => {
    watched = await dashboard.open({ path: '/docs' });
    const { page } = watched;
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes('query HomeInventory')) asked.push('home');
      if (new URL(request.url()).pathname === '/events') asked.push('events');
    });
    await page.goto(new URL('/', dashboard.relay.url).href);
    await eventually(() => asked.includes('events'), 'the page to follow events');
    expect(asked.slice(0, asked.indexOf('events'))).toEqual(['home']);
  });

  it('shows the outline of a home before the first script runs, and none to strangers', async () => {
    watched = await dashboard.open();
    const { page } = watched;
    await page.getByRole('heading', { level: 1 }).waitFor();
    const held: Route[] = [];
    await page.route('**/assets/dashboard-*.js', (route) => void held.push(route));
    await page.reload({ waitUntil: 'commit' });
    const outline = page.locator('.h-skeleton');
    await outline.waitFor();
    await eventually(async () => held.length > 0, 'the request of the script');
    for (const route of held) await route.fallback();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await outline.count()).toBe(0);
    await page.evaluate("localStorage.removeItem('hearthd.session')");
    await page.unroute('**/assets/dashboard-*.js');
    await page.goto(new URL('/', dashboard.relay.url).href);
    await page.getByLabel('Password', { exact: true }).waitFor();
    expect(await outline.count()).toBe(0);
  });

  it('has the colour of actions that a person chooses, also on the next device', async () => {
    watched = await dashboard.open({ path: '/settings' });
    const { page, complaints } = watched;
    await page.getByLabel('Accent colour').selectOption('Forest');
    await page.locator('html[data-accent="forest"]').waitFor();
    await expectAccessible(page);
    await eventually(
      async () => (await dashboard.graphql('{ settings { data } }')).settings.data.includes('forest'),
      'the choice in the account',
    );
    expect(complaints).toEqual([]);
    await page.context().close();
    watched = await dashboard.open({ dark: true });
    await watched.page.locator('html[data-accent="forest"]').waitFor();
    await expectAccessible(watched.page);
    await dashboard.graphql('mutation ($data: JSON!) { updateSettings(data: $data) { success } }', {
      data: { 'dashboard.preferences': null },
    });
    expect(watched.complaints).toEqual([]);
  });

  it('forbids scripts that are written into the page, and markup that is made of text', async () => {
    const response = await fetch(dashboard.relay.url, { headers: { Accept: 'text/html' } });
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("require-trusted-types-for 'script'");
    watched = await dashboard.open();
    await watched.page.getByRole('heading', { level: 1 }).waitFor();
    const refusal = await watched.page.evaluate<string>(
      `try { document.createElement('div').innerHTML = '<b>x</b>'; 'let through' } catch (error) { error.name }`,
    );
    expect(refusal).toBe('TypeError');
  });

  it('can be installed, on request', async () => {
    watched = await dashboard.open({ path: '/settings' });
    const { page } = watched;
    await page.getByRole('heading', { level: 1 }).waitFor();
    const devtools = await page.context().newCDPSession(page);
    expect((await devtools.send('Page.getAppManifest')).errors).toEqual([]);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    // A context of its own is what people call incognito.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
    // Chromium offers it to people who come back; tests are none.
    const offer = `const offer = new Event('beforeinstallprompt', { cancelable: true });
      offer.prompt = () => { document.title = 'asked'; return Promise.resolve(); };
      dispatchEvent(offer);
      offer.defaultPrevented`;
    expect(await page.evaluate(offer)).toBe(true);
    const install = page.getByRole('button', { name: /^Install/ });
    await install.click();
    expect(await page.title()).toBe('asked');
    await install.waitFor({ state: 'detached' });
    expect(watched.complaints).toEqual([]);
  });

  it('is a tablet at the wall: signed in by a token, without a menu, dark in its hours until it is touched', async () => {
    await dashboard.graphql('mutation { updateSettings(data: { developerMode: true }) { success } }');
    const { createAccessToken } = await dashboard.graphql('mutation { createAccessToken(name: "Tablet") { token } }');
    watched = await dashboard.open({ path: '/?kiosk&dim=00:00-23:59', token: null });
    const { page, complaints } = watched;
    await page.getByRole('textbox', { name: 'Access token' }).fill(createAccessToken.token);
    await page.keyboard.press('Enter');
    const dark = page.getByRole('button', { name: 'Turn the screen on' });
    await dark.waitFor();
    await page.clock.install({ time: '2026-06-01T12:00:00Z' });
    // It stays one, at any address.
    await page.goto(new URL('/scenes', dashboard.relay.url).href);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await dark.waitFor();
    await expectAccessible(page);
    await dark.click();
    await dark.waitFor({ state: 'detached' });
    expect(await page.getByRole('navigation').count()).toBe(0);
    await page.getByText(/^Monday.* June$/).waitFor();
    await picture(page, 'kiosk-clock');
    await expectAccessible(page);
    await page.clock.fastForward('02:00');
    await dark.waitFor();
    await page.keyboard.press('Tab');
    await dark.waitFor({ state: 'detached' });
    await page.goto(new URL('/?kiosk=off', dashboard.relay.url).href);
    await page.getByRole('navigation').first().waitFor();
    expect(await dark.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('shows that there is nothing at an address that it does not have', async () => {
    watched = await dashboard.open({ path: '/rooms/nowhere/at/all' });
    const { page, complaints } = watched;
    await page.getByRole('link', { name: 'Go to home' }).waitFor();
    await page.waitForFunction("document.title === 'Page not found · hearthd'");
    // It is no page of any entry of the menu.
    expect(await page.locator('nav [aria-current]').count()).toBe(0);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  it('fades a row of tabs at the edges where it goes on', async () => {
    watched = await dashboard.open({ path: '/settings', width: 320, height: 640, lang: 'de' });
    const { page, complaints } = watched;
    const tabs = page.getByRole('link', { name: 'Mein Konto' }).locator('..');
    await tabs.waitFor();
    const fades = () =>
      tabs.evaluate((row) => {
        const style = row.ownerDocument.defaultView?.getComputedStyle(row);
        return ['--more-before', '--more-after'].map((name) => Number.parseFloat(style?.getPropertyValue(name) ?? ''));
      });
    await expect.poll(fades).toEqual([0, 40]);
    await page.getByRole('link', { name: 'Relay', exact: true }).scrollIntoViewIfNeeded();
    await tabs.evaluate((row) => row.scrollBy(row.scrollWidth, 0));
    await expect.poll(fades).toEqual([40, 0]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await expect.poll(fades).toEqual([0, 0]);
    expect(complaints).toEqual([]);
  });

  it('has what adds something beside the title on phones, as a plus that keeps its name', async () => {
    watched = await dashboard.open({ path: '/virtual', width: 390, height: 844, lang: 'de' });
    const { page, complaints } = watched;
    const title = page.getByRole('heading', { level: 1 });
    const add = page.getByRole('link', { name: 'Neues virtuelles Gerät' });
    const boxes = async () => ({ title: await title.boundingBox(), add: await add.boundingBox() });
    const phone = await boxes();
    expect(phone.add).toMatchObject({ width: 44, height: 44 });
    expect(phone.add?.y).toBeLessThan((phone.title?.y ?? 0) + (phone.title?.height ?? 0));
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    expect((await boxes()).add?.width).toBeGreaterThan(150);
    expect(complaints).toEqual([]);
  });

  it('scrolls a dialog of words alone by the keyboard', async () => {
    watched = await dashboard.open({ path: '/settings', width: 320, height: 480 });
    const { page, complaints } = watched;
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    const words = dialog.locator('[data-scrolls]');
    await words.waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await expect.poll(() => words.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
    await page.keyboard.press('Tab');
    await dialog
      .locator(':focus')
      .and(dialog.getByRole('button', { name: 'Close' }))
      .waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // Where all of it is in sight, there is nothing to scroll.
    await page.setViewportSize({ width: 1280, height: 1200 });
    await page.keyboard.press('?');
    await dialog.waitFor();
    expect(await words.count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
