/**
 * Flows made in the browser: with real lamps that then do what was written, by mouse, by keyboard, in both languages.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

let dashboard: Dashboard;
let homeId = '';

interface SavedFlow {
  readonly id: string;
  readonly name: string;
  readonly dataJson: string;
}

const FLOWS = 'query ($homeId: String!) { flows(homeId: $homeId) { id name dataJson } }';

function flowNamed(name: string): Promise<SavedFlow> {
  const find = async (): Promise<SavedFlow | undefined> => {
    const { flows } = await dashboard.graphql(FLOWS, { homeId });
    return flows.find((flow: SavedFlow) => flow.name === name);
  };
  return eventually(find, `the flow ${name}`);
}

async function save(data: object): Promise<string> {
  const { saveFlow } = await dashboard.graphql(
    'mutation ($homeId: String!, $data: JSON!) { saveFlow(homeId: $homeId, data: $data) { id } }',
    { homeId, data },
  );
  return saveFlow.id;
}

/** Opens the list of kinds at a list, and takes one. */
async function add(page: Page, button: string, kind: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: kind }).click();
}

/** In the card that is open last. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).and(page.locator('input')).last().click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

describe.skipIf(NO_BROWSER)('the editor of flows', { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start({ accessories: ['Reading Lamp', 'Desk Lamp'] });
    const { homes } = await dashboard.graphql('{ homes { id } }');
    homeId = homes[0].id;
  }, PATIENCE_MS);
  afterAll(() => dashboard?.stop());

  it('makes one that sets a lamp when another is switched on', async () => {
    const { page, complaints } = await dashboard.open({ path: '/automations/new/flow', width: 390, height: 844 });
    await page.waitForURL(/\/automations\/new$/);
    await page.getByLabel('Name', { exact: true }).fill('Desk follows reading');
    await add(page, 'Add trigger (When)', 'Device state changes');
    await choose(page, 'Device', 'Reading Lamp');
    await page.getByRole('combobox', { name: /^New value/ }).selectOption('When Reading Lamp is turned on');
    await page.getByRole('button', { name: /^When Reading Lamp/ }).waitFor();
    await add(page, 'Add action (Then)', 'Delay');
    await page.getByRole('textbox', { name: 'Duration' }).fill('1');
    await page.getByLabel('Unit').selectOption('seconds');
    await add(page, 'Add action (Then)', 'Set a device');
    await choose(page, 'Device', 'Desk Lamp');
    await page.getByLabel('Property').last().selectOption('brightness');
    await page.getByRole('textbox', { name: 'Value' }).fill('40');
    await page.getByRole('button', { name: /^Set .*brightness of Desk Lamp to 40/i }).waitFor();
    const firstStep = page.getByRole('list', { name: 'Then' }).getByRole('listitem').first();
    await page.getByRole('button', { name: /^Drag: Set/ }).hover();
    await page.mouse.down();
    const place = await page.getByRole('button', { name: /^Wait/ }).boundingBox();
    await page.mouse.move(place?.x ?? 0, (place?.y ?? 0) - 6, { steps: 5 });
    await page.getByText('moved to position 1 of 2 in “Then”').waitFor();
    await page.mouse.up();
    await expect.poll(() => firstStep.innerText()).toMatch(/^Set/);
    // What drags discards a click within 50 ms of the drop: it takes it for the end of the drag.
    await page.waitForTimeout(100);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => firstStep.innerText()).toMatch(/^Wait/);
    await expectAccessible(page);
    await expectToFit(page);
    await picture(page, 'flow-editor-phone');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/\/automations\/flows\//);
    await flowNamed('Desk follows reading');
    const { body } = await dashboard.relay.get('/rest/accessories');
    const idOf = (name: string) => body.find((one: { name: string }) => one.name === name).id;
    await dashboard.graphql(
      'mutation ($writes: [CharacteristicWrite!]!) { setCharacteristics(writes: $writes) { success error } }',
      { writes: [{ accessoryId: idOf('Reading Lamp'), characteristicType: 'power_state', value: true }] },
    );
    await eventually(async () => {
      const { accessory } = await dashboard.graphql(
        'query ($id: String!) { accessory(accessoryId: $id) { services { characteristics { type value } } } }',
        { id: idOf('Desk Lamp') },
      );
      const all = accessory.services.flatMap((one: { characteristics: object[] }) => one.characteristics);
      return all.some(({ type, value }: { type?: string; value?: unknown }) => type === 'brightness' && value === 40);
    }, 'the other lamp to follow');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('changes what is nested and loses nothing that it does not know, with names full of markup', async () => {
    const delay = { id: 'inner', type: 'delay', duration: { seconds: 5 }, alias: MARKUP };
    const step = {
      id: 'outer',
      type: 'if_then_else',
      condition: {
        operator: 'or',
        conditions: [
          { type: 'time', after: '22:00' },
          { operator: 'not', conditions: [] },
        ],
      },
      ...{ [THEN]: [{ id: 'loop', type: 'repeat', mode: 'count', count: 2, sequence: [delay] }], else: [] },
    };
    const uiState = { nodePositions: { outer: { x: 1, y: 2 } } };
    const id = await save({ name: 'Nested', description: MARKUP, actions: [step], uiState });
    const { page, complaints } = await dashboard.open({
      path: `/automations/flows/${id}/edit`,
      lang: 'de',
      dark: true,
    });
    await page.getByRole('button', { name: /^2-mal wiederholen/ }).waitFor();
    await page.getByRole('button', { name: /5 Sek\. warten/ }).click();
    await page.getByRole('textbox', { name: 'Wie lange' }).fill('7');
    await page.getByRole('button', { name: /7 Sek\. warten/ }).waitFor();
    await page.getByRole('button', { name: 'Duplizieren' }).click();
    await page.getByRole('button', { name: 'Löschen' }).click();
    await page.getByRole('status').getByRole('button', { name: 'Rückgängig' }).click();
    await page.getByRole('button', { name: 'Rückgängig', exact: true }).first().click();
    await expectAccessible(page);
    await picture(page, 'flow-editor-nested-dark');
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    await page.waitForURL(new RegExp(`/automations/flows/${id}$`));
    const saved = JSON.parse((await flowNamed('Nested')).dataJson);
    expect(saved).toMatchObject({ description: MARKUP, uiState, actions: [{ id: 'outer', else: [] }] });
    expect(saved.actions[0][THEN][0].sequence).toMatchObject([{ ...delay, duration: { seconds: 7 } }]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('gives a notification buttons, and begins with one of them', async () => {
    const buttons = [{ id: 'close', title: 'Close garage' }];
    const actions = [{ id: 'ask', type: 'notify', message: 'The garage is open.', buttons }];
    const id = await save({ name: 'Ask', actions });
    const { page, complaints } = await dashboard.open({
      path: `/automations/flows/${id}/edit`,
      width: 320,
      height: 800,
    });
    await page.getByRole('button', { name: /^Notify:/ }).click();
    await page.getByRole('textbox', { name: 'Text of button 1' }).fill('Close it');
    await page.getByRole('button', { name: 'Add button' }).click();
    await page.getByRole('textbox', { name: 'Text of button 2' }).fill('Ignore');
    await page.getByRole('button', { name: 'Add button' }).click();
    await page.getByRole('button', { name: 'Add button' }).waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Text of button 3' }).fill('Later');
    await page.getByRole('button', { name: 'Remove Later' }).click();
    await add(page, 'Add trigger (When)', 'Notification button pressed');
    await page.getByRole('textbox', { name: 'Id of the button' }).fill('ignore');
    await page.getByRole('button', { name: /^When the notification button “ignore” is pressed/ }).waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(new RegExp(`/automations/flows/${id}$`));
    expect(JSON.parse((await flowNamed('Ask')).dataJson)).toMatchObject({
      triggers: [{ type: 'notification_action', buttonId: 'ignore' }],
      actions: [
        {
          buttons: [
            { id: 'close', title: 'Close it' },
            { id: 'button_1', title: 'Ignore' },
          ],
        },
      ],
    });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('makes one by keyboard alone, and shows what is missing and what the relay refuses at its place', async () => {
    const { page, complaints } = await dashboard.open({ path: '/automations/new' });
    const { keyboard } = page;
    const press = async (name: string | RegExp, key = 'Enter') => {
      await page.getByRole('button', { name }).last().focus();
      await keyboard.press(key);
    };
    await page.getByRole('heading', { name: 'Templates' }).waitFor();
    for (const [button, search] of [
      ['Add trigger (When)', 'Expression'],
      ['Add action (Then)', 'Send a notification'],
      ['Add action (Then)', 'Delay'],
    ] as const) {
      await press(button);
      await eventually(
        () => page.evaluate<boolean>(`document.activeElement?.type === 'search'`),
        'the search to listen',
      );
      await keyboard.type(search);
      await keyboard.press('Tab');
      await keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    // What was added last has the keyboard: it is moved before the message.
    const isThere = `document.activeElement?.textContent?.includes('Wait') === true`;
    await eventually(() => page.evaluate<boolean>(isThere), 'the focus to be on the step that waits');
    await keyboard.press('Alt+ArrowUp');
    expect(await page.getByRole('list', { name: 'Then' }).getByRole('listitem').first().innerText()).toMatch(/^Wait/);
    await keyboard.press('Control+z');
    expect(await page.getByRole('list', { name: 'Then' }).getByRole('listitem').first().innerText()).toMatch(
      /^Notify:/,
    );
    await press('Save');
    await page.getByText('2 problems to fix').waitFor();
    await page.getByRole('textbox', { name: 'Expression' }).focus();
    await keyboard.type('states(');
    await press(/^Notify:/);
    await page.getByRole('textbox', { name: 'Message' }).focus();
    await keyboard.type('Hello');
    await press('Save');
    await page.getByText('needs attention').waitFor();
    await press(/^When “states\(” becomes true/);
    await page.getByRole('textbox', { name: 'Expression' }).focus();
    await keyboard.press('Control+a');
    await keyboard.type('1 > 2');
    await press('Save');
    await page.waitForURL(/\/automations\/flows\//);
    const flow = JSON.parse((await flowNamed('When 1 > 2 becomes true – Notify: Hello')).dataJson);
    expect(flow.actions.map(({ type }: { type: string }) => type)).toEqual(['notify', 'delay']);
    expect(complaints.filter((complaint) => !/status of 4\d\d/.test(complaint))).toEqual([]);
    await page.context().close();
  });

  it('shows below an expression what it comes to now, or where it is wrong, also on a page of its own', async () => {
    const { page, complaints } = await dashboard.open({ path: '/automations/new', width: 390, height: 844 });
    await add(page, 'Add action (Then)', 'Send a notification');
    const message = page.getByLabel('Message', { exact: true });
    await message.fill('It is {{ 20 + 2.4 }} °C');
    await page.getByText('It is 22.4 °C', { exact: true }).waitFor();
    await message.fill('It is {{ 20 + }}');
    await page.getByText(/^Line 1, column 15: /).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'flow-expression');
    await page.context().close();

    const own = await dashboard.open({ path: '/developer/expressions', width: 320, height: 640 });
    await own.page.getByRole('button', { name: 'Turn on Developer Mode' }).click();
    await own.page.getByRole('textbox', { name: 'Variables' }).fill('{"level": 40}');
    await own.page
      .getByRole('textbox', { name: /^Text with expressions/ })
      .fill('level > 30 and states("Desk Lamp") != null');
    await own.page.getByText('Reads Desk Lamp').waitFor();
    await own.page.getByRole('region', { name: 'Result' }).getByText('true', { exact: true }).waitFor();
    await own.page.getByText('Numbers', { exact: true }).click();
    await own.page.getByText('The number without its sign.').waitFor();
    const manual = await own.page.getByRole('link', { name: 'Expressions in the manual' }).getAttribute('href');
    const [path = '', anchor = ''] = manual?.split('#') ?? [];
    expect(await (await fetch(new URL(path, dashboard.relay.url))).text()).toContain(`id="${anchor}"`);
    await expectToFit(own.page);
    await expectAccessible(own.page);
    await picture(own.page, 'developer-expressions');
    expect([...complaints, ...own.complaints]).toEqual([]);
  });
});

const THEN = 'then';
