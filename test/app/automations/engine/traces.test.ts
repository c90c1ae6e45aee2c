/** What traces keep, how much of it, and what becomes of runs when nothing can be written. */
import { mkdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { type RunStart, RunStore } from '../../../../src/app/automations/engine/run-store.ts';
import { TraceRecorder } from '../../../../src/app/automations/engine/trace-recorder.ts';
import { TraceStore } from '../../../../src/app/automations/engine/trace-store.ts';
import type { Program, Trace } from '../../../../src/app/automations/program.ts';
import type { TriggerData } from '../../../../src/app/automations/scope.ts';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { DisposableDatabase } from '../../../../src/storage/disposable-database.ts';
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

describe('the table of traces', () => {
  it('is cut to a hundred of the automation in question, and of no other', () => {
    using directory = createTempDirectory('trace-store');
    const source = new DisposableDatabase({
      path: directory.file('history.db'),
      clock: new TestClock(),
      logger: silentLogger,
    });
    source.start();
    const store = new TraceStore(source);
    const traceOf = (automationId: string, n: number) =>
      ({ id: `${automationId}-${n}`, automationId, homeId: 'home', startedAt: n }) as unknown as Trace;
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
    expect(home.traces.get(systemCaller, runId)).toEqual(before);
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
    const text = JSON.stringify(home.tracesOf(flow.id));
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
