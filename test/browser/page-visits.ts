/** Visits of every page of the dashboard in a furnished home. */
import type { Page, Request } from 'playwright-core';
import { eventually } from './dashboard.ts';
import type { Parts } from './furnished-home.ts';

/** Without the types of its module, which are those of a browser. */
const ROUTES_MODULE: string = new URL('../../src/web/dashboard/routes.ts', import.meta.url).href;
const { ROUTES } = (await import(ROUTES_MODULE)) as { readonly ROUTES: readonly { readonly path: string }[] };

/** Of every page of the dashboard: `/rooms/:roomId`. */
export const PATHS: readonly string[] = ROUTES.map(({ path }) => path);

/** What a page shows by the query of its address, with names of parts as addresses have them. */
const VIEWS: Readonly<Record<string, readonly string[]>> = {
  '/energy': ['?by=hour', '?by=month'],
  '/automations/new': ['?template=motionLight'],
  '/history': ['?span=7d'],
  '/scenes/new': ['?suggestion=movie'],
  '/people/shares': ['?new=accessory::id'],
  '/connections/tokens': ['?new'],
};

/** Requests that a page waits for. */
const pending = new WeakMap<Page, Set<Request>>();

export function watchRequests(page: Page): void {
  const requests = new Set<Request>();
  pending.set(page, requests);
  page.on('request', (request) => {
    if (!request.headers().accept?.includes('event-stream')) requests.add(request);
  });
  page.on('requestfailed', (request) => requests.delete(request));
  page.on('response', (response) => requests.delete(response.request()));
}

/** Two frames later, the HTML of the page, and whether something of it is still loaded. */
const SHOWN = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done({
  html: document.body.innerHTML,
  isLoading: document.querySelector('main [class*="Loader-root"]') !== null }))))`;

/** Waits until the page has all that it asked for, and changes no more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  let last = '';
  await eventually(async () => {
    const { html, isLoading } = await page.evaluate<{ html: string; isLoading: boolean }>(SHOWN);
    const isSame = html === last;
    last = html;
    return isSame && !isLoading && pending.get(page)?.size === 0;
  }, `${page.url()} to have all that it asked for`);
}

/** The addresses of a page: with each set of parts that it can be filled from. */
export function addressesOf(path: string, parts: readonly Parts[]): readonly string[] {
  const [first, ...others] = filled(path, parts);
  if (first === undefined) throw new Error(`The furnished home has nothing for ${path}`);
  const views = (VIEWS[path] ?? []).flatMap((query) => filled(first + query, parts).slice(0, 1));
  return [first, ...others, ...views];
}

function filled(path: string, all: readonly Parts[]): readonly string[] {
  const wanted = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  if (wanted.length === 0) return [path];
  const sets = all.filter((parts) => wanted.every((name) => parts[name]));
  return [...new Set(sets.map((parts) => path.replace(/:(\w+)/g, (_, name) => parts[name] ?? '')))];
}

/** As a link does, so that the app is loaded once. */
export async function go(page: Page, address: string): Promise<void> {
  await settled(page);
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`);
}
