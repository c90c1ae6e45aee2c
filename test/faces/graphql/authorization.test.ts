/**
 * Who may use which root field: every one of the schema, as each kind of caller. A field that is not in the table fails the test, so
 * that none is ever added without saying whose it is.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HomePermissions } from '../../../src/app/access/caller.ts';
import { createSchema } from '../../../src/faces/graphql/schema.ts';
import { createToken, faceDeps } from '../../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { createGraphqlLab, type GraphqlLab } from './graphql-lab.ts';

/** The weakest role that may; `anyone` who has a token at all; a `person` and no token of the house's own (`account.test.ts`). */
type Needed = 'anyone' | 'view' | 'control' | 'manage' | 'person';

interface Row {
  readonly needs: Needed;
  /** The field with its arguments and what is selected; ids of the furnished home stand in braces. */
  readonly call: string;
}

const QUERIES: Readonly<Record<string, Row>> = {
  health: { needs: 'anyone', call: 'health' },
  version: { needs: 'anyone', call: 'version' },
  deployedAt: { needs: 'anyone', call: 'deployedAt' },
  relay: { needs: 'anyone', call: 'relay { name }' },
  isOnboarded: { needs: 'anyone', call: 'isOnboarded' },
  relayReady: { needs: 'anyone', call: 'relayReady' },
  authEnabled: { needs: 'anyone', call: 'authEnabled' },
  isWaitlistMode: { needs: 'anyone', call: 'isWaitlistMode' },
  me: { needs: 'person', call: 'me { id }' },
  account: { needs: 'person', call: 'account { accountType }' },
  settings: { needs: 'person', call: 'settings { data }' },
  sessions: { needs: 'person', call: 'sessions { id }' },
  session: { needs: 'person', call: 'session(deviceId: "{home}") { id }' },
  authorizedApps: { needs: 'person', call: 'authorizedApps { clientId }' },
  communityUsers: { needs: 'person', call: 'communityUsers { id }' },
  homeMembers: { needs: 'manage', call: 'homeMembers(homeId: "{home}") { id email }' },
  pendingInvitations: { needs: 'anyone', call: 'pendingInvitations { id }' },
  mySharedHomes: { needs: 'anyone', call: 'mySharedHomes { id }' },
  homes: { needs: 'anyone', call: 'homes { id }' },
  cachedHomes: { needs: 'anyone', call: 'cachedHomes { id }' },
  accessories: { needs: 'view', call: 'accessories(homeId: "{home}") { id }' },
  accessory: { needs: 'view', call: 'accessory(accessoryId: "{lamp}") { id }' },
  characteristicGet: {
    needs: 'view',
    call: 'characteristicGet(accessoryId: "{lamp}", characteristicType: "on") { value }',
  },
  home: { needs: 'view', call: 'home(homeId: "{home}") { id scenes { id } zones { id } serviceGroups { id } }' },
  rooms: { needs: 'view', call: 'rooms(homeId: "{home}") { id }' },
  zones: { needs: 'view', call: 'zones(homeId: "{home}") { id }' },
  people: { needs: 'view', call: 'people(homeId: "{home}") { id }' },
  roomGroups: { needs: 'view', call: 'roomGroups(homeId: "{home}") { id }' },
  serviceGroups: { needs: 'view', call: 'serviceGroups(homeId: "{home}") { id accessory { id } }' },
  scenes: { needs: 'view', call: 'scenes(homeId: "{home}") { id }' },
  scene: { needs: 'view', call: 'scene(sceneId: "{scene}") { id actions }' },
  automations: { needs: 'view', call: 'automations(homeId: "{home}") { id }' },
  automation: { needs: 'view', call: 'automation(automationId: "{automation}") { id trigger { type } }' },
  flows: { needs: 'view', call: 'flows(homeId: "{home}") { id dataJson }' },
  flow: { needs: 'view', call: 'flow(flowId: "{flow}") { id triggers metadata { triggerCount } }' },
  flowVersions: { needs: 'view', call: 'flowVersions(flowId: "{flow}") { id definition }' },
  exportFlow: { needs: 'view', call: 'exportFlow(flowId: "{flow}")' },
  automationOutline: { needs: 'view', call: 'automationOutline(automationId: "{flow}") { name actions { summary } }' },
  flowTraces: { needs: 'view', call: 'flowTraces(flowId: "{flow}") { id steps { nodeSummary } }' },
  flowTrace: { needs: 'view', call: 'flowTrace(traceId: "{run}") { id status }' },
  simulateFlow: { needs: 'view', call: 'simulateFlow(flowId: "{flow}") { runs stopped }' },
  nextFireDates: { needs: 'view', call: 'nextFireDates(automationId: "{automation}")' },
  virtualAccessories: { needs: 'view', call: 'virtualAccessories(homeId: "{home}") { id value }' },
  virtualAccessory: { needs: 'view', call: 'virtualAccessory(accessoryId: "{counter}") { id dataJson }' },
  historySeries: { needs: 'view', call: 'historySeries(homeId: "{home}") { accessoryId }' },
  history: {
    needs: 'view',
    call: 'history(homeId: "{home}", series: [{ accessoryId: "{lamp}", characteristicType: "on" }], fromTs: 0, toTs: 1000) { kind }',
  },
  historyStorageStats: { needs: 'view', call: 'historyStorageStats(homeId: "{home}") { enabled }' },
  exportHistory: { needs: 'view', call: 'exportHistory(homeId: "{home}")' },
  collections: { needs: 'anyone', call: 'collections { id }' },
  entityAccess: { needs: 'manage', call: 'entityAccess(entityType: "room", entityId: "{room}") { id shareUrl }' },
  sharingInfo: { needs: 'manage', call: 'sharingInfo(entityType: "room", entityId: "{room}") { shareUrl }' },
  mySharedEntities: { needs: 'anyone', call: 'mySharedEntities { id }' },
  // What they may is judged by the link, whoever asks.
  publicEntity: { needs: 'anyone', call: 'publicEntity(shareHash: "{share}") { entityName role }' },
  publicEntityAccessories: { needs: 'anyone', call: 'publicEntityAccessories(shareHash: "{share}") { id }' },
  publicHistorySeries: { needs: 'anyone', call: 'publicHistorySeries(shareHash: "{share}") { accessoryId }' },
  publicHistory: {
    needs: 'anyone',
    call: 'publicHistory(shareHash: "{share}", series: [{ accessoryId: "{lamp}", characteristicType: "on" }], fromTs: 0, toTs: 1000) { kind }',
  },
  accessTokens: { needs: 'manage', call: 'accessTokens { id }' },
  pushTokens: { needs: 'anyone', call: 'pushTokens { id }' },
  notificationChannels: { needs: 'anyone', call: 'notificationChannels { name configured }' },
  notificationPreferences: { needs: 'anyone', call: 'notificationPreferences { id }' },
  notificationHistory: { needs: 'anyone', call: 'notificationHistory { id }' },
  discoveredAccessories: { needs: 'manage', call: 'discoveredAccessories { deviceId }' },
  pairings: { needs: 'manage', call: 'pairings(homeId: "{home}") { deviceId }' },
  controllers: { needs: 'manage', call: 'controllers(deviceId: "10:00:00:00:00:01") { id }' },
};

const MUTATIONS: Readonly<Record<string, Row>> = {
  login: { needs: 'anyone', call: 'login(email: "a@b.c", password: "wrong password") { error }' },
  signup: {
    needs: 'anyone',
    call: 'signup(email: "a@b.c", password: "any password", invitationCode: "none") { error }',
  },
  changePassword: {
    needs: 'person',
    call: 'changePassword(currentPassword: "password", newPassword: "password") { success }',
  },
  updateProfile: { needs: 'person', call: 'updateProfile(name: "Eve") { success }' },
  updateSettings: { needs: 'person', call: 'updateSettings(data: "{}") { success }' },
  removeSession: { needs: 'person', call: 'removeSession(deviceId: "{home}")' },
  updateAuthorizedApp: { needs: 'person', call: 'updateAuthorizedApp(clientId: "{home}") { success }' },
  revokeAuthorizedApp: { needs: 'person', call: 'revokeAuthorizedApp(clientId: "{home}") { success }' },
  removeOtherSessions: { needs: 'person', call: 'removeOtherSessions' },
  inviteHomeMember: {
    needs: 'manage',
    call: 'inviteHomeMember(homeId: "{home}", email: "ada@example.org", role: "view") { success }',
  },
  updateHomeMemberRole: {
    needs: 'manage',
    call: 'updateHomeMemberRole(homeId: "{home}", email: "guest@example.org", role: "control") { success }',
  },
  removeHomeMember: {
    needs: 'manage',
    call: 'removeHomeMember(homeId: "{home}", memberId: "{guest}") { success }',
  },
  acceptHomeInvitation: { needs: 'person', call: 'acceptHomeInvitation(homeId: "{home}") { success }' },
  acceptPendingInvitation: { needs: 'person', call: 'acceptPendingInvitation(homeId: "{home}") { success }' },
  rejectHomeInvitation: { needs: 'person', call: 'rejectHomeInvitation(homeId: "{home}") { success }' },
  rejectPendingInvitation: { needs: 'person', call: 'rejectPendingInvitation(homeId: "{home}") { success }' },
  dismissHome: { needs: 'person', call: 'dismissHome(homeId: "{home}")' },
  createCommunityUser: {
    needs: 'person',
    call: 'createCommunityUser(name: "eve@example.org", password: "password") { id }',
  },
  changeCommunityUserPassword: {
    needs: 'person',
    call: 'changeCommunityUserPassword(userId: "{home}", password: "password") { success }',
  },
  updateCommunityUserRole: {
    needs: 'person',
    call: 'updateCommunityUserRole(userId: "{home}", role: "view") { success }',
  },
  renameCommunityUser: { needs: 'person', call: 'renameCommunityUser(userId: "{home}", name: "Eve") { id }' },
  renewSetupCode: { needs: 'person', call: 'renewSetupCode { code }' },
  deleteCommunityUser: { needs: 'person', call: 'deleteCommunityUser(userId: "{home}") { success }' },
  // Of the Cloud edition, and says so to everybody.
  verifyEmail: { needs: 'anyone', call: 'verifyEmail(token: "x") { error }' },
  resendVerificationEmail: { needs: 'anyone', call: 'resendVerificationEmail { error }' },
  requestPasswordReset: { needs: 'anyone', call: 'requestPasswordReset(email: "a@b.c") { error }' },
  resetPassword: { needs: 'anyone', call: 'resetPassword(token: "x", newPassword: "password") { error }' },
  setCharacteristic: {
    needs: 'control',
    call: 'setCharacteristic(accessoryId: "{lamp}", characteristicType: "on", value: true) { success }',
  },
  setCharacteristics: {
    needs: 'control',
    call: 'setCharacteristics(writes: [{ accessoryId: "{lamp}", characteristicType: "on", value: true }]) { success }',
  },
  setServiceGroup: {
    needs: 'control',
    call: 'setServiceGroup(homeId: "{home}", groupId: "{group}", characteristicType: "on", value: true) { success }',
  },
  executeScene: { needs: 'control', call: 'executeScene(sceneId: "{scene}") { success }' },
  identifyAccessory: { needs: 'control', call: 'identifyAccessory(accessoryId: "{lamp}") { success }' },
  operateVirtualAccessory: {
    needs: 'control',
    call: 'operateVirtualAccessory(accessoryId: "{counter}", operation: "increment") { success }',
  },
  renameAccessory: { needs: 'manage', call: 'renameAccessory(accessoryId: "{lamp}", name: "Light") { id }' },
  moveAccessory: { needs: 'manage', call: 'moveAccessory(accessoryId: "{lamp}", roomId: "{room}") { id }' },
  createScene: {
    needs: 'manage',
    call: 'createScene(homeId: "{home}", name: "New", actions: [{ accessoryId: "{lamp}", characteristicType: "on", targetValue: true }]) { id }',
  },
  updateScene: { needs: 'manage', call: 'updateScene(sceneId: "{scene}", name: "Film") { id }' },
  captureScene: {
    needs: 'manage',
    call: 'captureScene(homeId: "{home}", name: "Now", accessoryIds: ["{lamp}"]) { id }',
  },
  deleteScene: { needs: 'manage', call: 'deleteScene(sceneId: "{scene}") { success }' },
  createAutomation: {
    needs: 'manage',
    call: 'createAutomation(homeId: "{home}", name: "New", trigger: { type: "timer", hour: 3, recurrenceType: "daily" }, actions: [{ accessoryId: "{lamp}", characteristicType: "on", targetValue: true }]) { id }',
  },
  updateAutomation: { needs: 'manage', call: 'updateAutomation(automationId: "{automation}", name: "Late") { id }' },
  setAutomationEnabled: {
    needs: 'manage',
    call: 'setAutomationEnabled(automationId: "{automation}", enabled: false) { id }',
  },
  deleteAutomation: { needs: 'manage', call: 'deleteAutomation(automationId: "{automation}") { success }' },
  saveFlow: {
    needs: 'manage',
    call: 'saveFlow(homeId: "{home}", flowId: "{flow}", data: { name: "Later", actions: [] }) { id }',
  },
  setFlowEnabled: { needs: 'manage', call: 'setFlowEnabled(flowId: "{flow}", enabled: false) { id }' },
  deleteFlow: { needs: 'manage', call: 'deleteFlow(flowId: "{flow}") { success }' },
  runFlow: { needs: 'control', call: 'runFlow(flowId: "{flow}") { success runId }' },
  restoreFlowVersion: { needs: 'manage', call: 'restoreFlowVersion(versionId: "{version}") { id }' },
  importFlow: {
    needs: 'manage',
    call: 'importFlow(homeId: "{home}", data: "{\\"hearthd\\": \\"flow/1\\", \\"name\\": \\"Got\\", \\"actions\\": []}") { id }',
  },
  createHome: { needs: 'manage', call: 'createHome(name: "Cabin") { id }' },
  updateHome: { needs: 'manage', call: 'updateHome(homeId: "{home}", name: "House") { id }' },
  renameHome: { needs: 'manage', call: 'renameHome(homeId: "{home}", name: "House") { id }' },
  setHomePaused: { needs: 'manage', call: 'setHomePaused(homeId: "{home}", paused: false) { id }' },
  deleteHome: { needs: 'manage', call: 'deleteHome(homeId: "{empty}") { success }' },
  createRoom: { needs: 'manage', call: 'createRoom(homeId: "{home}", name: "Attic") { id }' },
  renameRoom: { needs: 'manage', call: 'renameRoom(roomId: "{room}", name: "Loft") { id }' },
  deleteRoom: { needs: 'manage', call: 'deleteRoom(roomId: "{room}") { success }' },
  createZone: { needs: 'manage', call: 'createZone(homeId: "{home}", name: "Z", roomIds: ["{room}"]) { id }' },
  createPerson: { needs: 'manage', call: 'createPerson(homeId: "{home}", name: "Grace") { id }' },
  renamePerson: { needs: 'manage', call: 'renamePerson(personId: "{person}", name: "Grace") { id }' },
  deletePerson: { needs: 'manage', call: 'deletePerson(personId: "{person}") { success }' },
  setPresence: { needs: 'control', call: 'setPresence(personId: "{person}", atHome: true) { id }' },
  updateZone: { needs: 'manage', call: 'updateZone(zoneId: "{zone}", name: "Y") { id }' },
  deleteZone: { needs: 'manage', call: 'deleteZone(zoneId: "{zone}") { success }' },
  createRoomGroup: {
    needs: 'manage',
    call: 'createRoomGroup(homeId: "{home}", name: "R", roomIds: ["{room}"]) { id }',
  },
  updateRoomGroup: { needs: 'manage', call: 'updateRoomGroup(groupId: "{roomGroup}", name: "S") { id }' },
  deleteRoomGroup: { needs: 'manage', call: 'deleteRoomGroup(groupId: "{roomGroup}") { success }' },
  createServiceGroup: {
    needs: 'manage',
    call: 'createServiceGroup(homeId: "{home}", name: "G", accessoryIds: ["{lamp}"]) { id }',
  },
  updateServiceGroup: { needs: 'manage', call: 'updateServiceGroup(groupId: "{group}", name: "H") { id }' },
  deleteServiceGroup: { needs: 'manage', call: 'deleteServiceGroup(groupId: "{group}") { success }' },
  createVirtualAccessory: {
    needs: 'manage',
    call: 'createVirtualAccessory(homeId: "{home}", name: "V", type: "counter") { id }',
  },
  updateVirtualAccessory: {
    needs: 'manage',
    call: 'updateVirtualAccessory(accessoryId: "{counter}", name: "W") { id }',
  },
  saveVirtualAccessory: {
    needs: 'manage',
    call: 'saveVirtualAccessory(homeId: "{home}", data: { name: "S", type: "counter" }) { id }',
  },
  deleteVirtualAccessory: { needs: 'manage', call: 'deleteVirtualAccessory(accessoryId: "{counter}")' },
  setHomeHistoryEnabled: { needs: 'manage', call: 'setHomeHistoryEnabled(homeId: "{home}", enabled: true)' },
  setHomeSharedAnalyticsEnabled: {
    needs: 'manage',
    call: 'setHomeSharedAnalyticsEnabled(homeId: "{home}", enabled: true)',
  },
  setHomeHistoryRetention: {
    needs: 'manage',
    call: 'setHomeHistoryRetention(homeId: "{home}", rawRetentionDays: 30)',
  },
  setHistorySeriesConfig: {
    needs: 'manage',
    call: 'setHistorySeriesConfig(homeId: "{home}", accessoryId: "{lamp}", characteristicType: "on", enabled: false)',
  },
  purgeHistory: { needs: 'manage', call: 'purgeHistory(homeId: "{home}")' },
  createCollection: { needs: 'manage', call: 'createCollection(name: "C") { id }' },
  updateCollection: { needs: 'manage', call: 'updateCollection(collectionId: "{collection}", name: "D") { id }' },
  deleteCollection: { needs: 'manage', call: 'deleteCollection(collectionId: "{collection}")' },
  createEntityAccess: {
    needs: 'manage',
    call: 'createEntityAccess(homeId: "{home}", entityType: "home", entityId: "{home}", accessType: "public", role: "view") { success }',
  },
  updateEntityAccess: { needs: 'manage', call: 'updateEntityAccess(accessId: "{access}", role: "view") { success }' },
  deleteEntityAccess: { needs: 'manage', call: 'deleteEntityAccess(accessId: "{access}") { success }' },
  publicEntitySetCharacteristic: {
    needs: 'anyone',
    call: 'publicEntitySetCharacteristic(shareHash: "{share}", accessoryId: "{lamp}", characteristicType: "on", value: true) { success }',
  },
  publicEntitySetServiceGroup: {
    needs: 'anyone',
    call: 'publicEntitySetServiceGroup(shareHash: "{share}", groupId: "{group}", characteristicType: "on", value: true) { success }',
  },
  createAccessToken: { needs: 'manage', call: 'createAccessToken(name: "T") { success }' },
  revokeAccessToken: { needs: 'manage', call: 'revokeAccessToken(tokenId: "{token}") { success }' },
  // Serves nobody, and says so to everybody.
  registerPushToken: {
    needs: 'anyone',
    call: 'registerPushToken(token: "t", platform: "ios", deviceFingerprint: "x") { error }',
  },
  unregisterPushToken: { needs: 'anyone', call: 'unregisterPushToken(deviceFingerprint: "x")' },
  setNotificationPreference: {
    needs: 'manage',
    call: 'setNotificationPreference(scope: "home", scopeId: "{home}", pushEnabled: true, emailEnabled: false, localEnabled: true) { success }',
  },
  deleteNotificationPreference: {
    needs: 'manage',
    call: 'deleteNotificationPreference(scope: "home", scopeId: "{home}")',
  },
  sendTestNotification: { needs: 'manage', call: 'sendTestNotification(message: "Hello")' },
  clearNotificationHistory: { needs: 'manage', call: 'clearNotificationHistory' },
  refreshDiscovery: { needs: 'manage', call: 'refreshDiscovery { success }' },
  pairAccessory: {
    needs: 'manage',
    call: 'pairAccessory(homeId: "{home}", device: "20:00:00:00:00:01", setupCode: "111-22-333") { success }',
  },
  unpairAccessory: { needs: 'manage', call: 'unpairAccessory(deviceId: "10:00:00:00:00:05") { success }' },
  identifyDiscovered: { needs: 'manage', call: 'identifyDiscovered(deviceId: "20:00:00:00:00:01") { success }' },
  addManualDevice: { needs: 'manage', call: 'addManualDevice(hostPort: "192.0.2.7:5001") { success }' },
  removeManualDevice: { needs: 'manage', call: 'removeManualDevice(hostPort: "192.0.2.7:5001") { success }' },
  addController: {
    needs: 'manage',
    call: `addController(deviceId: "10:00:00:00:00:01", id: "tablet", publicKey: "${'ab'.repeat(32)}", admin: false) { success }`,
  },
  removeController: {
    needs: 'manage',
    call: 'removeController(deviceId: "10:00:00:00:00:01", controllerId: "tablet") { success }',
  },
};

/** Told to a caller that may not: it may not, or there is no such thing. */
const REFUSALS = /^(FORBIDDEN|NOT_FOUND)$/;

let home: TestHome;
let lab: GraphqlLab;
let ids: Readonly<Record<string, string>>;

beforeEach(async () => {
  home = createTestHome({ sample: true });
  lab = createGraphqlLab(Object.assign(home, { info: faceDeps(home).info }), createSchema());
  ids = furnish();
  ids = { ...ids, ...(await furnishShares(ids)) };
});
afterEach(() => home.close());

/** One of each thing, by the word that stands for it in the tables. */
function furnish(): Readonly<Record<string, string>> {
  const homeId = home.home.id;
  const lamp = home.named('Lamp').id;
  const room = home.named('Lamp').roomId;
  const actions = [{ accessoryId: lamp, characteristicType: 'on', targetValue: true }];
  const flow = home.flows.save(systemCaller, {
    homeId,
    data: { name: 'Flow', enabled: false, mode: 'parallel', actions: [] },
  });
  // It is refused, and so has a trace at once.
  const run = home.flows.run(systemCaller, flow.id).runId;
  home.flows.setEnabled(systemCaller, flow.id, true);
  home.driver.addDevice({ deviceId: '20:00:00:00:00:01', name: 'New', setupCode: '111-22-333', accessories: [] });
  return {
    home: homeId,
    lamp,
    room,
    empty: home.homes.create(systemCaller, { name: 'Empty' }).id,
    scene: home.scenes.create(systemCaller, { homeId, name: 'Movie', actions }).id,
    automation: home.automations.create(systemCaller, {
      homeId,
      name: 'Early',
      trigger: { type: 'timer', hour: 3, recurrenceType: 'daily' },
      actions,
    }).id,
    flow: flow.id,
    version: home.flows.versions(systemCaller, flow.id)[0]?.id ?? '',
    run,
    guest: home.members.invite(systemCaller, { homeId, email: 'guest@example.org', role: 'view' }).member.id,
    person: home.people.create(systemCaller, { homeId, name: 'Ada' }).id,
    zone: home.zones.create(systemCaller, { homeId, name: 'Zone', roomIds: [room] }).id,
    roomGroup: home.roomGroups.create(systemCaller, { homeId, name: 'Guests', roomIds: [room] }).id,
    group: home.serviceGroups.create(systemCaller, { homeId, name: 'Lamps', accessoryIds: [lamp] }).id,
    counter: home.virtuals.create(systemCaller, { homeId, name: 'Counter', type: 'counter' }).id,
    collection: home.collections.create(systemCaller, { name: 'Favourites' }).id,
    token: home.tokens.create(systemCaller, { name: 'Other' }).info.id,
  };
}

/** A room that a link opens, with its history, and a share of something else. */
async function furnishShares({ home: homeId = '', room, lamp }: Readonly<Record<string, string>>) {
  home.history.updateHome(systemCaller, homeId, { enabled: true, shared: true });
  const everybody = { accessType: 'public', role: 'control' };
  const { shareHash } = await home.shares.create(systemCaller, { entityType: 'room', entityId: room, ...everybody });
  const { share } = await home.shares.create(systemCaller, { entityType: 'accessory', entityId: lamp, ...everybody });
  return { share: shareHash, access: share.id };
}

/** @param permissions `null`: an owner’s token. */
async function call(kind: 'query' | 'mutation', row: Row, permissions: HomePermissions) {
  const document = `${kind} { ${row.call.replace(/\{(\w+)\}/g, (whole, word: string) => ids[word] ?? whole)} }`;
  const { body } = await lab.ask(document, {}, { Authorization: `Bearer ${createToken(home, permissions)}` });
  return body;
}

/** Whether a field was refused: in `errors`, or in a result that says that there is no such thing. */
function isRefused(body: {
  data: Record<string, unknown> | null;
  errors?: { extensions: { code: string } }[];
}): boolean {
  if (body.errors) return body.errors.every(({ extensions }) => REFUSALS.test(extensions.code));
  return Object.values(body.data ?? {}).some(
    (value) => typeof value === 'object' && value !== null && 'success' in value && value.success === false,
  );
}

const ROLES = ['none', 'view', 'control', 'owner'] as const;
const REACH: Readonly<Record<(typeof ROLES)[number], readonly Needed[]>> = {
  none: ['anyone'],
  view: ['anyone', 'view'],
  control: ['anyone', 'view', 'control'],
  owner: ['anyone', 'view', 'control', 'manage'],
};

function permissionsOf(role: (typeof ROLES)[number]): HomePermissions {
  switch (role) {
    case 'owner':
      return null;
    case 'none':
      return { [ids.empty ?? '']: 'control' };
    default:
      return { [home.home.id]: role };
  }
}

describe('every root field', () => {
  it('is in the table', () => {
    const schema = createSchema();
    expect(Object.keys(QUERIES).sort()).toEqual(Object.keys(schema.getQueryType()?.getFields() ?? {}).sort());
    expect(Object.keys(MUTATIONS).sort()).toEqual(Object.keys(schema.getMutationType()?.getFields() ?? {}).sort());
  });

  it.each(Object.entries(QUERIES))('query %s answers whom it should', async (_, row) => {
    for (const role of ROLES) {
      const body = await call('query', row, permissionsOf(role));
      expect({ role, refused: isRefused(body) }).toEqual({ role, refused: !REACH[role].includes(row.needs) });
    }
  });

  it.each(Object.entries(MUTATIONS))('mutation %s obeys whom it should', async (_, row) => {
    for (const role of ROLES) {
      const before = home.state.version;
      const body = await call('mutation', row, permissionsOf(role));
      const refused = !REACH[role].includes(row.needs);
      expect({ role, refused: isRefused(body), body }).toMatchObject({ role, refused });
      if (refused) expect(home.state.version).toBe(before);
    }
  });
});
