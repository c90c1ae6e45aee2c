/** Rows of automations that rotted on the disk, or were written by another version: each harms itself alone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HearthError } from '../../../../src/kernel/errors.ts';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { openDatabase } from '../../../../src/storage/database.ts';
import { DisposableDatabase } from '../../../../src/storage/disposable-database.ts';
import { createAutomationHome } from '../../../support/automation-home.ts';
import { createRestClient, createTestApi, createToken } from '../../../support/rest-client.ts';
import { systemCaller } from '../../../support/test-home.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-rot-'));
  path = join(folder, 'relay.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A healthy flow, one to be spoilt, and a run of each that waits. */
async function furnish() {
  const home = createAutomationHome({ path, sample: true });
  const healthy = home.saveFlow({
    name: 'Healthy',
    triggers: [{ type: 'event', eventType: 'tick' }],
    actions: [
      { type: 'delay', duration: { seconds: 30 } },
      { type: 'fire_event', eventType: 'tock' },
    ],
  });
  const spoilt = home.saveFlow({
    name: 'Spoilt',
    triggers: [{ type: 'schedule', at: '07:00' }],
    actions: [{ type: 'delay', duration: { seconds: 30 } }],
  });
  home.run(healthy.id);
  home.run(spoilt.id);
  await home.settle();
  await home.stop();
  return { healthy: healthy.id, spoilt: spoilt.id };
}

function rot(sql: string, ...values: string[]): void {
  const database = openDatabase(path);
  database.prepare(sql).run(...values);
  database.close();
}

const DEFINITIONS: Record<string, string> = {
  'text that is no JSON': '{"triggers":[',
  'an empty text': '',
  null: 'null',
  'a trigger that is nothing': '{"triggers":[null],"conditions":{"operator":"and","conditions":[]},"actions":[]}',
  'a trigger without a kind': '{"triggers":[{}],"conditions":{"operator":"and","conditions":[]},"actions":[]}',
  'a trigger of a kind of tomorrow':
    '{"triggers":[{"id":"a","type":"smell","enabled":true}],"conditions":{"operator":"and","conditions":[]},"actions":[]}',
  'a trigger that lacks what its kind needs':
    '{"triggers":[{"id":"a","type":"time","enabled":true},{"id":"b","type":"state","enabled":true},{"id":"c","type":"sun","enabled":true}],"conditions":{"operator":"and","conditions":[]},"actions":[]}',
  'conditions that are none': '{"triggers":[],"conditions":{},"actions":[]}',
  'a condition of a kind of tomorrow':
    '{"triggers":[],"conditions":{"operator":"and","conditions":[{"type":"smell"}]},"actions":[]}',
  'an action that is nothing': '{"triggers":[],"conditions":{"operator":"and","conditions":[]},"actions":[null]}',
  'an action of a kind of tomorrow':
    '{"triggers":[],"conditions":{"operator":"and","conditions":[]},"actions":[{"id":"a","type":"smell","enabled":true,"onError":"stop"}]}',
  'an action whose inner actions are missing':
    '{"triggers":[],"conditions":{"operator":"and","conditions":[]},"actions":[{"id":"a","type":"if_then_else","enabled":true,"onError":"stop"}]}',
};

describe('a flow whose row rotted', () => {
  for (const [what, definition] of Object.entries(DEFINITIONS)) {
    it(`to ${what} keeps no other from running, and can be looked at, run, put right and deleted`, async () => {
      const { healthy, spoilt } = await furnish();
      rot('UPDATE flows SET definition = ? WHERE id = ?', definition, spoilt);
      const home = createAutomationHome({ path, sample: true });
      expect(home.flows.list(systemCaller).map(({ name }) => name)).toEqual(['Healthy', 'Spoilt']);
      expect(() => home.run(spoilt)).not.toThrow();
      home.automationEvents.emit({ homeId: home.home.id, eventType: 'tick', eventData: {}, cause: { chain: [] } });
      await home.clock.advance(60_000);
      await home.settle();
      expect(home.tracesOf(healthy).some(({ status }) => status === 'success')).toBe(true);
      home.tracesOf(spoilt);
      await home.flows.export(systemCaller, spoilt, 'yaml');
      home.saveFlow({ name: 'Another' });
      home.flows.save(systemCaller, {
        homeId: home.home.id,
        flowId: spoilt,
        data: { name: 'Spoilt', triggers: [], actions: [] },
      });
      expect(home.flows.get(systemCaller, spoilt).enabled).toBeDefined();
      home.flows.delete(systemCaller, spoilt);
      await home.stop();
    });
  }
});

const STARTS: Record<string, string> = {
  'text that is no JSON': '{',
  null: 'null',
  'an object without anything': '{}',
  'a program without actions': '{"program":{"id":"x"},"trigger":{"id":null,"type":"manual"},"cause":{"chain":[]}}',
  'a cause that is none':
    '{"program":{"id":"x","triggers":[],"actions":[],"variables":{}},"trigger":{"id":null,"type":"manual"},"cause":null}',
};

describe('a run whose row rotted', () => {
  for (const [what, start] of Object.entries(STARTS)) {
    it(`to ${what} is given up, and the others go on`, async () => {
      const { healthy, spoilt } = await furnish();
      rot('UPDATE runs SET start = ? WHERE automation_id = ?', start.replaceAll('"x"', `"${spoilt}"`), spoilt);
      const home = createAutomationHome({ path, sample: true });
      await home.clock.advance(60_000);
      await home.settle();
      expect(home.tracesOf(healthy)[0]?.status).toBe('success');
      expect(home.database.prepare('SELECT count(*) AS n FROM runs').get()).toEqual({ n: 0 });
      await home.stop();
    });
  }

  it('in what it has done is given up or goes on, and the others go on', async () => {
    for (const output of ['{', '5', '"text"', '[]', '{"at":"x","dueAt":"soon"}']) {
      const { healthy, spoilt } = await furnish();
      rot(
        'UPDATE run_steps SET output = ? WHERE run_id IN (SELECT id FROM runs WHERE automation_id = ?)',
        output,
        spoilt,
      );
      const home = createAutomationHome({ path, sample: true });
      await home.clock.advance(60_000);
      await home.settle();
      expect(home.tracesOf(healthy)[0]?.status).toBe('success');
      await home.stop();
      rmSync(folder, { recursive: true, force: true });
      folder = mkdtempSync(join(tmpdir(), 'hearth-rot-'));
      path = join(folder, 'relay.db');
    }
  });
});

const TRIGGERS: Readonly<Record<string, string>> = {
  'text that is no JSON': '{"type":',
  'an event of nothing': '{"type":"event","events":[null],"endEvents":[],"conditions":[],"weekdays":[]}',
  'an event without a kind': '{"type":"event","events":[{}],"endEvents":[],"conditions":[],"weekdays":[]}',
  'an event of a kind of tomorrow':
    '{"type":"event","events":[{"type":"smell"}],"endEvents":[],"conditions":[],"weekdays":[]}',
  'an event that lacks what its kind needs':
    '{"type":"event","events":[{"type":"calendar"},{"type":"presence"},{"type":"characteristic"},{"type":"significantTime"}],"endEvents":[{"type":"duration"}],"conditions":[{"type":"time"},{"type":"presence"}],"weekdays":[]}',
  'a condition of a kind of tomorrow':
    '{"type":"event","events":[],"endEvents":[],"conditions":[{"type":"smell"}],"weekdays":[]}',
  'a timer that recurs oddly': '{"type":"timer","fireAt":1e300,"recurrence":5,"timeZone":7}',
};

describe('a native automation whose row rotted', () => {
  it.each(Object.entries(TRIGGERS))(
    'to %s keeps no other from running, and can be looked at and deleted',
    async (_, trigger) => {
      const { healthy } = await furnish();
      const before = createAutomationHome({ path, sample: true });
      const { id } = before.automations.create(systemCaller, {
        homeId: before.home.id,
        name: 'Morning',
        trigger: { type: 'timer', hour: 3, recurrenceType: 'daily' },
        actions: [{ accessoryId: before.named('Lamp').id, characteristicType: 'on', targetValue: true }],
      });
      await before.stop();
      rot('UPDATE automations SET "trigger" = ? WHERE id = ?', trigger, id);
      const home = createAutomationHome({ path, sample: true });
      await home.clock.advance(60_000);
      await home.settle();
      expect(home.tracesOf(healthy)[0]?.status).toBe('success');
      const rest = createRestClient(createTestApi(home), createToken(home));
      const list = await rest.get('/rest/automations');
      expect(list.status, list.text).toBe(200);
      for (const one of list.body as { id: string }[]) {
        const next = await rest.get(`/rest/flows/${one.id}/next`);
        expect(next.status, next.text).toBe(200);
        expect((await rest.delete(`/rest/automations/${one.id}`)).status).toBe(200);
      }
      await home.stop();
    },
  );
});

describe('a trace whose row rotted', () => {
  it('is lost alone', async () => {
    const { healthy } = await furnish();
    const home = createAutomationHome({ path, sample: true });
    for (let count = 0; count < 3; count += 1) {
      home.run(healthy);
      await home.clock.advance(40_000);
    }
    await home.stop();
    const history = new DisposableDatabase({ path: `${path}.history`, clock: home.clock, logger: silentLogger });
    history.start();
    const ofHealthy = 'SELECT id FROM traces WHERE automation_id = ?';
    const ids = history.current.prepare<[string], string>(ofHealthy).pluck().all(healthy);
    for (const [index, rotten] of ['{', 'null'].entries()) {
      history.current.prepare('UPDATE traces SET trace = ? WHERE id = ?').run(rotten, ids[index]);
    }
    history.stop();
    const again = createAutomationHome({ path, sample: true });
    expect(again.tracesOf(healthy).length).toBe(ids.length - 2);
    for (const id of ids.slice(0, 2)) expect(() => again.traces.get(systemCaller, id)).toThrow(HearthError);
    await again.stop();
  });
});

describe('a home whose time zone rotted', () => {
  it('runs its automations all the same', async () => {
    const { healthy } = await furnish();
    rot("UPDATE homes SET time_zone = 'Nowhere/Land', latitude = 1e300, longitude = -5, radius_m = -1");
    const home = createAutomationHome({ path, sample: true });
    home.saveFlow({
      name: 'Sun',
      triggers: [
        { type: 'sun', event: 'sunset' },
        { type: 'time', at: '07:00' },
      ],
    });
    await home.clock.advance(60_000);
    await home.settle();
    expect(home.tracesOf(healthy)[0]?.status).toBe('success');
    await home.stop();
  });
});

describe('a hold whose row rotted', () => {
  it.each(['{', 'null', '5', '{"data":5,"chain":"x"}', '{"data":null,"chain":[null]}'])(
    'to %s fires or is forgotten',
    async (data) => {
      const { healthy } = await furnish();
      const before = createAutomationHome({ path, sample: true });
      const lamp = before.named('Lamp').id;
      const { id } = before.saveFlow({
        name: 'Holds',
        triggers: [
          { type: 'state', accessoryId: lamp, characteristicType: 'power_state', to: true, for: { seconds: 60 } },
        ],
      });
      before.driver.event('10:00:00:00:00:01', '1', '9', true);
      await before.clock.advance(1_000);
      await before.stop();
      rot('UPDATE holds SET data = ?', data);
      const home = createAutomationHome({ path, sample: true });
      home.driver.event('10:00:00:00:00:01', '1', '9', true);
      await home.clock.advance(120_000);
      await home.settle();
      expect(home.tracesOf(healthy)[0]?.status).toBe('success');
      expect(() => home.tracesOf(id)).not.toThrow();
      await home.stop();
    },
  );
});

describe('a version of a flow whose row rotted', () => {
  it('is not there, and so takes nothing from the flow when it is wanted back', async () => {
    const { healthy } = await furnish();
    const before = createAutomationHome({ path, sample: true });
    const [version] = before.flows.versions(systemCaller, healthy);
    await before.stop();
    rot('UPDATE flow_versions SET definition = ? WHERE id = ?', '{"triggers":[', version?.id ?? '');
    const home = createAutomationHome({ path, sample: true });
    expect(home.flows.versions(systemCaller, healthy)).toEqual([]);
    await expect(home.flows.restoreVersion(systemCaller, version?.id ?? '')).rejects.toThrow('Not found');
    expect(home.flows.get(systemCaller, healthy).actions).toHaveLength(2);
    await home.stop();
  });
});
