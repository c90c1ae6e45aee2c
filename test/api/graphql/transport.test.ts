import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { GraphQLBoolean, GraphQLInt, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { negotiate } from '../../../src/api/graphql/media-type.ts';
import { createTestHome, type TestHome } from '../../support/test-home.ts';
import { createGraphqlFixture, type GraphqlFixture } from './graphql-fixture.ts';

/** What mutations did, in the order they did it. */
let done: string[];
/** Lets `wait` mutations go on. */
let release: () => void;
let released: Promise<void>;

const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      echo: { type: GraphQLString, args: { text: { type: GraphQLString } }, resolve: (_, { text }) => text },
      forever: { type: GraphQLInt, resolve: () => new Promise(() => {}) },
    },
  }),
  mutation: new GraphQLObjectType({
    name: 'Mutation',
    fields: {
      do: {
        type: GraphQLBoolean,
        args: { what: { type: GraphQLString } },
        resolve: (_, { what }) => Boolean(done.push(what)),
      },
      wait: {
        type: GraphQLBoolean,
        args: { what: { type: GraphQLString } },
        async resolve(_, { what }) {
          await released;
          return Boolean(done.push(what));
        },
      },
    },
  }),
});

let home: TestHome;
let fixture: GraphqlFixture;

beforeEach(() => {
  done = [];
  released = new Promise((resolve) => {
    release = resolve;
  });
  home = createTestHome();
  fixture = createGraphqlFixture(home, schema);
});

afterEach(() => home.close());

describe('a request', () => {
  it('by POST has query, variables and the name of the operation in a JSON body', async () => {
    const { status, body, headers } = await fixture.post(
      JSON.stringify({
        query: 'query A { echo } query B($t: String) { echo(text: $t) }',
        operationName: 'B',
        variables: { t: '🏃 Küche' },
      }),
    );
    expect([status, body]).toEqual([200, { data: { echo: '🏃 Küche' } }]);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('by GET has them in the address, also with a question mark that is not escaped', async () => {
    const { body } = await fixture.get({ query: 'query ($t: String) { echo(text: $t) }', variables: '{"t":"x"}' });
    expect(body).toEqual({ data: { echo: 'x' } });
    const bare = await fixture.send('/graphql?query={echo(text:"really?")}', {});
    expect(bare.body).toEqual({ data: { echo: 'really?' } });
  });

  it.each([
    ['no body', '', 400, /The body is missing/],
    ['broken JSON', '{"query":', 400, /not valid JSON/],
    ['a batch', '[{"query":"{ echo }"},{"query":"{ echo }"}]', 400, /Batches are not possible: send one operation/],
    ['a number', '5', 400, /must be an object/],
    ['null', 'null', 400, /Missing body/],
    ['no query', '{}', 400, /Missing query: give "query" as a text/],
    ['a query that is no text', '{"query":{"a":1}}', 400, /Invalid query/],
    ['variables that are no object', '{"query":"{ echo }","variables":[1]}', 400, /Invalid variables/],
    ['an operationName that is no text', '{"query":"{ echo }","operationName":5}', 400, /Invalid operationName/],
    ['extensions that are no object', '{"query":"{ echo }","extensions":"x"}', 400, /Invalid extensions/],
    [
      'variables deeper than any value',
      `{"query":"{ echo }","variables":{"t":${'['.repeat(500)}${']'.repeat(500)}}}`,
      400,
      /nest too deep/,
    ],
    ['300 KiB', JSON.stringify({ query: '{ echo }', variables: { t: 'x'.repeat(300_000) } }), 413, /262144 bytes/],
    ['2 MiB', JSON.stringify({ query: ' '.repeat(2_000_000) }), 413, /1048576 bytes/],
    ['a document that is too long', JSON.stringify({ query: ' '.repeat(100_000) }), 400, /too long/],
    [
      'several operations and no name',
      '{"query":"query A { echo } query B { echo }"}',
      400,
      /name one in "operationName"/,
    ],
    ['a name that no operation has', '{"query":"query A { echo }","operationName":"C"}', 400, /no operation named "C"/],
    ['a subscription', '{"query":"subscription { echo }"}', 400, /Accept: text\/event-stream/],
  ])('with %s is refused, with the reason', async (_, payload, status, message) => {
    const answer = await fixture.post(payload);
    expect(answer.status).toBe(status);
    expect(answer.body.errors[0]).toMatchObject({
      message: expect.stringMatching(message),
      extensions: { code: 'BAD_USER_INPUT' },
    });
    expect(answer.body).not.toHaveProperty('data');
  });

  it('by GET with broken variables is refused', async () => {
    const { status, body } = await fixture.get({ query: '{ echo }', variables: '{"t":' });
    expect([status, body.errors[0].message]).toEqual([400, expect.stringContaining('Unparsable URL')]);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/graphql',
    'application/json; charset=latin1',
  ])('of type %s is refused with 415: no form of another site can send one', async (type) => {
    const { status, body } = await fixture.post('{"query":"mutation { do(what: \\"x\\") }"}', { 'Content-Type': type });
    expect([status, body.errors[0].extensions.code]).toEqual([415, 'BAD_USER_INPUT']);
    expect(done).toEqual([]);
  });
});

describe('a mutation', () => {
  it('by GET is refused with 405 and does nothing', async () => {
    const { status, body, headers } = await fixture.get({ query: 'mutation { do(what: "x") }' });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    expect(body.errors[0]).toMatchObject({
      message: 'Mutations change things: send them by POST.',
      extensions: { code: 'BAD_USER_INPUT', reason: 'method_not_allowed' },
    });
    expect(done).toEqual([]);
  });

  it('also where another operation of the document is only a query', async () => {
    const document = 'query Q { echo } mutation M { do(what: "x") }';
    expect((await fixture.get({ query: document, operationName: 'M' })).status).toBe(405);
    expect((await fixture.get({ query: document, operationName: 'Q' })).status).toBe(200);
    expect(done).toEqual([]);
  });

  it('runs after the one before it has ended', async () => {
    const answer = fixture.ask('mutation { wait(what: "first") do(what: "second") }');
    release();
    expect((await answer).body).toEqual({ data: { wait: true, do: true } });
    expect(done).toEqual(['first', 'second']);
  });

  it('that takes too long is answered; what had begun is done, what had not is not begun any more', async () => {
    const answer = fixture.ask('mutation { wait(what: "first") do(what: "second") }');
    await untilTimer();
    await home.clock.advance(60_000);
    const { status, body } = await answer;
    expect([status, body.errors[0].extensions.code]).toEqual([503, 'RELAY_NOT_CONNECTED']);
    expect(body.errors[0].message).toContain('no result within 60 seconds');
    release();
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).toEqual(['first']);
  });

  it('whose client goes away is carried out to its end', async () => {
    const server = createServer(getRequestListener(fixture.app.fetch)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const client = new AbortController();
      const { port } = server.address() as AddressInfo;
      const token = home.tokens.create(
        { principal: { kind: 'system' }, requestId: 'test', depth: 0 },
        { name: 'n', homePermissions: null },
      ).token;
      const answer = fetch(`http://127.0.0.1:${port}/graphql`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
        body: JSON.stringify({ query: 'mutation { wait(what: "first") do(what: "second") }' }),
        signal: client.signal,
      });
      await untilTimer();
      client.abort();
      await expect(answer).rejects.toThrow();
      release();
      await expect.poll(() => done).toEqual(['first', 'second']);
      expect(home.clock.pendingTimers).toBe(idleTimers);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe('a query', () => {
  it('that takes too long is answered', async () => {
    const answer = fixture.ask('{ forever }');
    await untilTimer();
    await home.clock.advance(10_000);
    expect((await answer).status).toBe(503);
  });

  it('leaves no timer behind', async () => {
    await fixture.ask('{ echo(text: "x") }');
    expect(home.clock.pendingTimers).toBe(idleTimers);
  });
});

describe('an answer', () => {
  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/graphql-response+json', 'application/graphql-response+json'],
    ['application/graphql-response+json; charset=utf-8, application/json; q=0.9', 'application/graphql-response+json'],
    ['application/json, application/graphql-response+json;q=0.5', 'application/json'],
    ['application/json;q=0.1, application/graphql-response+json', 'application/graphql-response+json'],
    ['text/html, */*;q=0.1', 'application/json'],
    ['application/json;q=0', undefined],
    ['text/html', undefined],
    ['application/json; charset=latin1', undefined],
    ['application/json;q=x', undefined],
  ])('to a client that accepts %s is of type %s', (accept, type) => {
    expect(negotiate(accept)).toBe(type);
  });

  it('to a client that accepts neither is 406, and lists what is available', async () => {
    const { status, body } = await fixture.ask('{ echo }', {}, { Accept: 'image/png' });
    expect([status, body.errors[0].message]).toEqual([
      406,
      expect.stringContaining('application/graphql-response+json'),
    ]);
  });

  it('to an invalid document is 400, and 200 for those who ask for plain JSON', async () => {
    for (const [accept, status] of [
      ['application/graphql-response+json', 400],
      ['application/json', 200],
    ] as const) {
      const answer = await fixture.ask('{ nothing }', {}, { Accept: accept });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([status, `${accept}; charset=utf-8`]);
      expect(answer.body).not.toHaveProperty('data');
    }
  });
});

/** Timers that the home itself keeps. */
let idleTimers = 0;
beforeEach(() => {
  idleTimers = home.clock.pendingTimers;
});

/** Until the operation is under way: its deadline is set. */
async function untilTimer(): Promise<void> {
  await expect.poll(() => home.clock.pendingTimers).toBeGreaterThan(idleTimers);
}
