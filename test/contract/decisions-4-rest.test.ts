/** Decisions §4: both forms of the state, status codes, error bodies, ETag and gzip, the reference. */
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HomePermissions } from '../../src/app/access/caller.ts';
import { slugKey } from '../../src/home/slug.ts';
import { HearthError } from '../../src/kernel/errors.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { createTestHome, type TestHome } from '../support/test-home.ts';

const NO_SUCH_ID = '00000000-0000-4000-8000-000000000000';

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = clientWith(null);
});
afterEach(() => home.close());

function clientWith(permissions: HomePermissions): RestClient {
  return createRestClient(createTestApi(home), createToken(home, permissions));
}

const homeKey = (): string => slugKey(home.home.name, home.home.id);

function keysOf(name: string): readonly [home: string, room: string, accessory: string] {
  const { id, roomId } = home.named(name);
  return [homeKey(), slugKey(home.state.room(roomId)?.name ?? '', roomId), slugKey(name, id)];
}

function nested(name: string, settings: object): object {
  const [ofHome, ofRoom, ofAccessory] = keysOf(name);
  return { [ofHome]: { [ofRoom]: { [ofAccessory]: settings } } };
}

const flat = (name: string, settings: object) => ({
  home: 'My Home',
  room: home.state.room(home.named(name).roomId)?.name,
  accessory: name,
  ...settings,
});

describe('decisions §4: both forms are served', () => {
  it('GET: the slug tree by default', async () => {
    const { body } = await rest.get('/rest/state');
    expect(Object.keys(body)).toEqual([homeKey(), '_homes', '_meta']);
  });

  it.each(['form=names', 'filter_by_home=my', 'filter_by_room=living', 'filter_by_name=lamp', 'filter_by_type=light'])(
    'GET: the name-based tree with ?%s',
    async (query) => {
      const { body } = await rest.get(`/rest/state?${query}`);
      expect(body.homes).toMatchObject([{ id: home.home.id, name: 'My Home' }]);
      expect(JSON.stringify(body)).toContain('"name":"Lamp"');
    },
  );

  it('POST: the nested slug tree', async () => {
    expect((await rest.post('/rest/state', nested('Lamp', { on: true }))).body).toMatchObject({
      updated: 1,
      failed: 0,
    });
  });

  it('POST: a flat object with home, room, accessory names (or slugs) is the name-based form', async () => {
    expect((await rest.post('/rest/state', flat('Lamp', { on: true }))).body).toMatchObject({ updated: 1, failed: 0 });
    const [ofHome, room, accessory] = keysOf('Lamp');
    const slugs = { home: ofHome, room, accessory, on: false };
    expect((await rest.post('/rest/state', slugs)).body).toMatchObject({ updated: 1, failed: 0 });
  });

  it('POST: so is an array of flat objects', async () => {
    const both = [flat('Lamp', { on: true }), flat('Heater', { on: true })];
    expect((await rest.post('/rest/state', both)).body).toMatchObject({ updated: 2, failed: 0 });
    expect(home.driver.writes).toHaveLength(1);
  });
});

describe('decisions §4: status codes beside those of API §7.1', () => {
  it('503 with Retry-After for "Relay not connected"', async () => {
    await rest.patch(`/rest/homes/${home.home.id}`, { paused: true });
    const { status, headers, body } = await rest.post('/rest/state', nested('Lamp', { on: true }));
    expect([status, body]).toEqual([503, { error: 'Relay not connected', code: 'relay_not_connected' }]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('429 with Retry-After', async () => {
    home.driver.pair = () => {
      throw new HearthError('rate_limited', 'Too many wrong codes. Try again in 5 minutes.');
    };
    const { status, headers, body } = await rest.post('/rest/pairings', { device: 'X', setupCode: '1' });
    expect([status, body.code]).toEqual([429, 'rate_limited']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('413 for an oversize body, 415 for a wrong content type, 405 with Allow', async () => {
    expect((await rest.post('/rest/scenes', `{"a":"${'x'.repeat(1_048_576)}"}`)).status).toBe(413);
    expect(
      (await rest.post('/rest/scenes', 'home=x', { 'Content-Type': 'application/x-www-form-urlencoded' })).status,
    ).toBe(415);
    const put = await rest.request('PUT', '/rest/scenes', {});
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'HEAD, GET, POST']);
  });

  it.each([
    ['GET', `/rest/accessories/${NO_SUCH_ID}`, 'Accessory not found'],
    ['GET', `/rest/rooms?home=${NO_SUCH_ID}`, 'Home not found'],
    ['GET', `/rest/scenes?home=${NO_SUCH_ID}`, 'Home not found'],
    ['DELETE', `/rest/scenes/${NO_SUCH_ID}`, 'Scene not found'],
  ])('404 for an unknown id: %s %s returns "%s"', async (method, path, error) => {
    const answer = await rest.request(method, path);
    expect([answer.status, answer.body.error]).toEqual([404, error]);
  });

  it("404 names scene and home: \"Scene '<name>' not found in home '<name>'\"", async () => {
    const { status, body } = await rest.post('/rest/scene', { home: homeKey(), name: 'Party' });
    expect([status, body.error]).toEqual([404, "Scene 'Party' not found in home 'My Home'"]);
  });

  it('POST /rest/state answers 200 with per-item errors when the request itself is sound', async () => {
    const body = { ...nested('Lamp', { on: true, hue: 361, nonsense: 1 }), nowhere_0000: { a: { b: { on: true } } } };
    const answer = await rest.post('/rest/state', body);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ updated: 1, failed: 2 });
    expect(answer.body.errors).toHaveLength(3);
  });

  it('403 when the token may control none of the named homes, and not where it may control one', async () => {
    const cottage = (await rest.post('/rest/homes', { name: 'Cottage' })).body.id;
    const onlyView = clientWith({ [home.home.id]: 'view', [cottage]: 'view' });
    const both = { ...nested('Lamp', { on: true }), [slugKey('Cottage', cottage)]: { a: { b: { on: true } } } };
    expect((await onlyView.post('/rest/state', both)).status).toBe(403);
    expect((await onlyView.post('/rest/state', flat('Lamp', { on: true }))).status).toBe(403);
    expect(home.driver.writes).toEqual([]);
    const one = await clientWith({ [home.home.id]: 'control', [cottage]: 'view' }).post('/rest/state', both);
    expect([one.status, one.body.updated]).toEqual([200, 1]);
  });
});

describe('decisions §4: error bodies', () => {
  it('{"error": "<sentence>", "code": "<snake_case code>"}', async () => {
    for (const path of [
      '/rest/nothing',
      '/rest/rooms',
      `/rest/accessories/${NO_SUCH_ID}`,
      '/rest/background/presets',
    ]) {
      const { body } = await rest.get(path);
      expect(Object.keys(body)).toEqual(['error', 'code']);
      expect(body.error).toMatch(/^[A-Za-z].* /);
      expect(body.code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    }
  });

  it('for 401 and 403 `error` is exactly the API document’s word and `message` carries the sentence', async () => {
    const anonymous = await createRestClient(createTestApi(home)).get('/rest/scenes');
    expect([anonymous.status, anonymous.body.error]).toEqual([401, 'invalid_token']);
    expect(anonymous.body.message).toMatch(/ .*\.$/);
    const viewer = await clientWith({ [home.home.id]: 'view' }).post('/rest/state', flat('Lamp', { on: true }));
    expect(viewer.body).toMatchObject({ error: 'insufficient_permissions', message: 'Insufficient permissions' });
  });

  it('401 also has WWW-Authenticate (RFC 6750, RFC 9728 `resource_metadata`)', async () => {
    const { headers } = await createRestClient(createTestApi(home), 'hc_wrong').get('/rest/state');
    expect(headers.get('www-authenticate')).toMatch(
      /^Bearer realm="[^"]+", error="invalid_token", error_description="[^"]+", resource_metadata="http[^"]+\/\.well-known\/oauth-protected-resource"$/,
    );
  });
});

describe('decisions §4: the rest', () => {
  it('GET /rest/state supports ETag/If-None-Match and gzip', async () => {
    const plain = await rest.get('/rest/state');
    const same = await rest.get('/rest/state', { 'If-None-Match': String(plain.headers.get('etag')) });
    expect([same.status, same.text]).toEqual([304, '']);
    const headers = { Host: 'localhost', Authorization: `Bearer ${createToken(home)}`, 'Accept-Encoding': 'gzip' };
    const zipped = await createTestApi(home).request('/rest/state', { headers });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(Buffer.from(await zipped.arrayBuffer())).toString()).toBe(plain.text);
  });

  it.each(['/rest/accessories', '/rest/homes', '/rest/state', '/rest/rooms?home=', '/rest/scenes?home='])(
    'lists keep one stable order: %s',
    async (path) => {
      const at = path.endsWith('=') ? `${path}${home.home.id}` : path;
      const { id } = home.named('Lamp');
      for (const name of ['Zoo', 'Attic', 'Middle']) {
        await rest.post('/rest/rooms', { homeId: home.home.id, name });
        const actions = [{ accessoryId: id, characteristicType: 'on', targetValue: true }];
        await rest.post('/rest/scenes', { homeId: home.home.id, name, actions });
      }
      const first = (await rest.get(at)).text;
      await rest.post('/rest/state', flat('Lamp', { on: true }));
      await rest.post('/rest/state', flat('Lamp', { on: false }));
      const unstamped = (text: string) => text.replaceAll(/"(lastSeenAt|fetched_at)":"[^"]*"/g, '');
      expect(unstamped((await rest.get(at)).text)).toBe(unstamped(first));
    },
  );

  it('OpenAPI 3.1 at /openapi.json', async () => {
    const { status, body } = await rest.get('/openapi.json');
    expect([status, body.openapi]).toEqual([200, expect.stringMatching(/^3\.1\./)]);
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining(['/rest/state', '/rest/scenes/{id}', '/rest/history']),
    );
  });

  it.each([
    ['GET', '/rest/background/presets'],
    ['POST', '/rest/background'],
    ['DELETE', '/rest/background?filename=x.png'],
  ])(
    'cloud-only endpoints: %s %s answers 404 with "Background images are available in the Cloud edition only"',
    async (method, path) => {
      const { status, body } = await rest.request(method, path);
      expect([status, body.error]).toEqual([404, 'Background images are available in the Cloud edition only']);
    },
  );
});
