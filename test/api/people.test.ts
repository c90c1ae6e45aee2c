/** People and the accounts that they are linked to, over REST and GraphQL. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, createToken } from '../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';
import { createUser, type TestUser } from '../support/test-users.ts';

let home: TestHome;
let ada: TestUser;
let ben: TestUser;

beforeEach(async () => {
  home = createTestHome({ sample: true });
  ada = await createUser(home, { name: 'Ada', founder: true });
  ben = await createUser(home, { name: 'Ben', role: 'control' });
});
afterEach(() => home.close());

const restOf = (token: string) => createRestClient(createTestApi(home), token);
async function ask(token: string, query: string, variables: object = {}) {
  return (await restOf(token).post('/graphql', { query, variables: { home: home.home.id, ...variables } })).body;
}

const CREATE = `mutation($home: String!, $name: String!, $userId: String) {
  createPerson(homeId: $home, name: $name, userId: $userId) { id name userId } }`;
const LINK = 'mutation($id: String!, $userId: String) { linkPerson(personId: $id, userId: $userId) { name userId } }';
const LIST = 'query($home: String!) { people(homeId: $home) { name userId } }';

describe('the account of a person', () => {
  it('is linked and unlinked over REST, when they are added and later', async () => {
    const rest = restOf(ada.token);
    const added = await rest.post('/rest/people', { homeId: home.home.id, name: 'Ben', userId: ben.user.id });
    expect([added.status, added.body]).toEqual([200, expect.objectContaining({ name: 'Ben', userId: ben.user.id })]);
    const path = `/rest/people/${added.body.id}`;
    expect((await rest.request('PATCH', path, { userId: null })).body).toMatchObject({ name: 'Ben', userId: null });
    expect((await rest.request('PATCH', path, { userId: ben.user.id })).body.userId).toBe(ben.user.id);
    await rest.request('DELETE', path);
    expect((await rest.get(`/rest/homes/${home.home.id}/members`)).body).toHaveLength(2);
  });

  it('is linked and unlinked over GraphQL, when they are added and later', async () => {
    const { data } = await ask(ada.token, CREATE, { name: 'Ben', userId: ben.user.id });
    expect(data.createPerson).toMatchObject({ name: 'Ben', userId: ben.user.id });
    const { id } = data.createPerson;
    expect((await ask(ada.token, LINK, { id })).data.linkPerson).toEqual({ name: 'Ben', userId: null });
    const linked = await ask(ada.token, LINK, { id, userId: ben.user.id });
    expect(linked.data.linkPerson).toEqual({ name: 'Ben', userId: ben.user.id });
  });

  it('is refused with its field and a reason: strangers, the account of another person, what is no id', async () => {
    const rest = restOf(ada.token);
    const stranger = await createUser(home, { name: 'Eve' });
    home.people.create(systemCaller, { homeId: home.home.id, name: 'Ben', userId: ben.user.id });
    const { id } = home.people.create(systemCaller, { homeId: home.home.id, name: 'Ada' });
    const link = async (userId: unknown) => {
      const { status, body } = await rest.request('PATCH', `/rest/people/${id}`, { userId });
      return [status, body.code, body.error];
    };
    expect(await link(stranger.user.id)).toEqual([404, 'user_not_found', 'This account is not a member of the home.']);
    expect(await link(ben.user.id)).toEqual([422, 'conflict', 'Ben has this account already.']);
    for (const noId of [5, true, [ben.user.id], {}]) {
      const answer = await link(noId);
      expect(answer).toEqual([422, 'invalid_value', '"userId" must be a text.']);
    }
    const { errors } = await ask(ada.token, LINK, { id, userId: ben.user.id });
    expect(errors[0]).toMatchObject({
      message: 'Ben has this account already.',
      extensions: { reason: 'conflict', cause: 'account_taken', field: 'userId' },
    });
    expect(home.people.get(systemCaller, id).userId).toBeNull();
  });

  it('is shown to those who may see the members and to themselves, by both APIs and for tokens', async () => {
    const { id } = home.people.create(systemCaller, { homeId: home.home.id, name: 'Ben', userId: ben.user.id });
    const admin = await createUser(home, { name: 'Admin', role: 'admin' });
    const guest = await createUser(home, { name: 'Guest', role: 'control' });
    const limited = createToken(home, { [home.home.id]: 'control' });
    for (const [token, shown] of [
      [ada.token, ben.user.id],
      [admin.token, ben.user.id],
      [ben.token, ben.user.id],
      [createToken(home), ben.user.id],
      [guest.token, null],
      [limited, null],
    ] as const) {
      const rest = restOf(token);
      expect((await rest.get(`/rest/people?home=${home.home.id}`)).body[0].userId).toBe(shown);
      expect((await rest.get(`/rest/people/${id}`)).body.userId).toBe(shown);
      expect((await rest.post(`/rest/people/${id}/presence`, { atHome: true })).body.userId).toBe(shown);
      expect((await ask(token, LIST)).data.people).toEqual([{ name: 'Ben', userId: shown }]);
    }
    expect((await restOf(guest.token).request('PATCH', `/rest/people/${id}`, { userId: null })).status).toBe(403);
    expect((await ask(ben.token, LINK, { id })).errors[0].extensions.reason).toBe('insufficient_permissions');
    expect(home.people.get(systemCaller, id).userId).toBe(ben.user.id);
  });
});
