/**
 * What each root field of GraphQL needs of a caller, and a call that asks it well. Held against the schema by
 * `api/graphql/authorization.test.ts`: a field without a row fails there.
 */
import { NO_SUCH_ID } from './authorization-fixture.ts';
import type { Need } from './authorization-model.ts';
import { PUSH_DEVICE } from './authorization-rest.ts';

export interface FieldRow {
  readonly needs: Need;
  /** The field with its arguments and what is selected; ids of a home stand in braces, by what they are of. */
  readonly call: string;
  /** It is about something that does not exist: a caller without the right learns only that. */
  readonly absent?: true;
  /** A caller without the right does not even learn that it exists. */
  readonly hides?: true;
}

const DEVELOPER: Need = { anywhere: 'admin', developer: true };

/** Without inputs. */
const BLUEPRINT = '{ hearthd_blueprint: 1, name: "Nothing", description: "", inputs: [], automation: { actions: [] } }';
const BLUEPRINT_FILE =
  '{"hearthd_blueprint":1,"name":"Nothing","description":"","inputs":[],"automation":{"actions":[]}}';

export const QUERIES: Readonly<Record<string, FieldRow>> = {
  health: { needs: 'everyone', call: 'health' },
  version: { needs: 'everyone', call: 'version' },
  deployedAt: { needs: 'anyone', call: 'deployedAt' },
  relay: { needs: 'anyone', call: 'relay { name }' },
  relayLogs: { needs: 'every home, signed in', call: 'relayLogs { seq }' },
  relayLoad: { needs: { anywhere: 'admin' }, call: 'relayLoad { from }' },
  relayHttps: { needs: { anywhere: 'admin' }, call: 'relayHttps { isOn }' },
  relaySettings: { needs: 'every home, signed in', call: 'relaySettings { name }' },
  isOnboarded: { needs: 'everyone', call: 'isOnboarded' },
  relayReady: { needs: 'everyone', call: 'relayReady' },
  authEnabled: { needs: 'everyone', call: 'authEnabled' },
  isWaitlistMode: { needs: 'everyone', call: 'isWaitlistMode' },
  me: { needs: 'a person or the relay', call: 'me { id }' },
  account: { needs: 'a person or the relay', call: 'account { accountType }' },
  settings: { needs: 'a person', call: 'settings { data }' },
  sessions: { needs: 'a session or the system', call: 'sessions { id }' },
  session: { needs: 'a session or the system', absent: true, call: 'session(deviceId: "{nothing}") { id }' },
  authorizedApps: { needs: 'to look after apps', call: 'authorizedApps { clientId }' },
  communityUsers: { needs: 'the head', call: 'communityUsers { id }' },
  homeMembers: { needs: { here: 'admin' }, call: 'homeMembers(homeId: "{home}") { id email }' },
  pendingInvitations: { needs: 'anyone', call: 'pendingInvitations { id }' },
  mySharedHomes: { needs: 'anyone', call: 'mySharedHomes { id }' },
  homes: { needs: 'anyone', call: 'homes { id }' },
  cachedHomes: { needs: 'anyone', call: 'cachedHomes { id }' },
  accessories: { needs: { here: 'view' }, call: 'accessories(homeId: "{home}") { id }' },
  accessory: { needs: { here: 'view' }, call: 'accessory(accessoryId: "{accessory}") { id }' },
  accessoryUses: { needs: { here: 'view' }, call: 'accessoryUses(accessoryId: "{accessory}") { id }' },
  characteristicGet: {
    needs: { here: 'view' },
    call: 'characteristicGet(accessoryId: "{accessory}", characteristicType: "on") { value }',
  },
  home: {
    needs: { here: 'view' },
    call: 'home(homeId: "{home}") { id scenes { id } zones { id } serviceGroups { id } }',
  },
  rooms: { needs: { here: 'view' }, call: 'rooms(homeId: "{home}") { id }' },
  zones: { needs: { here: 'view' }, call: 'zones(homeId: "{home}") { id }' },
  adaptiveLighting: {
    needs: { here: 'view' },
    call: 'adaptiveLighting(homeId: "{home}") { enabled lamps { status } }',
  },
  people: { needs: { here: 'view' }, call: 'people(homeId: "{home}") { id }' },
  roomGroups: { needs: { here: 'view' }, call: 'roomGroups(homeId: "{home}") { id }' },
  serviceGroups: { needs: { here: 'view' }, call: 'serviceGroups(homeId: "{home}") { id accessory { id } }' },
  scenes: { needs: { here: 'view' }, call: 'scenes(homeId: "{home}") { id }' },
  scene: { needs: { here: 'view' }, call: 'scene(sceneId: "{scene}") { id actions }' },
  automations: { needs: { here: 'view' }, call: 'automations(homeId: "{home}") { id }' },
  automation: { needs: { here: 'view' }, call: 'automation(automationId: "{automation}") { id trigger { type } }' },
  flows: { needs: { here: 'view' }, call: 'flows(homeId: "{home}") { id dataJson }' },
  flow: { needs: { here: 'view' }, call: 'flow(flowId: "{flow}") { id triggers metadata { triggerCount } }' },
  flowVersions: { needs: { here: 'view' }, call: 'flowVersions(flowId: "{flow}") { id definition }' },
  exportFlow: { needs: { here: 'view' }, call: 'exportFlow(flowId: "{flow}")' },
  blueprints: { needs: { here: 'view' }, call: 'blueprints(homeId: "{home}") { id missing }' },
  readBlueprint: {
    needs: { here: 'admin' },
    call: `readBlueprint(homeId: "{home}", file: ${JSON.stringify(BLUEPRINT_FILE)}) { id }`,
  },
  previewBlueprint: {
    needs: { here: 'admin' },
    call: `previewBlueprint(homeId: "{home}", blueprint: ${BLUEPRINT}, inputs: {}) { name }`,
  },
  exportBlueprint: { needs: { here: 'view' }, call: 'exportBlueprint(automationId: "{flow}")' },
  automationOutline: {
    needs: { here: 'view' },
    call: 'automationOutline(automationId: "{flow}") { name actions { summary } }',
  },
  flowTraces: { needs: { here: 'view' }, call: 'flowTraces(flowId: "{flow}") { id steps { nodeSummary } }' },
  flowTrace: { needs: { here: 'view' }, call: 'flowTrace(traceId: "{flowRun}") { id status }' },
  evaluateExpression: {
    needs: { here: 'view' },
    call: 'evaluateExpression(homeId: "{home}", text: "{{ 1 }}") { value }',
  },
  simulateFlow: { needs: { here: 'view' }, call: 'simulateFlow(flowId: "{flow}") { runs stopped }' },
  nextFireDates: { needs: { here: 'view' }, call: 'nextFireDates(automationId: "{automation}")' },
  virtualAccessories: { needs: { here: 'view' }, call: 'virtualAccessories(homeId: "{home}") { id value }' },
  virtualAccessory: { needs: { here: 'view' }, call: 'virtualAccessory(accessoryId: "{counter}") { id dataJson }' },
  historySeries: { needs: { here: 'view' }, call: 'historySeries(homeId: "{home}") { accessoryId }' },
  history: {
    needs: { here: 'view' },
    call: 'history(homeId: "{home}", series: [{ accessoryId: "{accessory}", characteristicType: "on" }], fromTs: 0, toTs: 1000) { kind }',
  },
  historyStorageStats: { needs: { here: 'view' }, call: 'historyStorageStats(homeId: "{home}") { enabled }' },
  energy: { needs: { here: 'view' }, call: 'energy(home: "{home}") { kwh }' },
  energyNow: { needs: { here: 'view' }, call: 'energyNow(home: "{home}") { watts }' },
  exportEnergy: { needs: { here: 'view' }, call: 'exportEnergy(home: "{home}")' },
  energyTariff: { needs: { here: 'view' }, call: 'energyTariff(home: "{home}") { homeId }' },
  energyPrices: { needs: { here: 'view' }, call: 'energyPrices(home: "{home}") { price }' },
  exportHistory: { needs: { here: 'view' }, call: 'exportHistory(homeId: "{home}")' },
  activity: { needs: { here: 'view' }, call: 'activity(homeId: "{home}", accessoryId: "{accessory}") { id }' },
  activityActors: { needs: { here: 'view' }, call: 'activityActors(homeId: "{home}") { kind id name }' },
  collections: { needs: 'anyone', call: 'collections { id }' },
  entityAccess: {
    needs: { here: 'admin' },
    call: 'entityAccess(entityType: "room", entityId: "{room}") { id shareUrl }',
  },
  sharingInfo: { needs: { here: 'admin' }, call: 'sharingInfo(entityType: "room", entityId: "{room}") { shareUrl }' },
  homeShares: { needs: { here: 'admin' }, call: 'homeShares(homeId: "{home}") { id shareUrl }' },
  mySharedEntities: { needs: 'anyone', call: 'mySharedEntities { id }' },
  // The link decides what they may, for every caller.
  publicEntity: { needs: 'everyone', call: 'publicEntity(shareHash: "{link}") { entityName role }' },
  publicEntityAccessories: { needs: 'everyone', call: 'publicEntityAccessories(shareHash: "{link}") { id }' },
  publicHistorySeries: { needs: 'everyone', call: 'publicHistorySeries(shareHash: "{link}") { accessoryId }' },
  publicHistory: {
    needs: 'everyone',
    call: 'publicHistory(shareHash: "{link}", series: [{ accessoryId: "{accessory}", characteristicType: "on" }], fromTs: 0, toTs: 1000) { kind }',
  },
  accessTokens: { needs: { anywhere: 'admin', developer: true }, call: 'accessTokens { id }' },
  webhooks: { needs: DEVELOPER, call: 'webhooks { id }' },
  webhook: {
    needs: DEVELOPER,
    absent: true,
    call: 'webhook(webhookId: "{nothing}") { id }',
  },
  webhookEventTypes: { needs: DEVELOPER, call: 'webhookEventTypes { eventType }' },
  webhookDeliveryHistory: {
    needs: DEVELOPER,
    absent: true,
    call: 'webhookDeliveryHistory(webhookId: "{nothing}") { total }',
  },
  homeMqttEnabled: { needs: { here: 'admin' }, call: 'homeMqttEnabled(homeId: "{home}")' },
  homeMqttBrokers: { needs: { here: 'admin' }, call: 'homeMqttBrokers(homeId: "{home}") { id }' },
  publications: { needs: { here: 'admin' }, call: 'publications(homeId: "{home}") { id bridges { setupCode } }' },
  publication: {
    needs: { here: 'admin' },
    call: 'publication(publicationId: "{publication}") { id bridges { setupCode } }',
  },
  publicationControllers: {
    needs: { here: 'admin' },
    call: 'publicationControllers(publicationId: "{publication}") { identifier }',
  },
  publicationPreview: {
    needs: { here: 'admin' },
    call: 'publicationPreview(homeId: "{home}", kind: "homekit") { items { id name } }',
  },
  homeMqttStatus: { needs: { here: 'admin' }, call: 'homeMqttStatus(homeId: "{home}") { enabled connected }' },
  pushTokens: { needs: 'anyone', call: 'pushTokens { id }' },
  notificationChannels: { needs: 'anyone', call: 'notificationChannels { name configured }' },
  notificationPreferences: { needs: 'anyone', call: 'notificationPreferences { id }' },
  notificationHistory: { needs: 'anyone', call: 'notificationHistory { id }' },
  ntfyTopic: { needs: 'a session', call: 'ntfyTopic { url }' },
  unreadNotifications: { needs: 'anyone', call: 'unreadNotifications' },
  pushKey: { needs: 'a session', call: 'pushKey' },
  pushDevices: { needs: 'a session', call: 'pushDevices { id name }' },
  discoveredAccessories: { needs: { anywhere: 'admin' }, call: 'discoveredAccessories { deviceId }' },
  pairings: { needs: { here: 'admin' }, call: 'pairings(homeId: "{home}") { deviceId }' },
  deviceDiagnostics: { needs: { here: 'admin' }, call: 'deviceDiagnostics(deviceId: "{device}")' },
  controllers: { needs: { here: 'admin' }, call: 'controllers(deviceId: "{device}") { id }' },
  secondFactor: { needs: 'a session', call: 'secondFactor { isOn }' },
  passkeys: { needs: 'a session', call: 'passkeys { id }' },
  backups: { needs: 'every home, signed in', call: 'backups { name }' },
  lastRestore: { needs: 'every home, signed in', call: 'lastRestore { backup }' },
};

export const MUTATIONS: Readonly<Record<string, FieldRow>> = {
  login: { needs: 'everyone', call: 'login(email: "a@b.c", password: "wrong password") { success code error }' },
  signup: {
    needs: 'everyone',
    call: 'signup(email: "a@b.c", password: "any password", invitationCode: "none") { success code error }',
  },
  beginPasskeySignIn: { needs: 'everyone', call: 'beginPasskeySignIn { success code }' },
  signInWithPasskey: { needs: 'everyone', call: 'signInWithPasskey(response: "{}") { success code }' },
  renewSession: { needs: 'a session', call: 'renewSession { success code }' },
  updateRelaySettings: { needs: 'every home, signed in', call: 'updateRelaySettings(settings: {}) { name }' },
  turnOnRelayHttps: { needs: 'every home, signed in', call: 'turnOnRelayHttps(source: "own") { isOn }' },
  turnOffRelayHttps: { needs: 'every home, signed in', call: 'turnOffRelayHttps { isOn }' },
  renewRelayHttps: { needs: 'every home, signed in', call: 'renewRelayHttps { isOn }' },
  changePassword: {
    needs: 'a session',
    call: 'changePassword(currentPassword: "password of everybody", newPassword: "another password") { success code }',
  },
  beginSecondFactor: {
    needs: 'a session',
    call: 'beginSecondFactor(currentPassword: "password of everybody") { success code }',
  },
  confirmSecondFactor: { needs: 'a session', call: 'confirmSecondFactor(code: "123456") { success code }' },
  renewRecoveryCodes: { needs: 'a session', call: 'renewRecoveryCodes(code: "123456") { success code }' },
  turnOffSecondFactor: { needs: 'a session', call: 'turnOffSecondFactor(code: "123456") { success code }' },
  beginPasskey: {
    needs: 'a session',
    call: 'beginPasskey(currentPassword: "password of everybody") { success code }',
  },
  createPasskey: { needs: 'a session', call: 'createPasskey(name: "Phone", response: "{}") { success code }' },
  renamePasskey: {
    needs: 'a session',
    absent: true,
    call: 'renamePasskey(id: "{nothing}", name: "Phone") { success code }',
  },
  removePasskey: { needs: 'a session', absent: true, call: 'removePasskey(id: "{nothing}") { success code }' },
  beginProof: { needs: 'a session', call: 'beginProof { success code }' },
  giveProof: { needs: 'a session', call: 'giveProof(currentPassword: "password of everybody") { success code }' },
  resetSecondFactor: {
    needs: 'the head',
    absent: true,
    call: 'resetSecondFactor(userId: "{nothing}") { success code }',
  },
  updateProfile: { needs: 'a session', call: 'updateProfile(name: "Eve") { success code }' },
  updateSettings: { needs: 'a session', call: 'updateSettings(data: "{}") { success code }' },
  removeSession: { needs: 'a session or the system', absent: true, call: 'removeSession(deviceId: "{nothing}")' },
  updateAuthorizedApp: {
    needs: 'a session',
    absent: true,
    call: 'updateAuthorizedApp(clientId: "{nothing}") { success code }',
  },
  revokeAuthorizedApp: {
    needs: 'to look after apps',
    absent: true,
    call: 'revokeAuthorizedApp(clientId: "{nothing}") { success code }',
  },
  removeOtherSessions: { needs: 'a session or the system', call: 'removeOtherSessions' },
  inviteHomeMember: {
    needs: { here: 'admin' },
    call: 'inviteHomeMember(homeId: "{home}", email: "ada@example.org", role: "view") { success code }',
  },
  updateHomeMemberRole: {
    needs: { here: 'admin' },
    call: 'updateHomeMemberRole(homeId: "{home}", email: "{guest}", role: "control") { success code }',
  },
  removeHomeMember: {
    needs: { here: 'admin' },
    call: 'removeHomeMember(homeId: "{home}", memberId: "{invited}") { success code }',
  },
  acceptHomeInvitation: {
    needs: 'a session',
    absent: true,
    call: 'acceptHomeInvitation(homeId: "{nothing}") { success code }',
  },
  acceptPendingInvitation: {
    needs: 'a session',
    absent: true,
    call: 'acceptPendingInvitation(homeId: "{nothing}") { success code }',
  },
  rejectHomeInvitation: {
    needs: 'a session',
    absent: true,
    call: 'rejectHomeInvitation(homeId: "{nothing}") { success code }',
  },
  rejectPendingInvitation: {
    needs: 'a session',
    absent: true,
    call: 'rejectPendingInvitation(homeId: "{nothing}") { success code }',
  },
  createCommunityUser: {
    needs: 'the head',
    call: 'createCommunityUser(name: "eve@example.org", password: "password") { id }',
  },
  changeCommunityUserPassword: {
    needs: 'the head',
    absent: true,
    call: 'changeCommunityUserPassword(userId: "{nothing}", password: "password") { success code }',
  },
  updateCommunityUserRole: {
    needs: { here: 'admin' },
    call: 'updateCommunityUserRole(userId: "{invited}", homeId: "{home}", role: "control") { success code }',
  },
  renameCommunityUser: {
    needs: 'the head',
    absent: true,
    call: 'renameCommunityUser(userId: "{nothing}", name: "Eve") { id }',
  },
  importPairings: {
    needs: { here: 'admin' },
    call: 'importPairings(homeId: "{home}", data: "[{\\"AccessoryPairingID\\":\\"x\\"}]") { success code devices { outcome } }',
  },
  createBackup: { needs: 'every home, signed in', call: 'createBackup { success code }' },
  deleteBackup: {
    needs: 'every home, signed in',
    absent: true,
    call: 'deleteBackup(name: "{nothing}") { success code }',
  },
  restoreBackup: {
    needs: 'every home, signed in',
    absent: true,
    call: 'restoreBackup(name: "{nothing}") { success code }',
  },
  renewSetupCode: { needs: 'the system', call: 'renewSetupCode { code }' },
  deleteCommunityUser: {
    needs: 'the head',
    absent: true,
    call: 'deleteCommunityUser(userId: "{nothing}") { success code }',
  },
  // Of the Cloud edition, and answers so for every caller.
  verifyEmail: { needs: 'anyone', call: 'verifyEmail(token: "x") { success code error }' },
  resendVerificationEmail: { needs: 'anyone', call: 'resendVerificationEmail { success code error }' },
  requestPasswordReset: { needs: 'anyone', call: 'requestPasswordReset(email: "a@b.c") { success code error }' },
  resetPassword: {
    needs: 'anyone',
    call: 'resetPassword(token: "x", newPassword: "another password") { success code error }',
  },
  setCharacteristic: {
    needs: { here: 'control' },
    call: 'setCharacteristic(accessoryId: "{accessory}", characteristicType: "on", value: true) { success code }',
  },
  setCharacteristics: {
    needs: { here: 'control' },
    call: 'setCharacteristics(writes: [{ accessoryId: "{accessory}", characteristicType: "on", value: true }]) { success code }',
  },
  setServiceGroup: {
    needs: { here: 'control' },
    call: 'setServiceGroup(homeId: "{home}", groupId: "{group}", characteristicType: "on", value: true) { success code }',
  },
  executeScene: { needs: { here: 'control' }, call: 'executeScene(sceneId: "{scene}") { success code }' },
  identifyAccessory: {
    needs: { here: 'control' },
    call: 'identifyAccessory(accessoryId: "{accessory}") { success code }',
  },
  operateVirtualAccessory: {
    needs: { here: 'control' },
    call: 'operateVirtualAccessory(accessoryId: "{counter}", operation: "increment") { success code }',
  },
  renameAccessory: {
    needs: { here: 'admin' },
    call: 'renameAccessory(accessoryId: "{accessory}", name: "Light") { id }',
  },
  setAccessoryIcon: {
    needs: { here: 'admin' },
    call: 'setAccessoryIcon(accessoryId: "{accessory}", icon: "lamp") { id }',
  },
  moveAccessory: {
    needs: { here: 'admin' },
    call: 'moveAccessory(accessoryId: "{accessory}", roomId: "{room}") { id }',
  },
  createScene: {
    needs: { here: 'admin' },
    call: 'createScene(homeId: "{home}", name: "New", actions: [{ accessoryId: "{accessory}", characteristicType: "on", targetValue: true }]) { id }',
  },
  updateScene: { needs: { here: 'admin' }, call: 'updateScene(sceneId: "{scene}", name: "Film") { id }' },
  captureScene: {
    needs: { here: 'admin' },
    call: 'captureScene(homeId: "{home}", name: "Now", accessoryIds: ["{accessory}"]) { id }',
  },
  deleteScene: { needs: { here: 'admin' }, call: 'deleteScene(sceneId: "{scene}") { success code }' },
  createAutomation: {
    needs: { here: 'admin' },
    call: 'createAutomation(homeId: "{home}", name: "New", trigger: "{\\"type\\": \\"timer\\", \\"hour\\": 3, \\"recurrenceType\\": \\"daily\\"}", actions: "[{\\"accessoryId\\": \\"{accessory}\\", \\"characteristicType\\": \\"on\\", \\"targetValue\\": true}]") { id }',
  },
  updateAutomation: {
    needs: { here: 'admin' },
    call: 'updateAutomation(automationId: "{automation}", name: "Late") { id }',
  },
  setAutomationEnabled: {
    needs: { here: 'admin' },
    call: 'setAutomationEnabled(automationId: "{automation}", enabled: false) { id }',
  },
  deleteAutomation: {
    needs: { here: 'admin' },
    call: 'deleteAutomation(automationId: "{automation}") { success code }',
  },
  saveFlow: {
    needs: { here: 'admin' },
    call: 'saveFlow(homeId: "{home}", flowId: "{flow}", data: { name: "Later", actions: [] }) { id }',
  },
  saveAutomation: {
    needs: { here: 'admin' },
    call: 'saveAutomation(homeId: "{home}", automationId: "{flow}", data: { name: "Later", actions: [] }) { id kind }',
  },
  setFlowEnabled: { needs: { here: 'admin' }, call: 'setFlowEnabled(flowId: "{flow}", enabled: false) { id }' },
  deleteFlow: { needs: { here: 'admin' }, call: 'deleteFlow(flowId: "{flow}") { success code }' },
  runFlow: { needs: { here: 'control' }, call: 'runFlow(flowId: "{flow}") { success code runId }' },
  restoreFlowVersion: { needs: { here: 'admin' }, call: 'restoreFlowVersion(versionId: "{flowVersion}") { id }' },
  importFlow: {
    needs: { here: 'admin' },
    call: 'importFlow(homeId: "{home}", data: "{\\"hearthd\\": \\"flow/1\\", \\"name\\": \\"Got\\", \\"actions\\": []}") { id }',
  },
  applyBlueprint: {
    needs: { here: 'admin' },
    call: `applyBlueprint(homeId: "{home}", blueprint: ${BLUEPRINT}, inputs: {}) { id }`,
  },
  createHome: { needs: { anywhere: 'owner' }, call: 'createHome(name: "Cabin") { id }' },
  updateHome: { needs: { here: 'admin' }, call: 'updateHome(homeId: "{home}", name: "House") { id }' },
  renameHome: { needs: { here: 'admin' }, call: 'renameHome(homeId: "{home}", name: "House") { id }' },
  setHomePaused: { needs: { here: 'admin' }, call: 'setHomePaused(homeId: "{home}", paused: false) { id }' },
  deleteHome: { needs: { here: 'owner' }, call: 'deleteHome(homeId: "{home}") { success code }' },
  createRoom: { needs: { here: 'admin' }, call: 'createRoom(homeId: "{home}", name: "Attic") { id }' },
  updateRoom: { needs: { here: 'admin' }, call: 'updateRoom(roomId: "{room}", color: "teal") { id }' },
  renameRoom: { needs: { here: 'admin' }, call: 'renameRoom(roomId: "{room}", name: "Loft") { id }' },
  deleteRoom: { needs: { here: 'admin' }, call: 'deleteRoom(roomId: "{room}") { success code }' },
  updateAdaptiveLighting: {
    needs: { here: 'admin' },
    call: 'updateAdaptiveLighting(homeId: "{home}", pauseHours: 3) { enabled }',
  },
  setRoomAdaptiveLighting: {
    needs: { here: 'admin' },
    call: 'setRoomAdaptiveLighting(roomId: "{room}", setting: "off") { enabled }',
  },
  setAccessoryAdaptiveLighting: {
    needs: { here: 'control' },
    call: 'setAccessoryAdaptiveLighting(accessoryId: "{accessory}", setting: "off") { status }',
  },
  createZone: { needs: { here: 'admin' }, call: 'createZone(homeId: "{home}", name: "Z", roomIds: ["{room}"]) { id }' },
  setHomeMqttEnabled: {
    needs: { here: 'admin' },
    call: 'setHomeMqttEnabled(homeId: "{home}", enabled: true) { success code }',
  },
  discoverHomeMqttBrokers: { needs: { here: 'admin' }, call: 'discoverHomeMqttBrokers(homeId: "{home}") { host }' },
  addHomeMqttBroker: {
    needs: { here: 'admin' },
    call: 'addHomeMqttBroker(homeId: "{home}", name: "Second", host: "second.local") { id hasPassword }',
  },
  updateHomeMqttBroker: {
    needs: { here: 'admin' },
    call: 'updateHomeMqttBroker(brokerId: "{broker}", enabled: false) { id }',
  },
  removeHomeMqttBroker: {
    needs: { here: 'admin' },
    call: 'removeHomeMqttBroker(brokerId: "{broker}") { success code }',
  },
  createPublication: {
    needs: { here: 'admin' },
    call: 'createPublication(homeId: "{home}", kind: "homekit", name: "Second") { id bridges { setupCode } }',
  },
  updatePublication: {
    needs: { here: 'admin' },
    call: 'updatePublication(publicationId: "{publication}", name: "Home") { id }',
  },
  pausePublication: { needs: { here: 'admin' }, call: 'pausePublication(publicationId: "{publication}") { id }' },
  resumePublication: { needs: { here: 'admin' }, call: 'resumePublication(publicationId: "{publication}") { id }' },
  removePublicationController: {
    needs: { here: 'admin' },
    call: 'removePublicationController(publicationId: "{publication}", identifier: "phone") { success code }',
  },
  resetPublication: { needs: { here: 'admin' }, call: 'resetPublication(publicationId: "{publication}") { id }' },
  openPublicationWindow: {
    needs: { here: 'admin' },
    call: 'openPublicationWindow(publicationId: "{publication}") { id }',
  },
  closePublicationWindow: {
    needs: { here: 'admin' },
    call: 'closePublicationWindow(publicationId: "{publication}") { id }',
  },
  deletePublication: {
    needs: { here: 'admin' },
    call: 'deletePublication(publicationId: "{publication}") { success code }',
  },
  testHomeMqttBroker: { needs: { here: 'admin' }, call: 'testHomeMqttBroker(brokerId: "{broker}") { success code }' },
  createPerson: { needs: { here: 'admin' }, call: 'createPerson(homeId: "{home}", name: "Grace") { id }' },
  renamePerson: { needs: { here: 'admin' }, call: 'renamePerson(personId: "{person}", name: "Grace") { id }' },
  linkPerson: { needs: { here: 'admin' }, call: 'linkPerson(personId: "{person}") { id }' },
  deletePerson: { needs: { here: 'admin' }, call: 'deletePerson(personId: "{person}") { success code }' },
  setPresence: { needs: { here: 'control' }, call: 'setPresence(personId: "{person}", atHome: true) { id }' },
  updateZone: { needs: { here: 'admin' }, call: 'updateZone(zoneId: "{zone}", name: "Y") { id }' },
  deleteZone: { needs: { here: 'admin' }, call: 'deleteZone(zoneId: "{zone}") { success code }' },
  createRoomGroup: {
    needs: { here: 'admin' },
    call: 'createRoomGroup(homeId: "{home}", name: "R", roomIds: ["{room}"]) { id }',
  },
  updateRoomGroup: { needs: { here: 'admin' }, call: 'updateRoomGroup(groupId: "{roomGroup}", name: "S") { id }' },
  deleteRoomGroup: { needs: { here: 'admin' }, call: 'deleteRoomGroup(groupId: "{roomGroup}") { success code }' },
  createServiceGroup: {
    needs: { here: 'admin' },
    call: 'createServiceGroup(homeId: "{home}", name: "G", accessoryIds: ["{accessory}"]) { id }',
  },
  updateServiceGroup: { needs: { here: 'admin' }, call: 'updateServiceGroup(groupId: "{group}", name: "H") { id }' },
  deleteServiceGroup: { needs: { here: 'admin' }, call: 'deleteServiceGroup(groupId: "{group}") { success code }' },
  createVirtualAccessory: {
    needs: { here: 'admin' },
    call: 'createVirtualAccessory(homeId: "{home}", name: "V", type: "counter") { id }',
  },
  updateVirtualAccessory: {
    needs: { here: 'admin' },
    call: 'updateVirtualAccessory(accessoryId: "{counter}", name: "W") { id }',
  },
  saveVirtualAccessory: {
    needs: { here: 'admin' },
    call: 'saveVirtualAccessory(homeId: "{home}", data: { name: "S", type: "counter" }) { id }',
  },
  deleteVirtualAccessory: { needs: { here: 'admin' }, call: 'deleteVirtualAccessory(accessoryId: "{counter}")' },
  setHomeHistoryEnabled: { needs: { here: 'admin' }, call: 'setHomeHistoryEnabled(homeId: "{home}", enabled: true)' },
  setHomeSharedAnalyticsEnabled: {
    needs: { here: 'admin' },
    call: 'setHomeSharedAnalyticsEnabled(homeId: "{home}", enabled: true)',
  },
  setHomeHistoryRetention: {
    needs: { here: 'admin' },
    call: 'setHomeHistoryRetention(homeId: "{home}", rawRetentionDays: 30)',
  },
  setHistorySeriesConfig: {
    needs: { here: 'admin' },
    call: 'setHistorySeriesConfig(homeId: "{home}", accessoryId: "{accessory}", characteristicType: "on", enabled: false)',
  },
  setEnergyTariff: {
    needs: { here: 'admin' },
    call: 'setEnergyTariff(home: "{home}", currency: "EUR", kind: "fixed", price: 0.3) { homeId }',
  },
  removeEnergyTariff: { needs: { here: 'admin' }, call: 'removeEnergyTariff(home: "{home}") { homeId }' },
  setEnergyPrices: {
    needs: { here: 'admin' },
    call: 'setEnergyPrices(home: "{home}", prices: [{ from: "2026-01-15T12:00:00Z", to: "2026-01-15T13:00:00Z", price: 0.2 }]) { quarters }',
  },
  purgeHistory: { needs: { here: 'admin' }, call: 'purgeHistory(homeId: "{home}")' },
  createCollection: { needs: 'to have something', call: 'createCollection(name: "C") { id }' },
  updateCollection: {
    needs: { anywhere: 'admin' },
    hides: true,
    call: 'updateCollection(collectionId: "{collection}", name: "D") { id }',
  },
  deleteCollection: {
    needs: { anywhere: 'admin' },
    hides: true,
    call: 'deleteCollection(collectionId: "{collection}")',
  },
  createEntityAccess: {
    needs: { here: 'admin' },
    call: 'createEntityAccess(homeId: "{home}", entityType: "home", entityId: "{home}", accessType: "public", role: "view") { success code }',
  },
  updateEntityAccess: {
    needs: { here: 'admin' },
    call: 'updateEntityAccess(accessId: "{share}", role: "view") { success code }',
  },
  deleteEntityAccess: { needs: { here: 'admin' }, call: 'deleteEntityAccess(accessId: "{share}") { success code }' },
  publicEntitySetCharacteristic: {
    needs: 'everyone',
    call: 'publicEntitySetCharacteristic(shareHash: "{link}", accessoryId: "{accessory}", characteristicType: "on", value: true) { success code }',
  },
  publicEntitySetServiceGroup: {
    needs: 'everyone',
    absent: true,
    call: 'publicEntitySetServiceGroup(shareHash: "{link}", groupId: "{group}", characteristicType: "on", value: true) { success code }',
  },
  createWebhook: {
    needs: DEVELOPER,
    call: 'createWebhook(name: "W", url: "https://example.com/hook") { success code }',
  },
  updateWebhook: {
    needs: DEVELOPER,
    absent: true,
    call: 'updateWebhook(webhookId: "{nothing}") { success code }',
  },
  rotateWebhookSecret: {
    needs: DEVELOPER,
    absent: true,
    call: 'rotateWebhookSecret(webhookId: "{nothing}") { success code }',
  },
  deleteWebhook: {
    needs: DEVELOPER,
    absent: true,
    call: 'deleteWebhook(webhookId: "{nothing}") { success code }',
  },
  pauseWebhook: {
    needs: DEVELOPER,
    absent: true,
    call: 'pauseWebhook(webhookId: "{nothing}") { success code }',
  },
  resumeWebhook: {
    needs: DEVELOPER,
    absent: true,
    call: 'resumeWebhook(webhookId: "{nothing}") { success code }',
  },
  testWebhook: {
    needs: DEVELOPER,
    absent: true,
    call: 'testWebhook(webhookId: "{nothing}") { success code }',
  },
  resendWebhookDelivery: {
    needs: DEVELOPER,
    absent: true,
    call: 'resendWebhookDelivery(webhookId: "{nothing}", deliveryId: "{nothing}") { success code }',
  },
  createAccessToken: {
    needs: { anywhere: 'admin', developer: true },
    call: 'createAccessToken(name: "T") { success code }',
  },
  revokeAccessToken: {
    needs: { anywhere: 'admin', developer: true },
    absent: true,
    call: 'revokeAccessToken(tokenId: "{nothing}") { success code }',
  },
  // Serves no caller, and answers so for everyone.
  registerPushToken: {
    needs: 'anyone',
    call: 'registerPushToken(token: "t", platform: "ios", deviceFingerprint: "x") { success code error }',
  },
  unregisterPushToken: { needs: 'anyone', call: 'unregisterPushToken(deviceFingerprint: "x")' },
  markNotificationsRead: { needs: 'a person', call: 'markNotificationsRead { success code }' },
  pressNotificationButton: {
    needs: 'anyone',
    absent: true,
    call: `pressNotificationButton(notificationId: "${NO_SUCH_ID}", buttonId: "close") { success code }`,
  },
  createNtfyTopic: { needs: 'a session', call: 'createNtfyTopic { success code }' },
  removeNtfyTopic: { needs: 'a session', call: 'removeNtfyTopic' },
  testNtfyTopic: { needs: 'a session', absent: true, call: 'testNtfyTopic { success }' },
  addPushDevice: {
    needs: 'a session',
    call: `addPushDevice(name: "Browser", endpoint: "${PUSH_DEVICE.endpoint}", p256dh: "${PUSH_DEVICE.p256dh}", auth: "${PUSH_DEVICE.auth}") { success code }`,
  },
  removePushDevice: { needs: 'a session', absent: true, call: 'removePushDevice(id: "{nothing}") { success code }' },
  testPushDevice: { needs: 'a session', absent: true, call: 'testPushDevice(id: "{nothing}") { success }' },
  setNotificationPreference: {
    needs: { here: 'admin', ofPerson: 'view' },
    call: 'setNotificationPreference(scope: "home", scopeId: "{home}", pushEnabled: true, emailEnabled: false, localEnabled: true) { success code }',
  },
  deleteNotificationPreference: {
    needs: { here: 'admin', ofPerson: 'view' },
    call: 'deleteNotificationPreference(scope: "home", scopeId: "{home}")',
  },
  sendTestNotification: { needs: { anywhere: 'admin' }, call: 'sendTestNotification(message: "Hello")' },
  clearNotificationHistory: { needs: { anywhere: 'admin' }, call: 'clearNotificationHistory' },
  refreshDiscovery: { needs: { anywhere: 'admin' }, call: 'refreshDiscovery { success code }' },
  pairAccessory: {
    needs: { here: 'admin' },
    call: 'pairAccessory(homeId: "{home}", device: "CC:00:00:00:00:01", setupCode: "031-45-154") { success code }',
  },
  reconnectDevice: { needs: { here: 'admin' }, call: 'reconnectDevice(deviceId: "{device}") { success code }' },
  unpairAccessory: { needs: { here: 'admin' }, call: 'unpairAccessory(deviceId: "{device}") { success code }' },
  identifyDiscovered: {
    needs: { anywhere: 'admin' },
    call: 'identifyDiscovered(deviceId: "CC:00:00:00:00:01") { success code }',
  },
  addManualDevice: {
    needs: { anywhere: 'admin' },
    call: 'addManualDevice(hostPort: "192.0.2.7:5001") { success code }',
  },
  removeManualDevice: {
    needs: { anywhere: 'admin' },
    call: 'removeManualDevice(hostPort: "192.0.2.7:5001") { success code }',
  },
  addController: {
    needs: { here: 'admin' },
    call: `addController(deviceId: "{device}", id: "tablet", publicKey: "${'ab'.repeat(32)}", admin: false) { success code }`,
  },
  removeController: {
    needs: { here: 'admin' },
    call: 'removeController(deviceId: "{device}", controllerId: "tablet") { success code }',
  },
};

/** Asked for as streams; who receives what is decided event by event, and tested where streams are. */
export const SUBSCRIPTIONS: Readonly<Record<string, FieldRow>> = {
  events: { needs: 'anyone', call: 'events { id }' },
  stateChanged: { needs: { here: 'view' }, call: 'stateChanged(accessoryIds: ["{accessory}"]) { value }' },
  accessoryReachabilityChanged: {
    needs: { here: 'view' },
    call: 'accessoryReachabilityChanged(homeId: "{home}") { isReachable }',
  },
  automationFired: { needs: { here: 'view' }, call: 'automationFired(homeId: "{home}") { runId }' },
};
