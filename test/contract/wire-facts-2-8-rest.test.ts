/** Wire-facts §2.8: the shapes of REST answers that existing clients read, and the sentences of scene errors. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SceneStore } from '../../src/app/scenes/scene-store.ts';
import { slugKey } from '../../src/home/slug.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { createTestHome, type TestHome } from '../support/test-home.ts';

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});
afterEach(() => home.close());

const homeKey = (): string => slugKey(home.home.name, home.home.id);
const on = (accessory = 'Lamp') => ({
  accessoryId: home.named(accessory).id,
  characteristicType: 'public.hap.characteristic.on',
  targetValue: true,
});
const create = (name: string, actions: readonly unknown[] = [on()]) =>
  rest.post('/rest/scenes', { homeId: home.home.id, name, actions });

function putOwned(): string {
  const scene = {
    id: '7f1f3c2e-55b5-4b39-9a3b-2f2f1a9d0c11',
    homeId: home.home.id,
    name: 'Sunset',
    actions: [{ accessoryId: home.named('Lamp').id, serviceIid: null, type: '25', value: true }],
    automationId: 'a1',
    icon: null,
    color: null,
    createdAt: 1,
  };
  home.storeAutomation('a1', 'Lights at dusk');
  new SceneStore(home.database).save(scene);
  home.state.scenes.put(scene);
  return scene.id;
}

describe('wire-facts §2.8: answers', () => {
  it('GET /rest/homes: the union of {id,name,key,connected} and {isPrimary,roomCount,accessoryCount,isAdmin}', async () => {
    const { body } = await rest.get('/rest/homes');
    expect(body).toMatchObject([
      {
        id: home.home.id,
        name: 'My Home',
        key: homeKey(),
        connected: true,
        isPrimary: true,
        roomCount: 2,
        accessoryCount: 7,
        isAdmin: true,
      },
    ]);
  });

  it('GET /rest/accessories: a bare array; each with services and characteristics under their names', async () => {
    const { body } = await rest.get('/rest/accessories?name=lamp');
    const { id, homeId, roomId } = home.named('Lamp');
    expect(body).toHaveLength(1);
    expect(body[0]).toMatchObject({
      id,
      name: 'Lamp',
      homeId,
      roomId,
      roomName: 'Living Room',
      category: 'Lightbulb',
      isReachable: true,
    });
    const [, bulb] = body[0].services;
    expect(bulb).toMatchObject({ id: expect.any(String), serviceType: 'lightbulb' });
    expect(bulb.characteristics[1]).toMatchObject({
      id: expect.any(String),
      characteristicType: 'brightness',
      value: 50,
      isReadable: true,
      isWritable: true,
      minValue: 0,
      maxValue: 100,
      stepValue: 1,
    });
    expect(bulb.characteristics[0]).not.toHaveProperty('minValue');
  });

  it('`type` is category equality ignoring case, `name` a substring of the display name', async () => {
    const names = async (query: string) =>
      (await rest.get(`/rest/accessories?${query}`)).body.map(({ name }: { name: string }) => name);
    expect(await names('type=lightbulb')).toEqual(['Lamp']);
    expect(await names('type=DOOR%20LOCK')).toEqual(['Front Door']);
    expect(await names('name=DOO')).toEqual(['Front Door']);
  });

  it('GET /rest/rooms?home=: [{id, name, accessoryCount, isDefault}]; without home: `home parameter required`', async () => {
    const { body } = await rest.get(`/rest/rooms?home=${home.home.id}`);
    expect(body).toMatchObject([
      { id: expect.any(String), name: 'Default Room', accessoryCount: 4, isDefault: true },
      { id: expect.any(String), name: 'Living Room', accessoryCount: 3, isDefault: false },
    ]);
    const without = await rest.get('/rest/rooms');
    expect([without.status, without.body.error]).toEqual([400, expect.stringContaining('home parameter required')]);
  });

  it('GET /rest/scenes?home=: [{id, name, actionCount, actionSetType, automationName?, actions}]', async () => {
    await create('Evening');
    const { body } = await rest.get(`/rest/scenes?home=${home.home.id}`);
    expect(body).toMatchObject([
      {
        id: expect.any(String),
        name: 'Evening',
        actionCount: 1,
        actionSetType: 'user_defined',
        actions: [{ ...on(), accessoryName: 'Lamp' }],
      },
    ]);
    expect(body[0]).not.toHaveProperty('automationName');
    expect((await rest.get(`/rest/scenes/${putOwned()}`)).body).toMatchObject({
      actionSetType: 'trigger_owned',
      automationName: 'Lights at dusk',
    });
  });

  it('POST: the created scene object; PATCH: the updated one; execute: success; DELETE: {success, sceneId}', async () => {
    const created = (await create('Evening')).body;
    expect(created).toMatchObject({ name: 'Evening', actionCount: 1 });
    const at = `/rest/scenes/${created.id}`;
    expect((await rest.patch(at, { name: 'Night' })).body).toEqual({ ...created, name: 'Night' });
    expect((await rest.post(`${at}/execute`)).body).toMatchObject({ success: true });
    const byName = await rest.post('/rest/scene', { home: homeKey(), name: 'nIGHT' });
    expect(byName.body).toMatchObject({ success: true });
    expect((await rest.delete(at)).body).toEqual({ success: true, sceneId: created.id });
  });
});

describe('wire-facts §2.8: scene errors', () => {
  it.each([
    [{}, 400, "Both 'home' and 'name' are required"],
    [{ home: 'x' }, 400, "Both 'home' and 'name' are required"],
    [{ name: 'x' }, 400, "Both 'home' and 'name' are required"],
    [{ home: 'nowhere_0000', name: 'x' }, 404, 'Home not found: nowhere_0000'],
  ])('POST /rest/scene %j: %i', async (body, status, error) => {
    const answer = await rest.post('/rest/scene', body);
    expect([answer.status, answer.body.error]).toEqual([status, error]);
  });

  it('`Built-in scenes cannot be modified` / `...deleted`', async () => {
    home.driver.event('10:00:00:00:00:01', '1', '9', true);
    const [{ id }] = (await rest.get(`/rest/scenes?home=${home.home.id}`)).body;
    expect((await rest.patch(`/rest/scenes/${id}`, { name: 'X' })).body.error).toBe(
      'Built-in scenes cannot be modified',
    );
    expect((await rest.delete(`/rest/scenes/${id}`)).body.error).toBe('Built-in scenes cannot be deleted');
  });

  it('`Scene is used by automation "<name>"` with the advice to delete the automation', async () => {
    const { body } = await rest.delete(`/rest/scenes/${putOwned()}`);
    expect(body.error).toMatch(/^Scene is used by automation "Lights at dusk".*Delete that automation/);
  });

  it('`At least one action is required`; empty actions on update are refused (advise deleting the scene)', async () => {
    expect((await create('Nothing', [])).body.error).toBe('At least one action is required');
    const { id } = (await create('Evening')).body;
    expect((await rest.patch(`/rest/scenes/${id}`, { actions: [] })).body.error).toMatch(/delete it/);
  });

  it('names must end in a Unicode letter or number; the validator offers a trimmed suggestion', async () => {
    const { status, body } = await create('Movie (late)! ');
    expect([status, body.error]).toEqual([422, expect.stringContaining('"Movie (late"')]);
    for (const name of ['Fête', '晚上', 'Zone ②']) expect((await create(name)).status).toBe(200);
  });
});
