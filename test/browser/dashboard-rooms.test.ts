/** The page of a room, and of the category of security: what they show besides tiles. */
import { Characteristic, Service } from '@homebridge/hap-nodejs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { WatchedPage } from './chromium.ts';
import { Dashboard, eventually, expectAccessible, expectToFit, NO_BROWSER, PATIENCE_MS, picture } from './dashboard.ts';
import { settled, watchRequests } from './page-visits.ts';

const SUITE = `the page of a room in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;

let dashboard: Dashboard;
let watched: WatchedPage | undefined;
let homeId: string;
/** Ids by name. */
const rooms: Record<string, string> = {};
let flowId: string;
/** The session of a person who may only view the home. */
let viewer: string;

async function make(path: string, body: object): Promise<string> {
  const answer = await dashboard.relay.request('POST', path, { homeId, ...body });
  expect(answer.status).toBeLessThan(300);
  return answer.body.id;
}

async function place(name: string, room: string): Promise<string> {
  const { id } = await dashboard.relay.accessory(name);
  rooms[room] ??= await make('/rest/rooms', { name: room });
  await dashboard.relay.request('PATCH', `/rest/accessories/${id}`, { roomId: rooms[room] });
  return id;
}

const pathOf = (room: string) => `/rooms/${rooms[room]}`;
const titles = (page: Page) => page.getByRole('heading', { level: 2 }).allInnerTexts();

/** Goes there; no other cards come later. */
async function expectCards(page: Page, path: string, expected: readonly string[]): Promise<void> {
  watchRequests(page);
  await page.goto(new URL(path, dashboard.relay.url).href);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => titles(page), { timeout: PATIENCE_MS }).toEqual(expected);
  await settled(page);
  expect(await titles(page)).toEqual(expected);
}

describe.skipIf(NO_BROWSER)(SUITE, { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start({ accessories: ['Desk Lamp', 'Climate Sensor', 'Front Door', 'Motion Sensor'] });
    const { relay } = dashboard;
    homeId = (await relay.get('/rest/homes')).body[0].id;
    const lamp = await place('Desk Lamp', 'Office');
    await place('Climate Sensor', 'Office');
    await place('Front Door', 'Hallway');
    await place('Motion Sensor', 'Hallway');
    rooms.Attic = await make('/rest/rooms', { name: 'Attic' });
    const on = { accessoryId: lamp, characteristicType: 'on' };
    await make('/rest/scenes', { name: 'Reading', actions: [{ ...on, targetValue: true }] });
    viewer = await dashboard.signUpViewer(homeId);
    flowId = await make('/rest/flows', {
      name: 'Lights out',
      triggers: [{ type: 'state', accessoryId: lamp, characteristicType: 'on', to: true, for: { hours: 9 } }],
      actions: [
        { type: 'set_characteristic', ...on, value: false },
        { type: 'notify', message: 'The office is dark' },
      ],
    });
  }, PATIENCE_MS);

  afterEach(async () => {
    await watched?.page.context().close();
    watched = undefined;
  });

  afterAll(() => dashboard?.stop());

  it('has no day and no activity while nothing is recorded', async () => {
    watched = await dashboard.open();
    const { page, complaints } = watched;
    await expectCards(page, pathOf('Office'), ['Automations']);
    await page.getByRole('link', { name: 'Lights out' }).waitFor();
    await page.getByRole('button', { name: 'Run scene Reading' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows its scenes, its last day, its activity and its automations, with the way to each', async () => {
    const { relay } = dashboard;
    await relay.request('PATCH', `/rest/history/homes/${homeId}`, { enabled: true });
    dashboard
      .device('Climate Sensor')
      .accessory.getService(Service.TemperatureSensor)
      ?.updateCharacteristic(Characteristic.CurrentTemperature, 23.5);
    await eventually(async () => {
      const query = 'query ($id: String!) { historySeries(homeId: $id) { characteristicType sampleCount } }';
      const { historySeries } = await dashboard.graphql(query, { id: homeId });
      return historySeries.some(
        (one: { characteristicType: string; sampleCount: number }) =>
          one.characteristicType === 'current_temperature' && one.sampleCount > 0,
      );
    }, 'a temperature to be recorded');
    watched = await dashboard.open({ path: pathOf('Office'), width: 1280, height: 900 });
    const { page, complaints } = watched;
    await page.getByRole('button', { name: 'Run scene Reading' }).click();
    const events = page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
    await events.filter({ hasText: /^Desk Lamp · Turned on/ }).waitFor();
    await page.getByRole('img', { name: /^Plot of the last 24 hours\. Temperature/ }).waitFor();
    const shown = ['Last 24 hours', 'Activity', 'Automations'];
    await expectCards(page, pathOf('Office'), shown);
    expect(await page.getByRole('list', { name: 'Automations' }).getByRole('listitem').count()).toBe(1);
    await expectAccessible(page);
    await expectToFit(page);
    await picture(page, 'room-desktop');
    await page.getByRole('link', { name: 'Lights out' }).click();
    await page.getByRole('heading', { name: 'Lights out', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/automations/flows/${flowId}`);
    await page.goBack();
    await page.getByRole('link', { name: 'All activity' }).click();
    await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
    expect(await page.getByLabel('Room').locator('option:checked').innerText()).toBe('Office');
    await page.getByRole('listitem').filter({ hasText: 'Desk Lamp · Turned on' }).first().waitFor();
    await page.goBack();
    await page.locator('main').getByRole('link', { name: 'History' }).click();
    await page.getByRole('img', { name: /Climate Sensor: Temperature/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows nothing of other rooms, and nothing in an empty one', async () => {
    watched = await dashboard.open({ width: 390, height: 844 });
    const { page, complaints } = watched;
    await expectCards(page, pathOf('Attic'), ['This room is empty']);
    expect(await page.getByRole('list', { name: 'Scenes' }).count()).toBe(0);
    dashboard
      .device('Motion Sensor')
      .accessory.getService(Service.MotionSensor)
      ?.updateCharacteristic(Characteristic.MotionDetected, true);
    await page.goto(new URL(pathOf('Hallway'), dashboard.relay.url).href);
    await page.getByRole('listitem').filter({ hasText: 'Motion Sensor · Motion detected' }).first().waitFor();
    await expectCards(page, pathOf('Hallway'), ['Activity']);
    expect(await page.getByRole('button', { name: 'Run scene Reading' }).count()).toBe(0);
    await expectAccessible(page);
    await expectToFit(page);
    expect(complaints).toEqual([]);
  });

  it('has no scenes for people who may only look, and tiles alone on a tablet at the wall', async () => {
    watched = await dashboard.open({ token: viewer, lang: 'de' });
    const { page, complaints } = watched;
    const shown = ['Letzte 24 Stunden', 'Aktivität', 'Automationen'];
    await expectCards(page, pathOf('Office'), shown);
    expect(await page.getByRole('list', { name: 'Szenen' }).count()).toBe(0);
    await page.context().close();
    // The owner's, who may run scenes.
    watched = await dashboard.open();
    await expectCards(watched.page, `${pathOf('Office')}?kiosk&dim=off`, []);
    await watched.page.getByText('Desk Lamp').waitFor();
    expect(await watched.page.getByRole('list', { name: 'Scenes' }).count()).toBe(0);
    expect(watched.complaints).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('the category of security shows what happened to its accessories last', async () => {
    const { id } = await dashboard.relay.accessory('Front Door');
    await dashboard.graphql(
      `mutation ($id: String!) {
        setCharacteristic(accessoryId: $id, characteristicType: "lock_target_state", value: 0) { success }
      }`,
      { id },
    );
    watched = await dashboard.open({ path: '/categories/security', width: 390, height: 844 });
    const { page, complaints } = watched;
    const events = page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
    await events.filter({ hasText: /^Front Door · Unlocked · Ada/ }).waitFor();
    await events.filter({ hasText: /^Motion Sensor · Motion detected/ }).waitFor();
    expect(await events.filter({ hasText: 'Desk Lamp' }).count()).toBe(0);
    await expectAccessible(page);
    await expectToFit(page);
    await picture(page, 'category-security');
    await page.getByRole('link', { name: 'All activity' }).click();
    await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
    expect(complaints).toEqual([]);
  });
});
