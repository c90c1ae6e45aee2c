/**
 * The two clients that are out there (wire-facts §12), request by request as they send them, against a whole relay with
 * a real lamp: pyhomecast 0.3.0, and Home Assistant's integration 0.2.0 on top of it, which finds its own way in from
 * nothing but the address.
 */
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hiddenFields, type PageAnswer, PageClient } from '../api/html/page-client.ts';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { type Answer, E2eRelay, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

const ANN = { email: 'ann@example.org', name: 'Ann', password: 'correct horse battery' };
const HASS_REDIRECT = 'https://my.home-assistant.io/redirect/oauth';
const BRIGHTNESS = 10;

const directory = createTempDirectory('real-clients');
let lamp: RawAccessory;
let relay: E2eRelay;

beforeAll(async () => {
  lamp = await startRawAccessory({ database: [lampAccessory('Lamp')], name: 'Lamp', paired: [KNOWN_CONTROLLER] });
  sharePairings(directory, [lamp]);
  relay = await E2eRelay.start({ directory });
  await relay.untilStatus(lamp.deviceId, 'connected');
  expect((await relay.asSystem('POST', '/rest/users', ANN)).status).toBe(200);
  const [home] = (await relay.get('/rest/homes')).body;
  const { id } = await relay.accessory('Lamp');
  const actions = [{ accessoryId: id, characteristicType: 'brightness', targetValue: 25 }];
  expect((await relay.post('/rest/scenes', { homeId: home.id, name: 'Movie Night', actions })).status).toBe(200);
});

afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  await lamp.stop();
  directory.remove();
});

interface Device {
  readonly type: string;
  readonly state: Readonly<Record<string, unknown>>;
  readonly settable: readonly string[];
}

interface DemoHome {
  readonly homes: readonly string[];
  /** Under `home.room.accessory`. */
  readonly devices: Readonly<Record<string, Device>>;
}

/** Its client: JSON is announced on every call, GET too, and what is no JSON is an error. */
class Pyhomecast {
  token: string | undefined;

  async #request(method: string, path: string, body?: object): Promise<Answer> {
    const answer = await fetch(`${relay.url}${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...(this.token !== undefined && { Authorization: `Bearer ${this.token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.status >= 400) return { status: answer.status, body: await answer.text() };
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    return { status: answer.status, body: await answer.json() };
  }

  register(scope: string): Promise<Answer> {
    return this.#request('POST', '/oauth/register', {
      redirect_uris: [HASS_REDIRECT],
      client_name: 'Home Assistant',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope,
      token_endpoint_auth_method: 'client_secret_post',
    });
  }

  stateStatus = async (): Promise<number> => (await this.#request('GET', '/rest/state')).status;

  async state(filter: Record<string, string> = {}): Promise<DemoHome> {
    const { status, body } = await this.#request('GET', `/rest/state?${new URLSearchParams(filter)}`);
    expect(status).toBe(200);
    return readHome(body);
  }

  setState(updates: object): Promise<Answer> {
    return this.#request('POST', '/rest/state', updates);
  }

  runScene(home: string, name: string): Promise<Answer> {
    return this.#request('POST', '/rest/scene', { home, name });
  }
}

/** What it makes of the state tree: keys with an underscore and some names are not for it. */
function readHome(tree: Record<string, Record<string, Record<string, Record<string, unknown>>>>): DemoHome {
  const inside = <T>(level: Record<string, T>): [string, T][] =>
    Object.entries(level).filter(([key, value]) => !key.startsWith('_') && typeof value === 'object' && value !== null);
  const devices = inside(tree).flatMap(([home, rooms]) =>
    inside(rooms).flatMap(([room, accessories]) =>
      inside(accessories).map(([key, { type, _settable, name: _, group: __, accessories: ___, ...state }]) => {
        const device: Device = { type: String(type), state, settable: (_settable ?? []) as string[] };
        return [`${home}.${room}.${key}`, device] as const;
      }),
    ),
  );
  return { homes: inside(tree).map(([home]) => home), devices: Object.fromEntries(devices) };
}

function lampOf({ devices }: DemoHome): Device & { readonly path: readonly [string, string, string] } {
  const [[key, device] = []] = Object.entries(devices).filter(([name]) => /\.lamp_[0-9a-f]{4}$/.test(name));
  const [home = '', room = '', accessory = ''] = key?.split('.') ?? [];
  if (!device) throw new Error('There is no lamp');
  return { ...device, path: [home, room, accessory] };
}

function updates([home, room, accessory]: readonly [string, string, string], properties: object): object {
  return { [home]: { [room]: { [accessory]: properties } } };
}

describe('pyhomecast 0.3.0', () => {
  const client = new Pyhomecast();
  beforeAll(() => {
    client.token = relay.token;
  });

  it.each(['mcp:read mcp:write', 'read write'])('registers an app that wants "%s"', async (scope) => {
    const { status, body } = await new Pyhomecast().register(scope);
    expect(status).toBeLessThan(400);
    expect(body).toMatchObject({ client_id: expect.any(String), client_secret: expect.any(String) });
  });

  it('reads the state of all homes, and finds in it what it makes a light of', async () => {
    const inventory = await client.state();
    expect(inventory.homes).toEqual([expect.stringMatching(/^test_home_[0-9a-f]{4}$/)]);
    const { type, state, settable } = lampOf(inventory);
    expect(type).toBe('light');
    expect(state).toMatchObject({ on: expect.any(Boolean), brightness: expect.any(Number), hue: 0, saturation: 0 });
    expect(settable).toEqual(expect.arrayContaining(['on', 'brightness', 'hue', 'saturation', 'color_temp']));
  });

  it('filters by home, room, type and name', async () => {
    const [home, room] = lampOf(await client.state()).path;
    const kept = { home, room, type: 'light', name: 'lamp' };
    for (const [filter, value] of Object.entries(kept)) {
      expect([filter, lampOf(await client.state({ [filter]: value })).type]).toEqual([filter, 'light']);
    }
    expect((await client.state({ ...kept, type: 'lock' })).devices).toEqual({});
    expect((await client.state({ ...kept, name: 'no such thing' })).devices).toEqual({});
  });

  it('sets a lamp by the nested form', async () => {
    const { path } = lampOf(await client.state());
    const { status, body } = await client.setState(updates(path, { on: true, brightness: 40 }));
    expect([status, body.updated, body.failed]).toEqual([200, 1, 0]);
    expect(lamp.get(1, BRIGHTNESS)).toBe(40);
    expect(lampOf(await client.state()).state).toMatchObject({ on: true, brightness: 40 });
  });

  it('runs a scene by the key of its home and its name in any case', async () => {
    const { homes } = await client.state();
    expect(await client.runScene(homes[0] ?? '', 'movie night')).toMatchObject({ status: 200 });
    expect(lamp.get(1, BRIGHTNESS)).toBe(25);
    expect((await client.runScene(homes[0] ?? '', 'No Such Night')).status).toBe(404);
  });

  it('takes a token that is wrong or missing for a matter of signing in: 401', async () => {
    const stranger = new Pyhomecast();
    expect(await stranger.stateStatus()).toBe(401);
    stranger.token = 'hc_wrong';
    expect(await stranger.stateStatus()).toBe(401);
  });
});

describe('Home Assistant 0.2.0, community mode', () => {
  interface Credential {
    readonly clientId: string;
    readonly secret: string;
  }

  interface HassTokens {
    readonly access_token: string;
    readonly refresh_token: string;
    readonly expires_in: number;
    readonly token_type: string;
  }

  /** The person's browser: all that is theirs is the address that Home Assistant opens. */
  function browserOf(): PageClient {
    const request = (url: string, init: RequestInit) => fetch(url, { ...init, redirect: 'manual' });
    return new PageClient({ request: request as never }, new URL(relay.url).origin);
  }

  /**
   * Follows what a browser follows by itself, the page after signing in too, to a page that asks something or away from
   * here.
   */
  async function follow(browser: PageClient, answer: PageAnswer): Promise<PageAnswer> {
    const onward = answer.location ?? /http-equiv="refresh" content="0; ?url=([^"]+)"/.exec(answer.text)?.[1];
    if (onward === undefined) return answer;
    const here = new URL(onward.replaceAll('&amp;', '&'), relay.url);
    if (here.origin !== new URL(relay.url).origin) return answer;
    return follow(browser, await browser.get(here.pathname + here.search));
  }

  async function signIn(browser: PageClient, page: PageAnswer): Promise<PageAnswer> {
    expect(page.text).toContain('<h1>Sign in</h1>');
    return follow(browser, await browser.submit(page, '/login', { email: ANN.email, password: ANN.password }));
  }

  async function allow(browser: PageClient, page: PageAnswer): Promise<PageAnswer> {
    const action = /action="(\/oauth\/interaction\/[^"]+)"/.exec(page.text)?.[1] ?? '';
    const chosen = { scope: 'write', all_homes: 'on', password: ANN.password, approve: 'yes' };
    return follow(browser, await browser.post(action, { ...hiddenFields(page.text, action), ...chosen }));
  }

  async function register(): Promise<Credential> {
    const { body } = await new Pyhomecast().register('read write');
    return { clientId: body.client_id, secret: body.client_secret ?? '' };
  }

  /** The address that it opens: `{url}/oauth/authorize` with PKCE; its state is a JWT of its own. */
  function authorizePath({ clientId }: Credential, verifier: string, state: string): string {
    return `/oauth/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: HASS_REDIRECT,
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope: 'read write',
    })}`;
  }

  /** Its helper sends id and secret with each request, and reads `expires_in` as a number. */
  async function askToken({ clientId, secret }: Credential, fields: Record<string, string>) {
    const body = new URLSearchParams({ ...fields, client_id: clientId, client_secret: secret });
    const answer = await fetch(`${relay.url}/oauth/token`, { method: 'POST', body });
    return { status: answer.status, body: (await answer.json()) as HassTokens };
  }

  async function exchange(credential: Credential, verifier: string, answer: PageAnswer, state: string) {
    const callback = new URL(answer.location ?? 'about:blank');
    expect(callback.origin + callback.pathname).toBe(HASS_REDIRECT);
    expect(callback.searchParams.get('state')).toBe(state);
    const code = callback.searchParams.get('code') ?? '';
    const fields = { grant_type: 'authorization_code', code, redirect_uri: HASS_REDIRECT, code_verifier: verifier };
    const { status, body } = await askToken(credential, fields);
    expect(status).toBe(200);
    return body;
  }

  const newVerifier = (): string => randomBytes(96).toString('base64url');
  const STATE = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.eyJmbG93X2lkIjoiMSJ9.${'s'.repeat(43)}`;

  it('registers, sends its user through sign-in and consent, validates, polls, controls, refreshes and signs in again', async () => {
    const credential = await register();
    const verifier = newVerifier();
    const browser = browserOf();
    const login = await follow(browser, await browser.get(authorizePath(credential, verifier, STATE)));
    const consent = await signIn(browser, login);
    expect(consent.text).toContain('Home Assistant');
    expect(consent.text).toContain('my.home-assistant.io');
    const tokens = await exchange(credential, verifier, await allow(browser, consent), STATE);
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, refresh_token: expect.any(String) });

    // One look to validate, then every 30 seconds.
    const client = new Pyhomecast();
    client.token = tokens.access_token;
    const { path } = lampOf(await client.state());
    expect((await client.setState(updates(path, { brightness: 61 }))).body).toMatchObject({ updated: 1, failed: 0 });
    expect(lamp.get(1, BRIGHTNESS)).toBe(61);
    expect((await client.runScene(path[0], 'Movie Night')).status).toBe(200);

    const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    const refreshed = await askToken(credential, fields);
    expect(refreshed).toMatchObject({ status: 200, body: { expires_in: 3600 } });
    expect(refreshed.body.refresh_token).not.toBe(tokens.refresh_token);
    client.token = refreshed.body.access_token;
    expect(lampOf(await client.state()).state).toMatchObject({ brightness: 25 });

    // Signing in again asks no consent, because the app is allowed already.
    const anotherVerifier = newVerifier();
    const again = await follow(browser, await browser.get(authorizePath(credential, anotherVerifier, STATE)));
    client.token = (await exchange(credential, anotherVerifier, again, STATE)).access_token;
    expect(await client.stateStatus()).toBe(200);

    // Without access, it gets the error that makes it ask its user, who is asked everything.
    const [app] = (await relay.asSystem('GET', '/rest/authorized-apps')).body;
    expect(app).toMatchObject({ clientId: credential.clientId, clientName: 'Home Assistant' });
    expect((await relay.asSystem('DELETE', `/rest/authorized-apps/${credential.clientId}`)).status).toBe(200);
    expect(await client.stateStatus()).toBe(401);
    const lost = { grant_type: 'refresh_token', refresh_token: refreshed.body.refresh_token };
    expect(await askToken(credential, lost)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const asked = await follow(browser, await browser.get(authorizePath(credential, newVerifier(), STATE)));
    expect(asked.text).toContain('to access your home?');
  });

  it('gets 403, which makes it ask its user again, where it was allowed to look only', async () => {
    const credential = await register();
    const verifier = newVerifier();
    const browser = browserOf();
    const login = await follow(browser, await browser.get(authorizePath(credential, verifier, STATE)));
    const page = await signIn(browser, login);
    const action = /action="(\/oauth\/interaction\/[^"]+)"/.exec(page.text)?.[1] ?? '';
    const chosen = { scope: 'read', all_homes: 'on', password: ANN.password, approve: 'yes' };
    const allowed = await browser.post(action, { ...hiddenFields(page.text, action), ...chosen });
    const client = new Pyhomecast();
    client.token = (await exchange(credential, verifier, await follow(browser, allowed), STATE)).access_token;
    const { path } = lampOf(await client.state());
    expect((await client.setState(updates(path, { on: true }))).status).toBe(403);
    expect((await client.runScene(path[0], 'Movie Night')).status).toBe(403);
  });
});
