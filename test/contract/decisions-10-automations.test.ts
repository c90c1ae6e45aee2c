/** decisions §10: automations as clients see them, sentence by sentence. The incoming webhook has a file of its own. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AutomationHome, createAutomationHome } from '../support/automation-home.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { TestClock } from '../support/test-clock.ts';
import { systemCaller } from '../support/test-home.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const BERLIN = { latitude: 52.52, longitude: 13.405, radius: 100 };

let home: AutomationHome;
let rest: RestClient;

function open(at: string): void {
  home = createAutomationHome({ sample: true, clock: new TestClock(at) });
  home.homes.update(systemCaller, home.home.id, { timeZone: 'Europe/Berlin', location: BERLIN });
  rest = createRestClient(createTestApi(home), createToken(home));
}

beforeEach(() => open('2026-06-21T12:00:00Z'));
afterEach(() => home.stop());

async function ask(query: string, variables: object = {}) {
  const { body } = await rest.post('/graphql', { query, variables });
  return body;
}

/** @throws if anything failed */
async function ok(query: string, variables: object = {}) {
  const { data, errors } = await ask(query, variables);
  expect(errors).toBeUndefined();
  return data;
}

async function save(data: object): Promise<string> {
  const query = 'mutation($home: String!, $data: JSON!) { saveFlow(homeId: $home, data: $data) { id } }';
  return (await ok(query, { home: home.home.id, data: { name: 'Flow', actions: [], ...data } })).saveFlow.id;
}

async function advance(ms: number): Promise<void> {
  await home.clock.advance(ms);
  await home.settle();
}

const NOTE = { id: 'note', type: 'variables', variables: { at: '{{ trigger.timestamp }}' } };
/** When a flow ran, oldest first. */
const firings = (id: string): readonly string[] =>
  home
    .tracesOf(id)
    .map(({ startedAt }) => new Date(startedAt).toISOString())
    .toReversed();

describe('flows have GraphQL', () => {
  it('flows(homeId), flow(flowId)', async () => {
    const id = await save({ description: 'What it is for', variables: { a: [1] } });
    const fields = 'id homeId name description enabled version mode maxRunning triggers conditions actions variables';
    const data = await ok(
      `query($home: String!, $id: String!) {
        flows(homeId: $home) { id }
        flow(flowId: $id) { ${fields} blueprintId uiState webhookUrls metadata { createdAt updatedAt lastTriggeredAt triggerCount } }
      }`,
      { home: home.home.id, id },
    );
    expect(data.flows).toEqual([{ id }]);
    expect(data.flow).toEqual({
      id,
      homeId: home.home.id,
      name: 'Flow',
      description: 'What it is for',
      enabled: true,
      version: 1,
      mode: 'single',
      maxRunning: 10,
      triggers: [],
      conditions: { operator: 'and', conditions: [] },
      actions: [],
      variables: { a: [1] },
      blueprintId: null,
      uiState: null,
      webhookUrls: [],
      metadata: {
        createdAt: '2026-06-21T12:00:00.000Z',
        updatedAt: '2026-06-21T12:00:00.000Z',
        lastTriggeredAt: null,
        triggerCount: 0,
      },
    });
  });

  it('saveFlow(homeId, flowId, data): an object, or a text of JSON; dataJson can be sent back', async () => {
    const id = await save({});
    const { flow } = await ok('query($id: String!) { flow(flowId: $id) { dataJson } }', { id });
    const query = `mutation($home: String!, $id: String!, $data: JSON!) {
      saveFlow(homeId: $home, flowId: $id, data: $data) { id version name }
    }`;
    const text = await ok(query, { home: home.home.id, id, data: flow.dataJson });
    expect(text.saveFlow).toEqual({ id, version: 2, name: 'Flow' });
    const changed = { ...JSON.parse(flow.dataJson), name: 'Other' };
    expect((await ok(query, { home: home.home.id, id, data: changed })).saveFlow.name).toBe('Other');
  });

  it('with the path of the faulty field in its errors', async () => {
    const query = 'mutation($home: String!, $data: JSON!) { saveFlow(homeId: $home, data: $data) { id } }';
    const data = {
      name: 'Bad',
      triggers: [
        { type: 'time', at: '07:00' },
        { type: 'time', at: '25:00' },
      ],
      actions: [],
    };
    const { errors } = await ask(query, { home: home.home.id, data });
    expect(errors[0].extensions).toMatchObject({ code: 'INVALID_VALUE', field: 'triggers[1].at' });
    expect(errors[0].message).toContain('triggers[1].at');
  });

  it('deleteFlow, setFlowEnabled', async () => {
    const id = await save({});
    const off = await ok('mutation($id: String!) { setFlowEnabled(flowId: $id, enabled: false) { enabled } }', { id });
    expect(off.setFlowEnabled.enabled).toBe(false);
    const query = 'mutation($id: String!) { deleteFlow(flowId: $id) { success error code flowId } }';
    expect((await ok(query, { id })).deleteFlow).toEqual({ success: true, error: null, code: null, flowId: id });
    expect((await ok(query, { id })).deleteFlow).toMatchObject({ success: false, code: 'automation_not_found' });
  });

  it('runFlow, flowTraces(flowId, limit) with their steps', async () => {
    const id = await save({
      mode: 'parallel',
      actions: [{ id: 'set', type: 'variables', variables: { b: '{{ a + 1 }}' } }],
    });
    const run =
      'mutation($id: String!, $v: JSON) { runFlow(flowId: $id, variables: $v) { success runId blockedReason } }';
    const { runFlow } = await ok(run, { id, v: { a: 1 } });
    expect(runFlow).toEqual({ success: true, runId: expect.any(String), blockedReason: null });
    await ok(run, { id, v: '{"a": 2}' });
    await home.settle();
    const { flowTraces } = await ok(
      `query($id: String!) { flowTraces(flowId: $id, limit: 1) {
        id status triggerData variables steps { index type nodeId nodeType nodeSummary result output attempt }
      } }`,
      { id },
    );
    expect(flowTraces).toHaveLength(1);
    expect(flowTraces[0]).toMatchObject({ status: 'success', triggerData: { type: 'manual' }, variables: { b: 3 } });
    expect(flowTraces[0].steps.map(({ nodeId }: { nodeId: string }) => nodeId)).toEqual([null, 'set']);
    const { flowTrace } = await ok('query($run: String!) { flowTrace(traceId: $run) { automationId } }', {
      run: runFlow.runId,
    });
    expect(flowTrace.automationId).toBe(id);
  });

  it('runFlow reports why a run is refused', async () => {
    const id = await save({ enabled: false });
    const query = 'mutation($id: String!) { runFlow(flowId: $id) { success error code runId blockedReason } }';
    expect((await ok(query, { id })).runFlow).toEqual({
      success: false,
      error: 'The run was refused: disabled.',
      code: 'conflict',
      runId: expect.any(String),
      blockedReason: 'disabled',
    });
  });

  it('flowVersions, restoreFlowVersion', async () => {
    const id = await save({ description: 'old' });
    await rest.request('PUT', `/rest/flows/${id}`, { name: 'Flow', description: 'new', actions: [] });
    const { flowVersions } = await ok(
      'query($id: String!) { flowVersions(flowId: $id) { id version name savedAt definition } }',
      { id },
    );
    expect(flowVersions.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
    const query = 'mutation($v: String!) { restoreFlowVersion(versionId: $v) { description version } }';
    const { restoreFlowVersion } = await ok(query, { v: flowVersions[1].id });
    expect(restoreFlowVersion).toEqual({ description: 'old', version: 3 });
  });

  it('exportFlow, importFlow: what is exported makes the same flow again', async () => {
    const id = await save({ description: 'Kept', actions: [NOTE] });
    for (const format of ['yaml', 'json']) {
      const { exportFlow } = await ok('query($id: String!, $f: String) { exportFlow(flowId: $id, format: $f) }', {
        id,
        f: format,
      });
      const query =
        'mutation($home: String!, $data: String!) { importFlow(homeId: $home, data: $data) { id description actions } }';
      const { importFlow } = await ok(query, { home: home.home.id, data: exportFlow });
      expect(importFlow).toMatchObject({ description: 'Kept', actions: [{ id: 'note', type: 'variables' }] });
      expect(importFlow.id).not.toBe(id);
    }
  });

  it('flowTraces serves native automations too', async () => {
    const { id } = home.automations.create(systemCaller, {
      homeId: home.home.id,
      name: 'Native',
      trigger: { type: 'timer', fireDate: '2026-06-21T13:00:00Z' },
      actions: [{ accessoryId: home.named('Lamp').id, characteristicType: 'on', targetValue: true }],
    });
    await advance(HOUR_MS + SECOND_MS);
    const { flowTraces } = await ok('query($id: String!) { flowTraces(flowId: $id) { automationName status } }', {
      id,
    });
    expect(flowTraces).toEqual([{ automationName: 'Native', status: 'success' }]);
  });
});

describe('and REST /rest/flows', () => {
  it('with the same shapes as JSON, not strings', async () => {
    const id = await save({ triggers: [{ id: 't', type: 'time', at: '07:00' }] });
    const { flow } = await ok('query($id: String!) { flow(flowId: $id) { dataJson triggers conditions } }', { id });
    const { body } = await rest.get(`/rest/flows/${id}`);
    expect(JSON.parse(flow.dataJson)).toEqual(body);
    expect(body).toMatchObject({ triggers: flow.triggers, conditions: flow.conditions });
  });
});

describe('expressions', () => {
  it('are CEL inside {{ }}; trigger.timestamp is as the API document defines', async () => {
    const id = await save({
      actions: [{ ...NOTE, variables: { at: '{{ trigger.timestamp }}', n: '{{ [1, 2].size() }}' } }],
    });
    home.run(id);
    await home.settle();
    expect(home.tracesOf(id)[0]?.variables).toMatchObject({ at: Date.parse('2026-06-21T12:00:00Z') / 1000, n: 2 });
  });

  it.each(['process.exit()', 'constructor.constructor("return 1")()', '(() => 1)()'])(
    'evaluate no JavaScript: %s',
    async (expression) => {
      const body = {
        homeId: home.home.id,
        name: 'Bad',
        actions: [{ type: 'variables', variables: { a: `{{ ${expression} }}` } }],
      };
      const answer = await rest.post('/rest/flows', body);
      expect([answer.status, answer.body.field]).toEqual([422, expect.stringMatching(/^actions\[0\]/)]);
    },
  );
});

describe('time', () => {
  const reopen = async (at: string): Promise<void> => {
    await home.stop();
    open(at);
  };

  it('a wall-clock time that does not exist fires at the first moment after the gap', async () => {
    await reopen('2026-03-28T23:30:00Z');
    const id = await save({ triggers: [{ type: 'time', at: '02:30' }], actions: [NOTE] });
    await advance(3 * HOUR_MS);
    expect(firings(id)).toEqual(['2026-03-29T01:00:00.000Z']);
  });

  it('one that occurs twice fires once', async () => {
    await reopen('2026-10-24T23:00:00Z');
    const id = await save({ triggers: [{ type: 'time', at: '02:30' }], actions: [NOTE] });
    await advance(4 * HOUR_MS);
    expect(firings(id)).toEqual(['2026-10-25T00:30:00.000Z']);
  });

  it('sunrise and sunset follow the home; a day without one fires nothing', async () => {
    const id = await save({ triggers: [{ type: 'sun', event: 'sunset' }], actions: [NOTE] });
    const { body } = await rest.get(`/rest/flows/${id}/next?count=1`);
    // 21:33 in Berlin that day.
    expect(body[0]).toMatch(/^2026-06-21T19:3\d/);
    home.homes.update(systemCaller, home.home.id, { location: { latitude: 78.2, longitude: 15.6, radius: 100 } });
    const [arctic] = (await rest.get(`/rest/flows/${id}/next?count=1`)).body;
    expect(Date.parse(arctic) - home.clock.now()).toBeGreaterThan(30 * 24 * HOUR_MS);
  });
});

describe('guards', () => {
  it('10 runs a minute and automation; a blocked run leaves a trace with the reason', async () => {
    const id = await save({ mode: 'parallel' });
    for (let run = 0; run < 10; run += 1) expect(home.run(id).blockedReason).toBeNull();
    const { body } = await rest.post(`/rest/flows/${id}/run`);
    expect(body).toEqual({ success: false, runId: expect.any(String), blockedReason: 'rate_limit' });
    expect((await rest.get(`/rest/flows/traces/${body.runId}`)).body).toMatchObject({
      automationId: id,
      blockedReason: 'rate_limit',
    });
  });

  it('nesting depth 5, and loops are found', async () => {
    const id = await save({ name: 'Ring', mode: 'parallel' });
    const ring = { name: 'Ring', mode: 'parallel', triggers: [{ type: 'event', eventType: 'ring' }] };
    const fire = { actions: [{ type: 'fire_event', eventType: 'ring' }] };
    await rest.request('PUT', `/rest/flows/${id}`, { ...ring, ...fire });
    home.run(id);
    await home.settle();
    const reasons = home.tracesOf(id).map(({ blockedReason }) => blockedReason);
    expect(reasons.filter((reason) => reason === null)).toHaveLength(5);
    expect(reasons).toContain('loop');
    expect(home.tracesOf(id).find(({ blockedReason }) => blockedReason === 'loop')?.error).toContain('Ring → Ring');
  });
});
