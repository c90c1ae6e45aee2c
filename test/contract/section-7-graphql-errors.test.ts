/** API §7.2, §7.3 and §5: errors of GraphQL, and who gets in. Against the whole API with its real schema. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HomePermissions, Role } from '../../src/app/access/caller.ts';
import { createRestClient, createTestApi, createToken, type RestAnswer } from '../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome, userCaller } from '../support/test-home.ts';

const NO_SUCH_ID = '00000000-0000-4000-8000-000000000000';

let home: TestHome;

beforeEach(() => {
  home = createTestHome({ sample: true });
});

afterEach(() => home.close());

/** Asks as the holder of a token of these permissions. */
function ask(query: string, variables: object = {}, permissions: HomePermissions = null): Promise<RestAnswer> {
  const client = createRestClient(createTestApi(home), createToken(home, permissions));
  return client.post('/graphql', { query, variables });
}

const SET = `mutation ($id: String!, $type: String!, $value: String!) {
  setCharacteristic(accessoryId: $id, characteristicType: $type, value: $value) { success value error }
}`;

describe('API §7.2: `errors` array; each item has `message` and `extensions.code`', () => {
  it('AUTHENTICATION_REQUIRED without a token: 401, with the challenge that REST has', async () => {
    const anonymous = createRestClient(createTestApi(home));
    const { status, headers, body } = await anonymous.post('/graphql', { query: '{ homes { id } }' });
    expect(status).toBe(401);
    expect(body).toEqual({
      errors: [
        {
          message: expect.stringContaining('access token'),
          extensions: { code: 'AUTHENTICATION_REQUIRED', reason: 'invalid_token' },
        },
      ],
    });
    expect(headers.get('www-authenticate')).toBe((await anonymous.get('/rest/state')).headers.get('www-authenticate'));
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('AUTHENTICATION_REQUIRED with an unknown, malformed, revoked or expired token, by GET too', async () => {
    const { token: revoked, info } = home.tokens.create(systemCaller, { name: 'Gone' });
    home.tokens.revoke(systemCaller, info.id);
    const { token: expired } = home.tokens.create(systemCaller, { name: 'Old', expiresAt: home.clock.now() + 1_000 });
    home.clock.jumpWallClock(2_000);
    for (const token of [`hc_${'A'.repeat(43)}`, 'nonsense', revoked, expired]) {
      const client = createRestClient(createTestApi(home), token);
      for (const answer of [
        await client.get('/graphql?query={homes{id}}'),
        await client.post('/graphql', { query: '{ homes { id } }' }),
      ]) {
        expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([401, 'AUTHENTICATION_REQUIRED']);
      }
    }
  });

  it('without a token not even the schema is shown', async () => {
    const { status, body } = await createRestClient(createTestApi(home)).post('/graphql', {
      query: '{ __schema { types { name } } }',
    });
    expect([status, body.data]).toEqual([401, undefined]);
  });

  it('in the form of GraphQL’s own media type for those who ask for it', async () => {
    const { headers } = await createRestClient(createTestApi(home)).post(
      '/graphql',
      {},
      {
        Accept: 'application/graphql-response+json',
      },
    );
    expect(headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
  });

  it('FORBIDDEN: a token to view may not control', async () => {
    const { id } = home.named('Lamp');
    const variables = { id, type: 'on', value: 'true' };
    const { status, body } = await ask(SET, variables, { [home.home.id]: 'view' });
    expect(status).toBe(200);
    expect(body.errors[0]).toMatchObject({
      message: 'Insufficient permissions',
      path: ['setCharacteristic'],
      extensions: { code: 'FORBIDDEN', reason: 'insufficient_permissions' },
    });
    expect(home.driver.writes).toEqual([]);
  });

  it('NOT_FOUND: what may not be seen is not there', async () => {
    const query = 'query ($id: String!) { rooms(homeId: $id) { id } }';
    const cabin = home.homes.create(systemCaller, { name: 'Cabin' });
    const invisible = await ask(query, { id: home.home.id }, { [cabin.id]: 'control' });
    const absent = await ask(query, { id: NO_SUCH_ID });
    expect(invisible.body).toEqual(absent.body);
    expect(absent.body.errors[0]).toMatchObject({
      message: 'Home not found',
      extensions: { code: 'NOT_FOUND', reason: 'home_not_found' },
    });
  });

  it.each([
    ['a document that is none', '{ homes {'],
    ['a field that does not exist', '{ homes { colour } }'],
    ['an argument that is missing', '{ rooms { id } }'],
    ['a variable that is missing', 'query ($id: String!) { rooms(homeId: $id) { id } }'],
  ])('BAD_USER_INPUT: %s, with the place', async (_, query) => {
    const { status, body } = await ask(query);
    expect(status).toBe(200);
    expect(body.errors[0]).toMatchObject({
      locations: [{ line: 1 }],
      extensions: { code: 'BAD_USER_INPUT', reason: 'invalid_request' },
    });
  });

  it('BAD_USER_INPUT: a query that asks too much is refused with 400', async () => {
    const whole = 'accessories { id services { id characteristics { id type value } } }';
    const { status, body } = await ask(`{ ${Array.from({ length: 30 }, (_, i) => `a${i}: ${whole}`).join(' ')} }`);
    expect(status).toBe(400);
    expect(body.errors[0]).toMatchObject({
      message: expect.stringContaining('too much at once'),
      extensions: { code: 'BAD_USER_INPUT' },
    });
  });

  it('INVALID_VALUE: a name that is none', async () => {
    const { body } = await ask('mutation ($id: String!) { createRoom(homeId: $id, name: "") { id } }', {
      id: home.home.id,
    });
    expect(body.errors[0].extensions).toMatchObject({ code: 'INVALID_VALUE', reason: 'invalid_value' });
  });

  it('INTERNAL: nothing of the inside, but the id under which the log has it', async () => {
    const broken = createTestApi(home, {
      homes: new Proxy(home.homes, {
        get() {
          throw new TypeError('no such table: homes at /var/lib/hearthd');
        },
      }),
    });
    const { status, text, body, headers } = await createRestClient(broken, createToken(home)).post('/graphql', {
      query: '{ homes { id } }',
    });
    expect(status).toBe(200);
    expect(text).not.toMatch(/table|\/var|TypeError/);
    expect(body.errors[0].extensions).toEqual({
      code: 'INTERNAL',
      reason: 'internal',
      requestId: headers.get('x-request-id'),
    });
  });
});

describe('API §7.2: GraphQL mutation results also carry `success` and `error`', () => {
  it('in which expected failures are reported', async () => {
    const { id } = home.named('Lamp');
    const { body } = await ask(SET, { id, type: 'brightness', value: '101' });
    expect(body.errors).toBeUndefined();
    expect(body.data.setCharacteristic).toMatchObject({
      success: false,
      error: expect.stringContaining('Invalid value'),
    });
    const { body: done } = await ask(SET, { id, type: 'brightness', value: '40' });
    expect(done.data.setCharacteristic).toEqual({ success: true, value: 40, error: null });
  });

  it('while authentication and authorization are reported in `errors`', async () => {
    home.close();
    let role: Role = 'admin';
    home = createTestHome({ sample: true, roles: { roleOf: () => role, homesOf: () => [home.home.id] } });
    const { token } = home.tokens.create(userCaller('ann'), { name: 'Ann’s' });
    role = 'view';
    const { body } = await createRestClient(createTestApi(home), token).post('/graphql', {
      query: SET,
      variables: { id: home.named('Lamp').id, type: 'on', value: 'true' },
    });
    expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
  });
});

describe('what is refused before GraphQL is asked comes in its shape too', () => {
  it('403 FORBIDDEN: a foreign origin', async () => {
    const { status, body } = await createRestClient(createTestApi(home), createToken(home)).post(
      '/graphql',
      { query: '{ homes { id } }' },
      { Origin: 'https://evil.example' },
    );
    expect([status, body.errors[0].extensions]).toEqual([403, { code: 'FORBIDDEN', reason: 'forbidden_origin' }]);
  });

  it('403 FORBIDDEN: a name that is not ours', async () => {
    const client = createRestClient(createTestApi(home), createToken(home));
    const { status, body } = await client.get('http://evil.example/graphql?query={homes{id}}');
    expect([status, body.errors[0].extensions.code]).toEqual([403, 'FORBIDDEN']);
  });

  it('405: any other method', async () => {
    const client = createRestClient(createTestApi(home), createToken(home));
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const { status, headers, body } = await client.request(method, '/graphql', { query: '{ homes { id } }' });
      expect([status, headers.get('allow')]).toEqual([405, 'HEAD, GET, POST']);
      expect(body.errors[0].extensions).toEqual({ code: 'BAD_USER_INPUT', reason: 'method_not_allowed' });
    }
  });

  it('415: a form', async () => {
    const client = createRestClient(createTestApi(home), createToken(home));
    const { status, body } = await client.post('/graphql', 'query={homes{id}}', {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    expect([status, body.errors[0].extensions.reason]).toEqual([415, 'unsupported_media_type']);
  });

  it('413: a body without end, and the connection ends with it', async () => {
    const client = createRestClient(createTestApi(home), createToken(home));
    const { status, headers, body } = await client.post('/graphql', { query: ' '.repeat(10_000_000) });
    expect([status, headers.get('connection')]).toEqual([413, 'close']);
    expect(body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
  });
});

describe('a browser that opens the address', () => {
  const page = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

  it('is led to the page, without a token', async () => {
    const { status, headers } = await createRestClient(createTestApi(home)).get('/graphql', page);
    expect([status, headers.get('location')]).toEqual([303, '/graphiql']);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('with a query in the address gets its answer, if it may', async () => {
    const anonymous = createRestClient(createTestApi(home));
    expect((await anonymous.get('/graphql?query={homes{id}}', page)).status).toBe(401);
    const client = createRestClient(createTestApi(home), createToken(home));
    expect((await client.get('/graphql?query={homes{id}}', page)).body.data.homes).toHaveLength(1);
  });
});
