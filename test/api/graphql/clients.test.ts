/**
 * Existing clients send documents of their own, with their own variable types and field names (wire-facts §4). Each
 * must be valid as it is; where the API document and a client disagree, both names are served.
 */
import { parse, specifiedRules, VariablesInAllowedPositionRule, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { LooseVariablesRule } from '../../../src/api/graphql/loose-variables.ts';
import { createSchema } from '../../../src/api/graphql/schema.ts';

const SERVICES =
  'services { id name serviceType characteristics { id characteristicType value isReadable isWritable validValues minValue maxValue stepValue } }';
const STORED = 'id entityType entityId parentId dataJson layoutJson updatedAt';

/** What a client asks for, by what it does with it. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'asks whether the relay answers': '{ health }',
  'asks for the version': '{ version deployedAt }',
  'lists homes': '{ homes { id name isPrimary roomCount accessoryCount isAdmin role } }',
  'lists homes from its cache':
    '{ cachedHomes { id name updatedAt role ownerEmail mqttEnabled relayConnected relayLastSeenAt } }',
  'lists rooms': 'query($homeId: String!) { rooms(homeId: $homeId) { id name accessoryCount } }',
  'lists accessories': `query($homeId: String, $roomId: String) {
    accessories(homeId: $homeId, roomId: $roomId) { id name homeId category isReachable roomId roomName ${SERVICES} } }`,
  'shows an accessory': `query($accessoryId: String!) { accessory(accessoryId: $accessoryId) { id name isReachable ${SERVICES} } }`,
  'lists scenes':
    'query($homeId: String!) { scenes(homeId: $homeId) { id name actionCount actionSetType automationName actions } }',
  'sets a characteristic': `mutation($accessoryId: String!, $characteristicType: String!, $value: String!) {
    setCharacteristic(accessoryId: $accessoryId, characteristicType: $characteristicType, value: $value) {
      success accessoryId characteristicType value } }`,
  'sets a group': `mutation($homeId: String!, $groupId: String!, $characteristicType: String!, $value: String!) {
    setServiceGroup(homeId: $homeId, groupId: $groupId, characteristicType: $characteristicType, value: $value) {
      success groupId characteristicType affectedCount value } }`,
  'runs a scene': 'mutation($sceneId: String!) { executeScene(sceneId: $sceneId) { success sceneId } }',
  'makes a scene': `mutation($homeId: String!, $name: String!, $actions: String!) {
    createScene(homeId: $homeId, name: $name, actions: $actions) { id name actionCount } }`,
  'changes a scene': `mutation($sceneId: String!, $homeId: String, $name: String, $actions: String) {
    updateScene(sceneId: $sceneId, homeId: $homeId, name: $name, actions: $actions) { id name } }`,
  'deletes a scene':
    'mutation($sceneId: String!, $homeId: String) { deleteScene(sceneId: $sceneId, homeId: $homeId) { success sceneId } }',
  'lists groups': 'query($homeId: String!) { serviceGroups(homeId: $homeId) { id name serviceIds accessoryIds } }',
  'lists zones': 'query($homeId: String!) { zones(homeId: $homeId) { id name roomIds } }',
  'lists room groups': `query($homeId: String!) { roomGroups(homeId: $homeId) { ${STORED} } }`,
  'makes a room group': `mutation($name: String!, $homeId: String!, $roomIds: [String!]!) {
    createRoomGroup(name: $name, homeId: $homeId, roomIds: $roomIds) { ${STORED} } }`,
  'changes a room group': `mutation($groupId: String!, $name: String, $roomIds: [String!]) {
    updateRoomGroup(groupId: $groupId, name: $name, roomIds: $roomIds) { ${STORED} } }`,
  'lists collections': '{ collections { id name payload createdAt } }',
  'changes a collection': `mutation($collectionId: String!, $name: String, $payload: String) {
    updateCollection(collectionId: $collectionId, name: $name, payload: $payload) { id name payload createdAt } }`,
  'deletes a collection': 'mutation($collectionId: String!) { deleteCollection(collectionId: $collectionId) }',
  'lists virtual accessories': `query($homeId: String!) { virtualAccessories(homeId: $homeId) { ${STORED} } }`,
  'saves a virtual accessory': `mutation($homeId: String!, $accessoryId: String, $data: String!) {
    saveVirtualAccessory(homeId: $homeId, accessoryId: $accessoryId, data: $data) { ${STORED} } }`,
  'deletes a virtual accessory':
    'mutation($accessoryId: String!) { deleteVirtualAccessory(accessoryId: $accessoryId) }',
  'asks whether anybody has claimed the relay': '{ isOnboarded relayReady authEnabled }',
  'signs in': `mutation($email: String!, $password: String!) {
    login(email: $email, password: $password) { success token error user { id email name accountType emailVerified } } }`,
  'signs up': `mutation($email: String!, $password: String!, $name: String) {
    signup(email: $email, password: $password, name: $name) { success token error message } }`,
  'asks who is signed in':
    '{ me { id email name isAdmin accountType createdAt lastLoginAt } account { accountType accessoryLimit } }',
  'keeps settings': 'mutation($data: String!) { updateSettings(data: $data) { success settings { data } } }',
  'reads settings': '{ settings { data } }',
  'lists sessions': '{ sessions { id deviceId name sessionType lastSeenAt } }',
  'ends a session': 'mutation($deviceId: String!) { removeSession(deviceId: $deviceId) }',
  'lists members':
    'query($homeId: String!) { homeMembers(homeId: $homeId) { id homeId email name role isPending status createdAt } }',
  'invites a member': `mutation($homeId: String!, $email: String!, $role: String!) {
    inviteHomeMember(homeId: $homeId, email: $email, role: $role) { success error member { id homeId email name role isPending createdAt } } }`,
  'changes a member': `mutation($homeId: String!, $email: String!, $role: String!) {
    updateHomeMemberRole(homeId: $homeId, email: $email, role: $role) { success error member { id role } } }`,
  'removes a member':
    'mutation($homeId: String!, $email: String!) { removeHomeMember(homeId: $homeId, email: $email) { success error } }',
  'answers an invitation': 'mutation($homeId: String!) { acceptHomeInvitation(homeId: $homeId) { success error } }',
  'lists invitations': '{ pendingInvitations { id homeId homeName role inviterName createdAt } }',
  'lists homes of others': '{ mySharedHomes { id name updatedAt role ownerEmail } }',
  'leaves a home': 'mutation($homeId: String!) { dismissHome(homeId: $homeId) }',
  'makes an account': `mutation($name: String!, $password: String!, $role: String!) {
    createCommunityUser(name: $name, password: $password, role: $role) { id name role createdAt } }`,
  'lists tokens': '{ accessTokens { id name tokenPrefix homePermissions createdAt lastUsedAt expiresAt } }',
  'makes a token': `mutation($name: String!, $homePermissions: String, $expiresAt: String) {
    createAccessToken(name: $name, homePermissions: $homePermissions, expiresAt: $expiresAt) {
      success error rawToken accessToken { id name tokenPrefix } } }`,
  'switches the history on':
    'mutation($homeId: String!, $enabled: Boolean!) { setHomeHistoryEnabled(homeId: $homeId, enabled: $enabled) }',
  'draws a chart': `query($homeId: String!, $series: [HistorySeriesInput!]!, $fromTs: Float!, $toTs: Float!, $maxPoints: Int) {
    history(homeId: $homeId, series: $series, fromTs: $fromTs, toTs: $toTs, maxPoints: $maxPoints) {
      accessoryId characteristicType kind unit resolution prevValue prevValueText
      points { ts min avg max last count } states { ts value valueText }
      stateBuckets { ts dominant dominantText stateMsJson transitions } } }`,
  'exports the history': `query($homeId: String!, $accessoryId: String, $characteristicType: String) {
    exportHistory(homeId: $homeId, accessoryId: $accessoryId, characteristicType: $characteristicType) }`,
  'purges the history': `mutation($homeId: String!, $accessoryId: String, $characteristicType: String, $beforeTs: Float) {
    purgeHistory(homeId: $homeId, accessoryId: $accessoryId, characteristicType: $characteristicType, beforeTs: $beforeTs) }`,
};

describe('a client that', () => {
  const schema = createSchema();
  const rules = specifiedRules.map((rule) => (rule === VariablesInAllowedPositionRule ? LooseVariablesRule : rule));

  it.each(Object.entries(DOCUMENTS))('%s is understood', (_, document) => {
    expect(validate(schema, parse(document), rules).map(({ message }) => message)).toEqual([]);
  });
});
