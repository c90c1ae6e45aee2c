/**
 * Asks a relay for everything that can be read: each GET route of its OpenAPI document, and each query of its GraphQL
 * schema.
 */
import { request as httpRequest } from 'node:http';
import {
  buildClientSchema,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  isCompositeType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { openSqlite } from '../../src/storage/sqlite.ts';
import type { E2eRelay } from './e2e-relay.ts';

/** Where the ids in a path come from. */
const IDS: readonly (readonly [path: RegExp, table: string, column: string])[] = [
  [/^\/rest\/accessories\//, 'accessories', 'id'],
  [/^\/rest\/automations\//, 'automations', 'id'],
  [/^\/rest\/collections\//, 'collections', 'id'],
  [/^\/rest\/flows\//, 'flows', 'id'],
  [/^\/rest\/history\/homes\//, 'homes', 'id'],
  [/^\/rest\/homes\//, 'homes', 'id'],
  [/^\/rest\/pairings\//, 'pairings', 'device_id'],
  [/^\/rest\/people\//, 'people', 'id'],
  [/^\/rest\/scenes\//, 'scenes', 'id'],
  [/^\/rest\/service-groups\//, 'service_groups', 'id'],
  [/^\/rest\/virtual-accessories\//, 'accessories', 'id'],
  [/^\/rest\/webhooks\//, 'webhooks', 'id'],
];
const QUERIES: Readonly<Record<string, string>> = { '/rest/history': '?accessory=lamp' };
/** It never ends · it is a page, not data. */
const SKIPPED = ['/events'];
const DEPTH = 3;

/** @returns what was answered with an error of ours, one line each. */
export async function askEverything(relay: E2eRelay): Promise<readonly string[]> {
  return [...(await askRest(relay)), ...(await askGraphql(relay))];
}

async function askRest(relay: E2eRelay): Promise<readonly string[]> {
  const { paths } = (await relay.asSystem('GET', '/openapi.json')).body;
  const failures: string[] = [];
  for (const [template, operations] of Object.entries<Record<string, unknown>>(paths)) {
    if (!('get' in operations) || SKIPPED.some((skipped) => template.startsWith(skipped))) continue;
    for (const path of pathsOf(relay, template)) {
      const { status, text } = await get(relay, path + (QUERIES[template] ?? ''));
      if (status === 500) failures.push(`GET ${template}: ${status} ${text}`);
    }
  }
  return failures;
}

/** Not all answers are JSON. */
function get(relay: E2eRelay, path: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const socketPath = relay.directory.file('hearthd.sock');
    const outgoing = httpRequest({ socketPath, path, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('error', reject);
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

function pathsOf(relay: E2eRelay, template: string): readonly string[] {
  if (!template.includes('{')) return [template];
  const [, table, column] = IDS.find(([pattern]) => pattern.test(template)) ?? [];
  if (table === undefined) return [];
  const database = openSqlite(relay.directory.file('relay.db'), { readonly: true });
  try {
    const ids = database.prepare<[], { id: string }>(`SELECT ${column} AS id FROM ${table}`).all();
    return ids.map(({ id }) => template.replaceAll(/\{[^}]+\}/g, encodeURIComponent(id)));
  } finally {
    database.close();
  }
}

async function askGraphql(relay: E2eRelay): Promise<readonly string[]> {
  const ask = (query: string) => relay.asSystem('POST', '/graphql', { query });
  const introspection = (await ask(getIntrospectionQuery())).body.data;
  const failures: string[] = [];
  for (const query of queriesOf(buildClientSchema(introspection))) {
    const { status, body } = await ask(query);
    const errors = (body.errors ?? []).filter(
      (error: { extensions?: { code?: string } }) => error.extensions?.code === 'INTERNAL',
    );
    if (status === 500 || errors.length > 0)
      failures.push(`${query.slice(0, 60)}: ${status} ${JSON.stringify(errors[0])}`);
  }
  return failures;
}

/** One for each query that needs no arguments, with all fields that need none. */
function queriesOf(schema: GraphQLSchema): readonly string[] {
  const root = schema.getQueryType() as GraphQLObjectType;
  return Object.values(root.getFields())
    .filter(({ args }) => !args.some(isRequiredArgument))
    .map(({ name, type }) => `{ ${name} ${selectionOf(type, DEPTH)} }`);
}

function selectionOf(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (!isCompositeType(named)) return '';
  if (!isObjectType(named)) return '{ __typename }';
  const fields = Object.values(named.getFields())
    .filter(({ args }) => !args.some(isRequiredArgument))
    .filter((field) => depth > 1 || !isCompositeType(getNamedType(field.type)))
    .map((field) => `${field.name} ${selectionOf(field.type, depth - 1)}`);
  return `{ __typename ${fields.join(' ')} }`;
}
