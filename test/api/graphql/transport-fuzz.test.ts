/**
 * Odd requests against the whole API: each is answered in GraphQL's shape, with a status that means something, and
 * nothing breaks.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createRestClient,
  createTestApi,
  createToken,
  type RestAnswer,
  type RestClient,
} from '../../support/rest-client.ts';
import { createTestHome, type TestHome } from '../../support/test-home.ts';

let home: TestHome;
let client: RestClient;

beforeAll(() => {
  home = createTestHome({ sample: true });
  client = createRestClient(createTestApi(home), createToken(home));
});

afterAll(() => home.close());

const STATUSES = [200, 400, 405, 406, 413, 415];

function expectSane({ status, text, body }: RestAnswer): void {
  expect(STATUSES).toContain(status);
  expect(body.data !== undefined || body.errors.length > 0).toBe(true);
  for (const { message, extensions } of body.errors ?? []) {
    expect(message).toEqual(expect.any(String));
    expect(extensions.code).not.toBe('INTERNAL');
  }
  expect(text).not.toMatch(/node_modules|\.ts:\d|TypeError|RangeError|SQLITE/);
}

const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('__proto__', 'constructor', 'query', 'on', ''),
);

const query = fc.oneof(
  word,
  fc.constantFrom(
    '{ homes { id } }',
    '{ __typename }',
    'query ($id: String!) { accessory(accessoryId: $id) { id } }',
    'query ($id: String!) { rooms(homeId: $id) { id } }',
    'mutation ($id: String!) { setCharacteristic(accessoryId: $id, characteristicType: "on", value: "true") { success error } }',
    'query A { homes { id } } query B { homes { id } }',
    '{ toString { id } }',
    '{ homes { __proto__ } }',
  ),
);

it('any JSON as a body', async () => {
  const body = fc.oneof(
    fc.jsonValue({ maxDepth: 6 }),
    fc.record(
      {
        query: fc.oneof(query, fc.jsonValue()),
        variables: fc.oneof(fc.dictionary(word, fc.jsonValue()), fc.record({ id: fc.jsonValue() }), fc.jsonValue()),
        operationName: fc.oneof(word, fc.jsonValue()),
        extensions: fc.jsonValue(),
      },
      { requiredKeys: ['query'] },
    ),
  );
  await fc.assert(
    fc.asyncProperty(body, async (value) => expectSane(await client.post('/graphql', JSON.stringify(value)))),
    { numRuns: 500 },
  );
});

it('any address', async () => {
  const parameters = fc.dictionary(
    fc.constantFrom('query', 'variables', 'operationName', 'extensions', 'x'),
    fc.oneof(query, fc.json()),
  );
  await fc.assert(
    fc.asyncProperty(parameters, async (entries) => {
      expectSane(await client.get(`/graphql?${new URLSearchParams(entries)}`));
    }),
    { numRuns: 300 },
  );
});

it('any Accept and any Content-Type', async () => {
  const value = fc.oneof(
    fc.constantFrom(
      '*/*',
      'application/json',
      'text/html',
      'application/graphql-response+json;q=0.5, */*',
      'multipart/form-data',
    ),
    fc.string({ unit: fc.constantFrom(...'abz/*;,=+ q0.5"') }),
  );
  await fc.assert(
    fc.asyncProperty(value, value, async (accept, type) => {
      expectSane(await client.post('/graphql', '{"query":"{ __typename }"}', { Accept: accept, 'Content-Type': type }));
    }),
    { numRuns: 300 },
  );
});
