import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FlowStore } from '../../../../src/app/automations/flows/flow-store.ts';
import { presentFlow } from '../../../../src/app/automations/flows/present-flow.ts';
import { callerOf, systemCaller, tokenCaller, userCaller } from '../../../support/test-home.ts';
import { createFlowLab, type FlowLab, faultOf, UNKNOWN_ID } from './flow-lab.ts';

let lab: FlowLab;
beforeEach(() => {
  lab = createFlowLab({
    roles: {
      roleOf: (userId, homeId) => (homeId === lab.homeId ? (userId as 'view' | 'control' | 'admin') : undefined),
      homesOf: () => [lab.homeId],
    },
  });
});
afterEach(() => lab.close());

const viewer = userCaller('view');
const controller = userCaller('control');
const admin = userCaller('admin');
const WEBHOOK = { id: 'hook', type: 'webhook' };

describe('who may do what with flows', () => {
  it('is: view to read, control to run, admin to change', () => {
    const { id, homeId } = lab.save({});
    const [version] = lab.flows.versions(admin, id);
    const data = { name: 'New', actions: [] };
    const acts = {
      view: [
        () => lab.flows.list(viewer, homeId),
        () => lab.flows.get(viewer, id),
        () => lab.flows.versions(viewer, id),
        () => lab.flows.export(viewer, id, 'yaml'),
      ],
      control: [(caller = controller) => lab.flows.run(caller, id)],
      admin: [
        (caller = admin) => lab.flows.setEnabled(caller, id, false),
        (caller = admin) => lab.flows.save(caller, { homeId, flowId: id, data }),
        (caller = admin) => lab.flows.save(caller, { homeId, data: { ...data, name: 'Newer' } }),
        (caller = admin) => lab.flows.restoreVersion(caller, version?.id ?? ''),
        (caller = admin) => lab.flows.import(caller, homeId, lab.flows.export(admin, id, 'json')),
        (caller = admin) => lab.flows.delete(caller, id),
      ],
    };
    for (const act of [...acts.control, ...acts.admin]) {
      expect(faultOf(() => act(viewer)).code).toBe('insufficient_permissions');
    }
    for (const act of acts.admin) expect(faultOf(() => act(controller)).code).toBe('insufficient_permissions');
    for (const act of [...acts.view, ...acts.control, ...acts.admin]) expect(() => act()).not.toThrow();
  });

  it('is hidden from those who may not see the home', () => {
    const { id, homeId } = lab.save({});
    const stranger = tokenCaller({ [lab.otherHome.id]: 'control' });
    expect(lab.flows.list(stranger)).toEqual([]);
    expect(faultOf(() => lab.flows.list(stranger, homeId)).code).toBe('home_not_found');
    for (const act of [
      () => lab.flows.get(stranger, id),
      () => lab.flows.run(stranger, id),
      () => lab.flows.setEnabled(stranger, id, true),
      () => lab.flows.delete(stranger, id),
      () => lab.flows.versions(stranger, id),
    ]) {
      const { code, message } = faultOf(act);
      expect({ code, message }).toEqual({ code: 'automation_not_found', message: 'Automation not found' });
    }
  });

  it('shows no ids of webhooks to those who may not run the flow', () => {
    const wait = { type: 'wait_for_trigger', triggers: [WEBHOOK] };
    const { id, triggers } = lab.save({ triggers: [{ ...WEBHOOK, id: 'top' }], actions: [wait] });
    const webhookId = triggers[0]?.type === 'webhook' ? triggers[0].webhookId : '';
    expect(webhookId).toHaveLength(22);
    const seen = (caller: typeof viewer) =>
      JSON.stringify([lab.flows.list(caller), lab.flows.get(caller, id), lab.flows.versions(caller, id)]);
    expect(seen(controller)).toContain(webhookId);
    expect(seen(viewer)).not.toMatch(/"webhookId":"[^"]/);
    expect(lab.flows.export(admin, id, 'yaml')).not.toContain(webhookId);
  });

  it('shows what requests authenticate with to nobody who may not change the flow', () => {
    const request = {
      id: 'request',
      type: 'fire_webhook',
      url: 'https://ada:pass@example.org/lights?key=querykey',
      headers: { Authorization: 'Bearer token' },
      // What is sent is nobody's node.
      body: { type: 'webhook', webhookId: 'of somebody else' },
    };
    const { id } = lab.save({
      actions: [{ type: 'parallel', branches: [[{ type: 'choose', choices: [{ actions: [request] }] }]] }],
    });
    const seen = (caller: typeof viewer) =>
      JSON.stringify([lab.flows.list(caller), lab.flows.get(caller, id), lab.flows.versions(caller, id)]) +
      lab.flows.export(caller, id, 'json');
    for (const caller of [viewer, controller]) {
      expect(seen(caller)).not.toMatch(/Bearer|pass|querykey/);
      expect(seen(caller)).toContain('https://example.org/lights');
      expect(seen(caller)).toContain('of somebody else');
    }
    expect(seen(admin)).toMatch(/Bearer token.*querykey/s);
  });

  it('lets an automation switch those of its own home only', () => {
    const { id, homeId } = lab.save({});
    expect(lab.flows.setEnabledBy(homeId, id, false).enabled).toBe(false);
    expect(faultOf(() => lab.flows.setEnabledBy(lab.otherHome.id, id, true)).code).toBe('automation_not_found');
    const automation = callerOf({ kind: 'automation', automationId: id, homeId });
    expect(faultOf(() => lab.flows.delete(automation, id)).code).toBe('insufficient_permissions');
  });
});

describe('saving a flow', () => {
  it('is on the disk, in memory and with the engine at once', () => {
    const saved = lab.save({ name: 'Night', actions: [{ id: 's', type: 'stop' }], description: 'Lights out' });
    expect(lab.flows.get(systemCaller, saved.id.toUpperCase())).toEqual(saved);
    expect(new FlowStore(lab.database).load()).toEqual([saved]);
    const { id, homeId, name, actions } = saved;
    expect(lab.engine.programs.get(id)).toMatchObject({ id, kind: 'flow', homeId, name, enabled: true, actions });
    expect(saved).toMatchObject({ version: 1, triggerCount: 0, lastTriggeredAt: null, createdAt: lab.clock.now() });
  });

  it('replaces all of it but whether it is on, when it was made and how often it fired', async () => {
    const first = lab.save({ description: 'Old', enabled: false });
    await lab.clock.advance(60_000);
    lab.engine.fire(first.id, 5);
    const second = lab.save({ name: 'Other', mode: 'queued' }, first.id);
    expect(second).toMatchObject({ id: first.id, name: 'Other', description: null, mode: 'queued', enabled: false });
    expect(second).toMatchObject({ version: 2, createdAt: first.createdAt, triggerCount: 1, lastTriggeredAt: 5 });
    expect(second.updatedAt).toBe(first.createdAt + 60_000);
    expect(lab.flows.list(systemCaller)).toHaveLength(1);
  });

  it('that is refused changes nothing', () => {
    const saved = lab.save({});
    expect(() => lab.save({ name: 'Other', mode: 'no' }, saved.id)).toThrow();
    expect(lab.flows.get(systemCaller, saved.id)).toEqual(saved);
    expect(new FlowStore(lab.database).load()).toEqual([saved]);
    expect(lab.flows.versions(systemCaller, saved.id)).toHaveLength(1);
  });

  it('takes back what it showed', () => {
    const saved = lab.save({ triggers: [WEBHOOK], uiState: { edges: [] } });
    const again = lab.flows.save(systemCaller, { homeId: lab.homeId, flowId: saved.id, data: presentFlow(saved) });
    expect({ ...again, version: 1 }).toEqual(saved);
  });

  it('takes a copy of a flow as a new one', () => {
    const { id, ...shown } = presentFlow(lab.save({}));
    const copy = lab.save({ id, ...shown, name: 'Copy' });
    expect(copy.id).not.toBe(id);
  });

  it('needs a name that no other flow of the home has, whatever its case', () => {
    lab.save({ name: 'Good Night' });
    const { code, details } = faultOf(() => lab.save({ name: 'good_night' }));
    expect({ code, field: details.field }).toEqual({ code: 'conflict', field: 'name' });
    const data = { name: 'Good Night', actions: [] };
    expect(() => lab.flows.save(systemCaller, { homeId: lab.otherHome.id, data })).not.toThrow();
  });

  it('needs the home that it is in', () => {
    const { id } = lab.save({});
    const data = { name: 'A', actions: [] };
    const save = (homeId: string) => faultOf(() => lab.flows.save(systemCaller, { homeId, flowId: id, data })).code;
    expect(save(lab.otherHome.id)).toBe('automation_not_found');
    expect(save(UNKNOWN_ID)).toBe('home_not_found');
  });

  it('gives no webhook away that another flow has', () => {
    const [hook] = lab.save({ triggers: [WEBHOOK] }).triggers;
    expect(faultOf(() => lab.save({ name: 'Thief', triggers: [hook] })).details.field).toBe('triggers[0].webhookId');
  });
});

describe('the webhooks of flows', () => {
  it('are found by their ids, until they are gone', () => {
    const wait = { type: 'wait_for_trigger', triggers: [{ ...WEBHOOK, id: 'later' }] };
    const flow = lab.save({ triggers: [WEBHOOK], actions: [wait] });
    const ids = JSON.stringify(flow).match(/(?<="webhookId":")[\w-]+/g) ?? [];
    expect(ids.map((id) => lab.flows.findWebhook(id)?.trigger.id)).toEqual(['hook', 'later']);
    expect(lab.flows.findWebhook('')).toBeUndefined();
    lab.save({}, flow.id);
    expect(ids.map((id) => lab.flows.findWebhook(id))).toEqual([undefined, undefined]);
  });
});

describe('versions of a flow', () => {
  it('are one a save, the last 50 of them, latest first', () => {
    const { id } = lab.save({ description: 'v1' });
    for (let n = 2; n <= 53; n += 1) lab.save({ description: `v${n}` }, id);
    const versions = lab.flows.versions(systemCaller, id);
    expect(versions.map(({ definition }) => definition.description)).toEqual(
      Array.from({ length: 50 }, (_, index) => `v${53 - index}`),
    );
  });

  it('come back as a new version, under their name if that is free', () => {
    const { id } = lab.save({ name: 'Early', description: 'first' });
    lab.save({ name: 'Late', description: 'second' }, id);
    lab.flows.setEnabled(systemCaller, id, false);
    const first = lab.flows.versions(systemCaller, id).at(-1);
    const restore = () => lab.flows.restoreVersion(systemCaller, first?.id ?? '');
    expect(restore()).toMatchObject({ id, name: 'Early', description: 'first', version: 3, enabled: false });
    lab.save({ name: 'Late' }, id);
    lab.save({ name: 'Early' });
    expect(restore()).toMatchObject({ name: 'Late', description: 'first', version: 5 });
  });

  it('are refused where what they need is gone', () => {
    const { id } = lab.save({ actions: [{ type: 'execute_scene', sceneId: lab.scene.id }] });
    lab.save({}, id);
    lab.scenes.delete(systemCaller, lab.scene.id);
    const first = lab.flows.versions(systemCaller, id).at(-1);
    const error = faultOf(() => lab.flows.restoreVersion(systemCaller, first?.id ?? ''));
    expect(error).toMatchObject({ code: 'scene_not_found', details: { field: 'actions[0].sceneId' } });
    expect(faultOf(() => lab.flows.restoreVersion(systemCaller, UNKNOWN_ID)).code).toBe('not_found');
  });
});

describe('switching, running and deleting a flow', () => {
  it('switches it at once and keeps no version of it', () => {
    const { id } = lab.save({});
    lab.flows.setEnabled(systemCaller, id, false);
    expect(lab.engine.programs.get(id)?.enabled).toBe(false);
    expect(new FlowStore(lab.database).load()[0]?.enabled).toBe(false);
    expect(lab.flows.versions(systemCaller, id)).toHaveLength(1);
  });

  it('runs it with variables that expressions can name', () => {
    const { id } = lab.save({});
    expect(lab.flows.run(systemCaller, id, { variables: { level: [1] } })).toEqual({
      runId: 'run',
      blockedReason: null,
    });
    expect(lab.engine.triggered).toEqual([{ id, variables: { level: [1] } }]);
    for (const [variables, field] of [
      [{ 'a b': 1 }, 'variables.a b'],
      [{ a: Number.POSITIVE_INFINITY }, 'variables.a'],
      [[1], 'variables'],
      [{ a: 'x'.repeat(70_000) }, 'variables'],
    ]) {
      expect(faultOf(() => lab.flows.run(systemCaller, id, { variables })).details.field).toBe(field);
    }
  });

  it('deletes it with its versions', () => {
    const { id } = lab.save({});
    const [version] = lab.flows.versions(systemCaller, id);
    lab.flows.delete(systemCaller, id);
    expect(lab.flows.list(systemCaller)).toEqual([]);
    expect(lab.engine.programs.has(id)).toBe(false);
    expect(new FlowStore(lab.database).findVersion(version?.id ?? '')).toBeUndefined();
  });

  it('ends with its home', () => {
    const data = { name: 'Fire', actions: [], triggers: [WEBHOOK] };
    const { id } = lab.flows.save(systemCaller, { homeId: lab.otherHome.id, data });
    lab.state.removeHome(lab.otherHome.id);
    expect(lab.flows.find(id)).toBeUndefined();
    expect(lab.engine.programs.has(id)).toBe(false);
  });
});

describe('how often a flow fired', () => {
  it('is shown at once, written once a second, and at the end', async () => {
    const { id } = lab.save({});
    const stored = () => new FlowStore(lab.database).load()[0]?.triggerCount;
    for (let n = 1; n <= 1_000; n += 1) lab.engine.fire(id, n);
    expect(lab.flows.get(systemCaller, id)).toMatchObject({ triggerCount: 1_000, lastTriggeredAt: 1_000 });
    expect(stored()).toBe(0);
    await lab.clock.advance(1_000);
    expect(stored()).toBe(1_000);
    const idle = lab.clock.pendingTimers;
    lab.engine.fire(id, 2_000);
    expect(lab.clock.pendingTimers).toBe(idle + 1);
    lab.flows.stop();
    expect(lab.clock.pendingTimers).toBe(idle);
    expect(stored()).toBe(1_001);
  });
});

describe('what flows use', () => {
  it('is not deleted under them', () => {
    const used = { type: 'virtual', accessoryId: lab.counter.id, operation: 'reset' };
    const { id } = lab.save({ name: 'Door Bell', actions: [{ type: 'parallel', branches: [[used]] }] });
    const error = faultOf(() => lab.virtuals.delete(systemCaller, lab.counter.id));
    expect(error.code).toBe('conflict');
    expect(error.message).toContain('the automation "Door Bell"');
    lab.flows.delete(systemCaller, id);
    expect(() => lab.virtuals.delete(systemCaller, lab.counter.id)).not.toThrow();
  });

  it('is what expressions name by id, too', () => {
    const expression = `states("${lab.counter.id.toUpperCase()}", "value") == 1`;
    lab.save({ name: 'Count', conditions: { type: 'template', expression } });
    expect(lab.references.usedBy(lab.counter.id)).toEqual(['the automation "Count"']);
  });
});

describe('flows on the disk', () => {
  it('are the same after a restart', () => {
    const good = lab.save({ name: 'Good', triggers: [WEBHOOK], enabled: false });
    lab.engine.fire(good.id, 7);
    lab.flows.stop();
    expect(lab.flowStore.load()).toEqual([{ ...good, triggerCount: 1, lastTriggeredAt: 7 }]);
  });

  it.each(['{"actions": [', '[]', 'null', '{"triggers": 1, "actions": [], "conditions": {}}'])(
    'that rotted to %s are there without what they did, off, and can be restored',
    (rot) => {
      const { id } = lab.save({ name: 'Bad', actions: [{ type: 'stop' }] });
      lab.database.prepare('UPDATE flows SET definition = ? WHERE id = ?').run(rot, id);
      lab.flows.stop();
      lab.flows.start();
      expect(lab.flows.find(id)).toMatchObject({ name: 'Bad', enabled: false, actions: [] });
      const [version] = lab.flows.versions(systemCaller, id);
      expect(lab.flows.restoreVersion(systemCaller, version?.id ?? '').actions).toHaveLength(1);
    },
  );
});
