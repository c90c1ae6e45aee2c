import {
  GraphQLError,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { graphqlCodeOf } from '../../../src/api/graphql/refusal.ts';
import { ERROR_CODES, type ErrorCode, HearthError } from '../../../src/kernel/errors.ts';
import { createTestHome, type TestHome } from '../../support/test-home.ts';
import { createGraphqlFixture, type GraphqlFixture } from './graphql-fixture.ts';

const SECRET = 'SELECT secret FROM /var/lib/hearthd/relay.db';

const picky = new GraphQLScalarType({
  name: 'Picky',
  parseValue(value) {
    if (value === 'bug') throw new TypeError(SECRET);
    throw new HearthError('invalid_value', 'Invalid value: only good things.', { field: 'value' });
  },
});

const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      fails: {
        type: GraphQLString,
        args: { code: { type: new GraphQLNonNull(GraphQLString) } },
        resolve(_, { code }) {
          throw new HearthError(code as ErrorCode, 'What to do about it.', { field: 'name', retryAfterSeconds: 1.2 });
        },
      },
      breaks: {
        type: new GraphQLList(GraphQLString),
        resolve: () => [new Error(SECRET), new Error(SECRET), Promise.reject(new TypeError(SECRET))],
      },
      throwsText: {
        type: GraphQLString,
        resolve() {
          throw SECRET;
        },
      },
      careless: {
        type: GraphQLString,
        resolve() {
          throw new GraphQLError(SECRET);
        },
      },
      wrongType: { type: GraphQLInt, resolve: () => SECRET },
      missing: { type: new GraphQLNonNull(GraphQLString), resolve: () => null },
      takes: {
        type: GraphQLString,
        args: { count: { type: new GraphQLNonNull(GraphQLInt) }, picky: { type: picky } },
        resolve: () => 'taken',
      },
    },
  }),
});

let home: TestHome;
let fixture: GraphqlFixture;

beforeEach(() => {
  home = createTestHome();
  fixture = createGraphqlFixture(home, schema);
});

afterEach(() => home.close());

describe('an expected failure', () => {
  it('carries a code for programs, our finer reason, the faulty field, when to try again, and its place', async () => {
    const { status, body } = await fixture.ask('{ ok: __typename fails(code: "rate_limited") }');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: { ok: 'Query', fails: null },
      errors: [
        {
          message: 'What to do about it.',
          locations: [{ line: 1, column: 18 }],
          path: ['fails'],
          extensions: { code: 'RATE_LIMITED', reason: 'rate_limited', field: 'name', retryAfterSeconds: 2 },
        },
      ],
    });
    expect(fixture.lines).toEqual([]);
  });

  it.each(ERROR_CODES.map((code) => [code, graphqlCodeOf(code as ErrorCode)]))('%s is %s', async (reason, code) => {
    const { body } = await fixture.ask('query ($code: String!) { fails(code: $code) }', { code: reason });
    expect(body.errors[0].extensions).toMatchObject({ code, reason });
  });

  it('is one of the words that clients know', () => {
    const known =
      'AUTHENTICATION_REQUIRED DEVELOPER_MODE_REQUIRED FORBIDDEN NOT_FOUND INVALID_VALUE BAD_USER_INPUT INSUFFICIENT_PLATFORM_PRIVILEGES RELAY_NOT_CONNECTED CLOUD_ONLY RATE_LIMITED INTERNAL';
    for (const code of ERROR_CODES) expect(known.split(' ')).toContain(graphqlCodeOf(code as ErrorCode));
  });

  it('of storage is reported as such, and logged', async () => {
    const { body } = await fixture.ask('{ fails(code: "storage_unavailable") }');
    expect(body.errors[0]).toMatchObject({
      message: 'What to do about it.',
      extensions: { code: 'INTERNAL', reason: 'storage_unavailable' },
    });
    expect(fixture.lines.map(({ message }) => message)).toEqual(['Could not save a change']);
  });
});

describe('an unexpected failure', () => {
  it.each(['{ breaks }', '{ throwsText }', '{ careless }', '{ wrongType }', '{ fails(code: "internal") }'])(
    '%s reveals nothing of the inside',
    async (query) => {
      const { status, text, body, headers } = await fixture.ask(query);
      expect(status).toBe(200);
      expect(text).not.toMatch(/SELECT|secret|\/var|stack|TypeError/);
      expect(body.errors[0]).toMatchObject({
        message: expect.stringContaining('Something went wrong inside hearthd'),
        extensions: { code: 'INTERNAL', reason: 'internal', requestId: headers.get('x-request-id') },
      });
    },
  );

  it('is logged once a request, with its stack and the id that the answer names', async () => {
    const { body } = await fixture.ask('{ breaks }');
    expect(body.errors).toHaveLength(3);
    expect(fixture.lines).toHaveLength(1);
    const [line] = fixture.lines;
    expect(line).toMatchObject({
      message: 'A request failed',
      fields: {
        requestId: body.errors[0].extensions.requestId,
        method: 'POST',
        path: '/graphql',
        error: SECRET,
        stack: expect.stringContaining('errors.test.ts'),
      },
    });
  });

  it('that empties a field that may not be empty empties what is around it', async () => {
    const { body } = await fixture.ask('{ missing }');
    expect(body.data).toBeNull();
    expect(body.errors[0].extensions.code).toBe('INTERNAL');
  });
});

describe('a mistake of the client', () => {
  it.each([
    ['syntax', '{ takes(', {}],
    ['an unknown field', '{ homes }', {}],
    ['a missing argument', '{ takes }', {}],
    ['a value of the wrong type', '{ takes(count: "one") }', {}],
    ['a variable of the wrong type', 'query ($n: Int!) { takes(count: $n) }', { n: 'one' }],
    ['a missing variable', 'query ($n: Int!) { takes(count: $n) }', {}],
    ['a variable that is null where it may not be', 'query ($n: Int = 1) { takes(count: $n) }', { n: null }],
  ])('%s is BAD_USER_INPUT with the place', async (_, query, variables) => {
    const { body } = await fixture.ask(query, variables);
    expect(body.errors[0]).toMatchObject({
      message: expect.stringMatching(/./),
      locations: [{ line: 1, column: expect.any(Number) }],
      extensions: { code: 'BAD_USER_INPUT', reason: 'invalid_request' },
    });
    expect(fixture.lines).toEqual([]);
  });

  it('that a scalar refuses keeps the code it was refused with, with the variable named', async () => {
    const { body } = await fixture.ask('query ($p: Picky) { takes(count: 1, picky: $p) }', { p: 'bad' });
    expect(body.errors[0]).toMatchObject({
      message: expect.stringMatching(/^Variable "\$p" got invalid value.*only good things/),
      extensions: { code: 'INVALID_VALUE', reason: 'invalid_value', field: 'value' },
    });
  });

  it('is not what a scalar of ours makes of it by mistake', async () => {
    const { text, body } = await fixture.ask('query ($p: Picky) { takes(count: 1, picky: $p) }', { p: 'bug' });
    expect(body.errors[0].extensions.code).toBe('INTERNAL');
    expect(text).not.toContain('SELECT');
  });
});
