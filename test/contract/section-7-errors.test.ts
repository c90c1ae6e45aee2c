/** API §7: errors. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});

afterEach(() => home.close());

const lamp = { home: 'My Home', room: 'Living Room', accessory: 'Lamp' };

describe('API §7.1', () => {
  it.each([
    ['malformed JSON', '{"a":'],
    ['JSON that is no object', '5'],
    ['null', 'null'],
    ['a text', '"on"'],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
    ['an empty body', ''],
  ])('400 bad request: %s', async (_, body) => {
    const response = await createTestApi(home).request('/rest/state', {
      method: 'POST',
      body,
      headers: { Authorization: `Bearer ${createToken(home)}`, 'Content-Type': 'application/json' },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.stringMatching(/^The body /), code: 'invalid_request' });
  });

  it('400 bad request: missing required fields', async () => {
    const { status, body } = await rest.post('/rest/rooms', { homeId: home.home.id });
    expect([status, body]).toEqual([
      400,
      { error: '"name" is missing: it must be a text.', code: 'invalid_request', field: 'name' },
    ]);
    const anything = await rest.post('/rest/service-groups/x/set', { characteristicType: 'on' });
    expect([anything.status, anything.body.error]).toEqual([400, '"value" is missing.']);
  });

  it('400 bad request: unknown fields are named', async () => {
    const { status, body } = await rest.post('/rest/rooms', { homeId: home.home.id, name: 'Attic', colour: 'red' });
    expect([status, body.error]).toEqual([400, 'Unknown field "colour".']);
  });

  it('401 unauthorized: no token; the challenge has the kind and where to learn more', async () => {
    const { status, headers, body } = await createRestClient(createTestApi(home)).get('/rest/state');
    expect(status).toBe(401);
    expect(body).toMatchObject({ error: 'invalid_token', code: 'invalid_token', message: expect.any(String) });
    const challenge = String(headers.get('www-authenticate'));
    expect(challenge).toMatch(/^Bearer realm="hearthd", error="invalid_token"/);
    expect(challenge).toContain('resource_metadata="http://localhost/.well-known/oauth-protected-resource"');
  });

  it('401 unauthorized: invalid token', async () => {
    const { status, body } = await createRestClient(createTestApi(home), `hc_${'A'.repeat(43)}`).get('/rest/state');
    expect([status, body.error, body.message]).toEqual([401, 'invalid_token', 'Invalid token']);
  });

  it('403 forbidden: valid token but insufficient permissions', async () => {
    const view = createRestClient(createTestApi(home), createToken(home, { [home.home.id]: 'view' }));
    const attempts = [
      await view.post('/rest/state', { ...lamp, on: true }),
      await view.post('/rest/homes', { name: 'Mine' }),
      await view.patch(`/rest/homes/${home.home.id}`, { name: 'Mine' }),
      await view.get('/rest/discovered'),
      await view.get('/rest/pairings'),
      await view.get('/rest/tokens'),
      await view.post('/rest/tokens', { name: 'More' }),
    ];
    for (const { status, body } of attempts) {
      expect([status, body.error, body.code]).toEqual([403, 'insufficient_permissions', 'insufficient_permissions']);
    }
  });

  it.each(['/', '/rest/nothing', '/rest/state/x', '/rest/homes/x/y', '/REST/state', '/rest/state%2f', '/favicon.ico'])(
    '404 not found: wrong endpoint URL %s',
    async (path) => {
      const { status, body } = await rest.get(path);
      expect([status, body.code]).toEqual([404, 'not_found']);
    },
  );

  it('405 with Allow where the address exists for other methods', async () => {
    const { status, headers, body } = await rest.request('PUT', '/rest/state', {});
    expect([status, headers.get('allow'), body.code]).toEqual([405, 'HEAD, GET, POST', 'method_not_allowed']);
    expect((await rest.delete('/rest/pairings')).headers.get('allow')).toBe('HEAD, GET, POST');
    expect((await rest.get(`/rest/homes/${home.home.id}`)).headers.get('allow')).toBe('PATCH, DELETE');
  });

  it('413 for an oversize body, 415 for a wrong content type', async () => {
    expect((await rest.post('/rest/state', `{"a":"${'x'.repeat(1_048_576)}"}`)).status).toBe(413);
    expect((await rest.post('/rest/state', '{}', { 'Content-Type': 'text/plain' })).status).toBe(415);
  });

  it('422 validation error: fields present but values invalid', async () => {
    const { status, body } = await rest.patch(`/rest/homes/${home.home.id}`, { name: 'x'.repeat(65) });
    expect([status, body.code]).toEqual([422, 'invalid_value']);
    expect((await rest.patch(`/rest/homes/${home.home.id}`, { paused: 'yes' })).body.error).toBe(
      '"paused" must be true or false.',
    );
  });

  it('503 with Retry-After while the relay is not connected', async () => {
    await rest.patch(`/rest/homes/${home.home.id}`, { paused: true });
    const { status, headers, body } = await rest.post(`/rest/accessories/${home.named('Lamp').id}/identify`);
    expect([status, body.error]).toEqual([503, 'Relay not connected']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    await rest.patch(`/rest/homes/${home.home.id}`, { paused: false });
    expect((await rest.post('/rest/state', { ...lamp, on: true })).body.updated).toBe(1);
  });
});

describe('API §7.2', () => {
  it('REST: JSON object with error (string message)', async () => {
    for (const { text, body, headers } of [
      await rest.get('/rest/nothing'),
      await rest.get('/rest/accessories/x'),
      await rest.post('/rest/state', '['),
      await createRestClient(createTestApi(home)).get('/rest/state'),
    ]) {
      expect(text).toMatch(/^\{"error":/);
      expect(typeof body.error).toBe('string');
      expect(headers.get('content-type')).toBe('application/json');
    }
  });
});

describe('API §7.4', () => {
  it.each([
    ['Accessory not found', '/rest/accessories/00000000-0000-4000-8000-000000000000', 404],
    ['Home not found', '/rest/accessories?home=00000000-0000-4000-8000-000000000000', 404],
  ])('%s', async (sentence, path, status) => {
    const answer = await rest.get(path);
    expect([answer.status, answer.body.error]).toEqual([status, sentence]);
  });

  it('Characteristic not writable and Invalid value are reported for each property', async () => {
    const { body } = await rest.post('/rest/state', [
      { ...lamp, accessory: 'Motion', motion: true },
      { ...lamp, brightness: 101 },
    ]);
    expect(body.errors).toEqual([
      expect.stringMatching(/^My Home\/Living Room\/Motion\.motion: Characteristic not writable/),
      expect.stringMatching(/^My Home\/Living Room\/Lamp\.brightness: Invalid value .*0 to 100/),
    ]);
  });
});

describe('API §7.1, the rows that need something to go wrong', () => {
  it('200 success: a successful request', async () => {
    expect((await rest.post('/rest/state', { ...lamp, on: true })).status).toBe(200);
  });

  it('401 unauthorized: expired token, reported as `Token expired` (§7.4)', async () => {
    const { token } = home.tokens.create(systemCaller, { name: 'Old', expiresAt: home.clock.now() + 1_000 });
    home.clock.jumpWallClock(2_000);
    const { status, body } = await createRestClient(createTestApi(home), token).get('/rest/state');
    expect([status, body]).toEqual([401, { error: 'invalid_token', message: 'Token expired', code: 'invalid_token' }]);
  });

  it('500 server error: a bug reveals nothing of the inside', async () => {
    const broken = new Proxy(home.homes, {
      get() {
        throw new TypeError('no such table: homes');
      },
    });
    const app = createTestApi(home, { homes: broken });
    const { status, text, body } = await createRestClient(app, createToken(home)).get('/rest/homes');
    expect([status, body.code]).toEqual([500, 'internal']);
    expect(text).not.toMatch(/table|TypeError/);
  });
});

describe('API §7.3', () => {
  it('401 invalid_token: expired, revoked or malformed', async () => {
    const { token: revoked, info } = home.tokens.create(systemCaller, { name: 'Gone' });
    home.tokens.revoke(systemCaller, info.id);
    const { token: expired } = home.tokens.create(systemCaller, { name: 'Old', expiresAt: home.clock.now() + 1_000 });
    home.clock.jumpWallClock(2_000);
    for (const token of [revoked, expired, 'hc_short', 'nonsense']) {
      const { status, body } = await createRestClient(createTestApi(home), token).get('/rest/homes');
      expect([status, body.error]).toEqual([401, 'invalid_token']);
    }
  });

  it('403 insufficient_permissions: token lacks access to the requested action', async () => {
    const view = createRestClient(createTestApi(home), createToken(home, { [home.home.id]: 'view' }));
    const { status, body } = await view.post(`/rest/scenes`, { homeId: home.home.id, name: 'X', actions: [] });
    expect([status, body.error]).toEqual([403, 'insufficient_permissions']);
  });

  it('a home that the token cannot see is the same as one that does not exist (§7.4)', async () => {
    const cottage = home.homes.create(systemCaller, { name: 'Cottage' });
    const outsider = createRestClient(createTestApi(home), createToken(home, { [cottage.id]: 'control' }));
    for (const path of ['/rest/rooms?home=', '/rest/scenes?home=', '/rest/accessories?home=']) {
      const foreign = await outsider.get(`${path}${home.home.id}`);
      const absent = await outsider.get(`${path}00000000-0000-4000-8000-000000000000`);
      expect([foreign.status, foreign.text]).toEqual([absent.status, absent.text]);
      expect([foreign.status, foreign.body.error]).toEqual([404, 'Home not found']);
    }
  });
});

describe('API §7.4, the range check values', () => {
  it.each([
    ['Lamp', 'brightness', -1, 101],
    ['Lamp', 'hue', -1, 361],
    ['Lamp', 'saturation', -1, 101],
    // Depends on the device’s minimum and maximum.
    ['Thermostat', 'targetTemperature', 9, 31],
  ])('%s: %s', async (accessory, property, below, above) => {
    for (const value of [below, above]) {
      const { body } = await rest.post('/rest/state', { ...lamp, accessory, [property]: value });
      expect(body.errors).toEqual([expect.stringContaining(`Invalid value ${value} for ${property}`)]);
    }
    expect(home.driver.writes).toEqual([]);
  });

  it.each([
    ['Lamp', 'on', true],
    ['Lamp', 'brightness', 10],
    ['Lamp', 'hue', 10],
    ['Lamp', 'saturation', 10],
    ['Thermostat', 'targetTemperature', 22],
    ['Front Door', 'lockTargetState', 1],
  ])('writable ones include %s’s %s', async (accessory, property, value) => {
    const { roomId } = home.named(accessory);
    const room = home.state.room(roomId)?.name;
    const { body } = await rest.post('/rest/state', { home: 'My Home', room, accessory, [property]: value });
    expect(body).toMatchObject({ updated: 1, errors: [] });
  });

  it('scene errors name the missing scene and home in the message', async () => {
    const { body } = await rest.post('/rest/scene', { home: 'My Home', name: 'Party' });
    expect(body.error).toBe("Scene 'Party' not found in home 'My Home'");
    expect((await rest.post('/rest/scene', { home: 'Castle', name: 'Party' })).body.error).toBe(
      'Home not found: Castle',
    );
  });
});
