/**
 * Every kind of trigger from end to end: genuine accessories, people and the clock cause it, another accessory gets
 * what the flow does, and the trace shows what happened. All through the API.
 */
import { Characteristic } from '@homebridge/hap-nodejs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, eventually } from '../support/e2e-relay.ts';
import { TestClock } from '../support/test-clock.ts';
import { AutomationFixture, BERLIN } from './automation-fixture.ts';

const MINUTE_MS = 60_000;
/** Some way off: about 1.1 km north of the home. */
const AWAY = { latitude: BERLIN.latitude + 0.01, longitude: BERLIN.longitude, accuracy: 10 };

let fixture: AutomationFixture;
/** Each test writes a brightness that no other does. */
let mark = 1;
beforeAll(async () => {
  fixture = await AutomationFixture.start({ clock: new TestClock() });
});
afterAll(() => fixture[Symbol.asyncDispose]());
afterEach(async () => {
  await fixture.forgetAll();
  // The rate of runs is counted by the minute, and so that nothing of one test is put down to the next one.
  await fixture.pass(MINUTE_MS);
});

/** A flow that has this one trigger and dims Echo. */
async function on(trigger: object, more: object = {}): Promise<{ id: string; mark: number }> {
  mark += 1;
  const { id } = await fixture.save({
    name: `Flow ${mark}`,
    triggers: [trigger],
    actions: [fixture.dim('Echo', mark)],
    ...more,
  });
  return { id, mark };
}

const timesWritten = (value: number): number => fixture.demoHome.written('Echo').filter((one) => one === value).length;

/** It ran once and no more, its lamp got it once, and the trace names the trigger. */
async function expectOnce(flow: { id: string; mark: number }, data: object, times = 1): Promise<Answer['body']> {
  const traces = await fixture.untilEnded(flow.id, times);
  expect(traces).toHaveLength(times);
  for (const trace of traces) {
    expect(trace).toMatchObject({ status: 'success', error: null, blockedReason: null });
    expect(trace.steps.map(({ type, result }: Answer['body']) => [type, result])).toEqual([
      ['trigger', 'executed'],
      ['action', 'executed'],
    ]);
  }
  expect(traces[0].triggerData).toMatchObject(data);
  expect(timesWritten(flow.mark)).toBe(times);
  expect((await fixture.ask('GET', `/rest/flows/${flow.id}`)).metadata.triggerCount).toBe(times);
  return traces[0];
}

const window = () => ({ accessoryId: fixture.id('Window'), characteristicType: 'contact_state' });
const temperature = () => ({ accessoryId: fixture.id('Thermometer'), characteristicType: 'current_temperature' });
const press = (name: string, to?: number) => ({
  type: 'state',
  accessoryId: fixture.id(name),
  characteristicType: 'programmable_switch_event',
  ...(to !== undefined && { to }),
});

async function temperatureIs(value: number): Promise<void> {
  fixture.demoHome.report('Thermometer', Characteristic.CurrentTemperature, value);
  await fixture.untilShown('Thermometer', 'current_temperature', value);
}
async function windowIs(value: 0 | 1): Promise<void> {
  fixture.demoHome.report('Window', Characteristic.ContactSensorState, value);
  await fixture.untilShown('Window', 'contact_state', value);
}
async function lampIs(name: string, value: boolean): Promise<void> {
  fixture.demoHome.report(name, Characteristic.On, value);
  await fixture.untilShown(name, 'power_state', value);
}

describe('what devices do', () => {
  it('state: a contact that opens; not the one that closes, nor what was so already', async () => {
    await windowIs(0);
    const flow = await on({ type: 'state', ...window(), from: 0, to: 1 });
    await windowIs(1);
    await fixture.untilEnded(flow.id);
    await windowIs(0);
    await expectOnce(flow, { type: 'state', accessory_id: fixture.id('Window'), from_value: 0, to_value: 1 });
  });

  it('state with a duration: only what stays so that long', async () => {
    await windowIs(0);
    const flow = await on({ type: 'state', ...window(), to: 1, for: { minutes: 2 } });
    await windowIs(1);
    await fixture.pass(MINUTE_MS);
    await windowIs(0);
    await fixture.pass(2 * MINUTE_MS);
    await windowIs(1);
    await fixture.pass(2 * MINUTE_MS - 2_000);
    expect(await fixture.traces(flow.id)).toEqual([]);
    await fixture.pass(3_000);
    await expectOnce(flow, { type: 'state', to_value: 1 });
    await windowIs(0);
  });

  it.each([
    ['Button', 0],
    ['Button', 1],
    ['Button', 2],
    ['Doorbell', 0],
  ])('state: each press of the %s (%i) once, two alike twice', async (name, kind) => {
    const flow = await on(press(name, kind));
    fixture.demoHome.press(name, kind);
    await fixture.untilEnded(flow.id, 1);
    fixture.demoHome.press(name, kind);
    await expectOnce(flow, { type: 'state', accessory_id: fixture.id(name), to_value: kind }, 2);
  });

  it('numeric_state: entering a range, once until it is left', async () => {
    await temperatureIs(15);
    const flow = await on({ type: 'numeric_state', ...temperature(), above: 20, below: 25 });
    for (const value of [19, 21, 24, 26]) await temperatureIs(value);
    await temperatureIs(22.5);
    await expectOnce(flow, { type: 'numeric_state', from_value: 26, to_value: 22.5 }, 2);
  });

  it('numeric_state with a duration', async () => {
    await temperatureIs(15);
    const flow = await on({ type: 'numeric_state', ...temperature(), above: 20, for: { seconds: 30 } });
    await temperatureIs(23);
    await fixture.pass(20_000);
    await temperatureIs(24);
    await fixture.pass(12_000);
    await expectOnce(flow, { type: 'numeric_state' });
  });

  it('template: an expression that becomes true', async () => {
    await temperatureIs(15);
    await windowIs(0);
    const expression = "states('Thermometer') > 20 and states('Window', 'contact_state') == 1";
    const flow = await on({ type: 'template', expression });
    await temperatureIs(23);
    await windowIs(1);
    await temperatureIs(24);
    await expectOnce(flow, { type: 'template' });
    await windowIs(0);
  });

  it('a service group is one accessory: whichever of its members does it', async () => {
    const { id: serviceGroupId } = await fixture.ask('POST', '/rest/service-groups', {
      homeId: fixture.homeId,
      name: 'Both',
      accessoryIds: [fixture.id('Lamp'), fixture.id('Spare')],
    });
    const flow = await on({ type: 'state', serviceGroupId, characteristicType: 'power_state', to: true });
    await lampIs('Lamp', true);
    await lampIs('Spare', true);
    await expectOnce(flow, { type: 'state', service_group_id: serviceGroupId, to_value: true });
    await lampIs('Lamp', false);
    await lampIs('Spare', false);
    await fixture.forgetAll();
    await fixture.ask('DELETE', `/rest/service-groups/${serviceGroupId}`);
  });

  it('device_availability: one that is unplugged and plugged in again', async () => {
    const gone = await on({ type: 'device_availability', accessoryId: fixture.id('Hall Lamp'), to: 'unavailable' });
    const back = await on({
      type: 'device_availability',
      accessoryId: fixture.id('Hall Lamp'),
      to: 'available',
      for: { seconds: 10 },
    });
    await fixture.demoHome.unplug('Hall Lamp');
    await eventually(async () => {
      await fixture.pass(1_000);
      return !(await fixture.accessory('Hall Lamp')).isReachable;
    }, 'the lamp to be gone');
    await fixture.pass(4 * MINUTE_MS);
    expect(await fixture.traces(gone.id)).toEqual([]);
    await fixture.pass(2 * MINUTE_MS);
    await expectOnce(gone, { type: 'device_availability', accessory_id: fixture.id('Hall Lamp') });
    await fixture.demoHome.plugIn('Hall Lamp');
    await eventually(async () => {
      await fixture.pass(1_000);
      return (await fixture.accessory('Hall Lamp')).isReachable;
    }, 'the lamp to be back');
    await fixture.pass(11_000);
    await expectOnce(back, { type: 'device_availability' });
  });
});

describe('what the clock does', () => {
  it('time', async () => {
    const flow = await on({ type: 'time', at: '07:30' });
    const [at = ''] = await fixture.next(flow.id);
    expect(at).toMatch(/T07:30:00/);
    await fixture.passTo(at);
    const { triggerData } = await expectOnce(flow, { type: 'time' });
    expect(new Date(triggerData.timestamp * 1000).toISOString()).toMatch(/T07:30:0[01]/);
  });

  it('time_pattern: each moment of it once', async () => {
    const flow = await on({ type: 'time_pattern', seconds: '/20' });
    const [at = ''] = await fixture.next(flow.id);
    await fixture.passTo(at);
    await fixture.pass(40_000);
    await expectOnce(flow, { type: 'time_pattern' }, 3);
  });

  it('sun, with an offset', async () => {
    const flow = await on({ type: 'sun', event: 'sunset', offset: { minutes: -30 } });
    const [at = ''] = await fixture.next(flow.id);
    // In Berlin in the middle of January.
    expect(at).toMatch(/T1[45]:\d\d/);
    await fixture.passTo(at);
    await expectOnce(flow, { type: 'sun' });
  });

  it('timer', async () => {
    const { clock } = fixture;
    const fireDate = new Date((clock?.now() ?? 0) + 10 * MINUTE_MS).toISOString();
    const flow = await on({ type: 'timer', fireDate });
    await fixture.passTo(fireDate);
    await expectOnce(flow, { type: 'timer' });
    expect(await fixture.next(flow.id)).toEqual([]);
  });

  it('calendar', async () => {
    const flow = await on({ type: 'calendar', components: { day: 3, hour: 4, minute: 5 } });
    const [at = ''] = await fixture.next(flow.id);
    expect(at).toMatch(/-03T04:05:00/);
    await fixture.passTo(at);
    await expectOnce(flow, { type: 'calendar' });
  });

  it('duration: so long after a wait for it began', async () => {
    mark += 1;
    const wait = { type: 'wait_for_trigger', triggers: [{ type: 'duration', seconds: 45 }] };
    const { id } = await fixture.save({ name: 'Wait', actions: [wait, fixture.dim('Echo', mark)] });
    await fixture.run(id);
    await fixture.pass(43_000);
    expect(timesWritten(mark)).toBe(0);
    await fixture.pass(3_000);
    const [trace] = await fixture.untilEnded(id);
    expect(trace.status).toBe('success');
    expect(timesWritten(mark)).toBe(1);
  });
});

describe('what others report', () => {
  it('event: one that another automation fires, with the data that is wanted', async () => {
    const flow = await on({ type: 'event', eventType: 'door.opened', eventData: { floor: 1 } });
    const fire = (floor: number) => ({ type: 'fire_event', eventType: 'door.opened', eventData: { floor, by: 'cat' } });
    const { id } = await fixture.save({ name: 'Teller', actions: [fire(0), fire(1)] });
    await fixture.run(id);
    await expectOnce(flow, { type: 'event', event_type: 'door.opened', event_data: { floor: 1, by: 'cat' } });
  });

  it('system: an automation that was changed', async () => {
    const flow = await on({ type: 'system', event: 'automation_reloaded' });
    await fixture.untilEnded(flow.id);
    const before = (await fixture.traces(flow.id)).length;
    await fixture.save({ name: 'Another' });
    const traces = await fixture.untilEnded(flow.id, before + 1);
    expect(traces).toHaveLength(before + 1);
    expect(traces[0]).toMatchObject({ status: 'success', triggerData: { type: 'system' } });
  });

  it('system: the relay that leaves a home and comes back', async () => {
    const flow = await on({ type: 'system', event: 'relay_connected' });
    const gone = await on({ type: 'system', event: 'relay_disconnected' });
    await fixture.ask('PATCH', `/rest/homes/${fixture.homeId}`, { paused: true });
    await fixture.ask('PATCH', `/rest/homes/${fixture.homeId}`, { paused: false });
    await eventually(async () => {
      await fixture.pass(1_000);
      return (await fixture.traces(flow.id)).length > 0;
    }, 'the relay to be back');
    await fixture.untilReachable(['Echo']);
    expect(await fixture.untilEnded(flow.id)).toHaveLength(1);
    const traces = await fixture.untilEnded(gone.id);
    expect(traces.map(({ triggerData }) => triggerData.type)).toEqual(['system']);
  });

  it('presence: a person comes home; the first to come and the last to go', async () => {
    const [ann, bob] = [await person('Ann'), await person('Bob')];
    await is(ann, { atHome: false });
    await is(bob, { atHome: false });
    const flows: Record<string, { id: string; mark: number }> = {};
    for (const event of ['atHome', 'notAtHome', 'firstArrival', 'lastDeparture']) {
      flows[event] = await on({ type: 'presence', event });
    }
    const of = (event: string) => flows[event] as { id: string; mark: number };
    await is(ann, { atHome: true });
    await is(bob, { atHome: true });
    await is(ann, { atHome: false });
    await is(bob, { atHome: false });
    await expectOnce(of('atHome'), { type: 'presence', person_id: bob }, 2);
    await expectOnce(of('notAtHome'), { type: 'presence', person_id: bob }, 2);
    await expectOnce(of('firstArrival'), { type: 'presence', person_id: ann });
    await expectOnce(of('lastDeparture'), { type: 'presence', person_id: bob });
    await forget(ann, bob);
  });

  it('location: a person enters and leaves a circle', async () => {
    const ann = await person('Ann');
    const { latitude, longitude } = AWAY;
    await is(ann, { latitude: BERLIN.latitude, longitude, accuracy: 10 });
    const circle = { type: 'location', latitude, longitude, radius: 200 };
    const entry = await on({ ...circle, notifyOnEntry: true });
    const exit = await on({ ...circle, notifyOnEntry: false, notifyOnExit: true });
    await is(ann, { latitude: BERLIN.latitude, longitude, accuracy: 12 });
    await is(ann, AWAY);
    await is(ann, { ...AWAY, accuracy: 11 });
    await is(ann, { latitude: BERLIN.latitude, longitude, accuracy: 10 });
    await expectOnce(entry, { type: 'location', person_id: ann });
    await expectOnce(exit, { type: 'location', person_id: ann });
    await forget(ann);
  });
});

const person = async (name: string): Promise<string> =>
  (await fixture.ask('POST', '/rest/people', { homeId: fixture.homeId, name })).id;
async function is(personId: string, report: object): Promise<void> {
  // Two positions at one moment are one.
  await fixture.pass(1_000);
  await fixture.ask('POST', `/rest/people/${personId}/presence`, report);
}
async function forget(...ids: readonly string[]): Promise<void> {
  await fixture.forgetAll();
  for (const id of ids) await fixture.ask('DELETE', `/rest/people/${id}`);
}
