import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AutomationHome, createAutomationHome } from '../../support/automation-home.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../../support/rest-client.ts';
import { systemCaller } from '../../support/test-home.ts';

let home: AutomationHome;
let rest: RestClient;

beforeEach(() => {
  home = createAutomationHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});
afterEach(() => home.stop());

/** Sets what the test gives, if it gives something. */
const flow = (fields: object = {}) => ({
  homeId: home.home.id,
  name: 'Evening',
  triggers: [{ id: 'late', type: 'time', at: '22:00' }],
  actions: [{ id: 'say', type: 'variables', variables: { who: 'me' } }],
  ...fields,
});

const importPath = (): string => `/rest/flows/import?home=${home.home.id}`;

async function create(fields: object = {}) {
  const { status, body, text } = await rest.post('/rest/flows', flow(fields));
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  return body;
}

describe('/rest/flows', () => {
  it('makes a flow of JSON and shows it as JSON', async () => {
    const made = await create();
    expect(made).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      homeId: home.home.id,
      name: 'Evening',
      enabled: true,
      version: 1,
      mode: 'single',
      triggers: [{ id: 'late', type: 'time', at: '22:00', enabled: true }],
      conditions: { operator: 'and', conditions: [] },
      actions: [{ id: 'say', type: 'variables', variables: { who: 'me' } }],
      metadata: { createdAt: new Date(home.clock.now()).toISOString(), triggerCount: 0 },
      webhookUrls: [],
    });
    expect((await rest.get(`/rest/flows/${made.id}`)).body).toEqual(made);
    expect((await rest.get('/rest/flows')).body).toEqual([made]);
    expect((await rest.get(`/rest/flows?home=${home.home.id}`)).body).toEqual([made]);
  });

  it('takes back what it shows', async () => {
    const made = await create({ triggers: [{ id: 'call', type: 'webhook' }] });
    const { status, body } = await rest.request('PUT', `/rest/flows/${made.id}`, { ...made, description: 'New' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...made, version: 2, description: 'New', metadata: { ...made.metadata } });
  });

  it('replaces a flow as a whole by PUT, and changes its name or state by PATCH', async () => {
    const { id } = await create({ description: 'Old', enabled: false });
    const put = await rest.request('PUT', `/rest/flows/${id}`, { name: 'Night', actions: [] });
    expect(put.body).toMatchObject({ id, name: 'Night', description: null, triggers: [], enabled: false, version: 2 });
    const on = await rest.patch(`/rest/flows/${id}`, { enabled: true });
    expect(on.body).toMatchObject({ enabled: true, version: 2 });
    const renamed = await rest.patch(`/rest/flows/${id}`, { name: 'Late', enabled: false });
    expect(renamed.body).toMatchObject({ name: 'Late', enabled: false, version: 3 });
    expect((await rest.patch(`/rest/flows/${id}`, {})).body).toEqual(renamed.body);
    const faulty = await rest.patch(`/rest/flows/${id}`, { triggers: [] });
    expect([faulty.status, faulty.body.field]).toEqual([400, 'triggers']);
  });

  it('enables, disables and deletes', async () => {
    const { id } = await create();
    expect((await rest.post(`/rest/flows/${id}/disable`)).body.enabled).toBe(false);
    expect((await rest.get(`/rest/flows/${id}/next`)).body).toEqual([]);
    expect((await rest.post(`/rest/flows/${id}/enable`)).body.enabled).toBe(true);
    expect((await rest.get(`/rest/flows/${id}/next?count=3`)).body).toHaveLength(3);
    expect((await rest.delete(`/rest/flows/${id}`)).body).toEqual({ success: true, flowId: id });
    const gone = await rest.get(`/rest/flows/${id}`);
    expect([gone.status, gone.body.code]).toEqual([404, 'automation_not_found']);
  });

  it.each([
    [{ actions: [{ type: 'nonsense' }] }, 422, 'actions[0].type'],
    [{ actions: [{ type: 'delay', duration: { seconds: -1 } }] }, 422, 'actions[0].duration.seconds'],
    [{ triggers: [{ type: 'time' }] }, 400, 'triggers[0].at'],
    [{ conditions: [{ type: 'template', expression: '1 +' }] }, 422, 'conditions[0].expression'],
    [{ surprise: true }, 400, 'surprise'],
    [{ name: 'Ends with !' }, 422, 'name'],
    [{ homeId: 7 }, 422, 'homeId'],
    [{ homeId: undefined }, 400, 'homeId'],
  ])('names the place of a fault: %j', async (fields, status, field) => {
    const answer = await rest.post('/rest/flows', flow(fields));
    expect([answer.status, answer.body.field]).toEqual([status, expect.stringContaining(field)]);
    expect((await rest.get('/rest/flows')).body).toEqual([]);
  });

  it.each(['null', '[]', '7', '"text"'])('refuses a body that is no object: %s', async (text) => {
    expect((await rest.post('/rest/flows', text)).status).toBe(400);
    const { id } = await create();
    expect([400, 422]).toContain((await rest.request('PUT', `/rest/flows/${id}`, text)).status);
  });

  it('runs with variables or without a body, and refuses what are no variables', async () => {
    const { id } = await create({
      mode: 'parallel',
      actions: [{ type: 'variables', variables: { b: '{{ a }}' } }],
      variables: { a: 1 },
    });
    for (const body of [undefined, {}, { variables: { a: 2 } }]) {
      const { body: run } = await rest.post(`/rest/flows/${id}/run`, body);
      expect(run).toEqual({ success: true, runId: expect.any(String) });
    }
    await home.settle();
    expect(home.tracesOf(id).map(({ variables }) => variables.b)).toEqual([2, 1, 1]);
    const { body } = await rest.get(`/rest/flows/${id}`);
    expect(body.metadata).toMatchObject({ triggerCount: 3, lastTriggeredAt: expect.any(String) });
    for (const variables of [7, [1], { '7up': 1 }]) {
      expect((await rest.post(`/rest/flows/${id}/run`, { variables })).status).toBe(422);
    }
    expect((await rest.post(`/rest/flows/${id}/run`, { surprise: 1 })).body.field).toBe('surprise');
  });

  it('shows versions, and restores one', async () => {
    const made = await create({ description: 'First' });
    await rest.request('PUT', `/rest/flows/${made.id}`, { ...made, description: 'Second' });
    const { body: versions } = await rest.get(`/rest/flows/${made.id}/versions`);
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
    const { body } = await rest.post(`/rest/flows/versions/${versions[1].id}/restore`);
    expect(body).toMatchObject({ id: made.id, version: 3, description: 'First' });
  });

  it('describes in words what an automation does, of native ones too', async () => {
    const { id } = await create({
      conditions: [{ type: 'time', after: '21:00' }],
      actions: [
        { id: 'both', type: 'parallel', branches: [[{ id: 'one', type: 'delay', duration: { seconds: 5 } }], []] },
      ],
    });
    expect((await rest.get(`/rest/flows/${id}/outline`)).body).toEqual({
      id,
      kind: 'flow',
      homeId: home.home.id,
      name: 'Evening',
      enabled: true,
      triggers: [{ id: 'late', summary: expect.stringContaining('22:00'), enabled: true }],
      conditions: expect.stringContaining('21:00'),
      actions: [
        { id: 'both', depth: 0, branch: null, summary: expect.any(String), enabled: true },
        { id: 'one', depth: 1, branch: 'branches[0]', summary: expect.stringContaining('5'), enabled: true },
      ],
    });
    const native = home.automations.create(systemCaller, {
      homeId: home.home.id,
      name: 'Native',
      trigger: { type: 'timer', hour: 3, recurrenceType: 'daily' },
      actions: [{ accessoryId: home.named('Lamp').id, characteristicType: 'on', targetValue: true }],
    });
    const { body } = await rest.get(`/rest/flows/${native.id}/outline`);
    expect(body).toMatchObject({ kind: 'native', conditions: null, name: 'Native' });
    expect((await rest.get(`/rest/flows/${native.id}/next?count=2`)).body).toHaveLength(2);
  });
});

describe('documents', () => {
  it('are YAML, or JSON if asked for, each with its type', async () => {
    const { id } = await create();
    const yaml = await rest.get(`/rest/flows/${id}/export`);
    expect(yaml.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
    expect(yaml.text).toMatch(/^hearthd: flow\/1\n/);
    const json = await rest.get(`/rest/flows/${id}/export?format=json`);
    expect(json.headers.get('content-type')).toBe('application/json');
    expect(json.body).toMatchObject({ hearthd: 'flow/1', name: 'Evening' });
    const other = await rest.get(`/rest/flows/${id}/export?format=xml`);
    expect([other.status, other.body.field]).toEqual([422, 'format']);
  });

  it.each(['application/yaml', 'application/yaml; charset=utf-8', 'text/yaml', 'application/json'])(
    'are taken as %s',
    async (type) => {
      const { id } = await create();
      const format = type === 'application/json' ? 'json' : 'yaml';
      const { text } = await rest.get(`/rest/flows/${id}/export?format=${format}`);
      const answer = await rest.post(importPath(), text, { 'Content-Type': type });
      expect([answer.status, answer.body.name]).toEqual([200, 'Evening 2']);
    },
  );

  it.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/yaml; charset=latin1', 415],
    ['application/json', 400],
    ['application/yaml', 400],
  ])('that are none are refused: %s', async (type, status) => {
    const answer = await rest.post(importPath(), 'name: [', { 'Content-Type': type });
    expect(answer.status).toBe(status);
    expect((await rest.get('/rest/flows')).body).toEqual([]);
  });

  it('need a home to go to', async () => {
    const answer = await rest.post('/rest/flows/import', 'hearthd: flow/1', { 'Content-Type': 'application/yaml' });
    expect([answer.status, answer.body.field]).toEqual([400, 'home']);
  });
});
