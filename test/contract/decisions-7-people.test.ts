/** decisions §7, on people: how they come in, what they may do, and when that ends; with wire-facts §10 beside it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, type RestClient } from '../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';
import { createUser } from '../support/test-users.ts';

const MINUTE_MS = 60_000;

let home: TestHome;

beforeEach(() => {
  home = createTestHome({ sample: true });
});
afterEach(() => home.close());

const as = (token?: string): RestClient => createRestClient(createTestApi(home), token);

async function graphql(query: string, token?: string) {
  return (await as(token).post('/graphql', { query })).body;
}

const signup = (code: string, email = 'ada@example.org') =>
  graphql(
    `mutation { signup(email: "${email}", password: "correct horse", setupCode: "${code}") { success code error token } }`,
  );
const login = (email: string, password: string) =>
  graphql(`mutation { login(email: "${email}", password: "${password}") { success code error token } }`);

describe('decisions §7: sign-in', () => {
  it('is always required; there is no default password and no "auth none"', async () => {
    expect((await graphql('{ authEnabled isOnboarded }')).data).toEqual({ authEnabled: true, isOnboarded: false });
    expect((await as().get('/rest/homes')).status).toBe(401);
    for (const name of ['admin', 'owner', 'homeassistant', 'root', 'ada@example.org']) {
      for (const password of ['', 'admin', 'password', 'hearthd', name]) {
        const { data } = await login(name, password);
        expect(data.login.success).toBe(false);
      }
    }
  });

  it('until an owner exists there is a one-time setup code (10 minutes, renewable), which `signup(…, setupCode)` uses', async () => {
    const first = home.setupCodes.renew(systemCaller).code;
    const second = home.setupCodes.renew(systemCaller).code;
    expect((await signup(first)).data.signup).toMatchObject({ success: false, code: 'invalid_credentials' });
    await home.clock.advance(10 * MINUTE_MS + 1);
    expect((await signup(second)).data.signup).toMatchObject({ success: false, code: 'invalid_credentials' });
    const third = home.setupCodes.renew(systemCaller).code;
    expect((await signup(third)).data.signup).toMatchObject({ success: true });
    expect((await signup(third, 'eve@example.org')).data.signup).toMatchObject({ success: false, code: 'conflict' });
  });

  it('five wrong codes void the right one', async () => {
    const { code } = home.setupCodes.renew(systemCaller);
    for (let n = 0; n < 5; n += 1) expect((await signup('AAAA-AAAA')).data.signup.success).toBe(false);
    expect((await signup(code)).data.signup).toMatchObject({ success: false, code: 'invalid_credentials' });
  });

  it('after two wrong tries a growing delay: 1 s, doubling to 60 s', async () => {
    const { user, password } = await createUser(home, { name: 'Ada', founder: true });
    const wrong = async () => (await login(user.email, 'not it at all')).data.login.code;
    expect([await wrong(), await wrong(), await wrong()]).toEqual([
      'invalid_credentials',
      'invalid_credentials',
      'rate_limited',
    ]);
    for (const delayMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      await home.clock.advance(delayMs - 1);
      expect([delayMs, await wrong()]).toEqual([delayMs, 'rate_limited']);
      await home.clock.advance(1);
      expect([delayMs, await wrong()]).toEqual([delayMs, 'invalid_credentials']);
    }
    await home.clock.advance(MINUTE_MS);
    expect((await login(user.email, password)).data.login.success).toBe(true);
  });

  it('signing up without an invitation: Registration is disabled', async () => {
    await createUser(home, { name: 'Ada', founder: true });
    const { errors } = await graphql(
      'mutation { signup(email: "eve@example.org", password: "some horse") { success } }',
    );
    expect(errors[0]).toMatchObject({
      message: 'Registration is disabled. Ask an admin to invite you.',
      extensions: { code: 'FORBIDDEN' },
    });
  });
});

describe('decisions §7: roles per home', () => {
  it('owner and admin: members and tokens; control: read, write, run scenes; view: read', async () => {
    const { caller } = await createUser(home, { name: 'Ada', founder: true });
    const { id } = home.scenes.create(caller, {
      homeId: home.home.id,
      name: 'Movie',
      actions: [{ accessoryId: home.named('Lamp').id, characteristicType: 'on', targetValue: true }],
    });
    const asks = [
      ['GET', '/rest/state', undefined],
      ['POST', `/rest/scenes/${id}/execute`, undefined],
      ['POST', '/rest/rooms', { homeId: home.home.id, name: 'Attic' }],
      ['GET', `/rest/homes/${home.home.id}/members`, undefined],
    ] as const;
    const expected = { view: [200, 403, 403, 403], control: [200, 200, 403, 403], admin: [200, 200, 200, 200] };
    for (const [role, statuses] of Object.entries(expected)) {
      const { token } = await createUser(home, { name: role, role: role as keyof typeof expected });
      const answers = [];
      for (const [method, path, body] of asks) answers.push((await as(token).request(method, path, body)).status);
      expect([role, answers]).toEqual([role, statuses]);
    }
  });

  it('only the owner deletes a home or changes roles of admins', async () => {
    const ada = await createUser(home, { name: 'Ada', founder: true });
    const max = await createUser(home, { name: 'Max', role: 'admin' });
    const moritz = await createUser(home, { name: 'Moritz', role: 'admin' });
    const member = `/rest/homes/${home.home.id}/members/${moritz.user.id}`;
    expect((await as(max.token).patch(member, { role: 'view' })).status).toBe(403);
    expect((await as(max.token).delete(member)).status).toBe(403);
    expect((await as(max.token).delete(`/rest/homes/${home.home.id}`)).status).toBe(403);
    expect((await as(ada.token).patch(member, { role: 'view' })).status).toBe(200);
  });

  it('the creator of a home is its owner, and others don’t see it', async () => {
    const ada = await createUser(home, { name: 'Ada', founder: true });
    const max = await createUser(home, { name: 'Max', role: 'admin' });
    const { body } = await as(ada.token).post('/rest/homes', { name: 'Cottage' });
    expect(body.role).toBe('owner');
    expect((await as(max.token).get('/rest/homes')).text).not.toContain('Cottage');
  });
});

describe('decisions §7: sessions', () => {
  it('are JWTs (HS256) that contain nothing but who and until when', async () => {
    const { token, user } = await createUser(home, { name: 'Ada', founder: true });
    const [header, claims] = token.split('.', 2).map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    expect(header).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(claims).toMatchObject({ sub: user.id });
    expect(claims.exp - claims.iat).toBe(7 * 24 * 3_600);
    expect(JSON.stringify(claims)).not.toContain(user.email);
  });

  it('password change or removal of a user ends that user’s sessions, and no others', async () => {
    const ada = await createUser(home, { name: 'Ada', founder: true });
    const bob = await createUser(home, { name: 'Bob', role: 'view' });
    const eve = await createUser(home, { name: 'Eve', role: 'view' });
    await as(ada.token).post(`/rest/users/${bob.user.id}/password`, { password: 'another horse' });
    expect((await as(bob.token).get('/rest/homes')).status).toBe(401);
    await as(ada.token).delete(`/rest/users/${eve.user.id}`);
    expect((await as(eve.token).get('/rest/homes')).status).toBe(401);
    expect((await as(ada.token).get('/rest/homes')).status).toBe(200);
  });
});

describe('decisions §7: access tokens', () => {
  it('are stored as SHA-256 and listed by their first 11 characters; `lastUsedAt` is written at most once a minute', async () => {
    const { token, info } = home.tokens.create(systemCaller, { name: 'Script' });
    expect(info.tokenPrefix).toBe(token.slice(0, 11));
    const dump = JSON.stringify(home.database.prepare('SELECT * FROM access_tokens').all());
    expect(dump).not.toContain(token);
    const lastUsed = () => home.database.prepare('SELECT last_used_at AS at FROM access_tokens').get();
    await as(token).get('/rest/homes');
    const first = lastUsed();
    await home.clock.advance(MINUTE_MS - 1);
    await as(token).get('/rest/homes');
    expect(lastUsed()).toEqual(first);
    await home.clock.advance(1);
    await as(token).get('/rest/homes');
    expect(lastUsed()).not.toEqual(first);
  });
});
