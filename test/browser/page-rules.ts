/** The rules for every page, with any content. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The short form: each page compiles it again. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Once everything that moves is where it belongs; what turns for ever, or moves by scrolling, is not waited for. Where
 * the browser draws nothing, a change of colors begins when the page asks for them, and does not end by itself.
 */
const FINISHED = `(async () => {
  for (;;) {
    for (const element of document.querySelectorAll('*')) getComputedStyle(element).color;
    const moving = document.getAnimations().filter(
      ({ playState, timeline, effect }) =>
        playState === 'running' && timeline === document.timeline && effect?.getComputedTiming().endTime !== Infinity,
    );
    if (moving.length === 0) return;
    for (const one of moving) {
      if (one.effect?.target?.checkVisibility({ contentVisibilityAuto: true }) === false) one.finish();
    }
    await Promise.allSettled(moving.map((one) => one.finished));
  }
})()`;

/**
 * What axe-core finds against WCAG 2.2 A and AA, in words. It runs in the page itself: its driver for Playwright opens
 * a tab of its own for each judgement, for pages with frames, which ours are not.
 *
 * @param part a selector: the part of the page to check. What a menu covers by chance is no fault.
 */
export async function expectAccessible(page: Page, part = 'html'): Promise<void> {
  // Pages load when a user opens them: before that there is nothing to check.
  await page.locator('h1').first().waitFor();
  await page.evaluate(FINISHED);
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
  const options = JSON.stringify({ runOnly: RULES, resultTypes: ['violations'] });
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(part)}, ${options})`);
  const reported = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
  expect(reported).toEqual([]);
}

/** Nothing sticks out to the side. */
export async function expectToFit(page: Page): Promise<void> {
  const tooWide = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(tooWide).toBeLessThanOrEqual(0);
}

/** Rooms with tiles, and what is wrong with their places: `Kitchen: has an empty column`. */
const MISPLACED = `(() => {
  const rooms = [...document.querySelectorAll('[style*="--tiles"]')].map((room) => {
    const list = room.querySelector('ul, fieldset');
    const heading = list.previousElementSibling;
    return { name: heading?.textContent ?? 'no room', box: room.getBoundingClientRect(),
      heading: heading?.getBoundingClientRect() ?? { right: 0, bottom: 0 },
      list: list.getBoundingClientRect(), tiles: [...list.children].map((tile) => tile.getBoundingClientRect()) };
  });
  const differ = (one, other) => Math.abs(one - other) > 1;
  return rooms.flatMap(({ name, box, heading, list, tiles }) => {
    const beside = rooms.filter((other) => !differ(other.box.top, box.top));
    return [
      differ(Math.max(...tiles.map(({ right }) => right)), box.right) && 'has an empty column',
      heading.right > box.right + 1 && 'has a name that is too wide',
      heading.bottom > Math.min(...tiles.map(({ top }) => top)) + 1 && 'has a name on its tiles',
      beside.some((other) => differ(other.list.top, list.top)) && 'has tiles that begin elsewhere than those beside it',
    ].filter(Boolean).map((fault) => name + ': ' + fault);
  });
})()`;

/** Each room is as wide as its tiles, which begin where those of the rooms beside it begin. */
export async function expectRoomsInPlace(page: Page): Promise<void> {
  expect(await page.evaluate<string[]>(MISPLACED)).toEqual([]);
}
