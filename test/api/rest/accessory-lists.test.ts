import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, createToken, type RestClient } from '../../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

const LAMP = '10:00:00:00:00:01';

let home: TestHome;
let api: ReturnType<typeof createTestApi>;
let token: string;
let client: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  api = createTestApi(home);
  token = createToken(home);
  client = createRestClient(api, token);
});
afterEach(() => home.close());

async function etagOf(path: string): Promise<string> {
  return (await client.get(path)).headers.get('etag') ?? '';
}

describe.each(['/rest/accessories', '/rest/homes'])('GET %s', (path) => {
  it('answers 304 while nothing has changed', async () => {
    const answer = await client.get(path, { 'If-None-Match': await etagOf(path) });
    expect(answer.status).toBe(304);
    expect(answer.text).toBe('');
  });

  it('has another ETag after a room is added', async () => {
    const before = await etagOf(path);
    home.rooms.create(systemCaller, { homeId: home.home.id, name: 'Attic' });
    for (const [n, { id }] of home.state.rooms().entries()) home.rooms.update(systemCaller, id, { name: `Room ${n}` });
    expect((await client.get(path, { 'If-None-Match': before })).status).toBe(200);
  });

  it('shows a caller only its homes, also after another one asked', async () => {
    const other = home.homes.create(systemCaller, { name: 'Second' });
    const all = await client.get(path);
    const limited = createRestClient(api, createToken(home, { [other.id]: 'view' }));
    const some = await limited.get(path, { 'If-None-Match': all.headers.get('etag') ?? '' });
    expect(some.status).toBe(200);
    expect(some.text).not.toContain(home.home.id);
  });
});

describe('the list of accessories', () => {
  it('shows when a device was seen last, even if its value is the same', async () => {
    home.driver.event(LAMP, '1', '10', 5);
    const before = (await client.get('/rest/accessories')).text;
    await home.clock.advance(1_000);
    home.driver.event(LAMP, '1', '10', 5);
    expect((await client.get('/rest/accessories')).text).not.toBe(before);
  });

  it('shows what remains of a timer that runs', async () => {
    const timer = home.virtuals.create(systemCaller, {
      homeId: home.home.id,
      name: 'Egg',
      type: 'timer',
      duration: 300,
    });
    home.virtuals.operate(systemCaller, timer.id, 'start');
    const remaining = async (path: string): Promise<unknown> => {
      const { body } = await client.get(path);
      const shown = Array.isArray(body) ? body.find(({ id }: { id: string }) => id === timer.id) : body;
      return shown.virtualRemainingMs;
    };
    for (const path of ['/rest/accessories', `/rest/accessories/${timer.id}`]) {
      const before = await remaining(path);
      await home.clock.advance(10_000);
      expect(await remaining(path)).toBe(Number(before) - 10_000);
    }
  });

  it('is compressed for clients that accept that', async () => {
    const plain = await client.get('/rest/accessories');
    const response = await api.request('/rest/accessories', {
      headers: { Host: 'localhost', Authorization: `Bearer ${token}`, 'Accept-Encoding': 'gzip' },
    });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(Buffer.from(await response.arrayBuffer())).toString()).toBe(plain.text);
  });

  it('shows one accessory as it shows it in the list', async () => {
    const { body } = await client.get('/rest/accessories');
    for (const accessory of body) {
      const one = await client.get(`/rest/accessories/${accessory.id}`);
      expect(one.body).toEqual(accessory);
      const again = await client.get(`/rest/accessories/${accessory.id}`, {
        'If-None-Match': one.headers.get('etag') ?? '',
      });
      expect(again.status).toBe(304);
    }
  });
});
