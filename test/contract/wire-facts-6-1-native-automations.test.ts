/** Wire-facts §6.1 and API §3 on native automations: what each kind of event, condition and end does, through REST. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '../support/test-clock.ts';
import { systemCaller } from '../support/test-home.ts';
import { type AutomationClient, BERLIN, openAutomationClient, type SampleName } from './automation-client.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let door: AutomationClient;

beforeEach(() => {
  // A Thursday; in Berlin it is one in the afternoon.
  door = openAutomationClient({ clock: new TestClock('2026-01-15T12:00:00Z'), runsPerMinute: 1_000 });
  door.home.homes.update(systemCaller, door.homeId, { timeZone: 'Europe/Berlin', location: BERLIN });
});
afterEach(() => door.close());

const characteristic = (name: SampleName, characteristicType: string, more: object = {}) => ({
  type: 'characteristic',
  accessoryId: door.id(name),
  characteristicType,
  ...more,
});
const motion = (more: object = { triggerValue: true }) => characteristic('Motion', 'motion_detected', more);
const event = (one: object, more: object = {}) => ({ type: 'event', events: [one], ...more });

let made = 0;
async function create(trigger: object) {
  made += 1;
  const actions = [{ accessoryId: door.id('Lamp'), characteristicType: 'power_state', targetValue: true }];
  const body = { homeId: door.homeId, name: `Automation ${made}`, trigger, actions };
  const answer = await door.rest.post('/rest/automations', body);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
}
const get = async (id: string) => (await door.rest.get(`/rest/automations/${id}`)).body;
const lampIsOn = () => door.valueOf('Lamp');
const lampOff = () => door.device('Lamp', false);
/** Whether the motion sensor triggers an automation with these conditions. */
async function actsOn(more: object): Promise<boolean> {
  await lampOff();
  await door.device('Motion', false);
  const { id } = await create(event(motion(), more));
  await door.device('Motion', true);
  const acted = lampIsOn() === true;
  await door.rest.delete(`/rest/automations/${id}`);
  return acted;
}

describe('timer triggers', () => {
  it('recur by {hour?, minute?, day?, weekday?, month?}', async () => {
    const next = async (recurrence: object) => {
      const { id } = await create({ type: 'timer', fireDate: '2026-01-20T09:00:00', recurrence, timeZone: 'UTC' });
      return (await door.rest.get(`/rest/flows/${id}/next?count=2`)).body.map((at: string) => at.slice(0, 16));
    };
    expect(await next({ day: 1 })).toEqual(['2026-01-20T09:00', '2026-01-21T09:00']);
    expect(await next({ hour: 6 })).toEqual(['2026-01-20T09:00', '2026-01-20T15:00']);
    expect(await next({ minute: 30 })).toEqual(['2026-01-20T09:00', '2026-01-20T09:30']);
    expect(await next({ month: 1 })).toEqual(['2026-01-20T09:00', '2026-02-20T09:00']);
    expect((await next({ weekday: 1 }))[1]).toBe('2026-01-25T09:00');
  });

  it('that fire once are disabled then, and have a lastFireDate', async () => {
    const { id } = await create({ type: 'timer', fireDate: '2026-01-15T12:01:00Z' });
    await door.advance(MINUTE + SECOND);
    expect(await get(id)).toMatchObject({
      isEnabled: false,
      lastFireDate: '2026-01-15T12:01:00.000Z',
      trigger: { activationState: 'disabled' },
    });
    expect(lampIsOn()).toBe(true);
  });
});

describe('event triggers', () => {
  it('characteristic with triggerValue: on coming to that value', async () => {
    await create(event(characteristic('Front Door', 'lock_current_state', { triggerValue: 0 })));
    await door.device('Front Door', 2);
    expect(lampIsOn()).toBe(false);
    await door.device('Front Door', 0);
    expect(lampIsOn()).toBe(true);
  });

  it('characteristic without triggerValue: on any change', async () => {
    await create(event(characteristic('Front Door', 'lock_current_state')));
    await door.device('Front Door', 2);
    expect(lampIsOn()).toBe(true);
  });

  it('threshold ranges: on coming into the range, its ends included', async () => {
    const temperature = (more: object) => event(characteristic('Thermostat', 'current_temperature', more));
    await create(temperature({ thresholdMin: 18, thresholdMax: 19 }));
    for (const value of [17.9, 19.1]) {
      await door.device('Thermostat', value);
      expect(lampIsOn()).toBe(false);
    }
    await door.device('Thermostat', 19);
    expect(lampIsOn()).toBe(true);
  });

  it('calendar: at every moment with these components, by the home’s clocks', async () => {
    await create(event({ type: 'calendar', calendarComponents: { hour: 13, minute: 30 } }));
    await door.advance(30 * MINUTE - SECOND);
    expect(lampIsOn()).toBe(false);
    await door.advance(2 * SECOND);
    expect(lampIsOn()).toBe(true);
  });

  it('a duration is no event of its own, and is refused with the path of its type', async () => {
    const body = {
      homeId: door.homeId,
      name: 'X',
      trigger: event({ type: 'duration', durationSeconds: 60 }),
      actions: [],
    };
    expect((await door.rest.post('/rest/automations', body)).body).toMatchObject({ field: 'trigger.events[0].type' });
  });

  it('executeOnce: fires once, then is disabled', async () => {
    const { id } = await create(event(motion(), { executeOnce: true }));
    await door.device('Motion', true);
    expect(await get(id)).toMatchObject({ isEnabled: false, lastFireDate: '2026-01-15T12:00:00.000Z' });
    await lampOff();
    await door.device('Motion', false);
    await door.device('Motion', true);
    expect(lampIsOn()).toBe(false);
  });

  it('recurrences: on these days only, 1 = Sunday to 7 = Saturday', async () => {
    expect(await actsOn({ recurrences: [{ weekday: 5 }] })).toBe(true);
    expect(await actsOn({ recurrences: [{ weekday: 4 }, { weekday: 6 }] })).toBe(false);
  });

  it('endEvents: a duration, after which what was set goes back', async () => {
    await create(event(motion(), { endEvents: [{ type: 'duration', durationSeconds: 90 }] }));
    await door.device('Motion', true);
    expect(lampIsOn()).toBe(true);
    await door.advance(89 * SECOND);
    expect(lampIsOn()).toBe(true);
    await door.advance(2 * SECOND);
    expect(lampIsOn()).toBe(false);
  });
});

describe('conditions', () => {
  const brightness = (operator: string, value: number) => characteristic('Lamp', 'brightness', { operator, value });

  it('characteristic: equality where no operator is named, joined with and', async () => {
    const is = (value: number) => characteristic('Lamp', 'brightness', { value });
    expect(await actsOn({ conditions: [is(50)] })).toBe(true);
    expect(await actsOn({ conditions: [is(50), is(51)] })).toBe(false);
  });

  it.each([
    ['equalTo', 50, 49],
    ['lessThan', 51, 50],
    ['greaterThan', 49, 50],
    ['lessThanOrEqualTo', 50, 49],
    ['greaterThanOrEqualTo', 50, 51],
  ])('characteristic: %s', async (operator, holds, fails) => {
    expect(await actsOn({ conditions: [brightness(operator, holds)] })).toBe(true);
    expect(await actsOn({ conditions: [brightness(operator, fails)] })).toBe(false);
  });

  it('time: beforeTime and afterTime', async () => {
    const time = (afterTime: object, beforeTime: object) => ({ conditions: [{ type: 'time', afterTime, beforeTime }] });
    expect(await actsOn(time({ hour: 12 }, { hour: 14 }))).toBe(true);
    expect(await actsOn(time({ hour: 22 }, { hour: 6 }))).toBe(false);
  });

  it('significantEvent: beforeEvent and afterEvent', async () => {
    expect(
      await actsOn({ conditions: [{ type: 'significantEvent', afterEvent: 'sunrise', beforeEvent: 'sunset' }] }),
    ).toBe(true);
    expect(await actsOn({ conditions: [{ type: 'significantEvent', afterEvent: 'sunset' }] })).toBe(false);
  });

  it('presence', async () => {
    const { id } = door.home.people.create(systemCaller, { homeId: door.homeId, name: 'Ann' });
    const atHome = { conditions: [{ type: 'presence', presenceEvent: 'atHome', presenceType: 'allUsers' }] };
    expect(await actsOn(atHome)).toBe(false);
    door.home.people.setPresence(systemCaller, id, { atHome: true });
    expect(await actsOn(atHome)).toBe(true);
  });

  it('unknown, a predicate in words, cannot be set', async () => {
    const trigger = event(motion(), { conditions: [{ type: 'unknown', predicateFormat: 'x' }] });
    const { status, body } = await door.rest.post('/rest/automations', {
      homeId: door.homeId,
      name: 'X',
      trigger,
      actions: [],
    });
    expect([status, body.field]).toEqual([422, 'trigger.conditions[0]']);
  });
});

describe('an automation', () => {
  it('keeps its id when its trigger changes', async () => {
    const { id } = await create(event(motion()));
    const trigger = { type: 'timer', fireDate: '2027-01-01T00:00:00Z' };
    expect((await door.rest.patch(`/rest/automations/${id}`, { trigger })).body).toMatchObject({
      id,
      trigger: { type: 'timer' },
    });
  });

  it('owns its scene: it is not in the list of scenes, and names its automation', async () => {
    const { id, name } = await create(event(motion()));
    const scenes = (await door.rest.get(`/rest/scenes?home=${door.homeId}`)).body;
    expect(scenes.filter((scene: { automationName: string | null }) => scene.automationName !== null)).toEqual([]);
    const own = [...door.home.state.scenes.all()].find((scene) => scene.automationId === id);
    expect((await door.rest.get(`/rest/scenes/${own?.id}`)).body).toMatchObject({ automationName: name });
  });

  it('does nothing while it is disabled', async () => {
    const { id } = await create(event(motion()));
    expect((await door.rest.patch(`/rest/automations/${id}`, { enabled: false })).body.isEnabled).toBe(false);
    await door.device('Motion', true);
    expect(lampIsOn()).toBe(false);
  });

  it('leaves a trace of each run, as flows do', async () => {
    const { id } = await create(event(motion()));
    await door.device('Motion', true);
    await door.advance(HOUR);
    expect(await door.traces(id)).toMatchObject([
      { automationId: id, status: 'success', triggerData: { type: 'state' } },
    ]);
  });
});

describe('what bad input gets', () => {
  it.each([
    ['an unknown type', { type: 'sundial' }, 'trigger.type'],
    ['a missing field', { type: 'timer' }, 'trigger.fireDate'],
    ['a bad time', { type: 'timer', fireDate: 'tomorrow' }, 'trigger.fireDate'],
    ['a bad zone', { type: 'timer', fireDate: '2030-01-01T00:00:00Z', timeZone: 'Mars/Base' }, 'trigger.timeZone'],
    ['no events', { type: 'event', events: [] }, 'trigger.events'],
    ['an unknown event', { type: 'event', events: [{ type: 'moonrise' }] }, 'trigger.events[0].type'],
    [
      'a bad weekday',
      { type: 'event', events: [{ type: 'presence', presenceEvent: 'atHome' }], recurrences: [{ weekday: 8 }] },
      'trigger.recurrences[0].weekday',
    ],
  ])('%s is refused with the path of its field', async (_, trigger, field) => {
    const actions = [{ accessoryId: door.id('Lamp'), characteristicType: 'on', targetValue: true }];
    const { status, body } = await door.rest.post('/rest/automations', {
      homeId: door.homeId,
      name: 'X',
      trigger,
      actions,
    });
    expect([400, 422]).toContain(status);
    expect(body.field).toBe(field);
  });

  it('an accessory of another home is refused with the path of its field', async () => {
    const other = door.home.homes.create(systemCaller, { name: 'Cabin' });
    const actions = [{ accessoryId: door.id('Lamp'), characteristicType: 'on', targetValue: true }];
    const byTrigger = await door.rest.post('/rest/automations', {
      homeId: other.id,
      name: 'X',
      trigger: event(motion()),
      actions,
    });
    expect(byTrigger.body).toMatchObject({ code: 'accessory_not_found', field: 'trigger.events[0].accessoryId' });
    const trigger = { type: 'timer', fireDate: '2030-01-01T00:00:00Z' };
    const byAction = await door.rest.post('/rest/automations', { homeId: other.id, name: 'X', trigger, actions });
    expect(byAction.body).toMatchObject({ code: 'accessory_not_found', field: 'actions[0].accessoryId' });
  });
});
