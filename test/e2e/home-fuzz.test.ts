/**
 * Every GraphQL field and every REST route, with arguments of every wrong and odd kind: each failure is an expected
 * one.
 */
import {
  type GraphQLArgument,
  type GraphQLField,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSchema } from '../../src/api/graphql/schema.ts';
import type { E2eRelay } from '../support/e2e-relay.ts';
import { ask, type Furnished, faultsOf, graphql, INSIDES, NO_CALLER, startFurnished } from './home-fixture.ts';

const ROUNDS = 6;
const REST_REQUESTS = 1_500;

/** A generator of its own, so that what fails once fails again. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

let relay: E2eRelay;
let inventory: Furnished;
let ids: readonly string[];

beforeAll(async () => {
  ({ relay, demoHome: inventory } = await startFurnished());
  await relay.asSystem('PATCH', `/rest/history/homes/${inventory.homeId}`, { enabled: true });
  ids = Object.entries(inventory).flatMap(([name, id]) => (name === 'limitedToken' ? [] : [id]));
});
afterAll(() => relay[Symbol.asyncDispose]());

const TEXTS = [
  '',
  ' ',
  '__proto__',
  'constructor',
  'toString',
  'NaN',
  '-1',
  '1e999',
  '0',
  'null',
  '{}',
  '[]',
  '[[[]]]',
  '{"__proto__":1}',
  '"',
  '\\',
  '💡',
  '\u0000',
  '\ud800',
  '%00',
  '../..',
  'x'.repeat(3_000),
  '2030-01-01',
  "'; DROP TABLE homes;--",
  'on',
  'power_state',
  'virtual_number',
  'brightness_2',
  'counter',
  'set',
  'raw',
  'AA:BB:CC:DD:EE:FF',
  '127.0.0.1:1',
  '123-45-678',
  '1.1',
  '00000000-0000-1000-8000-0026BB765291',
];
const NUMBERS = [
  0,
  -0,
  -1,
  0.5,
  1,
  7,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53 + 2,
  1e21,
  1e300,
  -1e300,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
  8.64e15,
  8.64e15 + 1,
];
const VALUES: readonly unknown[] = [null, true, false, [], {}, [null], [[]], { a: 1 }, ...TEXTS, ...NUMBERS];

type Pick = (below: number) => number;

const oneOf = <T>(list: readonly T[], pick: Pick): T => list[pick(list.length)] as T;

function odd(pick: Pick): unknown {
  return pick(3) === 0 ? oneOf(ids, pick) : oneOf(VALUES, pick);
}

/** An id of the kind that the argument's name asks for, most of the time. */
function idFor(name: string, pick: Pick): string | undefined {
  if (pick(4) === 0) return undefined;
  const { homeId, lever, switchId, number, timer, readOnly, scene, group, roomGroup, zone, roomId, collection } =
    inventory;
  const accessories = [lever, switchId, number, timer, readOnly];
  const kinds: Readonly<Record<string, readonly string[]>> = {
    homeId: [homeId],
    accessoryId: accessories,
    accessoryIds: accessories,
    serviceIds: accessories.map((id) => `${id}.1`),
    serviceId: accessories.map((id) => `${id}.1`),
    sceneId: [scene],
    groupId: [group, roomGroup],
    zoneId: [zone],
    roomId: [roomId],
    roomIds: [roomId],
    collectionId: [collection],
  };
  const fitting = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  return fitting && oneOf(fitting, pick);
}

/** A value for an argument, mostly of its type, so that it gets beyond the schema. */
function valueFor(name: string, type: GraphQLArgument['type'], pick: Pick): unknown {
  const nullable = getNullableType(type);
  if (!isNonNullType(type) && pick(4) === 0) return pick(2) === 0 ? null : undefined;
  if (isListType(nullable)) return Array.from({ length: pick(4) }, () => valueFor(name, nullable.ofType, pick));
  const named = getNamedType(type);
  if (isInputObjectType(named)) {
    return Object.fromEntries(
      Object.values(named.getFields()).map((field) => [field.name, valueFor(field.name, field.type, pick)]),
    );
  }
  switch (named.name) {
    case 'Boolean':
      return pick(2) === 0;
    case 'Int':
      return oneOf([0, -1, 1, 7, 2 ** 31 - 1, -(2 ** 31)], pick);
    case 'Float':
      return oneOf(NUMBERS, pick);
    case 'String':
    case 'ID':
      return idFor(name, pick) ?? (pick(2) === 0 ? oneOf(ids, pick) : oneOf(TEXTS, pick));
    default:
      return odd(pick);
  }
}

/** What is not to be tried: it would take the home away, or wait for a device that is not there. */
const SPARED = new Set([
  'pairAccessory',
  'identifyDiscovered',
  'refreshDiscovery',
  'addManualDevice',
  'unpairAccessory',
  'setHomePaused',
]);

function question(kind: 'query' | 'mutation', field: GraphQLField<unknown, unknown>, pick: Pick) {
  const used = field.args
    .map((arg) => [arg, valueFor(arg.name, arg.type, pick)] as const)
    .filter(([, value]) => value !== undefined);
  const declared = used.map(([{ name, type }]) => `$${name}: ${String(type)}`).join(', ');
  const passed = used.map(([{ name }]) => `${name}: $${name}`).join(', ');
  const selected = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
  const head = declared === '' ? '' : `(${declared})`;
  const query = `${kind}${head} { ${field.name}${passed === '' ? '' : `(${passed})`} ${selected} }`;
  return { query, variables: Object.fromEntries(used.map(([{ name }, value]) => [name, value])) };
}

it('GraphQL: every field answers, or refuses with a code that is not INTERNAL', async () => {
  const pick = numbersFrom(7);
  const schema = createSchema();
  const wrong: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await relay.asSystem('PATCH', `/rest/homes/${inventory.homeId}`, { paused: false });
    for (const [kind, type] of [
      ['query', schema.getQueryType()],
      ['mutation', schema.getMutationType()],
    ] as const) {
      for (const field of Object.values(type?.getFields() ?? {})) {
        if (SPARED.has(field.name) || (/^(delete|revoke)/.test(field.name) && round < ROUNDS - 1)) continue;
        const { query, variables } = question(kind, field, pick);
        const { status, text } = await graphql(relay, query, variables);
        const answered = `${query} ${JSON.stringify(variables).slice(0, 400)}: ${status} ${text.slice(0, 300)}`;
        // A home that is paused on the way is not connected, which is a refusal like others.
        if (status >= 500 || /"INTERNAL"|"internal"/.test(text) || (/"errors"/.test(text) && INSIDES.test(text)))
          wrong.push(answered);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(faultsOf(relay.directory.file('relay.db'))).toEqual([]);
});

/** By method, with the kind of id that belongs into each. */
const ROUTES: readonly (readonly [method: string, path: string, id?: keyof Furnished])[] = [
  ['GET', '/rest/state'],
  ['POST', '/rest/state'],
  ['GET', '/rest/homes'],
  ['POST', '/rest/homes'],
  ['PATCH', '/rest/homes/:id', 'homeId'],
  ['GET', '/rest/rooms'],
  ['POST', '/rest/rooms'],
  ['PATCH', '/rest/rooms/:id', 'roomId'],
  ['GET', '/rest/scenes'],
  ['POST', '/rest/scenes'],
  ['POST', '/rest/scene'],
  ['POST', '/rest/scenes/capture'],
  ['PATCH', '/rest/scenes/:id', 'scene'],
  ['POST', '/rest/scenes/:id/execute', 'scene'],
  ['GET', '/rest/service-groups'],
  ['POST', '/rest/service-groups'],
  ['PATCH', '/rest/service-groups/:id', 'group'],
  ['POST', '/rest/service-groups/:id/set', 'group'],
  ['POST', '/rest/zones'],
  ['PATCH', '/rest/zones/:id', 'zone'],
  ['POST', '/rest/room-groups'],
  ['PATCH', '/rest/room-groups/:id', 'roomGroup'],
  ['POST', '/rest/collections'],
  ['PATCH', '/rest/collections/:id', 'collection'],
  ['GET', '/rest/accessories'],
  ['PATCH', '/rest/accessories/:id', 'switchId'],
  ['POST', '/rest/accessories/:id/identify', 'lever'],
  ['GET', '/rest/virtual-accessories'],
  ['POST', '/rest/virtual-accessories'],
  ['PATCH', '/rest/virtual-accessories/:id', 'number'],
  ['PATCH', '/rest/virtual-accessories/:id', 'timer'],
  ['POST', '/rest/virtual-accessories/:id/operate', 'number'],
  ['POST', '/rest/virtual-accessories/:id/operate', 'timer'],
  ['GET', '/rest/history'],
  ['DELETE', '/rest/history'],
  ['GET', '/rest/history/export'],
  ['GET', '/rest/history/series'],
  ['PATCH', '/rest/history/series'],
  ['GET', '/rest/history/homes/:id', 'homeId'],
  ['PATCH', '/rest/history/homes/:id', 'homeId'],
  ['GET', '/rest/tokens'],
  ['POST', '/rest/tokens'],
  ['GET', '/rest/discovered'],
  ['GET', '/rest/pairings'],
  ['GET', '/rest/pairings/:id/controllers'],
  ['POST', '/rest/pairings/:id/controllers'],
  ['GET', '/rest/background/:id'],
];
/** What the bodies of each kind of route may hold. */
const BODIES: Readonly<Record<string, readonly string[]>> = {
  state: ['home', 'room', 'accessory', 'on', 'virtual_number', 'virtual_timer'],
  homes: ['name', 'paused', 'privileges'],
  rooms: ['homeId', 'name'],
  scenes: ['homeId', 'name', 'actions', 'accessoryIds'],
  scene: ['home', 'name'],
  'service-groups': ['homeId', 'name', 'accessoryIds', 'serviceIds', 'characteristicType', 'value'],
  zones: ['homeId', 'name', 'roomIds'],
  'room-groups': ['homeId', 'name', 'roomIds'],
  collections: ['name', 'payload'],
  accessories: ['name', 'roomId'],
  'virtual-accessories': [
    'homeId',
    'name',
    'type',
    'roomId',
    'min',
    'max',
    'step',
    'options',
    'duration',
    'initial',
    'pattern',
    'hasDate',
    'operation',
    'value',
    'icon',
    'controllable',
    'unit',
    'maxLength',
  ],
  history: [
    'homeId',
    'accessoryId',
    'characteristicType',
    'enabled',
    'shared',
    'rawRetentionDays',
    'minIntervalS',
    'deadband',
    'retentionDays',
  ],
  tokens: ['name', 'homePermissions', 'expiresAt'],
  pairings: ['id', 'publicKey', 'admin'],
};

/** Names in queries for what arguments call otherwise. */
const FITTING: Readonly<Record<string, string>> = { home: 'homeId', accessory: 'accessoryId', room: 'roomId' };

/** A list of ids, or of actions, or an odd value for a field. */
function fieldFor(name: string, pick: Pick): unknown {
  if (name.endsWith('Ids')) return Array.from({ length: pick(4) }, () => idFor(name, pick) ?? odd(pick));
  if (name === 'actions') {
    return Array.from({ length: pick(4) }, () => ({
      accessoryId: idFor('accessoryId', pick) ?? odd(pick),
      characteristicType: oneOf(['on', 'power_state', 'virtual_number', ...TEXTS], pick),
      targetValue: odd(pick),
    }));
  }
  if (name === 'operation')
    return oneOf(['set', 'start', 'increment', 'toggle', 'pause', 'cancel', 'finish', ...TEXTS], pick);
  if (name === 'type')
    return oneOf(['counter', 'timer', 'input_number', 'input_text', 'input_select', 'input_datetime', ...TEXTS], pick);
  if (name === 'characteristicType') return oneOf(['on', 'virtual_number', ...TEXTS], pick);
  if (name === 'paused') return oneOf([false, 'true', 0, null], pick);
  return idFor(FITTING[name] ?? name, pick) ?? odd(pick);
}

const QUERIES = [
  'home',
  'room',
  'name',
  'type',
  'accessory',
  'characteristic',
  'hours',
  'max_points',
  'from',
  'to',
  'cursor',
  'before',
  'form',
];

it('REST: every route answers, or refuses in the shape of an error', async () => {
  const pick = numbersFrom(11);
  const wrong: string[] = [];
  for (let n = 0; n < REST_REQUESTS; n += 1) {
    const [method, route, kind] = oneOf(ROUTES, pick);
    const right = kind && pick(3) > 0 ? inventory[kind] : wellFormed(String(oneOf(TEXTS, pick)));
    const search = new URLSearchParams(
      Array.from({ length: pick(4) }, (): [string, string] => {
        const name = oneOf(QUERIES, pick);
        return [name, wellFormed(textOf(fieldFor(name, pick)))];
      }),
    );
    const path = `${route.replace(':id', encodeURIComponent(right))}?${search}`;
    const names = BODIES[route.split('/')[2] ?? ''] ?? [];
    const fields = names.filter(() => pick(2) === 0).map((name) => [name, fieldFor(name, pick)] as const);
    const body = method === 'GET' ? undefined : JSON.stringify(pick(8) === 0 ? odd(pick) : Object.fromEntries(fields));
    const { status, text, body: answer } = await ask(relay, method, path, body);
    const answered = `${method} ${path.slice(0, 300)} ${body?.slice(0, 300)}: ${status} ${text.slice(0, 300)}`;
    const unforeseen =
      status >= 500 && answer?.code !== 'relay_not_connected' && answer?.code !== 'accessory_unreachable';
    const shapeless = status >= 400 && typeof answer?.error !== 'string';
    if (unforeseen || shapeless || (status >= 400 && INSIDES.test(text))) wrong.push(answered);
  }
  expect(wrong).toEqual([]);
  expect(faultsOf(relay.directory.file('relay.db'))).toEqual([]);
  expect((await ask(relay, 'GET', `/rest/homes?x=${NO_CALLER}`)).status).toBe(200);
});

/** As a client that thinks in JSON would put it into an address. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Half a surrogate pair can't be written in an address. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udfff]/gu, '�');
}
