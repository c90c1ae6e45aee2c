/** Two hundred at once: by REST and by GraphQL, on the same things. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { E2eRelay } from '../support/e2e-relay.ts';
import { type Asked, ask, type Furnished, faultsOf, graphql, startFurnished, wholeState } from './home-fixture.ts';

const MANY = 200;

let relay: E2eRelay;
let inventory: Furnished;
let unhandled: unknown[];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeEach(async () => {
  unhandled = [];
  process.on('unhandledRejection', note);
  ({ relay, demoHome: inventory } = await startFurnished());
});
afterEach(async () => {
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
  expect(faultsOf(relay.directory.file('relay.db'))).toEqual([]);
  await relay[Symbol.asyncDispose]();
});

const subscribers = <T>(one: (n: number) => Promise<T>, size = MANY): Promise<T[]> =>
  Promise.all(Array.from({ length: size }, (_, n) => one(n)));

/** Every answer is a success or an expected refusal. */
function judge(answers: readonly Asked[]): { done: number; refused: number } {
  let done = 0;
  for (const { status, text, body } of answers) {
    expect(status, text).toBeLessThan(500);
    expect(text).not.toContain('INTERNAL');
    const ok = status === 200 && !(body.errors?.length > 0) && !/"success":false/.test(text);
    if (ok) done += 1;
  }
  return { done, refused: answers.length - done };
}

describe('very many', () => {
  it('that makes things of one name, in every spelling of it, makes one of each kind', async () => {
    const { homeId, lever, roomId } = inventory;
    const spell = (name: string, n: number): string =>
      [name, name.toUpperCase(), ` ${name} `, name.toLowerCase()][n % 4] ?? name;
    const actions = [{ accessoryId: lever, characteristicType: 'on', targetValue: true }];
    const kinds: readonly (readonly [list: string, body: object, field: string])[] = [
      [
        'scenes',
        { homeId, actions },
        `createScene(homeId: "${homeId}", name: $n, actions: ${JSON.stringify(JSON.stringify(actions))})`,
      ],
      ['zones', { homeId, roomIds: [roomId] }, `createZone(homeId: "${homeId}", name: $n, roomIds: ["${roomId}"])`],
      [
        'room-groups',
        { homeId, roomIds: [roomId] },
        `createRoomGroup(homeId: "${homeId}", name: $n, roomIds: ["${roomId}"])`,
      ],
      [
        'service-groups',
        { homeId, accessoryIds: [lever] },
        `createServiceGroup(homeId: "${homeId}", name: $n, accessoryIds: ["${lever}"])`,
      ],
      [
        'virtual-accessories',
        { homeId, type: 'counter' },
        `createVirtualAccessory(homeId: "${homeId}", name: $n, type: "counter")`,
      ],
      ['rooms', { homeId }, `createRoom(homeId: "${homeId}", name: $n)`],
      ['homes', {}, 'createHome(name: $n)'],
      ['collections', {}, 'createCollection(name: $n)'],
    ];
    const answers = await subscribers((n) => {
      const [list, body, field] = kinds[n % kinds.length] as (typeof kinds)[number];
      const name = spell('Küche 1', Math.floor(n / kinds.length));
      return n % 16 < 8
        ? ask(relay, 'POST', `/rest/${list}`, { ...body, name })
        : graphql(relay, `mutation($n: String!) { ${field} { id } }`, { n: name });
    });
    expect(judge(answers)).toEqual({ done: kinds.length, refused: MANY - kinds.length });
    for (const [list] of kinds) {
      const { body } = await relay.asSystem('GET', `/rest/${list}${list === 'rooms' ? `?home=${homeId}` : ''}`);
      expect(
        body.filter(({ name }: { name: string }) => /k.che/i.test(name)),
        list,
      ).toHaveLength(1);
    }
  });

  it('that counts loses no count, and one that writes leaves what a person wrote', async () => {
    const { homeId, lever } = inventory;
    const make = async (name: string, type: string): Promise<string> =>
      (await relay.asSystem('POST', '/rest/virtual-accessories', { homeId, name, type })).body.id;
    const [counter, text] = [await make('Visitors', 'counter'), await make('Last Word', 'text')];
    const answers = await subscribers((n) => {
      if (n % 4 === 0)
        return ask(relay, 'POST', `/rest/virtual-accessories/${counter}/operate`, { operation: 'increment' });
      if (n % 4 === 1)
        return graphql(
          relay,
          `mutation { operateVirtualAccessory(accessoryId: "${counter}", operation: "increment") { success } }`,
        );
      if (n % 4 === 2)
        return ask(relay, 'POST', '/rest/state', {
          home: 'My Home',
          room: 'Default Room',
          accessory: 'Last Word',
          virtual_text: `word ${n}`,
        });
      return graphql(
        relay,
        `mutation { setCharacteristic(accessoryId: "${text}", characteristicType: "virtual_text", value: "word ${n}") { success } }`,
      );
    });
    expect(judge(answers)).toEqual({ done: MANY, refused: 0 });
    expect((await relay.state('Visitors')).properties.virtual_count).toBe(MANY / 2);
    const last = (await relay.state('Last Word')).properties.virtual_text;
    expect(last).toMatch(/^word \d+$/);
    await relay.stop();
    await relay.start();
    expect((await relay.state('Visitors')).properties.virtual_count).toBe(MANY / 2);
    expect((await relay.state('Last Word')).properties.virtual_text).toBe(last);
    expect((await relay.accessory('Lever')).id).toBe(lever);
  });

  it('that changes name and content of the same things loses neither', async () => {
    const { homeId, roomId, zone, scene, lever, switchId, group, number } = inventory;
    const { id: attic } = (await relay.asSystem('POST', '/rest/rooms', { homeId, name: 'Attic' })).body;
    const actions = [{ accessoryId: switchId, characteristicType: 'on', targetValue: true }];
    const answers = await subscribers((n) => {
      switch (n % 8) {
        case 0:
          return ask(relay, 'PATCH', `/rest/zones/${zone}`, { name: `Zone ${n}` });
        case 1:
          return graphql(
            relay,
            `mutation { updateZone(zoneId: "${zone}", roomIds: ["${roomId}", "${attic}"]) { id } }`,
          );
        case 2:
          return graphql(relay, `mutation { updateScene(sceneId: "${scene}", name: "Scene ${n}") { id } }`);
        case 3:
          return ask(relay, 'PATCH', `/rest/scenes/${scene}`, { actions });
        case 4:
          return ask(relay, 'PATCH', `/rest/service-groups/${group}`, { accessoryIds: [switchId] });
        case 5:
          return graphql(relay, `mutation { updateServiceGroup(groupId: "${group}", name: "Group ${n}") { id } }`);
        case 6:
          return ask(relay, 'PATCH', `/rest/virtual-accessories/${number}`, { max: 200 });
        default:
          return graphql(relay, `mutation { renameAccessory(accessoryId: "${number}", name: "Level ${n}") { id } }`);
      }
    });
    expect(judge(answers)).toEqual({ done: MANY, refused: 0 });
    const find = async (list: string, id: string) =>
      (await relay.asSystem('GET', `/rest/${list}`)).body.find((item: { id: string }) => item.id === id);
    expect(await find('zones', zone)).toMatchObject({
      name: expect.stringMatching(/^Zone \d/),
      roomIds: [roomId, attic],
    });
    expect(await find('scenes', scene)).toMatchObject({ name: expect.stringMatching(/^Scene \d/), actionCount: 1 });
    expect(await find('service-groups', group)).toMatchObject({
      name: expect.stringMatching(/^Group \d/),
      accessoryIds: [switchId],
    });
    expect(await find('accessories', number)).toMatchObject({
      name: expect.stringMatching(/^Level \d/),
      virtualConfig: { max: 200 },
    });
    const before = await wholeState(relay);
    await relay.stop();
    await relay.start();
    expect(await wholeState(relay)).toEqual(before);
    expect((await relay.accessory('Lever')).id).toBe(lever);
  });

  it('that makes, uses and deletes the same things learns what is there and what is not, and leaves no half of any', async () => {
    const { homeId, roomId } = inventory;
    const answers = await subscribers(async (n) => {
      const name = `Thing ${n % 10}`;
      const made = await ask(relay, 'POST', '/rest/virtual-accessories', { homeId, name, type: 'switch' });
      const list = await ask(relay, 'GET', '/rest/virtual-accessories');
      const id = list.body.find((item: { name: string }) => item.name === name)?.id ?? homeId;
      const actions = [{ accessoryId: id, characteristicType: 'on', targetValue: true }];
      return Promise.all([
        made,
        ask(relay, 'POST', '/rest/scenes', { homeId, name: `Scene ${n % 20}`, actions }),
        graphql(
          relay,
          `mutation { createServiceGroup(homeId: "${homeId}", name: "Group ${n % 20}", accessoryIds: ["${id}"]) { id } }`,
        ),
        ask(relay, 'PATCH', `/rest/accessories/${id}`, { roomId }),
        ask(relay, 'POST', '/rest/scene', { home: 'My Home', name: `Scene ${n % 20}` }),
        graphql(relay, `mutation { deleteVirtualAccessory(accessoryId: "${id}") }`),
        ask(relay, 'DELETE', `/rest/rooms/${n === 150 ? roomId : id}`),
      ]);
    });
    judge(answers.flat());
    const { body: scenes } = await relay.asSystem('GET', '/rest/scenes');
    const { body: accessories } = await relay.asSystem('GET', '/rest/accessories');
    const there = new Set(accessories.map(({ id }: { id: string }) => id));
    for (const { actions, name } of scenes) {
      for (const { accessoryId } of actions) expect(there.has(accessoryId), `what ${name} uses`).toBe(true);
    }
    const { body: groups } = await relay.asSystem('GET', '/rest/service-groups');
    for (const { accessoryIds, name } of groups) {
      for (const id of accessoryIds) expect(there.has(id), `what ${name} is made of`).toBe(true);
    }
    const names = [...scenes, ...groups].map(({ name, actions }) => `${actions ? 'scene' : 'group'} ${name}`);
    expect(new Set(names).size).toBe(names.length);
    const before = await wholeState(relay);
    await relay.stop();
    await relay.start();
    expect(await wholeState(relay)).toEqual(before);
  });
});
