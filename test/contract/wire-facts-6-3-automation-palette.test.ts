// biome-ignore-all lint/suspicious/noThenProperty: the record's name (wire-facts §6.2) for a list, never awaited
/**
 * Wire-facts §6.3: the words of the editor's palette are taken and read back as the record's; what nodes give to those
 * behind them.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemCaller } from '../support/test-home.ts';
import { type AutomationClient, openAutomationClient, type SampleName, step } from './automation-client.ts';

let door: AutomationClient;

beforeEach(() => {
  door = openAutomationClient({ runsPerMinute: 1_000 });
});
afterEach(() => door.close());

const on = (name: SampleName, more: object = {}) => ({ accessoryId: door.id(name), ...more });
const trigger = async (node: object) => (await door.save({ triggers: [node] })).triggers[0];
const action = async (node: object) => (await door.save({ actions: [node] })).actions[0];

describe('triggers of the palette', () => {
  const temperature = (more: object) =>
    on('Thermostat', { type: 'device_changed', characteristicType: 'current_temperature', ...more });
  const target = () => on('Thermostat', { characteristicType: 'current_temperature' });

  it('device_changed with filterMode any', async () => {
    expect(await trigger(temperature({ filterMode: 'any' }))).toEqual({
      ...target(),
      id: expect.any(String),
      type: 'state',
      enabled: true,
    });
  });

  it('device_changed with filterMode value, from and to', async () => {
    const lock = on('Front Door', { characteristicType: 'lock_current_state' });
    expect(await trigger({ type: 'device_changed', ...lock, filterMode: 'value', from: 0, to: 1 })).toMatchObject({
      ...lock,
      type: 'state',
      from: 0,
      to: 1,
    });
  });

  it('device_changed with filterMode above, below and range', async () => {
    expect(await trigger(temperature({ filterMode: 'above', above: 25 }))).toMatchObject({
      type: 'numeric_state',
      above: 25,
    });
    expect(await trigger(temperature({ filterMode: 'below', below: 15 }))).toMatchObject({
      type: 'numeric_state',
      below: 15,
    });
    const range = { above: 15, below: 25 };
    expect(await trigger(temperature({ filterMode: 'range', ...range }))).toMatchObject({
      type: 'numeric_state',
      ...range,
    });
  });

  it('device_changed with forHours, forMinutes and forSeconds', async () => {
    const held = temperature({ filterMode: 'above', above: 25, forHours: 1, forMinutes: 2, forSeconds: 3 });
    expect((await trigger(held)).for).toEqual({ hours: 1, minutes: 2, seconds: 3 });
  });

  it('device_changed of a serviceGroupId', async () => {
    const { id: serviceGroupId } = door.home.serviceGroups.create(systemCaller, {
      homeId: door.homeId,
      name: 'Hot',
      accessoryIds: [door.id('Heater')],
    });
    const node = { type: 'device_changed', serviceGroupId, characteristicType: 'power_state' };
    expect(await trigger(node)).toMatchObject({ type: 'state', serviceGroupId });
  });

  it('schedule with scheduleMode time: at, weekdays', async () => {
    const node = { type: 'schedule', scheduleMode: 'time', at: '07:30', weekdays: [1, 2] };
    expect(await trigger(node)).toMatchObject({ type: 'time', at: '07:30', weekdays: [1, 2] });
  });

  it('schedule with scheduleMode interval: hours, minutes, seconds', async () => {
    const node = { type: 'schedule', scheduleMode: 'interval', minutes: '/5', seconds: '10' };
    expect(await trigger(node)).toMatchObject({ type: 'time_pattern', minutes: '/5', seconds: '10' });
  });

  it('schedule with scheduleMode sun: event, offsetMinutes', async () => {
    const node = { type: 'schedule', scheduleMode: 'sun', event: 'sunset', offsetMinutes: -20 };
    expect(await trigger(node)).toMatchObject({ type: 'sun', event: 'sunset', offset: { minutes: -20 } });
  });

  it('webhook: the id is made where it is left out, of at least 128 bits', async () => {
    expect((await trigger({ type: 'webhook' })).webhookId).toMatch(/^[\w-]{22,}$/);
  });

  it('error with watchAutomationId: it becomes an event trigger on automation.error', async () => {
    const { id: watchAutomationId } = await door.save({ actions: [{ type: 'stop', error: true, reason: 'No water' }] });
    const { id } = await door.save({ triggers: [{ type: 'error', watchAutomationId }] });
    expect((await door.rest.get(`/rest/flows/${id}`)).body.triggers[0]).toMatchObject({
      type: 'event',
      eventType: 'automation.error',
      eventData: { automationId: watchAutomationId },
    });
    await door.run(watchAutomationId);
    expect((await door.traces(id))[0].triggerData.event_data).toMatchObject({
      automationId: watchAutomationId,
      error: 'No water',
    });
  });

  it('device_offline: accessoryId, availability, forMinutes, forSeconds', async () => {
    const node = on('Lamp', { type: 'device_offline', forMinutes: 3, forSeconds: 5 });
    const expected = { type: 'device_availability', accessoryId: door.id('Lamp'), for: { minutes: 3, seconds: 5 } };
    expect(await trigger({ ...node, availability: 'unavailable' })).toMatchObject({ ...expected, to: 'unavailable' });
    expect(await trigger({ ...node, availability: 'online' })).toMatchObject({ ...expected, to: 'available' });
  });
});

describe('actions of the palette', () => {
  it('set_device of an accessory', async () => {
    const node = on('Lamp', { type: 'set_device', characteristicType: 'brightness', value: 40 });
    expect(await action(node)).toMatchObject({ ...node, type: 'set_characteristic' });
  });

  it('set_device of a serviceGroupId', async () => {
    const { id: serviceGroupId } = door.home.serviceGroups.create(systemCaller, {
      homeId: door.homeId,
      name: 'Hot',
      accessoryIds: [door.id('Heater')],
    });
    const node = { type: 'set_device', serviceGroupId, characteristicType: 'power_state', value: true };
    expect(await action(node)).toMatchObject({ type: 'set_service_group', groupId: serviceGroupId, value: true });
  });

  it('run_scene', async () => {
    const { id: sceneId } = door.home.scenes.create(systemCaller, {
      homeId: door.homeId,
      name: 'Movie',
      actions: [on('Lamp', { characteristicType: 'on', targetValue: true }) as never],
    });
    expect(await action({ type: 'run_scene', sceneId })).toMatchObject({ type: 'execute_scene', sceneId });
  });

  it('delay with hours, minutes, seconds', async () => {
    expect((await action({ type: 'delay', hours: 1, minutes: 2, seconds: 3 })).duration).toEqual({
      hours: 1,
      minutes: 2,
      seconds: 3,
    });
  });

  it('notify with message, title, icon, iconColor', async () => {
    const node = { type: 'notify', message: 'Hi', title: 'T', icon: 'door', iconColor: 'red' };
    expect(await action(node)).toMatchObject(node);
  });

  it('http_request with url and method', async () => {
    const node = { url: 'https://example.org/', method: 'PUT' };
    expect(await action({ type: 'http_request', ...node })).toMatchObject({ type: 'fire_webhook', ...node });
  });

  it('if with rows of eq, neq, above and below joined by and or or', async () => {
    const brightness = on('Lamp', { characteristicType: 'brightness' });
    const rows = [
      { ...brightness, operator: 'eq', value: 50 },
      { ...brightness, operator: 'neq', value: 40 },
      { ...brightness, operator: 'above', threshold: 10 },
      { ...brightness, operator: 'below', threshold: 90 },
    ];
    expect((await action({ type: 'if', rows, join: 'or', then: [{ type: 'stop' }] })).condition).toMatchObject({
      operator: 'or',
      conditions: [
        { type: 'state', value: 50 },
        { type: 'state', operator: 'neq', value: 40 },
        { type: 'numeric_state', above: 10 },
        { type: 'numeric_state', below: 90 },
      ],
    });
  });

  it('if with one expression, or a block as it is', async () => {
    const block = { operator: 'not', conditions: [{ type: 'template', expression: '1 > 2' }] };
    expect((await action({ type: 'if', expression: '1 > 2' })).condition.conditions).toEqual([
      { type: 'template', expression: '1 > 2' },
    ]);
    expect((await action({ type: 'if', condition: block })).condition).toEqual(block);
  });

  it('wait with timeoutSeconds and continueOnTimeout', async () => {
    const triggers = [{ type: 'event', eventType: 'x' }];
    expect(await action({ type: 'wait', triggers, timeoutSeconds: 30, continueOnTimeout: false })).toMatchObject({
      type: 'wait_for_trigger',
      timeout: { seconds: 30 },
      continueOnTimeout: false,
    });
  });

  it('merge with mergeMode and combineKey', async () => {
    const flow = await door.save({
      actions: [
        { id: 'a', type: 'stop' },
        { type: 'merge', mergeMode: 'combine', combineKey: 'k', inputIds: ['a'] },
      ],
    });
    expect(flow.actions[1]).toMatchObject({ type: 'merge', mode: 'combine', combineKey: 'k' });
  });

  it('sub_workflow with automationId', async () => {
    const { id } = await door.save({});
    expect(await action({ type: 'sub_workflow', automationId: id })).toMatchObject({
      type: 'call_script',
      scriptId: id,
    });
  });

  it('virtual with operation, value, duration and step', async () => {
    const { id: accessoryId } = door.home.virtuals.create(systemCaller, {
      homeId: door.homeId,
      name: 'Count',
      type: 'counter',
    });
    const node = { type: 'virtual', accessoryId, operation: 'increment', step: 2 };
    expect(await action(node)).toMatchObject(node);
  });

  it('sticky_note is no action, and is refused with where it belongs', async () => {
    const { body } = await door.send({ actions: [{ type: 'sticky_note', text: 'Hi', size: 'm' }] });
    expect(body).toMatchObject({ field: 'actions[0].type', error: expect.stringContaining('uiState.stickyNotes') });
  });
});

describe('outputs that nodes behind can use', () => {
  const read = (expression: string) => ({ type: 'variables', variables: { seen: `{{ ${expression} }}` } });
  /** What the first node gave, as the second one sees it. */
  const seen = async (flow: object, cause: () => Promise<void>): Promise<unknown> => {
    const { id } = await door.save(flow);
    await cause();
    return (await door.traces(id))[0].variables.seen;
  };

  it('device_changed gives from_value, to_value, accessoryId, characteristicType and timestamp', async () => {
    const node = on('Motion', { id: 'moved', type: 'device_changed', characteristicType: 'motion_detected' });
    const actions = [read("nodes['moved'].data")];
    expect(await seen({ triggers: [node], actions }, () => door.device('Motion', true))).toMatchObject({
      from_value: false,
      to_value: true,
      accessoryId: door.id('Motion'),
      characteristicType: 'motion_detected',
      timestamp: Date.parse('2026-01-15T12:00:00Z') / 1000,
    });
  });

  it('schedule gives type and timestamp', async () => {
    const node = { id: 'clock', type: 'schedule', scheduleMode: 'interval', minutes: '*' };
    const actions = [read("nodes['clock'].data")];
    expect(await seen({ triggers: [node], actions }, () => door.advance(61_000))).toMatchObject({
      type: 'time_pattern',
      timestamp: Date.parse('2026-01-15T12:01:00Z') / 1000,
    });
  });

  it('error gives eventData and timestamp', async () => {
    const { id: failing } = await door.save({ actions: [{ type: 'stop', error: true, reason: 'Oh' }] });
    const flow = { triggers: [{ id: 'err', type: 'error' }], actions: [read("nodes['err'].data.eventData.error")] };
    expect(await seen(flow, async () => void (await door.run(failing)))).toBe('Oh');
  });

  it('an action gives what its step shows as output', async () => {
    const { trace } = await door.runOf([
      on('Lamp', { id: 'light', type: 'set_device', characteristicType: 'power_state', value: true }),
      read("nodes['light'].data.success ? nodes['light'].data.value : 'failed'"),
    ]);
    expect(trace.variables.seen).toBe(true);
    expect(step(trace, 'light').output.success).toBe(true);
  });
});
