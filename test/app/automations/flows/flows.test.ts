import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FlowStore } from '../../../../src/app/automations/flows/flow-store.ts';
import { presentFlow } from '../../../../src/app/automations/flows/present-flow.ts';
import { callerOf, systemCaller, tokenCaller, userCaller } from '../../../support/test-home.ts';
import { createFlowFixture, type FlowFixture, faultOf, laterFaultOf, UNKNOWN_ID } from './flow-fixture.ts';

let fixture: FlowFixture;
beforeEach(() => {
  fixture = createFlowFixture({
    roles: {
      roleOf: (userId, homeId) => (homeId === fixture.homeId ? (userId as 'view' | 'control' | 'admin') : undefined),
      homesOf: () => [fixture.homeId],
    },
  });
});
afterEach(() => fixture.close());

const viewer = userCaller('view');
const controller = userCaller('control');
const admin = userCaller('admin');
const WEBHOOK = { id: 'hook', type: 'webhook' };

describe('who may do what with flows', () => {
  it('is: view to read, control to run, admin to change', async () => {
    const { id, homeId } = fixture.save({});
    const [version] = fixture.flows.versions(admin, id);
    const data = { name: 'New', actions: [] };
    const acts = {
      view: [
        () => fixture.flows.list(viewer, homeId),
        () => fixture.flows.get(viewer, id),
        () => fixture.flows.versions(viewer, id),
        () => fixture.flows.export(viewer, id, 'yaml'),
      ],
      control: [(caller = controller) => fixture.flows.run(caller, id)],
      admin: [
        (caller = admin) => fixture.flows.setEnabled(caller, id, false),
        (caller = admin) => fixture.flows.save(caller, { homeId, flowId: id, data }),
        (caller = admin) => fixture.flows.save(caller, { homeId, data: { ...data, name: 'Newer' } }),
        (caller = admin) => fixture.flows.saveInSlices(caller, { homeId, flowId: id, data }),
        (caller = admin) => fixture.flows.restoreVersion(caller, version?.id ?? ''),
        (caller = admin) => fixture.flows.delete(caller, id),
      ],
    };
    const document = await fixture.flows.export(admin, id, 'json');
    for (const caller of [viewer, controller]) {
      const { code } = await laterFaultOf(() => fixture.flows.import(caller, homeId, document));
      expect(code).toBe('insufficient_permissions');
    }
    await fixture.flows.import(admin, homeId, document);
    for (const act of [...acts.control, ...acts.admin]) {
      expect((await laterFaultOf(async () => act(viewer))).code).toBe('insufficient_permissions');
    }
    for (const act of acts.admin) {
      expect((await laterFaultOf(async () => act(controller))).code).toBe('insufficient_permissions');
    }
    for (const act of [...acts.view, ...acts.control, ...acts.admin]) await act();
  });

  it('is hidden from those who may not see the home', () => {
    const { id, homeId } = fixture.save({});
    const stranger = tokenCaller({ [fixture.otherHome.id]: 'control' });
    expect(fixture.flows.list(stranger)).toEqual([]);
    expect(faultOf(() => fixture.flows.list(stranger, homeId)).code).toBe('home_not_found');
    for (const act of [
      () => fixture.flows.get(stranger, id),
      () => fixture.flows.run(stranger, id),
      () => fixture.flows.setEnabled(stranger, id, true),
      () => fixture.flows.delete(stranger, id),
      () => fixture.flows.versions(stranger, id),
    ]) {
      const { code, message } = faultOf(act);
      expect({ code, message }).toEqual({ code: 'automation_not_found', message: 'Automation not found' });
    }
  });

  it('shows no ids of webhooks to those who may not run the flow', async () => {
    const wait = { type: 'wait_for_trigger', triggers: [WEBHOOK] };
    const { id, triggers } = fixture.save({ triggers: [{ ...WEBHOOK, id: 'top' }], actions: [wait] });
    const webhookId = triggers[0]?.type === 'webhook' ? triggers[0].webhookId : '';
    expect(webhookId).toHaveLength(22);
    const seen = (caller: typeof viewer) =>
      JSON.stringify([fixture.flows.list(caller), fixture.flows.get(caller, id), fixture.flows.versions(caller, id)]);
    expect(seen(controller)).toContain(webhookId);
    expect(seen(viewer)).not.toMatch(/"webhookId":"[^"]/);
    expect(await fixture.flows.export(admin, id, 'yaml')).not.toContain(webhookId);
  });

  it('shows credentials of requests only to callers who may change the flow', async () => {
    const request = {
      id: 'request',
      type: 'fire_webhook',
      url: 'https://ada:pass@example.org/lights?key=querykey',
      headers: { Authorization: 'Bearer token' },
      // The input is not a stored node.
      body: { type: 'webhook', webhookId: 'of somebody else' },
    };
    const { id } = fixture.save({
      actions: [{ type: 'parallel', branches: [[{ type: 'choose', choices: [{ actions: [request] }] }]] }],
    });
    const seen = async (caller: typeof viewer) =>
      JSON.stringify([fixture.flows.list(caller), fixture.flows.get(caller, id), fixture.flows.versions(caller, id)]) +
      (await fixture.flows.export(caller, id, 'json'));
    for (const caller of [viewer, controller]) {
      expect(await seen(caller)).not.toMatch(/Bearer|pass|querykey/);
      expect(await seen(caller)).toContain('https://example.org/lights');
      expect(await seen(caller)).toContain('of somebody else');
    }
    expect(await seen(admin)).toMatch(/Bearer token.*querykey/s);
  });

  it('lets an automation switch those of its own home only', () => {
    const { id, homeId } = fixture.save({});
    expect(fixture.flows.setEnabledBy(homeId, id, false).enabled).toBe(false);
    expect(faultOf(() => fixture.flows.setEnabledBy(fixture.otherHome.id, id, true)).code).toBe('automation_not_found');
    const automation = callerOf({ kind: 'automation', automationId: id, homeId });
    expect(faultOf(() => fixture.flows.delete(automation, id)).code).toBe('insufficient_permissions');
  });
});

describe('saving a flow', () => {
  it('is on the disk, in memory and with the engine at once', () => {
    const saved = fixture.save({ name: 'Night', actions: [{ id: 's', type: 'stop' }], description: 'Lights out' });
    expect(fixture.flows.get(systemCaller, saved.id.toUpperCase())).toEqual(saved);
    expect(new FlowStore(fixture.database).load()).toEqual([saved]);
    const { id, homeId, name, actions } = saved;
    expect(fixture.engine.programs.get(id)).toMatchObject({ id, kind: 'flow', homeId, name, enabled: true, actions });
    expect(saved).toMatchObject({ version: 1, triggerCount: 0, lastTriggeredAt: null, createdAt: fixture.clock.now() });
  });

  it('replaces all of it but whether it is on, when it was made and how often it fired', async () => {
    const first = fixture.save({ description: 'Old', enabled: false });
    await fixture.clock.advance(60_000);
    fixture.engine.fire(first.id, 5);
    const second = fixture.save({ name: 'Other', mode: 'queued' }, first.id);
    expect(second).toMatchObject({ id: first.id, name: 'Other', description: null, mode: 'queued', enabled: false });
    expect(second).toMatchObject({ version: 2, createdAt: first.createdAt, triggerCount: 1, lastTriggeredAt: 5 });
    expect(second.updatedAt).toBe(first.createdAt + 60_000);
    expect(fixture.flows.list(systemCaller)).toHaveLength(1);
  });

  it('that is refused changes nothing', () => {
    const saved = fixture.save({});
    expect(() => fixture.save({ name: 'Other', mode: 'no' }, saved.id)).toThrow();
    expect(fixture.flows.get(systemCaller, saved.id)).toEqual(saved);
    expect(new FlowStore(fixture.database).load()).toEqual([saved]);
    expect(fixture.flows.versions(systemCaller, saved.id)).toHaveLength(1);
  });

  it('takes back what it showed', () => {
    const saved = fixture.save({ triggers: [WEBHOOK], uiState: { edges: [] } });
    const again = fixture.flows.save(systemCaller, {
      homeId: fixture.homeId,
      flowId: saved.id,
      data: presentFlow(saved),
    });
    expect({ ...again, version: 1 }).toEqual(saved);
  });

  it('takes a copy of a flow as a new one', () => {
    const { id, ...shown } = presentFlow(fixture.save({}));
    const copy = fixture.save({ id, ...shown, name: 'Copy' });
    expect(copy.id).not.toBe(id);
  });

  it('may have the name of another flow, when it is made and when it is changed', () => {
    const first = fixture.save({ name: 'Good Night' });
    const second = fixture.save({ name: 'good_night' });
    const renamed = fixture.flows.save(systemCaller, {
      homeId: second.homeId,
      flowId: second.id,
      data: { name: 'Good Night', actions: [] },
    });
    expect(renamed).toMatchObject({ id: second.id, name: 'Good Night' });
    expect(first.id).not.toBe(second.id);
  });

  it('needs the home that it is in', () => {
    const { id } = fixture.save({});
    const data = { name: 'A', actions: [] };
    const save = (homeId: string) => faultOf(() => fixture.flows.save(systemCaller, { homeId, flowId: id, data })).code;
    expect(save(fixture.otherHome.id)).toBe('automation_not_found');
    expect(save(UNKNOWN_ID)).toBe('home_not_found');
  });

  it('gives no webhook away that another flow has', () => {
    const [hook] = fixture.save({ triggers: [WEBHOOK] }).triggers;
    expect(faultOf(() => fixture.save({ name: 'Thief', triggers: [hook] })).details.field).toBe(
      'triggers[0].webhookId',
    );
  });
});

describe('the webhooks of flows', () => {
  it('are found by their ids, until they are gone', () => {
    const wait = { type: 'wait_for_trigger', triggers: [{ ...WEBHOOK, id: 'later' }] };
    const flow = fixture.save({ triggers: [WEBHOOK], actions: [wait] });
    const ids = JSON.stringify(flow).match(/(?<="webhookId":")[\w-]+/g) ?? [];
    expect(ids.map((id) => fixture.flows.findWebhook(id)?.trigger.id)).toEqual(['hook', 'later']);
    expect(fixture.flows.findWebhook('')).toBeUndefined();
    fixture.save({}, flow.id);
    expect(ids.map((id) => fixture.flows.findWebhook(id))).toEqual([undefined, undefined]);
  });
});

describe('versions of a flow', () => {
  it('are one a save, the last 50 of them, latest first', () => {
    const { id } = fixture.save({ description: 'v1' });
    for (let n = 2; n <= 53; n += 1) fixture.save({ description: `v${n}` }, id);
    const versions = fixture.flows.versions(systemCaller, id);
    expect(versions.map(({ definition }) => definition.description)).toEqual(
      Array.from({ length: 50 }, (_, index) => `v${53 - index}`),
    );
  });

  it('come back as a new version, under the name of then', async () => {
    const { id } = fixture.save({ name: 'Early', description: 'first' });
    fixture.save({ name: 'Late', description: 'second' }, id);
    fixture.flows.setEnabled(systemCaller, id, false);
    const first = fixture.flows.versions(systemCaller, id).at(-1);
    const restore = () => fixture.flows.restoreVersion(systemCaller, first?.id ?? '');
    expect(await restore()).toMatchObject({ id, name: 'Early', description: 'first', version: 3, enabled: false });
    fixture.save({ name: 'Late' }, id);
    fixture.save({ name: 'Early' });
    expect(await restore()).toMatchObject({ name: 'Early', description: 'first', version: 5 });
  });

  it('are refused where what they need is gone', async () => {
    const { id } = fixture.save({ actions: [{ type: 'execute_scene', sceneId: fixture.scene.id }] });
    fixture.save({}, id);
    fixture.scenes.delete(systemCaller, fixture.scene.id);
    const first = fixture.flows.versions(systemCaller, id).at(-1);
    const error = await laterFaultOf(() => fixture.flows.restoreVersion(systemCaller, first?.id ?? ''));
    expect(error).toMatchObject({ code: 'scene_not_found', details: { field: 'actions[0].sceneId' } });
    expect((await laterFaultOf(() => fixture.flows.restoreVersion(systemCaller, UNKNOWN_ID))).code).toBe('not_found');
  });
});

describe('switching, running and deleting a flow', () => {
  it('switches it at once and keeps no version of it', () => {
    const { id } = fixture.save({});
    fixture.flows.setEnabled(systemCaller, id, false);
    expect(fixture.engine.programs.get(id)?.enabled).toBe(false);
    expect(new FlowStore(fixture.database).load()[0]?.enabled).toBe(false);
    expect(fixture.flows.versions(systemCaller, id)).toHaveLength(1);
  });

  it('runs it with variables that expressions can name', () => {
    const { id } = fixture.save({});
    expect(fixture.flows.run(systemCaller, id, { variables: { level: [1] } })).toEqual({
      runId: 'run',
      blockedReason: null,
    });
    expect(fixture.engine.triggered).toEqual([{ id, variables: { level: [1] } }]);
    for (const [variables, field] of [
      [{ 'a b': 1 }, 'variables.a b'],
      [{ a: Number.POSITIVE_INFINITY }, 'variables.a'],
      [[1], 'variables'],
      [{ a: 'x'.repeat(70_000) }, 'variables'],
    ]) {
      expect(faultOf(() => fixture.flows.run(systemCaller, id, { variables })).details.field).toBe(field);
    }
  });

  it('deletes it with its versions', () => {
    const { id } = fixture.save({});
    const [version] = fixture.flows.versions(systemCaller, id);
    fixture.flows.delete(systemCaller, id);
    expect(fixture.flows.list(systemCaller)).toEqual([]);
    expect(fixture.engine.programs.has(id)).toBe(false);
    expect(new FlowStore(fixture.database).findVersion(version?.id ?? '')).toBeUndefined();
  });

  it('ends with its home', () => {
    const data = { name: 'Fire', actions: [], triggers: [WEBHOOK] };
    const { id } = fixture.flows.save(systemCaller, { homeId: fixture.otherHome.id, data });
    fixture.state.removeHome(fixture.otherHome.id);
    expect(fixture.flows.find(id)).toBeUndefined();
    expect(fixture.engine.programs.has(id)).toBe(false);
  });
});

describe('how often a flow fired', () => {
  it('is shown at once, written once a second, and at the end', async () => {
    const { id } = fixture.save({});
    const stored = () => new FlowStore(fixture.database).load()[0]?.triggerCount;
    for (let n = 1; n <= 1_000; n += 1) fixture.engine.fire(id, n);
    expect(fixture.flows.get(systemCaller, id)).toMatchObject({ triggerCount: 1_000, lastTriggeredAt: 1_000 });
    expect(stored()).toBe(0);
    await fixture.clock.advance(1_000);
    expect(stored()).toBe(1_000);
    const idle = fixture.clock.pendingTimers;
    fixture.engine.fire(id, 2_000);
    expect(fixture.clock.pendingTimers).toBe(idle + 1);
    void fixture.flows.stop();
    expect(fixture.clock.pendingTimers).toBe(idle);
    expect(stored()).toBe(1_001);
  });
});

describe('what flows use', () => {
  it('is not deleted under them', () => {
    const used = { type: 'virtual', accessoryId: fixture.counter.id, operation: 'reset' };
    const { id } = fixture.save({ name: 'Door Bell', actions: [{ type: 'parallel', branches: [[used]] }] });
    const error = faultOf(() => fixture.virtuals.delete(systemCaller, fixture.counter.id));
    expect(error.code).toBe('conflict');
    expect(error.message).toContain('the automation "Door Bell"');
    fixture.flows.delete(systemCaller, id);
    expect(() => fixture.virtuals.delete(systemCaller, fixture.counter.id)).not.toThrow();
  });

  it('is what expressions name by id, too', () => {
    const expression = `states("${fixture.counter.id.toUpperCase()}", "value") == 1`;
    const { id } = fixture.save({ name: 'Count', conditions: { type: 'template', expression } });
    expect(fixture.references.usesOf(fixture.counter.id)).toEqual([{ kind: 'flow', id, name: 'Count' }]);
    expect(fixture.references.usedBy(fixture.counter.id)).toEqual(['the automation "Count"']);
  });
});

describe('flows on the disk', () => {
  it('are the same after a restart', () => {
    const good = fixture.save({ name: 'Good', triggers: [WEBHOOK], enabled: false });
    fixture.engine.fire(good.id, 7);
    void fixture.flows.stop();
    expect(fixture.flowStore.load()).toEqual([{ ...good, triggerCount: 1, lastTriggeredAt: 7 }]);
  });

  it.each(['{"actions": [', '[]', 'null', '{"triggers": 1, "actions": [], "conditions": {}}'])(
    'that rotted to %s are there without what they did, off, and can be restored',
    async (rot) => {
      const { id } = fixture.save({ name: 'Bad', actions: [{ type: 'stop' }] });
      fixture.database.prepare('UPDATE flows SET definition = ? WHERE id = ?').run(rot, id);
      void fixture.flows.stop();
      fixture.flows.start();
      expect(fixture.flows.find(id)).toMatchObject({ name: 'Bad', enabled: false, actions: [] });
      const [version] = fixture.flows.versions(systemCaller, id);
      expect((await fixture.flows.restoreVersion(systemCaller, version?.id ?? '')).actions).toHaveLength(1);
    },
  );
});
