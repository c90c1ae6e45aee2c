import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AutomationHome, createAutomationHome } from '../../support/automation-home.ts';
import { parseCsv } from '../../support/csv.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../../support/rest-client.ts';
import { systemCaller } from '../../support/test-home.ts';

let home: AutomationHome;
let rest: RestClient;

beforeEach(() => {
  home = createAutomationHome({ sample: true });
  home.history.setEnabled(systemCaller, home.home.id, true);
  rest = createRestClient(createTestApi(home), createToken(home));
});
afterEach(() => home.stop());

const switchLamp = (on: boolean) =>
  rest.post('/rest/state', { home: 'My Home', room: 'Living Room', accessory: 'Lamp', on });

describe('/rest/activity', () => {
  it('shows who did what, when and where', async () => {
    await switchLamp(true);
    const { id, homeId, roomId } = home.named('Lamp');
    expect((await rest.get('/rest/activity')).body).toEqual([
      {
        id: expect.any(String),
        at: new Date(home.clock.now()).toISOString(),
        homeId,
        kind: 'power',
        subject: { type: 'accessory', id, name: 'Lamp' },
        roomId,
        roomName: 'Living Room',
        characteristic: 'power_state',
        value: 'on',
        actor: { kind: 'access_token', id: expect.any(String), name: expect.any(String) },
        runId: null,
      },
    ]);
    const actors = (await rest.get(`/rest/activity/actors?home=${homeId}`)).body;
    expect(actors).toEqual([{ kind: 'access_token', id: expect.any(String), name: expect.any(String) }]);
  });

  it('pages by the id of the last entry, and filters', async () => {
    for (const on of [true, false, true]) await switchLamp(on);
    const [first, second] = (await rest.get('/rest/activity?limit=2')).body;
    expect([first.value, second.value]).toEqual(['on', 'off']);
    expect((await rest.get(`/rest/activity?before=${second.id}`)).body).toMatchObject([{ value: 'on' }]);
    const { id, roomId } = home.named('Lamp');
    expect((await rest.get(`/rest/activity?accessory=${id}&room=${roomId}&kind=power`)).body).toHaveLength(3);
    expect((await rest.get(`/rest/activity?actor=${first.actor.id}&actor_kind=access_token`)).body).toHaveLength(3);
    expect((await rest.get('/rest/activity?actor_kind=device')).body).toEqual([]);
  });

  it('streams everything as CSV', async () => {
    for (const on of [true, false]) await switchLamp(on);
    const { headers, text } = await rest.get('/rest/activity?format=csv&kind=power');
    expect(headers.get('content-type')).toMatch(/^text\/csv/);
    const [header, ...rows] = parseCsv(text);
    expect(rows.map((row) => row[header?.indexOf('value') ?? -1])).toEqual(['off', 'on']);
  });

  it('leads from an automation to its run, as JSON and as CSV', async () => {
    const { id } = home.saveFlow({ name: 'Hall light' });
    home.run(id);
    await home.settle();
    await switchLamp(true);
    const [ofLamp, ofRun] = (await rest.get('/rest/activity')).body;
    expect([ofLamp.runId, ofRun.value]).toEqual([null, 'ran']);
    expect((await rest.get(`/rest/flows/traces/${ofRun.runId}`)).body).toMatchObject({ automationId: id });
    const [header, ...rows] = parseCsv((await rest.get('/rest/activity?format=csv')).text);
    expect(rows.map((row) => row[header?.indexOf('run_id') ?? -1])).toEqual(['', ofRun.runId]);
  });

  it.each([
    ['limit=many', 422],
    ['limit=501', 422],
    ['before=yesterday', 422],
    ['kind=weather', 422],
    ['format=xml', 422],
    ['accessory=lamp', 400],
    ['accessory=00000000-0000-4000-8000-000000000000', 404],
  ])('refuses %s', async (query, status) => {
    expect((await rest.get(`/rest/activity?${query}`)).status).toBe(status);
  });
});
