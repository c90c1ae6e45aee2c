/**
 * Automations made in the editor, simple ones and those that become flows, really run by real devices, watched in a
 * second browser; common tasks with their clicks, and by the keyboard alone; dry runs; deleting and the way back.
 */
import { readFileSync } from 'node:fs';
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
import { type Hands, Keyboard, WAYS } from './hands.ts';

const SUITE = `the automations in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;

/** The bridge has the light sensor and the contact sensor of the balcony door. */
const DEVICES = ['Desk Lamp', 'Reading Lamp', 'Motion Sensor', 'Bridge'];

let dashboard: Dashboard;
const opened: WatchedPage[] = [];
let severals = 1;

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

async function idOf(name: string): Promise<string> {
  const { body } = await dashboard.relay.get('/rest/accessories');
  return body.find((accessory: { name: string }) => accessory.name === name).id;
}

async function homeId(): Promise<string> {
  return (await dashboard.graphql('{ homes { id } }')).homes[0].id;
}

describe.skipIf(NO_BROWSER)(SUITE, { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start({ accessories: DEVICES });
  }, PATIENCE_MS);

  afterEach(async () => {
    for (const { page } of opened.splice(0)) await page.context().close();
  });

  afterAll(() => dashboard?.stop());

  it('makes one by the form that the devices run, shows it in another browser, and stops when it is switched off', async () => {
    setPower('Desk Lamp', false);
    setPower('Reading Lamp', false);
    const { page, complaints } = await open({ path: '/automations/new' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Enter a name.').first().waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill(`Follow ${MARKUP}1`);

    await page.getByRole('button', { name: 'Device state changes' }).click();
    await choose(page, 'Desk Lamp');
    await page.getByRole('combobox', { name: /^New value/ }).selectOption('When Desk Lamp is turned on');
    await page.getByRole('button', { name: 'Set a device' }).click();
    await choose(page, 'Reading Lamp');
    await page.getByRole('button', { name: /^Turn on Reading Lamp/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('heading', { level: 1, name: `Follow ${MARKUP}1` }).waitFor();

    const second = await open({ path: '/automations', width: 360, height: 780, dark: true });
    await second.page.getByRole('link', { name: `Follow ${MARKUP}1` }).waitFor();
    expect(await second.page.getByText(/Last run/).count()).toBe(0);
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
    await page.getByText('This automation is turned off.').waitFor({ state: 'detached' });
    // No clock triggers it.
    expect(await page.getByRole('heading', { name: 'Next scheduled times' }).count()).toBe(0);
    expect(await page.title()).toContain('Follow');
    expect([...complaints, ...second.complaints]).toEqual([]);
  });

  it('opens a simple one in the same editor, and makes it a flow at the same place when a step needs one', async () => {
    const made = await dashboard.graphql(
      `mutation ($home: String!, $trigger: String!, $actions: String!) {
        createAutomation(homeId: $home, name: "At night", trigger: $trigger, actions: $actions) { id }
      }`,
      {
        home: await homeId(),
        trigger: JSON.stringify({
          type: 'event',
          events: [{ type: 'calendar', calendarComponents: { hour: 22, minute: 30 } }],
          endEvents: [{ type: 'duration', durationSeconds: 600 }],
        }),
        actions: JSON.stringify([
          { accessoryId: await idOf('Desk Lamp'), characteristicType: 'on', targetValue: true },
        ]),
      },
    );
    const { id } = made.createAutomation;
    const { page, complaints } = await open({
      path: `/automations/native/${id}/edit`,
      lang: 'de',
      width: 320,
      height: 700,
    });
    await page
      .getByRole('list', { name: 'Bis' })
      .getByRole('button', { name: /^Nach 10/ })
      .waitFor();
    await page.getByRole('button', { name: 'Schritt hinzufügen (Dann)' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Jemanden benachrichtigen/ })
      .click();
    await page.getByRole('textbox', { name: 'Nachricht' }).fill('Gute Nacht');
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'automation-editor-320');
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    await page.getByText('Als erweiterte Automation gespeichert').waitFor();
    await page.waitForURL(new RegExp(`/automations/flows/${id}$`));
    const { flow, automations } = await dashboard.graphql(
      'query ($id: String!, $home: String!) { flow(flowId: $id) { name enabled dataJson } automations(homeId: $home) { id } }',
      { id, home: await homeId() },
    );
    expect(flow).toMatchObject({ name: 'At night', enabled: true });
    expect(JSON.parse(flow.dataJson).actions.map(({ type }: { type: string }) => type)).toEqual([
      ...['set_characteristic', 'notify', 'repeat', 'restore_state'],
    ]);
    expect(automations.map((one: { id: string }) => one.id)).not.toContain(id);
    await dashboard.graphql('mutation ($id: String!) { deleteFlow(flowId: $id) { success } }', { id });
    expect(complaints).toEqual([]);
  });

  it('runs a simple one by hand, and has the icon of its trigger', async () => {
    const { createAutomation } = await dashboard.graphql(
      `mutation ($home: String!, $trigger: String!, $actions: String!) {
        createAutomation(homeId: $home, name: "At dusk", trigger: $trigger, actions: $actions) { id }
      }`,
      {
        home: await homeId(),
        trigger: JSON.stringify({ type: 'event', events: [{ type: 'calendar', calendarComponents: { hour: 22 } }] }),
        actions: JSON.stringify([
          { accessoryId: await idOf('Desk Lamp'), characteristicType: 'on', targetValue: true },
        ]),
      },
    );
    const { id } = createAutomation;
    setPower('Desk Lamp', false);
    await dashboard.relay.untilState('Desk Lamp', 'on', false);
    const { page, complaints } = await open({ path: '/automations', width: 390, height: 844 });
    const card = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'At dusk' }) });
    await card.locator('svg.lucide-alarm-clock').waitFor();
    await card.getByRole('button', { name: 'Run now: At dusk' }).click();
    await page.getByText('At dusk started').waitFor();
    await eventually(() => power('Desk Lamp') === true, 'the lamp to be turned on');
    await card.getByText(/^Last run/).waitFor();

    await card.getByRole('link', { name: 'At dusk' }).click();
    await page.getByRole('heading', { level: 1, name: 'At dusk' }).waitFor();
    await page.getByText(/^Last run: /).waitFor();
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('heading', { level: 1, name: 'Run of At dusk' }).waitFor();
    await page.getByText('Started manually').waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Go to automation' }).click();

    await page.getByRole('switch', { name: 'Turned on' }).press('Space');
    await page.getByText('This automation is turned off.').waitFor();
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByText('At dusk did not start: it is turned off.').waitFor();
    await dashboard.graphql('mutation ($id: String!) { deleteAutomation(automationId: $id) { success } }', { id });
    expect(complaints).toEqual([]);
  });

  describe.each(Object.entries(WAYS))('from the home page, %s', (_way, Way) => {
    /**
     * @param clicks of the pointer
     * @returns the saved flow
     */
    async function make(steps: (by: Hands) => Promise<void>, clicks: number, begin = byPlus) {
      const { page, complaints } = await open({});
      const by = new Way(page);
      await begin(by);
      await page.getByRole('heading', { name: 'Templates' }).waitFor();
      await picture(page, 'automation-new-desktop');
      await steps(by);
      await by.press(page.getByRole('button', { name: 'Save', exact: true }));
      await page.waitForURL(/\/automations\/flows\/[0-9a-f-]+$/);
      expect(by.clicks).toBe(by instanceof Keyboard ? 0 : clicks);
      const id = page.url().split('/').at(-1);
      const { flow } = await dashboard.graphql('query ($id: String!) { flow(flowId: $id) { dataJson } }', { id });
      await dashboard.graphql('mutation ($id: String!) { deleteFlow(flowId: $id) { success } }', { id });
      expect(complaints).toEqual([]);
      return JSON.parse(flow.dataJson);
    }

    it('notifies when a door opens', async () => {
      const flow = await make(
        (by) => by.press(by.page.getByRole('button', { name: /^Notify me when a door opens/ })),
        4,
      );
      expect(flow).toMatchObject({
        triggers: [{ type: 'state', accessoryId: await idOf('Balcony Door'), to: 1 }],
        actions: [{ type: 'notify', message: 'Balcony Door was opened.' }],
      });
    });

    it('lights for three minutes by motion, in the dark by a light sensor', async () => {
      const flow = await make(
        async (by) => {
          const { page } = by;
          await by.press(page.getByRole('button', { name: /^Motion light/ }));
          await page.locator(':focus', { hasText: 'When Motion Sensor detects motion' }).waitFor();
          await by.press(page.getByRole('button', { name: /^Wait 5 min/ }));
          await by.write(page.getByRole('textbox', { name: 'Duration' }), '3');
          await page.getByRole('button', { name: /^Wait 3 min/ }).waitFor();
        },
        4,
        bySearch,
      );
      expect(flow).toMatchObject({
        mode: 'restart',
        conditions: { conditions: [{ type: 'numeric_state', accessoryId: await idOf('Light Sensor'), below: 50 }] },
        actions: [{ value: true }, { type: 'delay', duration: { minutes: 3 } }, { value: false }],
      });
    });

    it('turns a lamp on at sunset and off at 23:00, step by step', async () => {
      const flow = await make(async (by) => {
        const { page } = by;
        await by.press(page.getByRole('button', { name: 'Sunrise or sunset' }));
        await by.press(page.getByRole('button', { name: 'Set a device' }));
        await by.choose(
          page.getByRole('combobox', { name: 'Device' }),
          page.getByRole('option', { name: 'Reading Lamp' }),
        );
        await by.press(page.getByRole('button', { name: 'Turn off at a time' }));
        await page.getByRole('button', { name: /^Turn off Reading Lamp/ }).waitFor();
        await picture(page, 'automation-editor-desktop');
      }, 8);
      expect(flow).toMatchObject({
        name: expect.stringMatching(/^At sunset/),
        triggers: [{ type: 'sun', event: 'sunset' }],
        actions: [
          { type: 'set_characteristic', value: true },
          { type: 'wait_for_trigger', triggers: [{ type: 'time', at: '23:00' }] },
          { type: 'set_characteristic', value: false },
        ],
      });
    });
  });

  it('has its first section in sight below the templates, which have the icons of their devices', async () => {
    const { page, complaints } = await open({ path: '/automations/new' });
    const motion = page.getByRole('button', { name: /^Motion light at night/ });
    await motion.locator('svg.lucide-activity').waitFor();
    const door = page.getByRole('button', { name: /^Notify me when a door opens/ });
    await door.locator('svg.lucide-door-open').waitFor();
    const trigger = await page.getByRole('button', { name: 'Add trigger (When)' }).boundingBox();
    expect((trigger?.y ?? Number.NaN) + (trigger?.height ?? 0)).toBeLessThan(900);
    // All are in one row.
    expect((await motion.boundingBox())?.y).toBe((await door.boundingBox())?.y);
    expect(complaints).toEqual([]);
  });

  it('asks for the limit below which it is dark, beside what the sensor measures', async () => {
    const { page } = await open({ path: '/automations/new', width: 320, height: 700, dark: true });
    await page.getByRole('heading', { name: 'Templates' }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'automation-new-320');
    await page.getByRole('button', { name: 'Add condition (Only if)' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^It is dark/ })
      .click();
    await page.getByRole('combobox', { name: 'Device' }).click();
    const options = page.getByRole('listbox', { name: 'Device' }).getByRole('option');
    await expect.poll(() => options.allInnerTexts()).toEqual(['Light Sensor']);
    await page.getByRole('option', { name: 'Light Sensor' }).click();
    await page
      .getByText(/^Now: .*lx/)
      .first()
      .waitFor();
    await page.getByRole('textbox', { name: 'Below' }).fill('40');
    await page.getByRole('button', { name: 'Light level of Light Sensor is below 40 lx', exact: true }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'automation-dark-320');
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
    const path = page.getByRole('list', { name: 'Path of the run' });
    await path.getByRole('link', { name: 'Turn on Desk Lamp: done' }).waitFor();
    await path.getByRole('link', { name: 'Wait 1 hr: running' }).waitFor();
    await page.getByText('Running', { exact: true }).waitFor();
    expect(power('Desk Lamp')).toBe(true);
    const fields = await page.locator('details dt').allTextContents();
    expect(fields).toEqual(expect.arrayContaining(['Accessory', 'Property', 'Value']));
    await expectAccessible(page);
    await picture(page, 'automation-run-desktop-light');

    const graph = page.getByRole('region', { name: 'Graph of the automation' });
    await page.getByText('Graph', { exact: true }).click();
    await graph.getByRole('button', { name: 'Action: Turn on Desk Lamp done' }).waitFor();
    await graph.getByText(/Notify: “Blinked” not reached/).waitFor();
    await graph.getByRole('button', { name: 'Action: Wait 1 hr running' }).press('Enter');
    await page.getByText('Wait 1 hr', { exact: true }).waitFor();
    await expectAccessible(page);
    await picture(page, 'automation-run-graph');

    // The run keeps the automation as it was.
    const changed =
      'mutation ($home: String!, $id: String, $data: JSON!) { saveFlow(homeId: $home, flowId: $id, data: $data) { id } }';
    const [first, second] = data.actions;
    const actions = [first, second, { type: 'notify', message: 'Changed' }];
    await dashboard.graphql(changed, { home: await homeId(), id: saveFlow.id, data: { ...data, actions } });
    await page.getByText('This is the automation as it was then').waitFor();
    await graph.getByText(/Notify: “Blinked” not reached/).waitFor();
    await expectAccessible(page);
    await picture(page, 'automation-run-as-it-was');

    // The browser keeps the view for all pages.
    await page.getByRole('link', { name: 'Show it as it is now' }).click();
    await graph.getByText(/Notify: “Changed”/).waitFor();
    await graph.getByRole('link', { name: 'Action: Wait 1 hr', exact: true }).waitFor();
    await page.setViewportSize({ width: 320, height: 700 });
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'automation-graph-320');
    await graph.getByRole('link', { name: 'Action: Wait 1 hr', exact: true }).click();
    await page.getByRole('textbox', { name: 'Duration' }).waitFor();
    await page.goBack();
    await graph.waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('Blink deleted').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { level: 1, name: 'Blink' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('turns several off at once, and deletes them, with the way back', async () => {
    const save = 'mutation ($home: String!, $data: JSON!) { saveFlow(homeId: $home, data: $data) { id } }';
    // A second try finds its own.
    const mark = `Several ${severals++}`;
    for (const name of ['one', 'two', 'three']) {
      const data = { name: `${mark} ${name}`, triggers: [{ type: 'time', at: '04:00' }], actions: [] };
      await dashboard.graphql(save, { home: await homeId(), data });
    }
    const { page, complaints } = await open({
      path: `/automations?q=${encodeURIComponent(mark)}`,
      width: 390,
      height: 844,
    });
    await page.getByText('3 automations', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    await page.getByRole('checkbox', { name: `Select ${mark} one` }).press('Space');
    await page.getByRole('checkbox', { name: `Select ${mark} two` }).click();
    const bar = page.getByRole('region', { name: '2 selected' });
    await expectToFit(page);
    await expectAccessible(page);
    await bar.getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('2 automations turned off').waitFor();
    await page.getByRole('switch', { name: `${mark} one on/off`, checked: false }).waitFor();
    await page.getByRole('switch', { name: `${mark} three on/off`, checked: true }).waitFor();
    await page.getByRole('button', { name: 'Off 2', exact: true }).click();
    await page.getByText('2 automations', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'All 3', exact: true }).click();
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    await page.getByRole('button', { name: 'Select all' }).click();
    await page.getByRole('region', { name: '3 selected' }).getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: 'Delete 3 automations?' });
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    const deleted = page.getByText('3 automations deleted').locator('..');
    await deleted.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('3 automations', { exact: true }).waitFor();
    await page.getByRole('switch', { name: `${mark} two on/off`, checked: false }).waitFor();

    const addRoom = 'mutation ($home: String!, $name: String!) { createRoom(homeId: $home, name: $name) { id } }';
    await dashboard.graphql(addRoom, { home: await homeId(), name: `${mark} attic` });
    await page.getByRole('button', { name: 'Group by room' }).click();
    await page.getByRole('heading', { level: 2, name: 'No room 3' }).waitFor();
    await page.getByRole('heading', { level: 3, name: `${mark} two` }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    // The browser keeps it.
    await page.reload();
    await page.getByRole('heading', { level: 2, name: 'No room 3' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('makes an automation from a blueprint, with a sentence beside what is missing and a preview', async () => {
    const { page, complaints } = await open({ path: '/automations' });
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'From a blueprint' }).click();
    await page.getByRole('heading', { level: 1, name: 'Blueprints' }).waitFor();
    const laundry = page.getByRole('link', { name: /^Laundry done.*Your home lacks: Plug/ });
    await laundry.locator('svg.lucide-washing-machine').waitFor();
    await expectAccessible(page);
    await picture(page, 'blueprints-desktop-light');
    await page.getByRole('link', { name: /^Wake-up light/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Wake-up light' }).waitFor();
    await page.getByText('Fill in your choices to see it.').waitFor();
    await page.getByRole('button', { name: 'Create automation' }).click();
    await page.getByText('Choose something here.').waitFor();

    const lights = page.getByRole('combobox', { name: 'Lights' });
    await lights.click();
    await page.getByRole('option', { name: 'Reading Lamp' }).click();
    await lights.press('Escape');
    await page.getByText('Turn on Reading Lamp', { exact: true }).waitFor();
    await page.getByText('Choose something here.').waitFor({ state: 'detached' });
    const brightness = page.getByRole('textbox', { name: 'Brightness' });
    expect(await brightness.inputValue()).toBe('100 %');
    await page.getByRole('slider', { name: 'Brightness' }).press('ArrowLeft');
    expect(await brightness.inputValue()).toBe('99 %');
    await brightness.fill('');
    expect(await brightness.getAttribute('placeholder')).toBe('100 %');
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Name of the automation' }).fill('Sunrise in bed');
    await page.getByRole('button', { name: 'Create automation' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sunrise in bed' }).waitFor();
    await page.getByText('Sunrise in bed created').waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows that an optional number of a blueprint is not set, and clears it again', async () => {
    const { page, complaints } = await open({ path: '/automations/blueprints' });
    await page.getByRole('link', { name: /^Motion light/ }).click();
    const number = page.getByRole('textbox', { name: 'Brightness (optional)' });
    const slider = page.getByRole('slider', { name: 'Brightness (optional)' });
    const notSet = page.getByText('Not set', { exact: true });
    await notSet.waitFor();
    expect(await slider.getAttribute('aria-valuetext')).toBe('Not set');

    await slider.press('End');
    await notSet.waitFor({ state: 'hidden' });
    expect(await number.inputValue()).toBe('100 %');
    expect(await slider.getAttribute('aria-valuetext')).toBeNull();

    await page.getByRole('button', { name: 'Clear Brightness (optional)' }).click();
    await notSet.waitFor();
    expect(await number.inputValue()).toBe('');
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  it('exports an automation as a blueprint, and imports it; another file is refused with a sentence', async () => {
    const [lamp] = (await dashboard.relay.get('/rest/accessories')).body.filter(
      (accessory: { name: string }) => accessory.name === 'Desk Lamp',
    );
    const target = { accessoryId: lamp.id, characteristicType: 'power_state' };
    const data = {
      name: 'Lights out',
      triggers: [{ type: 'event', eventType: 'bedtime' }],
      actions: [{ type: 'set_characteristic', ...target, value: false }],
    };
    const save = 'mutation ($home: String!, $data: JSON!) { saveFlow(homeId: $home, data: $data) { id } }';
    const { saveFlow } = await dashboard.graphql(save, { home: await homeId(), data });
    const { page, complaints } = await open({ path: `/automations/flows/${saveFlow.id}` });
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Export as a blueprint' }).click();
    await page.getByText('It will ask for: Light').waitFor();
    await expectAccessible(page);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('Lights-out.blueprint.json');
    const text = readFileSync(await download.path(), 'utf8');
    expect(text).toContain('"hearthd_blueprint": 1');
    expect(text).not.toContain(lamp.id);

    const phone = await open({ path: '/automations/blueprints', lang: 'de', width: 360, height: 780, dark: true });
    await phone.page.getByRole('button', { name: 'Vorlage importieren' }).click();
    const choose = (name: string, content: string) =>
      phone.page
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });
    await choose('x.json', 'no');
    await phone.page.getByText('Diese Datei ist kein JSON.').waitFor();
    await choose('later.json', text.replace('"hearthd_blueprint": 1', '"hearthd_blueprint": 2'));
    await phone.page.getByText('Diese Datei stammt von einem neueren hearthd (Version 2).').waitFor();
    await expectAccessible(phone.page);
    await choose('lights.json', text);
    await phone.page.getByRole('heading', { level: 1, name: 'Lights out' }).waitFor();
    await phone.page.getByRole('combobox', { name: 'Light' }).click();
    await phone.page.getByRole('option', { name: 'Reading Lamp' }).click();
    await phone.page.getByText('Reading Lamp ausschalten', { exact: true }).waitFor();
    await expectToFit(phone.page);
    await expectAccessible(phone.page);
    await picture(phone.page, 'blueprint-phone-dark');
    await phone.page.getByRole('button', { name: 'Automation erstellen' }).click();
    await phone.page.getByRole('heading', { level: 1, name: 'Lights out 2' }).waitFor();
    expect([...complaints, ...phone.complaints]).toEqual([]);
  });
});

async function byPlus(by: Hands): Promise<void> {
  await by.press(by.page.getByRole('button', { name: 'Add', exact: true }));
  const dialog = by.page.getByRole('dialog', { name: 'Add to this home' });
  await by.press(dialog.getByRole('link', { name: /^Automation/ }));
}

async function bySearch(by: Hands): Promise<void> {
  await by.page.getByRole('button', { name: 'Add', exact: true }).waitFor();
  await by.search('new automation', /^New automation/);
}

/** In the card that is open. */
async function choose(page: WatchedPage['page'], name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Device' }).click();
  await page.getByRole('option', { name }).click();
}
