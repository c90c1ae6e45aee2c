/**
 * Decisions §14, API §2.4 and §4.1 rule 4: the scene that a native automation owns, on every API that shows the
 * automation.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { createSchema } from '../../src/api/graphql/schema.ts';
import { createGraphqlFixture } from '../api/graphql/graphql-fixture.ts';
import { type AutomationHome, createAutomationHome } from '../support/automation-home.ts';
import { createMcpClient } from '../support/mcp-client.ts';
import { createRestClient, createTestApi, createToken } from '../support/rest-client.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { systemCaller } from '../support/test-home.ts';

let home: AutomationHome;
let directory: TempDirectory | undefined;

afterEach(async () => {
  await home.stop();
  directory?.remove();
  directory = undefined;
});

const TIMER = { type: 'timer', fireDate: '2030-01-02T07:00:00Z' };
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

function open(options: Parameters<typeof createAutomationHome>[0] = {}) {
  home = createAutomationHome({ sample: true, ...options });
  return createRestClient(createTestApi(home), createToken(home));
}

const lampOn = () => ({ accessoryId: home.named('Lamp').id, characteristicType: 'power_state', targetValue: true });

async function create(rest: ReturnType<typeof open>, name = 'Evening') {
  const input = { homeId: home.home.id, name, trigger: TIMER, actions: [lampOn()] };
  const { status, body } = await rest.post('/rest/automations', input);
  expect(status).toBe(200);
  return body;
}

describe('the scene of a native automation', () => {
  it('is named by sceneId in REST and can be fetched by that id', async () => {
    const rest = open();
    const automation = await create(rest);
    expect((await rest.get('/rest/automations')).body).toEqual([automation]);
    const { status, body } = await rest.get(`/rest/scenes/${automation.sceneId.toUpperCase()}`);
    expect([status, body]).toEqual([
      200,
      {
        id: automation.sceneId,
        name: 'Evening',
        homeId: home.home.id,
        actionCount: 1,
        actionSetType: 'trigger_owned',
        automationId: automation.id,
        automationName: 'Evening',
        icon: null,
        color: null,
        isBuiltIn: false,
        lastRun: null,
        actions: [
          {
            accessoryId: home.named('Lamp').id,
            accessoryName: 'Lamp',
            characteristicType: 'public.hap.characteristic.on',
            targetValue: true,
          },
        ],
      },
    ]);
  });

  it('is named by sceneId in GraphQL and can be fetched by that id', async () => {
    const { id, sceneId } = await create(open());
    const { body } = await createGraphqlFixture(home, createSchema()).ask(
      `query($homeId: String!, $id: String!, $sceneId: String!) {
        automations(homeId: $homeId) { sceneId }
        automation(automationId: $id) { sceneId }
        scene(sceneId: $sceneId) { id automationId automationName actionSetType }
        scenes(homeId: $homeId) { id }
      }`,
      { homeId: home.home.id, id, sceneId },
    );
    expect(body.data).toEqual({
      automations: [{ sceneId }],
      automation: { sceneId },
      scene: { id: sceneId, automationId: id, automationName: 'Evening', actionSetType: 'trigger_owned' },
      scenes: [],
    });
  });

  it('is named by scene_id in MCP, where scene tools take the id', async () => {
    const { sceneId } = await create(open());
    const api = createTestApi(home);
    const { call } = createMcpClient(api, createToken(home));
    const { data: automations } = await call('get_automations');
    const [[key, [shown]]] = Object.entries(automations) as [[string, [{ scene_id: string }]]];
    expect(shown.scene_id).toBe(sceneId);
    const ran = await call('run_scene', { home: key, name: sceneId });
    expect(ran.data).toMatchObject({ success: true, scene: { id: sceneId, name: 'Evening' } });
    expect((await call('delete_scene', { home: key, name: sceneId })).data.error).toContain('automation "Evening"');
    expect((await call('run_scene', { home: key, name: UNKNOWN })).data.code).toBe('scene_not_found');
  });

  it('is in no list of scenes, neither in _scenes', async () => {
    const rest = open();
    await create(rest);
    expect((await rest.get('/rest/scenes')).body).toEqual([]);
    expect((await rest.get(`/rest/scenes?home=${home.home.id}`)).body).toEqual([]);
    expect((await rest.get('/rest/state')).text).not.toContain('Evening');
  });

  it('is executed by id as any scene', async () => {
    const rest = open();
    const { sceneId } = await create(rest);
    const answer = await rest.post(`/rest/scenes/${sceneId}/execute`);
    expect(answer.body).toEqual({ success: true, sceneId, failed: 0, errors: [] });
    expect(home.state.characteristic({ accessoryId: home.named('Lamp').id, iid: '9' })?.value).toBe(true);
  });

  it('cannot be modified or deleted: 422 with the name of the automation, in REST and GraphQL', async () => {
    const rest = open();
    const { sceneId } = await create(rest);
    const error = 'Scene is used by automation "Evening". Delete that automation instead';
    const answers = [
      await rest.patch(`/rest/scenes/${sceneId}`, { name: 'Night' }),
      await rest.patch(`/rest/scenes/${sceneId}`, { actions: [lampOn()] }),
      await rest.delete(`/rest/scenes/${sceneId}`),
    ];
    for (const { status, body } of answers) expect([status, body.error, body.code]).toEqual([422, error, 'conflict']);
    const { body } = await createGraphqlFixture(home, createSchema()).ask(
      'mutation($id: String!) { deleteScene(sceneId: $id) { success error } }',
      { id: sceneId },
    );
    expect(body.data.deleteScene).toEqual({ success: false, error });
    expect((await rest.get(`/rest/scenes/${sceneId}`)).status).toBe(200);
  });

  it('is seen by those who see the automation, and by no others', async () => {
    const { id, sceneId } = await create(open());
    const viewer = createRestClient(createTestApi(home), createToken(home, { [home.home.id]: 'view' }));
    expect((await viewer.get(`/rest/automations/${id}`)).body.sceneId).toBe(sceneId);
    expect((await viewer.get(`/rest/scenes/${sceneId}`)).body.automationId).toBe(id);
    expect((await viewer.delete(`/rest/scenes/${sceneId}`)).status).toBe(403);
    const other = home.homes.create(systemCaller, { name: 'Cabin' });
    const stranger = createRestClient(createTestApi(home), createToken(home, { [other.id]: 'control' }));
    for (const path of [`/rest/automations/${id}`, `/rest/scenes/${sceneId}`]) {
      expect((await stranger.get(path)).status).toBe((await stranger.get(path.replace(/[^/]+$/, UNKNOWN))).status);
    }
  });

  it('keeps its id when the automation changes and across a restart, and follows name and actions', async () => {
    directory = createTempDirectory();
    const path = directory.file('relay.db');
    let rest = open({ path });
    const { id, sceneId } = await create(rest);
    const dim = { ...lampOn(), characteristicType: 'brightness', targetValue: 20 };
    const trigger = { type: 'event', events: [{ type: 'calendar', calendarComponents: { hour: 7 } }] };
    const changed = await rest.patch(`/rest/automations/${id}`, { name: 'Morning', trigger, actions: [dim] });
    expect(changed.body.sceneId).toBe(sceneId);
    await home.stop();
    rest = open({ path, sample: false });
    expect((await rest.get(`/rest/automations/${id}`)).body.sceneId).toBe(sceneId);
    expect((await rest.get(`/rest/scenes/${sceneId}`)).body).toMatchObject({
      name: 'Morning',
      automationName: 'Morning',
      actions: [{ targetValue: 20 }],
    });
  });

  it('whose row is lost is replaced by an empty one, so that sceneId still names a scene', async () => {
    directory = createTempDirectory();
    const path = directory.file('relay.db');
    let rest = open({ path });
    const { id } = await create(rest);
    home.database.prepare('DELETE FROM scenes WHERE automation_id = ?').run(id);
    await home.stop();
    rest = open({ path, sample: false });
    const { sceneId } = (await rest.get(`/rest/automations/${id}`)).body;
    expect((await rest.get(`/rest/scenes/${sceneId}`)).body).toMatchObject({ automationId: id, actions: [] });
  });

  it('goes with the automation', async () => {
    const rest = open();
    const { id, sceneId } = await create(rest);
    expect((await rest.delete(`/rest/automations/${id}`)).status).toBe(200);
    expect((await rest.get(`/rest/scenes/${sceneId}`)).status).toBe(404);
  });
});
