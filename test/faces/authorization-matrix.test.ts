/**
 * Every route × every kind of token × the caller's own home and a foreign one. What must come of each is worked out from one
 * table of what each route needs and one of what each token is worth; a route without a row fails.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { ROLES, type Role } from '../../src/app/access/caller.ts';
import type { Flow } from '../../src/app/automations/flow.ts';
import type { Automation } from '../../src/app/automations/native/automation.ts';
import type { Person } from '../../src/app/presence/person.ts';
import type { ListedScene } from '../../src/app/scenes/scenes.ts';
import type { Member } from '../../src/app/users/member.ts';
import { UserStore } from '../../src/app/users/user-store.ts';
import type { Audience } from '../../src/faces/openapi/operation.ts';
import { RESOURCES } from '../../src/faces/openapi/resources.ts';
import type { Accessory, Home, Room, RoomGroup, ServiceGroup, Zone } from '../../src/home/model.ts';
import { OAUTH_ROUTES } from '../support/oauth-routes.ts';
import { PAGE_ROUTES } from '../support/page-routes.ts';
import { createRestClient, createTestFace, createToken, type RestAnswer } from '../support/rest-client.ts';
import { lamp } from '../support/sample-accessories.ts';
import { SHARE_PAGE_ROUTES, SHARE_ROUTES } from '../support/share-routes.ts';
import { createTestHome, systemCaller, type TestHome, userCaller } from '../support/test-home.ts';

const DAY_MS = 24 * 60 * 60_000;
const CODE = '031-45-154';
const UNPAIRED = 'CC:00:00:00:00:01';
/** A trigger that never fires while the tests run. */
const TIMER = { type: 'timer', hour: 3, recurrenceType: 'daily' };
const NO_SUCH_ID = '00000000-0000-4000-8000-000000000000';

/** What the two homes hold, under names that occur nowhere else, so that a leak shows. */
const PLACES = {
  own: { home: 'Ownhouse', room: 'Ownroom', accessory: 'Ownlamp', deviceId: 'AA:00:00:00:00:01' },
  foreign: { home: 'Farhouse', room: 'Farroom', accessory: 'Farlamp', deviceId: 'BB:00:00:00:00:01' },
} as const;
type Which = keyof typeof PLACES;
const BOTH = ['own', 'foreign'] as const;

interface Place {
  readonly virtual: Accessory;
  readonly home: Home;
  readonly room: Room;
  readonly accessory: Accessory;
  readonly deviceId: string;
  readonly scene: ListedScene;
  readonly automation: Automation;
  readonly flow: Flow;
  readonly flowVersion: string;
  readonly flowRun: string;
  readonly group: ServiceGroup;
  readonly zone: Zone;
  readonly roomGroup: RoomGroup;
  readonly person: Person;
  /** Somebody who is invited. */
  readonly invited: Member;
  readonly shareId: string;
}

interface World {
  readonly test: TestHome;
  readonly places: Readonly<Record<Which, Place>>;
  /** Of users, and changed by tests as they go: user → home → role. */
  readonly roles: Map<string, Partial<Record<Which, Role>>>;
}

let open: World | undefined;

afterEach(() => {
  open?.test.close();
  open = undefined;
});

function createWorld(): World {
  open?.test.close();
  const roles = new Map<string, Partial<Record<Which, Role>>>();
  const ids = new Map<string, Which>();
  const test = createTestHome({
    roles: {
      roleOf: (user, homeId) => roles.get(user)?.[ids.get(homeId) ?? 'own'],
      homesOf: (user) => [...ids].filter(([, which]) => roles.get(user)?.[which]).map(([id]) => id),
    },
  });
  const furnish = (which: Which): Place => {
    const names = PLACES[which];
    const home = test.homes.create(systemCaller, { name: names.home });
    ids.set(home.id, which);
    const room = test.rooms.create(systemCaller, { homeId: home.id, name: names.room });
    const device = { deviceId: names.deviceId, name: 'Device', setupCode: CODE, accessories: [lamp(names.accessory)] };
    test.driver.attach(home.id, device);
    const { id } = test.named(names.accessory);
    const accessory = test.accessories.update(systemCaller, id, { roomId: room.id });
    const actions = [{ accessoryId: id, characteristicType: 'on', targetValue: true }];
    const scene = test.scenes.create(systemCaller, { homeId: home.id, name: `Scene of ${names.home}`, actions });
    const automation = test.automations.create(systemCaller, {
      homeId: home.id,
      name: `Automation of ${names.home}`,
      trigger: TIMER,
      actions,
    });
    const flow = test.flows.save(systemCaller, {
      homeId: home.id,
      data: { ...FLOW, name: `Flow of ${names.home}`, enabled: false },
    });
    const flowVersion = test.flows.versions(systemCaller, flow.id)[0]?.id ?? '';
    // It is refused, and so has a trace at once.
    const flowRun = test.flows.run(systemCaller, flow.id).runId;
    test.flows.setEnabled(systemCaller, flow.id, true);
    const set = { homeId: home.id, name: `Set of ${names.home}`, roomIds: [room.id] };
    const group = test.serviceGroups.create(systemCaller, { ...set, accessoryIds: [id] });
    const zone = test.zones.create(systemCaller, set);
    const roomGroup = test.roomGroups.create(systemCaller, set);
    const mode = { homeId: home.id, name: `Mode of ${names.home}`, type: 'mode', roomId: room.id };
    const virtual = test.virtuals.create(systemCaller, mode);
    const person = test.people.create(systemCaller, { homeId: home.id, name: `Person of ${names.home}` });
    const guest = { homeId: home.id, email: `guest@${which}.example`, role: 'view' };
    const { member: invited } = test.members.invite(systemCaller, guest);
    // Without a passcode to hash it is there at once.
    void test.shares.create(systemCaller, { ...shareBody(id), entityType: 'accessory' });
    const shareId = test.shares.list(systemCaller, 'accessory', id)[0]?.id ?? '';
    return {
      home,
      room,
      accessory,
      scene,
      automation,
      flow,
      flowVersion,
      flowRun,
      group,
      zone,
      roomGroup,
      virtual,
      person,
      invited,
      shareId,
      deviceId: names.deviceId,
    };
  };
  const places = { own: furnish('own'), foreign: furnish('foreign') };
  test.driver.addDevice({ deviceId: UNPAIRED, name: 'New', setupCode: CODE, accessories: [lamp('New')] });
  open = { test, places, roles };
  return open;
}

interface Holder {
  /** What the token is worth in each home; nothing = it may not know of it. `null`: it opens no door at all. */
  readonly worth: Partial<Record<Which, Role>> | null;
  /** Full access to what belongs to no home, such as making homes. */
  readonly everywhere?: true;
  /** A user made it, and stands behind it. */
  readonly hasMaker?: true;
  token(world: World): string | undefined;
}

function limited(permissions: Partial<Record<Which, 'control' | 'view'>>): Holder {
  return {
    worth: permissions,
    token: ({ test, places }) =>
      createToken(
        test,
        Object.fromEntries(
          BOTH.flatMap((which) => (permissions[which] ? [[places[which].home.id, permissions[which]]] : [])),
        ),
      ),
  };
}

/** The account of whoever makes tokens here, for what is stored under it. Without one they are nobody but a role. */
function addAnn({ test: { database } }: World): void {
  new UserStore(database).insert({
    id: 'ann',
    email: 'ann@example.org',
    name: 'Ann',
    passwordHash: '',
    isFounder: false,
    createdAt: 0,
    lastLoginAt: null,
  });
}

/** A token made by a user who was admin of both homes when they made it. */
function madeBy(roles: Partial<Record<Which, Role>>): Holder {
  return {
    worth: roles,
    hasMaker: true,
    token(world) {
      world.roles.set('ann', { own: 'admin', foreign: 'admin' });
      const { token } = world.test.tokens.create(userCaller('ann'), { name: 'Ann’s' });
      world.roles.set('ann', roles);
      return token;
    },
  };
}

const HOLDERS: Readonly<Record<string, Holder>> = {
  'no token': { worth: null, token: () => undefined },
  'an unknown token': { worth: null, token: () => `hc_${'A'.repeat(43)}` },
  'an expired token': {
    worth: null,
    token({ test }) {
      const expiresAt = test.clock.now() + DAY_MS;
      const { token } = test.tokens.create(systemCaller, { name: 'Old', expiresAt });
      test.clock.jumpWallClock(2 * DAY_MS);
      return token;
    },
  },
  'a revoked token': {
    worth: null,
    token({ test }) {
      const { token, info } = test.tokens.create(systemCaller, { name: 'Gone' });
      test.tokens.revoke(systemCaller, info.id);
      return token;
    },
  },
  'a token without limits': {
    worth: { own: 'owner', foreign: 'owner' },
    everywhere: true,
    token: ({ test }) => createToken(test),
  },
  'a token to view the own home': limited({ own: 'view' }),
  'a token to control the own home': limited({ own: 'control' }),
  'a token to view the own and control the foreign home': limited({ own: 'view', foreign: 'control' }),
  'a token made by the own home’s owner': madeBy({ own: 'owner' }),
  'a token made by the own home’s admin': madeBy({ own: 'admin' }),
  'a token made by somebody who may now only control the own home': madeBy({ own: 'control' }),
  'a token made by somebody who may now only view the own home': madeBy({ own: 'view' }),
  'a token made by somebody who has no home any more': madeBy({}),
};

interface Ask {
  readonly path: string;
  readonly body?: unknown;
}

/** A route that is about one home or something in it. */
interface HomeRow {
  readonly needs: Role;
  ask(place: Place): Ask;
  /** The same for something that does not exist. */
  readonly nothing: Ask;
  /** Where the sample home stands in the way of it: authorized, but not done. */
  readonly done?: 422;
  /** What it needs besides the sample home. */
  readonly prepare?: (world: World) => void;
}

/** A route over everything that the caller may see, or about what belongs to no home: then for whoever has this role anywhere. */
interface GeneralRow {
  readonly needsAnywhere: Role | undefined;
  ask(world: World): Ask;
  readonly done?: 404;
  /** It shows nothing of homes. */
  readonly homeless?: true;
}

const by = (path: (id: string) => string, id: (place: Place) => string, body?: unknown, absent = NO_SUCH_ID) => ({
  ask: (place: Place): Ask => ({ path: path(id(place)), body }),
  nothing: { path: path(absent), body },
});
const home = ({ home: { id } }: Place): string => id;
const room = ({ room: { id } }: Place): string => id;
const accessory = ({ accessory: { id } }: Place): string => id;
const virtual = ({ virtual: { id } }: Place): string => id;
const device = ({ deviceId }: Place): string => deviceId;
const share = ({ shareId }: Place): string => shareId;
const shareBody = (entityId: string) => ({ entityType: 'room', entityId, accessType: 'public', role: 'view' });
const scene = ({ scene: { id } }: Place): string => id;
const automation = ({ automation: { id } }: Place): string => id;
const flow = ({ flow: { id } }: Place): string => id;
const group = ({ group: { id } }: Place): string => id;
const zone = ({ zone: { id } }: Place): string => id;
const roomGroup = ({ roomGroup: { id } }: Place): string => id;
const person = ({ person: { id } }: Place): string => id;
const NO_SUCH_DEVICE = 'DD:00:00:00:00:01';
const CONTROLLER = { id: 'guest', publicKey: 'ab'.repeat(32), admin: false };

const automationBody = (homeId: string, accessoryId: string) => ({
  ...sceneBody(homeId, accessoryId),
  trigger: TIMER,
});

const FLOW = { name: 'Nothing', triggers: [], actions: [] };

const sceneBody = (homeId: string, accessoryId: string) => ({
  homeId,
  name: 'Evening',
  actions: [{ accessoryId, characteristicType: 'on', targetValue: true }],
});

const ofInvited = (body?: unknown) => ({
  ask: ({ home: { id }, invited }: Place): Ask => ({ path: `/rest/homes/${id}/members/${invited.id}`, body }),
  nothing: { path: `/rest/homes/${NO_SUCH_ID}/members/${NO_SUCH_ID}`, body },
});

const HOME_ROWS: Readonly<Record<string, HomeRow>> = {
  'PATCH /rest/homes/:id': { needs: 'admin', ...by((id) => `/rest/homes/${id}`, home, { paused: true }) },
  'DELETE /rest/homes/:id': { needs: 'owner', done: 422, ...by((id) => `/rest/homes/${id}`, home) },
  'GET /rest/homes/:id/members': { needs: 'admin', ...by((id) => `/rest/homes/${id}/members`, home) },
  'POST /rest/homes/:id/members': {
    needs: 'admin',
    ...by((id) => `/rest/homes/${id}/members`, home, { email: 'ada@example.org', role: 'control' }),
  },
  'PATCH /rest/homes/:id/members/:memberId': { needs: 'admin', ...ofInvited({ role: 'control' }) },
  'DELETE /rest/homes/:id/members/:memberId': { needs: 'admin', ...ofInvited() },
  'GET /rest/rooms': { needs: 'view', ...by((id) => `/rest/rooms?home=${id}`, home) },
  'POST /rest/rooms': {
    needs: 'admin',
    ask: ({ home: { id } }) => ({ path: '/rest/rooms', body: { homeId: id, name: 'Attic' } }),
    nothing: { path: '/rest/rooms', body: { homeId: NO_SUCH_ID, name: 'Attic' } },
  },
  'PATCH /rest/rooms/:id': { needs: 'admin', ...by((id) => `/rest/rooms/${id}`, room, { name: 'Attic' }) },
  'DELETE /rest/rooms/:id': { needs: 'admin', ...by((id) => `/rest/rooms/${id}`, room) },
  'GET /rest/accessories of a home': { needs: 'view', ...by((id) => `/rest/accessories?home=${id}`, home) },
  'GET /rest/accessories of a room': { needs: 'view', ...by((id) => `/rest/accessories?room=${id}`, room) },
  'GET /rest/accessories/:id': { needs: 'view', ...by((id) => `/rest/accessories/${id}`, accessory) },
  'PATCH /rest/accessories/:id': { needs: 'admin', ...by((id) => `/rest/accessories/${id}`, accessory, { name: 'X' }) },
  'POST /rest/accessories/:id/identify': {
    needs: 'control',
    ...by((id) => `/rest/accessories/${id}/identify`, accessory),
  },
  'GET /rest/scenes of a home': { needs: 'view', ...by((id) => `/rest/scenes?home=${id}`, home) },
  'POST /rest/scenes': {
    needs: 'admin',
    ask: ({ home: { id }, accessory: thing }) => ({ path: '/rest/scenes', body: sceneBody(id, thing.id) }),
    nothing: { path: '/rest/scenes', body: sceneBody(NO_SUCH_ID, NO_SUCH_ID) },
  },
  'POST /rest/scenes/capture': {
    needs: 'admin',
    ask: ({ home: { id } }) => ({ path: '/rest/scenes/capture', body: { homeId: id, name: 'Now' } }),
    nothing: { path: '/rest/scenes/capture', body: { homeId: NO_SUCH_ID, name: 'Now' } },
  },
  'GET /rest/scenes/:id': { needs: 'view', ...by((id) => `/rest/scenes/${id}`, scene) },
  'PATCH /rest/scenes/:id': { needs: 'admin', ...by((id) => `/rest/scenes/${id}`, scene, { name: 'Movie' }) },
  'DELETE /rest/scenes/:id': { needs: 'admin', ...by((id) => `/rest/scenes/${id}`, scene) },
  'POST /rest/scenes/:id/execute': { needs: 'control', ...by((id) => `/rest/scenes/${id}/execute`, scene) },
  'GET /rest/automations of a home': { needs: 'view', ...by((id) => `/rest/automations?home=${id}`, home) },
  'POST /rest/automations': {
    needs: 'admin',
    ask: ({ home: { id }, accessory: thing }) => ({ path: '/rest/automations', body: automationBody(id, thing.id) }),
    nothing: { path: '/rest/automations', body: automationBody(NO_SUCH_ID, NO_SUCH_ID) },
  },
  'GET /rest/automations/:id': { needs: 'view', ...by((id) => `/rest/automations/${id}`, automation) },
  'PATCH /rest/automations/:id': {
    needs: 'admin',
    ...by((id) => `/rest/automations/${id}`, automation, { enabled: false }),
  },
  'DELETE /rest/automations/:id': { needs: 'admin', ...by((id) => `/rest/automations/${id}`, automation) },
  'GET /rest/flows of a home': { needs: 'view', ...by((id) => `/rest/flows?home=${id}`, home) },
  'POST /rest/flows': {
    needs: 'admin',
    ask: ({ home: { id } }) => ({ path: '/rest/flows', body: { homeId: id, ...FLOW } }),
    nothing: { path: '/rest/flows', body: { homeId: NO_SUCH_ID, ...FLOW } },
  },
  'POST /rest/flows/import': {
    needs: 'admin',
    ...by((id) => `/rest/flows/import?home=${id}`, home, { hearthd: 'flow/1', ...FLOW }),
  },
  'GET /rest/flows/traces/:runId': {
    needs: 'view',
    ...by(
      (id) => `/rest/flows/traces/${id}`,
      ({ flowRun }) => flowRun,
    ),
  },
  'POST /rest/flows/versions/:versionId/restore': {
    needs: 'admin',
    ...by(
      (id) => `/rest/flows/versions/${id}/restore`,
      ({ flowVersion }) => flowVersion,
    ),
  },
  'POST /rest/flows/simulate': {
    needs: 'view',
    ask: ({ home: { id } }) => ({ path: '/rest/flows/simulate', body: { homeId: id, data: FLOW } }),
    nothing: { path: '/rest/flows/simulate', body: { homeId: NO_SUCH_ID, data: FLOW } },
  },
  'POST /rest/flows/:id/simulate': { needs: 'view', ...by((id) => `/rest/flows/${id}/simulate`, flow, {}) },
  'GET /rest/flows/:id': { needs: 'view', ...by((id) => `/rest/flows/${id}`, flow) },
  'PUT /rest/flows/:id': { needs: 'admin', ...by((id) => `/rest/flows/${id}`, flow, FLOW) },
  'PATCH /rest/flows/:id': { needs: 'admin', ...by((id) => `/rest/flows/${id}`, flow, { name: 'Late' }) },
  'DELETE /rest/flows/:id': { needs: 'admin', ...by((id) => `/rest/flows/${id}`, flow) },
  'POST /rest/flows/:id/enable': { needs: 'admin', ...by((id) => `/rest/flows/${id}/enable`, flow) },
  'POST /rest/flows/:id/disable': { needs: 'admin', ...by((id) => `/rest/flows/${id}/disable`, flow) },
  'POST /rest/flows/:id/run': { needs: 'control', ...by((id) => `/rest/flows/${id}/run`, flow) },
  'GET /rest/flows/:id/outline': { needs: 'view', ...by((id) => `/rest/flows/${id}/outline`, flow) },
  'GET /rest/flows/:id/traces': { needs: 'view', ...by((id) => `/rest/flows/${id}/traces`, flow) },
  'GET /rest/flows/:id/versions': { needs: 'view', ...by((id) => `/rest/flows/${id}/versions`, flow) },
  'GET /rest/flows/:id/next': { needs: 'view', ...by((id) => `/rest/flows/${id}/next`, flow) },
  'GET /rest/flows/:id/export': { needs: 'view', ...by((id) => `/rest/flows/${id}/export`, flow) },
  'GET /rest/service-groups of a home': { needs: 'view', ...by((id) => `/rest/service-groups?home=${id}`, home) },
  'POST /rest/service-groups': {
    needs: 'admin',
    ask: ({ home: { id }, accessory: thing }) => ({
      path: '/rest/service-groups',
      body: { homeId: id, name: 'All', accessoryIds: [thing.id] },
    }),
    nothing: { path: '/rest/service-groups', body: { homeId: NO_SUCH_ID, name: 'All', accessoryIds: [NO_SUCH_ID] } },
  },
  'GET /rest/service-groups/:id': { needs: 'view', ...by((id) => `/rest/service-groups/${id}`, group) },
  'PATCH /rest/service-groups/:id': {
    needs: 'admin',
    ...by((id) => `/rest/service-groups/${id}`, group, { name: 'All' }),
  },
  'DELETE /rest/service-groups/:id': { needs: 'admin', ...by((id) => `/rest/service-groups/${id}`, group) },
  'POST /rest/service-groups/:id/set': {
    needs: 'control',
    ...by((id) => `/rest/service-groups/${id}/set`, group, { characteristicType: 'brightness', value: 7 }),
  },
  'GET /rest/zones of a home': { needs: 'view', ...by((id) => `/rest/zones?home=${id}`, home) },
  'POST /rest/zones': {
    needs: 'admin',
    ask: ({ home: { id } }) => ({ path: '/rest/zones', body: { homeId: id, name: 'Floor', roomIds: [] } }),
    nothing: { path: '/rest/zones', body: { homeId: NO_SUCH_ID, name: 'Floor', roomIds: [] } },
  },
  'PATCH /rest/zones/:id': { needs: 'admin', ...by((id) => `/rest/zones/${id}`, zone, { name: 'Floor' }) },
  'DELETE /rest/zones/:id': { needs: 'admin', ...by((id) => `/rest/zones/${id}`, zone) },
  'GET /rest/room-groups of a home': { needs: 'view', ...by((id) => `/rest/room-groups?home=${id}`, home) },
  'POST /rest/room-groups': {
    needs: 'admin',
    ask: ({ home: { id } }) => ({ path: '/rest/room-groups', body: { homeId: id, name: 'Guests', roomIds: [] } }),
    nothing: { path: '/rest/room-groups', body: { homeId: NO_SUCH_ID, name: 'Guests', roomIds: [] } },
  },
  'PATCH /rest/room-groups/:id': {
    needs: 'admin',
    ...by((id) => `/rest/room-groups/${id}`, roomGroup, { roomIds: [] }),
  },
  'GET /rest/people of a home': { needs: 'view', ...by((id) => `/rest/people?home=${id}`, home) },
  'POST /rest/people': {
    needs: 'admin',
    ask: ({ home: { id } }) => ({ path: '/rest/people', body: { homeId: id, name: 'Ada' } }),
    nothing: { path: '/rest/people', body: { homeId: NO_SUCH_ID, name: 'Ada' } },
  },
  'GET /rest/people/:id': { needs: 'view', ...by((id) => `/rest/people/${id}`, person) },
  'PATCH /rest/people/:id': { needs: 'admin', ...by((id) => `/rest/people/${id}`, person, { name: 'Grace' }) },
  'DELETE /rest/people/:id': { needs: 'admin', ...by((id) => `/rest/people/${id}`, person) },
  'POST /rest/people/:id/presence': {
    needs: 'control',
    ...by((id) => `/rest/people/${id}/presence`, person, { atHome: true }),
  },
  'GET /rest/shares of an entity': {
    needs: 'admin',
    ...by((id) => `/rest/shares?entityType=room&entityId=${id}`, room),
  },
  'POST /rest/shares': {
    needs: 'admin',
    prepare: addAnn,
    ask: ({ room: { id } }) => ({ path: '/rest/shares', body: shareBody(id) }),
    nothing: { path: '/rest/shares', body: shareBody(NO_SUCH_ID) },
  },
  'PATCH /rest/shares/:id': { needs: 'admin', ...by((id) => `/rest/shares/${id}`, share, { name: 'Guests' }) },
  'DELETE /rest/shares/:id': { needs: 'admin', ...by((id) => `/rest/shares/${id}`, share) },
  'DELETE /rest/room-groups/:id': { needs: 'admin', ...by((id) => `/rest/room-groups/${id}`, roomGroup) },
  'GET /rest/virtual-accessories of a home': {
    needs: 'view',
    ...by((id) => `/rest/virtual-accessories?home=${id}`, home),
  },
  'POST /rest/virtual-accessories': {
    needs: 'admin',
    ask: ({ home: { id } }) => ({
      path: '/rest/virtual-accessories',
      body: { homeId: id, name: 'Tea', type: 'timer' },
    }),
    nothing: { path: '/rest/virtual-accessories', body: { homeId: NO_SUCH_ID, name: 'Tea', type: 'timer' } },
  },
  'GET /rest/virtual-accessories/:id': { needs: 'view', ...by((id) => `/rest/virtual-accessories/${id}`, virtual) },
  'PATCH /rest/virtual-accessories/:id': {
    needs: 'admin',
    ...by((id) => `/rest/virtual-accessories/${id}`, virtual, { name: 'X' }),
  },
  'DELETE /rest/virtual-accessories/:id': {
    needs: 'admin',
    ...by((id) => `/rest/virtual-accessories/${id}`, virtual),
  },
  'POST /rest/virtual-accessories/:id/operate': {
    needs: 'control',
    ...by((id) => `/rest/virtual-accessories/${id}/operate`, virtual, { operation: 'set', value: 'Away' }),
  },
  'DELETE /rest/history': { needs: 'admin', ...by((id) => `/rest/history?home=${id}`, home) },
  'GET /rest/history/export': { needs: 'view', ...by((id) => `/rest/history/export?home=${id}`, home) },
  'GET /rest/history/series': { needs: 'view', ...by((id) => `/rest/history/series?home=${id}`, home) },
  'PATCH /rest/history/series': {
    needs: 'admin',
    ask: ({ home: { id }, accessory: thing }) => ({
      path: '/rest/history/series',
      body: { homeId: id, accessoryId: thing.id, characteristicType: 'brightness', enabled: false },
    }),
    nothing: {
      path: '/rest/history/series',
      body: { homeId: NO_SUCH_ID, accessoryId: NO_SUCH_ID, characteristicType: 'brightness', enabled: false },
    },
  },
  'GET /rest/history/homes/:homeId': { needs: 'view', ...by((id) => `/rest/history/homes/${id}`, home) },
  'PATCH /rest/history/homes/:homeId': {
    needs: 'admin',
    ...by((id) => `/rest/history/homes/${id}`, home, { enabled: true }),
  },
  'GET /rest/pairings of a home': { needs: 'admin', ...by((id) => `/rest/pairings?home=${id}`, home) },
  'POST /rest/pairings': {
    needs: 'admin',
    ask: ({ home: { id } }) => ({
      path: '/rest/pairings',
      body: { device: UNPAIRED, homeId: id, setupCode: CODE },
    }),
    nothing: { path: '/rest/pairings', body: { device: UNPAIRED, homeId: NO_SUCH_ID, setupCode: CODE } },
  },
  'DELETE /rest/pairings/:deviceId': {
    needs: 'admin',
    ...by((id) => `/rest/pairings/${id}`, device, undefined, NO_SUCH_DEVICE),
  },
  'GET /rest/pairings/:deviceId/controllers': {
    needs: 'admin',
    ...by((id) => `/rest/pairings/${id}/controllers`, device, undefined, NO_SUCH_DEVICE),
  },
  'POST /rest/pairings/:deviceId/controllers': {
    needs: 'admin',
    ...by((id) => `/rest/pairings/${id}/controllers`, device, CONTROLLER, NO_SUCH_DEVICE),
  },
  'DELETE /rest/pairings/:deviceId/controllers/:controllerId': {
    needs: 'admin',
    ...by((id) => `/rest/pairings/${id}/controllers/guest`, device, undefined, NO_SUCH_DEVICE),
  },
};

const at = (path: string, body?: unknown) => ({ ask: (): Ask => ({ path, body }) });
const cloudOnly = (path: string): GeneralRow => ({ needsAnywhere: undefined, done: 404, homeless: true, ...at(path) });

const GRAPHQL_QUERY = '{ homes { id name rooms { id name accessories { id name } } } }';

const GENERAL_ROWS: Readonly<Record<string, GeneralRow>> = {
  'GET /graphql': { needsAnywhere: undefined, ...at(`/graphql?query=${encodeURIComponent(GRAPHQL_QUERY)}`) },
  'POST /graphql': { needsAnywhere: undefined, ...at('/graphql', { query: GRAPHQL_QUERY }) },
  'GET /rest': { needsAnywhere: undefined, ...at('/rest') },
  'GET /rest/state': { needsAnywhere: undefined, ...at('/rest/state') },
  'GET /rest/state by names': { needsAnywhere: undefined, ...at('/rest/state?form=names') },
  'GET /rest/homes': { needsAnywhere: undefined, ...at('/rest/homes') },
  'POST /rest/homes': { needsAnywhere: 'owner', homeless: true, ...at('/rest/homes', { name: 'Third' }) },
  'GET /rest/accessories': { needsAnywhere: undefined, ...at('/rest/accessories') },
  'GET /rest/scenes': { needsAnywhere: undefined, ...at('/rest/scenes') },
  'GET /rest/automations': { needsAnywhere: undefined, ...at('/rest/automations') },
  'GET /rest/flows': { needsAnywhere: undefined, ...at('/rest/flows') },
  'GET /rest/virtual-accessories': { needsAnywhere: undefined, ...at('/rest/virtual-accessories') },
  'GET /rest/notifications': { needsAnywhere: undefined, homeless: true, ...at('/rest/notifications') },
  'DELETE /rest/notifications': { needsAnywhere: 'admin', homeless: true, ...at('/rest/notifications') },
  'GET /rest/notifications/channels': {
    needsAnywhere: undefined,
    homeless: true,
    ...at('/rest/notifications/channels'),
  },
  'POST /rest/notifications/test': { needsAnywhere: 'admin', homeless: true, ...at('/rest/notifications/test', {}) },
  'GET /rest/notifications/preferences': {
    needsAnywhere: undefined,
    homeless: true,
    ...at('/rest/notifications/preferences'),
  },
  'GET /rest/discovered': { needsAnywhere: 'admin', homeless: true, ...at('/rest/discovered') },
  'POST /rest/discovered/refresh': { needsAnywhere: 'admin', homeless: true, ...at('/rest/discovered/refresh') },
  'POST /rest/discovered/manual': {
    needsAnywhere: 'admin',
    homeless: true,
    ...at('/rest/discovered/manual', { hostPort: 'lamp:80' }),
  },
  'DELETE /rest/discovered/manual': {
    needsAnywhere: 'admin',
    homeless: true,
    ...at('/rest/discovered/manual', { hostPort: 'lamp:80' }),
  },
  'POST /rest/discovered/:deviceId/identify': {
    needsAnywhere: 'admin',
    homeless: true,
    ...at(`/rest/discovered/${UNPAIRED}/identify`),
  },
  'GET /rest/service-groups': { needsAnywhere: undefined, ...at('/rest/service-groups') },
  'GET /rest/people': { needsAnywhere: undefined, ...at('/rest/people') },
  'GET /rest/zones': { needsAnywhere: undefined, ...at('/rest/zones') },
  'GET /rest/room-groups': { needsAnywhere: undefined, ...at('/rest/room-groups') },
  'GET /rest/shares': { needsAnywhere: undefined, homeless: true, ...at('/rest/shares') },
  'GET /rest/collections': { needsAnywhere: undefined, homeless: true, ...at('/rest/collections') },
  'GET /rest/pairings': { needsAnywhere: 'admin', ...at('/rest/pairings') },
  // Its answer repeats what was asked for; `history/access.test.ts` looks at what it finds.
  'GET /rest/history': { needsAnywhere: undefined, done: 404, homeless: true, ...at('/rest/history?accessory=none') },
  'GET /rest/invitations': { needsAnywhere: undefined, homeless: true, ...at('/rest/invitations') },
  'GET /rest/tokens': { needsAnywhere: 'admin', homeless: true, ...at('/rest/tokens') },
  'POST /rest/tokens': { needsAnywhere: 'admin', homeless: true, ...at('/rest/tokens', { name: 'Another' }) },
  'GET /rest/background/presets': cloudOnly('/rest/background/presets'),
  'POST /rest/background': cloudOnly('/rest/background'),
  'DELETE /rest/background': cloudOnly('/rest/background'),
};

/**
 * What is a person's own business, or that of whoever runs the relay: no token of the house's own reaches it. What sessions reach is
 * in `rest/accounts.test.ts`.
 */
const PERSONAL_ROUTES: Readonly<Record<string, Ask>> = {
  'GET /rest/me': { path: '/rest/me' },
  'PATCH /rest/me': { path: '/rest/me', body: { name: 'Eve' } },
  'POST /rest/me/password': {
    path: '/rest/me/password',
    body: { currentPassword: 'password', newPassword: 'password' },
  },
  'PATCH /rest/settings': { path: '/rest/settings', body: { developerMode: true } },
  'POST /rest/invitations/:homeId/accept': { path: `/rest/invitations/${NO_SUCH_ID}/accept` },
  'POST /rest/invitations/:homeId/reject': { path: `/rest/invitations/${NO_SUCH_ID}/reject` },
  'GET /rest/sessions': { path: '/rest/sessions' },
  'DELETE /rest/sessions': { path: '/rest/sessions' },
  'GET /rest/sessions/:id': { path: `/rest/sessions/${NO_SUCH_ID}` },
  'DELETE /rest/sessions/:id': { path: `/rest/sessions/${NO_SUCH_ID}` },
  'GET /rest/authorized-apps': { path: '/rest/authorized-apps' },
  'PATCH /rest/authorized-apps/:clientId': {
    path: `/rest/authorized-apps/${NO_SUCH_ID}`,
    body: { homePermissions: null },
  },
  'DELETE /rest/authorized-apps/:clientId': { path: `/rest/authorized-apps/${NO_SUCH_ID}` },
  'GET /rest/users': { path: '/rest/users' },
  'POST /rest/users': { path: '/rest/users', body: { email: 'eve@example.org', password: 'password' } },
  'PATCH /rest/users/:id': { path: `/rest/users/${NO_SUCH_ID}`, body: { name: 'Eve' } },
  'POST /rest/users/:id/password': { path: `/rest/users/${NO_SUCH_ID}/password`, body: { password: 'password' } },
  'DELETE /rest/users/:id': { path: `/rest/users/${NO_SUCH_ID}` },
  'POST /rest/setup-code': { path: '/rest/setup-code' },
};

/** Tested on their own, below or in `http.test.ts`. */
const OTHER_ROUTES = [
  // Open to whoever has the link: `share/`.
  ...SHARE_ROUTES,
  ...SHARE_PAGE_ROUTES,
  // Ways to come by a token: `oauth/`.
  ...OAUTH_ROUTES,
  // Pages for people: `html/`.
  ...PAGE_ROUTES,
  // Tool by tool: `mcp/authorization.test.ts`.
  'POST /mcp',
  'POST /owntracks',
  'POST /webhook/:webhookId',
  'GET /health',
  'GET /ready',
  'GET /openapi.json',
  'GET /docs',
  'GET /graphiql',
  'GET /assets/:file',
  'POST /rest/state',
  'POST /rest/scene',
  'POST /rest/collections',
  'GET /rest/collections/:id',
  'PATCH /rest/collections/:id',
  'DELETE /rest/collections/:id',
  'GET /rest/settings',
  'DELETE /rest/tokens/:id',
  'POST /rest/notifications/preferences',
  'DELETE /rest/notifications/preferences',
];

function reaches(role: Role | undefined, needed: Role | undefined): boolean {
  return needed === undefined || (role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed));
}

async function askAs(world: World, token: string | undefined, route: string, { path, body }: Ask): Promise<RestAnswer> {
  const [method = ''] = route.split(' ');
  return createRestClient(createTestFace(world.test), token).request(method, path, body);
}

/** Nothing that is in a home which the token is worth nothing in. */
function expectNoLeak({ places }: World, { worth }: Holder, { text }: RestAnswer): void {
  for (const which of BOTH) {
    if (worth?.[which] !== undefined) continue;
    const { home: of, room: inside, accessory: thing } = places[which];
    for (const secret of [of.id, of.name, inside.id, inside.name, thing.id, thing.name])
      expect(text).not.toContain(secret);
  }
}

const holders = Object.entries(HOLDERS);

describe('every route', () => {
  it('has a row', () => {
    const routes = createTestFace(createWorld().test)
      .routes.filter(({ method, path }) => method !== 'ALL' && !path.endsWith('*'))
      .map(({ method, path }) => `${method} ${path}`);
    const tables = [HOME_ROWS, GENERAL_ROWS, PERSONAL_ROUTES];
    const rows = tables.flatMap((table) => Object.keys(table)).map((row) => row.replace(/ (of|by) .*/, ''));
    expect([...new Set([...rows, ...OTHER_ROUTES])].sort()).toEqual([...new Set(routes)].sort());
  });
});

/** What the reference may say of a row that needs this role. */
const AUDIENCES: Readonly<Record<Role | 'none', readonly Audience[]>> = {
  none: ['token', 'view'],
  view: ['view', 'token'],
  control: ['control'],
  admin: ['admin', 'admin of any home'],
  owner: ['owner'],
};

describe('the reference', () => {
  it('says of every route who may use it', () => {
    const said = RESOURCES.flatMap(({ operations }) =>
      operations.map(({ method, path, audience }) => [`${method.toUpperCase()} ${path}`, audience] as const),
    );
    const audiences = new Map<string, Audience>(said);
    const needs = [
      ...Object.entries(HOME_ROWS).map(([row, { needs: role }]) => [row, role] as const),
      ...Object.entries(GENERAL_ROWS).map(([row, { needsAnywhere }]) => [row, needsAnywhere ?? 'none'] as const),
    ];
    for (const [row, role] of needs) {
      // GraphQL describes itself.
      if (row.includes('/graphql')) continue;
      const audience = audiences.get(row.replace(/ (of|by) .*/, ''));
      expect([row, AUDIENCES[role].includes(audience ?? 'anybody')]).toEqual([row, true]);
    }
  });
});

describe.each(holders)('%s', (_, holder) => {
  it.each(Object.entries(HOME_ROWS))('%s', async (route, { needs, ask, nothing, done = 200, prepare }) => {
    for (const which of BOTH) {
      const world = createWorld();
      prepare?.(world);
      const token = holder.token(world);
      const before = world.test.state.version;
      const answer = await askAs(world, token, route, ask(world.places[which]));
      const role = holder.worth?.[which];
      const expected = holder.worth === null ? 401 : role === undefined ? 404 : reaches(role, needs) ? done : 403;
      expect([which, answer.status, answer.text]).toEqual([which, expected, expect.any(String)]);
      if (expected === done) continue;
      expect(world.test.state.version).toBe(before);
      expect(world.test.driver.identified).toEqual([]);
      expectNoLeak(world, holder, answer);
      // What may not be seen answers word for word as what is not there.
      if (expected === 404) expect((await askAs(world, token, route, nothing)).text).toBe(answer.text);
    }
  });

  it.each(Object.entries(GENERAL_ROWS))('%s', async (route, { needsAnywhere, ask, done = 200, homeless }) => {
    const world = createWorld();
    const answer = await askAs(world, holder.token(world), route, ask(world));
    const best = BOTH.some((which) => reaches(holder.worth?.[which], needsAnywhere));
    const expected = holder.worth === null ? 401 : best || needsAnywhere === undefined ? done : 403;
    expect(answer.status).toBe(expected);
    expectNoLeak(world, holder, answer);
    if (expected !== done || homeless) return;
    for (const which of BOTH) {
      if (!reaches(holder.worth?.[which], needsAnywhere ?? 'view')) continue;
      expect(answer.text).toContain(world.places[which].home.id);
    }
  });

  it('nothing that is a person’s own business', async () => {
    const world = createWorld();
    const token = holder.token(world);
    for (const [route, ask] of Object.entries(PERSONAL_ROUTES)) {
      const { status } = await askAs(world, token, route, ask);
      expect([route, status]).toEqual([route, holder.worth === null ? 401 : 403]);
    }
    expect(world.test.users.list(systemCaller)).toEqual([]);
  });

  it('GET /rest/settings', async () => {
    const world = createWorld();
    const { status } = await askAs(world, holder.token(world), 'GET', { path: '/rest/settings' });
    // Those of the person whom it acts for.
    expect(status).toBe(holder.worth === null ? 401 : holder.hasMaker ? 200 : 403);
  });

  it('POST /rest/state', async () => {
    for (const which of BOTH) {
      const world = createWorld();
      const { home: of, room: inside, accessory: thing } = world.places[which];
      const body = { home: of.name, room: inside.name, accessory: thing.name, on: true };
      const token = holder.token(world);
      const answer = await askAs(world, token, 'POST /rest/state', { path: '/rest/state', body });
      const role = holder.worth?.[which];
      if (holder.worth === null) expect(answer.status).toBe(401);
      else if (role === undefined) expect(answer.body.errors).toEqual([`${of.name}: home not found`]);
      else if (!reaches(role, 'control')) expect(answer.body.error).toBe('insufficient_permissions');
      else expect(answer.body).toMatchObject({ updated: 1, failed: 0 });
      expect(world.test.driver.writes).toHaveLength(reaches(role, 'control') ? 1 : 0);
    }
  });

  it('POST /rest/scene', async () => {
    for (const which of BOTH) {
      const world = createWorld();
      const { home: of, scene: named } = world.places[which];
      const token = holder.token(world);
      const answer = await askAs(world, token, 'POST /rest/scene', {
        path: '/rest/scene',
        body: { home: of.name, name: named.name },
      });
      const role = holder.worth?.[which];
      if (holder.worth === null) expect(answer.status).toBe(401);
      else if (role === undefined) expect(answer.body.error).toBe(`Home not found: ${of.name}`);
      else if (!reaches(role, 'control')) expect(answer.body.error).toBe('insufficient_permissions');
      else expect(answer.body).toMatchObject({ success: true, sceneId: named.id });
      expect(world.test.driver.writes).toHaveLength(reaches(role, 'control') ? 1 : 0);
    }
  });

  it('POST /rest/collections; GET, PATCH and DELETE one of them', async () => {
    const world = createWorld();
    const token = holder.token(world);
    const mine = await askAs(world, token, 'POST', { path: '/rest/collections', body: { name: 'Mine' } });
    // Without a user behind it, a token owns what everybody has who manages a home: limited ones don't.
    const mayControl = BOTH.some((which) => reaches(holder.worth?.[which], 'control'));
    const mayOwn = holder.everywhere ?? (mayControl && holder.hasMaker === true);
    expect(mine.status).toBe(holder.worth === null ? 401 : mayOwn ? 200 : 403);
    world.roles.set('somebody else', { own: 'control' });
    const others = world.test.collections.create(userCaller('somebody else'), { name: 'Others' });
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'GET' ? undefined : {};
      const refused = await askAs(world, token, method, { path: `/rest/collections/${others.id}`, body });
      expect(refused.status).toBe(holder.worth === null ? 401 : 404);
      if (!mayOwn) continue;
      const done = await askAs(world, token, method, { path: `/rest/collections/${mine.body.id}`, body });
      expect(done.status).toBe(200);
    }
  });

  it('POST and DELETE /rest/notifications/preferences', async () => {
    const path = '/rest/notifications/preferences';
    for (const which of BOTH) {
      const world = createWorld();
      const token = holder.token(world);
      const scopeId = world.places[which].home.id;
      const role = holder.worth?.[which];
      // A user's preferences are his own; those that have no user are the house's, which its admins change.
      const mayOwn = reaches(role, holder.hasMaker ? 'view' : 'admin');
      const expected = holder.worth === null ? 401 : role === undefined ? 404 : mayOwn ? 200 : 403;
      const set = await askAs(world, token, 'POST', { path, body: { scope: 'home', scopeId, pushEnabled: false } });
      expect([which, set.status]).toEqual([which, expected]);
      const kept = await askAs(world, token, 'GET', { path });
      expect(kept.text.includes(scopeId)).toBe(expected === 200);
      const query = `?scope=home&scopeId=${scopeId}`;
      expect((await askAs(world, token, 'DELETE', { path: `${path}${query}` })).status).toBe(expected);
    }
  });

  it('DELETE /rest/tokens/:id', async () => {
    const world = createWorld();
    const token = holder.token(world);
    const { info } = world.test.tokens.create(systemCaller, { name: 'The system’s own' });
    const path = `/rest/tokens/${info.id}`;
    const mayManage = BOTH.some((which) => reaches(holder.worth?.[which], 'admin'));
    const { status } = await askAs(world, token, 'DELETE /rest/tokens/:id', { path });
    // A user's token does not know of those that are not its maker's.
    const expected = holder.worth === null ? 401 : holder.everywhere ? 200 : mayManage ? 404 : 403;
    expect(status).toBe(expected);
    const listed = world.test.tokens.list(systemCaller).find(({ id }) => id === info.id);
    expect(listed?.revokedAt === null).toBe(expected !== 200);
  });
});
