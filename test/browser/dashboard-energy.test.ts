/** The energy page: without a meter, with real metered outlets, its tariff, its export. */
import { readFileSync } from 'node:fs';
import { Characteristic, Service } from '@homebridge/hap-nodejs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { WatchedPage } from './chromium.ts';
import { Dashboard, eventually, expectAccessible, expectToFit, NO_BROWSER, PATIENCE_MS, picture } from './dashboard.ts';

const SUITE = `the energy page in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;

let dashboard: Dashboard;
let watched: WatchedPage | undefined;

async function close(): Promise<void> {
  await watched?.page.context().close();
  watched = undefined;
}

describe.skipIf(NO_BROWSER)(`${SUITE}, without a meter`, { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start();
  }, PATIENCE_MS);
  afterEach(close);
  afterAll(() => dashboard?.stop());

  it('lists which devices measure, on a phone in the dark and in German', async () => {
    watched = await dashboard.open({ path: '/energy', width: 320, height: 640, dark: true, lang: 'de' });
    const { page, complaints } = watched;
    await page.getByRole('heading', { name: 'Noch kein Gerät misst Energie' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Eve Energy' }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });
});

describe.skipIf(NO_BROWSER)(SUITE, { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start({ accessories: ['Coffee Machine', 'Power Strip'] });
    await dashboard.relay.untilState('Coffee Machine', 'eve_energy_kwh', 214.37);
  }, PATIENCE_MS);
  afterEach(close);
  afterAll(() => dashboard?.stop());

  /** What the machine has used since it was made. */
  function countTo(kwh: number): void {
    const service = dashboard.device('Coffee Machine').accessory.getService(Service.Switch);
    service?.characteristics.find(({ displayName }) => displayName === 'Total Consumption')?.updateValue(kwh);
  }

  async function untilCounted(kwh: number): Promise<void> {
    const [home] = (await dashboard.graphql('{ homes { id } }')).homes;
    await eventually(async () => {
      const { energy } = await dashboard.graphql('query ($home: String!) { energy(home: $home, by: "day") { kwh } }', {
        home: home.id,
      });
      return energy.kwh === kwh;
    }, 'the energy to be counted');
  }

  it('shows the power now, what was counted and by which device', async () => {
    const machine = dashboard.device('Coffee Machine').accessory.getService(Service.Switch);
    machine?.getCharacteristic(Characteristic.On).setValue(true);
    countTo(216.87);
    await untilCounted(2.5);
    watched = await dashboard.open({ path: '/' });
    const { page, complaints } = watched;
    await page.getByRole('link', { name: 'Energy' }).click();
    await page.getByRole('heading', { level: 1, name: 'Energy' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Coffee Machine' }).filter({ hasText: '1,150 W' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Power Strip: Screen' }).filter({ hasText: '31.5 W' }).waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Coffee Machine' })
      .filter({ hasText: '2.5 kWh · 100%' })
      .waitFor();
    await page.getByRole('img', { name: /^How 2\.5 kWh spread over the rooms/ }).waitFor();
    await page.getByText('Rooms', { exact: true }).waitFor();
    // All of it is of one day.
    for (const step of ['Weeks', 'Months', 'Days']) {
      await page.getByText(step, { exact: true }).click();
      await page.getByText(/^All of it was measured (?:on|in)/).waitFor();
    }
    await page.getByRole('button', { name: 'Show the hours' }).click();
    await page.getByRole('radio', { name: 'Hours', checked: true }).waitFor({ state: 'attached' });
    await page.getByRole('img', { name: /Together: 2\.5 kWh/ }).waitFor();
    await picture(page, 'energy-desktop-light');
    await page.getByRole('button', { name: 'Table' }).click();
    await page.getByRole('row', { name: /2\.5 kWh/ }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Earlier' }).click();
    await page.getByText('No energy was measured in this period.').waitFor();
    expect(page.url()).toContain('at=');
    expect(complaints).toEqual([]);
  });

  it('reads a bar by touch, and draws the rooms from edge to edge of a phone', async () => {
    watched = await dashboard.open({ path: '/energy?by=hour', width: 390, height: 844, hasTouch: true });
    const { page, complaints } = watched;
    const chart = page.getByRole('img', { name: /Together: 2\.5 kWh/ });
    await chart.locator('> *', { has: page.locator('[style*="height: 100%"]') }).tap();
    await page.getByText(/ \d\d:00: 2\.5 kWh$/).waitFor();
    const rooms = page.getByRole('img', { name: /^How 2\.5 kWh spread over the rooms/ });
    const [flow, card] = [await rooms.boundingBox(), await rooms.locator('..').boundingBox()];
    expect((card?.width ?? 0) - (flow?.width ?? 0)).toBe(2);
    await expectToFit(page);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  it('compares a month with the one before, and with the same one a year earlier', async () => {
    watched = await dashboard.open({ path: '/', dark: true });
    const { page, complaints } = watched;
    // As measured for years.
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('query Energy(')) return route.fallback();
      const answer = await (await route.fetch()).json();
      const { energy } = answer.data;
      energy.kwh = 100;
      for (const bucket of energy.buckets) bucket.kwh = 100 / energy.buckets.length;
      for (const device of energy.devices) Object.assign(device, { kwh: 50, since: '2020-01-01T00:00:00.000Z' });
      return route.fulfill({ json: answer });
    });
    await page.getByRole('link', { name: 'Energy' }).click();
    await page.getByRole('button', { name: 'Earlier' }).click();
    await page.getByText('as much as in the month before (100 kWh)', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Table' }).click();
    await page.getByRole('columnheader', { name: 'Month before' }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await page.getByRole('combobox', { name: 'Compare with' }).selectOption('A year earlier');
    await page.getByText('as much as in the same month a year earlier (100 kWh)', { exact: true }).waitFor();
    await page.getByRole('columnheader', { name: 'Month a year earlier' }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'energy-compared-desktop-dark');
    await page.getByText('Months', { exact: true }).click();
    await page.getByText(/in the (?:same months of the )?year before/).waitFor();
    await page.getByRole('combobox', { name: 'Compare with' }).waitFor({ state: 'detached' });
    await page.getByText('Days', { exact: true }).click();
    await page.getByText('as much as in the same month a year earlier (100 kWh)', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('names what is wrong with a tariff beside its field, and shows costs once it is right', async () => {
    watched = await dashboard.open({ path: '/energy' });
    const { page, complaints } = watched;
    await page.getByRole('button', { name: 'Set tariff' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a price.').waitFor();
    await page.getByLabel('Kind of tariff').selectOption('times');
    const prices = page.getByLabel('Price per kWh');
    await prices.first().fill('0.36');
    await prices.last().fill('0.24');
    await page.getByLabel('To', { exact: true }).last().fill('05:00');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('There is no price from Monday 05:00 to Monday 06:00.').waitFor();
    await page.getByLabel('To', { exact: true }).last().fill('07:00');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/06:00 already has price 1\./).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Currency').fill('Euro');
    await page.getByLabel('Kind of tariff').selectOption('fixed');
    await page.getByLabel('Price per kWh').fill('0.4');
    await page.getByLabel('Currency').fill('E');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter the three letters of a currency, such as EUR.').waitFor();
    await page.getByLabel('Currency').fill('eur');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('€0.40 per kWh').waitFor();
    await page.getByRole('listitem').filter({ hasText: '2.5 kWh · 100% · €1.00' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows decimals in German behind a comma, and takes a comma and a dot', async () => {
    watched = await dashboard.open({ path: '/energy', lang: 'de' });
    const { page, complaints } = watched;
    const price = page.getByLabel('Preis je kWh');
    await page.getByRole('button', { name: 'Tarif ändern' }).click();
    expect(await price.inputValue()).toBe('0,4');
    await retype('0,5');
    await page.getByText('0,50 € je kWh').waitFor();
    await page.getByRole('button', { name: 'Tarif ändern' }).click();
    await retype('0.4');
    await page.getByText('0,40 € je kWh').waitFor();
    expect(complaints).toEqual([]);

    async function retype(text: string): Promise<void> {
      await price.fill('');
      await price.pressSequentially(text);
      expect(await price.inputValue()).toBe(text.replace('.', ','));
      await page.getByRole('button', { name: 'Speichern' }).click();
    }
  });

  it('fits a phone in the dark and exports what it shows', async () => {
    watched = await dashboard.open({ path: '/energy?by=month', width: 320, height: 640, dark: true });
    const { page, complaints } = watched;
    await page.getByRole('button', { name: 'Change tariff' }).waitFor();
    await picture(page, 'energy-phone-dark');
    await page.getByRole('button', { name: 'Change tariff' }).click();
    await page.getByLabel('Kind of tariff').selectOption('times');
    await page.getByRole('button', { name: 'Add price' }).click();
    await page.getByRole('button', { name: 'Remove price 3' }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'energy-tariff-phone-dark');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const csv = readFileSync(await (await download).path(), 'utf8');
    expect(csv).toMatch(/^start,end,accessory_id,meter,name,kwh,cost,currency\r\n/);
    expect(csv).toMatch(/,1,Coffee Machine,2\.5,1,EUR\r\n/);
    expect(complaints).toEqual([]);
  });
});
