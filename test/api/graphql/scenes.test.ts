import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSchema } from '../../../src/api/graphql/schema.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { createGraphqlFixture, type GraphqlFixture } from './graphql-fixture.ts';

const SCENE =
  'id name homeId actionCount actionSetType isBuiltIn automationName actions actionList { accessoryId accessoryName characteristicType propertyName serviceId targetValue }';
const CREATE = `mutation($homeId: String!, $name: String!, $actions: JSON!) {
  createScene(homeId: $homeId, name: $name, actions: $actions) { ${SCENE} }
}`;

let home: TestHome;
let fixture: GraphqlFixture;

beforeEach(() => {
  home = createTestHome({ sample: true });
  fixture = createGraphqlFixture(home, createSchema());
});
afterEach(() => home.close());

function actions() {
  return [
    { accessoryId: home.named('Lamp').id, characteristicType: 'brightness', targetValue: 20 },
    { accessoryId: home.named('Heater').id, characteristicType: 'power_state', targetValue: true },
  ];
}

describe('scenes in GraphQL', () => {
  it('are made from a JSON text and from a list alike', async () => {
    const text = await fixture.ask(CREATE.replace('$actions: JSON!', '$actions: String!'), {
      homeId: home.home.id,
      name: 'One',
      actions: JSON.stringify(actions()),
    });
    const list = await fixture.ask(CREATE, { homeId: home.home.id, name: 'Two', actions: actions() });
    expect(text.body.errors).toBeUndefined();
    expect(list.body.errors).toBeUndefined();
    const { id, name, actionList, ...rest } = text.body.data.createScene;
    expect(list.body.data.createScene).toMatchObject({ ...rest, actionList });
    expect(name).toBe('One');
    expect(rest).toMatchObject({
      homeId: home.home.id,
      actionCount: 2,
      actionSetType: 'user_defined',
      isBuiltIn: false,
    });
    expect(JSON.parse(rest.actions)).toEqual([
      {
        accessoryId: home.named('Lamp').id,
        accessoryName: 'Lamp',
        characteristicType: 'public.hap.characteristic.brightness',
        targetValue: 20,
      },
      expect.objectContaining({ accessoryName: 'Heater', targetValue: true }),
    ]);
    expect(actionList[0]).toEqual({
      accessoryId: home.named('Lamp').id,
      accessoryName: 'Lamp',
      characteristicType: 'public.hap.characteristic.brightness',
      propertyName: 'brightness',
      serviceId: null,
      targetValue: 20,
    });
    expect(home.state.scenes.find(id)?.name).toBe('One');
  });

  it('are refused whole: a bad action, text that is no JSON, a name that ends in a dot', async () => {
    const { id: homeId } = home.home;
    const bad = await fixture.ask(CREATE, { homeId, name: 'X', actions: [...actions(), { accessoryId: 'nobody' }] });
    const noJson = await fixture.ask(CREATE, { homeId, name: 'X', actions: '[{' });
    const dot = await fixture.ask(CREATE, { homeId, name: 'Movie.', actions: actions() });
    for (const { body } of [bad, noJson, dot]) expect(body.data).toEqual({ createScene: null });
    expect(noJson.body.errors[0].extensions).toMatchObject({ code: 'INVALID_VALUE', field: 'actions' });
    expect(dot.body.errors[0].message).toContain('Movie');
    expect(home.state.scenes.list(homeId)).toEqual([]);
  });

  it('are renamed, given other actions, listed and deleted', async () => {
    const { id: homeId } = home.home;
    const created = await fixture.ask(CREATE, { homeId, name: 'Movie', actions: actions() });
    const { id } = created.body.data.createScene;
    const changed = await fixture.ask(
      'mutation($id: String!, $actions: JSON) { updateScene(sceneId: $id, name: "Film", actions: $actions) { name actionCount } }',
      { id, actions: JSON.stringify(actions().slice(0, 1)) },
    );
    expect(changed.body.data.updateScene).toEqual({ name: 'Film', actionCount: 1 });
    const listed = await fixture.ask('query($h: String!) { scenes(homeId: $h) { id isBuiltIn } }', { h: homeId });
    expect(listed.body.data.scenes[0]).toEqual({ id, isBuiltIn: false });
    const remove = 'mutation($id: String!) { deleteScene(sceneId: $id) { success sceneId error code } }';
    expect((await fixture.ask(remove, { id })).body.data.deleteScene).toEqual({
      success: true,
      sceneId: id,
      error: null,
      code: null,
    });
    expect((await fixture.ask(remove, { id })).body.data.deleteScene).toEqual({
      success: false,
      sceneId: id,
      error: 'Scene not found',
      code: 'scene_not_found',
    });
  });

  it('can be captured from what is on now', async () => {
    const { id } = home.named('Lamp');
    const { body } = await fixture.ask(
      'mutation($h: String!, $ids: [String!]) { captureScene(homeId: $h, name: "Now", accessoryIds: $ids) { name actionList { accessoryId } } }',
      { h: home.home.id, ids: [id] },
    );
    expect(body.errors).toBeUndefined();
    expect(body.data.captureScene.actionList.length).toBeGreaterThan(0);
    for (const action of body.data.captureScene.actionList) expect(action.accessoryId).toBe(id);
  });

  it('show when they ran last, and who ran them', async () => {
    const { id: homeId } = home.home;
    const created = await fixture.ask(CREATE, { homeId, name: 'Movie', actions: actions() });
    const { id } = created.body.data.createScene;
    const lastRun = async () => {
      const query = 'query($id: String!) { scene(sceneId: $id) { lastRun { at success actor { kind } } } }';
      return (await fixture.ask(query, { id })).body.data.scene.lastRun;
    };
    expect(await lastRun()).toBeNull();
    await home.scenes.execute(systemCaller, id);
    const at = new Date(home.clock.now()).toISOString();
    expect(await lastRun()).toEqual({ at, success: true, actor: { kind: 'relay' } });
  });

  it('report each action when executed, and fail as a whole if one does', async () => {
    const created = await fixture.ask(CREATE, { homeId: home.home.id, name: 'Movie', actions: actions() });
    const { id } = created.body.data.createScene;
    home.driver.setReachable('10:00:00:00:00:06', false);
    const { body } = await fixture.ask(
      `mutation($id: String!) { executeScene(sceneId: $id) {
        success sceneId failed error code errors outcomes { accessoryId characteristicType success value error code }
      } }`,
      { id },
    );
    expect(body.errors).toBeUndefined();
    const result = body.data.executeScene;
    expect(result).toMatchObject({ success: false, sceneId: id, failed: 1, code: 'accessory_unreachable' });
    expect(result.error).toBe(result.errors[0]);
    expect(result.outcomes).toEqual([
      {
        accessoryId: home.named('Lamp').id,
        characteristicType: 'brightness',
        success: true,
        value: 20,
        error: null,
        code: null,
      },
      expect.objectContaining({
        characteristicType: 'power_state',
        success: false,
        value: null,
        code: 'accessory_unreachable',
      }),
    ]);
  });

  it('of another home than the one named are not found', async () => {
    const created = await fixture.ask(CREATE, { homeId: home.home.id, name: 'Movie', actions: actions() });
    const { id } = created.body.data.createScene;
    const { body } = await fixture.ask(
      'mutation($id: String!, $h: String) { executeScene(sceneId: $id, homeId: $h) { success code failed outcomes { success } } }',
      { id, h: crypto.randomUUID() },
    );
    expect(body.data.executeScene).toEqual({ success: false, code: 'scene_not_found', failed: 0, outcomes: [] });
  });

  it('that are built in are marked so and can’t be deleted', async () => {
    await home.control.setCharacteristic(systemCaller, {
      accessoryId: home.named('Lamp').id,
      characteristicType: 'on',
      value: true,
    });
    const { body } = await fixture.ask(
      'query($h: String!) { scenes(homeId: $h) { id name isBuiltIn actionSetType } }',
      {
        h: home.home.id,
      },
    );
    const night = body.data.scenes.find(({ name }: { name: string }) => name === 'Good Night');
    expect(night).toMatchObject({ isBuiltIn: true, actionSetType: 'sleep' });
    const removed = await fixture.ask('mutation($id: String!) { deleteScene(sceneId: $id) { success code } }', {
      id: night.id,
    });
    expect(removed.body.data.deleteScene).toEqual({ success: false, code: 'conflict' });
  });
});
