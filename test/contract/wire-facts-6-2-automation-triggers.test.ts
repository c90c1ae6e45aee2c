/**
 * Wire-facts §6.2, the table of triggers, and §6.5 on groups: each row fires through REST, a device and the clock. One
 * `it` a sentence.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '../support/test-clock.ts';
import { systemCaller } from '../support/test-home.ts';
import { type AutomationClient, BERLIN, openAutomationClient, type SampleName } from './automation-client.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let door: AutomationClient;

beforeEach(() => {
  // A Thursday; in Berlin it is one in the afternoon.
  door = openAutomationClient({ clock: new TestClock('2026-01-15T12:00:00Z'), runsPerMinute: 1_000 });
  door.home.homes.update(systemCaller, door.homeId, { timeZone: 'Europe/Berlin', location: BERLIN });
});
afterEach(() => door.close());

const on = (name: SampleName, more: object = {}) => ({ accessoryId: door.id(name), ...more });
const flowOf = async (trigger: object): Promise<string> => (await door.save({ triggers: [trigger] })).id;
const runs = (flowId: string): Promise<number> => door.runsOf(flowId);
const lastTrigger = async (flowId: string) => (await door.traces(flowId))[0].triggerData;
const heaters = (): string =>
  door.home.serviceGroups.create(systemCaller, {
    homeId: door.homeId,
    name: 'Heaters',
    accessoryIds: [door.id('Heater'), door.id('Kettle')],
  }).id;

describe('each trigger', () => {
  it('has an id, which is made where it is left out, and reads back', async () => {
    const triggers = [
      { id: 'mine', type: 'time', at: '07:00' },
      { type: 'time', at: '08:00' },
    ];
    const [first, second] = (await door.save({ triggers })).triggers;
    expect(first.id).toBe('mine');
    expect(second.id).toEqual(expect.stringMatching(/^\w+$/));
  });

  it('does not fire where enabled is false', async () => {
    const motion = on('Motion', { type: 'state', characteristicType: 'motion_detected' });
    const off = await flowOf({ ...motion, enabled: false });
    const not = await flowOf(motion);
    await door.device('Motion', true);
    expect([await runs(off), await runs(not)]).toEqual([0, 1]);
  });
});

describe('state', () => {
  const motion = (more: object = {}) => on('Motion', { type: 'state', characteristicType: 'motion_detected', ...more });

  it('fires on any change of the characteristic of an accessoryId', async () => {
    const flow = await flowOf(motion());
    await door.device('Motion', true);
    await door.device('Motion', false);
    expect(await runs(flow)).toBe(2);
    expect(await lastTrigger(flow)).toMatchObject({
      type: 'state',
      accessory_id: door.id('Motion'),
      characteristic_type: 'motion_detected',
      from_value: true,
      to_value: false,
    });
  });

  it('or of a serviceGroupId', async () => {
    const serviceGroupId = heaters();
    const flow = await flowOf({ type: 'state', serviceGroupId, characteristicType: 'power_state' });
    await door.device('Heater', true);
    expect(await runs(flow)).toBe(1);
    expect(await lastTrigger(flow)).toMatchObject({ service_group_id: serviceGroupId, to_value: true });
  });

  it('with from and to only on that change', async () => {
    const lock = (more: object) =>
      on('Front Door', { type: 'state', characteristicType: 'lock_current_state', ...more });
    const toOpen = await flowOf(lock({ to: 0 }));
    const fromJammed = await flowOf(lock({ from: 2, to: 0 }));
    const leftSecured = await flowOf(lock({ from: 1 }));
    await door.device('Front Door', 2);
    await door.device('Front Door', 0);
    await door.device('Front Door', 1);
    await door.device('Front Door', 0);
    expect([await runs(toOpen), await runs(fromJammed), await runs(leftSecured)]).toEqual([2, 1, 2]);
  });

  it('with for when it has been so for that long, and not where it was not', async () => {
    const flow = await flowOf(motion({ to: true, for: { minutes: 2 } }));
    await door.device('Motion', true);
    await door.advance(MINUTE);
    await door.device('Motion', false);
    await door.advance(5 * MINUTE);
    expect(await runs(flow)).toBe(0);
    await door.device('Motion', true);
    await door.advance(2 * MINUTE - SECOND);
    expect(await runs(flow)).toBe(0);
    await door.advance(2 * SECOND);
    expect(await runs(flow)).toBe(1);
  });

  it('fires for each press of a button once, the same one twice too', async () => {
    const press = (to: number) => on('Button', { type: 'state', characteristicType: 'programmable_switch_event', to });
    const [single, double] = [await flowOf(press(0)), await flowOf(press(1))];
    for (const value of [0, 0, 1, 0]) await door.device('Button', value);
    expect([await runs(single), await runs(double)]).toEqual([3, 1]);
  });

  it('of a group fires on the aggregate any-on edge, and not for each member', async () => {
    const serviceGroupId = heaters();
    const flow = await flowOf({ type: 'state', serviceGroupId, characteristicType: 'power_state', to: true });
    await door.device('Heater', true);
    await door.device('Kettle', true);
    expect(await runs(flow)).toBe(1);
  });

  it('of a group takes the same value again within 12 s for one', async () => {
    const serviceGroupId = heaters();
    const flow = await flowOf({ type: 'state', serviceGroupId, characteristicType: 'power_state', to: true });
    const flicker = async (): Promise<void> => {
      await door.device('Heater', false);
      await door.device('Heater', true);
    };
    await flicker();
    await door.advance(11 * SECOND);
    await flicker();
    expect(await runs(flow)).toBe(1);
    await door.advance(12 * SECOND);
    await flicker();
    expect(await runs(flow)).toBe(2);
  });
});

describe('numeric_state', () => {
  const temperature = (more: object) =>
    on('Thermostat', { type: 'numeric_state', characteristicType: 'current_temperature', ...more });
  const measure = async (...values: readonly number[]): Promise<void> => {
    for (const value of values) await door.device('Thermostat', value);
  };

  it('fires on crossing above, and not on moving about beyond it', async () => {
    const flow = await flowOf(temperature({ above: 25 }));
    await measure(24, 26, 27, 24, 25, 25.1);
    expect(await runs(flow)).toBe(2);
    expect(await lastTrigger(flow)).toMatchObject({ from_value: 25, to_value: 25.1 });
  });

  it('on crossing below', async () => {
    const flow = await flowOf(temperature({ below: 15 }));
    await measure(16, 14, 13, 16);
    expect(await runs(flow)).toBe(1);
  });

  it('and with both on entering the range between them', async () => {
    const flow = await flowOf(temperature({ above: 22, below: 25 }));
    await measure(23, 24, 26, 24, 21);
    expect(await runs(flow)).toBe(2);
  });

  it('of the same targets as state: of a group too', async () => {
    const { id: serviceGroupId } = door.home.serviceGroups.create(systemCaller, {
      homeId: door.homeId,
      name: 'Lamps',
      accessoryIds: [door.id('Lamp')],
    });
    const flow = await flowOf({ type: 'numeric_state', serviceGroupId, characteristicType: 'brightness', above: 90 });
    await door.device('Lamp', 95, '10');
    expect(await runs(flow)).toBe(1);
  });

  it('with for when it stayed there', async () => {
    const flow = await flowOf(temperature({ above: 25, for: { seconds: 30 } }));
    await measure(26);
    await door.advance(20 * SECOND);
    await measure(27);
    await door.advance(11 * SECOND);
    expect(await runs(flow)).toBe(1);
  });
});

describe('time', () => {
  it('fires at HH:MM by the clock of the home', async () => {
    const flow = await flowOf({ type: 'time', at: '13:30' });
    await door.advance(30 * MINUTE - SECOND);
    expect(await runs(flow)).toBe(0);
    await door.advance(2 * SECOND);
    expect(await runs(flow)).toBe(1);
    await door.advance(DAY);
    expect(await runs(flow)).toBe(2);
  });

  it('at HH:MM:SS', async () => {
    const flow = await flowOf({ type: 'time', at: '13:00:20' });
    await door.advance(19 * SECOND);
    expect(await runs(flow)).toBe(0);
    await door.advance(2 * SECOND);
    expect(await runs(flow)).toBe(1);
  });

  it('on weekdays, 0 = Sunday to 6 = Saturday', async () => {
    const next = async (weekday: number): Promise<string> => {
      const flow = await flowOf({ type: 'time', at: '12:00', weekdays: [weekday] });
      return (await door.rest.get(`/rest/flows/${flow}/next?count=1`)).body[0];
    };
    expect(await next(0)).toBe('2026-01-18T11:00:00.000Z');
    expect(await next(5)).toBe('2026-01-16T11:00:00.000Z');
    expect(await next(6)).toBe('2026-01-17T11:00:00.000Z');
  });
});

describe('time_pattern', () => {
  const next = async (pattern: object): Promise<readonly string[]> => {
    const flow = await flowOf({ type: 'time_pattern', ...pattern });
    return (await door.rest.get(`/rest/flows/${flow}/next?count=3`)).body.map((at: string) => at.slice(11, 19));
  };

  it('takes /N: every N', async () => {
    expect(await next({ minutes: '/20' })).toEqual(['12:20:00', '12:40:00', '13:00:00']);
    expect(await next({ seconds: '/15' })).toEqual(['12:00:15', '12:00:30', '12:00:45']);
    expect(await next({ hours: '/6' })).toEqual(['17:00:00', '23:00:00', '05:00:00']);
  });

  it('takes N: at N', async () => {
    expect(await next({ minutes: '5' })).toEqual(['12:05:00', '13:05:00', '14:05:00']);
    expect(await next({ hours: '7', minutes: '30' })).toEqual(['06:30:00', '06:30:00', '06:30:00']);
  });

  it('takes *: any', async () => {
    expect(await next({ minutes: '*', seconds: '10' })).toEqual(['12:00:10', '12:01:10', '12:02:10']);
  });

  it('fires then', async () => {
    const flow = await flowOf({ type: 'time_pattern', minutes: '/10' });
    await door.advance(31 * MINUTE);
    expect(await runs(flow)).toBe(3);
  });
});

describe('sun', () => {
  const next = async (trigger: object): Promise<number> => {
    const flow = await flowOf({ type: 'sun', ...trigger });
    return Date.parse((await door.rest.get(`/rest/flows/${flow}/next?count=1`)).body[0]);
  };

  it('fires at sunrise and at sunset', async () => {
    // As published for Berlin: down at 16:23 that day, up at 8:09 the next.
    expect(Math.abs((await next({ event: 'sunset' })) - Date.parse('2026-01-15T15:23:00Z'))).toBeLessThan(2 * MINUTE);
    expect(Math.abs((await next({ event: 'sunrise' })) - Date.parse('2026-01-16T07:09:00Z'))).toBeLessThan(2 * MINUTE);
    const flow = await flowOf({ type: 'sun', event: 'sunset' });
    await door.advance(4 * HOUR);
    expect(await runs(flow)).toBe(1);
  });

  it('with an offset, a duration that may be of negative minutes', async () => {
    const sunset = await next({ event: 'sunset' });
    expect((await next({ event: 'sunset', offset: { minutes: -30 } })) - sunset).toBe(-30 * MINUTE);
    expect((await next({ event: 'sunset', offset: { hours: 1 } })) - sunset).toBe(HOUR);
  });
});

describe('event', () => {
  const fire = (eventType: string, eventData?: object) =>
    door.runOf([{ type: 'fire_event', eventType, ...(eventData && { eventData }) }]);

  it('fires on an event of its eventType', async () => {
    const flow = await flowOf({ type: 'event', eventType: 'laundry.done' });
    await fire('laundry.begun');
    await fire('laundry.done', { drum: 1 });
    expect(await runs(flow)).toBe(1);
    expect(await lastTrigger(flow)).toMatchObject({ event_type: 'laundry.done', event_data: { drum: 1 } });
  });

  it('with eventData where the data of the event has that at least', async () => {
    const flow = await flowOf({ type: 'event', eventType: 'laundry', eventData: { is: { done: true } } });
    await fire('laundry', { is: { done: false } });
    await fire('laundry', { is: { done: true, wet: true }, drum: 1 });
    expect(await runs(flow)).toBe(1);
  });
});

describe('system', () => {
  it('fires on relay_connected and relay_disconnected', async () => {
    const up = await flowOf({ type: 'system', event: 'relay_connected' });
    const down = await flowOf({ type: 'system', event: 'relay_disconnected' });
    door.home.registry.setConnected(door.homeId, false);
    await door.home.settle();
    expect([await runs(up), await runs(down)]).toEqual([0, 1]);
    door.home.registry.setConnected(door.homeId, true);
    await door.home.settle();
    expect([await runs(up), await runs(down)]).toEqual([1, 1]);
  });

  it('fires on automation_reloaded', async () => {
    const flow = await flowOf({ type: 'system', event: 'automation_reloaded' });
    const before = await runs(flow);
    await door.save({});
    await door.home.settle();
    expect(await runs(flow)).toBe(before + 1);
  });
});

describe('template', () => {
  it('does not fire where it is true already, until it has been false', async () => {
    await door.device('Motion', true);
    const flow = await flowOf({ type: 'template', expression: "states('Motion')" });
    await door.advance(MINUTE);
    expect(await runs(flow)).toBe(0);
    await door.device('Motion', false);
    await door.device('Motion', true);
    expect(await runs(flow)).toBe(1);
  });

  it('fires on false → true', async () => {
    const flow = await flowOf({ type: 'template', expression: "states('Thermostat', 'current_temperature') > 25" });
    for (const value of [26, 27, 24, 28]) await door.device('Thermostat', value);
    expect(await runs(flow)).toBe(2);
  });

  it('with for when it stayed true', async () => {
    const flow = await flowOf({ type: 'template', expression: "{{ states('Motion') }}", for: { seconds: 10 } });
    await door.device('Motion', true);
    await door.advance(9 * SECOND);
    expect(await runs(flow)).toBe(0);
    await door.advance(2 * SECOND);
    expect(await runs(flow)).toBe(1);
  });
});

describe('device_availability', () => {
  const availability = (more: object) => on('Lamp', { type: 'device_availability', ...more });
  const reach = (reachable: boolean) => door.home.driver.setReachable('10:00:00:00:00:01', reachable);

  it('to unavailable fires after five minutes where for is left out', async () => {
    const flow = await flowOf(availability({ to: 'unavailable' }));
    reach(false);
    await door.advance(5 * MINUTE - SECOND);
    expect(await runs(flow)).toBe(0);
    await door.advance(2 * SECOND);
    expect(await runs(flow)).toBe(1);
  });

  it('for has the time instead, and a device that returns meanwhile was not away', async () => {
    const flow = await flowOf(availability({ to: 'unavailable', for: { seconds: 20 } }));
    reach(false);
    await door.advance(10 * SECOND);
    reach(true);
    await door.advance(MINUTE);
    expect(await runs(flow)).toBe(0);
    reach(false);
    await door.advance(21 * SECOND);
    expect(await runs(flow)).toBe(1);
  });

  it('to available fires when it is back for as long', async () => {
    const flow = await flowOf(availability({ to: 'available', for: { seconds: 20 } }));
    reach(false);
    await door.advance(MINUTE);
    reach(true);
    await door.advance(21 * SECOND);
    expect(await runs(flow)).toBe(1);
  });
});

describe('what bad triggers get', () => {
  it.each([
    ['an unknown type', { type: 'moonrise' }, 'triggers[0].type'],
    ['a missing field', { type: 'time' }, 'triggers[0].at'],
    ['a bad time', { type: 'time', at: '25:00' }, 'triggers[0].at'],
    ['a bad weekday', { type: 'time', at: '07:00', weekdays: [1, 7] }, 'triggers[0].weekdays[1]'],
    ['a bad pattern', { type: 'time_pattern', minutes: '/61' }, 'triggers[0].minutes'],
    ['a bad zone', { type: 'timer', fireDate: '2030-01-01T00:00:00Z', timeZone: 'Mars/Base' }, 'triggers[0].timeZone'],
    ['a bad expression', { type: 'template', expression: '1 +' }, 'triggers[0].expression'],
    ['a negative "for"', { type: 'template', expression: '1 > 0', for: { minutes: -1 } }, 'triggers[0].for.minutes'],
    ['an unknown field', { type: 'sun', event: 'sunset', offest: { minutes: 1 } }, 'triggers[0].offest'],
    ['an unknown system event', { type: 'system', event: 'tea_time' }, 'triggers[0].event'],
  ])('%s is refused with the path of its field', async (_, trigger, field) => {
    const { status, body } = await door.send({ triggers: [trigger] });
    expect([400, 422]).toContain(status);
    expect(body.field).toBe(field);
    expect(body.error).toContain(field);
  });

  it('a bad expression is refused with the position of the fault', async () => {
    const { body } = await door.send({ triggers: [{ type: 'template', expression: "states('Lamp') == == 1" }] });
    expect(body.error).toMatch(/line 1, column 19/);
  });

  it('an accessory of another home is refused with the path of its field, as one that is nowhere', async () => {
    const other = door.home.homes.create(systemCaller, { name: 'Cabin' });
    const trigger = on('Lamp', { type: 'state', characteristicType: 'power_state' });
    const answer = await door.rest.post('/rest/flows', {
      homeId: other.id,
      name: 'X',
      triggers: [trigger],
      actions: [],
    });
    const nowhere = await door.send({ triggers: [{ ...trigger, accessoryId: crypto.randomUUID() }] });
    expect(answer.body).toEqual(nowhere.body);
    expect(answer.body).toMatchObject({ code: 'accessory_not_found', field: 'triggers[0].accessoryId' });
  });
});
