/**
 * What people come to do, from the home page, and how many clicks it takes: "+" in its heading, the menu, the search by
 * its first key.
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { WatchedPage } from './chromium.ts';
import { countClicks } from './clicks.ts';
import { Dashboard, expectAccessible, expectToFit, NO_BROWSER, OWNER, PATIENCE_MS, picture } from './dashboard.ts';

/** One of its own, and one behind the bridge. */
const LAMPS = ['Reading Lamp', 'Ceiling Light'];
const NEW_LAMP = 'Desk Lamp';

let dashboard: Dashboard;
let watched: WatchedPage | undefined;

async function openHome(options: Parameters<Dashboard['open']>[0] = {}): Promise<Page> {
  watched = await dashboard.open(options);
  await watched.page.getByRole('heading', { level: 1 }).waitFor();
  return watched.page;
}

/** Opens the search by its key and types at once, before anything of it can be loaded. */
async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press('/');
  await page.keyboard.type(text);
}

describe.skipIf(NO_BROWSER)('tasks', { timeout: PATIENCE_MS }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start({ accessories: ['Reading Lamp', 'Bridge'], unpaired: [NEW_LAMP] });
    const { homes } = await dashboard.graphql('{ homes { id } }');
    await dashboard.graphql(
      `mutation ($homeId: String!) {
        createVirtualAccessory(homeId: $homeId, name: "Guests", type: "switch") { id }
      }`,
      { homeId: homes[0].id },
    );
  }, PATIENCE_MS);

  afterEach(async () => {
    const complaints = watched?.complaints;
    await watched?.page.context().close();
    watched = undefined;
    // Where a test holds back scripts, there is no service worker to bring them.
    expect((complaints ?? []).filter((text) => !text.includes('Service Worker'))).toEqual([]);
  });

  afterAll(() => dashboard?.stop());

  it('pairs an accessory by its setup code in five clicks', async () => {
    const page = await openHome({ width: 390, height: 844 });
    const { deviceId, setupCode } = dashboard.device(NEW_LAMP);
    const clicks = await countClicks(page);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('dialog', { name: 'Add to this home' }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'home-add');
    await page.getByRole('link', { name: /^Accessory/ }).click();
    const row = page.getByRole('listitem').filter({ has: page.getByTitle(new RegExp(`^${deviceId}`)) });
    await row.getByRole('button', { name: /^Add/ }).click();
    await page.getByLabel('Setup code').fill(setupCode);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('heading', { name: /added$/ }).waitFor();
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page
      .getByRole('button', { name: /^Desk Lamp/ })
      .first()
      .waitFor();
    expect(await clicks()).toBe(5);
  });

  it('groups three lamps in six clicks', async () => {
    const page = await openHome();
    const clicks = await countClicks(page);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('link', { name: /^Group/ }).click();
    const dialog = page.getByRole('dialog', { name: 'New group' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('All lamps');
    for (const name of [...LAMPS, NEW_LAMP]) await dialog.getByRole('checkbox', { name }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Lights · .*Reading Lamp/).waitFor();
    expect(await clicks()).toBe(6);
    expect(page.url()).not.toContain('new=');
  });

  it('groups three lamps where they are in four clicks, and takes the group back', async () => {
    const page = await openHome();
    const lamp = (name: string) => page.getByRole('list', { name: 'No room' }).locator('li').filter({ hasText: name });
    await lamp(NEW_LAMP).waitFor();
    const clicks = await countClicks(page);
    for (const name of [...LAMPS, NEW_LAMP]) await lamp(name).click({ modifiers: ['Control'] });
    await page.getByText('3 selected').waitFor();
    await page.getByRole('button', { name: 'Group', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'New group' });
    // A name is suggested, Enter is enough.
    await dialog.getByRole('textbox', { name: 'Name' }).press('Enter');
    const group = page.getByRole('list', { name: 'Groups' }).getByText('Lights', { exact: true });
    await group.waitFor();
    expect(await clicks()).toBe(4);
    await page.getByText('3 selected').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await group.waitFor({ state: 'detached' });
  });

  it('backs up by the search, by a synonym, without a click; on a phone in two', async () => {
    const page = await openHome();
    await search(page, 'backup');
    await page.getByRole('option', { name: /^Back up now/ }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByText('Backup created').waitFor();
    await page.waitForURL((url) => url.pathname === '/system/backups');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(new URL('/', dashboard.relay.url).href);
    const button = page.getByRole('button', { name: 'Search' });
    await button.waitFor();
    const clicks = await countClicks(page);
    await button.click();
    await page.keyboard.type('save');
    await expectToFit(page);
    await picture(page, 'search-phone');
    await page.getByRole('option', { name: /^Back up now/ }).click();
    await page.getByText('Backup created').waitFor();
    expect(await clicks()).toBe(2);
  });

  it.each([
    ['add', 'Add accessory', '/pair'],
    ['pair', 'Add accessory', '/pair'],
    ['import', 'Move accessories here', '/pair/import'],
    ['new group', 'New group', '/rooms'],
    ['token', 'Access tokens', '/connections/tokens'],
    ['mosquitto', 'Home Assistant (MQTT)', '/connections/mqtt'],
    ['theme', 'Language & appearance', '/settings'],
    ['update', 'About and version', '/settings'],
    ['log', 'Log', '/system/logs'],
    ['log level', 'Log level', '/settings/relay'],
    ['reading', 'Reading Lamp', '/accessories/'],
  ])('finds by “%s” what is called “%s”, and goes there by Enter', async (text, name, path) => {
    const page = await openHome();
    await search(page, text);
    const option = page.getByRole('option').filter({ has: page.getByText(name, { exact: true }) });
    await option.first().waitFor();
    for (let steps = 0; (await option.first().getAttribute('aria-selected')) !== 'true'; steps += 1) {
      expect(steps).toBeLessThan(5);
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname.startsWith(path));
  });

  it.each([
    ['sicherung', 'Jetzt sichern'],
    ['koppeln', 'Gerät hinzufügen'],
    ['dunkel', 'Sprache und Aussehen'],
    ['passwort ändern', 'Passwort'],
  ])('finds by “%s” in German what is called “%s”', async (text, name) => {
    const page = await openHome({ lang: 'de' });
    await search(page, text);
    await page.getByRole('option').getByText(name, { exact: true }).waitFor();
  });

  it('offers a viewer nothing that a viewer may not do', async () => {
    const { homes } = await dashboard.graphql('{ homes { id } }');
    const page = await openHome({ token: await dashboard.signUpViewer(homes[0].id) });
    await page.getByRole('button', { name: 'Search' }).waitFor();
    expect(await page.getByRole('button', { name: 'Add', exact: true }).count()).toBe(0);
    for (const text of ['add accessory', 'create token', 'back up', 'place and time', 'log level']) {
      await search(page, text);
      await page.getByText(`No results for “${text}”.`).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await search(page, 'password');
    await page.getByRole('option', { name: /^Password/ }).waitFor();
    await page.goto(new URL('/settings', dashboard.relay.url).href);
    await page.getByRole('link', { name: 'My account' }).waitFor();
    const tabs = page.getByRole('navigation', { name: 'Parts of Settings' }).getByRole('link');
    expect(await tabs.allInnerTexts()).toEqual(['My account']);
    await page.goto(new URL('/settings/relay', dashboard.relay.url).href);
    await page.getByText('Only a user who owns every home of this relay can change its settings.').waitFor();
  });

  it('takes the keys of a search that is not loaded yet, Enter among them', async () => {
    const page = await openHome({ hasWorkers: false });
    let letThrough = (): void => undefined;
    const isAllowed = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route('**/assets/search-results-*.js', async (route) => {
      await isAllowed;
      await route.fallback();
    });
    await search(page, 'backups');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('combobox', { name: 'Search your home' }).inputValue()).toBe('backups');
    letThrough();
    await page.waitForURL((url) => url.pathname === '/system/backups');
  });

  it.each([
    ['copies the address for assistants', 'Assistants (MCP)', 'Copy'],
    ['begins a webhook', 'Webhooks', 'Add webhook'],
    ['begins a broker', 'Home Assistant (MQTT)', 'Add broker'],
  ])('%s in two clicks', async (_task, card, action) => {
    const page = await openHome();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const clicks = await countClicks(page);
    await page.getByRole('link', { name: 'Connections' }).click();
    const button = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: card }) });
    await button.getByText(action, { exact: true }).click();
    if (action === 'Copy') {
      await button.getByText('Copied').waitFor();
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).toMatch(/\/mcp$/);
    } else {
      await page.getByRole('dialog', { name: action }).waitFor();
    }
    expect(await clicks()).toBe(2);
  });

  it('reads the log in two clicks', async () => {
    const page = await openHome();
    const clicks = await countClicks(page);
    await page.getByRole('link', { name: 'System' }).click();
    await page.getByRole('link', { name: 'Log', exact: true }).click();
    await page.getByText('Recent log messages.').waitFor();
    expect(await clicks()).toBe(2);
  });

  it('begins to import in two clicks', async () => {
    const page = await openHome();
    const clicks = await countClicks(page);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.keyboard.type('import');
    await page.getByRole('option', { name: /^Move accessories here/ }).click();
    await page.getByRole('button', { name: 'Choose a file' }).waitFor();
    expect(await clicks()).toBe(2);
  });

  it('has all settings in one place, by tabs that fit a phone', async () => {
    const page = await openHome({ width: 320, height: 640, dark: true });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    for (const [tab, heading] of [
      ['My account', 'Profile'],
      ['This home', 'Place and time'],
      ['Relay', 'Network'],
    ] as const) {
      await page.getByRole('link', { name: tab, exact: true }).click();
      await page.getByRole('heading', { level: 2, name: heading }).waitFor();
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Settings');
      await expectToFit(page);
      await expectAccessible(page);
      await picture(page, `settings-${tab}`);
    }
  });

  it('lists its keys at “?”', async () => {
    const page = await openHome();
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.getByText('Search').waitFor();
    await expectAccessible(page);
    await picture(page, 'shortcuts');
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
  });

  it('shows on a phone who is signed in, and signs out', async () => {
    const { login } = await dashboard.graphql(
      'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { token } }',
      OWNER,
      '',
    );
    const page = await openHome({ width: 390, height: 844, token: login.token });
    await page.getByRole('button', { name: 'More' }).click();
    const menu = page.getByRole('navigation', { name: 'More' });
    await menu.getByText(OWNER.name).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'menu-phone');
    await menu.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
