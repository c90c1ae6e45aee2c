/**
 * Pages with the times of a home that is far away: on a device in its time zone, and on one in another. Of all pages
 * with `npm run every-page`, else of those that show times in their own ways.
 */
import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WatchedPage } from './chromium.ts';
import { expectAccessible, expectToFit, NO_BROWSER, PATIENCE_MS, picture } from './dashboard.ts';
import { type FurnishedHome, startFurnishedHome } from './furnished-home.ts';
import { textsOf } from './page-texts.ts';
import { addressesOf, go, PATHS, settled, watchRequests } from './page-visits.ts';

const SUITE = `times of the dashboard in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;

/** Their clocks differ by 25 hours: neither the hour nor the day is the same. */
const HOME_ZONE = 'Pacific/Kiritimati';
const FAR_ZONE = 'Pacific/Pago_Pago';
const LINE = /^Times are those of /;

/** A time of day, a date or a day, and no port or hardware address. */
const TIME =
  /(?<![\w.:])\d\d?:\d\d(?![\d:])|\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|\b(?:today|yesterday|tomorrow)\b/i;
/** How long something has lasted, which each page asks for at another second. */
const DURATION = /\d+ (?:hrs?|mins?|secs?)\b/g;
/** What an expression is, has its zone in it. */
const ISO = /^\d{4}-\d\d-\d\dT.*Z$/;

const IN_OWN_WAYS = ['/', '/accessories/:id', '/activity', '/energy', '/history', '/system'];
const VISITED = process.env.HEARTHD_EVERY_PAGE ? PATHS : IN_OWN_WAYS;

const FIELDS = `[...document.querySelectorAll('input[type^="date"], input[type="time"]')].map(({ value }) => value)`;
/** All but those of the relay itself, which end when each page asked for them. */
const DRAWN = `location.pathname === '/system' ? [] : [...document.querySelectorAll('canvas')].map((canvas) => canvas.toDataURL())`;

interface Shown {
  readonly times: readonly string[];
  /** What times are entered in. */
  readonly fields: readonly string[];
  /** Graphs, as hashes of their pictures. */
  readonly drawn: readonly string[];
}

async function shownOn(page: Page): Promise<Shown> {
  await settled(page);
  const texts = await textsOf(page);
  return {
    times: texts.filter((text) => TIME.test(text) && !ISO.test(text)).map((text) => text.replace(DURATION, '')),
    fields: await page.evaluate<string[]>(FIELDS),
    drawn: (await page.evaluate<string[]>(DRAWN)).map((picture) => createHash('sha256').update(picture).digest('hex')),
  };
}

/** Some of what is shown comes as it happens. */
async function expectEqual(address: string): Promise<Shown> {
  let far = await shownOn(there.page);
  await expect
    .poll(
      async () => {
        const near = await shownOn(here.page);
        far = await shownOn(there.page);
        return JSON.stringify(far) === JSON.stringify(near) ? address : { address, near, far };
      },
      { timeout: EQUAL_MS },
    )
    .toBe(address);
  return far;
}

/** A liveness bound. */
const EQUAL_MS = 45_000;
const VISIT_MS = 2 * PATIENCE_MS;

let home: FurnishedHome;
let here: WatchedPage;
let there: WatchedPage;

describe.skipIf(NO_BROWSER)(SUITE, { timeout: VISIT_MS }, () => {
  beforeAll(async () => {
    home = await startFurnishedHome();
    const { dashboard } = home;
    const { homes } = await dashboard.graphql('{ homes { id } }');
    await dashboard.graphql(
      'mutation ($homeId: String!, $timeZone: String!) { updateHome(homeId: $homeId, timeZone: $timeZone) { id } }',
      { homeId: homes[0].id, timeZone: HOME_ZONE },
    );
    const now = Date.now();
    const open = async (timezoneId: string): Promise<WatchedPage> => {
      const watched = await dashboard.open({ timezoneId });
      watchRequests(watched.page);
      // Graphs that end now are never the same twice.
      await watched.page.clock.setFixedTime(now);
      await watched.page.reload();
      return watched;
    };
    here = await open(HOME_ZONE);
    there = await open(FAR_ZONE);
  }, VISIT_MS);

  afterAll(() => home?.stop());

  it.each(VISITED)(
    '%s shows the times of the home on every device, and names their zone on one in another',
    async (path) => {
      for (const address of addressesOf(path, home.parts)) {
        await go(here.page, address);
        await go(there.page, address);
        const { times } = await expectEqual(address);
        const lines = await there.page.getByText(LINE).allTextContents();
        const isTimeless = times.length === 0 && lines.length === 0;
        expect({ address, lines }).toEqual({
          address,
          lines: isTimeless ? [] : [`Times are those of Lakeside, ${HOME_ZONE}`],
        });
        expect(await here.page.getByText(LINE).count()).toBe(0);
      }
      expect([...here.complaints, ...there.complaints]).toEqual([]);
    },
  );

  it('a period of the history is entered in those of the home', async () => {
    for (const { page } of [here, there]) {
      await go(page, '/history');
      await page.getByRole('button', { name: 'Other dates' }).click();
      await page.getByLabel(/^From\b/).fill('2026-01-01T23:30');
      await page.getByLabel(/^To\b/).fill('2026-01-02T06:30');
    }
    expect((await expectEqual('other dates')).fields).toEqual(['2026-01-01T23:30', '2026-01-02T06:30']);
    for (const { page } of [here, there]) {
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.waitForURL((url) => url.searchParams.get('to') === String(Date.parse('2026-01-01T16:30Z')));
    }
  });

  it.each([
    ['phone', 390, 844],
    ['desktop', 1280, 900],
  ])('names their zone once on a %s, also with a sheet', async (size, width, height) => {
    const { page } = there;
    await page.setViewportSize({ width, height });
    const [sheet = ''] = addressesOf('/accessories/:id', home.parts);
    for (const [name, path] of Object.entries({ home: '/', sheet, activity: '/activity', history: '/history' })) {
      await go(page, path);
      await settled(page);
      expect(await page.getByText(LINE).count()).toBe(1);
      await expectToFit(page);
      await expectAccessible(page);
      await picture(page, `times-${name}-${size}`);
    }
  });

  it('a tablet is dark in the hours of the home', async () => {
    const { page } = there;
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: HOME_ZONE, hour: '2-digit' });
    const hour = Number(clock.format(await page.evaluate<number>('Date.now()')));
    await page.goto(new URL(`/?kiosk&dim=${hour}:00-${(hour + 1) % 24}:00`, home.dashboard.relay.url).href);
    await page.getByRole('button', { name: 'Turn the screen on' }).waitFor();
  });

  it('a browser that does not know the zone of the home shows its own times', async () => {
    const { page, complaints } = await home.dashboard.open({ timezoneId: FAR_ZONE });
    await page.addInitScript(`Intl.DateTimeFormat = class extends Intl.DateTimeFormat {
      constructor(locale, options) {
        if (options?.timeZone === '${HOME_ZONE}') throw new RangeError('Invalid time zone specified');
        super(locale, options);
      }
    }`);
    await page.goto(new URL('/activity', home.dashboard.relay.url).href);
    const shown = page.locator('time').first();
    const at = new Date((await shown.getAttribute('datetime')) ?? '');
    const time = at.toLocaleTimeString('en-GB', { timeZone: FAR_ZONE, timeStyle: 'short' });
    expect(await shown.textContent()).toBe(time);
    expect(await page.getByText(LINE).count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
