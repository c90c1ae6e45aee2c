import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AutomationHome, createAutomationHome } from '../../support/automation-home.ts';
import { createRestClient, createTestFace, createToken, type RestClient } from '../../support/rest-client.ts';

let home: AutomationHome;
let rest: RestClient;

beforeEach(() => {
  home = createAutomationHome({ sample: true });
  rest = createRestClient(createTestFace(home), createToken(home));
});
afterEach(() => home.stop());

/** Sets what it is told, if somebody says so. */
const flow = (fields: object = {}) => ({
  homeId: home.home.id,
  name: 'Evening',
  triggers: [{ id: 'late', type: 'time', at: '22:00' }],
  actions: [{ id: 'say', type: 'variables', variables: { who: 'me' } }],
  ...fields,
});

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
});
