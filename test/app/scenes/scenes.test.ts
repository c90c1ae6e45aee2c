import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SceneStore } from '../../../src/app/scenes/scene-store.ts';
import type { NewScene, SceneChanges } from '../../../src/contract/scenes.ts';
import type { Scene } from '../../../src/home/model.ts';
import { endsInLetterOrNumber } from '../../../src/home/names.ts';
import { lamp, plainSwitch } from '../../support/sample-accessories.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { callerOf, createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';
import { attach, strip } from './scene-home.ts';

const code = (expected: string, message?: string) =>
  expect.objectContaining(message === undefined ? { code: expected } : { code: expected, message });

let test: TestHome;

beforeEach(() => {
  test = createTestHome({ sample: true });
});

afterEach(() => test.close());

const idOf = (name: string): string => test.named(name).id;
const on = (name: string, targetValue: unknown = true) => ({
  accessoryId: idOf(name),
  characteristicType: 'on',
  targetValue,
});
const create = (name: unknown, actions: unknown = [on('Lamp')], caller = systemCaller) =>
  test.scenes.create(caller, { homeId: test.home.id, name, actions } as NewScene);
const stored = () => test.database.prepare('SELECT name, actions FROM scenes ORDER BY name').all();

/** As the automations will keep them. */
function own(name: string, automationId: string): Scene {
  const actions = [{ accessoryId: idOf('Lamp'), serviceIid: null, type: '25', value: true }];
  const scene = {
    id: crypto.randomUUID(),
    homeId: test.home.id,
    name,
    actions,
    automationId,
    icon: null,
    color: null,
    createdAt: 1,
  };
  new SceneStore(test.database).save(scene);
  test.state.scenes.put(scene);
  return scene;
}

describe('making a scene', () => {
  it('keeps each value as its device takes it, under the type of its characteristic', () => {
    const scene = create('Evening', [
      on('Lamp', 'on'),
      {
        accessoryId: idOf('Lamp').toUpperCase(),
        characteristicType: 'public.hap.characteristic.brightness',
        targetValue: '40',
      },
      { accessoryId: idOf('Thermostat'), characteristicType: 'hvac_mode', targetValue: 'heat' },
      { accessoryId: idOf('Thermostat'), characteristicType: 'targetTemperature', targetValue: 21.04 },
    ]);
    expect(scene).toMatchObject({ name: 'Evening', homeId: test.home.id, builtIn: null, automationName: null });
    expect(scene.actions).toEqual([
      { accessoryId: idOf('Lamp'), serviceIid: null, type: '25', value: true },
      { accessoryId: idOf('Lamp'), serviceIid: null, type: '8', value: 40 },
      { accessoryId: idOf('Thermostat'), serviceIid: null, type: '33', value: 1 },
      { accessoryId: idOf('Thermostat'), serviceIid: null, type: '35', value: 21 },
    ]);
  });

  it('distinguishes services of one accessory, by number or by id', () => {
    const id = attach(test, strip('Strip', 'Screen', 'Printer'));
    const action = { accessoryId: id, targetValue: true };
    const byNumber = create('A', [
      { ...action, characteristicType: 'power_state' },
      { ...action, characteristicType: 'power_state_2' },
    ]);
    const byId = create('B', [
      { ...action, characteristicType: 'on', serviceId: `${id}.8` },
      { ...action, characteristicType: 'public.hap.characteristic.on', serviceId: '18' },
    ]);
    expect(byNumber.actions.map(({ serviceIid }) => serviceIid)).toEqual([null, '18']);
    expect(byId.actions).toEqual(byNumber.actions);
  });

  it.each<[string, (lampId: string) => unknown, string, string]>([
    ['no list', () => ({}), 'invalid_value', 'actions'],
    ['a list of nothing', () => [], 'invalid_value', 'actions'],
    ['an action that is no object', () => [5], 'invalid_value', 'actions[0]'],
    [
      'an action without accessory',
      () => [{ characteristicType: 'on', targetValue: 1 }],
      'invalid_request',
      'actions[0].accessoryId',
    ],
    ['an accessory that is no text', () => [{ accessoryId: 5 }], 'invalid_value', 'actions[0].accessoryId'],
    [
      'an accessory that is not there',
      () => [{ accessoryId: 'x', characteristicType: 'on', targetValue: 1 }],
      'accessory_not_found',
      'actions[0].accessoryId',
    ],
    [
      'no characteristic',
      (id) => [{ accessoryId: id, targetValue: 1 }],
      'invalid_request',
      'actions[0].characteristicType',
    ],
    [
      'an unknown characteristic',
      (id) => [{ accessoryId: id, characteristicType: 'colour', targetValue: 1 }],
      'characteristic_not_found',
      'actions[0].characteristicType',
    ],
    [
      'a read-only characteristic',
      (id) => [{ accessoryId: id, characteristicType: 'model', targetValue: 'X' }],
      'characteristic_not_writable',
      'actions[0].characteristicType',
    ],
    ['no value', (id) => [{ accessoryId: id, characteristicType: 'on' }], 'invalid_request', 'actions[0].targetValue'],
    [
      'a value of nothing',
      (id) => [{ accessoryId: id, characteristicType: 'on', targetValue: null }],
      'invalid_value',
      'actions[0].targetValue',
    ],
    [
      'a value out of range',
      (id) => [{ accessoryId: id, characteristicType: 'brightness', targetValue: 101 }],
      'invalid_value',
      'actions[0].targetValue',
    ],
    [
      'an unknown field',
      (id) => [{ accessoryId: id, characteristicType: 'on', targetValue: 1, delay: 2 }],
      'invalid_request',
      'actions[0].delay',
    ],
    [
      'an unknown service',
      (id) => [{ accessoryId: id, characteristicType: 'on', targetValue: 1, serviceId: `${id}.99` }],
      'characteristic_not_found',
      'actions[0].serviceId',
    ],
  ])('refuses %s, naming its place, and creates nothing', (_, actionsOf, expected, field) => {
    const actions = actionsOf(idOf('Lamp'));
    const second = Array.isArray(actions) && actions.length > 0 ? [on('Kettle'), ...actions] : actions;
    const place = field.replace('actions[0]', 'actions[1]');
    const version = test.state.version;
    expect(() => create('Evening', actions)).toThrow(expect.objectContaining({ code: expected, details: { field } }));
    expect(() => create('Evening', second)).toThrow(expect.objectContaining({ details: { field: place } }));
    if (field.includes('['))
      expect(() => create('Evening', second)).toThrow(
        expect.objectContaining({ message: expect.stringContaining(place) }),
      );
    expect(stored()).toEqual([]);
    expect(test.state.version).toBe(version);
  });

  it('refuses the same characteristic twice, naming both', () => {
    const again = { ...on('Lamp', false), characteristicType: 'power_state' };
    expect(() => create('Evening', [on('Lamp'), on('Kettle'), again])).toThrow(
      code('invalid_value', "actions[2]: actions[0] sets power_state of 'Lamp' already; keep one of the two"),
    );
  });

  it('knows no accessory of another home', () => {
    const cottage = test.homes.create(systemCaller, { name: 'Cottage' });
    expect(() =>
      test.scenes.create(systemCaller, { homeId: cottage.id, name: 'Evening', actions: [on('Lamp')] }),
    ).toThrow(code('accessory_not_found'));
    expect(() => test.scenes.create(systemCaller, { homeId: 'nowhere', name: 'Evening', actions: [] })).toThrow(
      code('home_not_found'),
    );
  });

  it('has at most 500 actions, and a home at most 500 scenes', () => {
    expect(() =>
      create(
        'Evening',
        Array.from({ length: 501 }, () => on('Lamp')),
      ),
    ).toThrow(code('invalid_value', 'A scene has at most 500 actions; these are 501'));
    for (let n = 0; n < 500; n += 1) create(`Scene ${n}`);
    expect(() => create('One more')).toThrow(code('conflict'));
    own('Of an automation', 'a1');
    expect(test.scenes.list(systemCaller, test.home.id)).toHaveLength(500);
  });

  it('is for admins', () => {
    for (const role of ['view', 'control'] as const) {
      expect(() => create('Evening', undefined, tokenCaller({ [test.home.id]: role }))).toThrow(
        code('insufficient_permissions'),
      );
    }
    expect(() => create('Evening', undefined, tokenCaller({ elsewhere: 'control' }))).toThrow(code('home_not_found'));
  });

  it('changes nothing in memory when it can’t be stored', () => {
    test.database.exec('DROP TABLE scenes');
    expect(() => create('Evening')).toThrow();
    expect(test.scenes.namesIn(test.home.id)).toEqual([]);
  });
});

describe('the names of scenes', () => {
  it('are unique in a home ignoring case, built-in ones included', () => {
    create('Movie Night');
    expect(() => create('MOVIE  night')).toThrow(code('conflict', 'There is a scene named "MOVIE  night" already.'));
    expect(() => create('good night')).toThrow(code('conflict'));
    own('Wake up', 'a1');
    expect(create('Wake up').name).toBe('Wake up');
    const cottage = test.homes.create(systemCaller, { name: 'Cottage' });
    const accessoryId = attach(test, lamp('Cottage Lamp'), cottage.id);
    const actions = [{ accessoryId, characteristicType: 'on', targetValue: true }];
    expect(test.scenes.create(systemCaller, { homeId: cottage.id, name: 'Movie Night', actions }).name).toBe(
      'Movie Night',
    );
  });

  it('that end otherwise are refused with one that would do, which then does', () => {
    expect(() => create('Party!')).toThrow(
      code('invalid_value', 'Scene name must end with a letter or a number; "Party" would do'),
    );
    expect(() => create('!!!')).toThrow(code('invalid_value', 'Scene name must end with a letter or a number'));
    expect(create('Fête à 20 ½').name).toBe('Fête à 20 ½');
  });

  it('are taken exactly when they end with a letter or a number; else the suggestion is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }), (text) => {
        const attempt = (name: string): string => {
          try {
            const scene = create(name);
            test.scenes.delete(systemCaller, scene.id);
            return 'taken';
          } catch (error) {
            return (error as Error).message;
          }
        };
        const answer = attempt(text);
        if (answer === 'taken') expect(endsInLetterOrNumber(text.trim())).toBe(true);
        const [, suggestion] = /; "([\s\S]*)" would do$/.exec(answer) ?? [];
        if (suggestion !== undefined) expect(attempt(suggestion)).toBe('taken');
      }),
      { numRuns: 500 },
    );
  });
});

describe('changing a scene', () => {
  it('sets its icon and its color, which stay when something else changes and go with null', () => {
    const scene = test.scenes.create(systemCaller, {
      ...{ homeId: test.home.id, name: 'Evening', icon: 'film', color: 'blue' },
      actions: [on('Lamp')],
    });
    expect(scene).toMatchObject({ icon: 'film', color: 'blue' });
    test.scenes.update(systemCaller, scene.id, { name: 'Film night' });
    test.scenes.update(systemCaller, scene.id, { color: null });
    const [kept] = new SceneStore(test.database).load();
    expect(kept).toMatchObject({ name: 'Film night', icon: 'film', color: null });
    for (const wrong of [{ icon: 'no-icon' }, { color: 'beige' }]) {
      expect(() => test.scenes.update(systemCaller, scene.id, wrong as SceneChanges)).toThrow(code('invalid_value'));
    }
  });

  it('renames it, replaces its actions, or both', () => {
    const { id, actions } = create('Evening');
    expect(test.scenes.update(systemCaller, id, { name: 'evening' })).toMatchObject({ name: 'evening', actions });
    const replaced = test.scenes.update(systemCaller, id.toUpperCase(), { actions: [on('Kettle')] });
    expect(replaced.actions.map(({ accessoryId }) => accessoryId)).toEqual([idOf('Kettle')]);
    expect(test.scenes.update(systemCaller, id, { name: 'Dusk', actions: [on('Lamp')] })).toMatchObject({
      name: 'Dusk',
      actions,
    });
    expect(test.scenes.get(systemCaller, id)).toMatchObject({ name: 'Dusk', actions });
  });

  it.each([
    [
      { name: 'Dusk', actions: [{ accessoryId: 'x', characteristicType: 'on', targetValue: 1 }] },
      'accessory_not_found',
    ],
    [{ name: 'Dusk!', actions: [] }, 'invalid_value'],
    [{ name: 'Taken', actions: undefined }, 'conflict'],
    [{ name: 7 }, 'invalid_value'],
    [{}, 'invalid_request'],
  ])('does all of it or nothing: %j', (changes, expected) => {
    create('Taken');
    const before = create('Evening');
    expect(() => test.scenes.update(systemCaller, before.id, changes as SceneChanges)).toThrow(code(expected));
    expect(test.scenes.get(systemCaller, before.id)).toEqual(before);
    expect(stored()).toHaveLength(2);
  });

  it('advises deleting it where no action would be left', () => {
    const { id } = create('Evening');
    expect(() => test.scenes.update(systemCaller, id, { actions: [] })).toThrow(
      code('invalid_value', 'At least one action is required; to be rid of the scene, delete it'),
    );
  });

  it('is for admins, and strangers find nothing', () => {
    const { id } = create('Evening');
    const controller = tokenCaller({ [test.home.id]: 'control' });
    const stranger = tokenCaller({ elsewhere: 'control' });
    for (const change of [
      (caller: typeof systemCaller) => test.scenes.update(caller, id, { name: 'X' }),
      (caller: typeof systemCaller) => test.scenes.delete(caller, id),
    ]) {
      expect(() => change(controller)).toThrow(code('insufficient_permissions'));
      expect(() => change(stranger)).toThrow(code('scene_not_found', 'Scene not found'));
    }
    expect(() => test.scenes.delete(systemCaller, 'nothing')).toThrow(code('scene_not_found', 'Scene not found'));
    test.scenes.delete(systemCaller, id);
    expect(stored()).toEqual([]);
    expect(() => test.scenes.get(systemCaller, id)).toThrow(code('scene_not_found'));
  });
});

describe('a scene that an automation owns', () => {
  it('is fetched by id and executed, but not listed', async () => {
    const scene = own('Sunset', 'a1');
    test.storeAutomation('a1', 'Lights at sunset');
    expect(test.scenes.get(systemCaller, scene.id)).toMatchObject({
      name: 'Sunset',
      automationName: 'Lights at sunset',
    });
    expect(test.scenes.list(systemCaller)).toEqual([]);
    expect(test.scenes.namesIn(test.home.id)).toEqual([]);
    expect(() => test.scenes.findByName(systemCaller, test.home.id, 'Sunset')).toThrow(code('scene_not_found'));
    expect(await test.scenes.execute(systemCaller, scene.id)).toMatchObject({ success: true });
  });

  it('is not changed or deleted: the error names the automation', () => {
    const scene = own('Sunset', 'a1');
    test.storeAutomation('a1', 'Lights at sunset');
    const refused = code('conflict', 'Scene is used by automation "Lights at sunset". Delete that automation instead');
    expect(() => test.scenes.update(systemCaller, scene.id, { name: 'Dusk' })).toThrow(refused);
    expect(() => test.scenes.delete(systemCaller, scene.id)).toThrow(refused);
    expect(test.scenes.get(systemCaller, scene.id).name).toBe('Sunset');
  });
});

describe('executing a scene', () => {
  it('writes everything at once, in the order given, and announces it on the bus', async () => {
    const events: unknown[] = [];
    test.bus.on('scene.executed', (event) => events.push(event));
    const { id } = create('Evening', [
      { accessoryId: idOf('Thermostat'), characteristicType: 'hvac_mode', targetValue: 'cool' },
      on('Lamp'),
      { accessoryId: idOf('Thermostat'), characteristicType: 'target_temp', targetValue: 19 },
    ]);
    expect(await test.scenes.execute(tokenCaller({ [test.home.id]: 'control' }), id)).toEqual({
      success: true,
      sceneId: id,
      failed: 0,
      errors: [],
      outcomes: [
        { accessoryId: idOf('Thermostat'), characteristicType: '33', ok: true, value: 2 },
        { accessoryId: idOf('Lamp'), characteristicType: '25', ok: true, value: true },
        { accessoryId: idOf('Thermostat'), characteristicType: '35', ok: true, value: 19 },
      ],
    });
    expect(test.driver.writes.map((writes) => writes.map(({ iid, value }) => [iid, value]))).toEqual([
      [
        ['12', 2],
        ['9', true],
        ['10', 19],
      ],
    ]);
    expect(events).toEqual([
      { homeId: test.home.id, sceneId: id, name: 'Evening', success: true, at: test.clock.now() },
    ]);
  });

  it('reports each action that failed, naming accessory and characteristic, and does the others', async () => {
    const events: boolean[] = [];
    test.bus.on('scene.executed', ({ success }) => events.push(success));
    const { id } = create('Evening', [on('Lamp'), on('Kettle'), on('Heater')]);
    test.driver.setReachable('10:00:00:00:00:01', false);
    test.driver.describe('10:00:00:00:00:06', [plainSwitch('Heater', '2')]);
    const { outcomes, ...result } = await test.scenes.execute(systemCaller, id);
    expect(result).toEqual({
      success: false,
      sceneId: id,
      failed: 2,
      errors: ['Lamp.power_state: Accessory unreachable', 'Kettle.power_state: Accessory unreachable'],
    });
    expect(outcomes.map(({ ok }) => ok)).toEqual([false, false, true]);
    expect(events).toEqual([false]);
  });

  it('counts an accessory that is gone as a failed action', async () => {
    const lampId = idOf('Lamp');
    const { id } = create('Evening', [on('Lamp'), on('Kettle')]);
    await test.pairings.unpair(systemCaller, '10:00:00:00:00:01');
    expect(await test.scenes.execute(systemCaller, id)).toMatchObject({
      success: false,
      failed: 1,
      errors: [`${lampId}.power_state: Accessory not found`],
    });
  });

  it('names the second of several services by its number', async () => {
    const accessoryId = attach(test, strip('Strip', 'Screen', 'Printer'));
    const { id } = create('Evening', [{ accessoryId, characteristicType: 'on_2', targetValue: false }]);
    test.driver.scriptWrites(() => 'busy');
    const { errors } = await test.scenes.execute(systemCaller, id);
    expect(errors).toEqual(['Strip.power_state_2: The accessory is busy; try again in a moment']);
  });

  it('finds out what a device does not take any more', async () => {
    const { id } = create('Evening', [
      { accessoryId: idOf('Lamp'), characteristicType: 'brightness', targetValue: 80 },
    ]);
    test.driver.describe('10:00:00:00:00:01', [plainSwitch('Lamp')]);
    const { errors } = await test.scenes.execute(systemCaller, id);
    expect(errors).toEqual([expect.stringContaining('Lamp.brightness: Unknown property')]);
    expect(test.driver.writes).toEqual([]);
  });

  it('is for callers who may control the home', async () => {
    const { id } = create('Evening');
    const share = callerOf({
      kind: 'share_link',
      shareHash: 'hash',
      homeIds: new Set([test.home.id]),
      role: 'control',
      accessoryIds: new Set([idOf('Lamp')]),
    });
    const viewer = tokenCaller({ [test.home.id]: 'view' });
    await expect(test.scenes.execute(viewer, id)).rejects.toThrow(code('insufficient_permissions'));
    await expect(test.scenes.execute(tokenCaller({ elsewhere: 'control' }), id)).rejects.toThrow(
      code('scene_not_found'),
    );
    await expect(test.scenes.execute(share, id)).rejects.toThrow(code('scene_not_found'));
    expect(test.scenes.list(share)).toEqual([]);
    expect(test.driver.writes).toEqual([]);
  });

  it('sends nothing while the home is paused', async () => {
    const { id } = create('Evening');
    test.homes.update(systemCaller, test.home.id, { paused: true });
    await expect(test.scenes.execute(systemCaller, id)).rejects.toThrow(
      code('relay_not_connected', 'Relay not connected'),
    );
    expect(test.driver.writes).toEqual([]);
  });
});

describe('finding scenes', () => {
  it('lists them by name, home by home', () => {
    for (const name of ['Scene 10', 'scene 2', 'Alarm']) create(name);
    // Homes are listed as they were made.
    test.clock.jumpWallClock(1_000);
    const cottage = test.homes.create(systemCaller, { name: 'Cottage' });
    const accessoryId = attach(test, lamp('Cottage Lamp'), cottage.id);
    const actions = [{ accessoryId, characteristicType: 'on', targetValue: true }];
    test.scenes.create(systemCaller, { homeId: cottage.id, name: 'Away', actions });
    const names = (homeId?: string, caller = systemCaller) => test.scenes.list(caller, homeId).map(({ name }) => name);
    expect(names()).toEqual(['Alarm', 'scene 2', 'Scene 10', 'Away']);
    expect(names(cottage.id)).toEqual(['Away']);
    expect(names(undefined, tokenCaller({ [cottage.id]: 'view' }))).toEqual(['Away']);
    expect(() => names(test.home.id, tokenCaller({ [cottage.id]: 'view' }))).toThrow(code('home_not_found'));
  });

  it('finds one by its name, ignoring case', () => {
    const { id } = create('Movie Night');
    expect(test.scenes.findByName(systemCaller, test.home.id, ' movie night').id).toBe(id);
    expect(() => test.scenes.findByName(systemCaller, test.home.id, 'Movie')).toThrow(
      code('scene_not_found', "Scene 'Movie' not found in home 'My Home'"),
    );
  });
});

describe('across a restart', () => {
  it('scenes are what they were', async () => {
    using directory = createTempDirectory('scenes');
    const first = createTestHome({ path: directory.file('relay.db'), sample: true });
    const action = (targetValue: unknown) => ({
      accessoryId: first.named('Lamp').id,
      characteristicType: 'brightness',
      targetValue,
    });
    const kept = first.scenes.create(systemCaller, { homeId: first.home.id, name: 'Kept', actions: [action(10)] });
    first.scenes.update(systemCaller, kept.id, { actions: [action(20)] });
    const gone = first.scenes.create(systemCaller, { homeId: first.home.id, name: 'Gone', actions: [action(30)] });
    first.scenes.delete(systemCaller, gone.id);
    // As good as SIGKILL: no part is asked to stop.
    first.database.close();
    const second = createTestHome({ path: directory.file('relay.db'), sample: true });
    expect(second.scenes.list(systemCaller)).toEqual([{ ...kept, actions: [{ ...kept.actions[0], value: 20 }] }]);
    expect(await second.scenes.execute(systemCaller, kept.id)).toMatchObject({ success: true });
    second.close();
  });

  it('actions that rotted on the disk are left out, and the rest stays', () => {
    using directory = createTempDirectory('scenes');
    const first = createTestHome({ path: directory.file('relay.db'), sample: true });
    const actions = [{ accessoryId: first.named('Lamp').id, characteristicType: 'on', targetValue: true }];
    for (const name of ['Half', 'Whole', 'Rotten'])
      first.scenes.create(systemCaller, { homeId: first.home.id, name, actions });
    const rot = first.database.prepare('UPDATE scenes SET actions = ? WHERE name = ?');
    rot.run(
      JSON.stringify([{ accessoryId: 5 }, null, { accessoryId: 'x', serviceIid: null, type: '25', value: true }]),
      'Half',
    );
    rot.run('{"', 'Rotten');
    first.close();
    const second = createTestHome({ path: directory.file('relay.db'), sample: true });
    const counts = second.scenes.list(systemCaller).map(({ name, actions: left }) => [name, left.length]);
    expect(counts).toEqual([
      ['Half', 1],
      ['Rotten', 0],
      ['Whole', 1],
    ]);
    second.close();
  });

  it('a home that is deleted takes its scenes along', () => {
    const cottage = test.homes.create(systemCaller, { name: 'Cottage' });
    const scene = { ...own('Old', 'a1'), id: crypto.randomUUID(), homeId: cottage.id };
    new SceneStore(test.database).save(scene);
    test.state.scenes.put(scene);
    test.homes.delete(systemCaller, cottage.id);
    expect(stored()).toHaveLength(1);
    expect(test.state.scenes.find(scene.id)).toBeUndefined();
  });
});
