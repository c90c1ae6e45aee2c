/** The dashboard while the relay or the network is away, when it comes back, and when somebody ended the session meanwhile. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import type { WatchedPage } from './chromium.ts';
import { Dashboard, eventually, expectAccessible, NO_BROWSER, PATIENCE_MS, picture } from './dashboard.ts';

const SUITE = `the dashboard without its relay, in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;
const LAMP = 'Desk Lamp';
/** What a browser says of requests that found nobody: nothing that we could keep from its console. */
const UNREACHED = /ERR_(?:INTERNET_DISCONNECTED|CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED)/;

let dashboard: Dashboard;
let watched: WatchedPage | undefined;

describe.skipIf(NO_BROWSER)(SUITE, { timeout: PATIENCE_MS }, () => {
  beforeAll(async () => {
    // The same after a restart, as a relay's is.
    const config = { port: await freePort() };
    dashboard = await Dashboard.start({ accessories: [LAMP], config });
  }, PATIENCE_MS);

  afterEach(async () => {
    await watched?.page.context().close();
    watched = undefined;
  });

  afterAll(() => dashboard?.stop());

  async function openHome(): Promise<Page> {
    watched = await dashboard.open();
    await lampOf(watched.page).waitFor();
    await untilLive(watched.page);
    return watched.page;
  }

  it('says that it is offline, refuses at once what is pressed, and catches up when the network is back', async () => {
    const page = await openHome();
    await page.context().setOffline(true);
    await page.getByText('Connection lost.').waitFor();
    await expectAccessible(page);
    await picture(page, 'offline');
    const before = isOn();
    await lampOf(page).click();
    await page.getByText('The relay does not answer.').first().waitFor();
    expect(isOn()).toBe(before);

    // What happens in the house meanwhile.
    const { accessories } = (await dashboard.graphql('{ accessories { id name } }')) as {
      accessories: { id: string; name: string }[];
    };
    const id = accessories.find(({ name }) => name === LAMP)?.id ?? '';
    await dashboard.graphql('mutation ($id: String!) { renameAccessory(accessoryId: $id, name: "Renamed") { id } }', {
      id,
    });
    await page.context().setOffline(false);
    await page.getByText('Connection lost.').waitFor({ state: 'detached' });
    await page.getByText('Renamed').first().waitFor();
    expect(isOn()).toBe(before);
    await dashboard.graphql('mutation ($id: String!) { renameAccessory(accessoryId: $id) { id } }', { id });
    await lampOf(page).waitFor();
    expect(complaints()).toEqual([]);
  });

  it('opens while the relay is away, from what it kept, and goes on by itself when it is back', async () => {
    const page = await openHome();
    await untilTrue(page, 'navigator.serviceWorker.controller !== null');
    await dashboard.relay.stop();
    await page.getByText('Connection lost.').waitFor();
    await page.reload();
    await page.getByText('The relay does not answer.').first().waitFor();
    await dashboard.relay.start();
    await page.getByRole('button', { name: 'Try again' }).click();
    await lampOf(page).waitFor();
    await untilLive(page);
    await dashboard.relay.untilStatus(dashboard.device(LAMP).deviceId, 'connected');
    const before = isOn();
    await lampOf(page).click();
    await eventually(async () => isOn() !== before, 'the lamp to be switched');
    expect(complaints()).toEqual([]);
  });

  it('leads to the sign-in page with a sentence when the session is ended elsewhere, and back to where one was', async () => {
    const { login } = await dashboard.graphql(
      'mutation { login(email: "ada@example.org", password: "correct horse battery staple") { token } }',
      {},
      '',
    );
    watched = await dashboard.open({ path: '/settings', token: login.token });
    const { page } = watched;
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await untilLive(page);
    await dashboard.graphql('mutation { removeOtherSessions }');
    await page.getByText('Your session has ended.').waitFor();
    await page.getByLabel('E-mail address').fill('ada@example.org');
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(complaints().filter((text) => !/401/.test(text))).toEqual([]);
  });

  function isOn(): unknown {
    const { accessory } = dashboard.device(LAMP);
    const characteristics = accessory.services.flatMap((service) => service.characteristics);
    return characteristics.find(({ displayName }) => displayName === 'On')?.value;
  }

  function complaints(): readonly string[] {
    return (watched?.complaints ?? []).filter((text) => !UNREACHED.test(text));
  }
});

function lampOf(page: Page) {
  return page.getByRole('button', { name: new RegExp(LAMP) }).first();
}

async function untilLive(page: Page): Promise<void> {
  await untilTrue(page, `document.documentElement.dataset.connection === 'live'`);
}

/** Playwright's own waiting needs eval in the page, which our policy forbids. */
async function untilTrue(page: Page, expression: string): Promise<void> {
  await eventually(() => page.evaluate<boolean>(expression), expression);
}
