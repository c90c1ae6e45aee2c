/**
 * Native automations from end to end: every event, end event and condition, with genuine accessories on both sides. All
 * through the API.
 */
import { Characteristic } from '@homebridge/hap-nodejs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, eventually } from '../support/e2e-relay.ts';
import { TestClock } from '../support/test-clock.ts';
import { AutomationFixture, BERLIN } from './automation-fixture.ts';
import { graphql } from './home-fixture.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const AWAY = { latitude: BERLIN.latitude + 0.01, longitude: BERLIN.longitude, accuracy: 10 };

let fixture: AutomationFixture;
let ann = '';
let mark = 1;

beforeAll(async () => {
  fixture = await AutomationFixture.start({ clock: new TestClock() });
  ann = (await fixture.ask('POST', '/rest/people', { homeId: fixture.homeId, name: 'Ann' })).id;
});
afterAll(() => fixture[Symbol.asyncDispose]());
afterEach(async () => {
  await fixture.forgetAll();
  await fixture.pass(MINUTE_MS);
});

/** @returns its id */
async function create(trigger: object, actions?: readonly object[]): Promise<string> {
  mark += 1;
  const dim = { accessoryId: fixture.id('Echo'), characteristicType: 'brightness', targetValue: mark };
  const body = { homeId: fixture.homeId, name: `Native ${mark}`, trigger, actions: actions ?? [dim] };
  return (await fixture.ask('POST', '/rest/automations', body)).id;
}
const on = (event: object, more: object = {}) => create({ type: 'event', events: [event], ...more });

const timesWritten = (): number => fixture.demoHome.written('Echo').filter((value) => value === mark).length;

async function expectFired(id: string, times = 1): Promise<void> {
  const traces = await fixture.untilEnded(id, times);
  expect(traces.map(({ status, error }: Answer['body']) => [status, error])).toEqual(
    Array(times).fill(['success', null]),
  );
  expect(timesWritten()).toBe(times);
  expect((await fixture.ask('GET', `/rest/automations/${id}`)).lastFireDate).toEqual(expect.any(String));
}
const pressed = (triggerValue = 0) => ({
  type: 'characteristic',
  accessoryId: fixture.id('Button'),
  characteristicType: 'programmable_switch_event',
  triggerValue,
});
const window = () => ({ accessoryId: fixture.id('Window'), characteristicType: 'contact_state' });
async function windowIs(value: 0 | 1): Promise<void> {
  fixture.demoHome.report('Window', Characteristic.ContactSensorState, value);
  await fixture.untilShown('Window', 'contact_state', value);
}
async function temperatureIs(value: number): Promise<void> {
  fixture.demoHome.report('Thermometer', Characteristic.CurrentTemperature, value);
  await fixture.untilShown('Thermometer', 'current_temperature', value);
}
async function annIs(report: object): Promise<void> {
  await fixture.pass(1_000);
  await fixture.ask('POST', `/rest/people/${ann}/presence`, report);
}
const inMinutes = (minutes: number): string =>
  new Date((fixture.clock?.now() ?? 0) + minutes * MINUTE_MS).toISOString();

describe('a timer', () => {
  it('fires at its date, and by its recurrence', async () => {
    const id = await create({ type: 'timer', fireDate: inMinutes(10), recurrence: { day: 1 } });
    const [first = '', second = ''] = await fixture.next(id, 2);
    expect(Date.parse(second) - Date.parse(first)).toBe(DAY_MS);
    await fixture.passTo(first);
    await fixture.passTo(second);
    await expectFired(id, 2);
  });

  it('with `executeOnce` fires once and is off then', async () => {
    const id = await create({ type: 'timer', fireDate: inMinutes(10), recurrence: { hour: 1 }, executeOnce: true });
    const [first = ''] = await fixture.next(id);
    await fixture.passTo(first);
    await expectFired(id);
    expect((await fixture.ask('GET', `/rest/automations/${id}`)).isEnabled).toBe(false);
  });
});

describe('an event', () => {
  it('characteristic: a value, presses among them, each once', async () => {
    const id = await on(pressed(1));
    fixture.demoHome.press('Button', 0);
    fixture.demoHome.press('Button', 1);
    await expectFired(id);
    fixture.demoHome.press('Button', 1);
    await expectFired(id, 2);
  });

  it('characteristic: a threshold, its end included', async () => {
    await temperatureIs(15);
    const thermometer = { accessoryId: fixture.id('Thermometer'), characteristicType: 'current_temperature' };
    const id = await on({ type: 'characteristic', ...thermometer, thresholdMin: 20 });
    for (const value of [19.9, 20, 25, 19]) await temperatureIs(value);
    await expectFired(id);
  });

  it('significantTime', async () => {
    const id = await on({ type: 'significantTime', significantEvent: 'sunrise', offsetMinutes: 20 });
    const [at = ''] = await fixture.next(id);
    expect(at).toMatch(/T07:\d\d/);
    await fixture.passTo(at);
    await expectFired(id);
  });

  it('calendar', async () => {
    const id = await on({ type: 'calendar', calendarComponents: { hour: 5, minute: 45 } });
    const [at = ''] = await fixture.next(id);
    await fixture.passTo(at);
    await expectFired(id);
  });

  it('location and presence', async () => {
    const circle = { latitude: AWAY.latitude, longitude: AWAY.longitude, radius: 150 };
    const arrives = await on({ type: 'location', ...circle });
    // The first position that it learns shows where she is.
    await annIs({ latitude: BERLIN.latitude, longitude: BERLIN.longitude, accuracy: 10 });
    await annIs(AWAY);
    await expectFired(arrives);
    const home = await on({ type: 'presence', presenceEvent: 'firstArrival' });
    await annIs({ atHome: true });
    await expectFired(home);
  });
});

describe('an end event puts back what was there', () => {
  it.each([
    ['duration', () => ({ type: 'duration', durationSeconds: 40 }), () => fixture.pass(42_000)],
    ['characteristic', () => ({ type: 'characteristic', ...window(), triggerValue: 1 }), () => windowIs(1)],
  ])('%s', async (_, end, happen) => {
    await windowIs(0);
    fixture.demoHome.report('Lamp', Characteristic.Brightness, 33);
    await fixture.untilShown('Lamp', 'brightness', 33);
    const action = { accessoryId: fixture.id('Lamp'), characteristicType: 'brightness', targetValue: 88 };
    const before = fixture.demoHome.written('Lamp').length;
    const id = await create({ type: 'event', events: [pressed()], endEvents: [end()] }, [action]);
    fixture.demoHome.press('Button');
    await eventually(() => fixture.demoHome.written('Lamp').length > before, 'the lamp to be set');
    await fixture.pass(5_000);
    expect((await fixture.traces(id))[0].status).toBe('running');
    await happen();
    await fixture.untilEnded(id);
    expect(fixture.demoHome.written('Lamp').slice(before)).toEqual([88, 33]);
  });
});

describe('a condition', () => {
  const clockShows = async (time: string): Promise<void> => {
    const now = fixture.clock?.now() ?? 0;
    const at = Date.parse(`${new Date(now).toISOString().slice(0, 10)}T${time}Z`);
    await fixture.passTo(at > now ? at : at + DAY_MS);
  };

  it.each([
    [
      'characteristic',
      () => ({ type: 'characteristic', ...window(), operator: 'equalTo', value: 1 }),
      () => windowIs(0),
      () => windowIs(1),
    ],
    [
      'time',
      () => ({ type: 'time', afterTime: '10:00', beforeTime: '11:00' }),
      () => clockShows('11:00:00'),
      () => clockShows('10:30:00'),
    ],
    [
      'significantEvent',
      () => ({ type: 'significantEvent', afterEvent: 'sunset' }),
      () => clockShows('12:00:00'),
      () => clockShows('20:00:00'),
    ],
    [
      'presence',
      () => ({ type: 'presence', presenceEvent: 'atHome' }),
      () => annIs({ atHome: false }),
      () => annIs({ atHome: true }),
    ],
  ])('%s', async (_, condition, fails, holds) => {
    const id = await on(pressed(), { conditions: [condition()] });
    await fails();
    fixture.demoHome.press('Button');
    expect((await fixture.untilEnded(id))[0].status).toBe('stopped');
    expect(timesWritten()).toBe(0);
    await holds();
    fixture.demoHome.press('Button');
    expect((await fixture.untilEnded(id, 2))[0].status).toBe('success');
    expect(timesWritten()).toBe(1);
  });

  it('recurrences: only on these days', async () => {
    const today = new Date(fixture.clock?.now() ?? 0).getUTCDay();
    const id = await on(pressed(), { recurrences: [{ weekday: ((today + 1) % 7) + 1 }] });
    fixture.demoHome.press('Button');
    expect((await fixture.untilEnded(id))[0].status).toBe('stopped');
    await fixture.passTo((fixture.clock?.now() ?? 0) + DAY_MS);
    fixture.demoHome.press('Button');
    expect((await fixture.untilEnded(id, 2))[0].status).toBe('success');
  });
});

it('what GraphQL makes fires as what REST makes', async () => {
  const { body } = await graphql(
    fixture.relay,
    `mutation($homeId: String!, $trigger: JSON!, $actions: JSON!) {
      createAutomation(homeId: $homeId, name: "By GraphQL", trigger: $trigger, actions: $actions) { id }
    }`,
    {
      homeId: fixture.homeId,
      trigger: JSON.stringify({ type: 'event', events: [pressed()] }),
      actions: JSON.stringify([{ accessoryId: fixture.id('Echo'), characteristicType: 'brightness', targetValue: 99 }]),
    },
  );
  expect(body.errors).toBeUndefined();
  fixture.demoHome.press('Button');
  await fixture.untilWritten('Echo', 99);
});
