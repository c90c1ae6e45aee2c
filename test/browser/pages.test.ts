/** The pages in a real browser, served by a real relay over HTTP, with a real lamp behind it. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RESOURCES } from '../../src/api/openapi/resources.ts';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { builtWeb } from '../support/built-web.ts';
import { E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { launchChromium, NO_BROWSER, openPage, type PageOptions, type WatchedPage } from './chromium.ts';
import { expectAccessible } from './page-rules.ts';

const ON_IID = 9;
/** A liveness bound: a browser starts slowly on a machine that has a whole test run to do meanwhile. */
const PATIENCE_MS = 180_000;
const SUITE = `the pages in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;

let directory: TempDirectory;
let lamp: RawAccessory;
let relay: E2eRelay;
let browser: Browser;
let watched: WatchedPage | undefined;

async function open(path: string, options: PageOptions = {}): Promise<WatchedPage> {
  watched = await openPage(browser, new URL(relay.url).origin, options);
  await watched.page.goto(new URL(path, relay.url).href);
  return watched;
}

/** For people: `HEARTHD_SCREENSHOTS=dir` keeps what the pages look like. */
async function picture({ page }: WatchedPage, name: string): Promise<void> {
  const folder = process.env.HEARTHD_SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}

/** Gives the reference a token, as a person does. */
async function authorize(page: Page, token: string): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.locator('#auth-bearer-value').fill(token);
  const buttons = page.locator('.auth-btn-wrapper');
  await buttons.getByRole('button', { name: 'Apply credentials' }).click();
  await buttons.getByRole('button', { name: 'Close' }).click();
}

/**
 * What Swagger UI shows on the way down the page: of a long list it keeps only what is in sight.
 * @returns the ids of operations seen until `isEnough`, or to the end.
 */
async function scrollDown(page: Page, isEnough: (seen: ReadonlySet<string>) => boolean): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  const look =
    '[[...document.querySelectorAll(".opblock")].map(({ id }) => id), scrollY + innerHeight >= document.body.scrollHeight - 2]';
  for (let atEnd = 0; atEnd < 5; ) {
    const [ids, isEnd] = await page.evaluate<[string[], boolean]>(look);
    for (const id of ids) seen.add(id);
    if (isEnough(seen)) break;
    atEnd = isEnd ? atEnd + 1 : 0;
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(50);
  }
  return seen;
}

/**
 * Uses the token that is typed in, and waits until GraphiQL has its query and the answer to its question for the
 * schema.
 */
async function signIn(page: Page): Promise<void> {
  const schema = page.waitForResponse('**/graphql');
  await page.keyboard.press('Enter');
  await schema;
  await page.locator('.graphiql-query-editor').getByText('homes').waitFor();
  await page.locator('.graphiql-spinner').waitFor({ state: 'detached' });
}

function hasFocus(page: Page, selector: string): Promise<boolean> {
  return page.evaluate<boolean>(`document.activeElement.matches('${selector}')`);
}

/** Nothing sticks out to the side. */
async function expectToFit({ page }: WatchedPage): Promise<void> {
  const [content, window] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  expect(content).toBeLessThanOrEqual(window);
}

describe.skipIf(NO_BROWSER)(SUITE, { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    directory = createTempDirectory('pages');
    lamp = await startRawAccessory({
      database: [lampAccessory('Lamp')],
      name: 'Lamp',
      paired: [KNOWN_CONTROLLER],
    });
    sharePairings(directory, [lamp]);
    relay = await E2eRelay.start({ directory, overrides: { pagesDirectory: builtWeb() } });
    await relay.untilStatus(lamp.deviceId, 'connected');
    browser = await launchChromium();
  }, PATIENCE_MS);

  afterEach(async () => {
    await watched?.page.context().close();
    watched = undefined;
  });

  afterAll(async () => {
    await browser?.close();
    await relay?.[Symbol.asyncDispose]();
    await lamp?.stop();
    directory?.remove();
  });

  describe('/docs', () => {
    const phone = { width: 390, height: 844 };

    it('is the manual: its menu leads to every topic, and nothing is loaded from elsewhere', async () => {
      const manual = await open('/docs');
      await manual.page.getByRole('heading', { name: 'The hearthd manual' }).waitFor();
      const menu = manual.page.getByRole('navigation', { name: 'Contents' });
      const addresses = await menu
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => (link as { href?: string }).href ?? ''));
      expect(addresses.length).toBeGreaterThan(20);
      for (const address of addresses) expect([address, (await fetch(address)).status]).toEqual([address, 200]);
      await menu.getByRole('link', { name: 'Settings' }).click();
      await manual.page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
      expect(await menu.locator('[aria-current=page]').innerText()).toBe('Settings');
      expect(manual.complaints).toEqual([]);
    });

    it('finds what people type, in the manual and in the reference, by the keyboard alone', async () => {
      const manual = await open('/docs/install');
      const { page } = manual;
      await page.getByRole('searchbox').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('paired elsewhere');
      await page.locator('#hits mark').first().waitFor();
      await picture(manual, 'manual-search');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'An accessory is "paired elsewhere"' }).waitFor();
      expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe(
        '/docs/troubleshooting#an-accessory-is-paired-elsewhere',
      );
      await page.getByRole('searchbox').fill('POST /rest/scenes/{id}/execute');
      await page.locator('#hits a').first().click();
      await page.locator('#operations-Scenes-executeScene .opblock-body').waitFor();
      expect(manual.complaints).toEqual([]);
    });

    it('reports that nothing is found, and closes with Escape', async () => {
      const { page } = await open('/docs');
      await page.getByRole('searchbox').fill('zebra crossing <img src=x>');
      await page.getByText('Nothing has all of').waitFor();
      await page.keyboard.press('Escape');
      expect(await page.locator('#hits').isHidden()).toBe(true);
    });

    it('can be read without a script', async () => {
      const context = await browser.newContext({ javaScriptEnabled: false });
      try {
        const page = await context.newPage();
        await page.goto(new URL('/docs/backup', relay.url).href);
        await page.getByRole('heading', { name: 'Self-repair' }).waitFor();
        await page
          .getByRole('navigation', { name: 'Contents' })
          .getByRole('link', { name: 'Security', exact: true })
          .click();
        await page.getByRole('heading', { name: 'Access', exact: true }).waitFor();
        expect(await page.getByRole('searchbox').count()).toBe(0);
      } finally {
        await context.close();
      }
    });

    it.each(['/docs', '/docs/cli', '/docs/settings', '/docs/automations'])(
      '%s fits a phone and a computer, by day and in the dark, and is accessible',
      async (path) => {
        const name = path === '/docs' ? 'start' : path.slice('/docs/'.length);
        for (const [size, options] of Object.entries({ computer: { width: 1280, height: 900 }, phone })) {
          const manual = await open(path, options);
          for (const colorScheme of ['light', 'dark'] as const) {
            await manual.page.emulateMedia({ colorScheme });
            await expectToFit(manual);
            await expectAccessible(manual.page);
            await picture(manual, `manual-${name}-${size}-${colorScheme}`);
          }
          expect(manual.complaints).toEqual([]);
          await manual.page.context().close();
        }
        watched = undefined;
      },
    );

    it('has its menu behind a button on a phone', async () => {
      const manual = await open('/docs/install', phone);
      const { page } = manual;
      const menu = page.getByRole('navigation', { name: 'Contents' });
      expect(await menu.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Contents' }).click();
      await menu.getByRole('link', { name: 'Backup' }).first().waitFor();
      await picture(manual, 'manual-menu-phone');
      await page.keyboard.press('Escape');
      expect(await menu.isVisible()).toBe(false);
    });
  });

  describe('/docs/api', () => {
    it('lists the operations, loads nothing from elsewhere and has no console errors', async () => {
      const docs = await open('/docs/api');
      await docs.page.getByRole('heading', { name: 'hearthd' }).waitFor();
      await docs.page.locator('.opblock').first().waitFor();
      expect(await docs.page.locator('#operations-State-getState').innerText()).toContain('/rest/state');
      await picture(docs, 'docs-desktop');
      await expectToFit(docs);
      const described = RESOURCES.flatMap(({ operations }) => operations.map(({ id }) => id));
      const seen = await scrollDown(docs.page, (ids) => ids.size === described.length);
      expect([...seen].map((id) => id.replace(/^operations-.*-/, '')).sort()).toEqual([...described].sort());
      expect(docs.complaints).toEqual([]);
      expect(docs.requests).toContain('GET /openapi.json');
    });

    it('switches a lamp on from "Execute" once a token is entered, which it forgets with the page', async () => {
      const docs = await open('/docs/api');
      const { page } = docs;
      await authorize(page, relay.token);
      const operation = page.locator('#operations-State-setState');
      await operation.locator('.opblock-summary-control').click();
      const [home, room, key] = (await relay.state('Lamp')).path;
      await operation
        .locator('textarea.body-param__text')
        .fill(JSON.stringify({ [home]: { [room]: { [key]: { on: true } } } }));
      await operation.getByRole('button', { name: 'Execute' }).click();
      await operation.locator('.live-responses-table .response-col_status').getByText('200').waitFor();
      await eventually(() => lamp.get(1, ON_IID) === true || lamp.get(1, ON_IID) === 1, 'the lamp to be on');
      await picture(docs, 'docs-executed');
      expect(docs.complaints).toEqual([]);
      expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(
        relay.token,
      );
    });

    it('distinguishes a wrong token from a right one', async () => {
      const { page } = await open('/docs/api');
      await authorize(page, 'hc_wrong');
      const operation = page.locator('#operations-Homes-listHomes');
      await operation.locator('.opblock-summary-control').click();
      await operation.getByRole('button', { name: 'Execute' }).click();
      await operation.locator('.live-responses-table').getByText('invalid_token').first().waitFor();
    });

    it('runs nothing that an accessory’s name holds', async () => {
      const { id } = await relay.accessory('Lamp');
      const name = '<img src=x onerror=document.title=1>';
      expect((await relay.request('PATCH', `/rest/accessories/${id}`, { name })).status).toBe(200);
      try {
        const docs = await open('/docs/api');
        await authorize(docs.page, relay.token);
        const operation = docs.page.locator('#operations-Accessories-listAccessories');
        await scrollDown(docs.page, (seen) => seen.has('operations-Accessories-listAccessories'));
        await operation.locator('.opblock-summary-control').click();
        await operation.getByRole('button', { name: 'Execute' }).click();
        await operation.locator('.live-responses-table').getByText('onerror').first().waitFor();
        expect(await docs.page.title()).toBe('hearthd: API reference');
        expect(docs.complaints).toEqual([]);
      } finally {
        await relay.request('PATCH', `/rest/accessories/${id}`, { name: null });
      }
    });

    it('can be used with the keyboard alone', async () => {
      const docs = await open('/docs/api');
      const { page } = docs;
      const summary = page.locator('#operations-Homes-listHomes .opblock-summary-control');
      await summary.focus();
      await page.keyboard.press('Enter');
      const execute = page.locator('#operations-Homes-listHomes').getByRole('button', { name: 'Execute' });
      await execute.waitFor();
      for (let presses = 0; presses < 15; presses += 1) {
        await page.keyboard.press('Tab');
        if (await hasFocus(page, '.execute')) break;
      }
      expect(await hasFocus(page, '.execute')).toBe(true);
    });

    it('fits a phone by day and in the dark', async () => {
      const docs = await open('/docs/api', { width: 390, height: 844 });
      await docs.page.locator('.opblock').first().waitFor();
      await docs.page.locator('#operations-State-setState .opblock-summary-control').click();
      await docs.page.locator('#operations-State-setState').getByRole('button', { name: 'Execute' }).waitFor();
      await picture(docs, 'docs-phone');
      await expectToFit(docs);
      await docs.page.emulateMedia({ colorScheme: 'dark' });
      await picture(docs, 'docs-phone-in-the-dark');
      await expectToFit(docs);
      expect(docs.complaints).toEqual([]);
    });
  });

  describe('/graphiql', () => {
    it('asks for a token first, runs its first query with it, and loads nothing from elsewhere', async () => {
      const graphiql = await open('/graphiql');
      const { page } = graphiql;
      const token = page.getByLabel('Access token');
      await token.waitFor();
      expect(await hasFocus(page, '#token')).toBe(true);
      await picture(graphiql, 'graphiql-token');
      await page.keyboard.type(relay.token);
      await signIn(page);
      await page.getByRole('button', { name: 'Execute query' }).click();
      await page.locator('.result-window').getByText('"Lamp"').first().waitFor();
      await picture(graphiql, 'graphiql-desktop');
      await expectToFit(graphiql);
      expect(graphiql.complaints).toEqual([]);
      expect(new Set(graphiql.requests.filter((request) => request.startsWith('POST')))).toEqual(
        new Set(['POST /graphql']),
      );
    });

    it('shows what a subscription sends, as it happens, until it is stopped', async () => {
      const graphiql = await open('/graphiql');
      const { page } = graphiql;
      await page.getByLabel('Access token').fill(relay.token);
      await signIn(page);
      await page.locator('.graphiql-query-editor .CodeMirror').first().click();
      await page.keyboard.press('ControlOrMeta+A');
      // Named as the query before it: the editor takes a moment to find out what it is called.
      await page.keyboard.insertText('subscription Everything { stateChanged { accessoryName value } }');
      const stream = page.waitForResponse(
        async (response) => (await response.headerValue('Content-Type'))?.startsWith('text/event-stream') === true,
      );
      await page.getByRole('button', { name: 'Execute query' }).click();
      await stream;
      lamp.set(1, ON_IID, lamp.get(1, ON_IID) !== true);
      await page.locator('.result-window').getByText('"Lamp"').first().waitFor();
      await page.getByRole('button', { name: 'Stop query' }).click();
      await page.getByRole('button', { name: 'Execute query' }).waitFor();
      expect(graphiql.complaints).toEqual([]);
    });

    it('keeps the token in this tab only, and deletes it on request', async () => {
      const { page } = await open('/graphiql');
      await page.getByLabel('Access token').fill(relay.token);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Execute query' }).waitFor();
      expect(await page.evaluate('JSON.stringify({ ...localStorage })')).toBe('{}');
      expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toContain(relay.token);
      await page.getByRole('button', { name: 'Forget it' }).click();
      await page.getByLabel('Access token').waitFor();
      expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain(relay.token);
    });

    it('shows the sentence of a refusal', async () => {
      const { page } = await open('/graphiql');
      await page.getByLabel('Access token').fill('hc_wrong');
      await signIn(page);
      await page.getByRole('button', { name: 'Execute query' }).click();
      await page.locator('.result-window').getByText(/token/i).first().waitFor();
    });

    it.each([
      { name: 'phone', width: 390, height: 844, dark: false },
      { name: 'desktop in the dark', width: 1280, height: 900, dark: true },
    ])('fits a $name', async ({ name, ...options }) => {
      const graphiql = await open('/graphiql', options);
      await graphiql.page.getByLabel('Access token').fill(relay.token);
      await signIn(graphiql.page);
      await graphiql.page.getByRole('button', { name: 'Execute query' }).click();
      await graphiql.page.locator('.result-window').getByText('"Lamp"').first().waitFor();
      await picture(graphiql, `graphiql-${name.replaceAll(' ', '-')}`);
      await expectToFit(graphiql);
      expect(graphiql.complaints).toEqual([]);
    });
  });
});
