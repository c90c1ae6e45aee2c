import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Program } from '../../../../src/app/automations/program.ts';
import type { Json, JsonObject } from '../../../../src/kernel/json.ts';
import { PATIENCE_MS } from '../../../support/patience.ts';
import { systemCaller } from '../../../support/test-home.ts';
import { createActionHome } from './run-actions.ts';

const HOUR_MS = 3_600_000;

let home: ReturnType<typeof createActionHome>;
const open = (): typeof home => {
  home = createActionHome();
  return home;
};
afterEach(() => home.stop());

const when = (expression: string): JsonObject => ({
  operator: 'and',
  conditions: [{ type: 'template', expression }],
});
/** An action that leaves a mark: which branch ran shows in the trace, and in the variable. */
const mark = (id: string, variables: JsonObject = { mark: id }): JsonObject => ({ id, type: 'variables', variables });

describe('delay', () => {
  it.each<[string, Json, number]>([
    ['parts of a duration', { hours: 1, minutes: 30, seconds: 5 }, 5_405_000],
    ['templates in the parts', { minutes: '{{ minutes * 2 }}' }, 600_000],
    ['a template of seconds', '{{ minutes }}', 5_000],
    ['a template of a clock', "{{ '1:02:03' }}", 3_723_000],
  ])('waits as long as %s give', async (_, duration, durationMs) => {
    const { runActions, clock, latest, settle } = open();
    const { flowId, trace } = await runActions([{ id: 'wait', type: 'delay', duration }], {
      variables: { minutes: 5 },
    });
    expect(trace.status).toBe('running');
    await clock.advance(durationMs - 1_000);
    await settle();
    expect(latest(flowId).trace.status).toBe('running');
    await clock.advance(2_000);
    await settle();
    expect(latest(flowId).trace.status).toBe('success');
    expect(latest(flowId).output('wait')).toEqual({ durationMs });
  });

  it.each<[string, Json, RegExp]>([
    ['-1', -1, /duration came to -1; give a number that is not negative/],
    ['text', 'soon', /duration came to "soon"; give a number/],
    ['a list', [1], /duration came to \[1\]; give a number/],
    ['nothing', null, /duration came to nothing/],
    ['more than a day', 86_401, /duration comes to 86401 seconds; the most is 24 hours/],
    ['another unit', { days: 1 }, /duration has hours, minutes and seconds, but no 'days'/],
    ['a part that is none', { hours: 'x' }, /duration\.hours came to "x"/],
  ])('refuses %s with a sentence', async (_, value, sentence) => {
    const { runActions } = open();
    const { step } = await runActions([{ id: 'wait', type: 'delay', duration: '{{ value }}' }], {
      variables: { value },
    });
    expect(step('wait')).toMatchObject({ result: 'error', error: expect.stringMatching(sentence) });
  });
});

describe('wait_for_trigger', () => {
  const waitFor = (rest: JsonObject = {}): JsonObject => ({
    id: 'wait',
    type: 'wait_for_trigger',
    triggers: [{ id: 'door', type: 'event', eventType: 'door' }],
    ...rest,
  });

  it('goes on with what fired', async () => {
    const { runActions, automationEvents, latest, settle, home: inventory } = open();
    const { flowId } = await runActions([waitFor()]);
    automationEvents.emit({ homeId: inventory.id, eventType: 'door', eventData: { n: 1 }, cause: { chain: [] } });
    await settle();
    expect(latest(flowId).trace.status).toBe('success');
    expect(latest(flowId).output('wait')).toMatchObject({
      triggered: true,
      triggerData: { id: 'door', type: 'event', event_data: { n: 1 } },
    });
  });

  it('goes on when its time is over, unless configured to stop then', async () => {
    const { saveFlow, run, clock, latest, settle } = open();
    const timeout = { seconds: '{{ 15 * 2 }}' };
    const going = saveFlow({ actions: [waitFor({ timeout }), mark('after')] }).id;
    const stopping = saveFlow({ actions: [waitFor({ timeout, continueOnTimeout: false }), mark('after')] }).id;
    run(going);
    run(stopping);
    await settle();
    await clock.advance(31_000);
    await settle();
    expect(latest(going).trace.status).toBe('success');
    expect(latest(going).output('wait')).toEqual({ triggered: false, triggerData: null });
    expect(latest(going).output('after')).toEqual({ mark: 'after' });
    expect(latest(stopping).trace.status).toBe('stopped');
    expect(latest(stopping).trace.steps.some(({ nodeId }) => nodeId === 'after')).toBe(false);
  });
});

describe('wait_for_template', () => {
  it('does not wait for what is true already, and waits for what becomes true', async () => {
    const { runActions, virtual, virtuals, latest, settle } = open();
    const { id } = virtual('Guests', 'input_boolean');
    const wait = (expression: string): JsonObject => ({ id: 'wait', type: 'wait_for_template', expression });
    const now = await runActions([wait('1 < 2')]);
    expect(now.output('wait')).toEqual({ triggered: true, triggerData: expect.anything() });

    const later = await runActions([wait(`is_state('${id}', 'power_state', true)`)]);
    expect(later.trace.status).toBe('running');
    virtuals.operate(systemCaller, id, 'turn_on');
    await settle();
    expect(latest(later.flowId).trace.status).toBe('success');
    expect(latest(later.flowId).output('wait')).toMatchObject({ triggered: true });
  });
});

describe('choose', () => {
  const choose = (rest: JsonObject = {}): JsonObject => ({
    id: 'choose',
    type: 'choose',
    choices: [
      { alias: 'cold', conditions: when('t < 10'), actions: [mark('first')] },
      { conditions: when('t < 20'), actions: [mark('second')] },
    ],
    ...rest,
  });

  it.each([
    [5, { branch: 'choices[0]', alias: 'cold' }, 'first'],
    [15, { branch: 'choices[1]', alias: null }, 'second'],
    [25, { branch: 'default', alias: null }, 'other'],
  ])('takes the first choice that holds, for %i', async (t, output, ran) => {
    const { runActions } = open();
    const run = await runActions([choose({ default: [mark('other')] })], { variables: { t } });
    expect(run.output('choose')).toEqual(output);
    expect(run.trace.steps.filter(({ nodeType }) => nodeType === 'variables').map(({ nodeId }) => nodeId)).toEqual([
      ran,
    ]);
  });

  it('does nothing where none holds and there is no default', async () => {
    const { runActions } = open();
    const { output, trace } = await runActions([choose()], { variables: { t: 25 } });
    expect(output('choose')).toEqual({ branch: null, alias: null });
    expect(trace.status).toBe('success');
  });
});

describe('if_then_else', () => {
  it.each([
    [true, 'then'],
    [false, 'else'],
  ])('goes one way or the other: %s', async (on, branch) => {
    const { runActions } = open();
    const ways = Object.fromEntries(['then', 'else'].map((way) => [way, [mark(way)]]));
    const run = await runActions([{ id: 'if', type: 'if_then_else', condition: when('on'), ...ways }], {
      variables: { on },
    });
    expect(run.output('if')).toEqual({ branch, result: on });
    expect(run.output(branch)).toEqual({ mark: branch });
  });
});

describe('repeat', () => {
  const append: JsonObject = {
    id: 'append',
    type: 'variables',
    variables: { seen: '{{ seen + [[repeat.index, repeat.first, repeat.last, repeat.item]] }}' },
  };
  const repeat = (rest: JsonObject): JsonObject => ({ id: 'repeat', type: 'repeat', sequence: [append], ...rest });
  const start = { variables: { seen: [], items: ['a', { b: 1 }], text: '["a",{"b":1}]', n: 2 } };

  it('counts, and passes each round its number', async () => {
    const { runActions } = open();
    const { output } = await runActions([repeat({ mode: 'count', count: '{{ n }}' })], start);
    expect(output('repeat')).toEqual({ iterations: 2 });
    expect(output('append')).toEqual({
      seen: [
        [1, true, false, null],
        [2, false, true, null],
      ],
    });
  });

  it.each([
    ['a list', '{{ items }}'],
    ['a text that is a list', '{{ text }}'],
    ['plain items', ['a', { b: 1 }]],
  ])('goes over %s', async (_, forEachItems) => {
    const { runActions } = open();
    const { output } = await runActions([repeat({ mode: 'for_each', forEachItems })], start);
    expect(output('repeat')).toEqual({ iterations: 2 });
    expect(output('append')).toEqual({
      seen: [
        [1, true, false, 'a'],
        [2, false, true, { b: 1 }],
      ],
    });
  });

  it('goes on while a condition holds, which is asked before each round and sees its number', async () => {
    const { runActions } = open();
    const { output } = await runActions([repeat({ mode: 'while', whileCondition: when('repeat.index <= 3') })], start);
    expect(output('repeat')).toEqual({ iterations: 3 });
  });

  it('goes on until a condition holds, which is asked after each round', async () => {
    const { runActions } = open();
    const once = await runActions([repeat({ mode: 'until', untilCondition: when('true') })], start);
    expect(once.output('repeat')).toEqual({ iterations: 1 });
    const more = await runActions([repeat({ mode: 'until', untilCondition: when('size(seen) == 4') })], start);
    expect(more.output('repeat')).toEqual({ iterations: 4 });
  });

  it('has no round at all for nothing', async () => {
    const { runActions } = open();
    const none = [
      { mode: 'count', count: 0 },
      { mode: 'for_each', forEachItems: [] },
      { mode: 'while', whileCondition: when('false') },
    ];
    for (const rest of none) {
      const { output } = await runActions([repeat(rest)], start);
      expect(output('repeat')).toEqual({ iterations: 0 });
    }
  });

  it.each<[string, JsonObject, RegExp]>([
    ['a count beyond a thousand', { mode: 'count', count: '{{ n * 600 }}' }, /at most 1000 rounds/],
    ['a fraction', { mode: 'count', count: '{{ n / 4.0 }}' }, /count is 0\.5; give a whole number/],
    ['a count below zero', { mode: 'count', count: '{{ 0 - n }}' }, /count came to -2; give a number/],
    ['too many items', { mode: 'for_each', forEachItems: '{{ range(1001) }}' }, /at most 1000 rounds/],
    ['items that are no list', { mode: 'for_each', forEachItems: '{{ n }}' }, /forEachItems came to 2; give a list/],
    ['a while without end', { mode: 'while', whileCondition: when('true'), sequence: [] }, /at most 1000 rounds/],
    ['an until without end', { mode: 'until', untilCondition: when('false'), sequence: [] }, /at most 1000 rounds/],
  ])('refuses %s with a sentence', async (_, rest, sentence) => {
    const { runActions, latest } = open();
    const { flowId } = await runActions([repeat(rest)], start);
    // On a busy machine a thousand rounds take more turns of the loop than settling waits for.
    await vi.waitFor(
      () =>
        expect(latest(flowId).step('repeat')).toMatchObject({
          result: 'error',
          error: expect.stringMatching(sentence),
        }),
      { timeout: PATIENCE_MS },
    );
  });
});

describe('parallel', () => {
  it('runs its sequences at the same time, each to its end', async () => {
    const { runActions, clock, settle, latest } = open();
    const branch = (id: string, seconds: number): JsonObject[] => [
      { id: `wait-${id}`, type: 'delay', duration: { seconds } },
      mark(id, { [id]: true }),
    ];
    const { flowId } = await runActions([
      { id: 'both', type: 'parallel', branches: [branch('a', 60), branch('b', 30)] },
    ]);
    await clock.advance(61_000);
    await settle();
    const { trace, output } = latest(flowId);
    expect(trace).toMatchObject({ status: 'success', variables: { a: true, b: true } });
    expect(output('both')).toEqual({ branches: 2 });
    expect(trace.steps.find(({ nodeId }) => nodeId === 'b')).toMatchObject({
      parentNodeId: 'both',
      branch: 'branches[1]',
    });
  });

  it('fails with the first failure, once the other sequences are through', async () => {
    const { runActions, clock, settle, latest } = open();
    const failing = { id: 'bad', type: 'delay', duration: '{{ 0 - 1 }}' };
    const slow = [{ id: 'wait', type: 'delay', duration: { seconds: 30 } }, mark('done')];
    const { flowId, trace } = await runActions([{ id: 'both', type: 'parallel', branches: [[failing], slow] }]);
    expect(trace.status).toBe('running');
    await clock.advance(31_000);
    await settle();
    expect(latest(flowId).trace.status).toBe('error');
    expect(latest(flowId).output('done')).toEqual({ mark: 'done' });
  });
});

describe('variables', () => {
  it('are set one after the other, keep their types, and are there for what follows', async () => {
    const { runActions } = open();
    const { output, trace } = await runActions([
      { id: 'set', type: 'variables', variables: { a: 2, b: '{{ a + 1 }}', text: 'a is {{ a }}', list: ['{{ b }}'] } },
      mark('after', { c: '{{ b * 2 }}' }),
    ]);
    expect(output('set')).toEqual({ a: 2, b: 3, text: 'a is 2', list: [3] });
    expect(trace.variables).toMatchObject({ a: 2, b: 3, c: 6 });
  });
});

describe('stop', () => {
  it.each([
    [false, 'stopped'],
    [true, 'error'],
  ])('ends the run, with an error: %s', async (error, status) => {
    const { runActions } = open();
    const { trace } = await runActions(
      [{ id: 'stop', type: 'stop', reason: 'it is {{ what }}', error }, mark('never')],
      { variables: { what: 'late' } },
    );
    expect(trace).toMatchObject({ status });
    expect(JSON.stringify(trace)).toContain('it is late');
    expect(trace.steps.some(({ nodeId }) => nodeId === 'never')).toBe(false);
  });
});

describe('merge', () => {
  const merge = (rest: JsonObject): JsonObject => ({ id: 'merge', type: 'merge', inputIds: ['x', 'y', 'z'], ...rest });
  const inputs = [mark('x', { room: 'hall', a: 1 }), mark('y', { room: 'hall', b: 2 })];

  it.each<[string, JsonObject, Json]>([
    [
      'append',
      { mode: 'append' },
      [
        { room: 'hall', a: 1 },
        { room: 'hall', b: 2 },
      ],
    ],
    ['combine by a key', { mode: 'combine', combineKey: 'room' }, [{ room: 'hall', a: 1, b: 2 }]],
    [
      'combine by a key that one has not',
      { mode: 'combine', combineKey: 'a' },
      [
        { room: 'hall', a: 1 },
        { room: 'hall', b: 2 },
      ],
    ],
    [
      'wait_all',
      { mode: 'wait_all' },
      [
        { room: 'hall', a: 1 },
        { room: 'hall', b: 2 },
      ],
    ],
  ])('%s', async (_, rest, merged) => {
    const { runActions } = open();
    const off = { ...mark('z'), enabled: false };
    const { output } = await runActions([...inputs, off, merge(rest)]);
    expect(output('merge')).toEqual({ merged, inputCount: 2, skipped: ['z'] });
  });

  it('takes earlier merges apart', async () => {
    const { runActions } = open();
    const { output } = await runActions([
      ...inputs,
      { id: 'first', type: 'merge', mode: 'append', inputIds: ['x', 'y'] },
      mark('z', { c: 3 }),
      { id: 'second', type: 'merge', mode: 'append', inputIds: ['first', 'z'] },
    ]);
    expect(output('second')).toMatchObject({ merged: [{ a: 1 }, { b: 2 }, { c: 3 }], inputCount: 2 });
  });

  it('refuses more than a value may hold', async () => {
    const { runActions } = open();
    const large = (id: string): JsonObject => mark(id, { text: 'x'.repeat(40_000) });
    const { step } = await runActions([large('x'), large('y'), merge({ mode: 'wait_all', inputIds: ['x', 'y'] })]);
    expect(step('merge').error).toBe('The inputs are too large to merge: 64 KiB at most');
  });
});

describe('call_script', () => {
  const call = (scriptId: string, rest: JsonObject = {}): JsonObject => ({
    id: 'call',
    type: 'call_script',
    scriptId,
    ...rest,
  });

  it('runs the other flow’s actions with variables of its own and takes its answer', async () => {
    const { saveFlow, runActions } = open();
    const script = saveFlow({
      name: 'Double',
      variables: { factor: 2, kept: 'script' },
      actions: [
        mark('work', { answer: '{{ n * factor }}', kept: 'changed' }),
        { id: 'answer', type: 'stop', error: false, responseVariable: 'answer' },
      ],
    });
    const run = await runActions(
      [
        call(script.id, { variables: { n: '{{ given + 1 }}' }, responseVariable: 'result' }),
        mark('after', { r: '{{ result }}' }),
      ],
      { variables: { given: 20, kept: 'mine' } },
    );
    expect(run.output('call')).toEqual({ scriptId: script.id, response: 42, completed: false });
    expect(run.output('after')).toEqual({ r: 42 });
    expect(run.trace).toMatchObject({ status: 'success', variables: { kept: 'mine', result: 42 } });
    expect(run.step('work')).toMatchObject({ parentNodeId: 'call', branch: 'script' });
  });

  it('answers nothing where the other flow just ends, and waits in it across its delays', async () => {
    const { saveFlow, runActions, clock, settle, latest } = open();
    const script = saveFlow({ actions: [{ id: 'wait', type: 'delay', duration: { hours: 1 } }] });
    const { flowId, trace } = await runActions([call(script.id)]);
    expect(trace.status).toBe('running');
    await clock.advance(HOUR_MS + 1_000);
    await settle();
    expect(latest(flowId).output('call')).toEqual({ scriptId: script.id, response: null, completed: true });
  });

  it('fails where the other flow fails, naming it', async () => {
    const { saveFlow, runActions } = open();
    const script = saveFlow({ name: 'Alarm', actions: [{ id: 's', type: 'stop', error: true, reason: 'no power' }] });
    const { step } = await runActions([call(script.id)]);
    expect(step('call')).toMatchObject({ result: 'error', error: "'Alarm' stopped with an error: no power" });
  });

  it('is refused where the flow is switched off', async () => {
    const { saveFlow, runActions } = open();
    const script = saveFlow({ name: 'Alarm', enabled: false, actions: [] });
    const { step } = await runActions([call(script.id)]);
    expect(step('call').error).toBe("'Alarm' is switched off. Enable it, or take it out of here.");
  });

  it('is refused in a circle, which is named', async () => {
    const { saveFlow, runFlow, engine } = open();
    const a = saveFlow({ name: 'A', actions: [] });
    const b = saveFlow({ name: 'B', actions: [call(a.id)] });
    // Saving it is refused already; what was stored by other means is refused when it runs.
    const program = engine.find(b.id) as Program;
    engine.put({
      ...program,
      id: a.id,
      name: 'A',
      actions: program.actions.map((one) => ({ ...one, scriptId: b.id })),
    });
    const { trace } = await runFlow(a.id);
    expect(trace.status).toBe('error');
    expect(JSON.stringify(trace.steps)).toContain('call each other in a circle: A → B → A');
  });

  it('is refused more than five deep', async () => {
    const { saveFlow, runFlow } = open();
    let next = saveFlow({ name: 'F6', actions: [] }).id;
    for (let depth = 5; depth >= 1; depth -= 1) next = saveFlow({ name: `F${depth}`, actions: [call(next)] }).id;
    const { trace } = await runFlow(next);
    expect(trace.status).toBe('error');
    expect(JSON.stringify(trace.steps)).toMatch(/more than 5 deep: F1 → F2 → F3 → F4 → F5 → F6/);
  });
});

describe('toggle_automation', () => {
  const act = (automationId: string, action: string): JsonObject => ({
    id: 'act',
    type: 'toggle_automation',
    automationId,
    action,
  });

  it.each([
    ['enable', true, true],
    ['enable', false, true],
    ['disable', true, false],
    ['toggle', true, false],
    ['toggle', false, true],
  ])('%s, of one that is on: %s', async (action, before, after) => {
    const { saveFlow, runActions, flows } = open();
    const other = saveFlow({ name: 'Other', enabled: before });
    const { output } = await runActions([act(other.id, action)]);
    expect(output('act')).toEqual({ automationId: other.id, action, enabled: after, success: true });
    expect(flows.get(systemCaller, other.id).enabled).toBe(after);
  });

  it('trigger begins a run of its own and does not wait for it', async () => {
    const { saveFlow, runActions, latest } = open();
    const other = saveFlow({ name: 'Other', actions: [{ id: 'wait', type: 'delay', duration: { minutes: 1 } }] });
    const { output, trace } = await runActions([act(other.id, 'trigger')]);
    expect(trace.status).toBe('success');
    expect(output('act')).toMatchObject({ action: 'trigger', success: true, blockedReason: null });
    expect(latest(other.id).trace.status).toBe('running');
  });

  it('trigger reports why the other one did not run, and does not fail for it', async () => {
    const { saveFlow, runActions } = open();
    const other = saveFlow({ name: 'Other', enabled: false });
    const { output, trace } = await runActions([act(other.id, 'trigger')]);
    expect(output('act')).toMatchObject({ success: false, blockedReason: 'disabled' });
    expect(trace.status).toBe('success');
  });

  it('fails where the other one is gone', async () => {
    const { saveFlow, flows, runFlow } = open();
    const other = saveFlow({ name: 'Other' });
    const flow = saveFlow({ actions: [{ ...act(other.id, 'enable'), onError: 'continue' }] });
    flows.delete(systemCaller, other.id);
    const { step } = await runFlow(flow.id);
    expect(step('act').error).toBe('Automation not found');
  });
});
