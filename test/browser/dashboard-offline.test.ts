/**
 * The dashboard while the relay or the network is away, when it comes back, and when another client ended the session
 * meanwhile.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lastingPorts } from '../support/free-port.ts';
import type { WatchedPage } from './chromium.ts';
import {
  Dashboard,
  eventually,
  expectAccessible,
  NO_BROWSER,
  PATIENCE_MS,
  picture,
  untilLive,
  untilTrue,
} from './dashboard.ts';

const SUITE = `the dashboard without its relay, in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;
const LAMP = 'Desk Lamp';
const NEW_VERSION = 'abcdef012345';
/** The browser's message for unanswered requests: we can't keep it from its console. */
const UNREACHED = /ERR_(?:INTERNET_DISCONNECTED|CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED)/;

let dashboard: Dashboard;
let watched: WatchedPage | undefined;

describe.skipIf(NO_BROWSER)(SUITE, { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    // The same after a restart, as a relay's is.
    const [port = 0] = await lastingPorts(1);
    const config = { port };
    dashboard = await Dashboard.start({ accessories: [LAMP], config, ownPages: true });
  }, PATIENCE_MS);

  afterEach(async () => {
    await watched?.page.context().close();
    watched = undefined;
  });

  afterAll(() => dashboard?.stop());

  async function openHome(): Promise<Page> {
    watched = await dashboard.open({ hasWorkers: true });
    await lampOf(watched.page).waitFor();
    await untilLive(watched.page);
    return watched.page;
  }

  it('shows that it is offline, refuses at once what is pressed, and catches up when the network is back', async () => {
    const page = await openHome();
    await cutOff(page);
    await page.getByText('Connection lost.').waitFor();
    await expectAccessible(page);
    await picture(page, 'offline');
    const before = isOn();
    const shown = await lampOf(page).getAttribute('aria-pressed');
    await lampOf(page).click();
    await page.getByText('The relay isn’t responding.').first().waitFor();
    expect(await lampOf(page).getAttribute('aria-pressed')).toBe(shown);
    expect(isOn()).toBe(before);

    // What happens in the home meanwhile.
    const { accessories } = (await dashboard.graphql('{ accessories { id name } }')) as {
      accessories: { id: string; name: string }[];
    };
    const id = accessories.find(({ name }) => name === LAMP)?.id ?? '';
    const rename = (name: string) =>
      dashboard.graphql(
        'mutation ($id: String!, $name: String) { renameAccessory(accessoryId: $id, name: $name) { id } }',
        {
          id,
          name,
        },
      );
    await rename('Renamed');
    await page.context().setOffline(false);
    await page.getByText('Connection lost.').waitFor({ state: 'detached' });
    await page.getByText('Renamed').first().waitFor();
    expect(isOn()).toBe(before);
    await rename(LAMP);
    await lampOf(page).waitFor();
    expect(complaints()).toEqual([]);
  });

  it('opens while the relay is away, from what it kept, goes on by itself when it is back, and offers its new pages', async () => {
    const page = await openHome();
    await untilTrue(page, 'navigator.serviceWorker.controller !== null');
    await dashboard.relay.stop();
    await page.getByText('Connection lost.').waitFor();
    await page.reload();
    // The last known home, which can be read and not operated.
    await page.getByText(/^As of /).waitFor();
    await page.getByRole('button', { name: new RegExp(LAMP), disabled: true }).waitFor();
    await page.getByText('Connection lost.').waitFor();
    await expectAccessible(page);
    await picture(page, 'offline-kept');
    // Other pages have nothing to show.
    await page.getByRole('link', { name: 'Scenes', exact: true }).first().click();
    await page.getByText('The relay isn’t responding.').first().waitFor();
    await page.goBack();
    await page.getByText(/^As of /).waitFor();
    publishNewWorker(dashboard.pages);
    await dashboard.relay.start();
    await lampOf(page).waitFor();
    await untilLive(page);
    await dashboard.relay.untilStatus(dashboard.device(LAMP).deviceId, 'connected');
    const before = isOn();
    await lampOf(page).click();
    await eventually(async () => isOn() !== before, 'the lamp to be switched');

    // As it does by itself every hour.
    await page.evaluate('navigator.serviceWorker.ready.then((registration) => registration.update())');
    await page.getByText('A new version of the dashboard is ready.').waitFor();
    await page.getByRole('button', { name: 'Reload' }).click();
    const kept = () => page.evaluate<string[]>('caches.keys()').catch(() => 'between two pages');
    await eventually(async () => `${await kept()}` === `hearthd-${NEW_VERSION}`, 'the new version to be the only one');
    await lampOf(page).waitFor();
    expect(complaints()).toEqual([]);
  });

  it('shows the last known home at once on a tablet at the wall too, as old until the relay answers', async () => {
    watched = await dashboard.open();
    const { page } = watched;
    await lampOf(page).waitFor();
    await untilLive(page);
    const held: Route[] = [];
    let isAway = true;
    await page.route('**/graphql', (route) => (isAway ? void held.push(route) : route.fallback()));
    await page.goto(new URL('/?kiosk&dim=off', dashboard.relay.url).href);
    await page.getByText(/^As of /).waitFor();
    await page.getByRole('button', { name: new RegExp(LAMP), disabled: true }).waitFor();
    isAway = false;
    for (const route of held) await route.fallback();
    await page.getByText(/^As of /).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: new RegExp(LAMP), disabled: false }).waitFor();
    expect(complaints().filter((text) => !text.includes('Service Worker'))).toEqual([]);
  });

  it('brings back by itself, without a service worker, a page whose files are out of reach or gone', async () => {
    watched = await dashboard.open();
    const { page } = watched;
    await untilLive(page);
    await cutOff(page);
    await page.getByText('Connection lost.').waitFor();
    await page.getByRole('link', { name: 'Scenes', exact: true }).first().click();
    await eventually(async () => page.url().endsWith('/scenes'), 'the address to change');
    await page.context().setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Scenes' }).waitFor();

    // An updated relay has other files.
    await page.evaluate('sessionStorage.clear()');
    const gone = (route: Route) => route.fulfill({ status: 404 });
    await page.route('**/assets/history-page-*.js', gone, { times: 1 });
    await page.getByRole('link', { name: 'History', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    expect(complaints().filter((text) => !/404|Service Worker registration blocked/.test(text))).toEqual([]);
  });

  it('shows what was done, and what failed, after people went to another page', async () => {
    const { accessories } = (await dashboard.graphql('{ accessories { id } }')) as { accessories: { id: string }[] };
    watched = await dashboard.open({ hasWorkers: true, path: `/accessories/${accessories[0]?.id}` });
    const { page } = watched;
    const held: Route[] = [];
    await page.route('**/graphql', async (route) => {
      if (/renameAccessory/.test(route.request().postData() ?? '')) held.push(route);
      else await route.fallback();
    });
    const rename = async (name: string) => {
      await page.getByText('Details', { exact: true }).click();
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByRole('button', { name: 'Rename' }).click();
      await eventually(async () => held.length === 1, 'the request');
      await page.getByRole('link', { name: 'Scenes', exact: true }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Scenes' }).waitFor();
    };
    await rename('Candle');
    const errors = [{ message: 'Nobody may.', extensions: { code: 'NOBODY_MAY' } }];
    await held.pop()?.fulfill({ json: { errors } });
    await page.getByText('Nobody may.').waitFor();
    await page.goBack();
    await rename('Torch');
    await held.pop()?.fallback();
    await page.getByText('Renamed to “Torch”').waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(
      async () => JSON.stringify(await dashboard.graphql('{ accessories { name } }')).includes(`"${LAMP}"`),
      'the old name',
    );
    expect(complaints()).toEqual([]);
  });

  it('leads to the sign-in page with a sentence when the session is ended elsewhere, and back to where one was', async () => {
    const { login } = await dashboard.graphql(
      'mutation { login(email: "ada@example.org", password: "correct horse battery staple") { token } }',
      {},
      '',
    );
    watched = await dashboard.open({ hasWorkers: true, path: '/settings', token: login.token });
    const { page } = watched;
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await untilLive(page);
    await dashboard.graphql('mutation { removeOtherSessions }');
    await page.getByText('Your session has expired.').waitFor();
    await page.getByLabel('Email address').fill('ada@example.org');
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

async function cutOff(page: Page): Promise<void> {
  const reports = await page.evaluate<boolean>('navigator.onLine');
  await page.context().setOffline(true);
  // Browsers on machines without any network have nothing new to report.
  if (!reports) await page.evaluate("dispatchEvent(new Event('offline'))");
}

/** As an update of the relay brings one: its browser asks for it again because its tag is another. */
function publishNewWorker(folder: string): void {
  const file = join(folder, 'sw.js');
  const worker = readFileSync(file, 'utf8').replace(/"version":"[0-9a-f]+"/, `"version":"${NEW_VERSION}"`);
  writeFileSync(file, worker);
  writeFileSync(`${file}.gz`, gzipSync(worker));
  writeFileSync(`${file}.br`, brotliCompressSync(worker));
  const list = join(folder, 'manifest.json');
  const assets = JSON.parse(readFileSync(list, 'utf8')) as { path: string; etag: string }[];
  const changed = assets.map((asset) => (asset.path === 'sw.js' ? { ...asset, etag: `"${NEW_VERSION}"` } : asset));
  writeFileSync(list, JSON.stringify(changed));
}

function lampOf(page: Page) {
  return page.getByRole('button', { name: new RegExp(LAMP) }).first();
}
