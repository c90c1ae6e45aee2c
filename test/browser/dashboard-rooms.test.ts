/** The page of a room, and of the category of security: what they show besides tiles. */
import { Characteristic, Service } from '@homebridge/hap-nodejs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { WatchedPage } from './chromium.ts';
import { Dashboard, eventually, expectAccessible, expectToFit, NO_BROWSER, PATIENCE_MS, picture } from './dashboard.ts';

const SUITE = `the page of a room in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;

let dashboard: Dashboard;
let watched: WatchedPage | undefined;
let homeId: string;
/** Ids by name. */
const rooms: Record<string, string> = {};
let flowId: string;

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
    // Both of its accessories are in the room.
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
    watched = await dashboard.open({ path: pathOf('Office') });
    const { page, complaints } = watched;
    await page.getByRole('list', { name: 'Automations' }).getByRole('link', { name: 'Lights out' }).waitFor();
    await page.getByRole('button', { name: 'Run scene Reading' }).waitFor();
    expect(await titles(page)).toEqual(['Automations']);
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
    await page.getByRole('list', { name: 'Automations' }).getByRole('listitem').waitFor();
    expect(await titles(page)).toEqual(['Last 24 hours', 'Activity', 'Automations']);
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
    watched = await dashboard.open({ path: pathOf('Attic'), width: 390, height: 844 });
    const { page, complaints } = watched;
    await page.getByRole('heading', { name: 'This room is empty' }).waitFor();
    expect(await titles(page)).toEqual(['This room is empty']);
    expect(await page.getByRole('list', { name: 'Scenes' }).count()).toBe(0);
    await page.goto(new URL(pathOf('Hallway'), dashboard.relay.url).href);
    dashboard
      .device('Motion Sensor')
      .accessory.getService(Service.MotionSensor)
      ?.updateCharacteristic(Characteristic.MotionDetected, true);
    await page.getByRole('listitem').filter({ hasText: 'Motion Sensor · Motion detected' }).first().waitFor();
    expect(await titles(page)).toEqual(['Activity']);
    expect(await page.getByRole('button', { name: 'Run scene Reading' }).count()).toBe(0);
    await expectAccessible(page);
    await expectToFit(page);
    expect(complaints).toEqual([]);
  });

  it('has no scenes for people who may only look, and tiles alone on a tablet at the wall', async () => {
    watched = await dashboard.open({ path: pathOf('Office'), token: await dashboard.signUpViewer(homeId), lang: 'de' });
    const { page, complaints } = watched;
    await page.getByRole('list', { name: 'Automationen' }).getByRole('link', { name: 'Lights out' }).waitFor();
    await page.getByRole('list', { name: 'Aktivität' }).waitFor();
    expect(await page.getByRole('list', { name: 'Szenen' }).count()).toBe(0);
    await page.goto(new URL(`${pathOf('Office')}?kiosk&dim=off`, dashboard.relay.url).href);
    await page.getByRole('link', { name: /Desk Lamp/ }).waitFor();
    expect(await titles(page)).toEqual([]);
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
