/** How many clicks a task takes: each press of a pointer counts, a key does not. */
import type { Page } from 'playwright-core';

/** Begins to count on the page as it is; a reload ends it. @returns the clicks since then */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(
    `window.clicks = 0; addEventListener('pointerdown', () => { window.clicks += 1; }, { capture: true });`,
  );
  return () => page.evaluate<number>('window.clicks');
}
