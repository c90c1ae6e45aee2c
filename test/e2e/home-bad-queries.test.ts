/** What bad input gets over GraphQL: an error with a code, and nothing half done. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { E2eRelay } from '../support/e2e-relay.ts';
import {
  type Asked,
  ask,
  BAD_NAMES,
  type Furnished,
  graphql,
  INSIDES,
  NO_CALLER,
  startFurnished,
  wholeState,
} from './home-fixture.ts';

let relay: E2eRelay;
let home: Furnished;

beforeAll(async () => {
  ({ relay, demoHome: home } = await startFurnished());
});
afterAll(() => relay[Symbol.asyncDispose]());

const action = (more: object = {}) => ({
  accessoryId: home.lever,
  characteristicType: 'on',
  targetValue: true,
  ...more,
});

/** A document that is not valid is GraphQL’s own affair: answered with 200 to clients that ask for plain JSON. */
interface Question {
  readonly what: string;
  readonly query: string;
  readonly variables?: object;
  readonly code: string;
  readonly status?: number;
}

const CREATE_SCENE =
  'mutation($h: String!, $n: String!, $a: JSON!) { createScene(homeId: $h, name: $n, actions: $a) { id } }';
const CREATE_VIRTUAL =
  'mutation($h: String!, $n: String!, $t: String!, $d: JSON) { createVirtualAccessory(homeId: $h, name: $n, type: $t, data: $d) { id } }';

function questions(): readonly Question[] {
  const { homeId: h, otherHomeId, lever, readOnly, foreign, foreignRoom, number, scene, group, roomId } = home;
  const createScene = (what: string, variables: object, code: string): Question => ({
    what: `creating a scene: ${what}`,
    query: CREATE_SCENE,
    variables: { h, n: 'New', a: [action()], ...variables },
    code,
  });
  const ask = (what: string, query: string, code: string, status = 200): Question => ({ what, query, code, status });
  const invalid = (what: string, query: string): Question => ({ what, query, code: 'BAD_USER_INPUT' });
  const refused = (what: string, query: string): Question => ({ what, query, code: 'BAD_USER_INPUT', status: 400 });
  return [
    ...BAD_NAMES.filter(([what]) => !what.startsWith('a megabyte')).map(([what, n]) =>
      createScene(`a name that is ${what}`, { n }, typeof n === 'string' ? 'INVALID_VALUE' : 'BAD_USER_INPUT'),
    ),
    createScene('a name that ends in a mark', { n: 'Party!' }, 'INVALID_VALUE'),
    createScene('a taken name', { n: 'EVENING' }, 'INVALID_VALUE'),
    createScene('no actions', { a: [] }, 'INVALID_VALUE'),
    createScene('no actions in a text', { a: '[]' }, 'INVALID_VALUE'),
    createScene('actions that are no JSON', { a: '[{' }, 'INVALID_VALUE'),
    createScene('actions in a text in a text', { a: JSON.stringify(JSON.stringify([action()])) }, 'INVALID_VALUE'),
    createScene('an unknown characteristic', { a: [action({ characteristicType: 'warp' })] }, 'NOT_FOUND'),
    createScene('a name every object has', { a: [action({ characteristicType: '__proto__' })] }, 'NOT_FOUND'),
    createScene('a read-only accessory', { a: [action({ accessoryId: readOnly })] }, 'INVALID_VALUE'),
    createScene('an accessory of another home', { a: [action({ accessoryId: foreign })] }, 'NOT_FOUND'),
    createScene('one wrong action after good ones', { a: [action(), action({ accessoryId: NO_CALLER })] }, 'NOT_FOUND'),
    createScene('no such home', { h: NO_CALLER }, 'NOT_FOUND'),
    createScene('a home that is a prototype', { h: '__proto__' }, 'NOT_FOUND'),
    ...[2 ** 53 + 2, 'NaN', '1e999', [1], { a: 1 }, -1].map((targetValue) =>
      createScene(
        `the number ${JSON.stringify(targetValue)}`,
        {
          a: [{ accessoryId: number, characteristicType: 'virtual_number', targetValue }],
        },
        'INVALID_VALUE',
      ),
    ),
    {
      what: 'a virtual accessory of no type',
      query: CREATE_VIRTUAL,
      variables: { h, n: 'V', t: 'constructor' },
      code: 'INVALID_VALUE',
    },
    {
      what: 'a virtual accessory of a prototype',
      query: CREATE_VIRTUAL,
      variables: { h, n: 'V', t: 'counter', d: '{"__proto__": {"min": 5}, "max": 1}' },
      code: 'BAD_USER_INPUT',
    },
    {
      what: 'a virtual accessory with unknown data',
      query: CREATE_VIRTUAL,
      variables: { h, n: 'V', t: 'counter', d: { constructor: 1 } },
      code: 'BAD_USER_INPUT',
    },
    {
      what: 'a virtual accessory with data that is a list',
      query: CREATE_VIRTUAL,
      variables: { h, n: 'V', t: 'counter', d: [1] },
      code: 'INVALID_VALUE',
    },
    ask(
      'a group of members of another home',
      `mutation { createServiceGroup(homeId: "${h}", name: "G", accessoryIds: ["${foreign}"]) { id } }`,
      'NOT_FOUND',
    ),
    ask('a group of nobody', `mutation { createServiceGroup(homeId: "${h}", name: "G") { id } }`, 'INVALID_VALUE'),
    ask(
      'a zone with a room of another home',
      `mutation { createZone(homeId: "${h}", name: "Z", roomIds: ["${foreignRoom}"]) { id } }`,
      'NOT_FOUND',
    ),
    ask(
      'a room group with a taken name',
      `mutation { createRoomGroup(homeId: "${h}", name: "dark rooms", roomIds: ["${roomId}"]) { id } }`,
      'INVALID_VALUE',
    ),
    ask('a collection with a taken name', 'mutation { createCollection(name: "FAVOURITES") { id } }', 'INVALID_VALUE'),
    ask(
      'a move into another home',
      `mutation { moveAccessory(accessoryId: "${lever}", roomId: "${foreignRoom}") { id } }`,
      'NOT_FOUND',
    ),
    ask(
      'a scene looked for in another home',
      `{ scene(sceneId: "${scene}", homeId: "${otherHomeId}") { id } }`,
      'NOT_FOUND',
    ),
    ask(
      'a scene changed by way of another home',
      `mutation { updateScene(sceneId: "${scene}", homeId: "${otherHomeId}", name: "Taken") { id } }`,
      'NOT_FOUND',
    ),
    ask('a home named like a method', '{ home(homeId: "hasOwnProperty") { id } }', 'NOT_FOUND'),
    ask(
      'history of no series',
      `{ history(homeId: "${h}", series: [], fromTs: 0, toTs: 1) { kind } }`,
      'INVALID_VALUE',
    ),
    ask(
      'history backwards',
      `{ history(homeId: "${h}", series: [{ accessoryId: "${lever}", characteristicType: "on" }], fromTs: 5, toTs: 1) { kind } }`,
      'INVALID_VALUE',
    ),
    ask(
      'history of another home’s accessory',
      `{ history(homeId: "${h}", series: [{ accessoryId: "${foreign}", characteristicType: "on" }], fromTs: 0, toTs: 1) { kind } }`,
      'NOT_FOUND',
    ),
    ask(
      'history beyond time',
      `{ history(homeId: "${h}", series: [{ accessoryId: "${lever}", characteristicType: "on" }], fromTs: 0, toTs: 1e300) { kind } }`,
      'INVALID_VALUE',
    ),
    ask(
      'an export with a cursor of its own making',
      `{ exportHistory(homeId: "${h}", cursor: "__proto__") }`,
      'INVALID_VALUE',
    ),
    refused(
      'fields inside each other without end',
      `{ homes { ${'rooms { accessories { services { characteristics { '.repeat(4)} id ${'} } } } '.repeat(4)} } }`,
    ),
    refused('a thousand aliases', `{ ${Array.from({ length: 1_000 }, (_, n) => `a${n}: version`).join(' ')} }`),
    refused(
      'sixty aliases that act',
      `mutation { ${Array.from({ length: 60 }, (_, n) => `a${n}: setServiceGroup(homeId: "${h}", groupId: "${group}", characteristicType: "on", value: true) { success }`).join(' ')} }`,
    ),
    refused('a fragment in itself', '{ homes { ...A } } fragment A on PlatformHome { ...A }'),
    refused(
      'two fragments in each other',
      '{ homes { ...A } } fragment A on PlatformHome { ...B } fragment B on PlatformHome { ...A }',
    ),
    refused('brackets only', `{${'['.repeat(10_000)}`),
    refused('a thousand directives', `{ version ${'@skip(if: false) '.repeat(1_000)} }`),
    invalid('a field that is none', '{ homes { __proto__ } }'),
    invalid('an argument that is none', `{ home(homeId: "${h}", constructor: 1) { id } }`),
    refused('a subscription', 'subscription { stateChanged { accessoryId } }'),
    invalid('nothing', ''),
    invalid('half a query', '{ homes { '),
    {
      what: 'a document of a megabyte',
      query: `{ version ${'#'.repeat(900_000)}\n }`,
      code: 'BAD_USER_INPUT',
      status: 413,
    },
    {
      what: 'variables inside each other without end',
      query: '{ version }',
      variables: { a: JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`) },
      code: 'BAD_USER_INPUT',
      status: 400,
    },
  ];
}

/** What GraphQL's own shape of an error asks for. */
function judgeGraphql(answer: Asked, { code, status = 200 }: Question): string | undefined {
  const { body } = answer;
  const [error] = body?.errors ?? [];
  if (answer.status !== status) return `${answer.status} ${answer.text.slice(0, 300)}`;
  if (typeof error?.message !== 'string') return `no error: ${answer.text.slice(0, 300)}`;
  if (error.extensions?.code !== code) return `${error.extensions?.code}: ${error.message.slice(0, 200)}`;
  if (typeof error.extensions.reason !== 'string') return 'no reason';
  if (answer.text.length > 6_000) return `says too much: ${answer.text.length} characters`;
  return INSIDES.test(answer.text) ? `tells of the inside: ${answer.text.slice(0, 300)}` : undefined;
}

describe('bad input over GraphQL', () => {
  it('is refused with a code, and changes nothing', async () => {
    const before = JSON.stringify(await wholeState(relay));
    const wrong: string[] = [];
    for (const one of questions()) {
      const fault = judgeGraphql(await graphql(relay, one.query, one.variables), one);
      if (fault) wrong.push(`${one.what}: ${fault}`);
      if (JSON.stringify(await wholeState(relay)) !== before) {
        wrong.push(`${one.what}: half done`);
        break;
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('numbers that JSON can’t hold and a query can write', () => {
  it('are refused wherever a value or a setting is taken', async () => {
    const before = JSON.stringify(await wholeState(relay));
    const { homeId, number, timer, group, lever } = home;
    const mutations = [
      `setCharacteristic(accessoryId: "${number}", characteristicType: "virtual_number", value: 1e999) { success code }`,
      `setCharacteristic(accessoryId: "${number}", characteristicType: "virtual_number", value: -1e999) { success code }`,
      `operateVirtualAccessory(accessoryId: "${number}", operation: "set", value: 1e999) { success code }`,
      `operateVirtualAccessory(accessoryId: "${timer}", operation: "start", value: 1e999) { success code }`,
      `setServiceGroup(homeId: "${homeId}", groupId: "${group}", characteristicType: "on", value: 1e999) { success code }`,
      `createVirtualAccessory(homeId: "${homeId}", name: "V", type: "input_number", data: { min: 0, max: 1e999 }) { id }`,
      `createVirtualAccessory(homeId: "${homeId}", name: "V", type: "counter", data: { step: 1e999 }) { id }`,
      `createVirtualAccessory(homeId: "${homeId}", name: "V", type: "counter", data: { initial: -1e999 }) { id }`,
      `createVirtualAccessory(homeId: "${homeId}", name: "V", type: "timer", data: { durationMs: 1e999 }) { id }`,
      `createScene(homeId: "${homeId}", name: "V", actions: [{ accessoryId: "${number}", characteristicType: "virtual_number", targetValue: 1e999 }]) { id }`,
      `setHistorySeriesConfig(homeId: "${homeId}", accessoryId: "${lever}", characteristicType: "on", deadband: 1e999)`,
      `setHistorySeriesConfig(homeId: "${homeId}", accessoryId: "${lever}", characteristicType: "on", retentionDays: 1e999)`,
      `purgeHistory(homeId: "${homeId}", beforeTs: 1e999)`,
    ];
    for (const mutation of mutations) {
      const { text } = await graphql(relay, `mutation { ${mutation} }`);
      expect(text, mutation).toMatch(/INVALID_VALUE|"code":"invalid_value"|BAD_USER_INPUT/);
    }
    expect(JSON.stringify(await wholeState(relay))).toBe(before);
  });
});

describe('data of a virtual accessory that names another home', () => {
  it('makes it in the home that was asked for, and nowhere else', async () => {
    const { homeId: h, otherHomeId } = home;
    const { body } = await graphql(
      relay,
      'mutation($h: String!, $d: JSON) { createVirtualAccessory(homeId: $h, name: "V", type: "counter", data: $d) { id homeId name } }',
      { h, d: { homeId: otherHomeId, name: 'W' } },
    );
    expect(body.data.createVirtualAccessory).toMatchObject({ homeId: h, name: 'V' });
    const path = `/rest/virtual-accessories/${body.data.createVirtualAccessory.id}`;
    expect((await ask(relay, 'DELETE', path)).status).toBe(200);
  });
});
