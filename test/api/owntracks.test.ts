import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HomePermissions } from '../../src/app/access/caller.ts';
import { createTestApi, createToken } from '../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';

const BERLIN = { lat: 52.52, lon: 13.405 };
/** As the app for iOS sends it; fields that mean nothing here included. */
const POSITION = { _type: 'location', ...BERLIN, acc: 12, alt: 40, batt: 88, conn: 'w', tid: 'AD', vac: 3, t: 'u' };

let home: TestHome;
let ada: string;

beforeEach(() => {
  home = createTestHome();
  home.homes.update(systemCaller, home.home.id, { location: { latitude: BERLIN.lat, longitude: BERLIN.lon } });
  ada = home.people.create(systemCaller, { homeId: home.home.id, name: 'Ada' }).id;
});
afterEach(() => home.close());

interface Post {
  readonly body?: unknown;
  readonly permissions?: HomePermissions;
  readonly path?: string;
  readonly userName?: string;
  readonly headers?: Record<string, string>;
}

async function post({
  body = POSITION,
  permissions = null,
  path = '/owntracks',
  userName = 'Ada',
  headers,
}: Post = {}) {
  const credentials = Buffer.from(`${userName}:${createToken(home, permissions)}`).toString('base64');
  const response = await createTestApi(home).fetch(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/json', ...headers },
      body:
        typeof body === 'string'
          ? body
          : JSON.stringify({ tst: Math.floor(home.clock.now() / 1000), ...(body as object) }),
    }),
  );
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const isHome = (): boolean | null => home.people.get(systemCaller, ada).atHome;

describe('a report of OwnTracks', () => {
  it('reports where its user is, with an access token as the password, and is answered by an empty list', async () => {
    expect(await post()).toEqual({ status: 200, body: [] });
    expect(isHome()).toBe(true);
    await post({ body: { ...POSITION, lat: 48.85 } });
    expect(isHome()).toBe(false);
  });

  it.each<[string, Post]>([
    ['the header X-Limit-U', { userName: 'phone', headers: { 'x-limit-u': 'ada', 'x-limit-d': 'iphone' } }],
    ['the query', { userName: '', path: '/owntracks?u=Ada&d=iphone' }],
    ['the user name of the sign-in', {}],
  ])('is of the person that %s names', async (_, how) => {
    expect((await post(how)).status).toBe(200);
    expect(isHome()).toBe(true);
  });

  it('also comes when a region is left, with the position there', async () => {
    await post();
    await post({ body: { _type: 'transition', event: 'leave', lat: 52.6, lon: 13.405, acc: 20, desc: 'Home' } });
    expect(isHome()).toBe(false);
  });

  it('of a region alone, without the position, is taken and changes nothing', async () => {
    expect(await post({ body: { _type: 'transition', event: 'leave', desc: 'Home' } })).toEqual({
      status: 200,
      body: [],
    });
    expect(isHome()).toBeNull();
  });

  it('finds names that are not English, in the header as the app writes it', async () => {
    const { id } = home.people.create(systemCaller, { homeId: home.home.id, name: 'Jürgen' });
    const header = Buffer.from('Jürgen').toString('latin1');
    expect((await post({ userName: 'phone', headers: { 'x-limit-u': header } })).status).toBe(200);
    expect(home.people.get(systemCaller, id).atHome).toBe(true);
  });

  it.each([['waypoint'], ['lwt'], ['status'], ['card'], [undefined]])(
    'that holds no position is taken and changes nothing: %s',
    async (type) => {
      expect(await post({ body: { _type: type, desc: 'x', lat: 1, lon: 1 } })).toEqual({ status: 200, body: [] });
      expect(isHome()).toBeNull();
    },
  );

  it('needs a token that may control the home', async () => {
    expect((await post({ permissions: { [home.home.id]: 'view' } })).status).toBe(403);
    expect((await post({ permissions: { [home.home.id]: 'control' } })).status).toBe(200);
    const anonymous = await createTestApi(home).fetch(
      new Request('http://localhost/owntracks', { method: 'POST', body: JSON.stringify(POSITION) }),
    );
    expect(anonymous.status).toBe(401);
    const wrong = await createTestApi(home).fetch(
      new Request('http://localhost/owntracks', {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from('Ada:hc_wrong').toString('base64')}` },
        body: JSON.stringify(POSITION),
      }),
    );
    expect(wrong.status).toBe(401);
  });

  it.each<[string, Post, number, string]>([
    ['no JSON', { body: '{' }, 400, 'not valid JSON'],
    ['a list', { body: '[]' }, 400, 'must be a JSON object'],
    ['encrypted', { body: { _type: 'encrypted', data: 'x' } }, 422, 'leave the encryption key in OwnTracks empty'],
    ['without latitude', { body: { _type: 'location', lon: 1 } }, 422, 'Invalid value for latitude'],
    ['from nowhere', { body: { ...POSITION, lat: 200 } }, 422, 'Invalid value for latitude'],
    ['of no one', { userName: '' }, 400, 'Who is it?'],
    ['of a stranger', { userName: 'Eve', permissions: {} }, 404, 'There is no person called Eve'],
    ['of a home that is none', { path: '/owntracks?home=garden' }, 400, 'must be an id'],
  ])('%s is refused with what to do', async (_, how, status, sentence) => {
    const permissions = how.permissions && { [home.home.id]: 'control' as const };
    const answer = await post({ ...how, ...(permissions && { permissions }) });
    expect([answer.status, answer.body.error]).toEqual([status, expect.stringContaining(sentence)]);
    expect(isHome()).toBeNull();
  });
});
