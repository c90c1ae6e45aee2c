/**
 * A token that reaches into one home, and everything that is in another: by every route and field, the answer is the
 * one for what is nowhere.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { E2eRelay } from '../support/e2e-relay.ts';
import { ask, type Furnished, graphql, NO_CALLER, startFurnished, wholeState } from './home-fixture.ts';

let relay: E2eRelay;
let inventory: Furnished;

beforeAll(async () => {
  ({ relay, demoHome: inventory } = await startFurnished());
});
afterAll(() => relay[Symbol.asyncDispose]());

/** Every route with an id of its own in it, and what would be sent to it. */
function routesById(): readonly (readonly [
  method: string,
  path: (id: string) => string,
  foreign: string,
  body?: object,
])[] {
  const { homeId, otherHomeId, foreign, foreignScene, foreignGroup, foreignZone, foreignRoom, lever } = inventory;
  const under =
    (list: string, tail = '') =>
    (id: string) =>
      `/rest/${list}/${id}${tail}`;
  const query = (path: string, name: string) => (id: string) => `${path}${path.includes('?') ? '&' : '?'}${name}=${id}`;
  return [
    ['GET', query('/rest/rooms', 'home'), otherHomeId],
    ['GET', query('/rest/scenes', 'home'), otherHomeId],
    ['GET', query('/rest/zones', 'home'), otherHomeId],
    ['GET', query('/rest/room-groups', 'home'), otherHomeId],
    ['GET', query('/rest/service-groups', 'home'), otherHomeId],
    ['GET', query('/rest/virtual-accessories', 'home'), otherHomeId],
    ['GET', query('/rest/accessories', 'home'), otherHomeId],
    ['GET', query('/rest/accessories', 'room'), foreignRoom],
    ['GET', query('/rest/history/series', 'home'), otherHomeId],
    ['GET', query('/rest/history/export', 'home'), otherHomeId],
    ['GET', query(`/rest/history/export?home=${homeId}`, 'accessory'), foreign],
    ['GET', query('/rest/history', 'accessory'), foreign],
    ['DELETE', query('/rest/history', 'home'), otherHomeId],
    ['GET', under('history/homes'), otherHomeId],
    ['PATCH', under('history/homes'), otherHomeId, { enabled: true }],
    ['PATCH', under('homes'), otherHomeId, { name: 'Mine' }],
    ['DELETE', under('homes'), otherHomeId],
    ['PATCH', under('rooms'), foreignRoom, { name: 'Mine' }],
    ['DELETE', under('rooms'), foreignRoom],
    ['GET', under('scenes'), foreignScene],
    ['PATCH', under('scenes'), foreignScene, { name: 'Mine' }],
    ['DELETE', under('scenes'), foreignScene],
    ['POST', under('scenes', '/execute'), foreignScene],
    ['GET', under('service-groups'), foreignGroup],
    ['PATCH', under('service-groups'), foreignGroup, { name: 'Mine' }],
    ['POST', under('service-groups', '/set'), foreignGroup, { characteristicType: 'on', value: true }],
    ['DELETE', under('service-groups'), foreignGroup],
    ['PATCH', under('zones'), foreignZone, { name: 'Mine' }],
    ['DELETE', under('zones'), foreignZone],
    ['GET', under('accessories'), foreign],
    ['PATCH', under('accessories'), foreign, { name: 'Mine' }],
    ['POST', under('accessories', '/identify'), foreign],
    ['GET', under('virtual-accessories'), foreign],
    ['PATCH', under('virtual-accessories'), foreign, { name: 'Mine' }],
    ['POST', under('virtual-accessories', '/operate'), foreign, { operation: 'toggle' }],
    ['DELETE', under('virtual-accessories'), foreign],
    ['GET', under('accessories'), `${lever.slice(0, -1)}g`],
  ];
}

describe('a token that reaches into one home', () => {
  it('gets for what is in another home the very answer that it gets for what is nowhere', async () => {
    const before = JSON.stringify(await wholeState(relay));
    const options = { token: inventory.limitedToken };
    const wrong: string[] = [];
    for (const [method, path, foreign, body] of routesById()) {
      const there = await ask(relay, method, path(foreign), body, options);
      const nowhere = await ask(relay, method, path(NO_CALLER), body, options);
      if (there.status !== 404 || nowhere.status !== 404)
        wrong.push(`${method} ${path('…')}: ${there.status} ${there.text}`);
      if (there.text.replaceAll(foreign, '') !== nowhere.text.replaceAll(NO_CALLER, '')) {
        wrong.push(`${method} ${path('…')}: ${there.text} ≠ ${nowhere.text}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(JSON.stringify(await wholeState(relay))).toBe(before);
  });

  it('sees nothing of the other home in any list or tree, and sets nothing in it by name or in a batch', async () => {
    const options = { token: inventory.limitedToken };
    const before = JSON.stringify(await wholeState(relay));
    const lists = [
      'homes',
      'accessories',
      'scenes',
      'service-groups',
      'zones',
      'room-groups',
      'virtual-accessories',
      'state',
      'collections',
    ];
    for (const list of lists) {
      const { status, text } = await ask(relay, 'GET', `/rest/${list}`, undefined, options);
      expect([200, 403], list).toContain(status);
      expect(text, list).not.toMatch(/Far |Elsewhere|elsewhere|Cellar/);
      expect(text, list).not.toContain(inventory.otherHomeId);
    }
    const refusals = await Promise.all(
      ['Elsewhere', 'Nowhere'].map((home) => {
        const item = { home, room: 'Default Room', accessory: 'Far Lever', on: true };
        return ask(relay, 'POST', '/rest/state', [item], options);
      }),
    );
    const [there, nowhere] = refusals.map(({ status, body }) => ({ status, body }));
    expect(there).toMatchObject({ status: 403, body: { error: 'insufficient_permissions' } });
    expect(there).toEqual(nowhere);
    const named = await Promise.all(
      ['Elsewhere', 'Nowhere'].map((home) => ask(relay, 'POST', '/rest/scene', { home, name: 'Far Evening' }, options)),
    );
    expect(named.map(({ status, body }) => [status, body.error])).toEqual(
      Array(2).fill([403, 'insufficient_permissions']),
    );
    expect(JSON.stringify(await wholeState(relay))).toBe(before);
  });
});

describe('a token that reaches into one home, over GraphQL', () => {
  it('answers a token of one home alike for what is in another and what is nowhere', async () => {
    const { otherHomeId, foreign, foreignScene, foreignGroup, foreignZone, foreignRoom, homeId } = inventory;
    const fields: readonly (readonly [foreign: string, field: (id: string) => string])[] = [
      [otherHomeId, (id) => `{ home(homeId: "${id}") { id } }`],
      [otherHomeId, (id) => `{ rooms(homeId: "${id}") { id } }`],
      [otherHomeId, (id) => `{ scenes(homeId: "${id}") { id } }`],
      [otherHomeId, (id) => `{ zones(homeId: "${id}") { id } }`],
      [otherHomeId, (id) => `{ roomGroups(homeId: "${id}") { id } }`],
      [otherHomeId, (id) => `{ serviceGroups(homeId: "${id}") { id } }`],
      [otherHomeId, (id) => `{ virtualAccessories(homeId: "${id}") { id } }`],
      [otherHomeId, (id) => `{ accessories(homeId: "${id}") { id } }`],
      [foreignRoom, (id) => `{ accessories(roomId: "${id}") { id } }`],
      [otherHomeId, (id) => `{ historySeries(homeId: "${id}") { kind } }`],
      [otherHomeId, (id) => `{ historyStorageStats(homeId: "${id}") { enabled } }`],
      [otherHomeId, (id) => `{ exportHistory(homeId: "${id}") }`],
      [foreign, (id) => `{ accessory(accessoryId: "${id}") { id } }`],
      [foreign, (id) => `{ virtualAccessory(accessoryId: "${id}") { id } }`],
      [foreign, (id) => `{ characteristicGet(accessoryId: "${id}", characteristicType: "on") { value } }`],
      [foreignScene, (id) => `{ scene(sceneId: "${id}") { id } }`],
      [foreignScene, (id) => `mutation { executeScene(sceneId: "${id}") { success code error } }`],
      [foreignScene, (id) => `mutation { deleteScene(sceneId: "${id}") { success code error } }`],
      [foreignScene, (id) => `mutation { updateScene(sceneId: "${id}", name: "Mine") { id } }`],
      [
        foreignGroup,
        (id) =>
          `mutation { setServiceGroup(homeId: "${homeId}", groupId: "${id}", characteristicType: "on", value: true) { success code error } }`,
      ],
      [
        foreignGroup,
        (id) =>
          `mutation { setServiceGroup(homeId: "${otherHomeId}", groupId: "${id}", characteristicType: "on", value: true) { success code error } }`,
      ],
      [foreignGroup, (id) => `mutation { updateServiceGroup(groupId: "${id}", name: "Mine") { id } }`],
      [foreignGroup, (id) => `mutation { deleteServiceGroup(groupId: "${id}") { success code error } }`],
      [foreignZone, (id) => `mutation { updateZone(zoneId: "${id}", name: "Mine") { id } }`],
      [foreignZone, (id) => `mutation { deleteZone(zoneId: "${id}") { success code error } }`],
      [foreignRoom, (id) => `mutation { renameRoom(roomId: "${id}", name: "Mine") { id } }`],
      [foreignRoom, (id) => `mutation { deleteRoom(roomId: "${id}") { success code error } }`],
      [otherHomeId, (id) => `mutation { renameHome(homeId: "${id}", name: "Mine") { id } }`],
      [otherHomeId, (id) => `mutation { setHomePaused(homeId: "${id}", paused: true) { id } }`],
      [otherHomeId, (id) => `mutation { deleteHome(homeId: "${id}") { success code error } }`],
      [otherHomeId, (id) => `mutation { setHomeHistoryEnabled(homeId: "${id}", enabled: true) }`],
      [otherHomeId, (id) => `mutation { purgeHistory(homeId: "${id}") }`],
      [
        foreign,
        (id) =>
          `mutation { setCharacteristic(accessoryId: "${id}", characteristicType: "on", value: true) { success code error } }`,
      ],
      [
        foreign,
        (id) =>
          `mutation { operateVirtualAccessory(accessoryId: "${id}", operation: "toggle") { success code error } }`,
      ],
      [foreign, (id) => `mutation { deleteVirtualAccessory(accessoryId: "${id}") }`],
      [foreign, (id) => `mutation { updateVirtualAccessory(accessoryId: "${id}", name: "Mine") { id } }`],
      [foreign, (id) => `mutation { renameAccessory(accessoryId: "${id}", name: "Mine") { id } }`],
      [foreign, (id) => `mutation { identifyAccessory(accessoryId: "${id}") { success code error } }`],
    ];
    const before = JSON.stringify(await wholeState(relay));
    const wrong: string[] = [];
    for (const [id, field] of fields) {
      const [there, nowhere] = await Promise.all(
        [id, NO_CALLER].map((one) => graphql(relay, field(one), {}, { token: inventory.limitedToken })),
      );
      const reported = /NOT_FOUND|"code":"[a-z_]*not_found"/.test(there?.text ?? '');
      if (!reported || there?.text !== nowhere?.text) wrong.push(`${field('…')}: ${there?.text} ≠ ${nowhere?.text}`);
    }
    expect(wrong).toEqual([]);
    expect(JSON.stringify(await wholeState(relay))).toBe(before);
  });
});
