/** API §5 and §5.1: authentication by access token. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiEnv } from '../../src/api/env.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { createTestHome, type TestHome } from '../support/test-home.ts';

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});

afterEach(() => home.close());

function clientWith(token: string): RestClient {
  return createRestClient(createTestApi(home), token);
}

describe('API §5', () => {
  it('Authorization: Bearer <token>, the scheme ignoring case', async () => {
    const token = createToken(home);
    const app = createTestApi(home);
    for (const header of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}`]) {
      expect((await createRestClient(app).get('/rest/homes', { Authorization: header })).status).toBe(200);
    }
  });

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic dXNlcjpwYXNz',
    'hc_x',
    'Bearer a b',
    'Bearer hc_ä',
    'Token hc_x',
    `Bearer ${'x'.repeat(9000)}`,
  ])('a malformed Authorization header is 401 invalid_token: %j', async (header) => {
    const { status, body } = await createRestClient(createTestApi(home)).get('/rest/homes', { Authorization: header });
    expect([status, body.error, body.code]).toEqual([401, 'invalid_token', 'invalid_token']);
  });

  it('access token: hc_ prefix followed by the token body', () => {
    expect(createToken(home)).toMatch(/^hc_[\w-]{43}$/);
  });

  it('a request through the Unix socket needs no token', async () => {
    const request = new Request('http://localhost/rest/homes');
    const response = await createTestApi(home).fetch(request, { viaSocket: true } satisfies ApiEnv['Bindings']);
    expect(response.status).toBe(200);
  });
});

describe('API §5.1', () => {
  it('3. The full token value is returned only once, at creation; 4. only tokenPrefix is listed afterwards', async () => {
    const created = await rest.post('/rest/tokens', { name: 'Wall panel' });
    expect(created.body).toEqual({
      success: true,
      token: expect.stringMatching(/^hc_/),
      accessToken: {
        id: expect.any(String),
        name: 'Wall panel',
        tokenPrefix: created.body.token.slice(0, 11),
        homePermissions: null,
        createdAt: '2026-01-15T12:00:00.000Z',
        lastUsedAt: null,
        expiresAt: null,
        revokedAt: null,
        made: [],
      },
    });
    const listed = await rest.get('/rest/tokens');
    expect(listed.body).toContainEqual(created.body.accessToken);
    expect(listed.text).not.toContain(created.body.token);
  });

  it('2. Creation takes a name and per-home permissions (view or control), as an object or a JSON string', async () => {
    const permissions = { [home.home.id]: 'view' };
    for (const homePermissions of [permissions, JSON.stringify(permissions)]) {
      const { body } = await rest.post('/rest/tokens', { name: 'Guest', homePermissions });
      expect(body.accessToken.homePermissions).toEqual(permissions);
    }
  });

  it.each([
    [{}, 400],
    [{ name: 5 }, 422],
    [{ name: '  ' }, 422],
    [{ name: 'x', color: 'red' }, 400],
    [{ name: 'x', homePermissions: 'not json' }, 422],
    [{ name: 'x', homePermissions: { a: 'view' } }, 404],
    [{ name: 'x', expiresAt: 'tomorrow' }, 422],
    [{ name: 'x', expiresAt: '2020-01-01T00:00:00Z' }, 422],
    [{ name: 'x', expiresAt: '2030-01-01T00:00:00' }, 422],
    [{ name: 'x', expiresAt: '2030-02-31T00:00:00Z' }, 422],
    [[], 400],
  ])('refuses %j with %i', async (input, status) => {
    expect((await rest.post('/rest/tokens', input)).status).toBe(status);
  });

  it('5. expiresAt: past it, requests with the token are 401 "Token expired", and stay so if the clock is set back', async () => {
    const { token } = (await rest.post('/rest/tokens', { name: 'Short', expiresAt: '2026-01-15T13:00:00+00:00' })).body;
    expect((await clientWith(token).get('/rest/homes')).status).toBe(200);
    await home.clock.advance(3_600_001);
    const { status, body } = await clientWith(token).get('/rest/homes');
    expect([status, body]).toEqual([401, { error: 'invalid_token', message: 'Token expired', code: 'invalid_token' }]);
    home.clock.jumpWallClock(-7_200_000);
    expect((await clientWith(token).get('/rest/homes')).status).toBe(401);
  });

  it('5. revokedAt: requests with a revoked token get 401 invalid_token at once', async () => {
    const { token, accessToken } = (await rest.post('/rest/tokens', { name: 'Lost' })).body;
    expect((await clientWith(token).get('/rest/homes')).status).toBe(200);
    expect((await rest.delete(`/rest/tokens/${accessToken.id}`)).body).toEqual({
      success: true,
      tokenId: accessToken.id,
      made: [],
      hasEndedWhatItMade: false,
    });
    expect((await clientWith(token).get('/rest/homes')).status).toBe(401);
    expect((await rest.delete('/rest/tokens/no-such-token')).status).toBe(404);
  });

  it('view: read state yes, control devices no', async () => {
    const view = clientWith(createToken(home, { [home.home.id]: 'view' }));
    expect((await view.get('/rest/state')).status).toBe(200);
    const set = await view.post('/rest/state', { home: 'My Home', room: 'Living Room', accessory: 'Lamp', on: true });
    expect([set.status, set.body]).toEqual([
      403,
      { error: 'insufficient_permissions', message: 'Insufficient permissions', code: 'insufficient_permissions' },
    ]);
    expect((await view.post(`/rest/accessories/${home.named('Lamp').id}/identify`)).status).toBe(403);
    expect(home.driver.writes).toEqual([]);
  });

  it('control: read state yes, control devices yes', async () => {
    const control = clientWith(createToken(home, { [home.home.id]: 'control' }));
    expect((await control.get('/rest/state')).status).toBe(200);
    const body = { home: 'My Home', room: 'Living Room', accessory: 'Lamp', on: true };
    expect((await control.post('/rest/state', body)).body).toMatchObject({ updated: 1, failed: 0 });
  });

  it('a batch over a home it may control and one it may only view does the first and reports the second', async () => {
    const { id } = (await rest.post('/rest/homes', { name: 'Cottage' })).body;
    const device = { deviceId: '10:00:00:00:00:66', name: 'S', setupCode: '1', accessories: [] };
    const { plainSwitch } = await import('../support/sample-accessories.ts');
    home.driver.attach(id, { ...device, accessories: [plainSwitch('Sauna')] });
    const mixed = clientWith(createToken(home, { [home.home.id]: 'control', [id]: 'view' }));
    const { status, body } = await mixed.post('/rest/state', [
      { home: 'My Home', room: 'Living Room', accessory: 'Lamp', on: true },
      { home: 'Cottage', room: 'Default Room', accessory: 'Sauna', on: true },
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      updated: 1,
      failed: 1,
      errors: ['Cottage/Default Room/Sauna.on: Insufficient permissions'],
    });
  });

  it('what the token may not see answers as what does not exist', async () => {
    const { id } = (await rest.post('/rest/homes', { name: 'Cottage' })).body;
    const outsider = clientWith(createToken(home, { [id]: 'control' }));
    const foreign = await outsider.get(`/rest/accessories/${home.named('Lamp').id}`);
    const missing = await outsider.get('/rest/accessories/00000000-0000-4000-8000-000000000000');
    expect([foreign.status, foreign.text]).toEqual([missing.status, missing.text]);
    const body = { home: 'My Home', room: 'Living Room', accessory: 'Lamp', on: true };
    const unknown = await outsider.post('/rest/state', { ...body, home: 'Nowhere' });
    expect((await outsider.post('/rest/state', body)).text).toBe(unknown.text);
    expect((await outsider.get(`/rest/rooms?home=${home.home.id}`)).body.error).toBe('Home not found');
  });

  it('a write that names only homes that the token may not reach is 403, known to us or not', async () => {
    const { id, key } = (await rest.post('/rest/homes', { name: 'Cottage' })).body;
    const outsider = clientWith(createToken(home, { [id]: 'control' }));
    const lamp = { room: 'Living Room', accessory: 'Lamp', on: true };
    const tree = (home: string) => ({ [home]: { 'living-room_0000': { lamp_0000: { on: true } } } });
    const { key: foreignKey } = (await rest.get('/rest/homes')).body.find(
      ({ name }: { name: string }) => name === 'My Home',
    );
    const writes = ['My Home', 'Nowhere'].flatMap((name) => [{ home: name, ...lamp }, [{ home: name, ...lamp }]]);
    const trees = [foreignKey, 'nowhere_0000'].map(tree);
    const byId = [home.home.id, '00000000-0000-4000-8000-000000000000'].map((homeId) => ({ homeId, state: {} }));
    for (const body of [...writes, ...trees, ...byId]) {
      const answer = await outsider.post('/rest/state', body);
      expect([body, answer.status, answer.body.error]).toEqual([body, 403, 'insufficient_permissions']);
    }
    for (const name of [foreignKey, 'My Home', 'nowhere_0000']) {
      expect((await outsider.post('/rest/scene', { home: name, name: 'Good Night' })).status).toBe(403);
    }
    expect(home.driver.writes).toEqual([]);
    // With a home of its own beside it, each has its line.
    const both = await outsider.post('/rest/state', { ...tree(foreignKey), [key]: {} });
    expect([both.status, both.body.errors]).toEqual([200, [expect.stringMatching(/home not found$/)]]);
    // A user who sees every home learns that there is no such one.
    const all = await rest.post('/rest/state', { home: 'Nowhere', ...lamp });
    expect([all.status, all.body.errors]).toEqual([200, ['Nowhere: home not found']]);
  });
});
