/**
 * What each REST route needs of a caller, and a request that asks it well. Held against the routes of the real app by
 * `api/authorization-matrix.test.ts`: a route without a row fails there.
 */
import type { Role } from '../../src/app/access/caller.ts';
import { NO_SUCH_DEVICE, NO_SUCH_ID, PASSWORD, SETUP_CODE, TIMER, UNPAIRED } from './authorization-fixture.ts';
import type { Need } from './authorization-model.ts';

export interface Ask {
  readonly path: string;
  readonly body?: unknown;
}

/** Of one home: what is in it, by what it is. */
export type Ids = Readonly<Record<string, string>>;

/** A route that is about one home or something in it. */
export interface HomeRow {
  readonly needs: Role;
  ask(ids: Ids): Ask;
  /** The same for something that does not exist. */
  readonly nothing: Ask;
  /** Where the sample home stands in the way of it: authorized, but not done. */
  readonly done?: 422;
}

/** A route over everything that the caller may see, about what belongs to no home, or about the caller. */
export interface GeneralRow {
  readonly needs: Exclude<Need, { readonly here: Role }>;
  readonly ask: Ask;
  readonly done?: 401 | 404 | 422;
  /** It names the homes that the caller may see. */
  readonly names?: 'homes' | 'homes that it manages';
}

const by = (path: (id: string) => string, of: string, body?: unknown, absent = NO_SUCH_ID) => ({
  ask: ({ [of]: id = '' }: Ids): Ask => ({ path: path(id), body }),
  nothing: { path: path(absent), body },
});
const CONTROLLER = { id: 'guest', publicKey: 'ab'.repeat(32), admin: false };
/** Of a controller that this one does not know: one entry, not a good one. */
const FOREIGN = { lamp: { AccessoryPairingID: NO_SUCH_DEVICE } };
const SPOT_PRICES = [{ from: '2026-01-15T12:00:00Z', to: '2026-01-15T13:00:00Z', price: 0.2 }];
/** One without inputs. */
const BLUEPRINT = {
  hearthd_blueprint: 1,
  name: 'Nothing',
  description: '',
  inputs: [],
  automation: { triggers: [], actions: [] },
};
const blueprintBody = (homeId: string | undefined) => ({ homeId, blueprint: BLUEPRINT, inputs: {} });
const FLOW = { name: 'Nothing', mode: 'parallel', triggers: [], actions: [] };

/** As of RFC 8291, appendix A. */
export const PUSH_DEVICE = {
  name: 'Browser',
  endpoint: 'https://push.example.net/1',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

const shareBody = (entityId = '') => ({
  entityType: 'room',
  entityId,
  accessType: 'public',
  role: 'view',
});

const sceneBody = (homeId = '', accessoryId = '') => ({
  homeId,
  name: 'Evening',
  actions: [{ accessoryId, characteristicType: 'on', targetValue: true }],
});

const automationBody = (homeId = '', accessoryId = '') => ({ ...sceneBody(homeId, accessoryId), trigger: TIMER });

const ofInvited = (body?: unknown) => ({
  ask: ({ home: id, invited }: Ids): Ask => ({ path: `/rest/homes/${id}/members/${invited}`, body }),
  nothing: { path: `/rest/homes/${NO_SUCH_ID}/members/${NO_SUCH_ID}`, body },
});

const ofBroker = (rest: string, body?: unknown) => ({
  ask: ({ home: id, broker }: Ids): Ask => ({ path: `/rest/homes/${id}/mqtt/brokers/${broker}${rest}`, body }),
  nothing: { path: `/rest/homes/${NO_SUCH_ID}/mqtt/brokers/${NO_SUCH_ID}${rest}`, body },
});

const PUBLICATION = { kind: 'homekit' };
const ofPublication = (rest: string, body?: unknown) =>
  by((id) => `/rest/publications/${id}${rest}`, 'publication', body);

export const HOME_ROWS: Readonly<Record<string, HomeRow>> = {
  'PATCH /rest/homes/:id': { needs: 'admin', ...by((id) => `/rest/homes/${id}`, 'home', { paused: true }) },
  'GET /rest/homes/:id/picture': { needs: 'view', ...by((id) => `/rest/homes/${id}/picture`, 'home') },
  // Its body is no picture.
  'PUT /rest/homes/:id/picture': {
    needs: 'admin',
    done: 422,
    ...by((id) => `/rest/homes/${id}/picture`, 'home', {}),
  },
  'DELETE /rest/homes/:id/picture': { needs: 'admin', ...by((id) => `/rest/homes/${id}/picture`, 'home') },
  'DELETE /rest/homes/:id': { needs: 'owner', done: 422, ...by((id) => `/rest/homes/${id}`, 'home') },
  'GET /rest/homes/:id/members': { needs: 'admin', ...by((id) => `/rest/homes/${id}/members`, 'home') },
  'POST /rest/homes/:id/members': {
    needs: 'admin',
    ...by((id) => `/rest/homes/${id}/members`, 'home', { email: 'ada@example.org', role: 'control' }),
  },
  'PATCH /rest/homes/:id/members/:memberId': { needs: 'admin', ...ofInvited({ role: 'control' }) },
  'DELETE /rest/homes/:id/members/:memberId': { needs: 'admin', ...ofInvited() },
  'GET /rest/homes/:id/mqtt': { needs: 'admin', ...by((id) => `/rest/homes/${id}/mqtt`, 'home') },
  'PATCH /rest/homes/:id/mqtt': {
    needs: 'admin',
    ...by((id) => `/rest/homes/${id}/mqtt`, 'home', { enabled: true }),
  },
  'POST /rest/homes/:id/mqtt/discover': { needs: 'admin', ...by((id) => `/rest/homes/${id}/mqtt/discover`, 'home') },
  'POST /rest/homes/:id/mqtt/brokers': {
    needs: 'admin',
    ...by((id) => `/rest/homes/${id}/mqtt/brokers`, 'home', { name: 'Second', host: 'second.local' }),
  },
  'GET /rest/homes/:id/mqtt/brokers/:brokerId': { needs: 'admin', ...ofBroker('') },
  'PATCH /rest/homes/:id/mqtt/brokers/:brokerId': { needs: 'admin', ...ofBroker('', { enabled: false }) },
  'DELETE /rest/homes/:id/mqtt/brokers/:brokerId': { needs: 'admin', ...ofBroker('') },
  'POST /rest/homes/:id/mqtt/brokers/:brokerId/test': { needs: 'admin', ...ofBroker('/test') },
  'GET /rest/publications of a home': { needs: 'admin', ...by((id) => `/rest/publications?home=${id}`, 'home') },
  'POST /rest/publications': {
    needs: 'admin',
    ask: ({ home: homeId }) => ({ path: '/rest/publications', body: { ...PUBLICATION, homeId, name: 'Second' } }),
    nothing: { path: '/rest/publications', body: { ...PUBLICATION, homeId: NO_SUCH_ID, name: 'Second' } },
  },
  'POST /rest/publications/preview': {
    needs: 'admin',
    ask: ({ home: homeId }) => ({ path: '/rest/publications/preview', body: { ...PUBLICATION, homeId } }),
    nothing: { path: '/rest/publications/preview', body: { ...PUBLICATION, homeId: NO_SUCH_ID } },
  },
  'GET /rest/publications/:id': { needs: 'admin', ...ofPublication('') },
  'PATCH /rest/publications/:id': { needs: 'admin', ...ofPublication('', { name: 'Home' }) },
  'DELETE /rest/publications/:id': { needs: 'admin', ...ofPublication('') },
  'GET /rest/publications/:id/preview': { needs: 'admin', ...ofPublication('/preview') },
  'POST /rest/publications/:id/pause': { needs: 'admin', ...ofPublication('/pause') },
  'POST /rest/publications/:id/resume': { needs: 'admin', ...ofPublication('/resume') },
  'POST /rest/publications/:id/reset': { needs: 'admin', ...ofPublication('/reset') },
  'POST /rest/publications/:id/window': { needs: 'admin', done: 422, ...ofPublication('/window', {}) },
  'DELETE /rest/publications/:id/window': { needs: 'admin', done: 422, ...ofPublication('/window') },
  'GET /rest/publications/:id/controllers': { needs: 'admin', ...ofPublication('/controllers') },
  'DELETE /rest/publications/:id/controllers/:identifier': { needs: 'admin', ...ofPublication('/controllers/phone') },
  'GET /rest/rooms': { needs: 'view', ...by((id) => `/rest/rooms?home=${id}`, 'home') },
  'POST /rest/rooms': {
    needs: 'admin',
    ask: ({ home: id }) => ({ path: '/rest/rooms', body: { homeId: id, name: 'Attic' } }),
    nothing: { path: '/rest/rooms', body: { homeId: NO_SUCH_ID, name: 'Attic' } },
  },
  'PATCH /rest/rooms/:id': { needs: 'admin', ...by((id) => `/rest/rooms/${id}`, 'room', { name: 'Attic' }) },
  'GET /rest/rooms/:id/picture': { needs: 'view', ...by((id) => `/rest/rooms/${id}/picture`, 'room') },
  // Its body is no picture.
  'PUT /rest/rooms/:id/picture': {
    needs: 'admin',
    done: 422,
    ...by((id) => `/rest/rooms/${id}/picture`, 'room', {}),
  },
  'DELETE /rest/rooms/:id/picture': { needs: 'admin', ...by((id) => `/rest/rooms/${id}/picture`, 'room') },
  'DELETE /rest/rooms/:id': { needs: 'admin', ...by((id) => `/rest/rooms/${id}`, 'room') },
  'GET /rest/accessories of a home': { needs: 'view', ...by((id) => `/rest/accessories?home=${id}`, 'home') },
  'GET /rest/accessories of a room': { needs: 'view', ...by((id) => `/rest/accessories?room=${id}`, 'room') },
  'GET /rest/accessories/:id': { needs: 'view', ...by((id) => `/rest/accessories/${id}`, 'accessory') },
  'GET /rest/accessories/:id/uses': { needs: 'view', ...by((id) => `/rest/accessories/${id}/uses`, 'accessory') },
  'PATCH /rest/accessories/:id': {
    needs: 'admin',
    ...by((id) => `/rest/accessories/${id}`, 'accessory', { name: 'X' }),
  },
  'POST /rest/accessories/:id/identify': {
    needs: 'control',
    ...by((id) => `/rest/accessories/${id}/identify`, 'accessory'),
  },
  'GET /rest/scenes of a home': { needs: 'view', ...by((id) => `/rest/scenes?home=${id}`, 'home') },
  'POST /rest/scenes': {
    needs: 'admin',
    ask: ({ home: id, accessory: thing }) => ({ path: '/rest/scenes', body: sceneBody(id, thing) }),
    nothing: { path: '/rest/scenes', body: sceneBody(NO_SUCH_ID, NO_SUCH_ID) },
  },
  'POST /rest/scenes/capture': {
    needs: 'admin',
    ask: ({ home: id }) => ({ path: '/rest/scenes/capture', body: { homeId: id, name: 'Now' } }),
    nothing: { path: '/rest/scenes/capture', body: { homeId: NO_SUCH_ID, name: 'Now' } },
  },
  'GET /rest/scenes/:id': { needs: 'view', ...by((id) => `/rest/scenes/${id}`, 'scene') },
  'PATCH /rest/scenes/:id': { needs: 'admin', ...by((id) => `/rest/scenes/${id}`, 'scene', { name: 'Movie' }) },
  'DELETE /rest/scenes/:id': { needs: 'admin', ...by((id) => `/rest/scenes/${id}`, 'scene') },
  'POST /rest/scenes/:id/execute': { needs: 'control', ...by((id) => `/rest/scenes/${id}/execute`, 'scene') },
  'GET /rest/automations of a home': { needs: 'view', ...by((id) => `/rest/automations?home=${id}`, 'home') },
  'POST /rest/automations': {
    needs: 'admin',
    ask: ({ home: id, accessory: thing }) => ({ path: '/rest/automations', body: automationBody(id, thing) }),
    nothing: { path: '/rest/automations', body: automationBody(NO_SUCH_ID, NO_SUCH_ID) },
  },
  'GET /rest/automations/:id': { needs: 'view', ...by((id) => `/rest/automations/${id}`, 'automation') },
  'PATCH /rest/automations/:id': {
    needs: 'admin',
    ...by((id) => `/rest/automations/${id}`, 'automation', { enabled: false }),
  },
  'POST /rest/automations/drafts': {
    needs: 'admin',
    ask: ({ home: id }) => ({ path: '/rest/automations/drafts', body: { homeId: id, ...FLOW } }),
    nothing: { path: '/rest/automations/drafts', body: { homeId: NO_SUCH_ID, ...FLOW } },
  },
  'GET /rest/automations/:id/draft': { needs: 'view', ...by((id) => `/rest/automations/${id}/draft`, 'automation') },
  'PUT /rest/automations/:id/draft': {
    needs: 'admin',
    ...by((id) => `/rest/automations/${id}/draft`, 'flow', FLOW),
  },
  'DELETE /rest/automations/:id': { needs: 'admin', ...by((id) => `/rest/automations/${id}`, 'automation') },
  'GET /rest/flows of a home': { needs: 'view', ...by((id) => `/rest/flows?home=${id}`, 'home') },
  'POST /rest/flows': {
    needs: 'admin',
    ask: ({ home: id }) => ({ path: '/rest/flows', body: { homeId: id, ...FLOW } }),
    nothing: { path: '/rest/flows', body: { homeId: NO_SUCH_ID, ...FLOW } },
  },
  'POST /rest/flows/import': {
    needs: 'admin',
    ...by((id) => `/rest/flows/import?home=${id}`, 'home', { hearthd: 'flow/1', ...FLOW }),
  },
  'GET /rest/flows/traces/:runId': {
    needs: 'view',
    ...by((id) => `/rest/flows/traces/${id}`, 'flowRun'),
  },
  'POST /rest/flows/versions/:versionId/restore': {
    needs: 'admin',
    ...by((id) => `/rest/flows/versions/${id}/restore`, 'flowVersion'),
  },
  'POST /rest/flows/evaluate': {
    needs: 'view',
    ask: ({ home: id }) => ({ path: '/rest/flows/evaluate', body: { homeId: id, text: '{{ 1 + 1 }}' } }),
    nothing: { path: '/rest/flows/evaluate', body: { homeId: NO_SUCH_ID, text: '{{ 1 + 1 }}' } },
  },
  'POST /rest/flows/simulate': {
    needs: 'view',
    ask: ({ home: id }) => ({ path: '/rest/flows/simulate', body: { homeId: id, data: FLOW } }),
    nothing: { path: '/rest/flows/simulate', body: { homeId: NO_SUCH_ID, data: FLOW } },
  },
  'POST /rest/flows/:id/simulate': { needs: 'view', ...by((id) => `/rest/flows/${id}/simulate`, 'flow', {}) },
  'GET /rest/flows/:id': { needs: 'view', ...by((id) => `/rest/flows/${id}`, 'flow') },
  'PUT /rest/flows/:id': { needs: 'admin', ...by((id) => `/rest/flows/${id}`, 'flow', FLOW) },
  'PATCH /rest/flows/:id': { needs: 'admin', ...by((id) => `/rest/flows/${id}`, 'flow', { name: 'Late' }) },
  'DELETE /rest/flows/:id': { needs: 'admin', ...by((id) => `/rest/flows/${id}`, 'flow') },
  'POST /rest/flows/:id/enable': { needs: 'admin', ...by((id) => `/rest/flows/${id}/enable`, 'flow') },
  'POST /rest/flows/:id/disable': { needs: 'admin', ...by((id) => `/rest/flows/${id}/disable`, 'flow') },
  'POST /rest/flows/:id/run': { needs: 'control', ...by((id) => `/rest/flows/${id}/run`, 'flow') },
  'GET /rest/flows/:id/outline': { needs: 'view', ...by((id) => `/rest/flows/${id}/outline`, 'flow') },
  'GET /rest/flows/:id/traces': { needs: 'view', ...by((id) => `/rest/flows/${id}/traces`, 'flow') },
  'GET /rest/flows/:id/versions': { needs: 'view', ...by((id) => `/rest/flows/${id}/versions`, 'flow') },
  'GET /rest/flows/:id/next': { needs: 'view', ...by((id) => `/rest/flows/${id}/next`, 'flow') },
  'GET /rest/flows/:id/export': { needs: 'view', ...by((id) => `/rest/flows/${id}/export`, 'flow') },
  'GET /rest/flows/:id/blueprint': { needs: 'view', ...by((id) => `/rest/flows/${id}/blueprint`, 'flow') },
  'GET /rest/blueprints': { needs: 'view', ...by((id) => `/rest/blueprints?home=${id}`, 'home') },
  'GET /rest/blueprints/:id': { needs: 'view', ...by((id) => `/rest/blueprints/motion_light?home=${id}`, 'home') },
  'POST /rest/blueprints/read': {
    needs: 'admin',
    ask: ({ home: id }) => ({
      path: '/rest/blueprints/read',
      body: { homeId: id, file: JSON.stringify(BLUEPRINT) },
    }),
    nothing: { path: '/rest/blueprints/read', body: { homeId: NO_SUCH_ID, file: JSON.stringify(BLUEPRINT) } },
  },
  'POST /rest/blueprints/preview': {
    needs: 'admin',
    ask: ({ home: id }) => ({ path: '/rest/blueprints/preview', body: blueprintBody(id) }),
    nothing: { path: '/rest/blueprints/preview', body: blueprintBody(NO_SUCH_ID) },
  },
  'POST /rest/blueprints/apply': {
    needs: 'admin',
    ask: ({ home: id }) => ({ path: '/rest/blueprints/apply', body: blueprintBody(id) }),
    nothing: { path: '/rest/blueprints/apply', body: blueprintBody(NO_SUCH_ID) },
  },
  'GET /rest/service-groups of a home': { needs: 'view', ...by((id) => `/rest/service-groups?home=${id}`, 'home') },
  'POST /rest/service-groups': {
    needs: 'admin',
    ask: ({ home: id, accessory: thing }) => ({
      path: '/rest/service-groups',
      body: { homeId: id, name: 'All', accessoryIds: [thing] },
    }),
    nothing: { path: '/rest/service-groups', body: { homeId: NO_SUCH_ID, name: 'All', accessoryIds: [NO_SUCH_ID] } },
  },
  'GET /rest/service-groups/:id': { needs: 'view', ...by((id) => `/rest/service-groups/${id}`, 'group') },
  'PATCH /rest/service-groups/:id': {
    needs: 'admin',
    ...by((id) => `/rest/service-groups/${id}`, 'group', { name: 'All' }),
  },
  'DELETE /rest/service-groups/:id': { needs: 'admin', ...by((id) => `/rest/service-groups/${id}`, 'group') },
  'POST /rest/service-groups/:id/set': {
    needs: 'control',
    ...by((id) => `/rest/service-groups/${id}/set`, 'group', { characteristicType: 'brightness', value: 7 }),
  },
  'GET /rest/zones of a home': { needs: 'view', ...by((id) => `/rest/zones?home=${id}`, 'home') },
  'POST /rest/zones': {
    needs: 'admin',
    ask: ({ home: id }) => ({ path: '/rest/zones', body: { homeId: id, name: 'Floor', roomIds: [] } }),
    nothing: { path: '/rest/zones', body: { homeId: NO_SUCH_ID, name: 'Floor', roomIds: [] } },
  },
  'PATCH /rest/zones/:id': { needs: 'admin', ...by((id) => `/rest/zones/${id}`, 'zone', { name: 'Floor' }) },
  'DELETE /rest/zones/:id': { needs: 'admin', ...by((id) => `/rest/zones/${id}`, 'zone') },
  'GET /rest/room-groups of a home': { needs: 'view', ...by((id) => `/rest/room-groups?home=${id}`, 'home') },
  'POST /rest/room-groups': {
    needs: 'admin',
    ask: ({ home: id }) => ({ path: '/rest/room-groups', body: { homeId: id, name: 'Guests', roomIds: [] } }),
    nothing: { path: '/rest/room-groups', body: { homeId: NO_SUCH_ID, name: 'Guests', roomIds: [] } },
  },
  'PATCH /rest/room-groups/:id': {
    needs: 'admin',
    ...by((id) => `/rest/room-groups/${id}`, 'roomGroup', { roomIds: [] }),
  },
  'GET /rest/homes/:id/adaptive-lighting': {
    needs: 'view',
    ...by((id) => `/rest/homes/${id}/adaptive-lighting`, 'home'),
  },
  'PATCH /rest/homes/:id/adaptive-lighting': {
    needs: 'admin',
    ...by((id) => `/rest/homes/${id}/adaptive-lighting`, 'home', { pauseHours: 3 }),
  },
  'PATCH /rest/rooms/:id/adaptive-lighting': {
    needs: 'admin',
    ...by((id) => `/rest/rooms/${id}/adaptive-lighting`, 'room', { setting: 'off' }),
  },
  'PATCH /rest/accessories/:id/adaptive-lighting': {
    needs: 'control',
    // Their accessories have no colour temperature.
    done: 422,
    ...by((id) => `/rest/accessories/${id}/adaptive-lighting`, 'accessory', { setting: 'off' }),
  },
  'GET /rest/people of a home': { needs: 'view', ...by((id) => `/rest/people?home=${id}`, 'home') },
  'POST /rest/people': {
    needs: 'admin',
    ask: ({ home: id }) => ({ path: '/rest/people', body: { homeId: id, name: 'Ada' } }),
    nothing: { path: '/rest/people', body: { homeId: NO_SUCH_ID, name: 'Ada' } },
  },
  'GET /rest/people/:id': { needs: 'view', ...by((id) => `/rest/people/${id}`, 'person') },
  'PATCH /rest/people/:id': { needs: 'admin', ...by((id) => `/rest/people/${id}`, 'person', { name: 'Grace' }) },
  'DELETE /rest/people/:id': { needs: 'admin', ...by((id) => `/rest/people/${id}`, 'person') },
  'POST /rest/people/:id/presence': {
    needs: 'control',
    ...by((id) => `/rest/people/${id}/presence`, 'person', { atHome: true }),
  },
  'GET /rest/shares of an entity': {
    needs: 'admin',
    ...by((id) => `/rest/shares?entityType=room&entityId=${id}`, 'room'),
  },
  'GET /rest/shares of a home': {
    needs: 'admin',
    ...by((id) => `/rest/shares?home=${id}`, 'home'),
  },
  'POST /rest/shares': {
    needs: 'admin',
    ask: ({ room: id }) => ({ path: '/rest/shares', body: shareBody(id) }),
    nothing: { path: '/rest/shares', body: shareBody(NO_SUCH_ID) },
  },
  'PATCH /rest/shares/:id': { needs: 'admin', ...by((id) => `/rest/shares/${id}`, 'share', { name: 'Guests' }) },
  'DELETE /rest/shares/:id': { needs: 'admin', ...by((id) => `/rest/shares/${id}`, 'share') },
  'DELETE /rest/room-groups/:id': { needs: 'admin', ...by((id) => `/rest/room-groups/${id}`, 'roomGroup') },
  'GET /rest/virtual-accessories of a home': {
    needs: 'view',
    ...by((id) => `/rest/virtual-accessories?home=${id}`, 'home'),
  },
  'POST /rest/virtual-accessories': {
    needs: 'admin',
    ask: ({ home: id }) => ({
      path: '/rest/virtual-accessories',
      body: { homeId: id, name: 'Tea', type: 'timer' },
    }),
    nothing: { path: '/rest/virtual-accessories', body: { homeId: NO_SUCH_ID, name: 'Tea', type: 'timer' } },
  },
  'GET /rest/virtual-accessories/:id': { needs: 'view', ...by((id) => `/rest/virtual-accessories/${id}`, 'virtual') },
  'PATCH /rest/virtual-accessories/:id': {
    needs: 'admin',
    ...by((id) => `/rest/virtual-accessories/${id}`, 'virtual', { name: 'X' }),
  },
  'DELETE /rest/virtual-accessories/:id': {
    needs: 'admin',
    ...by((id) => `/rest/virtual-accessories/${id}`, 'virtual'),
  },
  'POST /rest/virtual-accessories/:id/operate': {
    needs: 'control',
    ...by((id) => `/rest/virtual-accessories/${id}/operate`, 'virtual', { operation: 'set', value: 'Away' }),
  },
  'GET /rest/activity of a home': { needs: 'view', ...by((id) => `/rest/activity?home=${id}`, 'home') },
  'GET /rest/activity of a room': { needs: 'view', ...by((id) => `/rest/activity?room=${id}`, 'room') },
  'GET /rest/activity of an accessory': { needs: 'view', ...by((id) => `/rest/activity?accessory=${id}`, 'accessory') },
  'GET /rest/activity of a home, as CSV': {
    needs: 'view',
    ...by((id) => `/rest/activity?format=csv&home=${id}`, 'home'),
  },
  'GET /rest/activity/actors of a home': { needs: 'view', ...by((id) => `/rest/activity/actors?home=${id}`, 'home') },
  'DELETE /rest/history': { needs: 'admin', ...by((id) => `/rest/history?home=${id}`, 'home') },
  'GET /rest/history/export': { needs: 'view', ...by((id) => `/rest/history/export?home=${id}`, 'home') },
  'GET /rest/history/series': { needs: 'view', ...by((id) => `/rest/history/series?home=${id}`, 'home') },
  'PATCH /rest/history/series': {
    needs: 'admin',
    ask: ({ home: id, accessory: thing }) => ({
      path: '/rest/history/series',
      body: { homeId: id, accessoryId: thing, characteristicType: 'brightness', enabled: false },
    }),
    nothing: {
      path: '/rest/history/series',
      body: { homeId: NO_SUCH_ID, accessoryId: NO_SUCH_ID, characteristicType: 'brightness', enabled: false },
    },
  },
  'GET /rest/history/homes/:homeId': { needs: 'view', ...by((id) => `/rest/history/homes/${id}`, 'home') },
  'PATCH /rest/history/homes/:homeId': {
    needs: 'admin',
    ...by((id) => `/rest/history/homes/${id}`, 'home', { enabled: true }),
  },
  'GET /rest/energy': { needs: 'view', ...by((id) => `/rest/energy?home=${id}`, 'home') },
  'GET /rest/energy/now': { needs: 'view', ...by((id) => `/rest/energy/now?home=${id}`, 'home') },
  'GET /rest/energy/export': { needs: 'view', ...by((id) => `/rest/energy/export?home=${id}`, 'home') },
  'GET /rest/energy/tariff': { needs: 'view', ...by((id) => `/rest/energy/tariff?home=${id}`, 'home') },
  'PUT /rest/energy/tariff': {
    needs: 'admin',
    ...by((id) => `/rest/energy/tariff?home=${id}`, 'home', { currency: 'EUR', kind: 'fixed', price: 0.3 }),
  },
  'DELETE /rest/energy/tariff': { needs: 'admin', ...by((id) => `/rest/energy/tariff?home=${id}`, 'home') },
  'GET /rest/energy/prices': { needs: 'view', ...by((id) => `/rest/energy/prices?home=${id}`, 'home') },
  'PUT /rest/energy/prices': {
    needs: 'admin',
    ...by((id) => `/rest/energy/prices?home=${id}`, 'home', SPOT_PRICES),
  },
  'POST /rest/energy/prices': {
    needs: 'admin',
    ...by((id) => `/rest/energy/prices?home=${id}`, 'home', SPOT_PRICES),
  },
  'GET /rest/pairings of a home': { needs: 'admin', ...by((id) => `/rest/pairings?home=${id}`, 'home') },
  'POST /rest/pairings': {
    needs: 'admin',
    ask: ({ home: id }) => ({
      path: '/rest/pairings',
      body: { device: UNPAIRED, homeId: id, setupCode: SETUP_CODE },
    }),
    nothing: { path: '/rest/pairings', body: { device: UNPAIRED, homeId: NO_SUCH_ID, setupCode: SETUP_CODE } },
  },
  'POST /rest/pairings/import': {
    needs: 'admin',
    ask: ({ home: homeId }: Ids): Ask => ({ path: '/rest/pairings/import', body: { homeId, data: FOREIGN } }),
    nothing: { path: '/rest/pairings/import', body: { homeId: NO_SUCH_ID, data: FOREIGN } },
  },
  'DELETE /rest/pairings/:deviceId': {
    needs: 'admin',
    ...by((id) => `/rest/pairings/${id}`, 'device', undefined, NO_SUCH_DEVICE),
  },
  'POST /rest/pairings/:deviceId/reconnect': {
    needs: 'admin',
    ...by((id) => `/rest/pairings/${id}/reconnect`, 'device', {}, NO_SUCH_DEVICE),
  },
  'GET /rest/pairings/:deviceId/diagnostics': {
    needs: 'admin',
    ...by((id) => `/rest/pairings/${id}/diagnostics`, 'device', undefined, NO_SUCH_DEVICE),
  },
  'GET /rest/pairings/:deviceId/controllers': {
    needs: 'admin',
    ...by((id) => `/rest/pairings/${id}/controllers`, 'device', undefined, NO_SUCH_DEVICE),
  },
  'POST /rest/pairings/:deviceId/controllers': {
    needs: 'admin',
    ...by((id) => `/rest/pairings/${id}/controllers`, 'device', CONTROLLER, NO_SUCH_DEVICE),
  },
  'DELETE /rest/pairings/:deviceId/controllers/:controllerId': {
    needs: 'admin',
    ...by((id) => `/rest/pairings/${id}/controllers/guest`, 'device', undefined, NO_SUCH_DEVICE),
  },
};

const NO_SUCH_BACKUP = 'relay-manual-20300131T120000Z.db';

const GRAPHQL_QUERY = '{ homes { id name rooms { id name accessories { id name } } } }';

const lists = (path: string, body?: unknown): GeneralRow => ({ needs: 'anyone', names: 'homes', ask: { path, body } });
const asks = (needs: GeneralRow['needs'], path: string, body?: unknown): GeneralRow => ({ needs, ask: { path, body } });
const ADMIN: Need = { anywhere: 'admin' };
const DEVELOPER: Need = { anywhere: 'admin', developer: true };
/** Of the Cloud edition. */
const cloudOnly = (path: string): GeneralRow => ({ ...asks('anyone', path), done: 404 });
/** About something that does not exist: a caller without the right learns only that. */
const absent = (needs: GeneralRow['needs'], path: string, body?: unknown): GeneralRow => ({
  ...asks(needs, path, body),
  done: 404,
});

export const GENERAL_ROWS: Readonly<Record<string, GeneralRow>> = {
  'GET /graphql': lists(`/graphql?query=${encodeURIComponent(GRAPHQL_QUERY)}`),
  'POST /graphql': lists('/graphql', { query: GRAPHQL_QUERY }),
  'GET /rest': lists('/rest'),
  'GET /rest/state': lists('/rest/state'),
  'GET /rest/state by names': lists('/rest/state?form=names'),
  'GET /rest/homes': lists('/rest/homes'),
  'POST /rest/homes': asks({ anywhere: 'owner' }, '/rest/homes', { name: 'Third' }),
  'GET /rest/accessories': lists('/rest/accessories'),
  'GET /rest/scenes': lists('/rest/scenes'),
  'GET /rest/automations': lists('/rest/automations'),
  'GET /rest/flows': lists('/rest/flows'),
  'GET /rest/virtual-accessories': lists('/rest/virtual-accessories'),
  'GET /rest/service-groups': lists('/rest/service-groups'),
  'GET /rest/people': lists('/rest/people'),
  'GET /rest/zones': lists('/rest/zones'),
  'GET /rest/room-groups': lists('/rest/room-groups'),
  'GET /rest/pairings': { needs: ADMIN, names: 'homes that it manages', ask: { path: '/rest/pairings' } },
  'GET /rest/publications': asks(ADMIN, '/rest/publications'),
  'GET /rest/activity': asks('anyone', '/rest/activity'),
  'GET /rest/activity/actors': asks('anyone', '/rest/activity/actors'),
  'GET /rest/notifications': asks('anyone', '/rest/notifications'),
  'DELETE /rest/notifications': asks(ADMIN, '/rest/notifications'),
  'GET /rest/notifications/channels': asks('anyone', '/rest/notifications/channels'),
  'POST /rest/notifications/test': asks(ADMIN, '/rest/notifications/test', {}),
  'GET /rest/notifications/unread': asks('anyone', '/rest/notifications/unread'),
  'POST /rest/notifications/read': asks('a person', '/rest/notifications/read', {}),
  'POST /rest/notifications/:id/buttons/:buttonId': absent(
    'anyone',
    `/rest/notifications/${NO_SUCH_ID}/buttons/close`,
    {},
  ),
  'GET /rest/notifications/ntfy': asks('a session', '/rest/notifications/ntfy'),
  'POST /rest/notifications/ntfy': asks('a session', '/rest/notifications/ntfy'),
  'DELETE /rest/notifications/ntfy': asks('a session', '/rest/notifications/ntfy'),
  'POST /rest/notifications/ntfy/test': absent('a session', '/rest/notifications/ntfy/test', {}),
  'GET /rest/notifications/push-key': asks('a session', '/rest/notifications/push-key'),
  'GET /rest/notifications/push-devices': asks('a session', '/rest/notifications/push-devices'),
  'POST /rest/notifications/push-devices': asks('a session', '/rest/notifications/push-devices', PUSH_DEVICE),
  'DELETE /rest/notifications/push-devices/:id': absent('a session', `/rest/notifications/push-devices/${NO_SUCH_ID}`),
  'POST /rest/notifications/push-devices/:id/test': absent(
    'a session',
    `/rest/notifications/push-devices/${NO_SUCH_ID}/test`,
    {},
  ),
  'GET /rest/notifications/preferences': asks('anyone', '/rest/notifications/preferences'),
  'GET /rest/discovered': asks(ADMIN, '/rest/discovered'),
  'POST /rest/discovered/refresh': asks(ADMIN, '/rest/discovered/refresh'),
  'POST /rest/discovered/manual': asks(ADMIN, '/rest/discovered/manual', { hostPort: 'lamp:80' }),
  'DELETE /rest/discovered/manual': asks(ADMIN, '/rest/discovered/manual', { hostPort: 'lamp:80' }),
  'POST /rest/discovered/:deviceId/identify': asks(ADMIN, `/rest/discovered/${UNPAIRED}/identify`),
  'GET /rest/shares': asks('anyone', '/rest/shares'),
  'GET /rest/collections': asks('anyone', '/rest/collections'),
  // Its answer repeats what was asked for; `history/access.test.ts` looks at what it finds.
  'GET /rest/history': absent('anyone', '/rest/history?accessory=none'),
  'GET /rest/invitations': asks('anyone', '/rest/invitations'),
  'GET /rest/tokens': asks({ anywhere: 'admin', developer: true }, '/rest/tokens'),
  'POST /rest/tokens': asks({ anywhere: 'admin', developer: true }, '/rest/tokens', { name: 'Another' }),
  'GET /rest/webhooks': asks(DEVELOPER, '/rest/webhooks'),
  'POST /rest/webhooks': asks(DEVELOPER, '/rest/webhooks', {
    name: 'Hook',
    url: 'https://example.com/hook',
  }),
  'GET /rest/webhooks/event-types': asks(DEVELOPER, '/rest/webhooks/event-types'),
  'GET /rest/webhooks/:id': absent(DEVELOPER, `/rest/webhooks/${NO_SUCH_ID}`),
  'PATCH /rest/webhooks/:id': absent(DEVELOPER, `/rest/webhooks/${NO_SUCH_ID}`, {}),
  'DELETE /rest/webhooks/:id': absent(DEVELOPER, `/rest/webhooks/${NO_SUCH_ID}`),
  'POST /rest/webhooks/:id/pause': absent(DEVELOPER, `/rest/webhooks/${NO_SUCH_ID}/pause`),
  'POST /rest/webhooks/:id/resume': absent(DEVELOPER, `/rest/webhooks/${NO_SUCH_ID}/resume`),
  'POST /rest/webhooks/:id/rotate-secret': absent(DEVELOPER, `/rest/webhooks/${NO_SUCH_ID}/rotate-secret`),
  'POST /rest/webhooks/:id/test': absent(DEVELOPER, `/rest/webhooks/${NO_SUCH_ID}/test`),
  'GET /rest/webhooks/:id/deliveries': absent(DEVELOPER, `/rest/webhooks/${NO_SUCH_ID}/deliveries`),
  'POST /rest/webhooks/:id/deliveries/:deliveryId/resend': absent(
    DEVELOPER,
    `/rest/webhooks/${NO_SUCH_ID}/deliveries/none/resend`,
  ),
  'GET /rest/background/presets': cloudOnly('/rest/background/presets'),
  'POST /rest/background': cloudOnly('/rest/background'),
  'DELETE /rest/background': cloudOnly('/rest/background'),

  // What is a person's own business, or the operator's.
  'GET /rest/me': asks('a person or the relay', '/rest/me'),
  'PATCH /rest/me': asks('a session', '/rest/me', { name: 'Eve' }),
  'POST /rest/me/password': asks('a session', '/rest/me/password', {
    currentPassword: PASSWORD,
    newPassword: 'another password',
  }),
  'GET /rest/me/second-factor': asks('a session', '/rest/me/second-factor'),
  'POST /rest/me/second-factor': asks('a session', '/rest/me/second-factor', { currentPassword: PASSWORD }),
  // The second step is off: there is nothing to confirm, renew or turn off.
  'POST /rest/me/second-factor/confirm': {
    ...asks('a session', '/rest/me/second-factor/confirm', { code: '123456' }),
    done: 422,
  },
  'POST /rest/me/second-factor/recovery-codes': {
    ...asks('a session', '/rest/me/second-factor/recovery-codes', { code: '123456' }),
    done: 422,
  },
  'POST /rest/me/second-factor/off': {
    ...asks('a session', '/rest/me/second-factor/off', { code: '123456' }),
    done: 422,
  },
  'GET /rest/me/passkeys': asks('a session', '/rest/me/passkeys'),
  'POST /rest/me/passkeys/begin': asks('a session', '/rest/me/passkeys/begin', { currentPassword: PASSWORD }),
  // An answer of no browser is as a wrong password.
  'POST /rest/me/passkeys': {
    ...asks('a session', '/rest/me/passkeys', { name: 'Phone', response: {} }),
    done: 401,
  },
  'PATCH /rest/me/passkeys/:id': absent('a session', `/rest/me/passkeys/${NO_SUCH_ID}`, { name: 'Phone' }),
  'DELETE /rest/me/passkeys/:id': absent('a session', `/rest/me/passkeys/${NO_SUCH_ID}`),
  'POST /rest/me/proof/begin': asks('a session', '/rest/me/proof/begin', {}),
  'POST /rest/me/proof': asks('a session', '/rest/me/proof', { currentPassword: PASSWORD }),
  'GET /rest/settings': asks('a person', '/rest/settings'),
  'PATCH /rest/settings': asks('a session', '/rest/settings', { theme: 'dark' }),
  'POST /rest/invitations/:homeId/accept': absent('a session', `/rest/invitations/${NO_SUCH_ID}/accept`),
  'POST /rest/invitations/:homeId/reject': absent('a session', `/rest/invitations/${NO_SUCH_ID}/reject`),
  'GET /rest/sessions': asks('a session or the system', '/rest/sessions'),
  'DELETE /rest/sessions': asks('a session or the system', '/rest/sessions'),
  'GET /rest/sessions/:id': absent('a session or the system', `/rest/sessions/${NO_SUCH_ID}`),
  'DELETE /rest/sessions/:id': absent('a session or the system', `/rest/sessions/${NO_SUCH_ID}`),
  'GET /rest/authorized-apps': asks('to look after apps', '/rest/authorized-apps'),
  'PATCH /rest/authorized-apps/:clientId': absent('a session', `/rest/authorized-apps/${NO_SUCH_ID}`, {
    homePermissions: null,
  }),
  'DELETE /rest/authorized-apps/:clientId': absent('to look after apps', `/rest/authorized-apps/${NO_SUCH_ID}`),
  'GET /rest/users': asks('the head', '/rest/users'),
  'POST /rest/users': asks('the head', '/rest/users', { email: 'eve@example.org', password: 'password' }),
  'PATCH /rest/users/:id': absent('the head', `/rest/users/${NO_SUCH_ID}`, { name: 'Eve' }),
  'POST /rest/users/:id/password': absent('the head', `/rest/users/${NO_SUCH_ID}/password`, { password: 'password' }),
  'DELETE /rest/users/:id/second-factor': absent('the head', `/rest/users/${NO_SUCH_ID}/second-factor`),
  'DELETE /rest/users/:id': absent('the head', `/rest/users/${NO_SUCH_ID}`),
  'GET /rest/backups': asks('every home, signed in', '/rest/backups'),
  // The home of these tests is in memory: it has no backups, and no place for any.
  'POST /rest/backups': { ...asks('every home, signed in', '/rest/backups'), done: 422 },
  'POST /rest/backups/upload': { ...asks('every home, signed in', '/rest/backups/upload', {}), done: 422 },
  'GET /rest/backups/last-restore': asks('every home, signed in', '/rest/backups/last-restore'),
  'GET /rest/backups/:name': absent('every home, signed in', `/rest/backups/${NO_SUCH_BACKUP}`),
  'POST /rest/backups/:name/download': absent('every home, signed in', `/rest/backups/${NO_SUCH_BACKUP}/download`, {}),
  'POST /rest/backups/:name/restore': absent('every home, signed in', `/rest/backups/${NO_SUCH_BACKUP}/restore`, {}),
  'DELETE /rest/backups/:name': absent('every home, signed in', `/rest/backups/${NO_SUCH_BACKUP}`),
  'GET /metrics': asks(ADMIN, '/metrics'),
  'GET /rest/relay': asks(ADMIN, '/rest/relay'),
  'GET /rest/relay/load': asks(ADMIN, '/rest/relay/load'),
  'GET /rest/relay/logs': asks('every home, signed in', '/rest/relay/logs'),
  'GET /rest/relay/settings': asks('every home, signed in', '/rest/relay/settings'),
  'PATCH /rest/relay/settings': asks('every home, signed in', '/rest/relay/settings', {}),
  'GET /rest/relay/https': asks(ADMIN, '/rest/relay/https'),
  'PUT /rest/relay/https': asks('every home, signed in', '/rest/relay/https', { source: 'own' }),
  'DELETE /rest/relay/https': asks('every home, signed in', '/rest/relay/https'),
  // It is off.
  'POST /rest/relay/https/renew': { ...asks('every home, signed in', '/rest/relay/https/renew', {}), done: 422 },
  'POST /rest/sessions/renew': asks('a session', '/rest/sessions/renew', {}),
  // The relay is claimed.
  'POST /rest/setup-code': { ...asks('the system', '/rest/setup-code'), done: 422 },
};
