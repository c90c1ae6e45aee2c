// biome-ignore-all lint/suspicious/noThenProperty: the record's name (wire-facts §6.2) for a list, never awaited
/** Wire-facts §6.5: limits, traces, versions and internal events, and decisions §10 on guards. One `it` a sentence. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemCaller } from '../support/test-home.ts';
import { type AutomationClient, openAutomationClient, type StepShown, step } from './automation-client.ts';

const MINUTE = 60_000;

let door: AutomationClient;

beforeEach(() => {
  door = openAutomationClient();
});
afterEach(() => door.close());

const blocked = async (flowId: string) =>
  (await door.traces(flowId)).map(({ blockedReason }: { blockedReason: string | null }) => blockedReason);
const setLamp = (value: unknown) => ({
  type: 'set_characteristic',
  accessoryId: door.id('Lamp'),
  characteristicType: 'power_state',
  value,
});

describe('guards', () => {
  it('10 runs per minute per automation', async () => {
    const { id } = await door.save({});
    const other = await door.save({});
    for (let n = 0; n < 10; n += 1) expect((await door.run(id)).success).toBe(true);
    expect(await door.run(id)).toMatchObject({ success: false, blockedReason: 'rate_limit' });
    expect((await door.run(other.id)).success).toBe(true);
    await door.advance(MINUTE + 1_000);
    expect((await door.run(id)).success).toBe(true);
  });

  it('5 minutes of work per run; what it waits is no work', async () => {
    door.home.driver.writeDelayMs = 30 * MINUTE;
    const { runId } = await door.runOf([setLamp(true)]);
    const patient = await door.runOf([{ type: 'delay', duration: { minutes: 20 } }]);
    await door.advance(4 * MINUTE);
    expect((await door.trace(runId)).status).toBe('running');
    await door.advance(2 * MINUTE);
    expect(await door.trace(runId)).toMatchObject({ status: 'timeout', error: expect.any(String) });
    await door.advance(15 * MINUTE);
    expect((await door.trace(patient.runId)).status).toBe('success');
  });

  it('a blocked run leaves a stub trace with blockedReason mode_single, mode_queued or disabled', async () => {
    const wait = { actions: [{ type: 'delay', duration: { minutes: 1 } }] };
    const { id: single } = await door.save(wait);
    const { id: queued } = await door.save({ ...wait, mode: 'queued', maxRunning: 1 });
    const { id: disabled } = await door.save({ enabled: false });
    for (const id of [single, single, queued, queued, disabled]) await door.run(id);
    expect(await blocked(single)).toEqual(['mode_single', null]);
    expect(await blocked(queued)).toEqual(['mode_queued', null]);
    expect(await blocked(disabled)).toEqual(['disabled']);
  });

  it('two automations that flip each other are stopped and reported, naming the loop', async () => {
    const lamp = { accessoryId: door.id('Lamp'), characteristicType: 'power_state' };
    const flip = (name: string, to: boolean) =>
      door.save({ triggers: [{ type: 'state', ...lamp, to }], actions: [setLamp(!to)] }, name);
    // As over a network: each is through before the other has had its effect.
    door.home.driver.writeDelayMs = 50;
    const failures: string[] = [];
    door.home.bus.on('automation.failed', ({ error }) => failures.push(error));
    const [a, b] = [await flip('A', true), await flip('B', false)];
    await door.device('Lamp', true);
    const after = async (ms: number) => {
      await door.advance(ms);
      return [...(await blocked(a.id)), ...(await blocked(b.id))];
    };
    // On a busy machine a run lets others have their turn between its steps, while the clock moves on.
    await expect.poll(() => after(1_000)).toContain('loop');
    expect(failures.join()).toMatch(/A → B → A|B → A → B/);
  });
});

describe('a trace', () => {
  it('has id, automationId, automationName, startedAt, finishedAt, status, triggerData, steps, variables, error, blockedReason', async () => {
    const { id } = await door.save({ actions: [{ type: 'variables', variables: { a: 1 } }] }, 'Traced');
    expect((await door.run(id)).trace).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      automationId: id,
      automationName: 'Traced',
      startedAt: '2026-01-15T12:00:00.000Z',
      finishedAt: '2026-01-15T12:00:00.000Z',
      status: 'success',
      triggerData: { type: 'manual', timestamp: Date.parse('2026-01-15T12:00:00Z') / 1000 },
      steps: expect.any(Array),
      variables: { a: 1 },
      error: null,
      blockedReason: null,
    });
  });

  it('has steps of the types trigger, condition and action with all their fields', async () => {
    const conditions = [{ type: 'template', expression: 'true' }];
    const { trace } = await door.runOf([{ ...setLamp(true), id: 'light' }], { conditions });
    expect(trace.steps.map(({ index, type, result }: StepShown) => [index, type, result])).toEqual([
      [0, 'trigger', 'executed'],
      [1, 'condition', 'passed'],
      [2, 'action', 'executed'],
    ]);
    expect(step(trace, 'light')).toEqual({
      index: 2,
      type: 'action',
      nodeId: 'light',
      nodeType: 'set_characteristic',
      nodeSummary: expect.stringContaining('Lamp'),
      startedAt: '2026-01-15T12:00:00.000Z',
      finishedAt: '2026-01-15T12:00:00.000Z',
      durationMs: 0,
      result: 'executed',
      input: { accessoryId: door.id('Lamp'), characteristicType: 'power_state', value: true },
      output: { accessoryId: door.id('Lamp'), characteristicType: 'power_state', value: true, success: true },
      error: null,
      parentNodeId: null,
      branch: null,
      iteration: null,
      attempt: 1,
    });
  });

  it('reports of a nested step its parentNodeId, branch and iteration', async () => {
    const inner = { id: 'inner', type: 'variables', variables: { n: '{{ repeat.index }}' } };
    const choice = {
      id: 'if',
      type: 'if_then_else',
      condition: [{ type: 'template', expression: 'true' }],
      then: [inner],
    };
    const { trace } = await door.runOf([{ id: 'loop', type: 'repeat', mode: 'count', count: 2, sequence: [choice] }]);
    const inners = trace.steps.filter(({ nodeId }: StepShown) => nodeId === 'inner');
    expect(inners.map(({ parentNodeId, branch, iteration }: StepShown) => [parentNodeId, branch, iteration])).toEqual([
      ['if', 'then', 1],
      ['if', 'then', 2],
    ]);
  });

  it('has the status running while it runs, then success, error, stopped or cancelled', async () => {
    const { flowId, runId, trace } = await door.runOf([{ id: 'pause', type: 'delay', duration: { minutes: 1 } }], {
      mode: 'restart',
    });
    expect(trace).toMatchObject({ status: 'running', finishedAt: null });
    expect(step(trace, 'pause')).toMatchObject({ result: 'running', finishedAt: null, durationMs: null });
    await door.run(flowId);
    expect((await door.trace(runId)).status).toBe('cancelled');
    expect((await door.runOf([{ type: 'stop' }])).trace.status).toBe('stopped');
    expect((await door.runOf([{ type: 'stop', error: true }])).trace.status).toBe('error');
    expect((await door.runOf([])).trace.status).toBe('success');
  });

  it('has the automation as the run found it where one run is asked for, and in no list', async () => {
    const { id } = await door.save({ actions: [{ id: 'set', type: 'variables', variables: { a: 1 } }] }, 'Changed');
    const { trace } = await door.run(id);
    const changed = { name: 'Changed', triggers: [], actions: [{ id: 'set', type: 'variables', variables: { a: 2 } }] };
    door.home.flows.save(systemCaller, { homeId: door.homeId, flowId: id, data: changed });
    expect((await door.trace(trace.id)).automation).toMatchObject({
      kind: 'flow',
      isCurrent: false,
      definition: { triggers: [], actions: [{ id: 'set', variables: { a: 1 } }] },
    });
    expect((await door.traces(id))[0]).not.toHaveProperty('automation');
  });

  it('of a run that waits its turn is there, as running', async () => {
    const { id } = await door.save({ mode: 'queued', actions: [{ type: 'delay', duration: { minutes: 1 } }] });
    await door.run(id);
    expect((await door.run(id)).trace).toMatchObject({ status: 'running', steps: [{ type: 'trigger' }] });
  });

  it('values are capped at 8192 bytes', async () => {
    const variables = { long: 'x'.repeat(20_000) };
    const { trace } = await door.runOf([{ id: 'set', type: 'variables', variables }]);
    expect(Buffer.byteLength(trace.variables.long)).toBeLessThanOrEqual(8_192);
    expect(Buffer.byteLength(step(trace, 'set').input)).toBeLessThanOrEqual(8_192);
  });

  it('100 are kept per automation', async () => {
    const { id } = await door.save({});
    for (let n = 0; n < 115; n += 1) {
      door.home.run(id);
      await door.advance(7_000);
    }
    await door.advance(5_000);
    expect((await door.rest.get(`/rest/flows/${id}/traces?limit=100`)).body).toHaveLength(100);
  });
});

describe('versions', () => {
  it('one per save, 50 per automation', async () => {
    const { id } = await door.save({}, 'Kept');
    for (let n = 0; n < 54; n += 1) {
      await door.rest.request('PUT', `/rest/flows/${id}`, { name: 'Kept', description: `${n}`, actions: [] });
    }
    const { body } = await door.rest.get(`/rest/flows/${id}/versions`);
    expect(body).toHaveLength(50);
    expect(body[0]).toMatchObject({ flowId: id, version: 55, name: 'Kept', savedAt: expect.any(String) });
  });

  it('one can be restored, which is a new version', async () => {
    const { id } = await door.save({ description: 'before' }, 'Kept');
    await door.rest.request('PUT', `/rest/flows/${id}`, { name: 'Kept', description: 'after', actions: [] });
    const [, first] = (await door.rest.get(`/rest/flows/${id}/versions`)).body;
    const { body } = await door.rest.post(`/rest/flows/versions/${first.id}/restore`);
    expect(body).toMatchObject({ id, description: 'before', version: 3 });
  });
});

describe('internal events', () => {
  const received = async (eventType: string) => {
    const { id } = await door.save({ triggers: [{ type: 'event', eventType }] });
    return async () =>
      (await door.traces(id)).map(({ triggerData }: { triggerData: StepShown }) => triggerData.event_data);
  };

  it('automation.error {automationId, automationName, error}', async () => {
    const events = await received('automation.error');
    const { id } = await door.save({ actions: [{ type: 'stop', error: true, reason: 'No water' }] }, 'Garden');
    await door.run(id);
    expect(await events()).toEqual([{ automationId: id, automationName: 'Garden', error: 'No water' }]);
  });

  it('timer.started, timer.paused, timer.resumed, timer.cancelled, timer.finished', async () => {
    const { id: accessoryId } = door.home.virtuals.create(systemCaller, {
      homeId: door.homeId,
      name: 'Tea',
      type: 'timer',
      duration: 60,
    });
    const words = ['started', 'paused', 'resumed', 'cancelled', 'finished'];
    const events = await Promise.all(words.map((word) => received(`timer.${word}`)));
    const counts = async () => Promise.all(events.map(async (list) => (await list()).length));
    const operate = async (operation: string) => {
      await door.rest.post(`/rest/virtual-accessories/${accessoryId}/operate`, { operation });
      await door.home.settle();
      return counts();
    };
    expect(await operate('start')).toEqual([1, 0, 0, 0, 0]);
    expect(await operate('pause')).toEqual([1, 1, 0, 0, 0]);
    expect(await operate('start')).toEqual([1, 1, 1, 0, 0]);
    expect(await operate('cancel')).toEqual([1, 1, 1, 1, 0]);
    expect(await operate('start')).toEqual([2, 1, 1, 1, 0]);
    await door.advance(61_000);
    expect(await counts()).toEqual([2, 1, 1, 1, 1]);
  });

  it('system.*', async () => {
    const events = await received('system.relay_disconnected');
    door.home.registry.setConnected(door.homeId, false);
    await door.home.settle();
    expect(await events()).toHaveLength(1);
  });
});
