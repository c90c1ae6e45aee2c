/**
 * Dry runs and coming dates as clients ask for them: they report what would happen, and nothing of it happens. One `it`
 * a sentence.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSchema } from '../../src/api/graphql/schema.ts';
import { createGraphqlFixture, type GraphqlFixture } from '../api/graphql/graphql-fixture.ts';
import { FakeChannel } from '../app/notifications/fake-channel.ts';
import { TestClock } from '../support/test-clock.ts';
import { systemCaller } from '../support/test-home.ts';
import { type AutomationClient, openAutomationClient } from './automation-client.ts';

const SIMULATE = `query($homeId: String, $flowId: String, $data: JSON, $scenario: JSON) {
  simulateFlow(homeId: $homeId, flowId: $flowId, data: $data, scenario: $scenario) {
    automationId startedAt endedAt runs writes notifications requests blocked nextFireDates
  }
}`;

let push: FakeChannel;
let door: AutomationClient;
let fixture: GraphqlFixture;

beforeEach(() => {
  push = new FakeChannel('push');
  door = openAutomationClient({ clock: new TestClock('2026-01-15T12:00:00Z'), notificationChannels: [push] });
  door.home.homes.update(systemCaller, door.homeId, { timeZone: 'UTC' });
  fixture = createGraphqlFixture(door.home, createSchema());
});
afterEach(() => door.close());

const flow = () => ({
  name: 'Night light',
  triggers: [{ type: 'state', accessoryId: door.id('Motion'), characteristicType: 'motion_detected', to: true }],
  conditions: { operator: 'and', conditions: [{ type: 'time', after: '22:00', before: '06:00' }] },
  actions: [
    { id: 'light', type: 'set_characteristic', accessoryId: door.id('Lamp'), characteristicType: 'on', value: true },
    { id: 'tell', type: 'notify', message: 'Somebody is up' },
    { id: 'call', type: 'fire_webhook', url: 'https://example.org/up', method: 'POST' },
  ],
});
const motionAt = (at: string) => ({
  at,
  set: { accessoryId: door.id('Motion'), characteristicType: 'motion_detected', value: true },
});
const simulate = async (variables: object) => (await fixture.ask(SIMULATE, { homeId: door.homeId, ...variables })).body;

describe('simulateFlow', () => {
  it('evaluates a flow against given times and state changes and shows the trace', async () => {
    const scenario = { events: [motionAt('2026-01-15T23:00:00Z')] };
    const { data } = await simulate({ data: flow(), scenario });
    expect(data.simulateFlow.runs).toMatchObject([
      {
        status: 'success',
        triggerData: { type: 'state', to_value: true, timestamp: Date.parse('2026-01-15T23:00:00Z') / 1000 },
        steps: [
          { type: 'trigger' },
          { type: 'condition', result: 'passed' },
          { nodeId: 'light', result: 'executed', startedAt: '2026-01-15T23:00:00.000Z' },
          { nodeId: 'tell', result: 'executed' },
          { nodeId: 'call', result: 'executed' },
        ],
      },
    ]);
    expect(data.simulateFlow.writes).toMatchObject([{ accessoryId: door.id('Lamp'), value: true }]);
    expect(data.simulateFlow.notifications).toMatchObject([{ message: 'Somebody is up' }]);
    expect(data.simulateFlow.requests).toMatchObject([{ url: 'https://example.org/up', method: 'POST' }]);
  });

  it('reports why nothing would be done at another time', async () => {
    const { data } = await simulate({ data: flow(), scenario: { events: [motionAt('2026-01-15T15:00:00Z')] } });
    expect(data.simulateFlow.runs).toMatchObject([
      { status: 'stopped', steps: [{}, { type: 'condition', result: 'failed' }] },
    ]);
    expect(data.simulateFlow.writes).toEqual([]);
  });

  it('touches no device, notifies no one, sends nothing and leaves nothing behind', async () => {
    const { id } = await door.save(flow());
    const rows = () =>
      ['flows', 'runs', 'run_steps', 'holds', 'slots', 'notification_log'].flatMap((table) => {
        const exists = door.home.database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table);
        return exists ? [[table, JSON.stringify(door.home.database.prepare(`SELECT * FROM ${table}`).all())]] : [];
      });
    const before = rows();
    const { data } = await simulate({ flowId: id, scenario: { events: [motionAt('2026-01-15T23:00:00Z')] } });
    expect(data.simulateFlow.runs).toMatchObject([{ automationId: id, status: 'success' }]);
    await door.advance(2_000);
    expect(door.home.driver.writes).toEqual([]);
    expect([door.valueOf('Lamp'), door.valueOf('Motion')]).toEqual([false, false]);
    expect([push.sent, door.requests, await door.traces(id)]).toEqual([[], [], []]);
    expect(rows()).toEqual(before);
  });

  it('needs no time: a day of it is reported at once', async () => {
    const daily = { name: 'Noon', triggers: [{ type: 'time', at: '07:00' }], actions: [] };
    const { data } = await simulate({ data: daily, scenario: { durationS: 3 * 86_400 } });
    expect(data.simulateFlow.runs).toHaveLength(3);
    expect(data.simulateFlow.endedAt).toBe('2026-01-18T12:00:00.000Z');
    expect(door.home.clock.now()).toBe(Date.parse('2026-01-15T12:00:00Z'));
  });

  it('refuses faults of the flow and of the scenario with the path of the field', async () => {
    const broken = await simulate({ data: { name: 'X', triggers: [{ type: 'time', at: '25:00' }], actions: [] } });
    expect(broken.errors[0].extensions).toMatchObject({ code: 'INVALID_VALUE', field: 'triggers[0].at' });
    const scenario = { events: [motionAt('yesterday')] };
    const odd = await simulate({ data: flow(), scenario });
    expect(odd.errors[0].extensions).toMatchObject({ code: 'INVALID_VALUE', field: 'scenario.events[0].at' });
  });

  it('is there over REST too, for flows and native automations by id', async () => {
    const actions = [{ accessoryId: door.id('Lamp'), characteristicType: 'on', targetValue: true }];
    const trigger = { type: 'timer', fireDate: '2026-01-15T13:00:00Z' };
    const native = (await door.rest.post('/rest/automations', { homeId: door.homeId, name: 'N', trigger, actions }))
      .body;
    const { body } = await door.rest.post(`/rest/flows/${native.id}/simulate`);
    expect(body).toMatchObject({ automationId: native.id, runs: [{ status: 'success' }] });
    expect(door.valueOf('Lamp')).toBe(false);
  });
});

describe('nextFireDates(automationId, count)', () => {
  it('gives the next moments of the clock, of flows and native automations', async () => {
    const { id } = await door.save({
      triggers: [
        { type: 'time', at: '07:00' },
        { type: 'time_pattern', hours: '/12' },
      ],
    });
    const next = 'query($id: String!, $count: Int) { nextFireDates(automationId: $id, count: $count) }';
    expect((await fixture.ask(next, { id, count: 3 })).body.data.nextFireDates).toEqual([
      '2026-01-16T00:00:00.000Z',
      '2026-01-16T07:00:00.000Z',
      '2026-01-16T12:00:00.000Z',
    ]);
  });

  it('of what is not there is reported as an error beside the other answers', async () => {
    const { body } = await fixture.ask(`{ homes { id } nextFireDates(automationId: "${crypto.randomUUID()}") }`);
    expect(body.data).toEqual({ homes: [{ id: door.homeId }], nextFireDates: null });
    expect(body.errors).toMatchObject([{ message: 'Automation not found', extensions: { code: 'NOT_FOUND' } }]);
  });

  it('gives none of what no clock fires, and of what is disabled', async () => {
    const dates = async (more: object) =>
      (await door.rest.get(`/rest/flows/${(await door.save(more)).id}/next?count=3`)).body;
    expect(await dates({ triggers: [{ type: 'event', eventType: 'x' }] })).toEqual([]);
    expect(await dates({ triggers: [{ type: 'time', at: '07:00' }], enabled: false })).toEqual([]);
  });
});

describe('evaluateExpression', () => {
  const EVALUATE = `query($homeId: String!, $text: String!, $variables: JSON) {
    evaluateExpression(homeId: $homeId, text: $text, variables: $variables) { value error accessoryIds usesTime usesRun }
  }`;
  const evaluate = async (text: string, variables?: object) =>
    (await fixture.ask(EVALUATE, { homeId: door.homeId, text, variables })).body.data.evaluateExpression;

  it('answers with what a text comes to now, and the accessories that it reads', async () => {
    expect(await evaluate('Level {{ level }}, {{ states("Lamp") }}', { level: 40 })).toEqual({
      value: expect.stringMatching(/^Level 40, /),
      error: null,
      accessoryIds: [door.id('Lamp')],
      usesTime: false,
      usesRun: false,
    });
    expect((await evaluate('{{ null }}')).value).toBeNull();
  });

  it('answers with what is wrong and where', async () => {
    expect(await evaluate('It is {{ 20 + }}')).toMatchObject({
      value: null,
      error: { message: expect.any(String), line: 1, column: 15 },
    });
  });
});
