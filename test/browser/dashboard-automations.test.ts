/**
 * Simple automations by the form, really run by real devices, watched in a second browser; dry runs; deleting and the
 * way back.
 */
import { Characteristic, Service } from '@homebridge/hap-nodejs';
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

const SUITE = `the automations in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;

let dashboard: Dashboard;
const opened: WatchedPage[] = [];

async function open(options: Parameters<Dashboard['open']>[0]): Promise<WatchedPage> {
  const watched = await dashboard.open(options);
  opened.push(watched);
  return watched;
}

function setPower(device: string, on: boolean): void {
  const service = dashboard.device(device).accessory.getService(Service.Lightbulb);
  service?.updateCharacteristic(Characteristic.On, on);
}

function power(device: string): unknown {
  const service = dashboard.device(device).accessory.getService(Service.Lightbulb);
  return service?.getCharacteristic(Characteristic.On).value;
}

async function homeId(): Promise<string> {
  return (await dashboard.graphql('{ homes { id } }')).homes[0].id;
}

describe.skipIf(NO_BROWSER)(SUITE, { timeout: PATIENCE_MS }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start({ accessories: ['Desk Lamp', 'Reading Lamp'] });
  }, PATIENCE_MS);

  afterEach(async () => {
    for (const { page } of opened.splice(0)) await page.context().close();
  });

  afterAll(() => dashboard?.stop());

  it('makes one by the form that the devices run, shows it in another browser, and stops when it is switched off', async () => {
    setPower('Desk Lamp', false);
    setPower('Reading Lamp', false);
    const { page, complaints } = await open({ path: '/automations/new/simple' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a name.').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill(`Follow ${MARKUP}1`);

    await page.getByRole('button', { name: 'Add trigger' }).click();
    await page.getByRole('menuitem', { name: 'Accessory changes' }).click();
    await choose(page, 0, 'Desk Lamp');
    await page.getByText('Choose what it must change to.').waitFor();
    await page.getByRole('combobox', { name: /^Change/ }).selectOption('When Desk Lamp is turned on');
    await page.getByRole('paragraph').getByText('When Desk Lamp is turned on', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Add action' }).click();
    await choose(page, 1, 'Reading Lamp');
    await page.getByText('Turn on Reading Lamp', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: `Follow ${MARKUP}1` }).waitFor();

    const second = await open({ path: '/automations', width: 360, height: 780, dark: true });
    await second.page.getByText('Never ran').waitFor();
    setPower('Desk Lamp', true);
    await eventually(() => power('Reading Lamp') === true, 'the lamp to follow');
    await second.page.getByText(/Last run/).waitFor();
    await page.getByRole('link', { name: /Done.*When Desk Lamp is turned on/ }).waitFor();
    await expectToFit(second.page);
    await expectAccessible(second.page);
    await picture(second.page, 'automations-phone-dark');

    await second.page.getByRole('switch', { name: /on\/off/ }).press('Space');
    await second.page.getByText(/turned off/).waitFor();
    await page.getByText('This automation is turned off.').waitFor();
    setPower('Desk Lamp', false);
    setPower('Reading Lamp', false);
    await dashboard.relay.untilState('Reading Lamp', 'on', false);
    const { automations } = await dashboard.graphql('query ($id: String!) { automations(homeId: $id) { isEnabled } }', {
      id: await homeId(),
    });
    expect(automations).toEqual([{ isEnabled: false }]);
    await second.page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('No scheduled times').waitFor();
    expect(await page.title()).toContain('Follow');
    expect([...complaints, ...second.complaints]).toEqual([]);
  });

  it('names the condition that keeps a flow from doing anything, and folds such runs', async () => {
    const [lamp] = (await dashboard.relay.get('/rest/accessories')).body.filter(
      (accessory: { name: string }) => accessory.name === 'Desk Lamp',
    );
    const power = { accessoryId: lamp.id, characteristicType: 'power_state' };
    const data = {
      name: 'Only when on',
      triggers: [{ type: 'event', eventType: 'walk_by' }],
      conditions: { operator: 'and', conditions: [{ type: 'state', ...power, value: true }] },
      actions: [{ type: 'set_characteristic', ...power, value: true }],
    };
    const save = 'mutation ($home: String!, $data: JSON!) { saveFlow(homeId: $home, data: $data) { id } }';
    const { saveFlow } = await dashboard.graphql(save, { home: await homeId(), data });
    setPower('Desk Lamp', false);
    await dashboard.relay.untilState('Desk Lamp', 'on', false);
    const { page, complaints } = await open({ path: `/automations/flows/${saveFlow.id}` });
    await page.getByRole('button', { name: 'See what would happen' }).click();
    await page.getByRole('button', { name: 'Start dry run', exact: true }).click();
    const result = page.getByRole('region', { name: 'What would happen' });
    await result.getByText(/It would do nothing at .*Condition not met: Desk Lamp is on/).waitFor();
    for (let run = 0; run < 2; run += 1) {
      await dashboard.graphql('mutation ($id: String!) { runFlow(flowId: $id) { success } }', { id: saveFlow.id });
    }
    const folded = page.getByText('2 × condition not met');
    await folded.waitFor();
    await folded.click();
    await page
      .getByRole('link', { name: /Condition not met/ })
      .first()
      .waitFor();
    await expectAccessible(page);
    await picture(page, 'condition-not-met');
    await dashboard.graphql('mutation ($id: String!) { deleteFlow(flowId: $id) { success } }', { id: saveFlow.id });
    expect(complaints).toEqual([]);
  });

  it('shows a run step by step, tries a flow without doing anything, and brings back one that was deleted', async () => {
    const [lamp] = (await dashboard.relay.get('/rest/accessories')).body.filter(
      (accessory: { name: string }) => accessory.name === 'Desk Lamp',
    );
    const data = {
      name: 'Blink',
      triggers: [{ type: 'event', eventType: 'blink' }],
      actions: [
        { type: 'set_characteristic', accessoryId: lamp.id, characteristicType: 'power_state', value: true },
        { type: 'delay', duration: { hours: 1 } },
        { type: 'notify', message: 'Blinked' },
      ],
    };
    const save = 'mutation ($home: String!, $data: JSON!) { saveFlow(homeId: $home, data: $data) { id } }';
    const { saveFlow } = await dashboard.graphql(save, { home: await homeId(), data });
    setPower('Desk Lamp', false);
    await dashboard.relay.untilState('Desk Lamp', 'on', false);

    const { page, complaints } = await open({ path: `/automations/flows/${saveFlow.id}` });
    await page.getByRole('button', { name: 'See what would happen' }).click();
    await page.getByRole('textbox', { name: 'Duration' }).fill('2');
    await page.getByRole('button', { name: 'Start dry run', exact: true }).click();
    const result = page.getByRole('region', { name: 'What would happen' });
    await result.getByText('Turn on Desk Lamp').waitFor();
    await result.getByText('Notify: Blinked').waitFor();
    await result.getByText('after 1 hr').waitFor();
    expect(power('Desk Lamp')).toBe(false);
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('heading', { level: 1, name: 'Run of Blink' }).waitFor();
    await page.getByText('Turn on Desk Lamp').waitFor();
    await page.getByText('Running', { exact: true }).waitFor();
    expect(power('Desk Lamp')).toBe(true);
    await expectAccessible(page);
    await picture(page, 'automation-run-desktop-light');

    await page.getByRole('link', { name: 'Go to automation' }).click();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('Blink deleted').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { level: 1, name: 'Blink' }).waitFor();
    expect(complaints).toEqual([]);
  });
});

/** The accessory of the nth card that has one. */
async function choose(page: WatchedPage['page'], index: number, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Accessory' }).nth(index).click();
  await page.getByRole('option', { name }).click();
}
