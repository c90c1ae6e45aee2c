/**
 * The dashboard as people use it: a real daemon that serves the built pages, real HAP-NodeJS accessories paired with
 * it, an owner who is signed in, and Chromium pages that are held to what we promise.
 */
import type { Browser, Page } from 'playwright-core';
import type { Config } from '../../src/config/config.ts';
import type { Discovery } from '../../src/drivers/discovery/discovery.ts';
import type { RelayOverrides } from '../../src/relay/relay-deps.ts';
import { type DemoHome, startParts } from '../support/accessories/demo-home.ts';
import { testStorage } from '../support/accessories/hap-storage.ts';
import { buildWeb, builtWeb } from '../support/built-web.ts';
import { E2eRelay, eventually } from '../support/e2e-relay.ts';
import { OwnDevices } from '../support/own-devices.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { launchChromium, NO_BROWSER, openPage, type PageOptions, type WatchedPage } from './chromium.ts';
import { expectAccessible, expectRoomsInPlace, expectToFit } from './page-rules.ts';

export { NO_BROWSER };

/** A liveness bound: a browser and a home start slowly on a machine that has a whole test run to do meanwhile. */
export const PATIENCE_MS = 180_000;
/** How long one step of a page may take. */
const STEP_MS = 45_000;

export const OWNER = { email: 'ada@example.org', name: 'Ada', password: 'correct horse battery staple' };
const VIEWER = { email: 'grace@example.org', name: 'Grace', password: 'another long password' };
export const MARKUP = '<img src=x onerror="document.title=1">';

export interface DashboardOptions {
  /**
   * Names of devices of the simulated home (`test/support/accessories/demo-home/`); none unless given. They are paired
   * for real.
   */
  readonly accessories?: readonly string[];
  /** Announced, but not paired. */
  readonly unpaired?: readonly string[];
  /** The relay has no owner yet. */
  readonly unclaimed?: boolean;
  /** Also new accessories that are not of the simulated home. */
  readonly discoversAll?: boolean;
  readonly config?: Partial<Config>;
  readonly overrides?: RelayOverrides;
  /** Serves a copy of the pages, which the test may change. */
  readonly ownPages?: boolean;
  /** Chromium's own. */
  readonly switches?: readonly string[];
}

interface OpenOptions extends PageOptions {
  readonly path?: string;
  /** A session's or access token; the owner's unless given, `null` for a stranger. */
  readonly token?: string | null;
  /** `de` for German; English by default. */
  readonly lang?: 'en' | 'de';
}

export class Dashboard {
  readonly relay: E2eRelay;
  readonly demoHome: DemoHome;
  readonly browser: Browser;
  /** The folder that the built pages are served from: of all, or a copy by `ownPages`. */
  readonly pages: string;
  /** The owner's. */
  #session = '';
  readonly #cleanup: readonly (() => unknown)[];

  private constructor(parts: {
    relay: E2eRelay;
    demoHome: DemoHome;
    browser: Browser;
    pages: string;
    cleanup: readonly (() => unknown)[];
  }) {
    this.relay = parts.relay;
    this.demoHome = parts.demoHome;
    this.browser = parts.browser;
    this.pages = parts.pages;
    this.#cleanup = parts.cleanup;
  }

  static async start({
    accessories = [],
    unpaired = [],
    unclaimed = false,
    discoversAll = false,
    ownPages = false,
    switches,
    ...options
  }: DashboardOptions = {}) {
    const copy = ownPages ? buildWeb() : undefined;
    const pages = copy?.path ?? builtWeb();
    const directory = createTempDirectory('dashboard');
    const only = [...accessories, ...unpaired];
    const home = await startParts({
      directory: directory.file('house'),
      storage: testStorage(),
      behave: false,
      only,
    });
    const own = new Set(home.accessories.map(({ deviceId }) => deviceId));
    const wrapDiscovery = (discovery: Discovery) => (discoversAll ? discovery : new OwnDevices(discovery, own));
    const relay = await E2eRelay.start({
      directory,
      overrides: { pagesDirectory: pages, wrapDiscovery, ...options.overrides },
      ...(options.config && { config: options.config }),
    });
    const browser = await launchChromium(switches);
    const cleanup = [
      () => browser.close(),
      () => relay[Symbol.asyncDispose](),
      () => home.stop(),
      () => copy?.remove(),
      () => directory.remove(),
    ];
    const dashboard = new Dashboard({ relay, demoHome: home, browser, pages, cleanup });
    for (const name of accessories) await dashboard.#pair(name);
    if (!unclaimed) await dashboard.#claim();
    return dashboard;
  }

  /** The owner's session. */
  get session(): string {
    return this.#session;
  }

  /**
   * A browser of its own, at an address of the dashboard. Close it with `page.context().close()`, or let `stop` do it.
   */
  async open({ path = '/', token, lang = 'en', ...options }: OpenOptions = {}): Promise<WatchedPage> {
    const watched = await openPage(this.browser, new URL(this.relay.url).origin, {
      ...options,
      locale: lang === 'de' ? 'de-DE' : 'en-GB',
    });
    const { page } = watched;
    page.setDefaultTimeout(STEP_MS);
    const session = token === undefined ? this.#session : token;
    if (session) {
      const kept = JSON.stringify({ token: session, expiresAt: null, kept: true });
      await page.addInitScript(
        `if (!sessionStorage.getItem('test.begun')) { localStorage.setItem('hearthd.session', ${JSON.stringify(kept)}); sessionStorage.setItem('test.begun', '1'); }`,
      );
    }
    await page.goto(new URL(path, this.relay.url).href);
    return watched;
  }

  /** What the accessory server itself answers, as its maker's code would read it. */
  device(name: string) {
    const found = this.demoHome.accessories.find(({ device }) => device === name);
    if (!found) throw new Error(`The home has no ${name}`);
    return found;
  }

  /** A GraphQL request of the owner. @returns `data` */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
  async graphql(query: string, variables: object = {}, token = this.#session): Promise<any> {
    const response = await fetch(new URL('/graphql', this.relay.url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data: unknown; errors?: unknown };
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  }

  /** Someone new, who may only view the home. @returns the session */
  async signUpViewer(homeId: string): Promise<string> {
    const { inviteHomeMember: invited } = await this.graphql(
      `mutation ($homeId: String!, $email: String!) {
        inviteHomeMember(homeId: $homeId, email: $email, role: "view") { success error invitationCode }
      }`,
      { homeId, email: VIEWER.email },
    );
    const { signup } = await this.graphql(
      `mutation ($email: String!, $name: String!, $password: String!, $invitationCode: String!) {
        signup(email: $email, name: $name, password: $password, invitationCode: $invitationCode) { error token }
      }`,
      { ...VIEWER, invitationCode: invited.invitationCode },
      '',
    );
    if (!signup.token) throw new Error(`The viewer could not join: ${signup.error}`);
    return signup.token;
  }

  async stop(): Promise<void> {
    for (const step of this.#cleanup) await step();
  }

  async #pair(name: string): Promise<void> {
    const device = this.device(name);
    const { status, body } = await this.relay.pair(device);
    if (status >= 300) throw new Error(`${name} was not paired: ${JSON.stringify(body)}`);
    await this.relay.untilStatus(device.deviceId, 'connected');
    // Tests that run at the same time have homes with the same names, and each server takes a name of its own on the
    // network.
    const { body: all } = await this.relay.get('/rest/accessories');
    const own = all.find((accessory: { name: string }) => accessory.name === device.name);
    if (device.name !== name) await this.relay.request('PATCH', `/rest/accessories/${own.id}`, { name });
  }

  async #claim(): Promise<void> {
    const { body } = await this.relay.asSystem('POST', '/rest/setup-code');
    const { signup } = await this.graphql(
      `mutation ($email: String!, $name: String!, $password: String!, $setupCode: String!) {
        signup(email: $email, name: $name, password: $password, setupCode: $setupCode) { success error token }
      }`,
      { ...OWNER, setupCode: body.code },
      '',
    );
    if (!signup.token) throw new Error(`Nobody could claim the relay: ${signup.error}`);
    this.#session = signup.token;
  }
}

/** For people: `HEARTHD_SCREENSHOTS=dir` keeps what the pages look like. */
export async function picture(page: Page, name: string, options: { fullPage?: boolean } = {}): Promise<void> {
  const folder = process.env.HEARTHD_SCREENSHOTS;
  if (folder) await page.screenshot({ ...options, path: `${folder}/${name}.png` });
}

export { eventually, expectAccessible, expectRoomsInPlace, expectToFit };

/** Before it, what happens is shown once the page has asked again, and without a toast. */
export async function untilLive(page: Page): Promise<void> {
  await untilTrue(page, `document.documentElement.dataset.connection === 'live'`);
}

/** Playwright's own waiting needs eval in the page, which our policy forbids. */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  await eventually(() => page.evaluate<boolean>(expression), expression);
}
