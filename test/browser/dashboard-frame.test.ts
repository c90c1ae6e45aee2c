/** The frame that every page of the dashboard is in, against a real daemon. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { WatchedPage } from './chromium.ts';
import { Dashboard, expectAccessible, expectToFit, NO_BROWSER, PATIENCE_MS } from './dashboard.ts';

const SUITE = `the dashboard's frame in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;

let dashboard: Dashboard;
let watched: WatchedPage | undefined;

describe.skipIf(NO_BROWSER)(SUITE, { timeout: PATIENCE_MS }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start();
  }, PATIENCE_MS);

  afterEach(async () => {
    await watched?.page.context().close();
    watched = undefined;
  });

  afterAll(() => dashboard?.stop());

  it.each([
    { width: 320, height: 640, dark: false },
    { width: 1360, height: 900, dark: true },
  ])('shows the home at $width px, asks nobody else, and its policy stops nothing', async (options) => {
    watched = await dashboard.open(options);
    const { page, complaints } = watched;
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  it('forbids scripts that are written into the page, and markup that is made of text', async () => {
    const response = await fetch(dashboard.relay.url, { headers: { Accept: 'text/html' } });
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("require-trusted-types-for 'script'");
    watched = await dashboard.open();
    await watched.page.getByRole('heading', { level: 1 }).waitFor();
    const refusal = await watched.page.evaluate<string>(
      `try { document.createElement('div').innerHTML = '<b>x</b>'; 'let through' } catch (error) { error.name }`,
    );
    expect(refusal).toBe('TypeError');
  });

  it('says that there is nothing at an address that it does not have', async () => {
    watched = await dashboard.open({ path: '/rooms/nowhere/at/all' });
    await watched.page.getByRole('link', { name: 'To the home' }).waitFor();
    expect(watched.complaints).toEqual([]);
  });
});
