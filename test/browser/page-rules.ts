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
 */
export async function expectAccessible(page: Page): Promise<void> {
  // Pages load when a user opens them: before that there is nothing to check.
  await page.locator('h1').first().waitFor();
  await page.evaluate(FINISHED);
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
  const options = JSON.stringify({ runOnly: RULES, resultTypes: ['violations'] });
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${options})`);
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
