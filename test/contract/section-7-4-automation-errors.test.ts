/**
 * API §7.3 and §7.4 where automations of both shapes are asked: the document's messages, with the codes of each API.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSchema } from '../../src/api/graphql/schema.ts';
import { createGraphqlFixture, type GraphqlFixture } from '../api/graphql/graphql-fixture.ts';
import { createRestClient, createTestApi, createToken } from '../support/rest-client.ts';
import { systemCaller } from '../support/test-home.ts';
import { type AutomationClient, openAutomationClient } from './automation-client.ts';

const CREATE = `mutation($homeId: String!, $trigger: String!, $actions: String!) {
  createAutomation(homeId: $homeId, name: "Evening", trigger: $trigger, actions: $actions) { id }
}`;
const SAVE = 'mutation($homeId: String!, $data: JSON!) { saveFlow(homeId: $homeId, data: $data) { id } }';
const TRIGGER = { type: 'timer', fireDate: '2030-01-01T00:00:00Z' };

let door: AutomationClient;
let fixture: GraphqlFixture;

beforeEach(() => {
  door = openAutomationClient({ runsPerMinute: 1_000 });
  fixture = createGraphqlFixture(door.home, createSchema());
});
afterEach(() => door.close());

const nativeAction = (more: object = {}) => ({
  accessoryId: door.id('Lamp'),
  characteristicType: 'on',
  targetValue: true,
  ...more,
});
const flowAction = (more: object = {}) => ({
  type: 'set_characteristic',
  accessoryId: door.id('Lamp'),
  characteristicType: 'on',
  value: true,
  ...more,
});
/** What both shapes answer to the same fault, over GraphQL. */
async function faults(native: object, flow: object, homeId = door.homeId, token?: string) {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const texts = { homeId, trigger: JSON.stringify(TRIGGER), actions: JSON.stringify([native]) };
  const answers = [
    await fixture.ask(CREATE, texts, headers),
    await fixture.ask(SAVE, { homeId, data: { name: 'Evening', actions: [flow] } }, headers),
  ];
  return answers.map(({ body }) => ({ message: body.errors[0].message, ...body.errors[0].extensions }));
}

describe('the common messages', () => {
  it('Accessory not found: the id does not exist, or is of another home', async () => {
    const accessoryId = crypto.randomUUID();
    const [native, flow] = await faults(nativeAction({ accessoryId }), flowAction({ accessoryId }));
    expect(native).toMatchObject({ code: 'NOT_FOUND', reason: 'accessory_not_found', field: 'actions[0].accessoryId' });
    expect(flow).toMatchObject({ code: 'NOT_FOUND', reason: 'accessory_not_found', field: 'actions[0].accessoryId' });
    for (const { message } of [native, flow]) expect(message).toContain('Accessory not found');
    const other = door.home.homes.create(systemCaller, { name: 'Cabin' });
    expect(await faults(nativeAction(), flowAction(), other.id)).toMatchObject([
      { message: native?.message },
      { message: flow?.message },
    ]);
  });

  it('Home not found: the id does not exist, or the token cannot see it', async () => {
    const other = door.home.homes.create(systemCaller, { name: 'Cabin' });
    const token = createToken(door.home, { [other.id]: 'control' });
    for (const answers of [
      await faults(nativeAction(), flowAction(), crypto.randomUUID()),
      await faults(nativeAction(), flowAction(), door.homeId, token),
    ]) {
      for (const fault of answers) expect(fault).toMatchObject({ message: 'Home not found', code: 'NOT_FOUND' });
    }
  });

  it('Insufficient permissions: control runs them and makes none, view does neither', async () => {
    const flow = await door.save({ actions: [flowAction()] });
    const run = `mutation { runFlow(flowId: "${flow.id}") { success } }`;
    const tokenOf = (role: 'control' | 'view') => createToken(door.home, { [door.homeId]: role });
    for (const role of ['control', 'view'] as const) {
      for (const fault of await faults(nativeAction(), flowAction(), door.homeId, tokenOf(role))) {
        expect(fault).toMatchObject({ message: 'Insufficient permissions', code: 'FORBIDDEN' });
      }
    }
    const asControl = await fixture.ask(run, {}, { Authorization: `Bearer ${tokenOf('control')}` });
    expect(asControl.body).toEqual({ data: { runFlow: { success: true } } });
    const asView = await fixture.ask(run, {}, { Authorization: `Bearer ${tokenOf('view')}` });
    expect(asView.body.errors[0]).toMatchObject({
      message: 'Insufficient permissions',
      extensions: { code: 'FORBIDDEN' },
    });
  });

  it('Insufficient permissions, over REST: 403 insufficient_permissions', async () => {
    const view = createRestClient(createTestApi(door.home), createToken(door.home, { [door.homeId]: 'view' }));
    const { id } = await door.save({});
    for (const answer of [
      await view.post('/rest/automations', {
        homeId: door.homeId,
        name: 'X',
        trigger: TRIGGER,
        actions: [nativeAction()],
      }),
      await view.post('/rest/flows', { homeId: door.homeId, name: 'X', actions: [] }),
      await view.post(`/rest/flows/${id}/run`),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([403, 'insufficient_permissions']);
    }
  });

  it('Characteristic not writable: a sensor’s reading', async () => {
    const sensor = { accessoryId: door.id('Motion'), characteristicType: 'motion_detected' };
    for (const fault of await faults(nativeAction(sensor), flowAction(sensor))) {
      expect(fault).toMatchObject({ code: 'INVALID_VALUE', reason: 'characteristic_not_writable' });
      expect(fault.message).toContain('Characteristic not writable');
      expect(fault.field).toBe('actions[0].characteristicType');
    }
  });

  it('Invalid value: outside the range of the characteristic', async () => {
    const brightness = { characteristicType: 'brightness' };
    const [native, flow] = await faults(
      nativeAction({ ...brightness, targetValue: 101 }),
      flowAction({ ...brightness, value: 101 }),
    );
    expect(native).toMatchObject({ code: 'INVALID_VALUE', field: 'actions[0].targetValue' });
    expect(flow).toMatchObject({ code: 'INVALID_VALUE', field: 'actions[0].value' });
    for (const { message } of [native, flow]) expect(message).toMatch(/Invalid value/);
  });

  it('Relay not connected: what runs meanwhile reports it in its trace', async () => {
    const { id } = await door.save({ actions: [{ ...flowAction(), id: 'light' }] });
    door.home.registry.setConnected(door.homeId, false);
    const { trace } = await door.run(id);
    expect(trace.status).toBe('error');
    expect(trace.error).toContain('Relay not connected');
  });

  it('what is not there is Automation not found, of either shape', async () => {
    const id = crypto.randomUUID();
    const fields = [
      `automation(automationId: "${id}") { id }`,
      `flow(flowId: "${id}") { id }`,
      `flowTraces(flowId: "${id}") { id }`,
    ];
    for (const field of fields) {
      const { body } = await fixture.ask(`{ ${field} }`);
      expect(body.errors[0]).toMatchObject({ message: 'Automation not found', extensions: { code: 'NOT_FOUND' } });
    }
    for (const path of [`/rest/automations/${id}`, `/rest/flows/${id}`]) {
      const { status, body } = await door.rest.get(path);
      expect([status, body.error, body.code]).toEqual([404, 'Automation not found', 'automation_not_found']);
    }
  });
});
