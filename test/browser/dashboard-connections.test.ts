/**
 * The connections of a home: a card for each, a token that works, a webhook whose deliveries are seen as they come, a
 * broker; and the pages behind Developer Mode.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { distinctResponderOptions } from '../support/accessories/advertiser.ts';
import { loadCiao } from '../support/accessories/hap-nodejs-parts.ts';
import { TestBroker } from '../support/mqtt-broker.ts';
import { Dashboard, expectAccessible, expectToFit, MARKUP, NO_BROWSER, PATIENCE_MS, picture } from './dashboard.ts';

/** The receiver's answer to each delivery: other people's text. */
const ANSWER = `{"note":"${MARKUP.replaceAll('"', "'")}"}`;

let dashboard: Dashboard;
let receiver: Server;
const received: IncomingMessage[] = [];

describe.skipIf(NO_BROWSER)('connections', { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start({
      accessories: ['Desk Lamp'],
      unpaired: ['Fan'],
      config: { webhooksAllowLoopback: true },
    });
    receiver = createServer((request, response) => {
      received.push(request);
      request.resume();
      response.end(ANSWER);
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  }, PATIENCE_MS);
  afterAll(async () => {
    await dashboard?.stop();
    receiver?.closeAllConnections();
    receiver?.close();
  });

  it.each([
    { width: 320, height: 640, dark: true },
    { width: 1280, height: 900, dark: false },
  ])('have a card each, with its state and one button, at $width pixels', async (size) => {
    const { page, complaints } = await dashboard.open({ path: '/connections', ...size });
    const cards = page.getByRole('main').getByRole('listitem');
    await cards.filter({ hasText: 'Apple Home & Matter' }).getByText('Not set up').waitFor();
    expect(await cards.getByRole('heading').allInnerTexts()).toEqual([
      'Apple Home & Matter',
      'Assistants (MCP)',
      'Apps',
      'Home Assistant (MQTT)',
      'Webhooks',
      'Phone location',
      'Access tokens',
    ]);
    expect(await cards.getByRole('link').count()).toBe(7);
    await cards.filter({ hasText: 'Webhooks' }).getByText('Off', { exact: true }).waitFor();
    const onNetwork = page.getByRole('region', { name: 'Found on your network' });
    // Another home beside this one may have the name already: the accessory has a number then.
    await onNetwork.getByText(/^Fan.* can be added to this home\.$/).waitFor();
    await onNetwork.getByRole('link', { name: 'Add accessory' }).waitFor();
    expect(await page.getByLabel('MCP server URL').inputValue()).toMatch(/\/mcp$/);
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, `connections-${size.width}`);
    await page.getByRole('main').getByRole('link', { name: 'Set up' }).click();
    await page.getByRole('dialog').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it.each([
    { width: 1280, lang: 'en' },
    { width: 1920, lang: 'de' },
  ] as const)('fill every row, with an address in all cards of a row or in none, at $width pixels', async (options) => {
    const { page, complaints } = await dashboard.open({ path: '/connections', height: 900, ...options });
    await page.getByRole('main').getByRole('listitem').nth(6).waitFor();
    // In one step, for what arrives above moves them.
    const cards = await page.evaluate<{ top: number; isLast: boolean; hasAddress: boolean }[]>(
      `[...document.querySelectorAll('main li[aria-labelledby]')].map((card) => {
        const { top, right } = card.getBoundingClientRect();
        const end = card.parentElement.getBoundingClientRect().right;
        return { top, isLast: Math.abs(right - end) < 1, hasAddress: card.querySelector('input, textarea') !== null };
      })`,
    );
    expect(cards).toHaveLength(7);
    const rows = [...new Set(cards.map(({ top }) => top))].map((own) => cards.filter(({ top }) => top === own));
    expect(rows.map((row) => row.at(-1)?.isLast)).toEqual(rows.map(() => true));
    expect(rows.filter((row) => row.some(({ hasAddress }) => hasAddress)).map((row) => row.length)).toEqual([2]);
    expect(cards.filter(({ hasAddress }) => hasAddress)).toHaveLength(2);
    await expectToFit(page);
    await picture(page, `connections-rows-${options.width}`);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('show a viewer only what a viewer may use', async () => {
    const { homes } = await dashboard.graphql('{ homes { id } }');
    const token = await dashboard.signUpViewer(homes[0].id);
    const { page, complaints } = await dashboard.open({ path: '/connections', token });
    const cards = page.getByRole('main').getByRole('listitem');
    await cards.filter({ hasText: 'Phone location' }).waitFor();
    expect(await cards.getByRole('heading').allInnerTexts()).toEqual(['Assistants (MCP)', 'Apps', 'Phone location']);
    await page.goto(new URL('/connections/tokens?new', dashboard.relay.url).href);
    await page.getByText('Only owners and admins of a home can use this page.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('lead a new person to the set-up of the phone; creating its password turns on Developer Mode', async () => {
    const { page, complaints } = await dashboard.open({ path: '/connections' });
    await page.getByRole('link', { name: 'Connect a phone' }).click();
    await page.getByRole('button', { name: 'Add person' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(MARKUP);
    await page.keyboard.press('Enter');
    const setUp = page.getByRole('dialog', { name: `Connect ${MARKUP}’s phone` });
    await setUp.getByText('This also turns on Developer Mode for your account.').waitFor();
    await expectAccessible(page);
    await setUp.getByRole('button', { name: 'Create password' }).click();
    expect(await setUp.getByLabel('Password (shown only once)').inputValue()).toMatch(/^hc_/);
    await setUp.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: `Connect ${MARKUP}’s phone` }).waitFor();
    await expectAccessible(page);
    const { accessTokens } = await dashboard.graphql('{ accessTokens { id } }');
    await dashboard.graphql('mutation ($id: String!) { revokeAccessToken(tokenId: $id) { success } }', {
      id: accessTokens[0].id,
    });
    await dashboard.graphql('mutation { updateSettings(data: { developerMode: false }) { success } }');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('leave the references and live events to Developer Mode, which explains itself while it is off', async () => {
    const { page, complaints } = await dashboard.open({ path: '/developer' });
    await page.getByRole('heading', { name: 'Developer Mode is off' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Turn on Developer Mode' }).click();
    await page.getByRole('link', { name: /^GraphiQL/ }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Developer');
    await expectAccessible(page);
    await dashboard.graphql('mutation { updateSettings(data: { developerMode: false }) { success } }');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('need Developer Mode for tokens: creating one turns it on; it is shown once, works, and ends when it is revoked', async () => {
    const { page, complaints } = await dashboard.open({ path: '/connections/tokens' });
    await page.getByRole('heading', { name: 'Developer Mode is off' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText('This also turns on Developer Mode for your account.').waitFor();
    await page.getByLabel('Name').fill(MARKUP);
    await page.getByRole('radio', { name: 'Selected homes' }).click();
    const make = page.getByRole('dialog').getByRole('button', { name: 'Create token' });
    expect(await make.isDisabled()).toBe(true);
    await page.getByRole('dialog').getByRole('combobox').first().selectOption('view');
    await expectAccessible(page);
    await make.click();
    const token = await page.getByRole('textbox', { name: 'Access token' }).inputValue();
    const status = async () => {
      const headers = { Authorization: `Bearer ${token}` };
      return (await fetch(new URL('/rest/state', dashboard.relay.url), { headers })).status;
    };
    expect(await status()).toBe(200);
    await picture(page, 'developer-token');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText(token.slice(0, 11)).waitFor();
    expect(await page.content()).not.toContain(token);
    await page.getByRole('button', { name: `Actions for ${MARKUP}` }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No access tokens').waitFor();
    expect(await status()).toBe(401);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('make a webhook whose deliveries are seen as they come, with what was answered, and are sent again', async () => {
    await switchOn();
    const { page, complaints } = await dashboard.open({
      path: '/developer/webhooks',
      dark: true,
      width: 390,
      height: 844,
    });
    await page.waitForURL((url) => url.pathname === '/connections/webhooks');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    const add = page.getByRole('dialog').getByRole('button', { name: 'Add webhook' });
    await page.getByLabel('URL').fill('nonsense');
    await add.click();
    // In the page's language, beside its field, and read with it.
    await name.and(page.locator(':focus[aria-invalid="true"]')).waitFor();
    const [missing, wrong] = ['Fill in this field.', 'Enter an address that starts with https:// or http://.'];
    await page.getByText(missing).waitFor();
    await page.getByText(wrong).waitFor();
    await expectAccessible(page);
    await picture(page, 'webhook-refused');
    await name.fill(MARKUP);
    await page.getByText(missing).waitFor({ state: 'detached' });
    await page.getByLabel('URL').fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`);
    await page.getByText(wrong).waitFor({ state: 'detached' });
    await page.getByRole('radio', { name: 'Selected events' }).click();
    await page.getByRole('checkbox', { name: 'state.changed' }).check();
    await expectAccessible(page);
    await add.click();
    expect(await page.getByRole('textbox', { name: 'Secret' }).inputValue()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: `Open ${MARKUP}` }).click();
    await page.getByText('No deliveries yet.').waitFor();

    const { homes } = await dashboard.graphql('{ homes { accessories { id name } } }');
    const { id: accessoryId } = homes[0].accessories.find(({ name }: { name: string }) => name === 'Desk Lamp');
    await dashboard.graphql(
      `mutation ($accessoryId: String!) {
        setCharacteristic(accessoryId: $accessoryId, characteristicType: "power_state", value: "true") { success }
      }`,
      { accessoryId },
    );
    const deliveries = page.getByRole('list', { name: 'Deliveries' });
    await deliveries.getByText('Delivered').first().waitFor();
    expect(received.some(({ headers }) => headers['x-homecast-event'] === 'state.changed')).toBe(true);
    await deliveries.getByText('state.changed').first().click();
    await deliveries.locator('pre').first().getByText('onerror').waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'developer-deliveries');
    const before = received.length;
    await deliveries.getByRole('button', { name: 'Send again' }).first().click();
    await page.getByText('Queued again.').waitFor();
    await expect.poll(() => received.length, { timeout: PATIENCE_MS / 3 }).toBeGreaterThan(before);
    await page.getByLabel('Show').selectOption('failed');
    await page.getByText('No matching deliveries').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    const actions = page.getByRole('button', { name: `Actions for ${MARKUP}`, exact: true });
    await actions.click();
    await page.getByRole('menuitem', { name: 'New secret' }).waitFor();
    await expectToFit(page);
    await picture(page, 'webhook-menu');
    await page.getByRole('menuitem', { name: 'New secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click();
    expect(await page.getByRole('textbox', { name: 'Secret' }).inputValue()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('The previous secret is valid until').waitFor();
    await actions.click();
    await page.getByRole('menuitem', { name: 'Delete webhook' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByRole('heading', { name: 'No webhooks' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/connections/webhooks');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('show live events, filtered and held; publish the home on a broker, and explain what to do while it is refused', async () => {
    const broker = await TestBroker.start({ credentials: { username: 'house', password: 'right' } });
    // Other tests announce brokers on the same loopback interface.
    const announced = `Broker ${broker.port}`;
    const responder = loadCiao().getResponder(distinctResponderOptions());
    await responder
      .createService({
        ...{ name: announced, type: 'mqtt', port: broker.port, hostname: `broker-${broker.port}`, txt: {} },
        ...{ restrictedAddresses: ['127.0.0.1'], disabledIpv6: true },
      })
      .advertise();
    await switchOn();
    const { page, complaints } = await dashboard.open({ path: '/developer/events' });
    // An event may come as soon as the page is there; while it is held none is shown.
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByText('No events yet. Turn a lamp on or off.').waitFor();
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    const homeId = (await dashboard.graphql('{ homes { id } }')).homes[0].id;
    const layoutChanges = page.getByRole('list', { name: 'Events, newest first' }).getByText('layout.changed');
    // The page receives events from when its stream is open, so the first change may come too early.
    await expect
      .poll(
        async () => {
          await dashboard.graphql(
            'mutation ($name: String!, $homeId: String!) { createRoom(homeId: $homeId, name: $name) { id } }',
            { name: `Attic ${Date.now()}`, homeId },
          );
          return layoutChanges.count();
        },
        { timeout: PATIENCE_MS, interval: 500 },
      )
      .toBeGreaterThan(0);
    await page.getByLabel('Filter').fill('no such thing');
    await page.getByText('No matching events').waitFor();
    await expectAccessible(page);

    await page.getByRole('link', { name: 'Connections' }).click();
    await page.getByRole('link', { name: 'Add broker' }).click();
    await page.getByRole('dialog', { name: 'Add broker' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The relay looked for brokers as soon as the page was there; this one announces itself on loopback.
    const add = page.getByRole('button', { name: `Add ${announced}`, exact: true });
    const again = page.getByRole('button', { name: 'Search again' });
    const isFound = async () => {
      if (!(await again.isEnabled())) return false;
      if ((await add.count()) > 0) return true;
      await again.click();
      return false;
    };
    await expect.poll(isFound, { timeout: PATIENCE_MS / 3 }).toBe(true);
    await add.click();
    await expect.poll(() => page.getByLabel('Host').inputValue()).toBe('127.0.0.1');
    await expect.poll(() => page.getByLabel('Port').inputValue()).toBe(String(broker.port));
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(MARKUP);
    await page.getByLabel('Username').fill('house');
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('wrong');
    await page.getByRole('dialog').getByRole('button', { name: 'Add broker' }).click();
    await page.getByText('Not connected').waitFor();
    await page.getByText(/rejected the username or password\. Correct them under Edit/).waitFor();
    await expectAccessible(page);
    await picture(page, 'developer-mqtt');
    const menu = page.getByRole('button', { name: `Actions for ${MARKUP}` });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('right');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Connected', { exact: true }).waitFor();
    await expect.poll(() => broker.keptTopics.size, { timeout: PATIENCE_MS / 3 }).toBeGreaterThan(0);
    await page.getByRole('switch', { name: 'Publish this home' }).click();
    await expect.poll(() => page.getByRole('switch', { name: 'Publish this home' }).isChecked()).toBe(false);
    await menu.click();
    await page.getByRole('menuitem', { name: 'Remove broker' }).click();
    await page.getByRole('button', { name: 'Remove broker' }).click();
    await page.getByRole('heading', { name: 'No brokers' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
    await responder.shutdown();
    await broker.stop();
  });
});

function switchOn(): Promise<unknown> {
  return dashboard.graphql('mutation { updateSettings(data: { developerMode: true }) { success } }');
}
