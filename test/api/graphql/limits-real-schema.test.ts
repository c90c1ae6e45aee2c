/** The limits against the real schema: what people ask passes in every home, and what only attackers ask does not. */
import { performance } from 'node:perf_hooks';
import {
  type GraphQLObjectType,
  getIntrospectionQuery,
  getNamedType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIST_SIZES } from '../../../src/api/graphql/cost.ts';
import { Documents } from '../../../src/api/graphql/documents.ts';
import { createSchema } from '../../../src/api/graphql/schema.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../../support/rest-client.ts';
import { doorLock, lamp, motionSensor, thermostat } from '../../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

const ACCESSORIES = 500;
const schema = createSchema();

let inventory: TestHome;
let client: RestClient;

beforeAll(() => {
  inventory = createTestHome();
  const makers = [() => lamp('Lamp'), () => thermostat(), () => doorLock(), () => motionSensor()];
  for (let index = 0; index < ACCESSORIES; index += 1) {
    const deviceId =
      `20:00:00:00:${Math.floor(index / 256)}0:${(index % 256).toString(16).padStart(2, '0')}`.toUpperCase();
    const made = makers[index % makers.length]?.() ?? lamp('Lamp');
    inventory.driver.attach(inventory.home.id, {
      deviceId,
      name: 'Device',
      setupCode: '031-45-154',
      accessories: [made],
    });
  }
  client = createRestClient(createTestApi(inventory), createToken(inventory));
});

afterAll(() => inventory.close());

/** Every field of a type that needs no argument, all the way down; accessories once, in their rooms. */
function everythingOf(type: GraphQLObjectType): string {
  const fields = Object.values(type.getFields()).filter(
    ({ name, args }) => !args.some(isRequiredArgument) && !(type.name === 'PlatformHome' && name === 'accessories'),
  );
  return fields
    .map(({ name, type: fieldType }) => {
      const inner = getNamedType(fieldType);
      if (isLeafType(inner)) return name;
      return isObjectType(inner) ? `${name} { ${everythingOf(inner)} }` : '';
    })
    .join(' ');
}

function objectType(name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`${name} is no type of the schema`);
  return type;
}

describe('every list size', () => {
  it.each(Object.keys(LIST_SIZES))('%s is the name of a list in the schema', (key) => {
    const [typeName = '', fieldName] = key.split('.');
    const type = objectType(typeName);
    if (fieldName === undefined) return;
    const field = type.getFields()[fieldName];
    const fieldType = field && (isNonNullType(field.type) ? field.type.ofType : field.type);
    expect(isListType(fieldType)).toBe(true);
  });
});

describe('a home of five hundred accessories', () => {
  it.each([
    [
      'whole, room by room',
      '{ homes { id name rooms { id name accessories { id name category reachable services { id type name characteristics { id type value format unit minValue maxValue canWrite } } } } } }',
    ],
    ['whole, in one list', '{ accessories { id name services { id type characteristics { id type value } } } }'],
    ['with every field that an accessory has', `{ accessories { ${everythingOf(objectType('PlatformAccessory'))} } }`],
  ])('is answered %s', async (_, query) => {
    const { status, body } = await client.post('/graphql', { query });
    expect([status, body.errors]).toEqual([200, undefined]);
    const accessories =
      body.data.accessories ?? body.data.homes[0].rooms.flatMap((room: { accessories: [] }) => room.accessories);
    expect(accessories).toHaveLength(ACCESSORIES);
  });
});

describe('what people ask', () => {
  it.each([
    ['everything about homes', `{ homes { ${everythingOf(objectType('PlatformHome'))} } }`],
    ['the usual introspection', getIntrospectionQuery()],
    [
      'the fullest introspection',
      getIntrospectionQuery({
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
        oneOf: true,
      }),
    ],
    [
      'what the API document asks for',
      'query ($home: String!) { homes { id name role } rooms(homeId: $home) { id name } zones(homeId: $home) { id } serviceGroups(homeId: $home) { id name } scenes(homeId: $home) { id name } }',
    ],
  ])('passes: %s', (_, query) => {
    expect(new Documents(schema).prepare(query)).toMatchObject({ ok: true });
  });

  it('every root field, with all that can be asked of it, alone', () => {
    for (const root of [schema.getQueryType(), schema.getMutationType()]) {
      for (const field of Object.values(root?.getFields() ?? {})) {
        const inner = getNamedType(field.type);
        const required = field.args.filter(isRequiredArgument);
        const variables = required.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
        const given = required.map(({ name }) => `${name}: $${name}`).join(', ');
        const text = `${root === schema.getQueryType() ? 'query' : 'mutation'} ${variables && `(${variables})`} {
          ${field.name} ${given && `(${given})`} ${isObjectType(inner) ? `{ ${everythingOf(inner)} }` : ''}
        }`;
        expect(() => new Documents(schema).prepare(text), field.name).not.toThrow();
        expect(new Documents(schema).prepare(text), field.name).toMatchObject({ ok: true });
      }
    }
  });
});

describe('an attack is refused before it costs anything', () => {
  const whole = 'accessories { id services { id characteristics { id type value } } }';
  const times = (count: number, one: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => one(index)).join(' ');

  it.each([
    ['the whole home thirty times', `{ ${times(30, (i) => `a${i}: ${whole}`)} }`],
    [
      'the whole home thirty times, in a fragment',
      `{ ${times(30, (i) => `a${i}: accessories { ...F }`)} } fragment F on PlatformAccessory { id services { id characteristics { id type value } } }`,
    ],
    ['the whole history twice', '{ a: exportHistory(homeId: "x") b: exportHistory(homeId: "x") }'],
    ['what all scenes do, thirty times', `{ ${times(30, (i) => `a${i}: scenes(homeId: "x") { actions }`)} }`],
    ['a thousand scenes', `mutation { ${times(1_000, (i) => `a${i}: executeScene(sceneId: "x") { success }`)} }`],
    [
      'a scene for each of fifty-one aliases',
      `mutation { ${times(51, (i) => `a${i}: executeScene(sceneId: "x") { success }`)} }`,
    ],
    [
      'types of fields of types of fields',
      '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
    ],
    [
      'a bomb of fragments',
      `{ homes { ...F0 } } ${times(40, (i) => `fragment F${i} on PlatformHome { ...F${i + 1} ...F${i + 1} }`)} fragment F40 on PlatformHome { id }`,
    ],
    ['ten megabytes of spaces', ' '.repeat(10_000_000)],
    ['brackets', '{ homes(a: '.concat('['.repeat(15_000))],
  ])('%s', async (_, query) => {
    const start = performance.now();
    const { status, body } = await client.post('/graphql', { query });
    // What is not refused takes far longer.
    expect(performance.now() - start).toBeLessThan(PATIENCE_MS);
    expect([400, 413, 200]).toContain(status);
    expect(body).not.toHaveProperty('data');
    expect(body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
  });

  it('and does nothing', () => {
    expect(inventory.driver.writes).toEqual([]);
    expect(inventory.scenes.list(systemCaller)).toEqual([]);
  });
});
