import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemCaller } from '../support/test-home.ts';
import { type RunningDaemon, startDaemon } from './running-daemon.ts';

let daemon: RunningDaemon;

beforeEach(async () => {
  daemon = await startDaemon();
  for (const part of Object.values(daemon.home.automation.startables)) await part.start();
});
afterEach(() => daemon.stop());

const homeId = (): string => daemon.home.home.id;
const automation = (...words: string[]) => daemon.hearthd('automation', ...words);

function saveFlow(data: object) {
  return daemon.home.flows.save(systemCaller, {
    homeId: homeId(),
    data: { name: 'Evening', triggers: [], actions: [], ...data },
  });
}

function saveNative() {
  return daemon.home.automations.create(systemCaller, {
    homeId: homeId(),
    name: 'Morning',
    trigger: { type: 'timer', hour: 7, minute: 0, recurrenceType: 'daily', timeZone: 'UTC' },
    actions: [{ accessoryId: daemon.home.named('Lamp').id, characteristicType: 'on', targetValue: true }],
  });
}

const lampOn = () => ({
  type: 'set_characteristic',
  accessoryId: daemon.home.named('Lamp').id,
  characteristicType: 'on',
  value: true,
});

describe('hearthd automation list', () => {
  it('lists flows and native automations with kind, state, next and last fire', async () => {
    expect((await automation('list')).err).toContain('No automations.');
    saveFlow({ enabled: false });
    saveNative();
    const { out } = await automation('list');
    const [head, flow, native] = out.split('\n');
    expect(head?.split(/\s{2,}/)).toEqual(['HOME', 'NAME', 'KIND', 'STATE', 'NEXT', 'LAST', 'ID']);
    expect(flow).toMatch(/^My Home {2}Evening {2}flow {4}disabled +<id>$/);
    expect(native).toMatch(/^My Home {2}Morning {2}native {2}enabled {3}\d{4}-\d\d-\d\d 07:00:00 +<id>$/);
    const json = JSON.parse((await automation('list', '--json')).out);
    expect(json.map(({ kind }: { kind: string }) => kind)).toEqual(['flow', 'native']);
  });
});

describe('hearthd automation show', () => {
  it('describes in sentences what triggers a flow and what it does', async () => {
    saveFlow({
      triggers: [{ type: 'time', at: '22:00' }, { type: 'webhook' }],
      conditions: [{ type: 'time', after: '21:00' }],
      actions: [
        {
          type: 'if_then_else',
          condition: [],
          // biome-ignore lint/suspicious/noThenProperty: the field's name on the wire.
          then: [lampOn()],
          else: [],
        },
        { type: 'delay', duration: { seconds: 5 }, enabled: false },
      ],
    });
    const { out } = await automation('show', 'evening');
    const lines = out.split('\n');
    expect(lines[0]).toBe('Evening (flow)');
    expect(out).toContain('22:00');
    expect(lines).toContain('If');
    expect(lines).toContain('Then');
    expect(out).toMatch(/\n {4}then: .*Lamp/);
    expect(out).toMatch(/\(disabled\)/);
    expect(out).toMatch(/\nWebhook: \/webhook\/[\w-]{22}\n/);
    expect(JSON.parse((await automation('show', 'Evening', '--json')).out)).toMatchObject({
      name: 'Evening',
      version: 1,
    });
  });

  it('describes a native automation in the same way', async () => {
    saveNative();
    const { out } = await automation('show', 'Morning');
    expect(out).toMatch(/^Morning \(native\)\n/);
    expect(out).toContain('Then');
  });

  it('reports what does not exist, with its exit code', async () => {
    const { code, err } = await automation('show', 'Nothing');
    expect([code, err]).toEqual([4, expect.stringContaining('No automation "Nothing".')]);
  });
});

describe('hearthd automation enable, disable and delete', () => {
  it.each(['Evening', 'Morning'])('%s', async (name) => {
    saveFlow({ triggers: [{ type: 'time', at: '22:00' }] });
    saveNative();
    expect((await automation('disable', name)).out).toBe(`${name} is disabled.\n`);
    expect((await automation('next', name)).err).toContain('disabled');
    expect((await automation('enable', name)).out).toBe(`${name} is enabled.\n`);
    expect((await automation('next', name, '--count', '2')).out.trim().split('\n')).toHaveLength(2);
    expect((await automation('delete', name)).out).toBe(`Deleted ${name}.\n`);
    expect((await automation('show', name)).code).toBe(4);
  });
});

describe('hearthd automation run and trace', () => {
  it('runs a flow with variables, waits for it and shows what it did as a tree', async () => {
    saveFlow({
      actions: [
        { id: 'all', type: 'parallel', branches: [[{ id: 'on', ...lampOn() }]] },
        { id: 'end', type: 'stop', reason: 'enough' },
      ],
    });
    const { code, out } = await automation('run', 'Evening', '--variable', 'level=80', '--wait');
    expect([code, out.split('\n')[0]]).toEqual([0, expect.stringMatching(/^Evening at .*: stopped, \d+ ms$/)]);
    expect(out).toMatch(/\n {2}✓ Started manually/);
    expect(out).toMatch(/\n {4}✓ .*Lamp.* \(branches\[0\]/);
    expect((await automation('trace', 'Evening', 'last')).out).toBe(out);
    const list = (await automation('trace', 'Evening')).out.split('\n');
    expect(list[1]).toMatch(/stopped {2,}Started manually +enough +<id>$/);
  });

  it('shows that an automation was changed after a run, and as JSON what it was', async () => {
    const flow = saveFlow({ actions: [{ id: 'end', type: 'stop', reason: 'enough' }] });
    const { out } = await automation('run', 'Evening', '--wait');
    daemon.home.flows.save(systemCaller, { homeId: homeId(), flowId: flow.id, data: { name: 'Evening', actions: [] } });
    const changed = await automation('trace', 'Evening', 'last');
    expect(changed.out).toBe(`${out}  The automation was changed since this run.\n`);
    const { automation: ran } = JSON.parse((await automation('trace', 'Evening', 'last', '--json')).out);
    expect(ran).toMatchObject({ isCurrent: false, definition: { actions: [{ id: 'end' }] } });
  });

  it('runs a native automation', async () => {
    saveNative();
    const { code, out } = await automation('run', 'Morning', '--wait');
    expect([code, out.split('\n')[0]]).toEqual([0, expect.stringMatching(/^Morning at .*: success/)]);
    expect(daemon.home.driver.writes).toHaveLength(1);
  });

  it('exits with 1 where a run fails, with the reason', async () => {
    saveFlow({ actions: [{ type: 'stop', error: true, reason: 'no way' }] });
    const { code, out } = await automation('run', 'Evening', '--wait');
    expect([code, out]).toEqual([1, expect.stringContaining('no way')]);
  });

  it('reports why a run is refused', async () => {
    saveFlow({ enabled: false });
    const { code, err } = await automation('run', 'Evening');
    expect([code, err]).toEqual([5, 'Evening did not run: it is disabled.\n']);
    expect((await automation('trace', 'Evening')).out).toContain('refused: disabled');
  });

  it('refuses what is no variable, and runs that are not there', async () => {
    saveFlow({});
    expect((await automation('run', 'Evening', '--variable', 'level')).code).toBe(2);
    expect((await automation('run', 'Evening', '--variable', '7up=1')).code).toBe(2);
    expect((await automation('trace', 'Evening', 'ffff')).code).toBe(4);
    expect((await automation('trace', 'Evening', '--limit', '0')).code).toBe(2);
    expect((await automation('trace', 'Evening')).err).toContain('has not run yet');
  });
});

describe('hearthd automation export, import, versions and restore', () => {
  it.each(['yaml', 'json'])('writes a flow as %s and reads it again', async (format) => {
    saveFlow({ actions: [lampOn()] });
    const printed = (await automation('export', 'Evening', '--format', format)).out;
    expect(printed).toContain('flow/1');
    const file = join(daemon.dataDir, `evening.${format}`);
    expect((await automation('export', 'Evening', '--format', format, '--output', file)).out).toContain(file);
    expect(readFileSync(file, 'utf8')).toContain('flow/1');
    expect((await automation('import', file)).out).toBe('Created the flow Evening 2 (<id>).\n');
    expect((await automation('run', 'Evening 2', '--wait')).code).toBe(0);
  });

  it('reports what is wrong with a document', async () => {
    const file = join(daemon.dataDir, 'broken.yaml');
    writeFileSync(file, 'hearthd: flow/1\nname: X\nactions: [}');
    expect((await automation('import', file)).code).toBe(2);
    expect((await automation('import', join(daemon.dataDir, 'nothing'))).code).toBe(2);
  });

  it('goes back to a version', async () => {
    const { id } = saveFlow({ description: 'first' });
    daemon.home.flows.save(systemCaller, { homeId: homeId(), flowId: id, data: { name: 'Evening', actions: [] } });
    const rows = (await automation('versions', 'Evening')).out.trim().split('\n');
    expect(rows.slice(1).map((row) => row.split(/\s+/)[0])).toEqual(['2', '1']);
    expect((await automation('restore', 'Evening', '1')).out).toBe('Restored version 1 of Evening.\n');
    expect(daemon.home.flows.find(id)).toMatchObject({ version: 3, description: 'first' });
    expect((await automation('restore', 'Evening', '9')).code).toBe(4);
  });
});

describe('hearthd automation draft and save', () => {
  const file = () => join(daemon.dataDir, 'draft.json');
  const write = (draft: object) => writeFileSync(file(), JSON.stringify(draft));

  it('edits a native automation, which stays native, and becomes a flow where it needs more', async () => {
    const { id } = saveNative();
    expect((await automation('draft', 'Morning', '--output', file())).out).toContain('Wrote Morning to');
    const draft = JSON.parse(readFileSync(file(), 'utf8'));
    expect(draft).toMatchObject({ name: 'Morning', until: [], executeOnce: false });
    write({ ...draft, name: 'Early' });
    expect((await automation('save', file(), '--replace', 'Morning')).out).toContain('Saved as a native automation');
    expect(daemon.home.automations.get(systemCaller, id).name).toBe('Early');
    write({ ...draft, actions: [...draft.actions, { type: 'delay', duration: { seconds: 5 } }] });
    expect((await automation('save', file(), '--replace', 'Early')).out).toContain('Saved as a flow');
    expect(daemon.home.flows.get(systemCaller, id)).toMatchObject({ name: 'Morning' });
    expect(JSON.parse((await automation('draft', 'Morning', '--json')).out)).toMatchObject({ name: 'Morning' });
  });

  it('creates one, in the simplest form', async () => {
    write({ name: 'Dusk', triggers: [{ type: 'sun', event: 'sunset' }], actions: [lampOn()] });
    expect(JSON.parse((await automation('save', file(), '--json')).out)).toMatchObject({ kind: 'native' });
    expect(daemon.home.automations.list(systemCaller, homeId()).map(({ name }) => name)).toEqual(['Dusk']);
  });

  it('refuses what is no draft, and both a home and an automation', async () => {
    writeFileSync(file(), '[1]');
    expect((await automation('save', file())).err).toContain('is not a JSON object');
    writeFileSync(file(), '{');
    expect((await automation('save', file())).err).toContain('is not a JSON object');
    write({ name: 'Dusk', actions: [] });
    const both = await automation('save', file(), '--home', 'My Home', '--replace', 'Dusk');
    expect(both.err).toContain('Pass either --home or --replace.');
  });
});
