/** API §1: what the service does. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSchema } from '../../src/api/graphql/schema.ts';
import { ROLES } from '../../src/app/access/caller.ts';
import { DOCUMENT } from '../api/openapi-document.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { createTestHome, type TestHome } from '../support/test-home.ts';

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});

afterEach(() => home.close());

/** The root field that does what an operation of REST does. */
const IN_GRAPHQL: Readonly<Record<string, string>> = {
  'GET /rest/state': 'accessories',
  'GET /rest': 'accessories',
  'POST /rest/state': 'setCharacteristics',
  'GET /rest/homes': 'homes',
  'POST /rest/homes': 'createHome',
  'PATCH /rest/homes/{id}': 'updateHome',
  'DELETE /rest/homes/{id}': 'deleteHome',
  'GET /rest/me': 'me',
  'PATCH /rest/me': 'updateProfile',
  'POST /rest/me/password': 'changePassword',
  'GET /rest/me/second-factor': 'secondFactor',
  'POST /rest/me/second-factor': 'beginSecondFactor',
  'POST /rest/me/second-factor/confirm': 'confirmSecondFactor',
  'POST /rest/me/second-factor/recovery-codes': 'renewRecoveryCodes',
  'POST /rest/me/second-factor/off': 'turnOffSecondFactor',
  'GET /rest/me/passkeys': 'passkeys',
  'POST /rest/me/passkeys/begin': 'beginPasskey',
  'POST /rest/me/passkeys': 'createPasskey',
  'PATCH /rest/me/passkeys/{id}': 'renamePasskey',
  'DELETE /rest/me/passkeys/{id}': 'removePasskey',
  'POST /rest/me/proof/begin': 'beginProof',
  'POST /rest/me/proof': 'giveProof',
  'GET /rest/settings': 'settings',
  'PATCH /rest/settings': 'updateSettings',
  'GET /rest/homes/{id}/members': 'homeMembers',
  'POST /rest/homes/{id}/members': 'inviteHomeMember',
  'PATCH /rest/homes/{id}/members/{memberId}': 'updateHomeMemberRole',
  'DELETE /rest/homes/{id}/members/{memberId}': 'removeHomeMember',
  'GET /rest/invitations': 'pendingInvitations',
  'POST /rest/invitations/{homeId}/accept': 'acceptHomeInvitation',
  'POST /rest/invitations/{homeId}/reject': 'rejectHomeInvitation',
  'POST /rest/setup-code': 'renewSetupCode',
  'GET /rest/users': 'communityUsers',
  'POST /rest/users': 'createCommunityUser',
  'PATCH /rest/users/{id}': 'renameCommunityUser',
  'POST /rest/users/{id}/password': 'changeCommunityUserPassword',
  'DELETE /rest/users/{id}/second-factor': 'resetSecondFactor',
  'DELETE /rest/users/{id}': 'deleteCommunityUser',
  'GET /rest/relay': 'relay',
  'GET /rest/relay/load': 'relayLoad',
  'GET /rest/relay/logs': 'relayLogs',
  'GET /rest/relay/settings': 'relaySettings',
  'PATCH /rest/relay/settings': 'updateRelaySettings',
  'GET /rest/relay/https': 'relayHttps',
  'PUT /rest/relay/https': 'turnOnRelayHttps',
  'DELETE /rest/relay/https': 'turnOffRelayHttps',
  'POST /rest/relay/https/renew': 'renewRelayHttps',
  'GET /rest/sessions': 'sessions',
  'POST /rest/sessions/renew': 'renewSession',
  'GET /rest/sessions/{id}': 'session',
  'DELETE /rest/sessions': 'removeOtherSessions',
  'DELETE /rest/sessions/{id}': 'removeSession',
  'GET /rest/authorized-apps': 'authorizedApps',
  'PATCH /rest/authorized-apps/{clientId}': 'updateAuthorizedApp',
  'DELETE /rest/authorized-apps/{clientId}': 'revokeAuthorizedApp',
  'GET /rest/rooms': 'rooms',
  'POST /rest/rooms': 'createRoom',
  'PATCH /rest/rooms/{id}': 'updateRoom',
  'DELETE /rest/rooms/{id}': 'deleteRoom',
  'GET /rest/accessories': 'accessories',
  'GET /rest/accessories/{id}': 'accessory',
  'GET /rest/accessories/{id}/uses': 'accessoryUses',
  'PATCH /rest/accessories/{id}': 'renameAccessory',
  'POST /rest/accessories/{id}/identify': 'identifyAccessory',
  'GET /rest/virtual-accessories': 'virtualAccessories',
  'POST /rest/virtual-accessories': 'createVirtualAccessory',
  'GET /rest/virtual-accessories/{id}': 'virtualAccessory',
  'PATCH /rest/virtual-accessories/{id}': 'updateVirtualAccessory',
  'DELETE /rest/virtual-accessories/{id}': 'deleteVirtualAccessory',
  'POST /rest/virtual-accessories/{id}/operate': 'operateVirtualAccessory',
  'GET /rest/scenes': 'scenes',
  'POST /rest/scenes': 'createScene',
  'POST /rest/scenes/capture': 'captureScene',
  'GET /rest/scenes/{id}': 'scene',
  'PATCH /rest/scenes/{id}': 'updateScene',
  'DELETE /rest/scenes/{id}': 'deleteScene',
  'POST /rest/scenes/{id}/execute': 'executeScene',
  'POST /rest/scene': 'executeScene',
  'GET /rest/automations': 'automations',
  'POST /rest/automations': 'createAutomation',
  'GET /rest/automations/{id}': 'automation',
  'PATCH /rest/automations/{id}': 'updateAutomation',
  'DELETE /rest/automations/{id}': 'deleteAutomation',
  'POST /rest/automations/drafts': 'saveAutomation',
  'GET /rest/automations/{id}/draft': 'automation',
  'PUT /rest/automations/{id}/draft': 'saveAutomation',
  'GET /rest/flows': 'flows',
  'POST /rest/flows': 'saveFlow',
  'POST /rest/flows/import': 'importFlow',
  'GET /rest/flows/traces/{runId}': 'flowTrace',
  'POST /rest/flows/versions/{versionId}/restore': 'restoreFlowVersion',
  'GET /rest/flows/{id}': 'flow',
  'PUT /rest/flows/{id}': 'saveFlow',
  'PATCH /rest/flows/{id}': 'saveFlow',
  'DELETE /rest/flows/{id}': 'deleteFlow',
  'POST /rest/flows/{id}/enable': 'setFlowEnabled',
  'POST /rest/flows/{id}/disable': 'setFlowEnabled',
  'POST /rest/flows/{id}/run': 'runFlow',
  'POST /rest/flows/evaluate': 'evaluateExpression',
  'POST /rest/flows/simulate': 'simulateFlow',
  'POST /rest/flows/{id}/simulate': 'simulateFlow',
  'GET /rest/flows/{id}/outline': 'automationOutline',
  'GET /rest/flows/{id}/traces': 'flowTraces',
  'GET /rest/flows/{id}/versions': 'flowVersions',
  'GET /rest/flows/{id}/next': 'nextFireDates',
  'GET /rest/flows/{id}/export': 'exportFlow',
  'GET /rest/flows/{id}/blueprint': 'exportBlueprint',
  'GET /rest/blueprints': 'blueprints',
  'GET /rest/blueprints/{id}': 'blueprints',
  'POST /rest/blueprints/read': 'readBlueprint',
  'POST /rest/blueprints/preview': 'previewBlueprint',
  'POST /rest/blueprints/apply': 'applyBlueprint',
  'GET /rest/activity': 'activity',
  'GET /rest/activity/actors': 'activityActors',
  'GET /rest/energy': 'energy',
  'GET /rest/energy/now': 'energyNow',
  'GET /rest/energy/export': 'exportEnergy',
  'GET /rest/energy/tariff': 'energyTariff',
  'PUT /rest/energy/tariff': 'setEnergyTariff',
  'DELETE /rest/energy/tariff': 'removeEnergyTariff',
  'GET /rest/energy/prices': 'energyPrices',
  'PUT /rest/energy/prices': 'setEnergyPrices',
  'POST /rest/energy/prices': 'setEnergyPrices',
  'GET /rest/history': 'history',
  'DELETE /rest/history': 'purgeHistory',
  'GET /rest/history/export': 'exportHistory',
  'GET /rest/history/series': 'historySeries',
  'PATCH /rest/history/series': 'setHistorySeriesConfig',
  'GET /rest/history/homes/{homeId}': 'historyStorageStats',
  'PATCH /rest/history/homes/{homeId}': 'setHomeHistoryEnabled',
  'GET /rest/service-groups': 'serviceGroups',
  'POST /rest/service-groups': 'createServiceGroup',
  'GET /rest/service-groups/{id}': 'serviceGroups',
  'PATCH /rest/service-groups/{id}': 'updateServiceGroup',
  'DELETE /rest/service-groups/{id}': 'deleteServiceGroup',
  'POST /rest/service-groups/{id}/set': 'setServiceGroup',
  'GET /rest/homes/{id}/mqtt': 'homeMqttStatus',
  'PATCH /rest/homes/{id}/mqtt': 'setHomeMqttEnabled',
  'POST /rest/homes/{id}/mqtt/discover': 'discoverHomeMqttBrokers',
  'POST /rest/homes/{id}/mqtt/brokers': 'addHomeMqttBroker',
  'GET /rest/homes/{id}/mqtt/brokers/{brokerId}': 'homeMqttBrokers',
  'PATCH /rest/homes/{id}/mqtt/brokers/{brokerId}': 'updateHomeMqttBroker',
  'DELETE /rest/homes/{id}/mqtt/brokers/{brokerId}': 'removeHomeMqttBroker',
  'POST /rest/homes/{id}/mqtt/brokers/{brokerId}/test': 'testHomeMqttBroker',
  'GET /rest/publications': 'publications',
  'POST /rest/publications': 'createPublication',
  'POST /rest/publications/preview': 'publicationPreview',
  'GET /rest/publications/{id}': 'publication',
  'PATCH /rest/publications/{id}': 'updatePublication',
  'DELETE /rest/publications/{id}': 'deletePublication',
  'GET /rest/publications/{id}/preview': 'publicationPreview',
  'POST /rest/publications/{id}/pause': 'pausePublication',
  'POST /rest/publications/{id}/resume': 'resumePublication',
  'POST /rest/publications/{id}/reset': 'resetPublication',
  'POST /rest/publications/{id}/window': 'openPublicationWindow',
  'DELETE /rest/publications/{id}/window': 'closePublicationWindow',
  'GET /rest/publications/{id}/controllers': 'publicationControllers',
  'DELETE /rest/publications/{id}/controllers/{identifier}': 'removePublicationController',
  'GET /rest/homes/{id}/adaptive-lighting': 'adaptiveLighting',
  'PATCH /rest/homes/{id}/adaptive-lighting': 'updateAdaptiveLighting',
  'PATCH /rest/rooms/{id}/adaptive-lighting': 'setRoomAdaptiveLighting',
  'PATCH /rest/accessories/{id}/adaptive-lighting': 'setAccessoryAdaptiveLighting',
  'GET /rest/people': 'people',
  'POST /rest/people': 'createPerson',
  'GET /rest/people/{id}': 'people',
  'PATCH /rest/people/{id}': 'renamePerson',
  'DELETE /rest/people/{id}': 'deletePerson',
  'POST /rest/people/{id}/presence': 'setPresence',
  'GET /rest/zones': 'zones',
  'POST /rest/zones': 'createZone',
  'PATCH /rest/zones/{id}': 'updateZone',
  'DELETE /rest/zones/{id}': 'deleteZone',
  'GET /rest/room-groups': 'roomGroups',
  'POST /rest/room-groups': 'createRoomGroup',
  'PATCH /rest/room-groups/{id}': 'updateRoomGroup',
  'DELETE /rest/room-groups/{id}': 'deleteRoomGroup',
  'GET /rest/collections': 'collections',
  'GET /rest/shares': 'entityAccess',
  'POST /rest/shares': 'createEntityAccess',
  'PATCH /rest/shares/{id}': 'updateEntityAccess',
  'DELETE /rest/shares/{id}': 'deleteEntityAccess',
  'POST /rest/collections': 'createCollection',
  'GET /rest/collections/{id}': 'collections',
  'PATCH /rest/collections/{id}': 'updateCollection',
  'DELETE /rest/collections/{id}': 'deleteCollection',
  'GET /rest/notifications': 'notificationHistory',
  'DELETE /rest/notifications': 'clearNotificationHistory',
  'GET /rest/notifications/channels': 'notificationChannels',
  'GET /rest/notifications/unread': 'unreadNotifications',
  'POST /rest/notifications/read': 'markNotificationsRead',
  'POST /rest/notifications/{id}/buttons/{buttonId}': 'pressNotificationButton',
  'GET /rest/notifications/push-key': 'pushKey',
  'GET /rest/notifications/push-devices': 'pushDevices',
  'POST /rest/notifications/push-devices': 'addPushDevice',
  'DELETE /rest/notifications/push-devices/{id}': 'removePushDevice',
  'POST /rest/notifications/push-devices/{id}/test': 'testPushDevice',
  'GET /rest/notifications/ntfy': 'ntfyTopic',
  'POST /rest/notifications/ntfy': 'createNtfyTopic',
  'DELETE /rest/notifications/ntfy': 'removeNtfyTopic',
  'POST /rest/notifications/ntfy/test': 'testNtfyTopic',
  'POST /rest/notifications/test': 'sendTestNotification',
  'GET /rest/notifications/preferences': 'notificationPreferences',
  'POST /rest/notifications/preferences': 'setNotificationPreference',
  'DELETE /rest/notifications/preferences': 'deleteNotificationPreference',
  'GET /rest/discovered': 'discoveredAccessories',
  'POST /rest/discovered/refresh': 'refreshDiscovery',
  'POST /rest/discovered/manual': 'addManualDevice',
  'DELETE /rest/discovered/manual': 'removeManualDevice',
  'POST /rest/discovered/{deviceId}/identify': 'identifyDiscovered',
  'POST /rest/pairings/import': 'importPairings',
  'GET /rest/backups': 'backups',
  'POST /rest/backups': 'createBackup',
  'GET /rest/backups/last-restore': 'lastRestore',
  'POST /rest/backups/{name}/restore': 'restoreBackup',
  'DELETE /rest/backups/{name}': 'deleteBackup',
  'GET /rest/pairings': 'pairings',
  'POST /rest/pairings': 'pairAccessory',
  'DELETE /rest/pairings/{deviceId}': 'unpairAccessory',
  'POST /rest/pairings/{deviceId}/reconnect': 'reconnectDevice',
  'GET /rest/pairings/{deviceId}/diagnostics': 'deviceDiagnostics',
  'GET /rest/pairings/{deviceId}/controllers': 'controllers',
  'POST /rest/pairings/{deviceId}/controllers': 'addController',
  'DELETE /rest/pairings/{deviceId}/controllers/{controllerId}': 'removeController',
  'GET /rest/tokens': 'accessTokens',
  'POST /rest/tokens': 'createAccessToken',
  'DELETE /rest/tokens/{id}': 'revokeAccessToken',
  'GET /rest/webhooks': 'webhooks',
  'POST /rest/webhooks': 'createWebhook',
  'GET /rest/webhooks/event-types': 'webhookEventTypes',
  'GET /rest/webhooks/{id}': 'webhook',
  'PATCH /rest/webhooks/{id}': 'updateWebhook',
  'DELETE /rest/webhooks/{id}': 'deleteWebhook',
  'POST /rest/webhooks/{id}/pause': 'pauseWebhook',
  'POST /rest/webhooks/{id}/resume': 'resumeWebhook',
  'POST /rest/webhooks/{id}/rotate-secret': 'rotateWebhookSecret',
  'POST /rest/webhooks/{id}/test': 'testWebhook',
  'GET /rest/webhooks/{id}/deliveries': 'webhookDeliveryHistory',
  'POST /rest/webhooks/{id}/deliveries/{deliveryId}/resend': 'resendWebhookDelivery',
};

/** Files come and go over REST alone. */
const FILES = [
  'GET /rest/backups/{name}',
  'POST /rest/backups/{name}/download',
  'POST /rest/backups/upload',
  'GET /rest/homes/{id}/picture',
  'PUT /rest/homes/{id}/picture',
  'DELETE /rest/homes/{id}/picture',
  'GET /rest/rooms/{id}/picture',
  'PUT /rest/rooms/{id}/picture',
  'DELETE /rest/rooms/{id}/picture',
];

describe('API §1', () => {
  it('Devices (accessories) are organised as home > room > accessory > service > characteristic', async () => {
    const [{ id: homeId }] = (await rest.get('/rest/homes')).body;
    const rooms = (await rest.get(`/rest/rooms?home=${homeId}`)).body;
    const livingRoom = rooms.find(({ name }: { name: string }) => name === 'Living Room');
    const accessories = (await rest.get(`/rest/accessories?room=${livingRoom.id}`)).body;
    const lamp = accessories.find(({ name }: { name: string }) => name === 'Lamp');
    expect(lamp).toMatchObject({ homeId, roomId: livingRoom.id });
    const bulb = lamp.services.find(({ type }: { type: string }) => type === 'lightbulb');
    expect(bulb.characteristics).toContainEqual(expect.objectContaining({ type: 'brightness', value: 50 }));
  });

  it('When the relay of a home is offline, no device command for that home can be routed', async () => {
    home.registry.setConnected(home.home.id, false);
    const { status, headers, body } = await rest.post('/rest/state', {
      home: 'My Home',
      room: 'Living Room',
      accessory: 'Lamp',
      on: true,
    });
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(body).toEqual({ error: 'Relay not connected', code: 'relay_not_connected' });
    expect(home.driver.writes).toEqual([]);
  });

  it('reads go on while the relay is offline, from what was known last', async () => {
    home.registry.setConnected(home.home.id, false);
    expect((await rest.get('/rest/state')).status).toBe(200);
    expect((await rest.get('/rest/homes')).body[0].connected).toBe(false);
  });

  it('REST under /rest, a simplified interface for state', async () => {
    expect((await rest.get('/rest')).text).toBe((await rest.get('/rest/state')).text);
    expect((await rest.get('/rest/')).status).toBe(200);
  });

  it('GraphQL at /graphql, which covers everything REST does', () => {
    const schema = createSchema();
    const fields = new Set(
      [schema.getQueryType(), schema.getMutationType()].flatMap((type) => Object.keys(type?.getFields() ?? {})),
    );
    // What belongs to the Cloud edition does nothing here.
    const operations = Object.entries<object>(DOCUMENT.paths)
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
      .filter((operation) => / \/rest/.test(operation) && !operation.includes('/rest/background'))
      .filter((operation) => !FILES.includes(operation));
    expect(operations.sort()).toEqual(Object.keys(IN_GRAPHQL).sort());
    expect(Object.values(IN_GRAPHQL).filter((field) => !fields.has(field))).toEqual([]);
  });

  it('Roles a user can have on a home: owner, admin, control, view', async () => {
    expect(ROLES).toEqual(['view', 'control', 'admin', 'owner']);
    const roleFor = async (level: 'view' | 'control' | null): Promise<unknown> => {
      const token = createToken(home, level && { [home.home.id]: level });
      return (await createRestClient(createTestApi(home), token).get('/rest/homes')).body[0].role;
    };
    expect([await roleFor('view'), await roleFor('control'), await roleFor(null)]).toEqual([
      'view',
      'control',
      'owner',
    ]);
  });
});
