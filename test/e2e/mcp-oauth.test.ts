/**
 * An MCP client as people use them, from nothing but the address: it finds out by itself how to sign a user in,
 * registers, sends its user through our pages, and works with what they allowed. The SDK's own client over real HTTP;
 * only its browser is played.
 */
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { slugKey } from '../../src/home/slug.ts';
import { type Choice, createOAuthFixture, type OAuthFixture } from '../support/oauth-fixture.ts';

const HOUR_MS = 3_600_000;
/** Where the app on the user's computer listens; no client follows the redirect. */
const REDIRECT = 'http://127.0.0.1:43117/callback';

let fixture: OAuthFixture;
const clients: Client[] = [];

beforeEach(async () => {
  fixture = await createOAuthFixture();
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await fixture.close();
});

/** What an app keeps of its sign-in, in memory. */
class Keychain implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = {
    client_name: 'Assistant',
    redirect_uris: [REDIRECT],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  client: OAuthClientInformationMixed | undefined;
  granted: OAuthTokens | undefined;
  #verifier = '';
  #discovered: OAuthDiscoveryState | undefined;
  /** Where it would have opened the browser. */
  readonly opened: URL[] = [];

  clientInformation() {
    return this.client;
  }
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.client = client;
  }
  tokens() {
    return this.granted;
  }
  saveTokens(tokens: OAuthTokens) {
    this.granted = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.opened.push(url);
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovered = state;
  }
  discoveryState() {
    return this.#discovered;
  }
}

function transportOf(keychain: Keychain): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(`${fixture.origin}/mcp`), { authProvider: keychain });
}

async function connect(keychain: Keychain): Promise<Client> {
  const client = new Client({ name: 'assistant', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transportOf(keychain));
  clients.push(client);
  return client;
}

/** The user's part: our pages, from where the app sent the browser to where we send it back. */
async function allowInBrowser(keychain: Keychain, choice: Choice): Promise<URLSearchParams> {
  const url = keychain.opened.at(-1);
  if (!url) throw new Error('The app opened no browser');
  const browser = fixture.browserOf();
  const page = await fixture.follow(browser, await browser.get(url.pathname + url.search));
  const answer = await fixture.allow(browser, page, choice);
  expect(answer.location?.startsWith(REDIRECT)).toBe(true);
  return new URL(answer.location ?? '').searchParams;
}

async function signIn(choice: Choice): Promise<{ readonly keychain: Keychain; readonly client: Client }> {
  const keychain = new Keychain();
  await expect(connect(keychain)).rejects.toThrow(UnauthorizedError);
  await transportOf(keychain).finishAuth(await allowInBrowser(keychain, choice));
  return { keychain, client: await connect(keychain) };
}

function setLamp(client: Client, on: boolean) {
  const { home } = fixture.home;
  const updates = [{ home: slugKey(home.name, home.id), room: 'Living Room', accessory: 'Lamp', on }];
  return client.callTool({ name: 'set_state', arguments: { updates } });
}

describe('An MCP client that knows only the address', () => {
  it('finds its way in, and does what its user allowed', async () => {
    const { keychain, client } = await signIn({ scope: 'write' });
    const [opened] = keychain.opened;
    expect(opened?.searchParams.get('resource')).toBe(`${fixture.origin}/mcp`);
    expect(opened?.searchParams.get('code_challenge_method')).toBe('S256');
    expect(keychain.client).toHaveProperty('client_id');
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('set_state');
    expect((await setLamp(client, true)).structuredContent).toMatchObject({ updated: 1, failed: 0 });
  });

  it('goes on by itself when its token has ended, and after that with the new one', async () => {
    const { keychain, client } = await signIn({ scope: 'write' });
    const first = keychain.granted;
    await fixture.home.clock.advance(HOUR_MS + 60_000);
    expect((await setLamp(client, true)).isError).toBeFalsy();
    expect(keychain.granted?.access_token).not.toBe(first?.access_token);
    expect(keychain.granted?.refresh_token).not.toBe(first?.refresh_token);
    expect(keychain.opened).toHaveLength(1);
    expect((await setLamp(client, false)).isError).toBeFalsy();
  });

  it('sees the tools of its scope alone, and sends its user back when it needs more', async () => {
    const { keychain, client } = await signIn({ scope: 'read' });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('get_state');
    expect(names).not.toContain('set_state');
    await expect(setLamp(client, true)).rejects.toThrow();
    expect(keychain.opened).toHaveLength(2);
    expect(keychain.opened[1]?.searchParams.get('scope')).toContain('mcp:write');

    await transportOf(keychain).finishAuth(await allowInBrowser(keychain, { scope: 'write' }));
    expect((await setLamp(await connect(keychain), true)).structuredContent).toMatchObject({ updated: 1 });
  });

  it('reaches into the homes alone that its user gave it', async () => {
    const { client } = await signIn({ scope: 'write', homes: { [fixture.home.home.id]: 'view' } });
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('set_state');
    const { structuredContent } = await client.callTool({ name: 'get_state', arguments: {} });
    expect(Object.keys(structuredContent ?? {})).toContain('_homes');
    expect(await setLamp(client, true)).toMatchObject({ isError: true });
  });

  it('gets a token that opens this door and no other', async () => {
    const { keychain } = await signIn({ scope: 'write' });
    expect(await fixture.statusOf(keychain.granted?.access_token ?? '')).toBe(401);
  });

  it('is out at once when its user takes it back', async () => {
    const { keychain, client } = await signIn({ scope: 'write' });
    const { clientId } = fixture.home.authorizedApps.list(fixture.ann.caller)[0] ?? { clientId: '' };
    fixture.home.authorizedApps.revoke(fixture.ann.caller, clientId);
    await expect(setLamp(client, true)).rejects.toThrow();
    // Neither does the refresh token help: its user is asked again.
    expect(keychain.opened.length).toBeGreaterThan(1);
  });
});
