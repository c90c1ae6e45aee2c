/** From a relay without an owner to a lamp that a person switches, as for the first time. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTempDirectory } from '../support/temp-directory.ts';
import type { WatchedPage } from './chromium.ts';
import {
  Dashboard,
  eventually,
  expectAccessible,
  expectToFit,
  MARKUP,
  NO_BROWSER,
  OWNER,
  PATIENCE_MS,
  picture,
} from './dashboard.ts';
import { cameraSwitches, photoOf, showToCamera } from './qr-pictures.ts';

const SUITE = `the first run in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;
const LAMP = 'Desk Lamp';
const BRIDGE = 'Bridge';
const MATTER = 'MT:Y.K9042C00KA0648G00';
/** As far as names go: one ends with a letter or a number. */
const HOME_NAME = `${MARKUP} 1`;

let dashboard: Dashboard;
let watched: WatchedPage | undefined;
const camera = createTempDirectory('camera');
const SEEN = camera.file('seen.y4m');

async function open(options: Parameters<Dashboard['open']>[0]): Promise<Page> {
  watched = await dashboard.open({ token: null, ...options });
  return watched.page;
}

describe.skipIf(NO_BROWSER)(SUITE, { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start({
      unclaimed: true,
      unpaired: [LAMP, BRIDGE],
      switches: cameraSwitches(SEEN),
    });
  }, PATIENCE_MS);

  afterEach(async () => {
    await watched?.page.context().close();
    watched = undefined;
  });

  afterAll(async () => {
    await dashboard?.stop();
    camera.remove();
  });

  it('shows a visitor at any address how to begin, in their language, on a small screen in the dark', async () => {
    const page = await open({ path: '/scenes', lang: 'de', width: 320, height: 640, dark: true });
    await page.getByRole('heading', { name: 'Willkommen zu Hause' }).waitFor();
    await page.getByText('Schritt 1 von 5').waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'first-run-phone-dark');
    expect(watched?.complaints).toEqual([]);
  });

  it('leads by keyboard alone to an owner, a home and its place, and goes on where it was after a reload', async () => {
    const page = await open({});
    await page.getByRole('heading', { name: 'Welcome home' }).waitFor();
    const type = async (label: string, text: string) => {
      await tabTo(page, label);
      await page.keyboard.type(text);
    };
    await type('Setup code', 'WRONG234');
    await type('Your name', OWNER.name);
    await type('Email address', OWNER.email);
    await type('Password', OWNER.password);
    await page.keyboard.press('Enter');
    await page.getByText('The setup code is wrong or has expired.').waitFor();
    const { body } = await dashboard.relay.asSystem('POST', '/rest/setup-code');
    await page.getByLabel('Setup code').focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(body.code.toLowerCase());
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Name your home' }).waitFor();
    await expectAccessible(page);
    await type('Home name', HOME_NAME);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Where is it?' }).waitFor();
    // As on a phone in Vienna.
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Vienna' });
    await page.reload();
    await page.getByRole('heading', { name: 'Where is it?' }).waitFor();
    await expectAccessible(page);
    // The city of the time zone is filled in, and another one is found without its accents.
    const town = page.getByRole('combobox', { name: 'Town' });
    await eventually(async () => (await town.inputValue()).startsWith('Vienna'), 'the city of the time zone');
    await town.click();
    await page.keyboard.type('zuric');
    await page.getByRole('option', { name: 'Zürich (Zurich), Switzerland' }).click();
    expect(await page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Europe/Zurich');
    await town.click();
    await page.keyboard.type('springfield, oreg');
    await page.getByRole('option', { name: 'Springfield, Oregon, United States' }).waitFor();
    await page
      .getByRole('option', { name: /^Springfield, (?!Oregon)/ })
      .first()
      .waitFor({ state: 'detached' });
    await expectAccessible(page);
    await picture(page, 'town');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Enter coordinates' }).click();
    expect(await page.getByLabel('Latitude').inputValue()).toMatch(/^47\.3/);
    const here = page.getByRole('button', { name: 'Use this device’s position' });
    await here.click();
    await page.getByRole('alert').getByText('The browser blocked access to your location.').waitFor();
    await page.context().grantPermissions(['geolocation']);
    await page.context().setGeolocation({ latitude: 48.137431, longitude: 11.575488 });
    await here.click();
    await eventually(async () => (await page.getByLabel('Longitude').inputValue()) === '11.5755', 'the position');
    expect(await page.getByLabel('Latitude').inputValue()).toBe('48.1374');
    await page.getByLabel('Latitude').fill('');
    await page.getByLabel('Longitude').fill('');
    await page.getByRole('heading', { name: 'Where is it?' }).focus();
    await type('Latitude', '52° 31′ 12″ N');
    await type('Longitude', '13.405');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Keep a history?' }).waitFor();
    expect(await page.getByRole('checkbox', { name: /Keep history/ }).isChecked()).toBe(true);
    await page.getByText('Takes at most 500 MB.').waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    await page.getByRole('button', { name: 'Continue' }).press('Enter');
    await page.getByRole('heading', { name: 'Your accessories' }).waitFor();
    const [home] = (await dashboard.relay.get('/rest/homes')).body as Record<string, unknown>[];
    expect(home).toMatchObject({ name: HOME_NAME, location: { latitude: 52.52, longitude: 13.405 } });
    const history = (await dashboard.relay.get(`/rest/history/homes/${home?.id}`)).body;
    expect(history).toMatchObject({ enabled: true });
    // The relay refused the wrong code in the body of an ordinary answer: nothing of it is on the console.
    expect(watched?.complaints).toEqual([]);
  });

  it('pairs what it found by its code, puts it into a room, and switches it', async () => {
    const page = await open({ path: '/welcome', token: await signIn(), width: 390, height: 844 });
    // Other homes may be announced on this machine, and give this one's lamp another name.
    const { deviceId, setupCode } = dashboard.device(LAMP);
    const row = page.getByRole('listitem').filter({ has: page.getByTitle(new RegExp(`^${deviceId}`)) });
    await row.waitFor();
    await page.getByText(/^\d+ new accessor(?:y|ies)$/).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'first-run-found');
    await row.getByRole('button', { name: `Add ${LAMP}` }).click();

    const code = page.getByLabel('Setup code');
    await code.fill('123');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Some digits are missing').waitFor();
    await code.fill(setupCode === '987-65-432' ? '98765431' : '98765432');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('alert').getByText('The setup code is wrong.').waitFor();
    await expectAccessible(page);
    await code.fill(setupCode.replaceAll('-', ''));
    expect(await code.inputValue()).toBe(setupCode);
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: new RegExp(`^“${LAMP}.*” added$`) }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Night Light');
    await page.getByLabel('Room', { exact: true }).selectOption({ label: 'New room …' });
    await page.getByLabel('New room name').fill('Attic');
    await expectAccessible(page);
    await expectToFit(page);
    await picture(page, 'first-run-place');
    await page.getByRole('button', { name: 'Done', exact: true }).click();

    await page.getByRole('heading', { name: 'Attic' }).waitFor();
    await picture(page, 'first-run-home');
    const before = isOn();
    await page
      .getByRole('button', { name: /Night Light/ })
      .first()
      .click();
    await eventually(async () => isOn() !== before, 'the accessory to be switched');
    expect(await page.title()).not.toBe('1');
    expect(watched?.complaints).toEqual([]);
  });

  it('adds a bridge by the camera among other codes, takes it back, and adds it again by a photo', async () => {
    const page = await open({ path: '/pair', token: await signIn(), width: 390, height: 844, hasTouch: true });
    const { deviceId, accessory, children } = dashboard.device(BRIDGE);
    const payload = accessory.setupURI();
    const row = page.getByRole('listitem').filter({ has: page.getByTitle(new RegExp(`^${deviceId}`)) });
    const scan = page.getByRole('button', { name: 'Scan with the camera' });
    const photo = page.locator('input[type=file]');
    await row.getByRole('button', { name: /^Add / }).click();
    // On a phone the camera comes first.
    const [scanAt, codeAt] = [await scan.boundingBox(), await page.getByLabel('Setup code').boundingBox()];
    expect(scanAt?.y).toBeLessThan(codeAt?.y ?? 0);
    // Without it the browser finds no camera that it could keep from the page.
    showToCamera(SEEN, 'https://example.org/shop');
    await scan.click();
    await page.getByText('The browser blocks the camera.').waitFor();
    expect(await scan.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
    await expectToFit(page);

    await page.context().grantPermissions(['camera']);
    await scan.click();
    await page.getByText('This isn’t a HomeKit QR code.').waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    await picture(page, 'pair-camera');
    await page.getByRole('button', { name: 'Stop the camera' }).click();
    showToCamera(SEEN, MATTER, payload);
    await scan.click();
    await page.getByRole('heading', { name: new RegExp(`^“${BRIDGE}.*” added$`) }).waitFor();
    const names = page.getByLabel('Name', { exact: true });
    // The rooms are asked for by then, and the fields come with them.
    await names.first().waitFor();
    expect(await names.count()).toBeGreaterThanOrEqual(children.length);
    await expectAccessible(page);
    await picture(page, 'pair-bridge');
    await page.getByRole('button', { name: 'Undo and remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo and remove' }).click();

    await row.getByRole('button', { name: /^Add / }).click();
    await photo.setInputFiles(photoOf(MATTER));
    await page.getByText('This is a Matter code. Look for the HomeKit code').waitFor();
    await photo.setInputFiles({ name: 'cat.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await page.getByText('No QR code found in the photo.').waitFor();
    await photo.setInputFiles(photoOf(payload));
    await page.getByRole('heading', { name: new RegExp(`^“${BRIDGE}.*” added$`) }).waitFor();
    await page.getByLabel('Room', { exact: true }).first().selectOption({ label: 'Attic' });
    for (const at of [1, 2]) {
      await page.getByLabel('Room', { exact: true }).nth(at).selectOption({ label: 'New room …' });
      await page
        .getByLabel('New room name')
        .nth(at - 1)
        .fill('Cellar');
    }
    await names.nth(1).fill('Cellar Door');
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByRole('heading', { name: 'Cellar', exact: true }).waitFor();
    await page.getByText('Cellar Door').first().waitFor();
    expect(watched?.complaints).toEqual([]);
  });

  it('signs out, and in again with a password, to the page that was wanted', async () => {
    const page = await open({ path: '/pair' });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Email address').fill(OWNER.email);
    await page.getByLabel('Password', { exact: true }).fill('not this one');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Wrong email or password.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Add accessory' }).waitFor();
    const sessions = async () =>
      (await dashboard.graphql('{ sessions { id } }', {}, await token(page))).sessions.length;
    expect(await sessions()).toBeGreaterThan(0);
    await page.goto(new URL('/settings', dashboard.relay.url).href);
    const menu = page.getByRole('complementary');
    await menu.getByText(OWNER.name).waitFor();
    await menu.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(watched?.complaints).toEqual([]);
  });

  function isOn(): unknown {
    const { accessory } = dashboard.device(LAMP);
    return accessory.services
      .flatMap(({ characteristics }) => characteristics)
      .find(({ displayName }) => displayName === 'On')?.value;
  }
});

async function signIn(): Promise<string> {
  const { login } = await dashboard.graphql(
    'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { token } }',
    OWNER,
    '',
  );
  return login.token;
}

async function token(page: Page): Promise<string> {
  return page.evaluate<string>(`JSON.parse(localStorage.getItem('hearthd.session')).token`);
}

/** As a person without a mouse reaches a field. */
async function tabTo(page: Page, label: string): Promise<void> {
  const isThere = () =>
    page.getByLabel(label, { exact: true }).evaluate((field) => field === field.ownerDocument.activeElement);
  for (let tries = 0; tries < 20 && !(await isThere()); tries += 1) await page.keyboard.press('Tab');
  expect(await isThere()).toBe(true);
}
