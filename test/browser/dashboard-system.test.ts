/**
 * System as the owner of a home sees it: how the relay does, its log as it grows, settings that act at once, devices
 * that stopped.
 */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../src/kernel/logger.ts';
import { VERSION } from '../../src/kernel/version.ts';
import { HISTORY_DATABASE } from '../../src/storage/data-directory.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { createControllerKeys } from '../support/accessories/identity.ts';
import { startReplayAccessory } from '../support/accessories/replay-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import {
  Dashboard,
  eventually,
  expectAccessible,
  expectToFit,
  MARKUP,
  NO_BROWSER,
  PATIENCE_MS,
  picture,
} from './dashboard.ts';

const log = createLog({ level: 'info', format: 'json', destination: { write() {} } });
let dashboard: Dashboard;
let unpairings = 1;

describe.skipIf(NO_BROWSER)('System', { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start({
      accessories: ['Desk Lamp', 'Thermostat'],
      config: { logLevel: 'info' },
      overrides: { log, logger: log.logger },
    });
  }, PATIENCE_MS);
  afterAll(() => dashboard?.stop());

  it('shows the status of the relay', async () => {
    const { page, complaints } = await dashboard.open({ path: '/system' });
    await page.getByRole('heading', { name: 'All is well' }).waitFor();
    await page.getByText('2 · 2 connected').waitFor();
    // From its start on, without a sample of an earlier run.
    await page.getByRole('img', { name: /^Memory in the last 24 hours/ }).waitFor();
    await page.getByRole('list', { name: 'Starts' }).getByText(`started, version ${VERSION}`).waitFor();
    addEarlierSample();
    await page.reload();
    await page.getByRole('img', { name: /^Memory in the last 24 hours/ }).waitFor();
    await page.getByText('7 days', { exact: true }).click();
    await page.getByRole('img', { name: /^Memory in the last 7 days/ }).waitFor();
    await expectAccessible(page);
    await picture(page, 'system-status');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('lists the starts of the relay also for a time in which nothing was measured', async () => {
    const { page, complaints } = await dashboard.open({ path: '/system', width: 390, height: 844, lang: 'de' });
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('query RelayLoad(')) return route.fallback();
      const answer = await (await route.fetch()).json();
      answer.data.relayLoad.samples = [];
      await route.fulfill({ json: answer });
    });
    await page.reload();
    await page.getByText('In diesem Zeitraum wurde nichts gemessen.').waitFor();
    await page.getByRole('list', { name: 'Starts' }).getByText(`gestartet, Version ${VERSION}`).waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows after an upgrade what is new, until it was seen, and in German that the text is in English', async () => {
    const seen = { 'dashboard.seenVersion': '0.0.1' };
    await dashboard.graphql('mutation ($data: JSON!) { updateSettings(data: $data) { success } }', { data: seen });
    const { page, complaints } = await dashboard.open({ path: '/', width: 390, height: 844 });
    await page.getByRole('link', { name: 'What is new' }).click();
    await page.getByRole('heading', { name: /^Version \d+\.\d+\.\d+/ }).waitFor();
    await page.getByRole('heading', { name: 'Highlights' }).waitFor();
    await page.getByRole('heading', { name: 'What changes' }).click();
    await page.getByText('Packages: a Debian package').waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await page.getByRole('heading', { name: 'What changes' }).click();
    await picture(page, 'system-news');
    const stored = async () => JSON.parse((await dashboard.graphql('{ settings { data } }')).settings.data);
    await expect.poll(stored).toMatchObject({ 'dashboard.seenVersion': VERSION });
    await page.context().close();
    const german = await dashboard.open({ path: '/system/news', lang: 'de' });
    await german.page.getByText('Dieser Text ist auf Englisch.').waitFor();
    await german.page.context().close();
    expect([...complaints, ...german.complaints]).toEqual([]);
  });

  it('shows lines of the log as they are written, filtered, with any content', async () => {
    const { page, complaints } = await dashboard.open({ path: '/system/logs', width: 320, height: 640, dark: true });
    const lines = page.getByRole('list', { name: 'Log' });
    await lines.getByText('Paired').first().waitFor();
    log.logger.warn({ device: MARKUP, token: 'never shown' }, 'Something odd happened');
    await lines.getByText('Something odd happened').waitFor();
    await page.getByLabel('Show').selectOption('error');
    await page.getByRole('heading', { name: 'Nothing to show' }).waitFor();
    await page.getByLabel('Show').selectOption('warn');
    await lines.getByText(MARKUP.slice(0, 10)).waitFor();
    expect(await page.content()).not.toContain('never shown');
    await page.getByRole('button', { name: 'Pause' }).click();
    log.logger.error({}, 'Something else');
    await page.getByText('Paused. 1 new line').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await lines.getByText('Something else').waitFor();
    log.logger.warn({ device: MARKUP, token: 'never shown' }, 'Something odd happened');
    await lines.getByText(/^× 2, last \d/).click();
    await expect.poll(() => lines.getByRole('listitem').getByRole('listitem').count()).toBe(2);
    await picture(page, 'log-repeats-phone-dark');
    await expectToFit(page);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('changes settings by keyboard, which act at once and in another browser too', async () => {
    const { page, complaints } = await dashboard.open({ path: '/system/settings' });
    const other = await dashboard.open({ path: '/settings/relay', lang: 'de' });
    await other.page.getByLabel('Was festgehalten wird').waitFor();
    await page.waitForURL((url) => url.pathname === '/settings/relay');
    await page.getByLabel('Log level').selectOption('debug');
    await page.getByText('Saved and applied.').waitFor();
    expect(log.level).toBe('debug');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Change undone.').waitFor();
    expect(log.level).toBe('info');
    const address = page.getByLabel('Public URL');
    await address.fill('no address');
    await address.press('Enter');
    await page.getByText(/Enter a URL without a path/).waitFor();
    await address.fill('https://home.example.org');
    await address.blur();
    const isThere = `[...document.querySelectorAll('input')].some(({ value }) => value === 'https://home.example.org')`;
    await eventually(() => other.page.evaluate<boolean>(isThere), 'the other browser to show it');
    const { body } = await dashboard.relay.asSystem('GET', '/rest/relay');
    expect(body.publicUrl).toBe('https://home.example.org');
    await page.getByRole('button', { name: /Reset to default: Public URL/ }).click();
    await page.getByText('Public URL: reset to default.').waitFor();
    // None of the three is worth anything without the others: they are saved, and taken away, together.
    await page.getByLabel('Mail server').fill('smtps://house:secret@mail.example.org');
    await page.getByLabel('Sender address').fill('house@example.org');
    await page.getByLabel('Sender address').press('Enter');
    await page.getByText(/The other settings need this one/).waitFor();
    await page.getByLabel('Recipients').fill('ann@example.org');
    await page.getByLabel('Recipients').blur();
    await page.getByRole('button', { name: /Reset to default: Recipients/ }).click();
    await page.getByText('Recipients: reset to default.').waitFor();
    await page.getByRole('button', { name: /Reset to default: Mail server/ }).waitFor({ state: 'detached' });
    await expectAccessible(page);
    await picture(page, 'system-settings');
    expect([...complaints, ...other.complaints]).toEqual([]);
    await page.context().close();
    await other.page.context().close();
  });

  it('asks before what was typed is lost, by a link, by another home or on the way back', async () => {
    const { createHome } = await dashboard.graphql('mutation { createHome(name: "Cottage") { id } }');
    const { page, complaints } = await dashboard.open({ path: '/settings' });
    await page.getByRole('link', { name: 'Relay', exact: true }).click();
    const address = page.getByLabel('Public URL');
    await address.fill('no address');
    await address.press('Enter');
    await page.getByText(/Enter a URL without a path/).waitFor();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await page.getByRole('link', { name: 'My account' }).click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await address.inputValue()).toBe('no address');
    await page.goBack();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/settings/relay');
    expect(await address.inputValue()).toBe('no address');
    await page.goBack();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL((url) => url.pathname === '/settings');
    await page.goForward();
    await address.fill('no address');
    const homes = page.getByLabel('Switch home');
    await homes.selectOption('Cottage');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await homes.inputValue()).not.toBe(createHome.id);
    expect(await address.inputValue()).toBe('no address');
    await page.getByRole('link', { name: 'My account' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/settings');
    await homes.selectOption('Cottage');
    await eventually(async () => (await homes.inputValue()) === createHome.id, 'the other home to be shown');
    await dashboard.graphql('mutation ($id: ID!) { deleteHome(homeId: $id) { success } }', { id: createHome.id });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it.each([
    { path: '/settings', open: [] },
    // A single field has no heading, and stays open.
    { path: '/settings/home', open: ['name'] },
    { path: '/settings/relay', open: [] },
  ])('has a row on phones for each part of $path, which opens in place by keyboard', async ({ path, open }) => {
    const { page, complaints } = await dashboard.open({ path, dark: path !== '/settings' });
    await page.locator('section[id]').last().waitFor();
    const all = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('section[id]')].map(({ id }) => id)`,
    );
    expect(all.length).toBeGreaterThan(4);
    expect(await page.locator('section[id] h2 > button').count()).toBe(0);
    expect(await shownParts(page)).toEqual(all);
    await page.setViewportSize({ width: 390, height: 844 });
    const rows = page.locator('section[id] h2 > button[aria-expanded]');
    await expect.poll(() => rows.count()).toBe(all.length - open.length);
    expect(await shownParts(page)).toEqual(open);
    const [first, ...others] = await rows.all();
    for (const row of await rows.all()) expect((await row.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, `settings-rows${path.replaceAll('/', '-')}`, { fullPage: true });
    await page.reload();
    await rows.last().waitFor();
    expect(await shownParts(page)).toEqual(open);
    await first?.focus();
    await page.keyboard.press('Enter');
    expect(await first?.getAttribute('aria-expanded')).toBe('true');
    expect(await shownParts(page)).toHaveLength(open.length + 1);
    await page.keyboard.press('Space');
    expect(await first?.getAttribute('aria-expanded')).toBe('false');
    expect(await shownParts(page)).toEqual(open);
    for (const row of [first, ...others]) await row?.press('Enter');
    expect(await shownParts(page)).toEqual(all);
    await expect.poll(() => page.locator('section [class*="Loader-root"]').count()).toBe(0);
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, `settings-parts${path.replaceAll('/', '-')}`, { fullPage: true });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('opens the part that an address names on a phone, and keeps what is typed in it while it is folded', async () => {
    const { page, complaints } = await dashboard.open({ path: '/settings/relay#log', width: 390, height: 500 });
    const level = page.getByLabel('Log level');
    await level.waitFor();
    expect(await shownParts(page)).toEqual(['log']);
    await page.locator('#log:focus').waitFor();
    const isInView = `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.querySelector('#log').getBoundingClientRect())`;
    await expect.poll(() => page.evaluate<boolean>(isInView)).toBe(true);
    // Folded, it is no longer what the address names: the same link opens it again.
    await page.getByRole('button', { name: 'Log', exact: true }).click();
    await level.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).hash).toBe('');
    await page.evaluate("location.hash = '#log'");
    await level.waitFor();
    await page.locator('#log:focus').waitFor();

    // A field is saved when it is left. What the relay refuses opens its part again.
    const network = page.getByRole('button', { name: 'Network' });
    const address = page.getByLabel('Public URL');
    await network.click();
    await address.fill('no address');
    await network.click();
    await page.getByText(/Enter a URL without a path/).waitFor();
    expect(await network.getAttribute('aria-expanded')).toBe('true');
    await network.click();
    await address.waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 1280, height: 900 });
    await address.waitFor();
    await page.setViewportSize({ width: 390, height: 500 });
    await address.waitFor({ state: 'hidden' });
    await network.click();
    expect(await address.inputValue()).toBe('no address');
    await page.getByText(/Enter a URL without a path/).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows a device that stopped, since when and why, before all others', async () => {
    const { page, complaints } = await dashboard.open({ path: '/system/devices' });
    const lamp = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^Desk Lamp/ }) });
    await lamp.getByText('Connected').waitFor();
    await dashboard.device('Desk Lamp').accessory.unpublish();
    await lamp.getByText('No response').waitFor();
    await lamp.getByText(/Check that it has power|It closed the connection/).waitFor();
    await page.getByRole('button', { name: /Details: Desk Lamp/ }).click();
    await lamp.getByText('Firmware').waitFor();
    const download = page.waitForEvent('download');
    await lamp.getByRole('button', { name: 'Diagnostics file' }).click();
    const file = JSON.parse(await readFile(await (await download).path(), 'utf8'));
    expect(file).toMatchObject({ format: 'hearthd.device-diagnostics', connection: { status: 'offline' } });
    expect(JSON.stringify(file)).not.toMatch(new RegExp(`Desk Lamp|${dashboard.device('Desk Lamp').deviceId}`));
    await page.getByRole('switch', { name: 'Problems only' }).click();
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      expect.stringMatching(/^Desk Lamp/),
    ]);
    await expectAccessible(page);
    await picture(page, 'system-devices');
    await page.getByRole('switch', { name: 'Problems only' }).click();
    await page.getByLabel('Sort by').selectOption('Name');
    await page.getByText('127.0.0.1').first().waitFor();
    // One heading for all, above its column. The name beside each value is only read aloud.
    const addresses = page.getByText('Address', { exact: true });
    const [heading, name, address] = await Promise.all(
      [addresses.first(), addresses.nth(1), page.getByText('127.0.0.1').first()].map((each) => each.boundingBox()),
    );
    if (!heading || !name || !address) throw new Error('The addresses are not there');
    expect(heading.width).toBeGreaterThan(1);
    expect(name.width).toBe(1);
    expect(heading.x).toBe(address.x);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'system-devices-phone');
    await lamp.getByRole('button', { name: /^Details/ }).click();
    const thermostat = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^Thermostat/ }) });
    for (const width of [320, 360, 390]) {
      await page.setViewportSize({ width, height: 640 });
      const [well, silent] = [thermostat, lamp].map((device) => device.getByRole('paragraph').first());
      const [line, lines, time] = await Promise.all(
        [well, silent, silent?.getByRole('time')].map((each) => each?.boundingBox()),
      );
      if (!line || !lines || !time) throw new Error('The state of a device is not there');
      // A connected device has one line at any width. A silent one has all of it, in two lines if need be.
      expect(line.height).toBeLessThan(1.9 * time.height);
      expect(time.x + time.width).toBeLessThanOrEqual(lines.x + lines.width);
      expect(time.y + time.height).toBeLessThanOrEqual(lines.y + lines.height + 1);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Select Thermostat' }).press('Space');
    await page.getByRole('button', { name: 'Select all' }).click();
    const bar = page.getByRole('region', { name: '2 selected' });
    await bar.waitFor();
    // Two rows of what a finger hits.
    await expect.poll(async () => (await bar.boundingBox())?.height).toBeLessThan(3 * 44);
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'system-devices-selected');
    const both = page.waitForEvent('download');
    await bar.getByRole('button', { name: 'More' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Diagnostics file' }).press('Enter');
    const files = JSON.parse(await readFile(await (await both).path(), 'utf8'));
    expect(files).toMatchObject([{ format: 'hearthd.device-diagnostics' }, { format: 'hearthd.device-diagnostics' }]);
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    await page.getByRole('button', { name: 'Select all' }).click();
    await bar.getByRole('button', { name: 'Favourite' }).click();
    await page.getByText('Added to favourites').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('lets go of accessories while the home is paused, takes them again, and unpairs one for good', async () => {
    const { deviceId } = dashboard.device('Thermostat');
    const { page, complaints } = await dashboard.open({ path: '/settings/home', width: 390, height: 844 });
    await page.getByRole('button', { name: 'Pause this home' }).click();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText('This home is paused').waitFor();
    await dashboard.relay.untilStatus(deviceId, 'paused');
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByText('Home resumed').waitFor();
    await dashboard.relay.untilStatus(deviceId, 'connected');
    await page.goto(new URL('/system/devices', page.url()).href);
    const device = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^Thermostat/ }) });
    await device.getByRole('button', { name: /^Details/ }).click();
    await device.getByRole('button', { name: 'Unpair' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unpair' }).click();
    await page.getByText('Thermostat unpaired').waitFor();
    await device.waitFor({ state: 'detached' });
    expect(await dashboard.relay.pairing(deviceId)).toBeUndefined();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('takes over what another program has paired, after it has shown what would become of each', async () => {
    const { lamp, record: hall } = await startTheirs('Hall Lamp');
    const pairings = {
      'Hall Lamp': hall,
      [MARKUP]: { ...hall, Connection: 'BLE' },
      Damaged: { ...hall, AccessoryLTPK: '' },
    };
    const file = (content: unknown) => ({
      ...{ name: 'pairing.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(content)) },
    });

    const { page, complaints } = await dashboard.open({ path: '/system/devices', width: 320, height: 640, dark: true });
    await page.getByRole('link', { name: 'Add accessory' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Home', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Move accessories here' }).click();
    await page.getByRole('button', { name: 'Choose a file' }).waitFor();
    await page.locator('input[type=file]').setInputFiles(file({ signSk: 'an accessory’s' }));
    await page.getByText(/There are no pairings in this file/).waitFor();
    await page.locator('input[type=file]').setInputFiles(file(pairings));
    const entries = page.getByRole('list', { name: 'Pairings in the file' }).getByRole('listitem');
    await entries.filter({ hasText: 'Hall Lamp' }).getByText('Ready').waitFor();
    await entries.filter({ hasText: MARKUP }).getByText('Not supported').waitFor();
    await entries
      .filter({ hasText: 'Damaged' })
      .getByText(/Use the original file/)
      .waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'import-preview');
    await page.getByRole('button', { name: 'Move 1 accessory' }).click();
    await page.getByText('1 accessory moved.').waitFor();
    await entries.filter({ hasText: 'Hall Lamp' }).getByText('Moved', { exact: true }).waitFor();
    await picture(page, 'import-done');
    await dashboard.relay.untilStatus(lamp.deviceId, 'connected');
    expect(complaints).toEqual([]);
    await page.context().close();
    await lamp.stop();
  });

  it('unpairs several at once, and names the one that does not learn of it', async () => {
    // A second try finds its own.
    const mark = `Try ${unpairings++}`;
    const there = await startTheirs(`${mark} there`);
    const away = await startTheirs(`${mark} away`);
    const { id: homeId } = (await dashboard.graphql('{ homes { id } }')).homes[0];
    const data = { there: there.record, away: away.record };
    const imported = await dashboard.relay.asSystem('POST', '/rest/pairings/import', { homeId, data });
    expect(imported.status).toBe(200);
    for (const { lamp } of [there, away]) await dashboard.relay.untilStatus(lamp.deviceId, 'connected');
    await away.lamp.stop();
    await dashboard.relay.untilStatus(away.lamp.deviceId, 'offline');

    const { page, complaints } = await dashboard.open({ path: '/system/devices' });
    await page.getByRole('heading', { level: 2, name: `${mark} there` }).waitFor();
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    await page.getByRole('checkbox', { name: `Select ${mark} there` }).press('Space');
    await page.getByRole('checkbox', { name: `Select ${mark} away` }).click();
    const bar = page.getByRole('region', { name: '2 selected' });
    await bar.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Unpair' }).click();
    const question = page.getByRole('dialog', { name: 'Unpair 2 devices?' });
    await question.getByText(`${mark} away can’t be reached`).waitFor();
    await expectAccessible(page);
    await picture(page, 'system-devices-unpair-several');
    await question.getByRole('button', { name: 'Unpair' }).click();
    await page.getByText('2 devices unpaired').waitFor();
    await page.getByRole('heading', { level: 2, name: mark }).first().waitFor({ state: 'detached' });
    for (const { lamp } of [there, away]) expect(await dashboard.relay.pairing(lamp.deviceId)).toBeUndefined();
    expect(there.lamp.controllers).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
    await there.lamp.stop();
  });
});

/** A lamp that another program has paired, and the record that this program keeps of it. */
async function startTheirs(name: string) {
  const theirs = createControllerKeys();
  const lamp = await startReplayAccessory({ database: [lampAccessory(name)], name, paired: [theirs], mdns: false });
  const record = {
    AccessoryPairingID: lamp.deviceId,
    AccessoryLTPK: lamp.publicKey.toString('hex'),
    iOSPairingId: theirs.id,
    iOSDeviceLTSK: theirs.seed.toString('hex'),
    iOSDeviceLTPK: theirs.publicKey.toString('hex'),
    AccessoryIP: '127.0.0.1',
    AccessoryPort: lamp.port,
    Connection: 'IP',
  };
  return { lamp, record };
}

/** The parts of a page of the settings whose content is seen. */
function shownParts(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    `[...document.querySelectorAll('section[id]')].filter((one) => !one.lastElementChild.hidden).map(({ id }) => id)`,
  );
}

/** As if the relay had been measured an hour ago as well. */
function addEarlierSample(): void {
  const database = openSqlite(dashboard.relay.directory.file(HISTORY_DATABASE));
  try {
    database.exec(`INSERT INTO relay_samples (at, load, processor_percent, memory_bytes, database_bytes, connected_devices)
      SELECT at - 3600000, load, processor_percent, memory_bytes, database_bytes, connected_devices FROM relay_samples`);
  } finally {
    database.close();
  }
}
