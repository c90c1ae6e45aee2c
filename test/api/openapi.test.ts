/** The API document against the routes, against OpenAPI's own schema, and against what the routes really answer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { templateOf } from '../../src/api/openapi/operation.ts';
import { RESOURCES } from '../../src/api/openapi/resources.ts';
import { OAUTH_ROUTES } from '../support/oauth-routes.ts';
import { PAGE_ROUTES } from '../support/page-routes.ts';
import { createRestClient, createTestApi } from '../support/rest-client.ts';
import { SHARE_PAGE_ROUTES, SHARE_ROUTES } from '../support/share-routes.ts';
import { createTestHome } from '../support/test-home.ts';
import { compileSchema, DOCUMENT, documentAjv, listOperations, operationOf } from './openapi-document.ts';

/** What a browser opens, and what its pages load: no part of the interface. */
const PAGES = [
  ...['GET /docs', 'GET /docs/api', 'GET /docs/search.json', 'GET /docs/:page'],
  ...['GET /graphiql', 'GET /assets/:file', 'GET /manifest.webmanifest', 'GET /sw.js'],
  ...SHARE_PAGE_ROUTES,
];

function listRoutes(): readonly string[] {
  using home = disposable(createTestHome());
  return createTestApi(home.it)
    .routes.filter(({ method, path }) => method !== 'ALL' && !path.endsWith('*'))
    .map(({ method, path }) => `${method} ${path}`);
}

function disposable<T extends { close(): void }>(it: T): { readonly it: T } & Disposable {
  return { it, [Symbol.dispose]: () => it.close() };
}

describe('the document', () => {
  it('describes every route, and none that does not exist', () => {
    const described = RESOURCES.flatMap(({ operations }) =>
      operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`),
    );
    // OAuth describes itself, as RFC 8414 has it.
    const elsewhere = [...PAGES, ...PAGE_ROUTES, ...OAUTH_ROUTES];
    const routes = listRoutes().filter((route) => !elsewhere.includes(route) && !/ \/(graphql|mcp|ws)$/.test(route));
    expect([...new Set(described)].sort()).toEqual([...new Set(routes)].sort());
    expect(described).toHaveLength(new Set(described).size);
  });

  it('is valid by the schema of OpenAPI 3.1', () => {
    // The OpenAPI Initiative's own (https://spec.openapis.org/oas/3.1/schema, Apache-2.0), kept here so that no test
    // needs a network.
    const file = readFileSync(join(import.meta.dirname, 'fixtures/openapi-3.1-schema.json'), 'utf8');
    // Ajv follows this one dynamic reference to the wrong place; the schemas it leads to are judged in the next test.
    // And what this edition calls a URI is a reference to one in all later ones.
    const schema = JSON.parse(
      file
        .replaceAll('"$dynamicRef": "#meta"', '"$ref": "#/$defs/schema"')
        .replaceAll('"format": "uri"', '"format": "uri-reference"'),
    );
    const validate = documentAjv({ strict: false, formats: { 'media-range': true } }).compile(schema);
    expect(validate(DOCUMENT), JSON.stringify(validate.errors?.slice(0, 5), null, 1)).toBe(true);
  });

  it('has schemas that JSON Schema 2020-12 takes, and no reference that leads nowhere', () => {
    const names = Object.keys(DOCUMENT.components.schemas);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(() => compileSchema({ $ref: `#/components/schemas/${name}` })).not.toThrow();
    for (const [, reference = ''] of JSON.stringify(DOCUMENT).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)) {
      const [part = '', name = ''] = reference.split('/');
      expect(Object.keys(DOCUMENT.components[part] ?? {}), reference).toContain(name);
    }
  });

  it('gives each operation an id of its own, a summary, a tag that is explained and its path parameters', () => {
    const operations = listOperations();
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
    const tags = DOCUMENT.tags.map(({ name }: { name: string }) => name);
    for (const { path, operation } of operations) {
      expect(operation.summary.length).toBeGreaterThan(5);
      expect(tags).toContain(operation.tags[0]);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const parameters: { name: string; in: string; required: boolean; example?: unknown }[] =
        operation.parameters ?? [];
      // The reference would fill them in, and filter by a value that the user did not choose.
      expect(parameters.filter(({ required, example }) => !required && example !== undefined)).toEqual([]);
      expect(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(inPath);
    }
  });

  it('shows examples that its own schemas take, of requests and of answers', () => {
    let seen = 0;
    for (const { name, operation } of listOperations()) {
      const body = operation.requestBody?.content['application/json'];
      const examples: [unknown, object][] = Object.values(body?.examples ?? {}).map((example) => [
        (example as { value: unknown }).value,
        body.schema,
      ]);
      const answer = operation.responses['200']?.content['application/json'];
      if (answer?.example !== undefined) examples.push([answer.example, answer.schema]);
      for (const [example, schema] of examples) {
        const validate = compileSchema(schema);
        expect(validate(example), `${name}: ${JSON.stringify(validate.errors?.[0])}`).toBe(true);
        seen += 1;
      }
    }
    expect(seen).toBeGreaterThan(30);
  });

  it('asks for a token in every operation but public ones', () => {
    expect(DOCUMENT.security).toEqual([{ accessToken: [] }]);
    const open = listOperations().filter(({ operation }) => operation.security?.length === 0);
    expect(open.map(({ name }) => name).sort()).toEqual(
      [
        'GET /health',
        'GET /openapi.json',
        'GET /ready',
        ...SHARE_ROUTES.map(templateOf).sort(),
        'POST /notification-action/{token}',
        'POST /webhook/{webhookId}',
      ].sort(),
    );
  });

  it('turns the paths of routes into templates', () => {
    expect(templateOf('/rest/pairings/:deviceId/controllers/:controllerId')).toBe(
      '/rest/pairings/{deviceId}/controllers/{controllerId}',
    );
  });

  it('finds what it looks for in itself', () => {
    expect(operationOf('get', '/rest/homes').operationId).toBe('listHomes');
  });
});

describe('GET /openapi.json', () => {
  it('answers the document with the version of the relay, to everyone', async () => {
    using home = disposable(createTestHome());
    const { status, body, headers } = await createRestClient(createTestApi(home.it)).get('/openapi.json');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(body).toEqual({ ...DOCUMENT, info: { ...DOCUMENT.info, version: '0.0.0-test' } });
  });

  it('answers 304 to a client that has it, and gzip to one that takes it', async () => {
    using home = disposable(createTestHome());
    const app = createTestApi(home.it);
    const client = createRestClient(app);
    const etag = (await client.get('/openapi.json')).headers.get('etag') ?? '';
    const again = await client.get('/openapi.json', { 'If-None-Match': etag });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    const gzipped = await client.get('/openapi.json', { 'Accept-Encoding': 'gzip' });
    expect(gzipped.headers.get('content-encoding')).toBe('gzip');
    expect((await client.request('HEAD', '/openapi.json')).text).toBe('');
  });

  it('reveals nothing of the home', async () => {
    using home = disposable(createTestHome({ sample: true }));
    const { text } = await createRestClient(createTestApi(home.it)).get('/openapi.json');
    for (const secret of [home.it.home.id, home.it.named('Lamp').id, '10:00:00:00:00:01'])
      expect(text).not.toContain(secret);
  });
});
