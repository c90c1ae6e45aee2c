/** API §4.1: the table of REST endpoints (state, homes, rooms, accessories, background). */
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { lamp, plainSwitch } from '../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});

afterEach(() => home.close());

/** The keys of what an answer of GET /rest/state holds: home → room → accessories. */
async function keysAt(path: string): Promise<Record<string, Record<string, string[]>>> {
  const { _homes, _meta, ...homes } = (await rest.get(path)).body;
  return Object.fromEntries(
    Object.entries(homes as Record<string, Record<string, object>>).map(([key, { _scenes, ...rooms }]) => [
      key,
      Object.fromEntries(Object.entries(rooms).map(([room, accessories]) => [room, Object.keys(accessories)])),
    ]),
  );
}

async function keyOfAccessory(name: string): Promise<{ homeKey: string; roomKey: string; key: string }> {
  const { id } = home.named(name);
  const tree = await keysAt(`/rest/state`);
  for (const [homeKey, rooms] of Object.entries(tree)) {
    for (const [roomKey, keys] of Object.entries(rooms)) {
      const key = keys.find((candidate) => candidate.endsWith(`_${id.slice(-4)}`));
      if (key) return { homeKey, roomKey, key };
    }
  }
  throw new Error(`${name} is nowhere in the tree`);
}

/** A body of POST /rest/state in its nested form. */
async function nested(
  settings: Record<string, object>,
): Promise<Record<string, Record<string, Record<string, object>>>> {
  const body: Record<string, Record<string, Record<string, object>>> = {};
  for (const [name, values] of Object.entries(settings)) {
    const { homeKey, roomKey, key } = await keyOfAccessory(name);
    body[homeKey] ??= {};
    body[homeKey][roomKey] ??= {};
    body[homeKey][roomKey][key] = values;
  }
  return body;
}

describe('GET /rest/state', () => {
  it('home, room and name are substring filters, on the name and on the key, ignoring case', async () => {
    const { homeKey, roomKey, key } = await keyOfAccessory('Lamp');
    const onlyLamp = { [homeKey]: { [roomKey]: [key] } };
    expect(await keysAt('/rest/state?name=LAM')).toEqual(onlyLamp);
    expect(await keysAt(`/rest/state?name=${key}`)).toEqual(onlyLamp);
    expect(Object.keys((await keysAt('/rest/state?room=living%20room'))[homeKey] ?? {})).toEqual([roomKey]);
    expect(Object.keys((await keysAt('/rest/state?room=living_room'))[homeKey] ?? {})).toEqual([roomKey]);
    expect(await keysAt('/rest/state?home=my%20home&type=light')).toEqual(onlyLamp);
    expect(await keysAt('/rest/state?home=&room=&type=light')).toEqual(onlyLamp);
  });

  it('a home stays in the answer though the filters leave nothing in it, unless the home filter excludes it', async () => {
    const { homeKey } = await keyOfAccessory('Lamp');
    expect(await keysAt('/rest/state?name=nothing')).toEqual({ [homeKey]: {} });
    expect(await keysAt('/rest/state?home=nothing')).toEqual({});
    const { _homes, _meta } = (await rest.get('/rest/state?home=nothing')).body;
    expect(Object.keys(_homes)).toEqual([homeKey]);
    expect(_meta.message).toBe('No accessories match filters');
  });

  it('lists keep one stable order', async () => {
    const first = (await rest.get('/rest/state')).text;
    await rest.post('/rest/state', await nested({ Lamp: { on: true } }));
    await rest.post('/rest/state', await nested({ Lamp: { on: false } }));
    expect((await rest.get('/rest/state')).text).toBe(first);
  });

  it('reports that there is no accessory yet', async () => {
    const empty = createTestHome();
    const client = createRestClient(createTestApi(empty), createToken(empty));
    expect((await client.get('/rest/state')).body._meta.message).toBe('No accessories found');
    empty.close();
  });

  it('supports ETag and If-None-Match: the state changed, or not', async () => {
    const { headers } = await rest.get('/rest/state');
    const etag = String(headers.get('etag'));
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    await home.clock.advance(5_000);
    for (const condition of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const same = await rest.get('/rest/state', { 'If-None-Match': condition });
      expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag]);
    }
    home.driver.event('10:00:00:00:00:01', '1', '9', true);
    const changed = await rest.get('/rest/state', { 'If-None-Match': etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
  });

  it('a filter and a form have ETags of their own', async () => {
    const tags = await Promise.all(
      ['', '?type=light', '?form=names'].map(async (query) =>
        (await rest.get(`/rest/state${query}`)).headers.get('etag'),
      ),
    );
    expect(new Set(tags).size).toBe(3);
  });

  it('supports gzip for clients that accept it, and only for them', async () => {
    const app = createTestApi(home);
    const headers = { Authorization: `Bearer ${createToken(home)}` };
    const ask = (encoding: string) =>
      app.request('/rest/state', { headers: { ...headers, 'Accept-Encoding': encoding } });
    const plain = await (await app.request('/rest/state', { headers })).text();
    for (const encoding of ['gzip', 'br, GZIP;q=0.5', 'deflate, gzip']) {
      const response = await ask(encoding);
      expect(response.headers.get('content-encoding')).toBe('gzip');
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
      expect(gunzipSync(Buffer.from(await response.arrayBuffer())).toString()).toBe(plain);
    }
    for (const encoding of ['br', 'gzip;q=0', 'identity']) {
      expect((await ask(encoding)).headers.has('content-encoding')).toBe(false);
    }
  });

  it('what has vanished from its device is in the list of accessories, but has no state', async () => {
    home.driver.describe('10:00:00:00:00:06', [plainSwitch('Kettle', '18168078900403521793')]);
    expect(await keysAt('/rest/state?name=heater')).toEqual({ [(await keyOfAccessory('Lamp')).homeKey]: {} });
    const [heater] = (await rest.get('/rest/accessories?name=heater')).body;
    expect(heater).toMatchObject({ reachable: false, vanishedAt: '2026-01-15T12:00:00.000Z' });
  });

  it('refuses a form that does not exist', async () => {
    const { status, body } = await rest.get('/rest/state?form=xml');
    expect([status, body.error]).toEqual([400, 'Query parameter "form" must be "keys" or "names".']);
  });
});

describe('POST /rest/state', () => {
  it('several accessories and homes per request, in one call to the driver', async () => {
    const cottage = home.homes.create(systemCaller, { name: 'Cottage' });
    const device = {
      deviceId: '10:00:00:00:00:88',
      name: 'Sauna',
      setupCode: '1',
      accessories: [plainSwitch('Sauna')],
    };
    home.driver.attach(cottage.id, device);
    const settings = { Lamp: { on: true, brightness: 80 }, Heater: { on: true }, Sauna: { on: true } };
    const { status, body } = await rest.post('/rest/state', await nested(settings));
    expect(status).toBe(200);
    const paths = await Promise.all(
      Object.keys(settings).map(async (name) => Object.values(await keyOfAccessory(name)).join('/')),
    );
    expect(body).toEqual({
      updated: 3,
      failed: 0,
      changes: expect.arrayContaining([
        `${paths[0]}: on=true, brightness=80`,
        `${paths[1]}: on=true`,
        `${paths[2]}: on=true`,
      ]),
      errors: [],
      message: 'Updated 3 accessories',
    });
    expect(home.driver.writes).toHaveLength(1);
    expect(home.driver.writes[0]).toHaveLength(4);
  });

  it('a confirmed write shows in the next GET', async () => {
    await rest.post('/rest/state', await nested({ Lamp: { brightness: 33 } }));
    expect((await rest.get('/rest/state?name=lamp')).text).toContain('"brightness":33');
  });

  it('a batch loses none of its good parts to a bad one, and every bad one is reported with its path', async () => {
    const { homeKey, roomKey, key } = await keyOfAccessory('Lamp');
    const door = await keyOfAccessory('Front Door');
    home.driver.setReachable('10:00:00:00:00:03', false);
    const { status, body } = await rest.post('/rest/state', {
      nowhere_0000: { room_0000: { lamp_0000: { on: true } } },
      [homeKey]: {
        attic_0000: { lamp_0000: { on: true } },
        [roomKey]: {
          [key]: { on: true, brightness: 101, colour: 'red', current_temperature: 4 },
          ghost_0000: { on: true },
          [(await keyOfAccessory('Motion')).key]: { motion: true },
        },
        [door.roomKey]: { [door.key]: { lock_target: false } },
        _scenes: ['Good Night'],
      },
      _meta: { message: 'as GET gave it' },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ updated: 1, failed: 6, message: 'Updated 1 accessory' });
    expect(body.changes).toEqual([`${homeKey}/${roomKey}/${key}: on=true`]);
    expect(body.errors).toEqual(
      expect.arrayContaining([
        'nowhere_0000: home not found',
        `${homeKey}/attic_0000: room not found`,
        `${homeKey}/${roomKey}/ghost_0000: not found`,
        expect.stringMatching(`^${homeKey}/${roomKey}/${key}.brightness: Invalid value 101`),
        expect.stringMatching(`^${homeKey}/${roomKey}/${key}.colour: Unknown property`),
        expect.stringMatching(/motion: Characteristic not writable/),
        `${homeKey}/${door.roomKey}/${door.key}.lock_target: Accessory unreachable`,
      ]),
    );
  });

  it('what GET answers can be sent back: names, types and underscored keys are no settings', async () => {
    const tree = (await rest.get('/rest/state?name=lamp')).body;
    const { body } = await rest.post('/rest/state', tree);
    expect(body).toMatchObject({ updated: 1, failed: 0, errors: [] });
    expect(body.changes[0]).toMatch(/: on=false, brightness=50, hue=0, saturation=0$/);
  });

  it('reports what was not an object', async () => {
    const { homeKey, roomKey, key } = await keyOfAccessory('Lamp');
    const errors = async (body: unknown) => (await rest.post('/rest/state', body)).body.errors;
    expect(await errors({ [homeKey]: 5 })).toEqual([`${homeKey}: must be an object of room keys`]);
    expect(await errors({ [homeKey]: { [roomKey]: [] } })).toEqual([
      `${homeKey}/${roomKey}: must be an object of accessory keys`,
    ]);
    expect(await errors({ [homeKey]: { [roomKey]: { [key]: 'on' } } })).toEqual([
      `${homeKey}/${roomKey}/${key}: must be an object of properties`,
    ]);
  });

  it('takes more settings at once than any home has, but not any number', async () => {
    const { homeKey, roomKey, key } = await keyOfAccessory('Lamp');
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, 1]));
    const post = (settings: object) => rest.post('/rest/state', { [homeKey]: { [roomKey]: { [key]: settings } } });
    const { status, body } = await post({ ...many(9_999), on: true });
    expect([status, body.updated, body.errors.length]).toEqual([200, 1, 9_999]);
    expect((await post(many(10_001))).body.error).toBe('A request may set 10000 properties at most. Send several.');
  });

  it('does not answer a body full of things that are not there with one many times as long', async () => {
    const nobodys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, {}]));
    const { homeKey, roomKey } = await keyOfAccessory('Lamp');
    for (const wrap of [
      (tree: object) => tree,
      (tree: object) => ({ [homeKey]: tree }),
      (tree: object) => ({ [homeKey]: { [roomKey]: tree } }),
      (tree: object) => Object.values(tree),
    ]) {
      expect((await rest.post('/rest/state', wrap(nobodys(10_000)))).body.failed).toBe(10_000);
      expect((await rest.post('/rest/state', wrap(nobodys(10_001)))).status).toBe(400);
    }
  });

  it('answers "No updates" where nothing was asked for', async () => {
    for (const body of [{}, [], { _meta: {} }, await nested({ Lamp: {} })]) {
      expect((await rest.post('/rest/state', body)).body).toEqual({
        updated: 0,
        failed: 0,
        changes: [],
        errors: [],
        message: 'No updates',
      });
    }
  });

  it('takes the older form {homeId, state} and answers with success', async () => {
    const { homeKey, roomKey, key } = await keyOfAccessory('Lamp');
    const state = { [roomKey]: { [key]: { on: true } } };
    for (const body of [
      { homeId: home.home.id, state },
      { home_id: home.home.id.toUpperCase(), state },
    ]) {
      expect((await rest.post('/rest/state', body)).body).toMatchObject({
        success: true,
        updated: 1,
        changes: [`${homeKey}/${roomKey}/${key}: on=true`],
      });
    }
    expect((await rest.post('/rest/state', { homeId: 'x', state })).status).toBe(404);
    for (const homeId of [5, null, [], {}]) {
      const { status, body } = await rest.post('/rest/state', { homeId, state });
      expect([status, body.error]).toEqual([422, '"homeId" must be the id of a home.']);
    }
  });

  it('a key that begins with an underscore is an ordinary key if it names something', async () => {
    home.accessories.update(systemCaller, home.named('Lamp').id, { name: '_lamp' });
    const { body } = await rest.post('/rest/state', await nested({ _lamp: { on: true } }));
    expect(body).toMatchObject({ updated: 1, failed: 0 });
  });
});

describe('GET /rest/homes', () => {
  it('array of {id: home UUID, name, key: home slug key, connected}, and what existing clients read', async () => {
    const { body } = await rest.get('/rest/homes');
    expect(body).toEqual([
      {
        id: home.home.id,
        name: 'My Home',
        key: (await keyOfAccessory('Lamp')).homeKey,
        connected: true,
        role: 'owner',
        isPrimary: true,
        isAdmin: true,
        roomCount: 2,
        accessoryCount: 7,
        paused: false,
        privileges: 'edit',
        timeZone: null,
        location: null,
        background: null,
        pictureHash: null,
      },
    ]);
  });
});

describe('GET /rest/rooms', () => {
  it('rooms of the home', async () => {
    const { body } = await rest.get(`/rest/rooms?home=${home.home.id.toUpperCase()}`);
    const plain = { id: expect.any(String), homeId: home.home.id, color: null, pictureHash: null };
    expect(body).toEqual([
      { ...plain, name: 'Default Room', accessoryCount: 4, isDefault: true },
      { ...plain, name: 'Living Room', accessoryCount: 3, isDefault: false },
    ]);
  });

  it.each([
    ['', 400, 'home parameter required'],
    ['?home=my_home', 400, 'must be an id'],
    ['?home=00000000-0000-4000-8000-000000000000', 404, 'Home not found'],
  ])('answers %j with %i', async (query, status, sentence) => {
    const answer = await rest.get(`/rest/rooms${query}`);
    expect([answer.status, answer.body.error]).toEqual([status, expect.stringContaining(sentence)]);
  });
});

describe('GET /rest/accessories', () => {
  const names = async (query: string) =>
    (await rest.get(`/rest/accessories${query}`)).body.map(({ name }: { name: string }) => name);

  it('query: home and room by UUID, type, name by substring', async () => {
    const livingRoom = home.state.rooms().find(({ name }) => name === 'Living Room');
    expect(await names('')).toHaveLength(7);
    expect(await names(`?home=${home.home.id}&room=${livingRoom?.id}`)).toEqual(['Lamp', 'Motion', 'Thermostat']);
    expect(await names('?name=LAM')).toEqual(['Lamp']);
    for (const type of ['light', 'Lightbulb', 'lightbulb', 'LIGHTBULB'])
      expect(await names(`?type=${type}`)).toEqual(['Lamp']);
    expect(await names('?type=Door%20Lock')).toEqual(['Front Door']);
    expect(await names('?type=no_such_type')).toEqual([]);
  });

  it.each([
    ['?home=garage', 400, 'Query parameter "home" must be an id (a UUID).'],
    ['?room=garage', 400, 'Query parameter "room" must be an id (a UUID).'],
    ['?home=00000000-0000-4000-8000-000000000000', 404, 'Home not found'],
    ['?room=00000000-0000-4000-8000-000000000000', 404, 'Room not found'],
    ['/00000000-0000-4000-8000-000000000000', 404, 'Accessory not found'],
    ['/lamp', 404, 'Accessory not found'],
  ])('answers %s with %i', async (path, status, error) => {
    const answer = await rest.get(`/rest/accessories${path}`);
    expect([answer.status, answer.body.error]).toEqual([status, error]);
  });

  it('a single accessory by its UUID, ignoring case', async () => {
    const { id } = home.named('Lamp');
    const { body } = await rest.get(`/rest/accessories/${id.toUpperCase()}`);
    expect(body).toEqual((await rest.get('/rest/accessories?name=lamp')).body[0]);
  });

  it('shows every child of a bridge, and events as they come', async () => {
    const children = Array.from({ length: 149 }, (_, index) => lamp(`Child ${index}`, String(index + 2)));
    home.driver.attach(home.home.id, {
      deviceId: '10:00:00:00:00:55',
      name: 'Big',
      setupCode: '1',
      accessories: children,
    });
    expect(await names('?name=child')).toHaveLength(149);
    home.driver.event('10:00:00:00:00:55', '100', '10', 77);
    expect((await rest.get('/rest/accessories?name=child%2098')).text).toContain('"value":77');
  });
});

describe('background images (Cloud edition only)', () => {
  it.each([
    ['GET', '/rest/background/presets'],
    ['POST', '/rest/background'],
    ['DELETE', '/rest/background?filename=x.png'],
  ])('%s %s answers that the Community edition has none', async (method, path) => {
    const { status, body } = await rest.request(method, path);
    expect([status, body.error]).toEqual([404, 'Background images are available in the Cloud edition only']);
  });

  it('POST /rest/background does so to a multipart upload too', async () => {
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const { status, body } = await rest.post('/rest/background', '--x--', headers);
    expect([status, body.code]).toEqual([404, 'cloud_only']);
  });
});
