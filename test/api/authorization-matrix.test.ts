/**
 * Every REST route × every kind of caller × the home that they have to do with and a foreign one. What must come of it
 * is worked out from the model (`support/authorization-model.ts`) and from what each route needs
 * (`support/authorization-rest.ts`); a route without a row fails. Refused callers change nothing, so that all of them
 * share one relay.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Audience } from '../../src/api/openapi/operation.ts';
import { RESOURCES } from '../../src/api/openapi/resources.ts';
import type { Role } from '../../src/app/access/caller.ts';
import { AuthorizationFixture } from '../support/authorization-fixture.ts';
import {
  expectNoLeak,
  isEnough,
  type Made,
  NAMES,
  type Need,
  PLACES,
  type Verdict,
  verdictOf,
  verdictOfMaking,
} from '../support/authorization-model.ts';
import { KNOWN, type Principal, STRANGERS } from '../support/authorization-principals.ts';
import { type Ask, GENERAL_ROWS, HOME_ROWS } from '../support/authorization-rest.ts';
import { madeBy, ROUTE_EFFECTS, SECRET_READS } from '../support/authorization-things.ts';
import { EventStreamClient } from '../support/event-stream.ts';
import { OAUTH_ROUTES } from '../support/oauth-routes.ts';
import { PAGE_ROUTES } from '../support/page-routes.ts';
import { createRestClient, type RestAnswer } from '../support/rest-client.ts';
import { SHARE_PAGE_ROUTES, SHARE_ROUTES } from '../support/share-routes.ts';
import { systemCaller } from '../support/test-home.ts';

/** Every caller that is refused, and every one that only reads. Nothing in it ever changes. */
let fixture: AuthorizationFixture;
/** Who changes something does so here; new where something is gone or there already. */
let scratch: AuthorizationFixture;

beforeAll(async () => {
  fixture = await AuthorizationFixture.create();
  scratch = await AuthorizationFixture.create();
  // Strangers first: the end of an account has every token looked up, and its use noted, again.
  for (const who of [...STRANGERS, ...KNOWN]) await fixture.credentialsOf(who);
});
afterAll(() => {
  fixture.close();
  scratch.close();
});

/** Whether the scratch relay has granted a request since it was made. Making a relay takes longer than most rows. */
let isTouched = false;

async function renewScratch(): Promise<void> {
  if (!isTouched) return;
  isTouched = false;
  scratch.close();
  scratch = await AuthorizationFixture.create();
}

const EVERY_CALLER = [...KNOWN, ...STRANGERS];
/** Tested on their own, below. */
const OWN_TESTS = [
  'GET /events',
  'POST /rest/state',
  'POST /rest/scene',
  'POST /rest/collections',
  'GET /rest/collections/:id',
  'PATCH /rest/collections/:id',
  'DELETE /rest/collections/:id',
  'DELETE /rest/tokens/:id',
  'POST /rest/notifications/preferences',
  'DELETE /rest/notifications/preferences',
];

/** Open to every caller: all of them get the same answers. */
const OPEN_ROUTES = [
  'GET /health',
  'GET /ready',
  'GET /openapi.json',
  'GET /docs',
  'GET /docs/api',
  'GET /docs/search.json',
  'GET /docs/:page',
  'GET /graphiql',
  'GET /assets/:file',
  'GET /manifest.webmanifest',
  'GET /sw.js',
  // Pages for people, who come with cookies: `html/`.
  ...PAGE_ROUTES,
  // Ways to come by a token: `oauth/`.
  ...OAUTH_ROUTES,
  // For a caller with the link: `share/authorization.test.ts`.
  ...SHARE_ROUTES,
  ...SHARE_PAGE_ROUTES,
  // Their ids are secrets.
  'POST /webhook/:webhookId',
  'POST /notification-action/:token',
  // The test asks it to speak WebSocket; for clients that do, see `live/websocket.test.ts`.
  'GET /ws',
];

/**
 * Judged where they are served: tool by tool in `mcp/authorization.test.ts`, by its own ids and passwords in
 * `owntracks.test.ts`.
 */
const OTHER_ROUTES = ['POST /mcp', 'POST /owntracks'];

/** As it stands in the list of routes; a row may add which of several ways to ask it is about. */
const routeOf = (row: string): string => row.replace(/ (of|by) .*/, '');

async function askAs(
  where: AuthorizationFixture,
  who: Principal,
  route: string,
  { path, body }: Ask,
): Promise<RestAnswer> {
  const { token, viaSocket } = await where.credentialsOf(who);
  const [method = ''] = route.split(' ');
  return createRestClient(where.app, token, viaSocket && { viaSocket }).request(method, path, body);
}

/** Where to ask: a caller that is granted a change gets a relay of its own. */
function fixtureFor(route: string, verdict: Verdict): AuthorizationFixture {
  if (verdict !== 'granted' || route.startsWith('GET ')) return fixture;
  isTouched = true;
  return scratch;
}

/** What can't be done twice in one world. */
function isSpent(route: string, needs: Role | undefined): boolean {
  const isAct = needs === 'view' || needs === 'control';
  return route.startsWith('DELETE ') || (route.startsWith('POST ') && !isAct);
}

const STATUS: Readonly<Record<Exclude<Verdict, 'granted'>, number>> = { stranger: 401, hidden: 404, refused: 403 };

describe('every route', () => {
  it('has a row', () => {
    const routes = fixture.app.routes
      .filter(({ method, path }) => method !== 'ALL' && !path.endsWith('*'))
      .map(({ method, path }) => `${method} ${path}`);
    const rows = [...Object.keys(HOME_ROWS), ...Object.keys(GENERAL_ROWS)].map(routeOf);
    const listed = [...rows, ...OWN_TESTS, ...OPEN_ROUTES, ...OTHER_ROUTES];
    expect([...new Set(listed)].sort()).toEqual([...new Set(routes)].sort());
  });

  it('declares what it makes or changes that lasts', () => {
    const rows = [...Object.keys(HOME_ROWS), ...Object.keys(GENERAL_ROWS), ...OWN_TESTS].map(routeOf);
    const changing = rows.filter((route) => !route.startsWith('GET ') || SECRET_READS.has(route));
    expect(Object.keys(ROUTE_EFFECTS).sort()).toEqual([...new Set(changing)].sort());
  });
});

describe('about a home', () => {
  it.each(Object.entries(HOME_ROWS))('%s', async (row, { needs, ask, nothing, done = 200 }) => {
    await renewScratch();
    for (const who of EVERY_CALLER) {
      for (const place of PLACES) {
        const verdict = verdictOfMaking(who, { here: needs }, place, madeBy(ROUTE_EFFECTS, routeOf(row)));
        const where = fixtureFor(row, verdict);
        const [version, writes] = [where.test.state.version, where.writes()];
        const answer = await askAs(where, who, row, ask(where.ids[place]));
        const expected = verdict === 'granted' ? done : STATUS[verdict];
        expect([who.name, place, answer.status, answer.text]).toEqual([who.name, place, expected, expect.any(String)]);
        if (verdict === 'granted') {
          if (isSpent(row, needs)) await renewScratch();
          continue;
        }
        expect([who.name, where.test.state.version, where.writes()]).toEqual([who.name, version, writes]);
        expectNoLeak(where, who, answer.text);
        // What may not be seen answers word for word as what is not there.
        if (verdict === 'hidden') expect((await askAs(where, who, row, nothing)).text).toBe(answer.text);
      }
    }
    expect(fixture.test.driver.identified).toEqual([]);
    expect(fixture.test.driver.writes).toEqual([]);
  });
});

describe('about what is in no home', () => {
  it.each(Object.entries(GENERAL_ROWS))('%s', async (row, { needs, ask, done = 200, names }) => {
    await renewScratch();
    for (const who of EVERY_CALLER) {
      const verdict = verdictOfMaking(who, needs, 'own', madeBy(ROUTE_EFFECTS, routeOf(row)));
      const where = fixtureFor(row, verdict);
      const [version, writes] = [where.test.state.version, where.writes()];
      const answer = await askAs(where, who, row, ask);
      const expected = verdict === 'granted' ? done : STATUS[verdict];
      expect([who.name, answer.status, answer.text]).toEqual([who.name, expected, expect.any(String)]);
      expectNoLeak(where, who, answer.text);
      if (where === fixture) expect([where.test.state.version, where.writes()]).toEqual([version, writes]);
      if (where === scratch && isSpent(row, undefined)) await renewScratch();
      if (verdict !== 'granted' || names === undefined) continue;
      for (const place of PLACES) {
        if (!isEnough(who.worth?.[place], names === 'homes' ? 'view' : 'admin')) continue;
        expect([who.name, answer.text]).toEqual([who.name, expect.stringContaining(where.ids[place].home ?? '')]);
      }
    }
  });
});

describe('what is open', () => {
  it.each(OPEN_ROUTES)('%s answers every caller alike', async (route) => {
    const ask = { path: route.split(' ')[1]?.replaceAll(/:\w+/g, fixture.ids.foreign.home ?? '') ?? '' };
    const [anonymous, ...others] = [
      STRANGERS[0],
      ...KNOWN.filter(({ kind }, index) => kind !== KNOWN[index - 1]?.kind),
    ];
    const expected = await askAs(fixture, anonymous as Principal, route, ask);
    for (const who of others as Principal[]) {
      // The door for which an app's token is not meant has nothing to do with this one.
      if (who.mcpAlone) continue;
      const answer = await askAs(fixture, who, route, ask);
      expect([who.name, answer.status]).toEqual([who.name, expected.status]);
      expect([NAMES.own.accessory, NAMES.foreign.accessory].filter((name) => answer.text.includes(name))).toEqual([]);
    }
  });
});

/** What the reference may state about a row that needs this. */
function audiencesFor(needs: Need, made: Made | null): readonly Audience[] {
  if (made !== null && ['membership', 'controller', 'publication'].includes(made.thing)) return ['admin, signed in'];
  if (typeof needs === 'object') {
    const role = 'here' in needs ? needs.here : needs.anywhere;
    return role === 'admin' ? ['admin', 'admin of any home'] : [role, ...(role === 'view' ? (['token'] as const) : [])];
  }
  const answered: Readonly<Record<Exclude<Need, object>, readonly Audience[]>> = {
    everyone: ['everyone'],
    anyone: ['token', 'view'],
    'a person': ['user'],
    'a person or the relay': ['user'],
    'to look after apps': ['caretaker of apps'],
    'a session': ['session'],
    'a session or the system': ['session'],
    'to have something': ['control'],
    'the head': ['founder'],
    'every home, signed in': ['owner of every home'],
    'the system': ['system'],
  };
  return answered[needs];
}

describe('the reference', () => {
  it('states of every route who may use it', () => {
    const answered = RESOURCES.flatMap(({ operations }) =>
      operations.map(({ method, path, audience }) => [`${method.toUpperCase()} ${path}`, audience] as const),
    );
    const audiences = new Map<string, Audience>(answered);
    const needs: readonly (readonly [string, Need])[] = [
      ...Object.entries(HOME_ROWS).map(([row, { needs: here }]) => [row, { here }] as const),
      ...Object.entries(GENERAL_ROWS).map(([row, { needs: need }]) => [row, need] as const),
    ];
    for (const [row, need] of needs) {
      // GraphQL describes itself. Of a route over everything that narrows down to one thing, the reference states the
      // former.
      const isNarrowed = row !== routeOf(row) && GENERAL_ROWS[routeOf(row)] !== undefined;
      if (row.includes('/graphql') || isNarrowed) continue;
      const audience = audiences.get(routeOf(row)) ?? 'everyone';
      expect([row, audience]).toEqual([
        row,
        expect.toSatisfy((one) => audiencesFor(need, madeBy(ROUTE_EFFECTS, routeOf(row))).includes(one)),
      ]);
    }
  });
});

describe.each(EVERY_CALLER.map((who) => [who.name, who] as const))('%s', (_, who) => {
  it('POST /rest/state', async () => {
    for (const place of PLACES) {
      const { home, room, accessory } = NAMES[place];
      const body = { home, room, accessory, on: true };
      const before = scratch.test.driver.writes.length;
      const answer = await askAs(scratch, who, 'POST /rest/state', { path: '/rest/state', body });
      const verdict = verdictOf(who, { here: 'control' }, place);
      if (verdict === 'stranger') expect(answer.status).toBe(401);
      else if (verdict === 'hidden' || verdict === 'refused')
        expect(answer.body.error).toBe('insufficient_permissions');
      else expect(answer.body).toMatchObject({ updated: 1, failed: 0 });
      expect(scratch.test.driver.writes.length - before).toBe(verdict === 'granted' ? 1 : 0);
    }
  });

  it('POST /rest/scene', async () => {
    for (const place of PLACES) {
      const { home, thing } = NAMES[place];
      const body = { home, name: `Scene ${thing}` };
      const before = scratch.test.driver.writes.length;
      const answer = await askAs(scratch, who, 'POST /rest/scene', { path: '/rest/scene', body });
      const verdict = verdictOf(who, { here: 'control' }, place);
      if (verdict === 'stranger') expect(answer.status).toBe(401);
      else if (verdict === 'hidden' || verdict === 'refused')
        expect(answer.body.error).toBe('insufficient_permissions');
      else expect(answer.body).toMatchObject({ success: true, sceneId: scratch.ids[place].scene });
      expect(scratch.test.driver.writes.length - before).toBe(verdict === 'granted' ? 1 : 0);
    }
  });

  it('POST /rest/collections; GET, PATCH and DELETE one of them', async () => {
    const mine = await askAs(scratch, who, 'POST', { path: '/rest/collections', body: { name: 'Mine' } });
    const verdict = verdictOf(who, 'to have something');
    expect(mine.status).toBe(verdict === 'granted' ? 200 : STATUS[verdict]);
    const { caller } = await scratch.otherUser();
    const others = scratch.test.collections.create(caller, { name: 'Others' });
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'GET' ? undefined : {};
      const refused = await askAs(scratch, who, method, { path: `/rest/collections/${others.id}`, body });
      expect(refused.status).toBe(verdict === 'stranger' ? 401 : 404);
      if (verdict !== 'granted') continue;
      const done = await askAs(scratch, who, method, { path: `/rest/collections/${mine.body.id}`, body });
      expect(done.status).toBe(200);
    }
    scratch.test.collections.delete(caller, others.id);
  });

  it('POST and DELETE /rest/notifications/preferences', async () => {
    const path = '/rest/notifications/preferences';
    for (const place of PLACES) {
      const scopeId = scratch.ids[place].home ?? '';
      // A person's preferences are their own; those without a person are the home's, which its admins change.
      const verdict = verdictOf(who, { here: 'admin', ofPerson: 'view' }, place);
      const expected = verdict === 'granted' ? 200 : STATUS[verdict];
      const set = await askAs(scratch, who, 'POST', { path, body: { scope: 'home', scopeId, pushEnabled: false } });
      expect([place, set.status]).toEqual([place, expected]);
      const kept = await askAs(scratch, who, 'GET', { path });
      expect(kept.text.includes(scopeId)).toBe(expected === 200);
      const query = `?scope=home&scopeId=${scopeId}`;
      expect((await askAs(scratch, who, 'DELETE', { path: `${path}${query}` })).status).toBe(expected);
    }
  });

  it('GET /events', async () => {
    const { token, viaSocket } = await fixture.credentialsOf(who);
    const headers = { Host: 'localhost', ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
    const response = await fixture.app.request('/events', { headers }, viaSocket && { viaSocket });
    const stream = new EventStreamClient(response);
    const isStranger = verdictOf(who, 'anyone') === 'stranger';
    expect(response.status).toBe(isStranger ? 401 : 200);
    for (const place of PLACES) fixture.test.bus.emit('layout.changed', { homeId: fixture.ids[place].home ?? '' });
    // The stream is looked after by timers of the world's clock, and read between turns of the loop.
    for (let turn = 0; turn < 3; turn += 1) await fixture.test.clock.advance(25);
    const receivedEvents = stream.received('layout.changed').map(({ data }) => data.homeId);
    const visible = PLACES.filter((place) => verdictOf(who, { here: 'view' }, place) === 'granted');
    expect(receivedEvents).toEqual(visible.map((place) => fixture.ids[place].home));
    expectNoLeak(fixture, who, JSON.stringify(stream.events));
    await stream.cancel();
  });

  it('DELETE /rest/tokens/:id', async () => {
    const { info } = scratch.test.tokens.create(systemCaller, { name: 'The home’s own' });
    const { status } = await askAs(scratch, who, 'DELETE', { path: `/rest/tokens/${info.id}` });
    const verdict = verdictOf(who, { anywhere: 'admin', developer: true });
    // Who acts for a person does not know of those that are not that person's.
    const done = who.everywhere ? 200 : 404;
    expect(status).toBe(verdict === 'granted' ? done : STATUS[verdict]);
    const listed = scratch.test.tokens.list(systemCaller).find(({ id }) => id === info.id);
    expect(listed?.revokedAt === null).toBe(status !== 200);
  });
});
