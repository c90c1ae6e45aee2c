/** The page of a share in a real browser, served by a real relay over HTTP, with real accessories behind it. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { informationService, lampAccessory, timedLockAccessory } from '../support/accessories/sample-databases.ts';
import type { AccessoryJson } from '../support/accessories/served-database.ts';
import { builtWeb } from '../support/built-web.ts';
import { E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { launchChromium, NO_BROWSER, openPage, type PageOptions, type WatchedPage } from './chromium.ts';
import { expectAccessible, expectToFit } from './page-rules.ts';

/** A liveness bound: a browser starts slowly on a machine that has a whole test run to do meanwhile. */
const PATIENCE_MS = 180_000;
const SUITE = `the page of a share in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;

const LAMP = 2;
const LOCK = 3;
const THERMOSTAT = 4;
const BLIND = 5;
const ON_IID = 9;
const BRIGHTNESS_IID = 10;
const LOCK_TARGET_IID = 10;
const MARKUP = '<img src=x onerror=document.title=1>';

function thermostat(aid: number): AccessoryJson {
  const celsius = { format: 'float', unit: 'celsius', minStep: 0.1 };
  return {
    aid,
    services: [
      informationService('Heating', 'H-1'),
      {
        iid: 8,
        type: '4A',
        characteristics: [
          { ...celsius, iid: 9, type: '11', perms: ['pr', 'ev'], minValue: 0, maxValue: 100, value: 20.5 },
          { ...celsius, iid: 10, type: '35', perms: ['pr', 'pw', 'ev'], minValue: 10, maxValue: 30, value: 21 },
          { iid: 11, type: 'F', format: 'uint8', perms: ['pr', 'ev'], minValue: 0, maxValue: 2, value: 1 },
          { iid: 12, type: '33', format: 'uint8', perms: ['pr', 'pw', 'ev'], minValue: 0, maxValue: 3, value: 1 },
        ],
      },
    ],
  };
}

function blind(aid: number): AccessoryJson {
  const percent = { format: 'uint8', unit: 'percentage', minValue: 0, maxValue: 100, minStep: 1 };
  return {
    aid,
    services: [
      informationService('Blind', 'W-1'),
      {
        iid: 8,
        type: '8C',
        characteristics: [
          { ...percent, iid: 9, type: '6D', perms: ['pr', 'ev'], value: 40 },
          { ...percent, iid: 10, type: '7C', perms: ['pr', 'pw', 'ev'], value: 40 },
        ],
      },
    ],
  };
}

const BRIDGE: readonly AccessoryJson[] = [
  { aid: 1, services: [informationService('Bridge', 'B-1')] },
  lampAccessory('Lamp', LAMP),
  timedLockAccessory('Front Door', LOCK),
  thermostat(THERMOSTAT),
  blind(BLIND),
];

let directory: TempDirectory;
let bridge: RawAccessory;
let relay: E2eRelay;
let browser: Browser;
let homeId: string;
let watched: WatchedPage | undefined;
let scriptless: BrowserContext | undefined;

/** @returns `/s/{hash}`. */
async function share(entity: Record<string, unknown>, options: Record<string, unknown> = {}) {
  const defaults = { accessType: 'public', role: 'control' };
  const { status, body } = await relay.asSystem('POST', '/rest/shares', { ...defaults, ...entity, ...options });
  expect([status, body.error]).toEqual([200, undefined]);
  return { id: body.id as string, path: `/s/${body.shareHash}` };
}

async function entityOf(name: string): Promise<{ entityType: string; entityId: string }> {
  return { entityType: 'accessory', entityId: (await relay.accessory(name)).id };
}

async function open(path: string, options: PageOptions = {}): Promise<WatchedPage> {
  watched = await openPage(browser, new URL(relay.url).origin, options);
  await watched.page.goto(new URL(path, relay.url).href);
  return watched;
}

/** For people: `HEARTHD_SCREENSHOTS=dir` keeps what the pages look like. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.HEARTHD_SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

function card(page: Page, name: string) {
  return page.locator('.card').filter({ has: page.getByRole('heading', { name, exact: true }) });
}

function lampIsOn(): boolean {
  return Boolean(bridge.get(LAMP, ON_IID));
}

describe.skipIf(NO_BROWSER)(SUITE, { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    directory = createTempDirectory('share-page');
    bridge = await startRawAccessory({ database: BRIDGE, name: 'Bridge', mdns: false, paired: [KNOWN_CONTROLLER] });
    sharePairings(directory, [bridge]);
    relay = await E2eRelay.start({ directory, overrides: { pagesDirectory: builtWeb() } });
    await relay.untilStatus(bridge.deviceId, 'connected');
    homeId = (await relay.get('/rest/homes')).body[0].id;
    browser = await launchChromium();
  }, PATIENCE_MS);

  afterEach(async () => {
    await watched?.page.context().close();
    await scriptless?.close();
    watched = undefined;
    scriptless = undefined;
    bridge.set(LAMP, ON_IID, false);
    const { body } = await relay.asSystem('GET', '/rest/shares');
    for (const { id } of body) await relay.asSystem('DELETE', `/rest/shares/${id}`);
  });

  afterAll(async () => {
    await browser?.close();
    await relay?.[Symbol.asyncDispose]();
    await bridge?.stop();
    directory?.remove();
  });

  it('switches a lamp, follows what others do, and loads nothing from elsewhere', async () => {
    const { path } = await share({ entityType: 'home', entityId: homeId });
    const { page, complaints, requests } = await open(path);
    const lamp = card(page, 'Lamp');
    const power = lamp.getByRole('switch', { name: 'Power, Lamp' });
    await power.click();
    await eventually(lampIsOn, 'the lamp to be on');
    await lamp.getByText('On · 50%').waitFor();
    await power.and(page.locator('[aria-checked="true"]')).waitFor();

    bridge.set(LAMP, BRIGHTNESS_IID, 80);
    await lamp.getByText('On · 80%').waitFor();
    await power.click();
    await lamp.getByText('Off', { exact: true }).waitFor();
    expect(lampIsOn()).toBe(false);

    await lamp.getByText('More').click();
    const brightness = lamp.getByRole('slider', { name: 'Brightness, Lamp' });
    await brightness.focus();
    await page.keyboard.press('Home');
    await eventually(() => bridge.get(LAMP, BRIGHTNESS_IID) === 0, 'the lamp to be dimmed');
    bridge.set(LAMP, BRIGHTNESS_IID, 50);

    expect(complaints).toEqual([]);
    // No page was loaded but the first.
    expect(requests.filter((request) => request === `GET ${path}`)).toHaveLength(1);
  });

  it('speaks German to a German browser, and goes on in it when things change', async () => {
    const { path } = await share({ entityType: 'home', entityId: homeId });
    const { page, complaints, requests } = await open(path, { width: 390, height: 844, locale: 'de-DE' });
    const lamp = card(page, 'Lamp');
    await lamp.getByRole('switch', { name: 'Ein/Aus, Lamp' }).click();
    await eventually(lampIsOn, 'the lamp to be on');
    await lamp.getByText(/^An · \d+\u00a0%$/).waitFor();
    bridge.set(LAMP, ON_IID, false);
    await lamp.getByText('Aus', { exact: true }).waitFor();
    await card(page, 'Heating').getByText('20,5').waitFor();
    for (const more of await page.locator('.more > summary, .aside > summary').all()) await more.click();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'share-german');
    expect(complaints).toEqual([]);
    expect(requests.filter((request) => request === `GET ${path}`)).toHaveLength(1);
  });

  it('unlocks only after a second touch, and shows what a device refuses', async () => {
    const { path } = await share(await entityOf('Front Door'));
    const { page, complaints } = await open(path, { width: 390, height: 844 });
    const door = card(page, 'Front Door');
    await door.getByText('Unlock…').click();
    expect(bridge.get(LOCK, LOCK_TARGET_IID)).toBe(1);
    await picture(page, 'lock-question');
    await door.getByRole('button', { name: 'Yes, unlock' }).click();
    await eventually(() => bridge.get(LOCK, LOCK_TARGET_IID) === 0, 'the door to be unlocked');
    bridge.set(LOCK, ON_IID, 0);
    await door.getByText('Unlocked').waitFor();

    const repair = bridge.fail({ aid: LOCK, iid: LOCK_TARGET_IID, status: -70402 });
    await door.getByRole('button', { name: 'Lock', exact: true }).click();
    await door.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
    repair();
    bridge.set(LOCK, ON_IID, 1);
    bridge.set(LOCK, LOCK_TARGET_IID, 1);
    expect(complaints).toEqual([]);
  });

  it('closes for its visitors once the share ends', async () => {
    const { id, path } = await share(await entityOf('Lamp'));
    const { page } = await open(path);
    await card(page, 'Lamp').waitFor();
    await relay.asSystem('DELETE', `/rest/shares/${id}`);
    await page.getByRole('heading', { name: 'Share not found' }).waitFor();
  });

  it('asks for the passcode, remembers the browser, and forgets it when the passcode changes', async () => {
    const { id, path } = await share(await entityOf('Lamp'), { accessType: 'passcode', passcode: 'fir tree' });
    const { page, complaints } = await open(path, { width: 390, height: 844 });
    await expectAccessible(page);
    await picture(page, 'passcode-mobile');
    await page.getByLabel('Passcode').fill('pine tree');
    await page.keyboard.press('Enter');
    await page.getByText('Wrong passcode.').waitFor();
    await picture(page, 'passcode-wrong');
    await page.getByLabel('Passcode').fill('fir tree');
    await page.keyboard.press('Enter');
    await card(page, 'Lamp').getByRole('switch').click();
    await eventually(lampIsOn, 'the lamp to be on');
    await page.reload();
    await card(page, 'Lamp').waitFor();
    expect(page.url()).not.toContain('passcode');

    await relay.asSystem('PATCH', `/rest/shares/${id}`, { passcode: 'oak tree' });
    await page.getByRole('heading', { name: 'Passcode required' }).waitFor();
    // Chromium reports every page that is answered with an error.
    expect(complaints.filter((text) => !text.includes('status of 403'))).toEqual([]);
  });

  it('works without a script', async () => {
    const { path } = await share({ entityType: 'home', entityId: homeId });
    scriptless = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    const page = await scriptless.newPage();
    await page.goto(new URL(path, relay.url).href);
    await card(page, 'Lamp').getByRole('switch').click();
    await card(page, 'Lamp').getByText('On ·').waitFor();
    expect(lampIsOn()).toBe(true);
    await card(page, 'Lamp').getByText('More').click();
    const form = card(page, 'Lamp').locator('form[data-property="brightness"]');
    await form.getByRole('slider').fill('30');
    await picture(page, 'no-script');
    await form.getByRole('button', { name: 'Set' }).click();
    await card(page, 'Lamp').getByText('On · 30%').waitFor();
    expect(bridge.get(LAMP, BRIGHTNESS_IID)).toBe(30);
    await card(page, 'Heating').getByText('More').click();
    await card(page, 'Heating').getByRole('button', { name: 'Temperature up' }).click();
    await eventually(() => bridge.get(THERMOSTAT, 10) === 21.5, 'the heating to be turned up');
    bridge.set(LAMP, BRIGHTNESS_IID, 50);
  });

  it('shows markup in names as text', async () => {
    const { id } = await relay.accessory('Lamp');
    const rename = (name: string | null) => relay.request('PATCH', `/rest/accessories/${id}`, { name });
    const { path } = await share({ entityType: 'accessory', entityId: id });
    expect((await rename(MARKUP)).status).toBe(200);
    try {
      const { page, complaints } = await open(path);
      await page.getByRole('heading', { level: 3, name: MARKUP }).waitFor();
      bridge.set(LAMP, ON_IID, true);
      await page.getByText('On · 50%').waitFor();
      expect(await page.title()).toContain(MARKUP);
      expect(complaints).toEqual([]);
    } finally {
      await rename(null);
    }
  });

  it.each([
    { name: 'mobile-dark', width: 390, height: 844, dark: true },
    { name: 'narrow', width: 320, height: 640, dark: false },
    { name: 'desktop', width: 1280, height: 900, dark: false },
  ])('fits and can be used by everyone: $name', async ({ name, ...options }) => {
    const { path } = await share({ entityType: 'home', entityId: homeId });
    bridge.set(LAMP, ON_IID, true);
    const { page, complaints } = await open(path, options);
    await card(page, 'Lamp').getByText('On ·').waitFor();
    await picture(page, `share-${name}`);
    const boxes = await Promise.all((await page.locator('.card').all()).map((each) => each.boundingBox()));
    const rows = new Map(boxes.map((box) => [box?.y, boxes.filter((other) => other?.y === box?.y)]));
    expect(rows.size).toBe(Math.ceil(boxes.length / (options.width > 768 ? 2 : 1)));
    for (const row of rows.values()) expect(new Set(row.map((box) => box?.height)).size).toBe(1);
    for (const more of await page.locator('.more > summary, .aside > summary').all()) await more.click();
    await picture(page, `share-${name}-open`);
    await expectToFit(page);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  it('shows that it is closed, to all alike', async () => {
    const past = { expires_at: '2020-01-01T00:00:00Z' };
    const { path } = await share(await entityOf('Lamp'), { accessSchedule: past });
    const { page } = await open(path, { width: 390, height: 844 });
    await page.getByRole('heading', { name: 'This share is closed' }).waitFor();
    await picture(page, 'closed');
    await expectAccessible(page);
  });
});
