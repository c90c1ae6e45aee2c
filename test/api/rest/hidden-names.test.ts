/**
 * Every name that a person or a program can give goes through one check. Here every operation that takes one meets it:
 * of REST by the API document, of GraphQL by the schema, of MCP by the tools' arguments.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSchema } from '../../../src/api/graphql/schema.ts';
import { TOOLS } from '../../../src/api/mcp/tools/index.ts';
import { AuthorizationFixture, NO_SUCH_ID, PASSWORD, TIMER } from '../../support/authorization-fixture.ts';
import { MUTATIONS } from '../../support/authorization-graphql.ts';
import { NAMES } from '../../support/authorization-model.ts';
import { GENERAL_ROWS, HOME_ROWS } from '../../support/authorization-rest.ts';
import { createMcpClient } from '../../support/mcp-client.ts';
import { createRestClient, createToken, type RestClient } from '../../support/rest-client.ts';
import { systemCaller } from '../../support/test-home.ts';
import { DOCUMENT, listOperations } from '../openapi-document.ts';

const NAME = 'Front\u202edoor 1';
const SENTENCE = 'must not contain characters that are invisible or change the direction of text';
const IS_NAME = /(?:^n|N|_n)ame$/;

let fixture: AuthorizationFixture;
let rest: RestClient;
let ids: Readonly<Record<string, string>>;
beforeAll(async () => {
  fixture = await AuthorizationFixture.create();
  rest = createRestClient(fixture.app, fixture.founder.token);
  const { id: user } = await fixture.test.users.create(systemCaller, { email: 'x@example.org', password: PASSWORD });
  ids = { ...fixture.ids.own, user };
});
afterAll(() => fixture.close());

// biome-ignore lint/suspicious/noExplicitAny: a schema may hold anything.
type Schema = any;

function resolved(schema: Schema): Schema {
  const path: string | undefined = schema?.$ref;
  if (path === undefined) return schema;
  const found: Schema = path
    .slice(2)
    .split('/')
    .reduce((part: Schema, key) => part[key], DOCUMENT);
  return resolved(found);
}

/** The paths of all texts in a body that are called a name. */
function namesIn(given: Schema, path: readonly string[] = []): readonly string[] {
  const schema = resolved(given);
  if (typeof schema !== 'object' || schema === null || path.length > 6) return [];
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [
    ...choices.flatMap((choice: Schema) => namesIn(choice, path)),
    ...(schema.items ? namesIn(schema.items, [...path, '0']) : []),
    ...Object.entries<Schema>(schema.properties ?? {}).flatMap(([key, value]) => [
      ...(IS_NAME.test(key) && JSON.stringify(resolved(value)).includes('"string"') ? [[...path, key].join('.')] : []),
      ...namesIn(value, [...path, key]),
    ]),
  ];
}

/** What finds something by its name, or comes back as it was shown: nothing is called so. */
const ONLY_READ = /^POST \/rest\/scene name$|\.(?:accessoryName|home_name)$/;

const REST_NAMES = listOperations().flatMap(({ name, operation }) => {
  const bodies = Object.values<Schema>(operation.requestBody?.content ?? {});
  const paths = new Set(bodies.flatMap(({ schema }) => namesIn(schema)));
  return [...paths].map((path) => [name, path] as const).filter((one) => !ONLY_READ.test(one.join(' ')));
});

/** Bodies in which a name is further down than at the top. */
const WITHIN: Readonly<Record<string, object>> = {
  'payload.groups.0.name': { name: 'All', payload: { groups: [{ id: 'a', name: NAME, accessoryIds: [] }] } },
};

/** Routes without a sample request, or with one about nothing. */
const PATHS: Readonly<Record<string, (of: typeof ids) => string>> = {
  'PATCH /rest/users/:id': ({ user }) => `/rest/users/${user}`,
  'PATCH /rest/webhooks/:id': ({ webhook }) => `/rest/webhooks/${webhook}`,
  'POST /rest/collections': () => '/rest/collections',
  'PATCH /rest/collections/:id': ({ collection }) => `/rest/collections/${collection}`,
};

describe('a name with a hidden character is refused by REST', () => {
  beforeAll(async () => {
    const webhook = await rest.post('/rest/webhooks', { name: 'Hook', url: 'https://hook.example/' });
    const collection = await rest.post('/rest/collections', { name: 'Kept' });
    const idOf = (text: string): string => JSON.parse(text).id ?? JSON.parse(text).webhook?.id;
    ids = { ...ids, webhook: idOf(webhook.text), collection: idOf(collection.text) };
  });

  it('by all operations: there are some to ask', () => {
    expect(REST_NAMES.length).toBeGreaterThan(30);
  });

  it.each(REST_NAMES)('%s: %s', async (operation, path) => {
    const route = operation.replaceAll(/\{(\w+)\}/g, ':$1');
    const row = HOME_ROWS[route]?.ask(ids) ?? GENERAL_ROWS[route]?.ask;
    const asked = PATHS[route]?.(ids) ?? row?.path ?? 'a sample request';
    expect(asked).toMatch(/^\//);
    const [method = ''] = route.split(' ');
    const body = path === 'name' ? { ...(row?.body as object), name: NAME } : WITHIN[path];
    expect(body, `a body with ${path}`).toBeDefined();
    const { status, text } = await rest.request(method, asked, body as object);
    expect([status, text.includes(SENTENCE) ? SENTENCE : text]).toEqual([422, SENTENCE]);
  });
});

/** What finds something by its name, or is of the Cloud edition and not kept. */
const ONLY_READ_ARGUMENTS = [
  'deleteBackup.name',
  'restoreBackup.name',
  'createEntityAccess.entityName',
  'registerPushToken.deviceName',
];

const ARGUMENTS = Object.values(createSchema().getMutationType()?.getFields() ?? {}).flatMap((field) =>
  field.args
    .filter(({ name }) => IS_NAME.test(name) && !ONLY_READ_ARGUMENTS.includes(`${field.name}.${name}`))
    .map(({ name }) => [field.name, name] as const),
);

/** Where the sample call is about nothing. */
const CALLS: Readonly<Record<string, string>> = {
  renameCommunityUser: 'renameCommunityUser(userId: "{user}", name: "Eve") { id }',
  updateWebhook: 'updateWebhook(webhookId: "{webhook}", name: "Hook") { success error }',
  updateCollection: 'updateCollection(collectionId: "{collection}", name: "Kept") { id }',
};

describe('a name with a hidden character is refused by GraphQL', () => {
  it('by all mutations: there are some to ask', () => {
    expect(ARGUMENTS.length).toBeGreaterThan(30);
  });

  it.each(ARGUMENTS)('%s: %s', async (field, argument) => {
    const call = CALLS[field] ?? MUTATIONS[field]?.call ?? '';
    const given = new RegExp(String.raw`\b${argument}: "[^"]*"`);
    const named = `${argument}: ${JSON.stringify(NAME)}`;
    const asked = given.test(call) ? call.replace(given, named) : call.replace('(', `(${named}, `);
    const reporting = asked.replace('{ success code }', '{ success code error }');
    const query = `mutation { ${reporting.replaceAll(/\{(\w+)\}/g, (_, of: string) => ids[of] ?? NO_SUCH_ID)} }`;
    const { text } = await rest.post('/graphql', { query });
    expect(text.includes(SENTENCE) ? SENTENCE : `${query} ${text}`).toBe(SENTENCE);
  });
});

const { accessory, thing } = NAMES.own;
/** Arguments of each tool that names something. */
const TOOL_NAMES: Readonly<Record<string, object>> = {
  create_scene: { name: NAME, actions: [{ accessory, on: true }] },
  update_scene: { name: `Scene ${thing}`, new_name: NAME },
  create_virtual_accessory: { name: NAME, type: 'switch' },
  update_virtual_accessory: { id: `Mode ${thing}`, name: NAME },
  create_automation: { name: NAME, trigger: TIMER, actions: [{ accessory, on: true }] },
  update_automation: { id: `Automation ${thing}`, name: NAME },
  create_flow: { name: NAME, triggers: [], actions: [] },
  apply_blueprint: { name: NAME, blueprint: 'away_mode', inputs: {} },
  update_flow: { id: `Flow ${thing}`, name: NAME },
};
/** Find a scene by its name. */
const FINDING_TOOLS = ['run_scene', 'delete_scene'];

describe('a name with a hidden character is refused by MCP', () => {
  it('by all tools with such an argument', () => {
    const naming = TOOLS.filter(({ input }) => namesIn(z.toJSONSchema(input, { io: 'input' })).some(isOwnName));
    expect(naming.map(({ name }) => name).sort()).toEqual([...Object.keys(TOOL_NAMES), ...FINDING_TOOLS].sort());
  });

  it.each(Object.entries(TOOL_NAMES))('%s', async (tool, args) => {
    const mcp = createMcpClient(fixture.app, createToken(fixture.test));
    const text = JSON.stringify((await mcp.call(tool, { home: NAMES.own.home, ...args })).data);
    expect(text.includes(SENTENCE) ? SENTENCE : text).toBe(SENTENCE);
  });
});

function isOwnName(path: string): boolean {
  return path === 'name' || path === 'new_name';
}

describe('the options of a virtual mode', () => {
  it('are refused with a hidden character, and named', async () => {
    const body = { homeId: ids.home, name: 'Mode', type: 'input_select', options: ['Home', 'A\u200bway'] };
    const { status, text } = await rest.post('/rest/virtual-accessories', body);
    expect([status, text]).toEqual([422, expect.stringContaining(`options[1]: it ${SENTENCE}`)]);
  });
});

describe('a pairing of another controller', () => {
  it('is shown by a name without hidden characters', async () => {
    const data = { 'Front\u202e door\u200b': { AccessoryPairingID: 'AA:BB:CC:DD:EE:FF' } };
    const { text } = await rest.post('/rest/pairings/import', { homeId: ids.home, data, dryRun: true });
    expect(text).toContain('"name":"Front door"');
  });
});
