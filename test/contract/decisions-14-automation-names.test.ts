/**
 * Decisions §14: names of automations need not be unique. What finds automations by name names the ids where several
 * have it.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { createSchema } from '../../src/api/graphql/schema.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { listMigrations } from '../../src/storage/migrate.ts';
import { createGraphqlFixture } from '../api/graphql/graphql-fixture.ts';
import { type RunningDaemon, startDaemon } from '../cli/running-daemon.ts';
import { type AutomationHome, createAutomationHome } from '../support/automation-home.ts';
import { createMcpClient } from '../support/mcp-client.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { systemCaller } from '../support/test-home.ts';

const TIMER = { type: 'timer', fireDate: '2030-01-02T07:00:00Z' };

let home: AutomationHome | undefined;
let daemon: RunningDaemon | undefined;
let directory: TempDirectory | undefined;

afterEach(async () => {
  await home?.stop();
  await daemon?.stop();
  directory?.remove();
  home = daemon = directory = undefined;
});

function open(options: Parameters<typeof createAutomationHome>[0] = {}): { home: AutomationHome; rest: RestClient } {
  home = createAutomationHome({ sample: true, ...options });
  return { home, rest: createRestClient(createTestApi(home), createToken(home)) };
}

async function two(opened: ReturnType<typeof open>, kind: 'automations' | 'flows', name = 'Evening') {
  const lampOn = { accessoryId: opened.home.named('Lamp').id, characteristicType: 'on', targetValue: true };
  const body = kind === 'flows' ? { actions: [] } : { trigger: TIMER, actions: [lampOn] };
  const send = () => opened.rest.post(`/rest/${kind}`, { homeId: opened.home.home.id, name, ...body });
  const [first, second] = [await send(), await send()];
  expect([first.status, second.status]).toEqual([200, 200]);
  return [first.body, second.body];
}

describe('two automations of one name', () => {
  it.each(['automations', 'flows'] as const)('are created, renamed and kept over a restart: %s', async (kind) => {
    directory = createTempDirectory();
    const path = directory.file('relay.db');
    const opened = open({ path });
    const [first, second] = await two(opened, kind);
    const renamed = await opened.rest.patch(`/rest/${kind}/${second.id}`, { name: 'Night' });
    expect(renamed.body).toMatchObject({ id: second.id, name: 'Night' });
    expect((await opened.rest.patch(`/rest/${kind}/${second.id}`, { name: 'EVENING' })).body.name).toBe('EVENING');
    await opened.home.stop();
    const { rest } = open({ path, sample: false });
    const shown = (await rest.get(`/rest/${kind}`)).body.map(({ id, name }: { id: string; name: string }) => [
      id,
      name,
    ]);
    expect(new Map(shown)).toEqual(
      new Map([
        [first.id, 'Evening'],
        [second.id, 'EVENING'],
      ]),
    );
  });

  it('are created in GraphQL, each with its own scene', async () => {
    const opened = open();
    const fixture = createGraphqlFixture(opened.home, createSchema());
    const create = async () =>
      (
        await fixture.ask(
          'mutation($h: String!, $t: String!, $a: String!) { createAutomation(homeId: $h, name: "Evening", trigger: $t, actions: $a) { id sceneId } }',
          {
            h: opened.home.home.id,
            t: JSON.stringify(TIMER),
            a: JSON.stringify([
              { accessoryId: opened.home.named('Lamp').id, characteristicType: 'on', targetValue: true },
            ]),
          },
        )
      ).body.data.createAutomation;
    const [first, second] = [await create(), await create()];
    expect(new Set([first.id, second.id, first.sceneId, second.sceneId]).size).toBe(4);
    await opened.rest.delete(`/rest/automations/${first.id}`);
    expect((await opened.rest.get(`/rest/scenes/${second.sceneId}`)).body.automationId).toBe(second.id);
  });

  it('come back by name when a version is restored, though another has the name by now', async () => {
    const opened = open();
    const [first] = await two(opened, 'flows');
    await opened.rest.patch(`/rest/flows/${first.id}`, { name: 'Night' });
    const versions = (await opened.rest.get(`/rest/flows/${first.id}/versions`)).body;
    const old = versions.find(({ name }: { name: string }) => name === 'Evening');
    expect((await opened.home.flows.restoreVersion(systemCaller, old.id)).name).toBe('Evening');
  });
});

describe('a name that several automations have', () => {
  it.each([
    ['automations', 'delete_automation'],
    ['flows', 'delete_flow'],
  ] as const)('is refused in MCP with the ids of all, and each is found by its id: %s', async (kind, tool) => {
    const opened = open();
    const [first, second] = await two(opened, kind);
    const { call } = createMcpClient(createTestApi(opened.home), createToken(opened.home));
    const key = Object.keys((await call('get_automations')).data).find((name) => name !== '_meta');
    const refused = await call(tool, { home: key, id: 'Evening' });
    expect(refused.isError).toBe(true);
    for (const { id } of [first, second]) expect(refused.data.error).toContain(id);
    expect((await call(tool, { home: key, id: first.id })).isError).toBe(false);
    expect((await call(tool, { home: key, id: 'Evening' })).isError).toBe(false);
  });

  it('is refused by the command line with the ids of all, and each is found by its id', async () => {
    daemon = await startDaemon();
    for (const part of Object.values(daemon.home.automation.startables)) await part.start();
    const { home: running, hearthd } = daemon;
    const save = () =>
      running.flows.save(systemCaller, {
        homeId: running.home.id,
        data: { name: 'Evening', triggers: [], actions: [] },
      });
    const native = () =>
      running.automations.create(systemCaller, {
        homeId: running.home.id,
        name: 'Evening',
        trigger: TIMER,
        actions: [{ accessoryId: running.named('Lamp').id, characteristicType: 'on', targetValue: true }],
      });
    const ids = [save().id, save().id, native().id];
    for (const words of [['show'], ['enable'], ['run'], ['delete'], ['trace'], ['next']]) {
      const { code, err } = await hearthd('automation', ...words, 'Evening');
      expect([words, code]).toEqual([words, 2]);
      // The ids are replaced in what a test sees.
      expect(err.match(/<id>/g)).toHaveLength(ids.length);
    }
    for (const id of ids) expect((await hearthd('automation', 'show', id)).code).toBe(0);
  });

  it('is refused when an imported flow refers to it, with the ids of all', async () => {
    const opened = open();
    const [called] = await two(opened, 'flows', 'Called');
    const caller = opened.home.saveFlow({
      name: 'Caller',
      actions: [{ type: 'call_script', scriptId: called.id }],
    });
    const other = opened.home.homes.create(systemCaller, { name: 'Cabin' });
    const text = await opened.home.flows.export(systemCaller, caller.id, 'json');
    const ids = [1, 2].map(
      () => opened.home.flows.save(systemCaller, { homeId: other.id, data: { name: 'called', actions: [] } }).id,
    );
    const { status, body } = await opened.rest.post(`/rest/flows/import?home=${other.id}`, JSON.parse(text));
    expect(status).toBe(422);
    expect(body.error).toContain('the flow "Called"');
    for (const id of ids) expect(body.error).toContain(id);
    const chosen = text.replaceAll(called.id, ids[1] ?? '');
    const taken = await opened.rest.post(`/rest/flows/import?home=${other.id}`, JSON.parse(chosen));
    expect([taken.status, taken.body.actions[0].scriptId]).toEqual([200, ids[1]]);
  });
});

describe('the upgrade that lets names be alike', () => {
  it('keeps automations, flows with their versions, and what goes with a home', () => {
    directory = createTempDirectory();
    const path = directory.file('relay.db');
    const before = listMigrations().filter(({ version }) => version < 10);
    const old = openDatabase(path, before);
    old.exec(`
      INSERT INTO homes (id, name, name_key, created_at) VALUES ('h', 'Home', 'home', 0);
      INSERT INTO automations (id, home_id, name, name_key, enabled, trigger, last_fire_at, created_at)
        VALUES ('a', 'h', 'Dusk', 'dusk', 1, '{}', 5, 6);
      INSERT INTO flows (id, home_id, name, name_key, enabled, definition, version, last_triggered_at, trigger_count, created_at, updated_at)
        VALUES ('f', 'h', 'Dawn', 'dawn', 0, '{}', 3, 7, 8, 9, 10);
      INSERT INTO flow_versions VALUES ('v1', 'f', 2, 'Early', '{}', 1), ('v2', 'f', 3, 'Dawn', '{}', 2);
    `);
    old.close();
    const database = openDatabase(path);
    expect(database.prepare('SELECT * FROM automations').all()).toEqual([
      { id: 'a', home_id: 'h', name: 'Dusk', enabled: 1, trigger: '{}', last_fire_at: 5, created_at: 6 },
    ]);
    expect(database.prepare('SELECT * FROM flows').all()).toEqual([
      {
        id: 'f',
        home_id: 'h',
        name: 'Dawn',
        enabled: 0,
        definition: '{}',
        version: 3,
        last_triggered_at: 7,
        trigger_count: 8,
        created_at: 9,
        updated_at: 10,
      },
    ]);
    expect(database.prepare('SELECT id FROM flow_versions ORDER BY id').pluck().all()).toEqual(['v1', 'v2']);
    expect(database.pragma('foreign_key_check')).toEqual([]);
    database.exec("DELETE FROM homes WHERE id = 'h'");
    for (const table of ['automations', 'flows', 'flow_versions']) {
      expect(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0);
    }
    database.close();
  });
});

describe('a name that is taken, where names are unique', () => {
  it('is refused in a sentence with the right article, for every kind', () => {
    const { home: test } = open();
    const homeId = test.home.id;
    const [first, second] = [test.named('Heater').id, test.named('Kettle').id];
    const actions = [{ accessoryId: first, characteristicType: 'on', targetValue: true }];
    const roomIds = test.state.rooms(homeId).map(({ id }) => id);
    const name = 'Alike';
    const kinds: Readonly<Record<string, () => unknown>> = {
      'a home': () => test.homes.create(systemCaller, { name }),
      'a room': () => test.rooms.create(systemCaller, { homeId, name }),
      'a scene': () => test.scenes.create(systemCaller, { homeId, name, actions }),
      'a zone': () => test.zones.create(systemCaller, { homeId, name, roomIds }),
      'a room group': () => test.roomGroups.create(systemCaller, { homeId, name, roomIds }),
      'a service group': () => test.serviceGroups.create(systemCaller, { homeId, name, accessoryIds: [first, second] }),
      'a collection': () => test.collections.create(systemCaller, { name }),
      'a person': () => test.people.create(systemCaller, { homeId, name }),
      'a broker': () => test.brokers.add(systemCaller, homeId, { name, host: 'b.local' }),
    };
    for (const [kind, create] of Object.entries(kinds)) {
      create();
      expect(create, kind).toThrow(`There is ${kind} named "Alike" already.`);
    }
  });
});
