// biome-ignore-all lint/suspicious/noThenProperty: the record's name (wire-facts §6.2) for a list, never awaited
/** Wire-facts §6.2, actions and what the record has beside them, with §6.3's outputs of nodes. One `it` a sentence. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HttpSendError } from '../../src/home/http-sender.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { systemCaller } from '../support/test-home.ts';
import { type AutomationClient, openAutomationClient, type SampleName, step } from './automation-client.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let door: AutomationClient;

beforeEach(() => {
  door = openAutomationClient({ runsPerMinute: 1_000 });
});
afterEach(() => door.close());

const on = (name: SampleName, more: object = {}) => ({ accessoryId: door.id(name), ...more });
const setLamp = (value: unknown, more: object = {}) =>
  on('Lamp', { type: 'set_characteristic', characteristicType: 'power_state', value, ...more });
const unreachable = (): void => door.home.driver.setReachable('10:00:00:00:00:01', false);
const note = (name: string, value: unknown = true) => ({ type: 'variables', variables: { [name]: value } });
const template = (expression: string) => ({ operator: 'and', conditions: [{ type: 'template', expression }] });
const counter = (): string =>
  door.home.virtuals.create(systemCaller, { homeId: door.homeId, name: 'Count', type: 'counter' }).id;

describe('the record of a flow', () => {
  it('has all that is listed, with the defaults', async () => {
    const flow = await door.save({}, 'Bare');
    expect(flow).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Bare',
      description: null,
      homeId: door.homeId,
      enabled: true,
      mode: 'single',
      maxRunning: 10,
      triggers: [],
      conditions: { operator: 'and', conditions: [] },
      actions: [],
      variables: {},
      blueprintId: null,
      metadata: { createdAt: '2026-01-15T12:00:00.000Z', updatedAt: '2026-01-15T12:00:00.000Z', triggerCount: 0 },
      uiState: null,
      version: 1,
      webhookUrls: [],
    });
  });

  it('keeps description, variables, blueprintId and uiState {nodePositions, edges, stickyNotes} as they were sent', async () => {
    const uiState = {
      nodePositions: { a: { x: 1, y: 2 } },
      edges: [{ from: 'a', to: 'b' }],
      stickyNotes: [{ text: 'Hi' }],
    };
    const more = { description: 'At dusk', variables: { level: 40, who: ['Ann'] }, blueprintId: 'b-1', uiState };
    expect(await door.save({ ...more, mode: 'queued', maxRunning: 3 })).toMatchObject({
      ...more,
      mode: 'queued',
      maxRunning: 3,
    });
  });

  it('metadata counts triggers and has the time of the last one', async () => {
    const { id } = await door.save({});
    await door.advance(MINUTE);
    await door.run(id);
    await door.run(id);
    expect((await door.rest.get(`/rest/flows/${id}`)).body.metadata).toMatchObject({
      createdAt: '2026-01-15T12:00:00.000Z',
      lastTriggeredAt: '2026-01-15T12:01:00.000Z',
      triggerCount: 2,
    });
  });

  it('what reads back can be sent back as it is, and changes nothing', async () => {
    const {
      metadata: _,
      version,
      ...flow
    } = await door.save({
      triggers: [on('Motion', { type: 'state', characteristicType: 'motion', for: { seconds: 5 } })],
      conditions: template('true'),
      actions: [setLamp('on'), { type: 'if_then_else', condition: template('1 > 0'), then: [{ type: 'stop' }] }],
    });
    const answer = await door.rest.request('PUT', `/rest/flows/${flow.id}`, { ...flow, metadata: _, version });
    expect(answer.status).toBe(200);
    const { metadata: __, version: next, ...again } = answer.body;
    expect(again).toEqual(flow);
    expect(next).toBe(version + 1);
  });
});

describe('run modes', () => {
  const waiting = async (mode: string, maxRunning?: number) => {
    const actions = [{ type: 'delay', duration: { minutes: 1 } }];
    const { id } = await door.save({ mode, actions, ...(maxRunning && { maxRunning }) });
    return id as string;
  };
  const statuses = async (id: string) => (await door.traces(id)).map(({ status }: { status: string }) => status);

  it('single refuses a second run while one runs', async () => {
    const id = await waiting('single');
    await door.run(id);
    const second = await door.run(id);
    expect(second).toMatchObject({ success: false, blockedReason: 'mode_single' });
    expect(second.trace.blockedReason).toBe('mode_single');
  });

  it('restart ends the first', async () => {
    const id = await waiting('restart');
    await door.run(id);
    await door.run(id);
    expect(await statuses(id)).toEqual(['running', 'cancelled']);
  });

  it('queued runs one after the other, up to maxRunning in all', async () => {
    const id = await waiting('queued', 2);
    await door.run(id);
    await door.run(id);
    expect((await door.run(id)).blockedReason).toBe('mode_queued');
    await door.advance(MINUTE + SECOND);
    expect((await statuses(id)).filter((status: string) => status === 'success')).toHaveLength(1);
    await door.advance(MINUTE + SECOND);
    expect((await statuses(id)).filter((status: string) => status === 'success')).toHaveLength(2);
  });

  it('parallel runs them at the same time, up to maxRunning', async () => {
    const id = await waiting('parallel', 2);
    await door.run(id);
    await door.run(id);
    expect(await statuses(id)).toEqual(['running', 'running']);
    expect((await door.run(id)).success).toBe(false);
  });
});

describe('what every action has', () => {
  it('id, alias, enabled; one that is not enabled is skipped', async () => {
    const { trace } = await door.runOf([{ ...setLamp(true), id: 'light', alias: 'Light on', enabled: false }]);
    expect(step(trace, 'light')).toMatchObject({ result: 'skipped' });
    expect(door.valueOf('Lamp')).toBe(false);
  });

  it('onError stop, the default: the run ends with an error that names the device', async () => {
    unreachable();
    const { trace } = await door.runOf([{ ...setLamp(true), id: 'light' }, note('after')]);
    expect(trace).toMatchObject({ status: 'error', error: expect.stringContaining('Lamp') });
    expect(step(trace, 'light')).toMatchObject({ result: 'error', error: expect.any(String) });
    expect(trace.variables).toEqual({});
  });

  it('onError continue: it is in the trace, and the run goes on', async () => {
    unreachable();
    const { trace } = await door.runOf([{ ...setLamp(true), id: 'light', onError: 'continue' }, note('after')]);
    expect(step(trace, 'light').result).toBe('error');
    expect(trace).toMatchObject({ status: 'success', variables: { after: true } });
  });

  it('onError retry: three times after a second that doubles; after exhausted retries the run continues', async () => {
    unreachable();
    const { runId, trace } = await door.runOf([{ ...setLamp(true), id: 'light', onError: 'retry' }, note('after')]);
    const attempts = async () =>
      (await door.trace(runId)).steps.filter(({ nodeId }: { nodeId: string }) => nodeId === 'light').length;
    expect(trace.status).toBe('running');
    expect(await attempts()).toBe(1);
    for (const [pause, made] of [
      [1, 2],
      [2, 3],
      [4, 4],
    ] as const) {
      await door.advance(pause * SECOND - 200);
      expect(await attempts()).toBe(made - 1);
      await door.advance(200);
      expect(await attempts()).toBe(made);
    }
    expect(await door.trace(runId)).toMatchObject({ status: 'success', variables: { after: true } });
  });

  it('maxRetries and retryDelayMs change that, and a retry that works is one', async () => {
    unreachable();
    const { runId } = await door.runOf([
      { ...setLamp(true), onError: 'retry', maxRetries: 1, retryDelayMs: 10_000 },
      note('after'),
    ]);
    await door.advance(9 * SECOND);
    door.home.driver.setReachable('10:00:00:00:00:01', true);
    expect(door.valueOf('Lamp')).toBe(false);
    await door.advance(2 * SECOND);
    expect(door.valueOf('Lamp')).toBe(true);
    expect((await door.trace(runId)).status).toBe('success');
  });

  it('a retry waits 30 s at most', async () => {
    unreachable();
    const light = { ...setLamp(true), id: 'light', onError: 'retry', maxRetries: 2, retryDelayMs: 20_000 };
    const { runId } = await door.runOf([light]);
    await door.advance(21 * SECOND + 31 * SECOND);
    expect((await door.trace(runId)).status).toBe('success');
  });
});

describe('set_characteristic', () => {
  it('sets the characteristic of the accessory and gives {accessoryId, characteristicType, value, success}', async () => {
    const { trace } = await door.runOf([{ ...setLamp(true), id: 'light' }]);
    expect(door.valueOf('Lamp')).toBe(true);
    expect(step(trace, 'light').output).toMatchObject(
      on('Lamp', { characteristicType: 'power_state', value: true, success: true }),
    );
  });

  it('takes templates as value', async () => {
    const dim = on('Lamp', { type: 'set_characteristic', characteristicType: 'brightness', value: '{{ level * 2 }}' });
    await door.runOf([dim], { variables: { level: 15 } });
    expect(door.valueOf('Lamp', '10')).toBe(30);
  });

  it('refuses what can’t be written, and values out of range, with the path of the field', async () => {
    const motion = on('Motion', { type: 'set_characteristic', characteristicType: 'motion_detected', value: true });
    expect((await door.send({ actions: [motion] })).body).toMatchObject({
      code: 'characteristic_not_writable',
      field: 'actions[0].characteristicType',
      error: expect.stringContaining('Characteristic not writable'),
    });
    const dim = on('Lamp', { type: 'set_characteristic', characteristicType: 'brightness', value: 101 });
    expect((await door.send({ actions: [dim] })).body).toMatchObject({
      code: 'invalid_value',
      field: 'actions[0].value',
    });
  });
});

describe('set_service_group', () => {
  it('sets every member; homeId may be given and must be that of the flow', async () => {
    const accessoryIds = [door.id('Heater'), door.id('Kettle')];
    const { id: groupId } = door.home.serviceGroups.create(systemCaller, {
      homeId: door.homeId,
      name: 'Hot',
      accessoryIds,
    });
    const set = { type: 'set_service_group', groupId, characteristicType: 'on', value: true };
    await door.runOf([{ ...set, homeId: door.homeId }]);
    expect([door.valueOf('Heater'), door.valueOf('Kettle')]).toEqual([true, true]);
    const { body } = await door.send({ actions: [{ ...set, homeId: crypto.randomUUID() }] });
    expect(body.field).toBe('actions[0].homeId');
  });
});

describe('execute_scene', () => {
  it('executes the scene and gives {sceneId, success}; homeId may be given', async () => {
    const { id: sceneId } = door.home.scenes.create(systemCaller, {
      homeId: door.homeId,
      name: 'Movie',
      actions: [on('Lamp', { characteristicType: 'brightness', targetValue: 10 }) as never],
    });
    const { trace } = await door.runOf([{ id: 'scene', type: 'execute_scene', sceneId, homeId: door.homeId }]);
    expect(door.valueOf('Lamp', '10')).toBe(10);
    expect(step(trace, 'scene').output).toMatchObject({ sceneId, success: true });
  });

  it('of a scene that is not there is refused with the path', async () => {
    const { body } = await door.send({ actions: [{ type: 'execute_scene', sceneId: crypto.randomUUID() }] });
    expect(body).toMatchObject({ code: 'scene_not_found', field: 'actions[0].sceneId' });
  });
});

describe('delay', () => {
  it('waits for its duration and gives {durationMs}', async () => {
    const { runId } = await door.runOf([
      { id: 'pause', type: 'delay', duration: { minutes: 1, seconds: 30 } },
      setLamp(true),
    ]);
    await door.advance(89 * SECOND);
    expect(door.valueOf('Lamp')).toBe(false);
    await door.advance(2 * SECOND);
    expect(door.valueOf('Lamp')).toBe(true);
    expect(step(await door.trace(runId), 'pause').output).toEqual({ durationMs: 90_000 });
  });

  it('is 24 hours at most', async () => {
    const delay = (duration: object) => door.send({ actions: [{ type: 'delay', duration }] });
    expect((await delay({ hours: 24 })).status).toBe(200);
    expect((await delay({ hours: 24, seconds: 1 })).body).toMatchObject({ field: 'actions[0].duration' });
  });
});

describe('wait_for_trigger', () => {
  const wait = (more: object = {}) => ({
    id: 'wait',
    type: 'wait_for_trigger',
    triggers: [on('Motion', { type: 'state', characteristicType: 'motion_detected', to: true })],
    ...more,
  });

  it('waits until one of its triggers fires, and gives {triggered, triggerData}', async () => {
    const { runId } = await door.runOf([wait(), note('found', '{{ wait.trigger.to_value }}')]);
    await door.advance(HOUR);
    expect((await door.trace(runId)).status).toBe('running');
    await door.device('Motion', true);
    const trace = await door.trace(runId);
    expect(trace).toMatchObject({ status: 'success', variables: { found: true } });
    expect(step(trace, 'wait').output).toMatchObject({
      triggered: true,
      triggerData: { accessory_id: door.id('Motion') },
    });
  });

  it('with a timeout goes on after it, for continueOnTimeout is true where left out', async () => {
    const { runId } = await door.runOf([wait({ timeout: { seconds: 10 } }), note('waited', '{{ wait.completed }}')]);
    await door.advance(11 * SECOND);
    const trace = await door.trace(runId);
    expect(trace).toMatchObject({ status: 'success', variables: { waited: false } });
    expect(step(trace, 'wait')).toMatchObject({ result: 'timeout', output: { triggered: false, triggerData: null } });
  });

  it('with continueOnTimeout false ends the run', async () => {
    const { runId } = await door.runOf([wait({ timeout: { seconds: 10 }, continueOnTimeout: false }), note('after')]);
    await door.advance(11 * SECOND);
    expect(await door.trace(runId)).toMatchObject({ status: 'stopped', variables: {} });
  });
});

describe('wait_for_template', () => {
  it('waits until its expression is true, with timeout and continueOnTimeout as the other wait', async () => {
    const wait = { type: 'wait_for_template', expression: "states('Motion')" };
    const { runId } = await door.runOf([wait, note('after')]);
    expect((await door.trace(runId)).status).toBe('running');
    await door.device('Motion', true);
    expect((await door.trace(runId)).status).toBe('success');
    await door.device('Motion', false);
    const late = await door.runOf([{ ...wait, timeout: { seconds: 5 }, continueOnTimeout: false }, note('after')]);
    await door.advance(6 * SECOND);
    expect(await door.trace(late.runId)).toMatchObject({ status: 'stopped', variables: {} });
  });
});

describe('choose', () => {
  const choose = (level: number, more: object = {}) =>
    door.runOf(
      [
        {
          type: 'choose',
          choices: [
            { alias: 'Bright', conditions: template('level > 50'), actions: [note('took', 'bright')] },
            { conditions: template('level > 20'), actions: [note('took', 'dim')] },
          ],
          ...more,
        },
      ],
      { variables: { level } },
    );

  it('takes the first match only', async () => {
    expect((await choose(80)).trace.variables.took).toBe('bright');
    expect((await choose(30)).trace.variables.took).toBe('dim');
  });

  it('else the default, if there is one', async () => {
    expect((await choose(0, { default: [note('took', 'none')] })).trace.variables.took).toBe('none');
    expect((await choose(0)).trace).toMatchObject({ status: 'success', variables: { level: 0 } });
  });
});

describe('if_then_else', () => {
  it('takes then or else, and gives {branch, result}', async () => {
    const branch = (expression: string) =>
      door.runOf([
        {
          id: 'if',
          type: 'if_then_else',
          condition: template(expression),
          then: [note('took', 'then')],
          else: [note('took', 'else')],
        },
      ]);
    const [yes, no] = [await branch('true'), await branch('false')];
    expect([yes.trace.variables.took, no.trace.variables.took]).toEqual(['then', 'else']);
    expect(step(yes.trace, 'if').output).toEqual({ branch: 'then', result: true });
    expect(step(no.trace, 'if').output).toEqual({ branch: 'else', result: false });
  });
});

describe('repeat', () => {
  const add = { type: 'variables', variables: { seen: '{{ seen + [repeat.index] }}' } };
  const repeat = async (more: object, sequence: readonly object[] = [add]) =>
    (await door.runOf([{ id: 'loop', type: 'repeat', sequence, ...more }], { variables: { seen: [] } })).trace;

  it('count times', async () => {
    expect((await repeat({ mode: 'count', count: 3 })).variables.seen).toEqual([1, 2, 3]);
  });

  it('while a condition holds', async () => {
    expect((await repeat({ mode: 'while', whileCondition: template('len(seen) < 2') })).variables.seen).toEqual([1, 2]);
  });

  it('until a condition holds, once at least', async () => {
    expect((await repeat({ mode: 'until', untilCondition: template('true') })).variables.seen).toEqual([1]);
  });

  it('for_each of the items', async () => {
    const collect = { type: 'variables', variables: { seen: '{{ seen + [repeat.item] }}' } };
    expect((await repeat({ mode: 'for_each', forEachItems: ['a', 'b'] }, [collect])).variables.seen).toEqual([
      'a',
      'b',
    ]);
    expect((await repeat({ mode: 'for_each', forEachItems: '["a","b"]' }, [collect])).variables.seen).toEqual([
      'a',
      'b',
    ]);
  });

  it('1000 rounds at most', async () => {
    expect(
      (await door.send({ actions: [{ type: 'repeat', mode: 'count', count: 1_001, sequence: [] }] })).body,
    ).toMatchObject({
      field: 'actions[0].count',
    });
    const once = { type: 'variables', variables: { rounds: '{{ repeat.index }}' } };
    const loop = { id: 'loop', type: 'repeat', mode: 'while', whileCondition: template('true'), sequence: [once] };
    const { runId } = await door.runOf([loop]);
    // So many rounds let everything else have its turn in between: how often depends on the machine.
    const trace = await vi.waitFor(async () => {
      const current = await door.trace(runId);
      expect(current.finishedAt).not.toBeNull();
      return current;
    }, PATIENCE_MS);
    expect(trace.variables.rounds).toBe(1_000);
  });
});

describe('parallel', () => {
  it('runs its branches at the same time', async () => {
    const slow = { type: 'delay', duration: { minutes: 1 } };
    const { runId } = await door.runOf([{ type: 'parallel', branches: [[slow], [setLamp(true)], [slow]] }]);
    expect(door.valueOf('Lamp')).toBe(true);
    await door.advance(MINUTE + SECOND);
    expect((await door.trace(runId)).status).toBe('success');
  });
});

describe('variables', () => {
  it('sets variables of the run, which later actions see', async () => {
    const { trace } = await door.runOf([note('a', 2), note('b', '{{ a * 21 }}')]);
    expect(trace.variables).toEqual({ a: 2, b: 42 });
  });
});

describe('stop', () => {
  it('ends the run with its reason', async () => {
    const { trace } = await door.runOf([{ type: 'stop', reason: 'Nobody is there' }, note('after')]);
    expect(trace).toMatchObject({ status: 'stopped', error: 'Nobody is there', variables: {} });
  });

  it('with error ends it as failed', async () => {
    const { trace } = await door.runOf([{ type: 'stop', error: true, reason: 'No water' }]);
    expect(trace).toMatchObject({ status: 'error', error: 'No water' });
  });
});

describe('fire_event', () => {
  it('fires an event of its eventType with its eventData', async () => {
    const { id } = await door.save({ triggers: [{ type: 'event', eventType: 'guests' }] });
    await door.runOf([{ type: 'fire_event', eventType: 'guests', eventData: { count: '{{ 1 + 1 }}' } }]);
    expect((await door.traces(id))[0].triggerData).toMatchObject({ event_type: 'guests', event_data: { count: 2 } });
  });
});

describe('fire_webhook', () => {
  const call = (more: object = {}) => ({
    id: 'call',
    type: 'fire_webhook',
    url: 'https://example.org/x',
    method: 'GET',
    ...more,
  });

  it.each(['GET', 'POST', 'PUT', 'DELETE'])('sends %s with headers and body, for 30 s at most', async (method) => {
    await door.runOf([call({ method, headers: { 'X-Key': 'k' }, body: { level: '{{ 40 }}' } })]);
    expect(door.requests).toMatchObject([
      { url: 'https://example.org/x', method, headers: { 'X-Key': 'k' }, body: '{"level":40}', timeoutMs: 30_000 },
    ]);
  });

  it('takes no other method', async () => {
    expect((await door.send({ actions: [call({ method: 'TRACE' })] })).body).toMatchObject({
      field: 'actions[0].method',
    });
  });

  it('gives {status, statusText, body, headers, ok}', async () => {
    door.answers.push({
      status: 200,
      statusText: 'OK',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
    });
    const { trace } = await door.runOf([call()]);
    expect(step(trace, 'call').output).toEqual({
      status: 200,
      statusText: 'OK',
      headers: { 'content-type': 'application/json' },
      body: { a: 1 },
      ok: true,
    });
  });

  it('an HTTP failure does not stop the run', async () => {
    door.answers.push(
      { status: 500, statusText: 'Oops', headers: {}, body: '' },
      new HttpSendError('refused_address', 'No'),
    );
    const { trace } = await door.runOf([call(), { ...call(), id: 'again' }, note('after')]);
    expect(step(trace, 'call').output).toMatchObject({ status: 500, ok: false });
    expect(step(trace, 'again').output).toMatchObject({ ok: false });
    expect(trace).toMatchObject({ status: 'success', variables: { after: true } });
  });
});

describe('toggle_automation', () => {
  const act = async (automationId: string, action: string) =>
    door.runOf([{ type: 'toggle_automation', automationId, action }]);
  const enabled = async (id: string) => (await door.rest.get(`/rest/flows/${id}`)).body.enabled;

  it('enables, disables and toggles another automation', async () => {
    const { id } = await door.save({});
    const seen: boolean[] = [];
    for (const action of ['disable', 'enable', 'toggle', 'toggle']) {
      await act(id, action);
      seen.push(await enabled(id));
    }
    expect(seen).toEqual([false, true, false, true]);
  });

  it('of either shape: a native one too', async () => {
    const actions = [on('Lamp', { characteristicType: 'on', targetValue: true })];
    const trigger = { type: 'timer', fireDate: '2030-01-01T00:00:00Z' };
    const native = { homeId: door.homeId, name: 'Native', trigger, actions };
    const { id } = (await door.rest.post('/rest/automations', native)).body;
    await act(id, 'disable');
    expect((await door.rest.get(`/rest/automations/${id}`)).body.isEnabled).toBe(false);
    await act(id, 'enable');
    await act(id, 'trigger');
    await door.home.settle();
    expect(door.valueOf('Lamp')).toBe(true);
  });

  it('triggers it', async () => {
    const { id } = await door.save({ actions: [setLamp(true)] });
    await act(id, 'trigger');
    await door.home.settle();
    expect(door.valueOf('Lamp')).toBe(true);
    expect(await door.traces(id)).toHaveLength(1);
  });

  it('nests five deep at most', async () => {
    let next = (await door.save({ actions: [setLamp(true)] })).id;
    const chain = [next];
    for (let n = 0; n < 5; n += 1) {
      next = (await door.save({ actions: [{ type: 'toggle_automation', automationId: next, action: 'trigger' }] })).id;
      chain.unshift(next);
    }
    await door.run(next);
    await door.home.settle();
    expect(door.valueOf('Lamp')).toBe(false);
    expect((await door.traces(chain[5] ?? ''))[0].blockedReason).toBe('depth');
  });

  it('a cycle is refused on save with the path of the field, naming it', async () => {
    const a = await door.save({}, 'A');
    const trigger = (automationId: string) => [{ type: 'toggle_automation', automationId, action: 'trigger' }];
    const b = await door.save({ actions: trigger(a.id) }, 'B');
    const { body } = await door.rest.request('PUT', `/rest/flows/${a.id}`, { name: 'A', actions: trigger(b.id) });
    expect(body).toMatchObject({ code: 'invalid_value', field: 'actions[0].automationId' });
    expect(body.error).toContain('A → B → A');
  });
});

describe('call_script', () => {
  it('runs the actions of another flow with variables of its own and takes its response', async () => {
    const { id: scriptId } = await door.save({
      variables: { factor: 2 },
      actions: [note('answer', '{{ number * factor }}'), { type: 'stop', responseVariable: 'answer' }],
    });
    const call = { id: 'call', type: 'call_script', scriptId, variables: { number: 21 }, responseVariable: 'got' };
    const { trace } = await door.runOf([call, note('after', '{{ got }}')]);
    expect(trace).toMatchObject({ status: 'success', variables: { got: 42, after: 42 } });
    expect(trace.variables).not.toHaveProperty('factor');
    expect(step(trace, 'call').output).toMatchObject({ response: 42 });
  });

  it('a cycle is refused on save with the path of the field', async () => {
    const a = await door.save({}, 'A');
    const b = await door.save({ actions: [{ type: 'call_script', scriptId: a.id }] }, 'B');
    const answer = await door.rest.request('PUT', `/rest/flows/${a.id}`, {
      name: 'A',
      actions: [{ type: 'call_script', scriptId: b.id }],
    });
    expect(answer.body).toMatchObject({ code: 'invalid_value', field: 'actions[0].scriptId' });
    const itself = await door.rest.request('PUT', `/rest/flows/${a.id}`, {
      name: 'A',
      actions: [{ type: 'call_script', scriptId: a.id }],
    });
    expect(itself.body).toMatchObject({ code: 'invalid_value', field: 'actions[0].scriptId' });
  });
});

describe('notify', () => {
  it('notifies people and gives {notificationId, message, title, icon, iconRejected, success, delivered, channels, rateLimited, reason}', async () => {
    const action = {
      id: 'tell',
      type: 'notify',
      message: 'It is {{ 20 + 1 }} °C',
      title: 'Warm',
      icon: 'thermometer',
      iconColor: '#f00',
    };
    const { trace, flowId } = await door.runOf([action]);
    expect(step(trace, 'tell').output).toEqual({
      notificationId: expect.any(String),
      message: 'It is 21 °C',
      title: 'Warm',
      icon: 'thermometer',
      iconRejected: false,
      success: true,
      delivered: true,
      channels: ['local'],
      rateLimited: false,
      reason: null,
    });
    const { body } = await door.rest.get(`/rest/notifications?automation=${flowId}`);
    expect(JSON.stringify(body)).toContain('It is 21 °C');
  });

  it('takes a slug or an https URL as icon, and leaves out what is neither', async () => {
    const icon = async (text: string) =>
      step((await door.runOf([{ id: 'tell', type: 'notify', message: 'Hi', icon: text }])).trace, 'tell').output;
    expect(await icon('https://example.org/i.png')).toMatchObject({
      icon: 'https://example.org/i.png',
      iconRejected: false,
    });
    expect(await icon('http://example.org/i.png')).toMatchObject({ icon: null, iconRejected: true, delivered: true });
  });
});

describe('code', () => {
  it('is refused with a sentence about what to do instead, for no program text is run in the home', async () => {
    const { status, body } = await door.send({ actions: [{ type: 'code', code: 'return 1' }] });
    expect(status).toBe(422);
    expect(body).toMatchObject({ field: 'actions[0].type', error: expect.stringContaining('expressions in {{ }}') });
  });
});

describe('merge', () => {
  const inputs = [
    { ...note('x'), id: 'a' },
    { id: 'b', type: 'fire_event', eventType: 'e', eventData: { room: 'hall' } },
  ];
  const merge = async (more: object) =>
    step((await door.runOf([...inputs, { id: 'all', type: 'merge', inputIds: ['a', 'b'], ...more }])).trace, 'all')
      .output;

  it('append, combine and wait_all give {merged, inputCount}', async () => {
    expect(await merge({ mode: 'append' })).toMatchObject({
      merged: [expect.anything(), { eventType: 'e' }],
      inputCount: 2,
    });
    expect(await merge({ mode: 'wait_all' })).toMatchObject({
      merged: [expect.anything(), { eventType: 'e' }],
      inputCount: 2,
    });
    expect(await merge({ mode: 'combine', combineKey: 'eventType' })).toMatchObject({ inputCount: 2 });
  });

  it('combine works without combineKey', async () => {
    expect(await merge({ mode: 'combine' })).toMatchObject({ inputCount: 2 });
  });

  it('inputIds must be ids of other actions', async () => {
    const { body } = await door.send({ actions: [{ type: 'merge', mode: 'append', inputIds: ['nobody'] }] });
    expect(body).toMatchObject({ field: 'actions[0].inputIds[0]' });
  });
});

describe('virtual', () => {
  it('operates a virtual accessory with value, duration or step, and gives {accessoryId, operation, state, success}', async () => {
    const accessoryId = counter();
    const { trace } = await door.runOf([
      { id: 'add', type: 'virtual', accessoryId, operation: 'increment', step: 5 },
      { id: 'set', type: 'virtual', accessoryId, operation: 'set', value: '{{ 2 * 4 }}' },
    ]);
    expect(step(trace, 'add').output).toMatchObject({ accessoryId, operation: 'increment', state: 5, success: true });
    expect(step(trace, 'set').output).toMatchObject({ state: 8 });
    const timer = door.home.virtuals.create(systemCaller, { homeId: door.homeId, name: 'Tea', type: 'timer' }).id;
    const run = await door.runOf([
      { id: 'tea', type: 'virtual', accessoryId: timer, operation: 'start', duration: { minutes: 3 } },
    ]);
    expect(step(run.trace, 'tea').output).toMatchObject({ state: 'active', success: true });
  });

  it('refuses operations that the accessory has not, with the path', async () => {
    const { body } = await door.send({ actions: [{ type: 'virtual', accessoryId: counter(), operation: 'start' }] });
    expect(body).toMatchObject({ field: 'actions[0].operation' });
  });
});

describe('what bad actions get', () => {
  it.each([
    ['an unknown type', { type: 'dance' }, 'type'],
    ['a missing field', { type: 'notify' }, 'message'],
    ['an unknown field', { type: 'stop', resaon: 'x' }, 'resaon'],
    ['an unknown policy', { type: 'stop', onError: 'panic' }, 'onError'],
    ['a bad template', { type: 'notify', message: 'It is {{ 1 + }}' }, 'message'],
    ['a bad address', { type: 'fire_webhook', url: 'ftp://x', method: 'GET' }, 'url'],
    ['an automation that is not there', { type: 'call_script', scriptId: crypto.randomUUID() }, 'scriptId'],
  ])('%s is refused with the path of its field', async (_, action, field) => {
    const nested = { type: 'if_then_else', condition: template('true'), then: [{ type: 'stop' }, action] };
    const { status, body } = await door.send({ actions: [nested] });
    expect([400, 422, 404]).toContain(status);
    expect(body.field).toBe(`actions[0].then[1].${field}`);
  });
});
