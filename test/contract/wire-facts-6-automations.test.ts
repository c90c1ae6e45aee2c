/** wire-facts §6.2–6.5: the record of flows, the editor's palette, expressions and traces, over REST. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AutomationHome, createAutomationHome } from '../support/automation-home.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { systemCaller } from '../support/test-home.ts';

let home: AutomationHome;
let rest: RestClient;

beforeEach(() => {
  home = createAutomationHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});
afterEach(() => home.stop());

const lamp = () => home.named('Lamp').id;

async function save(fields: object) {
  const { body } = await rest.post('/rest/flows', { homeId: home.home.id, name: 'Flow', actions: [], ...fields });
  expect(body.error, JSON.stringify(body)).toBeUndefined();
  return body;
}

/** What is in the home, by the words that stand for it in the tables below. */
function thing(word: string): string {
  const actions = [{ accessoryId: lamp(), characteristicType: 'on', targetValue: true }];
  const homeId = home.home.id;
  switch (word) {
    case 'lamp':
      return lamp();
    case 'scene':
      return home.scenes.create(systemCaller, { homeId, name: 'Scene', actions }).id;
    case 'group':
      return home.serviceGroups.create(systemCaller, { homeId, name: 'Group', accessoryIds: [lamp()] }).id;
    case 'counter':
      return home.virtuals.create(systemCaller, { homeId, name: 'Counter', type: 'counter' }).id;
    case 'flow':
      return home.saveFlow({ name: 'Called' }).id;
    default:
      throw new Error(`There is no ${word}`);
  }
}

function fill<T>(value: T): T {
  const known = new Map<string, string>();
  const text = JSON.stringify(value).replaceAll(/\$(\w+)/g, (_, word: string) => {
    const id = known.get(word) ?? thing(word);
    known.set(word, id);
    return id;
  });
  return JSON.parse(text);
}

describe('§6.2: the record', () => {
  it('has every field, with metadata', async () => {
    const fields = {
      description: 'Text',
      enabled: false,
      mode: 'queued',
      maxRunning: 3,
      variables: { a: 1 },
      blueprintId: 'blueprint',
      uiState: { nodePositions: { a: { x: 1, y: 2 } }, edges: [], stickyNotes: [] },
    };
    expect(await save(fields)).toMatchObject({
      ...fields,
      metadata: { createdAt: expect.any(String), updatedAt: expect.any(String), triggerCount: 0 },
    });
  });

  const TRIGGERS = [
    {
      type: 'state',
      accessoryId: '$lamp',
      characteristicType: 'power_state',
      from: false,
      to: true,
      for: { minutes: 5 },
    },
    { type: 'state', serviceGroupId: '$group', characteristicType: 'power_state' },
    { type: 'numeric_state', accessoryId: '$lamp', characteristicType: 'brightness', above: 10, below: 90 },
    { type: 'time', at: '07:30', weekdays: [0, 6] },
    { type: 'time', at: '07:30:15' },
    { type: 'time_pattern', hours: '*', minutes: '/5', seconds: '0' },
    { type: 'sun', event: 'sunset', offset: { minutes: -30 } },
    { type: 'webhook', allowedMethods: ['POST', 'PUT'] },
    { type: 'event', eventType: 'bell', eventData: { door: 'front' } },
    { type: 'system', event: 'relay_connected' },
    { type: 'system', event: 'relay_disconnected' },
    { type: 'system', event: 'automation_reloaded' },
    { type: 'template', expression: 'now() > 0', for: { seconds: 10 } },
    { type: 'device_availability', accessoryId: '$lamp', to: 'unavailable', for: { minutes: 1 } },
  ];
  it.each(TRIGGERS)('trigger $type reads back as it was sent: %j', async (trigger) => {
    const sent = { id: 'one', enabled: true, ...fill(trigger) };
    const { triggers } = await save({ triggers: [sent] });
    expect(triggers).toEqual([trigger.type === 'webhook' ? { ...sent, webhookId: expect.any(String) } : sent]);
  });

  const CONDITIONS = [
    { type: 'state', accessoryId: '$lamp', characteristicType: 'power_state', value: true },
    { type: 'numeric_state', accessoryId: '$lamp', characteristicType: 'brightness', above: 10, below: 90 },
    { type: 'time', after: '22:00', before: '06:00', weekdays: [1] },
    { type: 'sun', after: 'sunset', afterOffset: { minutes: 10 }, before: 'sunrise' },
    { type: 'template', expression: 'true' },
    { type: 'trigger', triggerId: 'one' },
  ];
  it.each(CONDITIONS)('condition $type reads back as it was sent, nested too: %j', async (condition) => {
    const sent = fill(condition);
    const conditions = { operator: 'and', conditions: [{ operator: 'not', conditions: [sent] }, sent] };
    const saved = await save({ triggers: [{ id: 'one', type: 'time', at: '07:00' }], conditions });
    expect(saved.conditions).toEqual(conditions);
  });

  const ACTIONS = [
    { type: 'set_characteristic', accessoryId: '$lamp', characteristicType: 'brightness', value: '{{ 1 + 1 }}' },
    { type: 'set_service_group', groupId: '$group', characteristicType: 'power_state', value: true },
    { type: 'execute_scene', sceneId: '$scene' },
    { type: 'delay', duration: { hours: 24 } },
    { type: 'wait_for_template', expression: 'true', timeout: { seconds: 1 }, continueOnTimeout: false },
    { type: 'variables', variables: { a: [1] } },
    { type: 'stop', reason: 'why', error: true, responseVariable: 'a' },
    { type: 'fire_event', eventType: 'bell', eventData: { a: 1 } },
    { type: 'fire_webhook', url: 'https://example.com/', method: 'PUT', headers: { 'x-a': 'b' }, body: { a: 1 } },
    { type: 'toggle_automation', automationId: '$flow', action: 'disable' },
    { type: 'call_script', scriptId: '$flow', variables: { a: 1 }, responseVariable: 'got' },
    { type: 'notify', message: 'Hello', title: 'Title', icon: 'bell', iconColor: '#ff0000', data: { a: 1 } },
    { type: 'virtual', accessoryId: '$counter', operation: 'increment', step: 2 },
  ];
  it.each(ACTIONS)('action $type reads back as it was sent: %j', async (action) => {
    const sent = {
      id: 'one',
      alias: 'Name',
      enabled: true,
      onError: 'retry',
      maxRetries: 2,
      retryDelayMs: 500,
      ...fill(action),
    };
    expect((await save({ variables: { a: 1 }, actions: [sent] })).actions).toEqual([sent]);
  });

  it('actions within actions read back', async () => {
    const inner = (id: string) => ({ id, type: 'variables', enabled: true, onError: 'stop', variables: { a: 1 } });
    const base = { enabled: true, onError: 'stop' };
    const all = { operator: 'and', conditions: [] };
    const actions = [
      {
        id: 'choose',
        type: 'choose',
        ...base,
        choices: [{ alias: 'One', conditions: all, actions: [inner('a')] }],
        default: [inner('b')],
      },
      // biome-ignore lint/suspicious/noThenProperty: the field's name on the wire.
      { id: 'if', type: 'if_then_else', ...base, condition: all, then: [inner('c')], else: [inner('d')] },
      { id: 'count', type: 'repeat', ...base, mode: 'count', count: 2, sequence: [inner('e')] },
      { id: 'while', type: 'repeat', ...base, mode: 'while', whileCondition: all, sequence: [inner('f')] },
      { id: 'until', type: 'repeat', ...base, mode: 'until', untilCondition: all, sequence: [inner('g')] },
      { id: 'each', type: 'repeat', ...base, mode: 'for_each', forEachItems: [1, 2], sequence: [inner('h')] },
      { id: 'parallel', type: 'parallel', ...base, branches: [[inner('i')], [inner('j')]] },
      { id: 'merge', type: 'merge', ...base, mode: 'append', inputIds: ['i', 'j'] },
    ];
    expect((await save({ actions })).actions).toEqual(actions);
  });

  it('code is refused: there is no JavaScript', async () => {
    const body = { homeId: home.home.id, name: 'X', actions: [{ type: 'code', code: 'return 1' }] };
    const answer = await rest.post('/rest/flows', body);
    expect([answer.status, answer.body.field]).toEqual([422, 'actions[0].type']);
  });

  it('unknown fields are refused with their path', async () => {
    const body = {
      homeId: home.home.id,
      name: 'X',
      actions: [{ type: 'delay', duration: { seconds: 1 }, surprise: 1 }],
    };
    const answer = await rest.post('/rest/flows', body);
    expect([answer.status, answer.body.field]).toEqual([400, 'actions[0].surprise']);
  });
});

describe('§6.3: the editor’s palette', () => {
  it.each([
    [{ type: 'device_changed', accessoryId: '$lamp', characteristicType: 'power_state', filterMode: 'any' }, 'state'],
    [
      { type: 'device_changed', accessoryId: '$lamp', characteristicType: 'brightness', filterMode: 'above', above: 5 },
      'numeric_state',
    ],
    [{ type: 'schedule', scheduleMode: 'time', at: '07:00' }, 'time'],
    [{ type: 'schedule', scheduleMode: 'interval', minutes: 5 }, 'time_pattern'],
    [{ type: 'schedule', scheduleMode: 'sun', event: 'sunset', offsetMinutes: -5 }, 'sun'],
    [{ type: 'error' }, 'event'],
    [{ type: 'device_offline', accessoryId: '$lamp', forMinutes: 3 }, 'device_availability'],
  ])('trigger %j is understood', async (trigger, type) => {
    expect((await save({ triggers: [fill(trigger)] })).triggers[0].type).toBe(type);
  });

  it.each([
    [
      { type: 'set_device', accessoryId: '$lamp', characteristicType: 'power_state', value: true },
      'set_characteristic',
    ],
    [
      { type: 'set_device', serviceGroupId: '$group', characteristicType: 'power_state', value: true },
      'set_service_group',
    ],
    [{ type: 'run_scene', sceneId: '$scene' }, 'execute_scene'],
    [{ type: 'delay', minutes: 5 }, 'delay'],
    [{ type: 'http_request', url: 'https://example.com/', method: 'GET' }, 'fire_webhook'],
    [{ type: 'sub_workflow', automationId: '$flow' }, 'call_script'],
  ])('action %j is understood', async (action, type) => {
    expect((await save({ actions: [fill(action)] })).actions[0].type).toBe(type);
  });
});

describe('§6.4: expressions', () => {
  it.each([
    ['states("Lamp") != "x"', true],
    ['is_state("Lamp", "on") || true', true],
    ['min(1, 2) + max(3, 4)', 5],
    ['abs(-1) + round(1.6) + floor(1.9) + ceil(1.1) + sqrt(9)', 9],
    ['int("7") + float("1.5")', 8.5],
    ['str(7) + "x"', '7x'],
    ['bool("true")', true],
    ['is_number("7")', true],
    ['len([1, 2])', 2],
    ['upper("a") + lower("B") + trim(" c ")', 'Abc'],
    ['contains("abc", "b") and not false', true],
    ['replace("aba", "a", "c")', 'cbc'],
    ['join([1, 2], "-")', '1-2'],
    ['iif(true, 1, 2)', 1],
    ['range(3)', [0, 1, 2]],
    ['true ? 7 % 4 : 0', 3],
    ['true == 1 && "1" == true', true],
    ['now() > today_at("00:00")', true],
  ])('%s', async (expression, value) => {
    const { id } = await save({ actions: [{ type: 'variables', variables: { got: `{{ ${expression} }}` } }] });
    home.run(id);
    await home.settle();
    expect(home.tracesOf(id)[0]).toMatchObject({ error: null, variables: { got: value } });
  });

  it('text around a template makes text of it', async () => {
    const { id } = await save({ actions: [{ type: 'variables', variables: { got: 'n={{ 1 + 1 }}' } }] });
    home.run(id);
    await home.settle();
    expect(home.tracesOf(id)[0]?.variables.got).toBe('n=2');
  });
});

describe('§6.5: traces and versions', () => {
  it('a trace has every field, and so have its steps', async () => {
    const { id } = await save({
      conditions: [{ type: 'template', expression: 'true' }],
      actions: [{ id: 'all', type: 'parallel', branches: [[{ id: 'set', type: 'variables', variables: { a: 1 } }]] }],
    });
    const { runId } = (await rest.post(`/rest/flows/${id}/run`, {})).body;
    await home.settle();
    const { automation, ...trace } = (await rest.get(`/rest/flows/traces/${runId}`)).body;
    expect(automation).toEqual({ kind: 'flow', isCurrent: true, definition: expect.any(Object) });
    const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(trace).toEqual({
      id: runId,
      automationId: id,
      automationName: 'Flow',
      homeId: home.home.id,
      startedAt: iso,
      finishedAt: iso,
      status: 'success',
      triggerData: { id: null, type: 'manual', timestamp: expect.any(Number) },
      steps: expect.any(Array),
      variables: { a: 1 },
      error: null,
      blockedReason: null,
    });
    expect(trace.steps.map(({ type }: { type: string }) => type)).toEqual(['trigger', 'condition', 'action', 'action']);
    expect(trace.steps[3]).toEqual({
      index: 3,
      type: 'action',
      nodeId: 'set',
      nodeType: 'variables',
      nodeSummary: expect.any(String),
      startedAt: iso,
      finishedAt: iso,
      durationMs: expect.any(Number),
      result: 'executed',
      input: expect.anything(),
      output: expect.anything(),
      error: null,
      parentNodeId: 'all',
      branch: 'branches[0]',
      iteration: null,
      attempt: 1,
    });
    expect((await rest.get(`/rest/flows/${id}/traces`)).body).toEqual([trace]);
  });

  it('50 versions are kept, one per save', async () => {
    const { id } = await save({});
    for (let n = 2; n <= 55; n += 1) {
      await rest.request('PUT', `/rest/flows/${id}`, { name: 'Flow', description: `${n}`, actions: [] });
    }
    const { body } = await rest.get(`/rest/flows/${id}/versions`);
    expect(body.map(({ version }: { version: number }) => version)).toEqual(
      Array.from({ length: 50 }, (_, n) => 55 - n),
    );
  });

  it('values are capped at 8192 bytes', async () => {
    const { id } = await save({ actions: [{ type: 'variables', variables: { long: 'x'.repeat(20_000) } }] });
    home.run(id);
    await home.settle();
    const { text } = await rest.get(`/rest/flows/${id}/traces`);
    expect(text).not.toContain('x'.repeat(8_193));
    expect(text).toContain('x'.repeat(1_000));
  });

  it.each([0, 101, 'many', 1.5])('asking for %s traces is refused', async (limit) => {
    const { id } = await save({});
    const { status, body } = await rest.get(`/rest/flows/${id}/traces?limit=${limit}`);
    expect([status, body.field]).toEqual([422, 'limit']);
  });
});
