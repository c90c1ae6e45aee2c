/** What traces keep, how much of it, and what becomes of runs when nothing can be written. */
import { mkdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { type RunStart, RunStore } from '../../../../src/app/automations/engine/run-store.ts';
import { TraceRecorder } from '../../../../src/app/automations/engine/trace-recorder.ts';
import { type TracedRun, TraceStore } from '../../../../src/app/automations/engine/trace-store.ts';
import type { Program, Trace } from '../../../../src/app/automations/program.ts';
import type { TriggerData } from '../../../../src/app/automations/scope.ts';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { openDatabase } from '../../../../src/storage/database.ts';
import { DisposableDatabase } from '../../../../src/storage/disposable-database.ts';
import { listMigrations } from '../../../../src/storage/migrate.ts';
import { type AutomationHome, createAutomationHome } from '../../../support/automation-home.ts';
import { createTempDirectory } from '../../../support/temp-directory.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { systemCaller, tokenCaller } from '../../../support/test-home.ts';

let home: AutomationHome;
afterEach(() => (home as AutomationHome | undefined)?.stop());

const delay = (seconds: number) => ({ type: 'delay', duration: { seconds } });
const write = (text: unknown) => ({ id: 'say', type: 'variables', variables: { text } });

function setLamp(value: unknown) {
  return { type: 'set_characteristic', accessoryId: home.named('Lamp').id, characteristicType: 'on', value };
}

/** Long enough for traces to be written. */
const stored = () => home.clock.advance(3_000);

/** A run of a flow with these actions, as the store takes it. */
function tracedRun(automationId: string, n: number, actions: readonly object[]): TracedRun {
  const trace = { id: `${automationId}-${n}`, automationId, homeId: 'home', startedAt: n } as unknown as Trace;
  return { trace, program: { kind: 'flow', triggers: [], actions } as unknown as Program };
}

describe('the tables of traces', () => {
  it('is cut to a hundred of the automation in question, and of no other', () => {
    using directory = createTempDirectory('trace-store');
    const source = new DisposableDatabase({
      path: directory.file('history.db'),
      clock: new TestClock(),
      logger: silentLogger,
    });
    source.start();
    const store = new TraceStore(source);
    const traceOf = (automationId: string, n: number) => tracedRun(automationId, n, []);
    store.save(Array.from({ length: 130 }, (_, n) => traceOf('busy', n)));
    store.save([traceOf('other', 1)]);
    store.prune('busy');
    const counts = source.current.prepare(
      'SELECT automation_id AS id, count(*) AS n FROM traces GROUP BY 1 ORDER BY 1',
    );
    expect(counts.all()).toEqual([
      { id: 'busy', n: 100 },
      { id: 'other', n: 1 },
    ]);
    source.stop();
  });

  it('hold a definition once, as long as a trace refers to it, and twenty of an automation at most', () => {
    using directory = createTempDirectory('trace-store');
    const path = directory.file('history.db');
    const source = new DisposableDatabase({ path, clock: new TestClock(), logger: silentLogger });
    source.start();
    const store = new TraceStore(source);
    const kept = () =>
      source.current.prepare('SELECT definition FROM trace_definitions ORDER BY rowid').pluck().all().join();
    const definition = (name: string) => JSON.stringify({ kind: 'flow', triggers: [], actions: [{ id: name }] });
    store.save([0, 1, 2].map((n) => tracedRun('busy', n, [{ id: 'first' }])));
    store.save([tracedRun('other', 0, [{ id: 'first' }])]);
    expect(kept()).toBe([definition('first'), definition('first')].join());
    expect(store.definitionOf('busy-2')).toEqual(JSON.parse(definition('first')));
    store.save(Array.from({ length: 100 }, (_, n) => tracedRun('busy', n + 10, [{ id: 'second' }])));
    store.prune('busy');
    expect(kept()).toBe([definition('first'), definition('second')].join());
    expect(store.definitionOf('other-0')).toEqual(JSON.parse(definition('first')));
    store.save(Array.from({ length: 30 }, (_, n) => tracedRun('busy', n + 200, [{ id: `third ${n}` }])));
    store.prune('busy');
    expect(kept().split('third')).toHaveLength(21);
    expect(store.definitionOf('busy-209')).toBeUndefined();
    expect(store.definitionOf('busy-210')).toEqual(JSON.parse(definition('third 10')));
    store.delete('busy');
    expect(kept()).toBe(definition('first'));
    source.stop();
  });

  it('take over the traces of an earlier version, which hold no definition', () => {
    using directory = createTempDirectory('trace-store');
    const path = directory.file('history.db');
    const earlier = openDatabase(
      path,
      listMigrations('history').filter(({ version }) => version < 7),
    );
    const trace = JSON.stringify({ id: 'run', automationId: 'flow', startedAt: 1, steps: [] });
    earlier.prepare("INSERT INTO traces VALUES ('run', 'flow', 'home', 1, ?)").run(trace);
    earlier.close();
    const source = new DisposableDatabase({ path, clock: new TestClock(), logger: silentLogger });
    source.start();
    const store = new TraceStore(source);
    expect([store.find('run')?.id, store.definitionOf('run')]).toEqual(['run', undefined]);
    store.save([tracedRun('flow', 1, [])]);
    expect(store.definitionOf('flow-1')).toEqual({ kind: 'flow', triggers: [], actions: [] });
    source.stop();
  });
});

describe('a trace', () => {
  it('holds the first thousand steps', () => {
    const program = { id: 'flow', name: 'Flow', homeId: 'home', variables: {} } as unknown as Program;
    const recorder = new TraceRecorder({ id: 'run', program, trigger: {} as TriggerData, startedAt: 0 });
    for (let n = 1; n <= 1_001; n += 1) {
      const place = { parentNodeId: null, branch: null, iteration: null };
      const end = recorder.begin({
        ...place,
        type: 'action',
        nodeId: `${n}`,
        nodeType: 'x',
        summarize: () => '',
        at: n,
      });
      end({ at: n, result: 'executed' });
    }
    const { steps } = recorder.snapshot();
    expect([steps.length, steps[0]?.nodeId, steps.at(-1)?.nodeId]).toEqual([1_000, '1', '1000']);
  });
});

describe('runs without a database', () => {
  it('are stored nowhere, without a word', () => {
    const errors: unknown[] = [];
    const logger = { ...silentLogger, error: (...words: unknown[]) => void errors.push(words) };
    const store = new RunStore({ database: null, clock: new TestClock(), logger });
    const beginning = { start: {} as RunStart, startedAt: 0 };
    expect(store.save('run', beginning, new Map([['actions[0]', null]]))).toBe(false);
    store.delete('run');
    store.tidy();
    expect([store.list(), store.isInTransaction, store.transaction(() => 5), errors]).toEqual([[], false, 5, []]);
  });
});

describe('traces', () => {
  it('are a hundred an automation, the newest first', async () => {
    home = createAutomationHome({ sample: true, runsPerMinute: 1_000 });
    const flow = home.saveFlow({ variables: { n: 0 }, actions: [write('{{ n }}')] });
    for (let n = 1; n <= 130; n += 1) {
      home.run(flow.id, { n });
      await home.clock.advance(20);
    }
    await stored();
    const traces = home.tracesOf(flow.id);
    expect(traces).toHaveLength(100);
    expect(traces.map(({ variables }) => variables.n)).toEqual(Array.from({ length: 100 }, (_, n) => 130 - n));
  });

  it('outlive a restart', async () => {
    using directory = createTempDirectory('traces');
    home = createAutomationHome({ path: directory.file('relay.db') });
    const flow = home.saveFlow({ actions: [write('hello')] });
    const { runId } = home.run(flow.id);
    await stored();
    const [before] = home.tracesOf(flow.id);
    const now = home.clock.now();
    await home.stop();
    home = createAutomationHome({ path: directory.file('relay.db'), clock: new TestClock(now) });
    expect(home.tracesOf(flow.id)).toEqual([before]);
    const automation = { kind: 'flow', isCurrent: true, definition: expect.objectContaining({ triggers: [] }) };
    expect(home.traces.get(systemCaller, runId)).toEqual({ ...before, automation });
  });

  it('report of a run that did not survive a kill that it was cut off', async () => {
    using directory = createTempDirectory('traces');
    home = createAutomationHome({ path: directory.file('relay.db'), sample: true });
    const flow = home.saveFlow({ actions: [setLamp(true), write('x')] });
    home.driver.writeDelayMs = 60_000;
    home.run(flow.id);
    await stored();
    const now = home.clock.now();
    home.kill();
    home = createAutomationHome({ path: directory.file('relay.db'), clock: new TestClock(now) });
    await home.settle();
    expect(home.tracesOf(flow.id)).toMatchObject([{ status: 'cancelled', error: expect.stringContaining('stopped') }]);
  });

  it('hold values of at most 8192 bytes', async () => {
    home = createAutomationHome({ sample: true });
    const flow = home.saveFlow({ variables: { long: 'ä'.repeat(20_000) }, actions: [write('{{ long }}')] });
    home.run(flow.id);
    await home.settle();
    const [trace] = home.tracesOf(flow.id);
    const values = [trace?.variables.long, trace?.variables.text, ...(trace?.steps.map(({ output }) => output) ?? [])];
    for (const value of values) expect(Buffer.byteLength(JSON.stringify(value) ?? '')).toBeLessThanOrEqual(8_192 + 8);
    expect(trace?.variables.long).toMatch(/^"ä+…$/);
  });

  it('show where a step is: its parent, its branch, its round', async () => {
    home = createAutomationHome({ sample: true });
    const flow = home.saveFlow({
      actions: [{ id: 'again', type: 'repeat', mode: 'count', count: 2, sequence: [write('{{ repeat.index }}')] }],
    });
    home.run(flow.id);
    await home.settle();
    const steps = home.tracesOf(flow.id)[0]?.steps ?? [];
    expect(
      steps.map(({ index, nodeId, parentNodeId, branch, iteration }) => [
        index,
        nodeId,
        parentNodeId,
        branch,
        iteration,
      ]),
    ).toEqual([
      [0, null, null, null, null],
      [1, 'again', null, null, null],
      [2, 'say', 'again', 'sequence', 1],
      [3, 'say', 'again', 'sequence', 2],
    ]);
  });

  it('show in which round a condition was looked at', async () => {
    home = createAutomationHome({ sample: true });
    const isFirst = { operator: 'and', conditions: [{ type: 'template', expression: '{{ repeat.index < 2 }}' }] };
    const choice = { type: 'choose', choices: [{ conditions: isFirst, actions: [] }], default: [] };
    const flow = home.saveFlow({
      actions: [{ id: 'again', type: 'repeat', mode: 'count', count: 2, sequence: [choice] }],
    });
    home.run(flow.id);
    await home.settle();
    const looked = home.tracesOf(flow.id)[0]?.steps.filter(({ type }) => type === 'condition');
    expect(looked?.map(({ iteration, result }) => [iteration, result])).toEqual([
      [1, 'passed'],
      [2, 'failed'],
    ]);
  });

  it('are shown to callers who may view the home, and are not there for others', async () => {
    home = createAutomationHome({ sample: true });
    const flow = home.saveFlow({ actions: [write('x')] });
    const { runId } = home.run(flow.id);
    await home.settle();
    const { traces } = home;
    expect(traces.list(tokenCaller({ [home.home.id]: 'view' }), flow.id)).toHaveLength(1);
    expect(() => traces.list(tokenCaller({}), flow.id)).toThrow('Automation not found');
    expect(() => traces.get(tokenCaller({}), runId)).toThrow('Not found');
  });

  it('hold no secrets: neither ids of webhooks nor what requests authenticate with', async () => {
    home = createAutomationHome({ sample: true });
    const request = {
      type: 'fire_webhook',
      url: 'http://ada:pass@192.168.1.9/on?key=querykey',
      headers: { 'x-key': 'headerkey' },
    };
    const wait = { type: 'wait_for_trigger', triggers: [{ type: 'webhook' }], timeout: { seconds: 1 } };
    const flow = home.saveFlow({ actions: [request, wait] });
    const [, waiting] = flow.actions;
    const trigger = waiting?.type === 'wait_for_trigger' ? waiting.triggers[0] : undefined;
    const webhookId = trigger?.type === 'webhook' ? trigger.webhookId : '';
    home.run(flow.id);
    await home.settle();
    await stored();
    const { runId } = home.run(flow.id);
    await home.settle();
    const text = JSON.stringify([home.tracesOf(flow.id), home.traces.get(systemCaller, runId)]);
    expect(text).toContain('192.168.1.9/on');
    expect(text).toContain('x-key');
    expect(webhookId).toHaveLength(22);
    for (const secret of ['pass', 'querykey', 'headerkey', webhookId]) expect(text).not.toContain(secret);
  });

  it('go with their automation', async () => {
    home = createAutomationHome({ sample: true });
    const flow = home.saveFlow({ actions: [write('x'), delay(60)] });
    const { runId } = home.run(flow.id);
    await stored();
    home.flows.delete(systemCaller, flow.id);
    await home.settle();
    expect(() => home.traces.get(systemCaller, runId)).toThrow('Not found');
  });
});

describe('the automation that a run found', () => {
  const automationOf = (runId: string) => home.traces.get(systemCaller, runId).automation;

  it('stays with the run when the automation is changed, and is in no list', async () => {
    using directory = createTempDirectory('traces');
    home = createAutomationHome({ path: directory.file('relay.db') });
    const flow = home.saveFlow({ name: 'Say', actions: [write('before')] });
    const { runId } = home.run(flow.id, { only: 'here' });
    await home.settle();
    const before = { kind: 'flow', isCurrent: true, definition: { mode: 'single', actions: [write('before')] } };
    expect(automationOf(runId)).toMatchObject(before);
    home.flows.save(systemCaller, {
      homeId: home.home.id,
      flowId: flow.id,
      data: { name: 'Say', triggers: [], actions: [write('after')] },
    });
    expect(automationOf(runId)).toMatchObject({ ...before, isCurrent: false });
    const { runId: laterId } = home.run(flow.id);
    await stored();
    const after = { isCurrent: true, definition: { actions: [write('after')] } };
    expect([automationOf(runId), automationOf(laterId)]).toMatchObject([{ ...before, isCurrent: false }, after]);
    expect(JSON.stringify(home.tracesOf(flow.id))).not.toContain('isCurrent');
    const now = home.clock.now();
    await home.stop();
    home = createAutomationHome({ path: directory.file('relay.db'), clock: new TestClock(now) });
    expect([automationOf(runId), automationOf(laterId)]).toMatchObject([{ ...before, isCurrent: false }, after]);
  });

  it('is the same after another name, and while it is off', async () => {
    home = createAutomationHome({ sample: true });
    const flow = home.saveFlow({ actions: [write('x')] });
    const { runId } = home.run(flow.id);
    home.flows.save(systemCaller, {
      homeId: home.home.id,
      flowId: flow.id,
      data: { name: 'Renamed', triggers: [], actions: [write('x')] },
    });
    home.flows.setEnabled(systemCaller, flow.id, false);
    expect(automationOf(runId)).toMatchObject({ isCurrent: true });
  });

  it('of a native automation is the draft that it was, with what it set', async () => {
    home = createAutomationHome({ sample: true });
    const lamp = { accessoryId: home.named('Lamp').id, characteristicType: 'power_state' };
    const sensor = { accessoryId: home.named('Thermostat').id, characteristicType: 'current_temperature' };
    const { id } = home.automations.create(systemCaller, {
      homeId: home.home.id,
      name: 'Warm',
      trigger: { type: 'event', events: [{ type: 'characteristic', ...sensor }] },
      actions: [{ ...lamp, targetValue: true }],
    });
    const { runId } = home.programs.run(systemCaller, id);
    await stored();
    home.automations.update(systemCaller, id, { actions: [{ ...lamp, targetValue: false }] });
    const { runId: laterId } = home.programs.run(systemCaller, id);
    await stored();
    const setting = (value: boolean) => ({ type: 'set_characteristic', ...lamp, value });
    expect(automationOf(runId)).toEqual({
      kind: 'native',
      isCurrent: false,
      definition: {
        mode: 'single',
        triggers: [{ enabled: true, type: 'state', ...sensor }],
        conditions: { operator: 'and', conditions: [] },
        actions: [setting(true)],
        until: [],
        executeOnce: false,
      },
    });
    expect(automationOf(laterId)).toMatchObject({ isCurrent: true, definition: { actions: [setting(false)] } });
  });

  it('of a run that a restart interrupted is the one that it goes on with', async () => {
    using directory = createTempDirectory('traces');
    home = createAutomationHome({ path: directory.file('relay.db') });
    const flow = home.saveFlow({ name: 'Wait', actions: [delay(60), write('before')] });
    const { runId } = home.run(flow.id);
    await home.settle();
    home.flows.save(systemCaller, {
      homeId: home.home.id,
      flowId: flow.id,
      data: { name: 'Wait', triggers: [], actions: [write('after')] },
    });
    const now = home.clock.now();
    await home.stop();
    home = createAutomationHome({ path: directory.file('relay.db'), clock: new TestClock(now) });
    await home.clock.advance(61_000);
    expect(home.traces.get(systemCaller, runId)).toMatchObject({
      status: 'success',
      variables: { text: 'before' },
      automation: { isCurrent: false, definition: { actions: [{ type: 'delay' }, write('before')] } },
    });
  });
});

describe('a disk that fails', () => {
  it('keeps no run from going on: where its history can’t be written, traces wait in memory', async () => {
    using directory = createTempDirectory('traces');
    mkdirSync(directory.file('relay.db.history'));
    home = createAutomationHome({ path: directory.file('relay.db') });
    const flow = home.saveFlow({ actions: [write('hello'), delay(10)] });
    home.run(flow.id);
    await home.clock.advance(30_000);
    expect(home.tracesOf(flow.id)).toMatchObject([{ status: 'success' }]);
  });

  it('keeps no run from going on: what can’t be kept goes on unkept', async () => {
    home = createAutomationHome({ sample: true });
    const flow = home.saveFlow({ actions: [setLamp(true), delay(10), setLamp(false), { ...write('{{ 1 }}') }] });
    // SQLite then reports what it reports on a full disk.
    home.database.pragma(`max_page_count = ${home.database.pragma('page_count', { simple: true })}`);
    const filler = home.database.prepare('INSERT INTO collections VALUES (?, NULL, ?, ?, 0)');
    expect(() => {
      for (let n = 0; ; n += 1) filler.run(`${n}`, `${n}`, 'x'.repeat(300));
    }).toThrow('The disk is full');
    home.run(flow.id);
    await home.clock.advance(11_000);
    expect(home.tracesOf(flow.id)).toMatchObject([{ status: 'success' }]);
    expect(home.driver.writes.flat().map(({ value }) => value)).toEqual([true, false]);
  });
});

describe('a script', () => {
  const call = (scriptId: string, more: Record<string, unknown> = {}) => ({ type: 'call_script', scriptId, ...more });

  it('runs in variables of its own, and answers', async () => {
    home = createAutomationHome({ sample: true });
    const script = home.saveFlow({
      actions: [
        { type: 'variables', variables: { answer: '{{ given * 2 }}', outer: 'changed' } },
        { type: 'stop', reason: 'done', responseVariable: 'answer' },
        setLamp(true),
      ],
    });
    const flow = home.saveFlow({
      variables: { outer: 'kept' },
      actions: [call(script.id, { variables: { given: 21 }, responseVariable: 'got' }), setLamp(false)],
    });
    home.run(flow.id);
    await home.settle();
    expect(home.tracesOf(flow.id)[0]).toMatchObject({ status: 'success', variables: { outer: 'kept', got: 42 } });
    expect(home.driver.writes.flat().map(({ value }) => value)).toEqual([false]);
  });

  it('goes on after a kill in the middle of it', async () => {
    using directory = createTempDirectory('script');
    home = createAutomationHome({ path: directory.file('relay.db') });
    const script = home.saveFlow({
      actions: [
        { type: 'variables', variables: { answer: '{{ given + 1 }}' } },
        delay(30),
        { type: 'stop', responseVariable: 'answer' },
      ],
    });
    const flow = home.saveFlow({ actions: [call(script.id, { variables: { given: 1 }, responseVariable: 'got' })] });
    home.run(flow.id);
    await home.settle();
    const at = home.clock.now() + 10_000;
    home.kill();
    home = createAutomationHome({ path: directory.file('relay.db'), clock: new TestClock(at) });
    await home.clock.advance(21_000);
    expect(home.tracesOf(flow.id)[0]).toMatchObject({ status: 'success', variables: { got: 2 } });
  });
});
