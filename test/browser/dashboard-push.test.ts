/**
 * Notifications on a device, in Chromium, with a push service of the test in the place of the browser's own. What the
 * service worker does with a message: `test/web/session/service-worker-push.test.ts`.
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, type PushService, startPushService } from '../support/push-service.ts';
import type { WatchedPage } from './chromium.ts';
import { Dashboard, expectAccessible, NO_BROWSER, PATIENCE_MS, untilLive } from './dashboard.ts';

const SUITE = `notifications on a device, in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;

let dashboard: Dashboard;
let service: PushService;
let watched: WatchedPage | undefined;

describe.skipIf(NO_BROWSER)(SUITE, { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    service = await startPushService();
    dashboard = await Dashboard.start({ config: { webhooksAllowLoopback: true } });
  }, PATIENCE_MS);

  afterEach(async () => {
    await watched?.page.context().close();
    watched = undefined;
  });

  afterAll(async () => {
    await dashboard?.stop();
    await service?.close();
  });

  it('are turned on by a button, tested with a message that only this browser can read, and removed', async () => {
    watched = await dashboard.open({ hasWorkers: true });
    const { page } = watched;
    const browser = service.subscribe();
    await standInForPushService(page, browser);
    await page.goto(new URL('/settings', page.url()).href);
    await page.getByRole('button', { name: 'Turn on for this device' }).click();
    await page.getByText('On for this device.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Send a test to / }).click();
    await page.getByText(/^Test sent to /).waitFor();
    const [text = ''] = browser.readAll(service);
    expect(JSON.parse(text)).toMatchObject({ title: 'hearthd', body: 'This is a test notification.' });

    await page.getByRole('button', { name: /^Remove / }).click();
    await page.getByRole('button', { name: 'Turn on for this device' }).waitFor();
    expect(watched.complaints).toEqual([]);
  });

  it('are counted in the menu until they are read, and the ntfy app is set up with a code', async () => {
    await dashboard.graphql('mutation { sendTestNotification(message: "Hello") }');
    watched = await dashboard.open({ hasWorkers: true, path: '/notifications' });
    const { page } = watched;
    const badge = page.getByRole('img', { name: '1 new' });
    await badge.waitFor();
    const headings = page.getByRole('main').getByRole('heading', { level: 2 });
    await headings.first().waitFor();
    expect((await headings.allInnerTexts()).slice(0, 2)).toEqual(['1 notification', 'How you are notified']);
    await expectAccessible(page);
    const ways = page.locator('section', { has: page.getByRole('heading', { name: 'How you are notified' }) });
    await ways.getByRole('button', { name: 'Send a test' }).waitFor();
    const [row, clear] = [page.getByRole('listitem').last(), page.getByRole('button', { name: 'Clear all' })];
    const [above, below] = [await row.boundingBox(), await clear.boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
    await page.getByRole('button', { name: 'Mark as read' }).click();
    await badge.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Set up ntfy' }).click();
    await page.getByRole('img', { name: 'QR code that opens your topic in the ntfy app' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove ntfy' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove ntfy' }).click();
    await page.getByRole('button', { name: 'Set up ntfy' }).waitFor();
    expect(watched.complaints).toEqual([]);
  });

  it('with buttons are answered in the toast and in the list, once, and show by whom', async () => {
    const { relay } = dashboard;
    const [{ id: homeId }] = (await relay.asSystem('GET', '/rest/homes')).body;
    const buttons = [
      { id: 'close', title: 'Close garage' },
      { id: 'ignore', title: 'Ignore' },
    ];
    const data = { name: 'Ask', triggers: [], actions: [{ type: 'notify', message: 'The garage is open.', buttons }] };
    const { id } = (await relay.asSystem('POST', '/rest/flows', { homeId, ...data })).body;
    watched = await dashboard.open({ hasWorkers: true, path: '/notifications' });
    const { page } = watched;
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
    await untilLive(page);
    const ask = () => relay.asSystem('POST', `/rest/flows/${id}/run`, {});
    await ask();
    const toast = page.getByRole('status');
    await toast.getByRole('button', { name: 'Close garage' }).waitFor();
    await expectAccessible(page);
    await toast.getByRole('button', { name: 'Close garage' }).click();
    await page.getByText(/^“Close garage” pressed: /).waitFor();
    await ask();
    await page.getByRole('listitem').getByRole('button', { name: 'Ignore' }).click();
    await page.getByText(/^“Ignore” pressed: /).waitFor();
    await page.getByRole('listitem').getByRole('button', { name: 'Ignore' }).waitFor({ state: 'detached' });
    const sent = (await relay.asSystem('GET', `/rest/notifications?automation=${id}`)).body;
    expect(sent).toMatchObject([{ pressed: { buttonId: 'ignore' } }, { pressed: { buttonId: 'close' } }]);
    expect(watched.complaints).toEqual([]);
  });
});

/**
 * In the place of the browser's own, which is on the internet, and of the permission, which Chromium denies without a
 * window.
 */
async function standInForPushService(page: Page, { subscription }: Browser): Promise<void> {
  await page.context().addInitScript(`
    let permission = 'default';
    Object.defineProperty(Notification, 'permission', { get: () => permission });
    Notification.requestPermission = async () => (permission = 'granted');
    const { endpoint, p256dh, auth } = ${JSON.stringify(subscription)};
    let current = null;
    const unsubscribe = async () => {
      current = null;
      return true;
    };
    PushManager.prototype.getSubscription = async () => current;
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      const text = atob(applicationServerKey.replaceAll('-', '+').replaceAll('_', '/'));
      const key = Uint8Array.from(text, (letter) => letter.charCodeAt(0)).buffer;
      const toJSON = () => ({ endpoint, keys: { p256dh, auth } });
      current = { options: { applicationServerKey: key }, toJSON, unsubscribe };
      return current;
    };
  `);
}
