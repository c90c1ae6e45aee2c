/**
 * Decisions §14 and API §2.4, §4.2: each documented type, field and argument, against the schema that clients
 * introspect.
 */
import {
  getIntrospectionQuery,
  type IntrospectionObjectType,
  type IntrospectionTypeRef,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
} from 'graphql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSchema } from '../../src/api/graphql/schema.ts';
import { documentedRootFields, documentedTypes, readApiDocument } from '../api/graphql/api-document.ts';
import { createGraphqlFixture, type GraphqlFixture } from '../api/graphql/graphql-fixture.ts';
import { createRestClient, createTestApi, createToken } from '../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';
import { DOCUMENTED_GRAPHQL } from './documented-graphql.ts';

const DOCUMENTED = parse(DOCUMENTED_GRAPHQL).definitions.filter(
  (node): node is ObjectTypeDefinitionNode => node.kind === Kind.OBJECT_TYPE_DEFINITION,
);
const ROWS = DOCUMENTED.flatMap((type) =>
  (type.fields ?? []).map((field) => ({
    place: `${type.name.value}.${field.name.value}`,
    type: type.name.value,
    field: field.name.value,
    returns: print(field.type),
    args: Object.fromEntries((field.arguments ?? []).map((arg) => [arg.name.value, print(arg.type)])),
  })),
);
const ROOTS = ['Query', 'Mutation'];

let home: TestHome;
let fixture: GraphqlFixture;

beforeEach(() => {
  home = createTestHome({ sample: true });
  fixture = createGraphqlFixture(home, createSchema());
});
afterEach(() => home.close());

/** `[String!]!` */
function written(type: IntrospectionTypeRef): string {
  if (type.kind === 'NON_NULL') return `${written(type.ofType)}!`;
  if (type.kind === 'LIST') return `[${written(type.ofType)}]`;
  return type.name;
}

async function introspect(): Promise<ReadonlyMap<string, IntrospectionObjectType>> {
  const { body } = await fixture.ask(getIntrospectionQuery());
  const types: readonly IntrospectionObjectType[] = body.data.__schema.types;
  return new Map(types.map((type) => [type.name, type]));
}

describe('the schema that clients introspect', () => {
  it('has every documented type and field, with the type and the nullability as written', async () => {
    const types = await introspect();
    const shown = (type: string, field: string): string | undefined => {
      const found = types.get(type)?.fields.find(({ name }) => name === field);
      return found && written(found.type);
    };
    expect(Object.fromEntries(ROWS.map(({ place, type, field }) => [place, shown(type, field)]))).toEqual(
      Object.fromEntries(ROWS.map(({ place, returns }) => [place, returns])),
    );
  });

  it('has every documented argument with its type, and requires no other', async () => {
    const types = await introspect();
    const rows = ROWS.filter(({ type }) => ROOTS.includes(type));
    const shown = ({ type, field, args }: (typeof ROWS)[number]): object => {
      const all = types.get(type)?.fields.find(({ name }) => name === field)?.args ?? [];
      const counted = all.filter(({ name, type: own }) => name in args || own.kind === 'NON_NULL');
      return Object.fromEntries(counted.map(({ name, type: own }) => [name, written(own)]));
    };
    expect(Object.fromEntries(rows.map((row) => [row.place, shown(row)]))).toEqual(
      Object.fromEntries(rows.map(({ place, args }) => [place, args])),
    );
  });
});

describe('the table of documented types', () => {
  it('has every type, field and argument of the API document', () => {
    const text = readApiDocument();
    const places = new Set(
      ROWS.flatMap(({ place, args }) => [place, ...Object.keys(args).map((arg) => `${place}.${arg}`)]),
    );
    const named = (name: string): string => (name === 'AuthorizedApp' ? 'AuthorizedAppInfo' : name);
    const inTypes = [...documentedTypes(text)].flatMap(([type, fields]) =>
      fields.map(({ name }) => `${named(type)}.${name}`),
    );
    const inRoots = (['Queries', 'Mutations'] as const).flatMap((kind) =>
      documentedRootFields(text, kind).flatMap(({ name, args }) => {
        const place = `${kind === 'Queries' ? 'Query' : 'Mutation'}.${name}`;
        return [place, ...args.map((arg) => `${place}.${arg.name}`)];
      }),
    );
    expect(inTypes.length + inRoots.length).toBeGreaterThan(250);
    expect([...inTypes, ...inRoots].filter((place) => !places.has(place))).toEqual([]);
  });
});

describe('arguments that hold JSON as text', () => {
  const TIMER = { type: 'timer', fireDate: '2030-01-02T07:00:00Z' };
  const lampOn = () => ({ accessoryId: home.named('Lamp').id, characteristicType: 'on', targetValue: true });
  const CREATE = `mutation($homeId: String!, $trigger: TYPE, $actions: TYPE) {
    createAutomation(homeId: $homeId, name: "Evening", trigger: $trigger, actions: $actions) { id actions { targetValue } }
  }`;
  const create = (type: string, trigger: unknown, actions: unknown) =>
    fixture.ask(CREATE.replaceAll('TYPE', type), { homeId: home.home.id, trigger, actions });

  it('are taken as the document defines: strings', async () => {
    const { body } = await create('String!', JSON.stringify(TIMER), JSON.stringify([lampOn()]));
    expect(body.data.createAutomation).toMatchObject({ actions: [{ targetValue: 'true' }] });
  });

  it('are taken as objects from clients that declare them as JSON', async () => {
    const { body } = await create('JSON!', TIMER, [lampOn()]);
    expect(body.data.createAutomation).toMatchObject({ actions: [{ targetValue: 'true' }] });
    const token = await fixture.ask(
      'mutation($p: JSON) { createAccessToken(name: "T", homePermissions: $p) { accessToken { homePermissions } } }',
      { p: { [home.home.id]: 'view' } },
    );
    expect(token.body.data.createAccessToken.accessToken.homePermissions).toBe(`{"${home.home.id}":"view"}`);
    const share = await fixture.ask(
      `mutation($id: String!, $s: JSON) {
        createEntityAccess(entityType: "home", entityId: $id, accessType: "public", role: "view", accessSchedule: $s) {
          entityAccess { accessSchedule }
        }
      }`,
      { id: home.home.id, s: { expires_at: '2030-01-01T00:00:00Z' } },
    );
    expect(JSON.parse(share.body.data.createEntityAccess.entityAccess.accessSchedule)).toMatchObject({
      expires_at: '2030-01-01T00:00:00Z',
    });
  });

  it('are not taken as objects in the document itself, nor in variables that are declared as String', async () => {
    const literal = await fixture.ask(
      `mutation($homeId: String!) {
        createAutomation(homeId: $homeId, name: "Evening", trigger: { type: "timer" }, actions: []) { id }
      }`,
      { homeId: home.home.id },
    );
    expect(literal.body.errors[0].message).toMatch(/^String cannot represent a non string value/);
    const declared = await create('String!', TIMER, [lampOn()]);
    expect(declared.body.errors[0].message).toContain('String cannot represent a non string value');
  });

  it('a JSON variable stands in no other text', async () => {
    const { body } = await fixture.ask('query($id: JSON!) { accessory(accessoryId: $id) { id } }', { id: { a: 1 } });
    expect(body.errors[0].message).toContain('"$id" of type "JSON!" used in position expecting type "String!"');
  });

  it('are objects in REST', async () => {
    const rest = createRestClient(createTestApi(home), createToken(home));
    const made = await rest.post('/rest/automations', {
      homeId: home.home.id,
      name: 'Evening',
      trigger: TIMER,
      actions: [lampOn()],
    });
    expect(made.status).toBe(200);
    const permissions = { [home.home.id]: 'view' };
    const token = await rest.post('/rest/tokens', { name: 'T', homePermissions: permissions });
    expect(token.body.accessToken?.homePermissions ?? token.body.homePermissions).toEqual(permissions);
    expect(home.tokens.list(systemCaller).length).toBeGreaterThan(1);
  });
});
