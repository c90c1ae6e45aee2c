import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RequestScope } from '../../../src/api/graphql/request-scope.ts';
import { createRestClient, createTestApi, createToken } from '../../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';

let home: TestHome;
/** How often the operations were asked for everything. */
let asked: { homes: number; accessories: number };

beforeEach(() => {
  home = createTestHome({ sample: true });
  asked = { homes: 0, accessories: 0 };
});

afterEach(() => home.close());

/** The home's operations, counted. */
function counted() {
  return {
    state: home.state,
    homes: {
      list(caller: typeof systemCaller) {
        asked.homes += 1;
        return home.homes.list(caller);
      },
    },
    control: {
      listAccessories(caller: typeof systemCaller) {
        asked.accessories += 1;
        return home.control.listAccessories(caller);
      },
    },
  };
}

describe('what one request has read', () => {
  it('is read once, however many rooms ask for their accessories', () => {
    const scope = new RequestScope(systemCaller, counted());
    const found = scope
      .homes()
      .flatMap(({ id }) => scope.rooms(id).flatMap((room) => scope.accessoriesOfRoom(room.id)));
    expect(found.map(({ name }) => name).sort()).toEqual(
      home.state
        .accessories()
        .map(({ name }) => name)
        .sort(),
    );
    expect(scope.accessoriesOfHome(home.home.id)).toHaveLength(found.length);
    expect(asked).toEqual({ homes: 1, accessories: 1 });
  });

  it('is read again after a change, one of the same request too', () => {
    const scope = new RequestScope(systemCaller, counted());
    const { id } = home.home;
    const before = scope.rooms(id).length;
    home.rooms.create(systemCaller, { homeId: id, name: 'Attic' });
    expect(scope.rooms(id)).toHaveLength(before + 1);
    const [lamp] = scope.accessories();
    expect(lamp).toBeDefined();
    home.state.removeAccessories([lamp?.id ?? '']);
    expect(scope.accessories()).not.toContain(lamp);
    expect(asked.accessories).toBe(2);
  });

  it('is what the caller may see, and nothing of other homes', () => {
    const other = home.homes.create(systemCaller, { name: 'Cabin' });
    const scope = new RequestScope(tokenCaller({ [other.id]: 'view' }), counted());
    expect(scope.homes().map(({ name }) => name)).toEqual(['Cabin']);
    expect(scope.rooms(home.home.id)).toEqual([]);
    expect(scope.accessories()).toEqual([]);
    expect(scope.accessoriesOfHome(home.home.id)).toEqual([]);
    expect(scope.home(home.home.id)).toBeUndefined();
  });

  it('shows what a mutation of the same document has done', async () => {
    const client = createRestClient(createTestApi(home), createToken(home));
    const { body } = await client.post('/graphql', {
      query: `mutation ($id: String!) {
        a: createRoom(homeId: $id, name: "Attic") { id name }
        b: createRoom(homeId: $id, name: "Cellar") { id name }
      }`,
      variables: { id: home.home.id },
    });
    expect(body.data).toMatchObject({ a: { name: 'Attic' }, b: { name: 'Cellar' } });
    const { body: after } = await client.post('/graphql', { query: '{ homes { roomCount rooms { name } } }' });
    expect(after.data.homes[0].rooms).toHaveLength(after.data.homes[0].roomCount);
    expect(after.data.homes[0].rooms).toContainEqual({ name: 'Cellar' });
  });
});
