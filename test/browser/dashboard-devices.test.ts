/** Tiles and sheets of accessories as people use them: real accessories behind a real daemon. */
import { Characteristic, type HAPStatus, HapStatusError, Service } from '@homebridge/hap-nodejs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { WatchedPage } from './chromium.ts';
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

const SUITE = `accessories in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;

/** HAP §6.7.1.4: the resource is busy. */
const RESOURCE_BUSY = -70403 as HAPStatus;

let dashboard: Dashboard;
let watched: WatchedPage | undefined;
let ids: Readonly<Record<string, string>>;

/** HAP-NodeJS's own object: what the device is really set to. */
function valueAt(
  device: string,
  service: typeof Service.Lightbulb | typeof Service.LockMechanism,
  what: typeof Characteristic.On,
) {
  const found = dashboard.device(device).accessory.getService(service)?.getCharacteristic(what);
  if (!found) throw new Error(`${device} has no such thing`);
  return found;
}

describe.skipIf(NO_BROWSER)(SUITE, { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start({ accessories: ['Reading Lamp', 'Desk Lamp', 'Front Door', 'Thermostat'] });
    const { homes } = await dashboard.graphql('{ homes { id accessories { id name } } }');
    ids = Object.fromEntries(homes[0].accessories.map(({ id, name }: { id: string; name: string }) => [name, id]));
  }, PATIENCE_MS);

  afterEach(async () => {
    await watched?.page.context().close();
    watched = undefined;
  });

  afterAll(() => dashboard?.stop());

  it('switches a lamp by its tile, and the tile follows the lamp when another person switches it', async () => {
    watched = await dashboard.open();
    const { page, complaints } = watched;
    const on = valueAt('Reading Lamp', Service.Lightbulb, Characteristic.On);
    await page.getByRole('button', { name: 'Reading Lamp, Off', pressed: false }).click();
    await page.getByRole('button', { name: 'Reading Lamp, On, 80%', pressed: true }).waitFor();
    await eventually(() => on.value === true, 'what was set at the device');
    on.updateValue(false);
    await page.getByRole('button', { name: 'Reading Lamp, Off', pressed: false }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('dims a lamp along its tile, by mouse and by keys, which switches it on and nothing else', async () => {
    watched = await dashboard.open();
    const { page } = watched;
    const brightness = valueAt('Reading Lamp', Service.Lightbulb, Characteristic.Brightness);
    const tile = page.getByRole('button', { name: 'Reading Lamp, Off' });
    const box = await tile.boundingBox();
    if (!box) throw new Error('The tile is not there');
    const [left, middle] = [box.x + 4, box.y + box.height / 2];
    await page.mouse.move(left, middle);
    await page.mouse.down();
    await page.mouse.move(left + 8 + box.width * 0.4, middle, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('button', { name: 'Reading Lamp, On, 40%', pressed: true }).waitFor();
    await eventually(() => brightness.value === 40, 'what was dragged at the device');
    await page.getByRole('slider', { name: 'Brightness of Reading Lamp' }).press('ArrowRight');
    await eventually(() => brightness.value === 41, 'what was set by key at the device');
    await page.getByRole('button', { name: 'Reading Lamp, On, 41%' }).click();
    await page.getByRole('button', { name: 'Reading Lamp, Off' }).waitFor();
    await expectAccessible(page);
    brightness.updateValue(80);
  });

  it('dims it by the keys on its sheet, which Escape leaves again', async () => {
    watched = await dashboard.open();
    const { page, complaints } = watched;
    await page.getByRole('link', { name: 'More about Reading Lamp' }).click();
    await page.getByRole('heading', { level: 1, name: 'Reading Lamp' }).waitFor();
    const slider = page.getByRole('slider', { name: 'Brightness', exact: true });
    // A lamp that is off is not shown as bright.
    expect([await slider.getAttribute('aria-valuetext'), await slider.inputValue()]).toEqual(['Off', '1']);
    await slider.press('End');
    await slider.press('ArrowLeft');
    const brightness = valueAt('Reading Lamp', Service.Lightbulb, Characteristic.Brightness);
    await eventually(() => brightness.value === 99, 'what was set at the device');
    expect(await slider.getAttribute('aria-valuetext')).toBe('99%');
    await page.getByRole('switch', { name: 'Power', checked: true }).waitFor();
    // A finger anywhere on the big control sets the value at that height.
    const box = await slider.boundingBox();
    if (!box) throw new Error('The slider is not there');
    expect(box.height).toBeGreaterThan(240);
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 60, box.y + box.height * 0.75, { steps: 3 });
    await page.mouse.up();
    await eventually(() => brightness.value === 26, 'what was dragged at the device');
    await slider.press('End');
    await slider.press('ArrowLeft');
    await eventually(() => brightness.value === 99, 'what was set at the device again');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1, name: 'Reading Lamp' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Reading Lamp, On, 99%' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('opens a sheet beside the home on a wide screen, at its own address, and gives the focus back', async () => {
    watched = await dashboard.open({ width: 1440, height: 900 });
    const { page, complaints } = watched;
    const more = page.getByRole('link', { name: 'More about Front Door' });
    await more.press('Enter');
    const panel = page.getByRole('region', { name: 'Accessory: Front Door', exact: true });
    await panel.getByRole('heading', { level: 1, name: 'Front Door' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/accessories/${ids['Front Door']}`);
    expect(await panel.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.getByRole('button', { name: 'Front Door, Locked' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Thermostat' }).click();
    await page.getByRole('region', { name: 'Accessory: Thermostat', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await panel.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/');
    await page.setViewportSize({ width: 1000, height: 900 });
    await more.click();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Front Door, Locked' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows the last day, what uses the accessory, and its details on demand', async () => {
    const { homes } = await dashboard.graphql('{ homes { id } }');
    const actions = [{ accessoryId: ids['Desk Lamp'], characteristicType: 'on', targetValue: false }];
    await dashboard.graphql(
      'mutation ($homeId: String!, $actions: JSON!) { createScene(homeId: $homeId, name: "Focus", actions: $actions) { id } }',
      { homeId: homes[0].id, actions },
    );
    watched = await dashboard.open({ path: `/accessories/${ids['Desk Lamp']}`, width: 390, height: 844 });
    const { page, complaints } = watched;
    await page.getByText('Recording is off.').waitFor();
    expect(await page.getByRole('link', { name: 'Turn it on in History' }).getAttribute('href')).toBe('/history');
    const setRecording =
      'mutation ($homeId: String!, $enabled: Boolean!) { setHomeHistoryEnabled(homeId: $homeId, enabled: $enabled) }';
    await dashboard.graphql(setRecording, { homeId: homes[0].id, enabled: true });
    await page.reload();
    await page.getByRole('heading', { name: 'Last 24 hours' }).waitFor();
    await page.getByText(/^off: |^Nothing was recorded/).waitFor();
    await page.getByRole('link', { name: 'Focus · Scene' }).waitFor();
    expect(await page.getByText('Serial number').first().isVisible()).toBe(false);
    await page.getByText('Details', { exact: true }).click();
    await page.getByText('Serial number').first().waitFor();
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    await page.getByText('Notify me when …').click();
    const offline = page.getByRole('switch', { name: 'It is offline for 10 minutes' });
    await offline.click();
    await page.getByRole('link', { name: 'Edit automation' }).waitFor();
    await page.getByRole('link', { name: 'Notify when Desk Lamp is offline · Automation' }).waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    await offline.click();
    await page.getByRole('link', { name: 'Edit automation' }).waitFor({ state: 'detached' });
    const { flows } = await dashboard.graphql('query ($homeId: String!) { flows(homeId: $homeId) { name enabled } }', {
      homeId: homes[0].id,
    });
    expect(flows).toEqual([{ name: 'Notify when Desk Lamp is offline', enabled: false }]);
    await page.getByRole('link', { name: 'Focus · Scene' }).click();
    await page.getByRole('heading', { level: 1, name: 'Focus' }).waitFor();
    await dashboard.graphql(setRecording, { homeId: homes[0].id, enabled: false });
    expect(complaints).toEqual([]);
  });

  it('sets favourite colours of a lamp, takes its present one among them, and removes it', async () => {
    watched = await dashboard.open({ path: `/accessories/${ids['Reading Lamp']}` });
    const { page, complaints } = watched;
    const hue = valueAt('Reading Lamp', Service.Lightbulb, Characteristic.Hue);
    const favourites = page.getByRole('list', { name: 'Favourites' });
    await favourites.getByRole('button', { name: 'Blue', exact: true }).click();
    await eventually(() => hue.value === 225, 'the hue of blue at the device');
    hue.updateValue(290);
    await page.getByRole('button', { name: 'Add the present colour' }).click();
    const added = favourites.getByRole('button', { name: 'Violet, 90%', exact: true, pressed: true });
    await added.waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Edit favourites' }).click();
    await page.getByRole('button', { name: 'Remove Violet, 90%' }).click();
    await page.getByRole('button', { name: 'Remove Violet, 90%' }).waitFor({ state: 'detached' });
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await favourites.getByRole('button', { name: 'Blue', exact: true, pressed: false }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('takes back what a device refuses, with the reason', async () => {
    watched = await dashboard.open();
    const { page } = watched;
    valueAt('Desk Lamp', Service.Lightbulb, Characteristic.On).onSet(() => {
      throw new HapStatusError(RESOURCE_BUSY);
    });
    await page.getByRole('button', { name: 'Desk Lamp, Off' }).click();
    await page.getByRole('status').getByText('Desk Lamp: ').waitFor();
    await page.getByRole('button', { name: 'Desk Lamp, Off', pressed: false }).waitFor();
  });

  it('asks before it unlocks a door, and locks it without asking', async () => {
    watched = await dashboard.open();
    const { page, complaints } = watched;
    const target = valueAt('Front Door', Service.LockMechanism, Characteristic.LockTargetState);
    const current = valueAt('Front Door', Service.LockMechanism, Characteristic.LockCurrentState);
    await page.getByRole('button', { name: 'Front Door, Locked' }).click();
    const question = page.getByRole('dialog', { name: 'Unlock Front Door?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(target.value).toBe(1);
    await page.getByRole('button', { name: 'Front Door, Locked' }).click();
    await question.getByRole('button', { name: 'Unlock' }).click();
    await eventually(() => target.value === 0, 'what was set at the device');
    current.updateValue(0);
    await page.getByRole('button', { name: 'Front Door, Unlocked' }).click();
    await eventually(() => target.value === 1, 'what was set at the device');
    await page.getByRole('link', { name: 'More about Front Door' }).click();
    await page.getByRole('button', { name: 'Unlock', exact: true }).click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(target.value).toBe(1);
    const notify = page.getByRole('switch', { name: 'It is unlocked' });
    await notify.click();
    await page.getByRole('link', { name: 'Notify when Front Door is unlocked · Automation' }).waitFor();
    await page.getByRole('link', { name: 'Edit automation' }).waitFor();
    await notify.click();
    await page.getByRole('link', { name: 'Edit automation' }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('turns a thermostat by keys on its dial', async () => {
    watched = await dashboard.open({ path: `/accessories/${ids.Thermostat}` });
    const { page, complaints } = watched;
    const dial = page.getByRole('slider', { name: 'Temperature' });
    await page.getByRole('button', { name: 'Heat', exact: true }).click();
    await page.getByText('10°C', { exact: true }).waitFor();
    await page.getByText('38°C', { exact: true }).waitFor();
    const before = Number(await dial.getAttribute('aria-valuenow'));
    await dial.press('ArrowUp');
    await page.getByRole('button', { name: 'Raise the temperature' }).click();
    const target = dashboard.device('Thermostat').accessory.getService(Service.Thermostat);
    await eventually(
      () => target?.getCharacteristic(Characteristic.TargetTemperature).value === before + 1,
      'what was set at the device',
    );
    expect(complaints).toEqual([]);
  });

  it('selects several on the page of a category, and acts on them', async () => {
    watched = await dashboard.open({ path: '/categories/lights', width: 390, height: 844 });
    const { page, complaints } = watched;
    const bar = page.getByRole('region', { name: '2 selected' });
    const selectBoth = async () => {
      await page.getByRole('button', { name: 'Select', exact: true }).click();
      await page.getByRole('checkbox', { name: 'Select Desk Lamp' }).press('Space');
      await page.getByRole('checkbox', { name: 'Select Reading Lamp' }).click();
      await bar.waitFor();
    };
    await selectBoth();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'category-selected');
    await bar.getByRole('button', { name: 'Favourite' }).click();
    await page.getByText('Added to favourites').waitFor();
    await bar.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    const lamps = ['Desk Lamp', 'Reading Lamp'].map((name) => dashboard.device(name).deviceId);
    const reconnects = async () => Promise.all(lamps.map(async (id) => (await dashboard.relay.pairing(id)).reconnects));
    const before = await reconnects();
    await selectBoth();
    // Both were taken back.
    await bar.getByRole('button', { name: 'Favourite', exact: true }).waitFor();
    await bar.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Connect again' }).click();
    await page.getByText('2 devices connected').waitFor();
    await bar.waitFor({ state: 'detached' });
    expect(await reconnects()).toEqual(before.map((count) => count + 1));
    expect(complaints).toEqual([]);
  });

  it.each([
    { width: 320, height: 640, dark: false, sheet: 'Reading Lamp' },
    { width: 1360, height: 900, dark: true, sheet: 'Thermostat' },
  ])('is accessible and fits at $width px, for every device name', async ({ sheet, ...options }) => {
    const name = `${MARKUP}${'x'.repeat(20)}`.slice(0, 60);
    const rename = 'mutation ($id: String!, $name: String) { renameAccessory(accessoryId: $id, name: $name) { id } }';
    await dashboard.graphql(rename, { id: ids[sheet], name });
    watched = await dashboard.open(options);
    const { page, complaints } = watched;
    await page
      .getByRole('link', { name: `More about ${name}` })
      .or(page.getByRole('link', { name }))
      .first()
      .waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await page.goto(new URL(`/accessories/${ids[sheet]}`, dashboard.relay.url).href);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, `sheet-${options.width}`);
    expect(complaints).toEqual([]);
  });
});
