/** Homes, rooms and accessories: what goes beyond the API. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PNG, pngOf } from '../../support/pictures.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../../support/rest-client.ts';
import { createTestHome, type TestHome } from '../../support/test-home.ts';

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});

afterEach(() => home.close());

const NO_CALLER = '00000000-0000-4000-8000-000000000000';

describe('homes', () => {
  it('are created, renamed, paused and deleted', async () => {
    await home.clock.advance(1_000);
    const created = await rest.post('/rest/homes', { name: ' Cottage ' });
    expect([created.status, created.body.name]).toEqual([200, 'Cottage']);
    const path = `/rest/homes/${created.body.id.toUpperCase()}`;
    const changed = await rest.patch(path, { name: 'Cabin', paused: true, privileges: 'view' });
    expect(changed.body).toMatchObject({
      name: 'Cabin',
      paused: true,
      privileges: 'view',
      isAdmin: false,
      isPrimary: false,
    });
    expect(home.driver.pauses.at(-1)).toEqual({ homeId: created.body.id, paused: true });
    expect((await rest.delete(path)).body).toEqual({ success: true, homeId: created.body.id });
    expect((await rest.delete(path)).status).toBe(404);
  });

  it('have a first one for everyone, who need not know of an older one', async () => {
    await home.clock.advance(1_000);
    const { body: cottage } = await rest.post('/rest/homes', { name: 'Cottage' });
    expect(cottage.isPrimary).toBe(false);
    const limited = createRestClient(createTestApi(home), createToken(home, { [cottage.id]: 'view' }));
    expect((await limited.get('/rest/homes')).body).toMatchObject([{ name: 'Cottage', isPrimary: true }]);
    const { body } = await limited.post('/graphql', { query: '{ homes { name isPrimary } }' });
    expect(body.data.homes).toEqual([{ name: 'Cottage', isPrimary: true }]);
  });

  it('are not deleted while accessories are paired into them, or if it is the last one', async () => {
    const path = `/rest/homes/${home.home.id}`;
    expect((await rest.delete(path)).body).toMatchObject({
      code: 'conflict',
      error: expect.stringContaining('only home'),
    });
    await rest.post('/rest/homes', { name: 'Cottage' });
    expect((await rest.delete(path)).body).toMatchObject({
      code: 'conflict',
      error: expect.stringContaining('accessories'),
    });
  });

  it.each([
    ['POST', '/rest/homes', { name: 'my home' }, 422],
    ['POST', '/rest/homes', { name: 'a\nb' }, 422],
    ['POST', '/rest/homes', {}, 400],
    ['PATCH', `/rest/homes/${NO_CALLER}`, { name: 'x' }, 404],
    ['DELETE', '/rest/homes/not-an-id', undefined, 404],
  ])('%s %s %j answers %i', async (method, path, body, status) => {
    const answer = await rest.request(method, path, body);
    expect([answer.status, typeof answer.body.error]).toEqual([status, 'string']);
  });
});

describe('rooms', () => {
  it('are created, renamed and deleted; their accessories then go to the default room', async () => {
    const { body: attic } = await rest.post('/rest/rooms', { homeId: home.home.id, name: 'Attic' });
    expect(attic).toEqual({
      id: expect.any(String),
      name: 'Attic',
      homeId: home.home.id,
      accessoryCount: 0,
      isDefault: false,
      color: null,
      pictureHash: null,
    });
    const lamp = home.named('Lamp').id;
    expect((await rest.patch(`/rest/accessories/${lamp}`, { roomId: attic.id })).body.roomName).toBe('Attic');
    const renamed = await rest.patch(`/rest/rooms/${attic.id}`, { name: 'Loft', color: 'teal' });
    expect(renamed.body).toMatchObject({ name: 'Loft', color: 'teal', accessoryCount: 1 });
    expect((await rest.patch(`/rest/rooms/${attic.id}`, { color: null })).body.color).toBeNull();
    expect((await rest.delete(`/rest/rooms/${attic.id}`)).body).toEqual({ success: true, roomId: attic.id });
    expect((await rest.get(`/rest/accessories/${lamp}`)).body.roomName).toBe('Default Room');
  });

  it('the default room is not deleted', async () => {
    const standard = home.state.rooms().find(({ isDefault }) => isDefault);
    expect((await rest.delete(`/rest/rooms/${standard?.id}`)).body.code).toBe('conflict');
  });

  it.each([
    ['POST', '/rest/rooms', { homeId: NO_CALLER, name: 'Attic' }, 404],
    ['POST', '/rest/rooms', { homeId: 5, name: 'Attic' }, 422],
    ['PATCH', `/rest/rooms/${NO_CALLER}`, { name: 'x' }, 404],
    ['PATCH', `/rest/rooms/${NO_CALLER}`, [], 400],
    ['GET', `/rest/rooms/${NO_CALLER}/picture`, undefined, 404],
  ])('%s %s %j answers %i', async (method, path, body, status) => {
    expect((await rest.request(method, path, body)).status).toBe(status);
  });
});

describe('the picture of a room', () => {
  const path = () => `/rest/rooms/${home.named('Lamp').roomId}/picture`;

  it('is kept by the browser of its caller, who asks whether it is still the same', async () => {
    const { body: room } = await rest.request('PUT', path(), PNG, { 'Content-Type': 'text/plain' });
    const { status, headers } = await rest.get(path());
    expect([status, Object.fromEntries(headers)]).toEqual([
      200,
      expect.objectContaining({
        'content-type': 'image/png',
        'content-length': String(PNG.byteLength),
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        etag: `"${room.pictureHash}"`,
        vary: 'Authorization',
        'x-content-type-options': 'nosniff',
      }),
    ]);
    const again = await rest.get(path(), { 'If-None-Match': `"${room.pictureHash}"` });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', `"${room.pictureHash}"`]);
    expect((await rest.get(path(), { 'If-None-Match': '"another"' })).status).toBe(200);
    const app = createTestApi(home);
    const headersOf = { Host: 'localhost', Authorization: `Bearer ${createToken(home)}` };
    const bytes = await (await app.request(path(), { headers: headersOf })).arrayBuffer();
    expect(Buffer.from(bytes)).toEqual(PNG);
  });

  it('needs a caller also where the browser has it', async () => {
    const { body: room } = await rest.request('PUT', path(), PNG);
    const anonymous = createRestClient(createTestApi(home));
    expect((await anonymous.get(path(), { 'If-None-Match': `"${room.pictureHash}"` })).status).toBe(401);
    const { body: cottage } = await rest.post('/rest/homes', { name: 'Cottage' });
    const elsewhere = createRestClient(createTestApi(home), createToken(home, { [cottage.id]: 'view' }));
    expect((await elsewhere.get(path(), { 'If-None-Match': `"${room.pictureHash}"` })).status).toBe(404);
  });

  it.each([
    ['nothing', '', 422, 'not_a_picture'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 422, 'not_a_picture'],
    ['a part of one', PNG.subarray(0, 40), 422, 'picture_incomplete'],
    ['one of too many pixels', pngOf(9_000, 1), 422, 'picture_too_large'],
    ['one of too many bytes', Buffer.concat([PNG, Buffer.alloc(200_000)]), 413, 'picture_too_large'],
  ])('is refused with the field and the reason if it is %s', async (_, body, status, reason) => {
    const answer = await rest.request('PUT', path(), body, { 'Content-Type': 'image/png' });
    expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({ field: 'picture', reason })]);
  });

  it('is removed', async () => {
    await rest.request('PUT', path(), PNG);
    expect((await rest.delete(path())).body.pictureHash).toBeNull();
    expect((await rest.get(path())).status).toBe(404);
  });
});

describe('the picture of a home', () => {
  const path = () => `/rest/homes/${home.home.id}/picture`;

  it('is read, stays when the home changes, and is removed', async () => {
    const { body } = await rest.request('PUT', path(), PNG, { 'Content-Type': 'image/png' });
    expect(body).toMatchObject({ background: null, pictureHash: expect.any(String) });
    const { body: changed } = await rest.patch(`/rest/homes/${home.home.id}`, { name: 'Boat', background: 'sea' });
    expect(changed).toMatchObject({ background: 'sea', pictureHash: body.pictureHash });
    const { status, headers } = await rest.get(path());
    expect([status, headers.get('content-type'), headers.get('etag')]).toEqual([
      200,
      'image/png',
      `"${body.pictureHash}"`,
    ]);
    expect((await rest.delete(path())).body).toMatchObject({ background: 'sea', pictureHash: null });
    expect((await rest.get(path())).status).toBe(404);
    expect((await rest.patch(`/rest/homes/${home.home.id}`, { background: null })).body.background).toBeNull();
  });

  it('is refused as that of a room is, and backgrounds have names', async () => {
    expect((await rest.request('PUT', path(), PNG.subarray(0, 40))).body.reason).toBe('picture_incomplete');
    const { status, body } = await rest.patch(`/rest/homes/${home.home.id}`, { background: 'beige' });
    expect([status, body.field]).toEqual([422, 'background']);
  });
});

describe('accessories', () => {
  it('get an icon, and lose it again', async () => {
    const path = `/rest/accessories/${home.named('Lamp').id}`;
    expect((await rest.patch(path, { icon: 'sofa' })).body.icon).toBe('sofa');
    const refused = await rest.patch(path, { icon: 'sofaa' });
    expect([refused.status, refused.body]).toEqual([
      422,
      {
        code: 'invalid_value',
        error: 'Invalid value for icon: "sofaa" is not one of the icons. Did you mean "sofa"?',
        field: 'icon',
      },
    ]);
    expect((await rest.get(path)).body.icon).toBe('sofa');
    expect((await rest.patch(path, { icon: null })).body.icon).toBeNull();
  });

  it('are renamed and get their own name back', async () => {
    const path = `/rest/accessories/${home.named('Lamp').id}`;
    expect((await rest.patch(path, { name: 'Reading Lamp' })).body.name).toBe('Reading Lamp');
    expect((await rest.get('/rest/state?name=reading_lamp')).text).toContain('reading_lamp_');
    expect((await rest.patch(path, { name: null })).body.name).toBe('Lamp');
  });

  it('identify themselves', async () => {
    const { id } = home.named('Lamp');
    expect((await rest.post(`/rest/accessories/${id}/identify`)).body).toEqual({ success: true });
    expect(home.driver.identified).toEqual([{ source: '10:00:00:00:00:01', aid: '1' }]);
    home.driver.setReachable('10:00:00:00:00:01', false);
    const { status, body, headers } = await rest.post(`/rest/accessories/${id}/identify`);
    expect([status, body.error, headers.has('retry-after')]).toEqual([503, 'Accessory unreachable', true]);
  });

  it.each([
    [`/rest/accessories/${NO_CALLER}`, { name: 'x' }, 404],
    ['/rest/accessories/lamp', { name: 'x' }, 404],
  ])('PATCH %s %j answers %i', async (path, body, status) => {
    expect((await rest.patch(path, body)).status).toBe(status);
  });

  it.each([
    [{ roomId: NO_CALLER }, 404],
    [{ roomId: 5 }, 422],
    [{ name: '' }, 422],
    [{ room: 'Attic' }, 400],
  ])('PATCH of a known one with %j answers %i', async (body, status) => {
    expect((await rest.patch(`/rest/accessories/${home.named('Lamp').id}`, body)).status).toBe(status);
  });
});
