/** The activity page: who switched what, live, with filters, in both languages. */
import { readFileSync } from 'node:fs';
import { Characteristic, Service } from '@homebridge/hap-nodejs';
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

const SUITE = `the activity page in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;

let dashboard: Dashboard;
let watched: WatchedPage | undefined;

/** By hand, at the device. */
function pressLamp(on: boolean): void {
  const { accessory } = dashboard.device('Desk Lamp');
  accessory.getService(Service.Lightbulb)?.updateCharacteristic(Characteristic.On, on);
}

async function switchLamp(on: boolean): Promise<void> {
  const { id } = await dashboard.relay.accessory('Desk Lamp');
  const mutation = `mutation ($id: String!, $value: JSON!) {
    setCharacteristic(accessoryId: $id, characteristicType: "on", value: $value) { success }
  }`;
  const { setCharacteristic } = await dashboard.graphql(mutation, { id, value: on });
  expect(setCharacteristic.success).toBe(true);
}

describe.skipIf(NO_BROWSER)(SUITE, { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start({ accessories: ['Desk Lamp', 'Motion Sensor'] });
  }, PATIENCE_MS);

  afterEach(async () => {
    await watched?.page.context().close();
    watched = undefined;
  });

  afterAll(() => dashboard?.stop());

  it('teaches while nothing is recorded, and shows live what happens then', async () => {
    watched = await dashboard.open({ path: '/activity' });
    const { page, complaints } = watched;
    await page.getByRole('heading', { name: 'Nothing is recorded yet' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Start recording' }).click();
    await page.getByRole('heading', { name: 'No activity' }).waitFor();
    await switchLamp(true);
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Desk Lamp · Turned on' })
      .filter({ hasText: OWNER.name })
      .waitFor();
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'activity-desktop-light');
    expect(complaints).toEqual([]);
  });

  it('filters by people and devices, and exports what it shows', async () => {
    const { accessory } = dashboard.device('Motion Sensor');
    accessory.getService(Service.MotionSensor)?.updateCharacteristic(Characteristic.MotionDetected, true);
    watched = await dashboard.open({ path: '/activity', width: 320, height: 640, dark: true });
    const { page, complaints } = watched;
    const rows = page.getByRole('listitem');
    await rows.filter({ hasText: 'Motion Sensor' }).first().waitFor();
    await page.getByLabel('Who').selectOption({ label: OWNER.name });
    await rows.filter({ hasText: 'Motion Sensor' }).first().waitFor({ state: 'detached' });
    await rows.filter({ hasText: 'Desk Lamp' }).first().waitFor();
    expect(new URL(page.url()).searchParams.get('by')).toMatch(/^user~/);
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'activity-phone-dark');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const csv = readFileSync(await (await download).path(), 'utf8');
    expect(csv).toMatch(/^timestamp,home_id,kind/);
    expect(csv).toContain(OWNER.name);
    expect(csv).not.toContain('Motion Sensor');
    expect(complaints).toEqual([]);
  });

  it('leads from an entry to the scene, the automation and the automation behind a change, while they exist', async () => {
    const { relay } = dashboard;
    const lamp = await relay.accessory('Desk Lamp');
    const on = { accessoryId: lamp.id, characteristicType: 'on' };
    const make = async (path: string, body: object): Promise<string> =>
      (await relay.request('POST', path, body)).body.id;
    const { body: homes } = await relay.get('/rest/homes');
    const homeId = homes[0].id;
    const sceneId = await make('/rest/scenes', { homeId, name: 'Reading', actions: [{ ...on, targetValue: true }] });
    const flowOf = (name: string) =>
      make('/rest/flows', {
        ...{ homeId, name, triggers: [], actions: [{ type: 'set_characteristic', ...on, value: false }] },
      });
    const [flowId, removedId] = [await flowOf('Lights out'), await flowOf('Long gone')];
    for (const id of [removedId, flowId]) await relay.request('POST', `/rest/flows/${id}/run`);
    await relay.request('DELETE', `/rest/flows/${removedId}`);
    // The lamp stays on.
    await relay.request('POST', `/rest/scenes/${sceneId}/execute`);
    watched = await dashboard.open({ path: '/activity' });
    const { page, complaints } = watched;
    const rows = page.getByRole('listitem');
    const ofFlow = rows.filter({ hasText: 'Lights out · Automation ran' });
    await ofFlow.getByRole('link', { name: 'Lights out' }).waitFor();
    const gone = rows.filter({ hasText: 'Long gone · Automation ran' });
    await gone.waitFor();
    expect(await gone.getByRole('link', { name: 'Long gone' }).count()).toBe(0);
    await rows
      .filter({ hasText: 'Desk Lamp · Turned off' })
      .getByRole('link', { name: 'Automation “Lights out”' })
      .first()
      .waitFor();
    await expectAccessible(page);
    await ofFlow.getByRole('link', { name: 'Lights out' }).click();
    await page.getByRole('heading', { name: 'Run of Lights out', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Go to automation' }).click();
    await page.getByRole('heading', { name: 'Lights out', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/automations/flows/${flowId}`);
    for (let back = 0; back < 2; back += 1) await page.goBack();
    await rows.filter({ hasText: 'Scene ran' }).getByRole('link', { name: 'Reading' }).click();
    await page.waitForURL((url) => url.pathname === `/scenes/${sceneId}`);
    expect(complaints).toEqual([]);
  });

  it('leads from an automation, and from what it changed, to the run with its trigger', async () => {
    const { relay } = dashboard;
    const { body: homes } = await relay.get('/rest/homes');
    const lamp = await relay.accessory('Desk Lamp');
    const motion = await relay.accessory('Motion Sensor');
    const { accessory } = dashboard.device('Motion Sensor');
    const detect = (value: boolean) =>
      accessory.getService(Service.MotionSensor)?.updateCharacteristic(Characteristic.MotionDetected, value);
    detect(false);
    pressLamp(false);
    const { body: flow } = await relay.request('POST', '/rest/flows', {
      ...{ homeId: homes[0].id, name: 'Arrive home' },
      triggers: [{ type: 'state', accessoryId: motion.id, characteristicType: 'motion_detected', to: true }],
      actions: [{ type: 'set_characteristic', accessoryId: lamp.id, characteristicType: 'on', value: true }],
    });
    watched = await dashboard.open({ path: '/activity' });
    const { page, complaints } = watched;
    detect(true);
    const rows = page.getByRole('listitem');
    const links = [
      rows.filter({ hasText: 'Arrive home · Automation ran' }).getByRole('link', { name: 'Arrive home' }),
      rows.filter({ hasText: 'Desk Lamp · Turned on' }).getByRole('link', { name: 'Automation “Arrive home”' }),
    ];
    const addresses = [];
    for (const link of links) {
      await link.first().click();
      await page.getByRole('heading', { name: 'Run of Arrive home', level: 1 }).waitFor();
      await page.locator('section', { hasText: /^Trigger.*Motion Sensor/ }).waitFor();
      addresses.push(new URL(page.url()).pathname);
      await expectAccessible(page);
      await page.goBack();
    }
    const [address, other] = addresses;
    expect(address).toMatch(new RegExp(`^/automations/flows/${flow.id}/runs/[0-9a-f-]{36}$`));
    expect(other).toBe(address);
    expect(complaints).toEqual([]);
  });

  it('A run that is no longer kept is explained, with a link to its automation', async () => {
    const { relay } = dashboard;
    const { body: homes } = await relay.get('/rest/homes');
    const empty = { homeId: homes[0].id, name: 'Long ago', triggers: [], actions: [] };
    const { body: flow } = await relay.request('POST', '/rest/flows', empty);
    const pageOfFlow = `/automations/flows/${flow.id}`;
    watched = await dashboard.open({ path: `${pageOfFlow}/runs/00000000-0000-4000-8000-000000000000` });
    const { page, complaints } = watched;
    await page.getByRole('heading', { name: 'Run not found', level: 1 }).waitFor();
    await page.getByText('Only the last 100 runs of each automation are kept.').waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    await picture(page, 'activity-run-gone');
    await page.getByRole('link', { name: 'Go to automation' }).click();
    await page.getByRole('heading', { name: 'Long ago', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(pageOfFlow);
    expect(complaints).toEqual([]);
  });

  it('is in the menu, and in German', async () => {
    watched = await dashboard.open({ path: '/', lang: 'de' });
    const { page, complaints } = watched;
    await page.getByRole('link', { name: 'Aktivität' }).click();
    await page.getByRole('heading', { name: 'Aktivität', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'Heute' }).waitFor();
    await page.getByLabel('Gerät').selectOption({ label: 'Desk Lamp' });
    await page.getByRole('listitem').filter({ hasText: 'Desk Lamp · Eingeschaltet' }).first().waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  it('The sheet of an accessory shows its latest change', async () => {
    await switchLamp(false);
    const { id } = await dashboard.relay.accessory('Desk Lamp');
    watched = await dashboard.open({ path: `/accessories/${id}` });
    const { page, complaints } = watched;
    await page.getByText(/^Turned off, .* · Ada$/).waitFor();
    pressLamp(true);
    await page.getByText(/^Turned on, /).waitFor();
    const events = page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
    await events.filter({ hasText: /^Turned off · Ada/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'All activity' }).click();
    await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
    expect(new URL(page.url()).searchParams.get('accessory')).toBe(id);
    expect(complaints).toEqual([]);
  });

  it('The sheet of an accessory leads to the automation behind a change', async () => {
    const { relay } = dashboard;
    const lamp = await relay.accessory('Desk Lamp');
    const { body: homes } = await relay.get('/rest/homes');
    const off = { type: 'set_characteristic', accessoryId: lamp.id, characteristicType: 'on', value: false };
    const flow = { homeId: homes[0].id, name: 'Good night', triggers: [], actions: [off] };
    const { id } = (await relay.request('POST', '/rest/flows', flow)).body;
    await switchLamp(true);
    await relay.request('POST', `/rest/flows/${id}/run`);
    watched = await dashboard.open({ path: `/accessories/${lamp.id}`, width: 390, height: 844 });
    const { page, complaints } = watched;
    const latest = page.getByText(/^Turned off, .* · Automation “Good night”$/);
    await latest.getByRole('link', { name: 'Automation “Good night”' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('list', { name: 'Activity' }).getByRole('link', { name: 'Automation “Good night”' }).click();
    await page.getByRole('heading', { name: 'Run of Good night', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Go to automation' }).click();
    await page.getByRole('heading', { name: 'Good night', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/automations/flows/${id}`);
    expect(complaints).toEqual([]);
  });

  it('leads from a pressed button to its notification, while that is listed', async () => {
    const { relay } = dashboard;
    const { body: homes } = await relay.get('/rest/homes');
    const notify = { type: 'notify', message: 'The garage is open.', buttons: [{ id: 'close', title: 'Close it' }] };
    const flow = { homeId: homes[0].id, name: 'Ask', triggers: [], actions: [notify] };
    const { body: made } = await relay.request('POST', '/rest/flows', flow);
    await relay.request('POST', `/rest/flows/${made.id}/run`);
    const sent = () => relay.get(`/rest/notifications?automation=${made.id}`);
    const id = await eventually(async () => (await sent()).body[0]?.id, 'the notification');
    await dashboard.graphql(
      `mutation ($id: String!) { pressNotificationButton(notificationId: $id, buttonId: "close") { success } }`,
      { id },
    );
    watched = await dashboard.open({ path: '/activity' });
    const { page, complaints } = watched;
    const pressed = page.getByRole('listitem').filter({ hasText: 'The garage is open. · Answered with “Close it”' });
    await pressed.getByRole('link', { name: 'The garage is open.' }).click();
    await page.locator(`li[data-target]:focus`, { hasText: 'The garage is open.' }).waitFor();
    expect(new URL(page.url())).toMatchObject({ pathname: '/notifications', hash: `#${id}` });
    await expectAccessible(page);
    await dashboard.graphql('mutation { clearNotificationHistory }');
    await page.goto(new URL('/activity', relay.url).href);
    await pressed.waitFor();
    expect(await pressed.getByRole('link', { name: 'The garage is open.' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('The sheet of a sensor shows its state large, and since when', async () => {
    const { id } = await dashboard.relay.accessory('Motion Sensor');
    watched = await dashboard.open({ path: `/accessories/${id}` });
    const { page, complaints } = watched;
    const { accessory } = dashboard.device('Motion Sensor');
    accessory.getService(Service.MotionSensor)?.updateCharacteristic(Characteristic.MotionDetected, true);
    await page.locator('section', { hasText: /^MotionSince \d/ }).waitFor();
    accessory.getService(Service.MotionSensor)?.updateCharacteristic(Characteristic.MotionDetected, false);
    await page.locator('section', { hasText: /^MotionNo motionLast motion: / }).waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });
});
