/**
 * Every page that people see, in a furnished home: in each language and both looks, from the smallest screen to a wide
 * one. It takes minutes of the processor: `npm run every-page`. With `HEARTHD_SCREENSHOTS=dir` it keeps pictures.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '../../src/texts/languages.ts';
import { E2eRelay } from '../support/e2e-relay.ts';
import { openPage, type WatchedPage } from './chromium.ts';
import { expectAccessible, expectRoomsInPlace, expectToFit, NO_BROWSER, OWNER, picture } from './dashboard.ts';
import { type FurnishedHome, startFurnishedHome } from './furnished-home.ts';
import { ABSENT, textsOf, wrongTexts } from './page-texts.ts';
import { addressesOf, go, PATHS, settled, watchRequests } from './page-visits.ts';

const SUITE = `every page in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;

interface Size {
  readonly width: number;
  readonly height: number;
  /** Of which a picture is kept, under this name. */
  readonly name?: string;
}

const SIZES: readonly Size[] = [
  { width: 320, height: 640 },
  { width: 390, height: 844, name: 'phone' },
  { width: 1280, height: 900, name: 'desktop' },
  { width: 2560, height: 1300 },
];

const SCHEMES = ['light', 'dark'] as const;

/** Addresses of the app beside its pages, for a person who is signed in. */
const OTHERS: Readonly<Record<string, string>> = {
  'not-found': '/rooms/1/2',
  'welcome-home': '/welcome?step=home',
  'welcome-place': '/welcome?step=place',
  'welcome-accessories': '/welcome?step=accessories',
  'welcome-history': '/welcome?step=history',
  // A device stays one for the wall.
  tablet: '/?kiosk&dim=off',
};

/** Pages about what does not exist, by the names of their pictures. */
const ABOUT_NOTHING: readonly string[] = ['not-found', 'served-no-invitation', 'served-no-share'];

/** Some of the pages that the relay renders have the status of an error. */
const EXPECTED_ON_CONSOLE = /the server responded with a status of 4/;

let home: FurnishedHome;
let unclaimed: E2eRelay;

/** Opens what is folded to rows, or folds it again. */
const TOGGLE_ROWS = `(() => {
  const rows = document.querySelectorAll('h2 > button[aria-controls]');
  for (const row of rows) row.click();
  return rows.length;
})()`;

/** What is wrong with the page by any rule, in any size and look. @param name of its pictures */
async function faultsOf(
  { page, complaints }: WatchedPage,
  language: Language,
  name: string,
): Promise<readonly string[]> {
  const earlier = complaints.length;
  const faults: string[] = [];
  const note = (where: string, error: unknown) =>
    faults.push(`${name}, ${where}: ${(error as { actual?: unknown }).actual ?? error}`);
  let schemes = [...SCHEMES];
  for (const { name: size, ...viewport } of SIZES) {
    await page.setViewportSize(viewport);
    for (const colorScheme of schemes) {
      const where = `${viewport.width} pixels, ${colorScheme}`;
      await page.emulateMedia({ colorScheme });
      await page.locator(`html:is(${inScheme(colorScheme)}, :not(${inScheme()}))`).waitFor({ state: 'attached' });
      await settled(page);
      const check = async (state: string) => {
        await expectToFit(page).catch((error) => note(state, error));
        await expectAccessible(page).catch((error) => note(state, error));
      };
      await check(where);
      await expectRoomsInPlace(page).catch((error) => note(where, error));
      if (size !== undefined) await picture(page, `${name}-${size}-${colorScheme}-${language}`, { fullPage: true });
      if ((await page.evaluate<number>(TOGGLE_ROWS)) > 0) {
        await settled(page);
        await check(`${where}, open`);
        await page.evaluate(TOGGLE_ROWS);
      }
      if (size !== undefined && (await openMenu(page))) {
        await expectAccessible(page, '[role=menu]').catch((error) => note(`${where}, its menu`, error));
        await expectToFit(page).catch((error) => note(`${where}, with a menu`, error));
        await page.keyboard.press('Escape');
      }
    }
    // What is on goes first: each change draws the page again.
    schemes = schemes.toReversed();
  }
  const wrong = wrongTexts(await textsOf(page), language, ABOUT_NOTHING.includes(name) ? [] : ABSENT);
  faults.push(...wrong.map((text) => `${name}: text “${text}”`));
  const isExpected = (complaint: string) => name.startsWith('served-') && EXPECTED_ON_CONSOLE.test(complaint);
  faults.push(...complaints.slice(earlier).filter((complaint) => !isExpected(complaint)));
  return faults;
}

/** @returns whether the page has one, in sight */
async function openMenu(page: Page): Promise<boolean> {
  const opener = page.locator('main [aria-haspopup="menu"]:visible').first();
  if ((await opener.count()) === 0 || (await page.getByRole('dialog').count()) > 0) return false;
  await opener.click();
  await page.getByRole('menu').waitFor();
  return true;
}

/** Only the dashboard notes the look in its document. */
function inScheme(colorScheme?: string): string {
  return `[data-mantine-color-scheme${colorScheme === undefined ? '' : `="${colorScheme}"`}]`;
}

/** `accessories-id-2` of the second `/accessories/:id`. */
function nameOf(path: string, number = 0): string {
  const words = path.split(/\W+/).filter((word) => word !== '');
  return [words.join('-') || 'home', ...(number === 0 ? [] : [number + 1])].join('-');
}

/** Some pages are visited with a dozen things, each at every size. */
const VISIT_MS = 600_000;

describe.skipIf(NO_BROWSER)(SUITE, { timeout: VISIT_MS }, () => {
  beforeAll(async () => {
    home = await startFurnishedHome();
    unclaimed = await E2eRelay.start({ overrides: { pagesDirectory: home.dashboard.pages } });
  }, VISIT_MS);

  afterAll(async () => {
    await unclaimed?.[Symbol.asyncDispose]();
    await home?.stop();
  });

  describe.each(Object.keys(LANGUAGES) as Language[])('in the language %s', (language) => {
    let watched: WatchedPage;

    beforeAll(async () => {
      watched = await home.dashboard.open({ lang: language });
      watchRequests(watched.page);
      await watched.page.reload();
    });

    afterAll(() => watched?.page.context().close());

    it.each(PATHS)('%s is accessible, fits and is whole at every size in both looks', async (path) => {
      const faults: string[] = [];
      for (const [number, address] of addressesOf(path, home.parts).entries()) {
        await go(watched.page, address);
        faults.push(...(await faultsOf(watched, language, nameOf(path, number))));
      }
      expect(faults).toEqual([]);
    });

    it.each(Object.entries(OTHERS))('%s is so too', async (name, address) => {
      const { page } = watched;
      await page.goto(new URL(address, home.dashboard.relay.url).href);
      expect(await faultsOf(watched, language, name)).toEqual([]);
    });

    it('the sign-in page and the welcome page are so too', async () => {
      for (const [name, relay] of Object.entries({ 'sign-in': home.dashboard.relay, welcome: unclaimed })) {
        const stranger = await openServed(relay, language);
        await stranger.page.goto(new URL('/', relay.url).href);
        expect(await faultsOf(stranger, language, name)).toEqual([]);
        await stranger.page.context().close();
      }
    });

    it('the pages that the relay renders are so too', async () => {
      const { relay } = home.dashboard;
      const visitor = await openServed(relay, language);
      const { page } = visitor;
      const faults: string[] = [];
      const visit = async (paths: Readonly<Record<string, string>>) => {
        for (const [name, path] of Object.entries(paths)) {
          await page.goto(new URL(path, relay.url).href);
          faults.push(...(await faultsOf(visitor, language, `served-${name}`)));
        }
      };
      await visit(home.served.open);
      await page.goto(new URL('/login', relay.url).href);
      await page.locator('#email').fill(OWNER.email);
      await page.locator('#password').fill(OWNER.password);
      await page.locator('#password').press('Enter');
      await page.waitForURL('**/account');
      await visit(home.served.signedIn);
      expect(faults).toEqual([]);
      await page.context().close();
    });
  });
});

/** A browser that the relay has not seen. */
async function openServed(relay: E2eRelay, language: Language): Promise<WatchedPage> {
  const watched = await openPage(home.dashboard.browser, new URL(relay.url).origin, {
    locale: language === 'en' ? 'en-GB' : language,
  });
  watchRequests(watched.page);
  return watched;
}
