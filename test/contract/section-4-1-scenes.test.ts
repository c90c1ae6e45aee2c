/**
 * API §4.1: the rows of scenes and the scene rules; §2.2 `_scenes`; §2.4 PlatformScene; §7.4 on scene errors; §8 on
 * scene names.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SceneStore } from '../../src/app/scenes/scene-store.ts';
import { slugKey } from '../../src/home/slug.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { lamp } from '../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});

afterEach(() => home.close());

const PREFIX = 'public.hap.characteristic.';
const UUID = expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

const homeKey = (): string => slugKey(home.home.name, home.home.id);
const brightness = (targetValue: unknown, accessory = 'Lamp') => ({
  accessoryId: home.named(accessory).id,
  characteristicType: `${PREFIX}brightness`,
  targetValue,
});
const switchOn = (accessory: string, targetValue: unknown = true) => ({
  accessoryId: home.named(accessory).id,
  characteristicType: `${PREFIX}on`,
  targetValue,
});
const create = (name: string, actions: readonly unknown[] = [brightness(40)]) =>
  rest.post('/rest/scenes', { homeId: home.home.id, name, actions });
const listed = async (): Promise<readonly string[]> =>
  (await rest.get(`/rest/scenes?home=${home.home.id}`)).body.map(({ name }: { name: string }) => name);
const shown = (accessory: string, iid: string) =>
  home.state.characteristic({ accessoryId: home.named(accessory).id, iid })?.value;

/** A scene that belongs to an automation, as automations keep theirs. */
function putOwned(name: string, automation: string): string {
  const scene = {
    id: crypto.randomUUID(),
    homeId: home.home.id,
    name,
    actions: [{ accessoryId: home.named('Lamp').id, serviceIid: null, type: '25', value: true }],
    automationId: 'a1',
    icon: null,
    color: null,
    createdAt: 1,
  };
  home.storeAutomation('a1', automation);
  new SceneStore(home.database).save(scene);
  home.state.scenes.put(scene);
  return scene.id;
}

describe('PlatformScene', () => {
  it('has id, name and homeId', async () => {
    expect((await create('Evening')).body).toMatchObject({ id: UUID, name: 'Evening', homeId: home.home.id });
  });
});

describe('_scenes', () => {
  it('is an array of the scene names of its home', async () => {
    await create('Evening');
    await create('Breakfast');
    putOwned('Sunset', 'Lights');
    const { body } = await rest.get('/rest/state');
    expect(body[homeKey()]._scenes).toEqual(['Breakfast', 'Evening']);
  });

  it('has the built-in scenes while they would do something', async () => {
    home.driver.event('10:00:00:00:00:01', '1', '9', true);
    expect((await rest.get('/rest/state')).body[homeKey()]._scenes).toEqual(['Good Night', 'Leave Home']);
    home.driver.event('10:00:00:00:00:01', '1', '9', false);
    expect((await rest.get('/rest/state')).body[homeKey()]._scenes).toEqual([]);
  });
});

describe('POST /rest/scene', () => {
  it('executes the scene of this name in the home of this key', async () => {
    const { body } = await create('Evening');
    const answer = await rest.post('/rest/scene', { home: homeKey(), name: 'Evening' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, sceneId: body.id, failed: 0, errors: [] });
    expect(shown('Lamp', '10')).toBe(40);
  });

  it('matches the name ignoring case', async () => {
    await create('Evening');
    expect((await rest.post('/rest/scene', { home: homeKey(), name: 'eVENING' })).body.success).toBe(true);
  });

  it('takes the home’s id or name too', async () => {
    await create('Evening');
    for (const name of [home.home.id, home.home.name, 'my home', homeKey().toUpperCase()]) {
      expect((await rest.post('/rest/scene', { home: name, name: 'Evening' })).body.success).toBe(true);
    }
  });

  it.each([[{}], [{ home: 'x' }], [{ name: 'x' }], [{ home: '', name: 'x' }], [{ home: 'x', name: 5 }]])(
    'requires both home and name: %j',
    async (body) => {
      const answer = await rest.post('/rest/scene', body);
      expect(answer.status).toBe(400);
      expect(answer.body.error).toBe("Both 'home' and 'name' are required");
    },
  );

  it('names the home that is not there', async () => {
    const answer = await rest.post('/rest/scene', { home: 'cottage_1234', name: 'Evening' });
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ error: 'Home not found: cottage_1234', code: 'home_not_found' });
  });

  it('names the scene that is not there, and the home (§7.4)', async () => {
    const answer = await rest.post('/rest/scene', { home: homeKey(), name: 'Party' });
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ error: "Scene 'Party' not found in home 'My Home'", code: 'scene_not_found' });
  });

  it('is refused to callers who may only view', async () => {
    await create('Evening');
    const viewer = createRestClient(createTestApi(home), createToken(home, { [home.home.id]: 'view' }));
    const answer = await viewer.post('/rest/scene', { home: homeKey(), name: 'Evening' });
    expect(answer.status).toBe(403);
    expect(answer.body.error).toBe('insufficient_permissions');
  });
});

describe('GET /rest/scenes', () => {
  it('lists the scenes of the home with their actions', async () => {
    const { body } = await create('Evening', [brightness(40), switchOn('Kettle')]);
    expect((await rest.get(`/rest/scenes?home=${home.home.id}`)).body).toEqual([
      {
        id: body.id,
        name: 'Evening',
        homeId: home.home.id,
        actionCount: 2,
        actionSetType: 'user_defined',
        icon: null,
        color: null,
        isBuiltIn: false,
        lastRun: null,
        actions: [
          { ...brightness(40), accessoryName: 'Lamp' },
          { ...switchOn('Kettle'), accessoryName: 'Kettle' },
        ],
      },
    ]);
  });

  it('lists those of all homes that the token may see where no home is named', async () => {
    home.clock.jumpWallClock(1_000);
    const cottage = home.homes.create(systemCaller, { name: 'Cottage' });
    home.driver.attach(cottage.id, {
      deviceId: 'CC:00:00:00:00:01',
      name: 'Hut',
      setupCode: '031-45-154',
      accessories: [lamp('Hut Lamp')],
    });
    await create('Evening');
    await rest.post('/rest/scenes', { homeId: cottage.id, name: 'Hut', actions: [switchOn('Hut Lamp')] });
    const names = async (client: RestClient) =>
      (await client.get('/rest/scenes')).body.map(({ name }: { name: string }) => name);
    expect(await names(rest)).toEqual(['Evening', 'Hut']);
    const limited = createRestClient(createTestApi(home), createToken(home, { [cottage.id]: 'view' }));
    expect(await names(limited)).toEqual(['Hut']);
  });

  it('leaves out what an automation owns, which is fetched by its id and carries the automation’s name', async () => {
    const id = putOwned('Sunset', 'Lights at sunset');
    expect(await listed()).toEqual([]);
    expect((await rest.get(`/rest/scenes/${id}`)).body).toMatchObject({
      name: 'Sunset',
      actionSetType: 'trigger_owned',
      automationName: 'Lights at sunset',
      isBuiltIn: false,
    });
  });

  it('marks built-in scenes', async () => {
    home.driver.event('10:00:00:00:00:01', '1', '9', true);
    const { body } = await rest.get(`/rest/scenes?home=${home.home.id}`);
    expect(body).toEqual([
      expect.objectContaining({ name: 'Good Night', isBuiltIn: true, actionSetType: 'sleep', actionCount: 1 }),
      expect.objectContaining({ name: 'Leave Home', isBuiltIn: true, actionSetType: 'home_departure', actionCount: 1 }),
    ]);
    expect(body[0].actions).toEqual([{ ...switchOn('Lamp', false), accessoryName: 'Lamp' }]);
  });
});

describe('POST /rest/scenes', () => {
  it('answers with the created scene', async () => {
    const answer = await create('Evening');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual((await rest.get(`/rest/scenes/${answer.body.id}`)).body);
  });

  it('creates nothing if any action is invalid', async () => {
    const answer = await create('Evening', [brightness(40), brightness(140, 'Lamp')]);
    expect(answer.status).toBe(422);
    expect(answer.body.error).toContain('actions[1].targetValue');
    expect(await listed()).toEqual([]);
  });

  it('requires at least one action', async () => {
    const answer = await create('Evening', []);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ error: 'At least one action is required', code: 'invalid_value', field: 'actions' });
  });
});

describe('PATCH /rest/scenes/:id', () => {
  it('changes the name, the actions or both, and answers with the scene', async () => {
    const { id } = (await create('Evening')).body;
    expect((await rest.patch(`/rest/scenes/${id}`, { name: 'Dusk' })).body).toMatchObject({ id, name: 'Dusk' });
    const answer = await rest.patch(`/rest/scenes/${id}`, { name: 'Night', actions: [switchOn('Kettle', false)] });
    expect(answer.body).toMatchObject({ name: 'Night', actionCount: 1 });
    expect(answer.body).toEqual((await rest.get(`/rest/scenes/${id}`)).body);
  });

  it('replaces all existing actions', async () => {
    const { id } = (await create('Evening', [brightness(40), switchOn('Kettle')])).body;
    const { body } = await rest.patch(`/rest/scenes/${id}`, { actions: [switchOn('Heater')] });
    expect(body.actions).toEqual([{ ...switchOn('Heater'), accessoryName: 'Heater' }]);
  });

  it('takes back what GET shows', async () => {
    const { body } = await create('Evening', [brightness(40), switchOn('Kettle')]);
    const answer = await rest.patch(`/rest/scenes/${body.id}`, { actions: body.actions });
    expect(answer.body).toEqual(body);
  });

  it('refuses empty actions and advises deleting the scene', async () => {
    const { id } = (await create('Evening')).body;
    const answer = await rest.patch(`/rest/scenes/${id}`, { actions: [] });
    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatch(/delete it$/);
  });
});

describe('POST /rest/scenes/:id/execute', () => {
  it('executes the scene, without a body', async () => {
    const { id } = (await create('Evening', [brightness(40), switchOn('Kettle')])).body;
    const answer = await rest.post(`/rest/scenes/${id}/execute`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, sceneId: id, failed: 0, errors: [] });
    expect([shown('Lamp', '10'), shown('Kettle', '9')]).toEqual([40, true]);
    const { lastRun } = (await rest.get(`/rest/scenes/${id}`)).body;
    expect(lastRun).toMatchObject({ success: true, actor: { kind: 'access_token' } });
    expect(Date.parse(lastRun.at)).toBe(home.clock.now());
  });

  it('is a success only if every action succeeded', async () => {
    const { id } = (await create('Evening', [brightness(40), switchOn('Kettle')])).body;
    home.driver.setReachable('10:00:00:00:00:01', false);
    const answer = await rest.post(`/rest/scenes/${id}/execute`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: false,
      sceneId: id,
      failed: 1,
      errors: ['Lamp.brightness: Accessory unreachable'],
    });
    expect(shown('Kettle', '9')).toBe(true);
  });

  it('returns "Relay not connected" while the home is offline', async () => {
    const { id } = (await create('Evening')).body;
    home.driver.setHomePaused(home.home.id, true);
    const answer = await rest.post(`/rest/scenes/${id}/execute`);
    expect(answer.status).toBe(503);
    expect(answer.body.error).toBe('Relay not connected');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('DELETE /rest/scenes/:id', () => {
  it('answers with success and the id', async () => {
    const { id } = (await create('Evening')).body;
    expect((await rest.delete(`/rest/scenes/${id.toUpperCase()}`)).body).toEqual({ success: true, sceneId: id });
    expect((await rest.get(`/rest/scenes/${id}`)).status).toBe(404);
  });
});

describe('the scene rules', () => {
  it('1: characteristicType is "public.hap.characteristic." and the characteristic’s name', async () => {
    const thermostat = home.named('Thermostat').id;
    const { body } = await create('Evening', [
      { accessoryId: thermostat, characteristicType: `${PREFIX}heating-cooling.target`, targetValue: 1 },
      { accessoryId: thermostat, characteristicType: `${PREFIX}temperature.target`, targetValue: 20.5 },
      {
        accessoryId: home.named('Front Door').id,
        characteristicType: `${PREFIX}lock-mechanism.target-state`,
        targetValue: 1,
      },
    ]);
    expect(body.actions.map(({ characteristicType }: { characteristicType: string }) => characteristicType)).toEqual([
      `${PREFIX}heating-cooling.target`,
      `${PREFIX}temperature.target`,
      `${PREFIX}lock-mechanism.target-state`,
    ]);
  });

  it('1: on input every other spelling is taken, and shown in that form', async () => {
    for (const [n, spelling] of ['brightness', 'Brightness', '8', '00000008-0000-1000-8000-0026BB765291'].entries()) {
      const { body } = await create(`Scene ${n}`, [{ ...brightness(40), characteristicType: spelling }]);
      expect(body.actions[0].characteristicType).toBe(`${PREFIX}brightness`);
    }
  });

  it.each(['Party!', 'Party :)', 'Fire 🔥', 'Night.', '…'])(
    '2: a name must end with a letter or a number: %s',
    async (name) => {
      const answer = await create(name);
      expect(answer.status).toBe(422);
      expect(answer.body.error).toMatch(/^Scene name must end with a letter or a number/);
      expect(await listed()).toEqual([]);
    },
  );

  it('2: the error offers a name that would do', async () => {
    expect((await create('Party :)')).body.error).toBe(
      'Scene name must end with a letter or a number; "Party" would do',
    );
  });

  it.each(['Party', 'Party 2', 'Fête', '夜', 'Ночь', 'שלום', 'Naïve'])('2: a name may end in %s', async (name) => {
    expect((await create(name)).body.name).toBe(name);
  });

  it('2: names are unique in a home, ignoring case', async () => {
    await create('Evening');
    const answer = await create('EVENING');
    expect(answer.status).toBe(422);
    expect(answer.body.code).toBe('conflict');
  });

  it('3: creating, renaming and replacing actions are there', async () => {
    const { id } = (await create('Evening')).body;
    expect((await rest.patch(`/rest/scenes/${id}`, { name: 'Dusk', actions: [brightness(1)] })).status).toBe(200);
  });

  it('4: built-in scenes cannot be modified or deleted', async () => {
    home.driver.event('10:00:00:00:00:01', '1', '9', true);
    const [{ id }] = (await rest.get('/rest/scenes')).body;
    const modified = await rest.patch(`/rest/scenes/${id}`, { name: 'Night' });
    expect([modified.status, modified.body.error]).toEqual([422, 'Built-in scenes cannot be modified']);
    const deleted = await rest.delete(`/rest/scenes/${id}`);
    expect([deleted.status, deleted.body.error]).toEqual([422, 'Built-in scenes cannot be deleted']);
  });

  it('4: scenes owned by an automation cannot be modified or deleted; the error names it, to be deleted instead', async () => {
    const id = putOwned('Sunset', 'Lights at sunset');
    const refused = [422, 'Scene is used by automation "Lights at sunset". Delete that automation instead'];
    const modified = await rest.patch(`/rest/scenes/${id}`, { name: 'Dusk' });
    expect([modified.status, modified.body.error]).toEqual(refused);
    const deleted = await rest.delete(`/rest/scenes/${id}`);
    expect([deleted.status, deleted.body.error]).toEqual(refused);
  });
});
