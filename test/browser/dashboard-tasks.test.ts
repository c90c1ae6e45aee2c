/**
 * What people come to do, from the home page, how many clicks it takes, and that the keyboard alone does it too: "+" in
 * its heading, the menu, the search by its first key.
 */
import { Characteristic, Service } from '@homebridge/hap-nodejs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { WatchedPage } from './chromium.ts';
import {
  Dashboard,
  eventually,
  expectAccessible,
  expectToFit,
  NO_BROWSER,
  OWNER,
  PATIENCE_MS,
  picture,
} from './dashboard.ts';
import { type Hands, Keyboard, Pointer, WAYS } from './hands.ts';

/** One of its own, and one behind the bridge. */
const LAMPS = ['Reading Lamp', 'Ceiling Light'];
const NEW_LAMP = 'Desk Lamp';
const SILENT = 'Garage Door';
const OTHERS = [SILENT, 'Climate Sensor', 'Coffee Machine', 'Front Door'];

interface Task {
  readonly task: string;
  /** Of the pointer. */
  readonly clicks: number;
  run(by: Hands): Promise<void>;
}

/**
 * From the home page, in either way. The notification, the motion and the sunset are in the tests of automations, the
 * restore in that of backups.
 */
const TASKS: readonly Task[] = [
  {
    task: 'pairs an accessory by its setup code',
    clicks: 5,
    async run(by) {
      const { page } = by;
      const { name, deviceId, setupCode } = dashboard.device(by instanceof Keyboard ? 'Fan' : NEW_LAMP);
      // A second try finds it as the first one did.
      if (await dashboard.relay.pairing(deviceId)) {
        await dashboard.relay.asSystem('DELETE', `/rest/pairings/${encodeURIComponent(deviceId)}`);
      }
      await by.press(page.getByRole('button', { name: 'Add', exact: true }));
      await by.press(page.getByRole('dialog', { name: 'Add to this home' }).getByRole('link', { name: /^Accessory/ }));
      const row = page.getByRole('listitem').filter({ has: page.getByTitle(new RegExp(`^${deviceId}`)) });
      await by.press(row.getByRole('button', { name: /^Add/ }));
      await by.write(page.getByLabel('Setup code'), setupCode);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: /added$/ }).waitFor();
      await by.press(page.getByRole('button', { name: 'Done', exact: true }));
      // Another home beside this one may have the name already: the accessory has a number then.
      await tile(page, name).waitFor();
    },
  },
  {
    task: 'switches all lamps of a room',
    clicks: 2,
    async run(by) {
      const isOn = !(by instanceof Keyboard);
      await by.press(by.page.getByRole('main').getByRole('link', { name: 'No room' }));
      await by.press(by.page.getByRole('button', { name: isOn ? 'Lights on' : 'Lights off' }));
      for (const name of ['Reading Lamp', NEW_LAMP]) {
        await eventually(() => power(name)?.value === isOn, `${name} to follow`);
      }
    },
  },
  {
    task: 'shows the temperature of the last week',
    clicks: 3,
    async run(by) {
      const { page } = by;
      await by.press(page.getByRole('main').getByRole('link', { name: /^Climate Sensor/ }));
      await by.press(
        page.getByRole('link', { name: 'History', exact: true }).and(page.locator('[href*="accessory="]')),
      );
      const week = page.getByRole('radio', { name: 'Week' });
      // The radio lies unseen within its words.
      await by.tick(by instanceof Keyboard ? week : page.getByText('Week', { exact: true }));
      await page.getByRole('radio', { name: 'Week', checked: true }).waitFor({ state: 'attached' });
      await page.getByRole('row', { name: /Temperature.*°C/ }).waitFor();
    },
  },
  {
    task: 'shares a lock until Sunday',
    clicks: 5,
    async run(by) {
      const { page } = by;
      await endShares();
      await by.press(page.getByRole('link', { name: 'More about Front Door' }));
      await by.press(details(page));
      await by.press(page.getByRole('link', { name: 'Share', exact: true }));
      // A lock is shared to be used.
      await page.getByRole('radio', { name: 'Control', checked: true }).waitFor();
      await by.press(page.getByRole('button', { name: 'Until Sunday night' }));
      await page
        .getByRole('dialog')
        .getByRole('status')
        .getByText(/^Open until /)
        .waitFor();
      await by.press(page.getByRole('button', { name: 'Share', exact: true }));
      await page.getByRole('img', { name: 'QR code for Front Door' }).waitFor();
    },
  },
  {
    task: 'shares a lock until a certain day',
    clicks: 6,
    async run(by) {
      const { page } = by;
      await endShares();
      await by.press(page.getByRole('link', { name: 'More about Front Door' }));
      await by.press(details(page));
      await by.press(page.getByRole('link', { name: 'Share', exact: true }));
      await by.tick(page.getByRole('switch', { name: 'Only at certain times' }));
      await by.setMoment(page.getByLabel('Until', { exact: true }));
      await page
        .getByRole('dialog')
        .getByRole('status')
        .getByText(/^Open until .*2099/)
        .waitFor();
      await by.press(page.getByRole('button', { name: 'Share', exact: true }));
      await page.getByRole('img', { name: 'QR code for Front Door' }).waitFor();
    },
  },
  {
    task: 'backs up',
    clicks: 3,
    async run(by) {
      await by.press(by.page.getByRole('link', { name: 'System' }));
      await by.press(by.page.getByRole('link', { name: 'Backups', exact: true }));
      await by.press(by.page.getByRole('button', { name: 'Back up now' }));
      await by.page.getByText('Backup created').waitFor();
    },
  },
  {
    task: 'finds out why a device does not answer',
    clicks: 1,
    async run(by) {
      const chip = by.page
        .getByRole('region', { name: 'At a glance' })
        .getByRole('link', { name: `${SILENT}: no response` });
      await by.press(chip);
      await by.page.getByText(REASON).waitFor();
    },
  },
  ...(
    [
      ['copies the address for assistants', 'Assistants (MCP)', 'Copy'],
      ['begins a webhook', 'Webhooks', 'Add webhook'],
      ['begins a broker', 'Home Assistant (MQTT)', 'Add broker'],
    ] as const
  ).map(([task, title, action]): Task => {
    return {
      task,
      clicks: 2,
      async run(by) {
        const { page } = by;
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await by.press(page.getByRole('link', { name: 'Connections' }));
        const heading = page.getByRole('heading', { name: title });
        const card = page.getByRole('main').getByRole('listitem').filter({ has: heading });
        if (action === 'Copy') {
          await by.press(card.getByRole('button', { name: action }));
          await card.getByText('Copied').waitFor();
          expect(await page.evaluate<string>('navigator.clipboard.readText()')).toMatch(/\/mcp$/);
        } else {
          await by.press(card.getByRole('link', { name: action }));
          await page.getByRole('dialog', { name: action }).waitFor();
        }
      },
    };
  }),
  {
    task: 'imports pairings from a file',
    clicks: 1,
    async run(by) {
      await by.search('import', /^Move accessories here/);
      const choosing = by.page.waitForEvent('filechooser');
      await by.press(by.page.getByRole('button', { name: 'Choose a file' }));
      const buffer = Buffer.from('{"signSk":"an accessory’s"}');
      await (await choosing).setFiles({ name: 'pairing.json', mimeType: 'application/json', buffer });
      await by.page.getByText(/There are no pairings in this file/).waitFor();
    },
  },
  {
    task: 'shows what uses energy',
    clicks: 1,
    async run(by) {
      await by.press(by.page.getByRole('link', { name: 'Energy' }));
      await by.page.getByRole('main').getByRole('listitem').filter({ hasText: 'Coffee Machine' }).first().waitFor();
    },
  },
  {
    task: 'groups three lamps where they are, and takes the group back',
    clicks: 4,
    async run(by) {
      const { page } = by;
      const grid = page.getByRole('list', { name: 'No room' });
      for (const name of [...LAMPS, NEW_LAMP]) await by.select(grid.locator('li').filter({ hasText: name }));
      await page.getByText('3 selected').waitFor();
      await by.press(page.getByRole('button', { name: 'Group', exact: true }));
      const field = page.getByRole('dialog', { name: 'New group' }).getByRole('textbox', { name: 'Name' });
      // A name is suggested, Enter is enough.
      await field.and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Enter');
      const group = page.getByRole('list', { name: 'Groups' }).getByText('Lights', { exact: true });
      await group.waitFor();
      const { clicks } = by;
      await page.getByText('3 selected').waitFor({ state: 'detached' });
      await by.press(page.getByRole('button', { name: 'Undo' }));
      await group.waitFor({ state: 'detached' });
      by.clicks = clicks;
    },
  },
  {
    task: 'renames a device',
    clicks: 3,
    async run(by) {
      const { page } = by;
      const name = by instanceof Keyboard ? 'Espresso' : 'Kettle';
      await by.press(page.getByRole('link', { name: /^More about (Coffee Machine|Kettle)$/ }));
      await by.press(details(page));
      await by.write(page.getByRole('textbox', { name: 'Name' }), name);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name }).waitFor();
    },
  },
  {
    task: 'groups three lamps by the search',
    clicks: 3,
    async run(by) {
      const { page } = by;
      await by.search('new group', /^New group/);
      const dialog = page.getByRole('dialog', { name: 'New group' });
      const name = by instanceof Keyboard ? 'Evening' : 'Morning';
      await by.type(dialog.getByRole('textbox', { name: 'Name' }), name);
      for (const each of [...LAMPS, NEW_LAMP]) await by.tick(dialog.getByRole('checkbox', { name: each }));
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('main').getByText(name, { exact: true }).waitFor();
    },
  },
  {
    task: 'reads the log by the search',
    clicks: 0,
    async run(by) {
      await by.search('log', /^Log/);
      await by.page.getByText('Recent log messages.').waitFor();
    },
  },
  {
    task: 'reads the log',
    clicks: 2,
    async run(by) {
      await by.press(by.page.getByRole('link', { name: 'System' }));
      await by.press(by.page.getByRole('link', { name: 'Log', exact: true }));
      await by.page.getByText('Recent log messages.').waitFor();
    },
  },
  {
    task: 'reads how to update',
    clicks: 2,
    async run(by) {
      await by.press(by.page.getByRole('link', { name: 'Settings' }));
      await by.press(by.page.getByRole('link', { name: 'how to update this relay' }));
      await by.page.getByRole('heading', { name: 'Upgrade', exact: true }).waitFor();
    },
  },
];

/** As System gives it, whichever the relay comes upon first. */
const REASON = /It refuses connections|It didn’t respond in time|It closed the connection|The connection ended/;

/** As the lamp itself has it. */
function power(device: string) {
  return dashboard.device(device).accessory.getService(Service.Lightbulb)?.getCharacteristic(Characteristic.On);
}

function details(page: Page) {
  return page.locator('summary').filter({ hasText: 'Details' });
}

/** A thing has one link for anyone. */
async function endShares(): Promise<void> {
  const { body } = await dashboard.relay.asSystem('GET', '/rest/shares');
  for (const { id } of body) await dashboard.relay.asSystem('DELETE', `/rest/shares/${id}`);
}

/** Pairs what a test has left unpaired. */
async function pairAgain(name: string): Promise<void> {
  const device = dashboard.device(name);
  if (await dashboard.relay.pairing(device.deviceId)) return;
  await eventually(async () => (await dashboard.relay.pair(device)).status === 201, `${name} to be paired`);
}

function tile(page: Page, name: string) {
  return page.getByRole('main').getByRole('button', { name: `${name},` });
}

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

describe.skipIf(NO_BROWSER)('tasks', { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start({
      accessories: ['Reading Lamp', 'Bridge', ...OTHERS],
      unpaired: [NEW_LAMP, 'Fan'],
    });
    const { homes } = await dashboard.graphql('{ homes { id } }');
    await dashboard.graphql('mutation ($homeId: String!) { setHomeHistoryEnabled(homeId: $homeId, enabled: true) }', {
      homeId: homes[0].id,
    });
    for (const name of LAMPS) await dashboard.relay.set(name, { on: false });
    power(NEW_LAMP)?.updateValue(false);
    await dashboard.device(SILENT).accessory.unpublish();
    await dashboard.relay.untilStatus(dashboard.device(SILENT).deviceId, 'offline');
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

  it('asks what to add to the home, on a phone', async () => {
    const page = await openHome({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('dialog', { name: 'Add to this home' }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'home-add');
  });

  describe.each(Object.entries(WAYS))('%s', (_way, Way) => {
    let page: Page;
    let complaints: readonly string[] = [];

    beforeAll(async () => {
      ({ page, complaints } = await dashboard.open());
    }, PATIENCE_MS);

    afterAll(() => page?.context().close());

    it.each(TASKS.map((each) => [each.task, each] as const))('%s', async (_task, { clicks, run }) => {
      await page.goto(new URL('/', dashboard.relay.url).href);
      await page.getByRole('button', { name: 'Add', exact: true }).waitFor();
      const by = new Way(page);
      await run(by);
      expect(by.clicks).toBe(by instanceof Keyboard ? 0 : clicks);
      expect(complaints).toEqual([]);
    });
  });

  it('groups three lamps in six clicks', async () => {
    const page = await openHome();
    const pointer = new Pointer(page);
    await pointer.press(page.getByRole('button', { name: 'Add', exact: true }));
    await pointer.press(page.getByRole('link', { name: /^Group/ }));
    const dialog = page.getByRole('dialog', { name: 'New group' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('All lamps');
    for (const name of [...LAMPS, NEW_LAMP]) await pointer.tick(dialog.getByRole('checkbox', { name }));
    await pointer.press(dialog.getByRole('button', { name: 'Save' }));
    const group = page.getByRole('listitem').filter({ hasText: 'All lamps' });
    await group.getByText(/^Lights · .*Reading Lamp/).waitFor();
    expect(pointer.clicks).toBe(6);
    expect(page.url()).not.toContain('new=');
  });

  it('adds in two clicks what the home page offers, and offers what is declined no more', async () => {
    // The only one that is new.
    await pairAgain(NEW_LAMP);
    await pairAgain('Fan');
    const { name, deviceId, setupCode } = dashboard.device('Fan');
    await dashboard.relay.asSystem('DELETE', `/rest/pairings/${encodeURIComponent(deviceId)}`);
    const page = await openHome();
    const pointer = new Pointer(page);
    const offer = page.getByRole('region', { name: 'At a glance' }).getByRole('link', { name: `New: ${name} Add` });
    await pointer.press(offer);
    await pointer.type(page.getByLabel('Setup code'), setupCode);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /added$/ }).waitFor();
    await pointer.press(page.getByRole('button', { name: 'Done', exact: true }));
    await tile(page, name).waitFor();
    expect(pointer.clicks).toBe(2);
    await offer.waitFor({ state: 'detached' });
    await dashboard.relay.asSystem('DELETE', `/rest/pairings/${encodeURIComponent(deviceId)}`);
    await offer.waitFor();
    await expectAccessible(page);
    await picture(page, 'home-offer');
    await page.getByRole('button', { name: 'Not now' }).click();
    await offer.waitFor({ state: 'detached' });
    // What the list of new accessories shows has arrived with it.
    await page.goto(new URL('/pair', dashboard.relay.url).href);
    await page.getByRole('button', { name: `Add ${name}` }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('region', { name: 'At a glance' }).waitFor();
    expect(await offer.count()).toBe(0);
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
    const pointer = new Pointer(page);
    await pointer.press(page.getByRole('button', { name: 'Search' }));
    await page.keyboard.type('save');
    await expectToFit(page);
    await picture(page, 'search-phone');
    await pointer.press(page.getByRole('option', { name: /^Back up now/ }));
    await page.getByText('Backup created').waitFor();
    expect(pointer.clicks).toBe(2);
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
    const page = await openHome();
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
    await page.setViewportSize({ width: 1600, height: 900 });
    const topOf = async (name: string) => (await page.getByRole('heading', { level: 2, name }).boundingBox())?.y;
    await expect.poll(async () => (await topOf('Needs a restart')) === (await topOf('Network'))).toBe(true);
    await expectToFit(page);
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
