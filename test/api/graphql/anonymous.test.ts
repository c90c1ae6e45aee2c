/**
 * GraphQL for callers that have not signed in: signing in and other public fields, and nothing besides. Requests are
 * refused by the document alone: the answers are the same for every schema.
 */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, createToken, type RestClient } from '../../support/rest-client.ts';
import { createTestHome, type TestHome } from '../../support/test-home.ts';
import { createUser } from '../../support/test-users.ts';

const PUBLIC = '{ isOnboarded relayReady authEnabled isWaitlistMode version health }';

let home: TestHome;
let stranger: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  stranger = createRestClient(createTestApi(home));
});
afterEach(() => home.close());

const ask = (query: unknown, variables?: object) => stranger.post('/graphql', { query, variables });

/** The sentence that a stranger gets for a field that is not public. */
const REFUSED = {
  errors: [
    {
      message: 'This needs an access token, in the header Authorization: Bearer <token>.',
      extensions: { code: 'AUTHENTICATION_REQUIRED', reason: 'invalid_token' },
    },
  ],
};

async function expectRefused(query: unknown, variables?: object): Promise<void> {
  const { status, body, headers } = await ask(query, variables);
  expect([query, status, body]).toEqual([query, 401, REFUSED]);
  expect(headers.get('WWW-Authenticate')).toContain('resource_metadata=');
}

describe('without signing in', () => {
  it('what is public is answered, by POST and by GET', async () => {
    const data = {
      isOnboarded: false,
      relayReady: true,
      authEnabled: true,
      isWaitlistMode: false,
      version: '0.0.0-test',
      health: 'ok',
    };
    expect((await ask(PUBLIC)).body).toEqual({ data });
    expect((await stranger.get(`/graphql?query=${encodeURIComponent(PUBLIC)}`)).body).toEqual({ data });
    expect((await ask('{ __typename again: health }')).body.data).toEqual({ __typename: 'Query', again: 'ok' });
  });

  it('isOnboarded shows whether the relay has an owner', async () => {
    await createUser(home, { founder: true });
    expect((await ask('{ isOnboarded }')).body).toEqual({ data: { isOnboarded: true } });
  });

  it.each([
    ['a field that needs a token', '{ homes { id } }'],
    ['a field that does not exist', '{ nothingOfTheKind }'],
    ['one that is misspelt, and gets no suggestion', '{ isOnboardet }'],
    ['a public one beside another', '{ health homes { id } }'],
    ['another under the name of a public one', '{ health: homes { id } }'],
    ['another in a fragment', 'query { ...F } fragment F on Query { homes { id } }'],
    [
      'another in a fragment in a fragment',
      'query { ...F } fragment F on Query { ...G } fragment G on Query { me { id } }',
    ],
    ['another in an inline fragment', '{ ... on Query { ... { homes { id } } } }'],
    ['a fragment that is not there', '{ health ...F }'],
    ['another that is skipped', '{ health homes @skip(if: true) { id } }'],
    ['another operation beside the one that is meant', 'query A { health } query B { homes { id } }'],
    ['introspection', '{ __schema { types { name } } }'],
    ['introspection of a type', '{ health __type(name: "User") { fields { name } } }'],
    ['a subscription', 'subscription { health }'],
    ['a mutation that needs a token', 'mutation { createHome(name: "X") { id } }'],
    [
      'login beside another mutation',
      'mutation { login(email: "a@b.c", password: "12345678") { success } changePassword(currentPassword: "a", newPassword: "b") { success } }',
    ],
    ['no operation', 'fragment F on Query { health }'],
    ['a type definition', 'type A { b: Int }'],
    ['no GraphQL', '{'],
    ['nothing', ''],
    ['something that is no text', 5],
  ])('refuses %s', async (_, query) => {
    await expectRefused(query);
  });

  it('refuses what is no request at all', async () => {
    for (const body of ['', 'null', '[]', '{"query":', '[{"query":"{health}"}]']) {
      const { status } = await stranger.post('/graphql', body);
      expect([body, status]).toEqual([body, 401]);
    }
    expect((await stranger.get('/graphql')).status).toBe(401);
    expect((await stranger.request('DELETE', '/graphql')).status).not.toBe(200);
  });

  it('no mutation by GET: passwords do not belong into addresses', async () => {
    const query = encodeURIComponent('mutation { login(email: "a@b.c", password: "12345678") { success } }');
    expect((await stranger.get(`/graphql?query=${query}`)).status).toBe(405);
  });

  it('no suggestions in what is wrong with a public field', async () => {
    const misspelt = await ask('mutation { login(email: "a@b.c", pasword: "x") { succes } }');
    expect(misspelt.status).toBe(200);
    expect(misspelt.body.errors.length).toBeGreaterThan(0);
    expect(misspelt.text).not.toMatch(/did you mean/i);
    const variable = await ask('query($a: Strng) { health }', { a: 1 });
    expect(variable.text).not.toMatch(/did you mean/i);
  });

  it('circles of fragments come to an end', async () => {
    const circle = 'query { ...F } fragment F on Query { health ...G } fragment G on Query { ...F }';
    expect((await ask(circle)).status).toBe(400);
  });

  it('a body larger than any document is not read', async () => {
    const { status, body } = await ask(PUBLIC, { filler: 'x'.repeat(20_000) });
    expect([status, body.errors[0].extensions.reason]).toEqual([413, 'payload_too_large']);
  });

  it('a bad token is no token: it is refused for every query', async () => {
    const bad = createRestClient(createTestApi(home), `hc_${'A'.repeat(43)}`);
    expect((await bad.post('/graphql', { query: PUBLIC })).status).toBe(401);
  });

  it('what strangers ask drives out nothing that people with a token use', async () => {
    const member = createRestClient(createTestApi(home), createToken(home));
    for (let n = 0; n < 150; n += 1) expect((await ask(`{ a${n}: health }`)).status).toBe(200);
    expect((await member.post('/graphql', { query: '{ homes { name } }' })).status).toBe(200);
  });

  it('fields of any name and shape: nothing but what is public is ever answered', async () => {
    const names = ['health', 'version', 'homes', 'me', '__schema', '__typename', 'users', 'accessories', 'isOnboarded'];
    const open = new Set(['health', 'version', '__typename', 'isOnboarded']);
    const leaf = fc.record({ alias: fc.constantFrom('', 'health: ', 'x: '), name: fc.constantFrom(...names) });
    await fc.assert(
      fc.asyncProperty(fc.array(leaf, { minLength: 1, maxLength: 4 }), fc.boolean(), async (fields, spread) => {
        const selections = fields.map(({ alias, name }) => `${alias}${name}`).join(' ');
        const query = spread ? `{ ...F } fragment F on Query { ${selections} }` : `{ ${selections} }`;
        const { status, body } = await ask(query);
        if (fields.every(({ name }) => open.has(name))) expect(status).toBe(200);
        else expect([query, status, body]).toEqual([query, 401, REFUSED]);
      }),
      { numRuns: 150 },
    );
  });
});

describe('guessing a password', () => {
  const WRONG = 'login(email: "ada@example.org", password: "wrong-password") { success error code }';

  it('through aliases counts each field as a try', async () => {
    const { password, user } = await createUser(home, { name: 'Ada', founder: true });
    const email = user.email;
    const wrong = WRONG.replace('ada@example.org', email);
    const aliases = Array.from({ length: 20 }, (_, n) => `a${n}: ${wrong}`).join(' ');
    const { body } = await ask(`mutation { ${aliases} }`);
    const codes = Object.values<{ code: string }>(body.data).map(({ code }) => code);
    expect(codes.slice(0, 2)).toEqual(['invalid_credentials', 'invalid_credentials']);
    expect(new Set(codes.slice(2))).toEqual(new Set(['rate_limited']));
    // The right one has to wait like any other.
    const right = `mutation { login(email: "${email}", password: "${password}") { success code } }`;
    expect((await ask(right)).body.data.login).toEqual({ success: false, code: 'rate_limited' });
    await home.clock.advance(60_000);
    expect((await ask(right)).body.data.login).toEqual({ success: true, code: null });
  });

  it('a thousand aliases are refused as a whole, before any is tried', async () => {
    const aliases = Array.from({ length: 1_000 }, (_, n) => `a${n}: ${WRONG}`).join(' ');
    expect((await ask(`mutation { ${aliases} }`)).status).toBe(413);
    const short = Array.from({ length: 31 }, (_, n) => `a${n}: login(email: "a@b.c", password: "x") { code }`).join(
      ' ',
    );
    const { status, body } = await ask(`mutation { ${short} }`);
    expect([status, body.errors[0].extensions.reason]).toEqual([400, 'invalid_request']);
  });
});
