/**
 * An app on the person's own computer, written with oauth4webapi, which opens a real browser and listens for where it
 * is sent back to: discovery, registration, signing in, consent, and the code's way home. The browser has to arrive
 * there, through every redirect after our forms, or the page's own policy has stopped it.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as oauth from 'oauth4webapi';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { E2eRelay } from '../support/e2e-relay.ts';
import { INSECURE } from '../support/oauth-fixture.ts';
import { launchChromium, NO_BROWSER } from './chromium.ts';

/** A liveness bound: a browser starts slowly on a machine that has a whole test run to do meanwhile. */
const PATIENCE_MS = 180_000;
/** How long one step may take. */
const WAIT_MS = 20_000;
const SUITE = `an app on this computer, in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;

const ANN = { email: 'ann@example.org', name: 'Ann', password: 'correct horse battery' };
const CONSENT = 'Allow Desk Panel to access your home?';

interface Begun {
  readonly address: string;
  readonly verifier: string;
  readonly state: string;
}

/** The app: what it was sent back to, it shows. */
class DeskPanel {
  readonly #server: Server;
  #authorizationServer!: oauth.AuthorizationServer;
  #client!: oauth.Client;

  constructor() {
    this.#server = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end('<!doctype html><html lang="en"><title>Desk Panel</title><h1>You may close this.</h1></html>');
    });
  }

  get redirectUri(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/callback`;
  }

  /** Finds out about the relay, and registers. */
  async start(relayUrl: string): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const issuer = new URL(new URL(relayUrl).origin);
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE });
    this.#authorizationServer = await oauth.processDiscoveryResponse(issuer, discovered);
    const metadata = {
      client_name: 'Desk Panel',
      redirect_uris: [this.redirectUri],
      token_endpoint_auth_method: 'none',
    };
    const registered = await oauth.dynamicClientRegistrationRequest(this.#authorizationServer, metadata, INSECURE);
    this.#client = await oauth.processDynamicClientRegistrationResponse(registered);
  }

  async begin(): Promise<Begun> {
    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const address = new URL(this.#authorizationServer.authorization_endpoint ?? '');
    const parameters = {
      response_type: 'code',
      client_id: this.#client.client_id,
      redirect_uri: this.redirectUri,
      scope: 'mcp:read mcp:write',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    return { address: address.href, verifier, state };
  }

  /** Checks state and issuer of what the browser came back with, and exchanges the code. */
  async finish(callback: URL, { verifier, state }: Begun): Promise<oauth.TokenEndpointResponse> {
    const parameters = oauth.validateAuthResponse(this.#authorizationServer, this.#client, callback, state);
    const answer = await oauth.authorizationCodeGrantRequest(
      this.#authorizationServer,
      this.#client,
      oauth.None(),
      parameters,
      this.redirectUri,
      verifier,
      INSECURE,
    );
    return oauth.processAuthorizationCodeResponse(this.#authorizationServer, this.#client, answer);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe.skipIf(NO_BROWSER)(SUITE, { timeout: PATIENCE_MS, retry: 1 }, () => {
  const app = new DeskPanel();
  const complaints: string[] = [];
  let relay: E2eRelay;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    relay = await E2eRelay.start();
    await relay.asSystem('POST', '/rest/users', ANN);
    await app.start(relay.url);
    browser = await launchChromium();
    const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
    context.setDefaultTimeout(WAIT_MS);
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    context.on('weberror', (error) => complaints.push(error.error().message));
    page = await context.newPage();
  }, PATIENCE_MS);

  afterAll(async () => {
    await browser?.close();
    app.stop();
    await relay?.[Symbol.asyncDispose]();
  });

  async function allow(): Promise<URL> {
    await page.getByRole('heading', { name: CONSENT }).waitFor();
    await page.getByText(new URL(app.redirectUri).host, { exact: true }).waitFor();
    await page.getByLabel('Your password').fill(ANN.password);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    return arrive();
  }

  async function arrive(): Promise<URL> {
    await page.getByRole('heading', { name: 'You may close this.' }).waitFor();
    const url = new URL(page.url());
    expect(url.origin + url.pathname).toBe(app.redirectUri);
    return url;
  }

  const statusOf = async (token: string): Promise<number> =>
    (await fetch(new URL('/rest/state', relay.url), { headers: { Authorization: `Bearer ${token}` } })).status;

  it('sends its person through signing in and consent, who arrives back at it with a code that is worth a token', async () => {
    const begun = await app.begin();
    await page.goto(begun.address);
    await page.getByText('An app requests access to your home.').waitFor();
    await page.getByLabel('Email address').fill(ANN.email);
    await page.getByLabel('Password').fill(ANN.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const callback = await allow();
    expect([...callback.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state']);
    const tokens = await app.finish(callback, begun);
    expect(tokens).toMatchObject({ expires_in: 3600, scope: 'mcp:read mcp:write' });
    expect(await statusOf(tokens.access_token)).toBe(200);
    expect(complaints).toEqual([]);
  });

  it('has to ask again, since any program on this computer may pass for it; a refusal arrives, too', async () => {
    const declined = await app.begin();
    await page.goto(declined.address);
    await page.getByRole('heading', { name: CONSENT }).waitFor();
    await page.getByRole('button', { name: 'Don’t allow' }).click();
    const callback = await arrive();
    expect(callback.searchParams.get('error')).toBe('access_denied');
    await expect(app.finish(callback, declined)).rejects.toMatchObject({ error: 'access_denied' });

    const begun = await app.begin();
    await page.goto(begun.address);
    const { access_token: token } = await app.finish(await allow(), begun);
    expect(await statusOf(token)).toBe(200);
    expect(complaints).toEqual([]);
  });
});
