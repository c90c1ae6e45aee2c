/**
 * Debian's Chromium, driven by playwright-core, and a page that must keep our promises: each line on its console, each
 * request that its content security policy stops and each request to another host is a complaint.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';
/** The same engine without a browser's own windows around it: pages are there in half the time. */
const SHELL = '/usr/bin/chromium-headless-shell';
const EXECUTABLE = existsSync(CHROMIUM) && existsSync(SHELL) ? SHELL : CHROMIUM;

/**
 * A request to another host fails at once. Playwright could stop it too, yet holds up each request for it and turns the
 * cache off: that takes a sixth of the processor time more.
 */
const NO_OTHER_HOST = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';

/** CI forbids skipping. */
const REQUIRED = process.env.HEARTHD_REQUIRE_ALL === '1';

/** Why there is no browser to test with; `undefined` if there is one, or must be. */
export const NO_BROWSER =
  existsSync(CHROMIUM) || REQUIRED ? undefined : `there is no ${CHROMIUM}: apt install chromium`;

/**
 * @param more Chromium's own switches, for what a machine without a camera has to pretend; only the whole browser knows
 * cameras.
 */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: more.length > 0 ? CHROMIUM : EXECUTABLE,
    // Root in a container has no sandbox to be put into, and the machine's own chatter with its maker is not ours to
    // judge.
    args: ['--no-sandbox', '--disable-component-update', '--disable-background-networking', NO_OTHER_HOST, ...more],
  });
  browser.once('disconnected', () => {
    for (const storage of switchedOn) storage.disable();
    switchedOn.clear();
  });
  return browser;
}

/**
 * What Playwright leaves switched on would make every promise of the files that follow in this process take twice the
 * time.
 */
const switchedOn = new Set<AsyncLocalStorage<unknown>>();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (this: AsyncLocalStorage<unknown>, ...args: unknown[]) {
  switchedOn.add(this);
  return Reflect.apply(run, this, args);
};

export interface WatchedPage {
  readonly page: Page;
  /** Empty as long as all is well. */
  readonly complaints: readonly string[];
  /** Paths asked of the relay, with their methods. */
  readonly requests: readonly string[];
}

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  /** Its languages and region: `de-DE`. */
  readonly locale?: string;
  /** Of its clock: `America/Los_Angeles`; the machine's unless given. */
  readonly timezoneId?: string;
  /** Has a screen that is touched. */
  readonly hasTouch?: boolean;
  /** Has service workers, as over https; without, as over plain http. */
  readonly hasWorkers?: boolean;
}

/** A page in a context of its own: nothing is left over from another test. */
export async function openPage(
  browser: Browser,
  origin: string,
  {
    width = 1280,
    height = 900,
    dark = false,
    locale = 'en-GB',
    hasTouch = false,
    hasWorkers = false,
    timezoneId,
  }: PageOptions = {},
): Promise<WatchedPage> {
  const viewport = { width, height };
  // What fades in has too little contrast until it is there: people who want no motion get none, and tests are such
  // people.
  const motion = { reducedMotion: 'reduce' } as const;
  const context = await browser.newContext({
    viewport,
    colorScheme: dark ? 'dark' : 'light',
    locale,
    hasTouch,
    ...(timezoneId !== undefined && { timezoneId }),
    ...motion,
  });
  // Each visit would otherwise store the whole program once more, for a later one without the relay.
  if (!hasWorkers) await context.addInitScript('delete Navigator.prototype.serviceWorker');
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`thrown: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin === origin || url.protocol === 'data:' || url.protocol === 'blob:') {
      requests.push(`${request.method()} ${url.pathname}`);
    } else complaints.push(`asks elsewhere: ${url.href}`);
  });
  await page.addInitScript(`
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error('policy: ' + event.violatedDirective + ' stopped ' + event.blockedURI + ' in ' + event.sourceFile));
  `);
  return { page, complaints, requests };
}
