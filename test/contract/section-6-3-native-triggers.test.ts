/** API §6.3: native automation triggers, as they fire. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AutomationHome, createAutomationHome } from '../support/automation-home.ts';
import { TestClock } from '../support/test-clock.ts';
import { systemCaller } from '../support/test-home.ts';

const HOUR = 60 * 60_000;
const BERLIN = { latitude: 52.52, longitude: 13.405, radius: 100 };

let home: AutomationHome;

beforeEach(() => {
  home = createAutomationHome({ sample: true, clock: new TestClock('2026-06-21T12:00:00Z') });
  home.homes.update(systemCaller, home.home.id, { timeZone: 'Europe/Berlin', location: BERLIN });
});
afterEach(() => home.stop());

const id = (name: string) => home.named(name).id;
const lampIsOn = () => home.state.characteristic({ accessoryId: id('Lamp'), iid: '9' })?.value;

function create(trigger: object) {
  const actions = [{ accessoryId: id('Lamp'), characteristicType: 'on', targetValue: true }];
  return home.automations.create(systemCaller, { homeId: home.home.id, name: 'Evening', trigger, actions });
}
async function advance(ms: number): Promise<void> {
  await home.clock.advance(ms);
  await home.settle();
}

describe('automations fire on a timer', () => {
  it('at its fireDate', async () => {
    create({ type: 'timer', fireDate: '2026-06-21T13:00:00Z' });
    await advance(HOUR - 2000);
    expect(lampIsOn()).toBe(false);
    await advance(3000);
    expect(lampIsOn()).toBe(true);
  });

  it('and after it with its recurrence, by the clocks of its timeZone', () => {
    const { id: automationId } = create({
      type: 'timer',
      fireDate: '2026-10-24T07:00:00',
      recurrence: { day: 1 },
      timeZone: 'America/New_York',
    });
    const dates = home.schedule.nextFireDates(systemCaller, automationId, 10);
    // Clocks there are set back on the first of November.
    expect(new Date(dates[0] ?? 0).toISOString()).toBe('2026-10-24T11:00:00.000Z');
    expect(new Date(dates[9] ?? 0).toISOString()).toBe('2026-11-02T12:00:00.000Z');
  });
});

describe('automations fire on events', () => {
  it('characteristic change', async () => {
    const event = { type: 'characteristic', accessoryId: id('Motion'), characteristicType: 'motion_detected' };
    create({ type: 'event', events: [event] });
    home.driver.event('10:00:00:00:00:04', '1', '9', true);
    await home.settle();
    expect(lampIsOn()).toBe(true);
  });

  it('a press of a button', async () => {
    const { services } = home.named('Button');
    const press = services.flatMap((service) => service.characteristics).find(({ type }) => type === '73');
    const button = { accessoryId: id('Button'), characteristicType: 'programmable_switch_event' };
    create({ type: 'event', events: [{ type: 'characteristic', ...button, triggerValue: 0 }] });
    home.driver.event('10:00:00:00:00:05', '1', press?.iid ?? '', 1);
    await home.settle();
    expect(lampIsOn()).toBe(false);
    home.driver.event('10:00:00:00:00:05', '1', press?.iid ?? '', 0);
    await home.settle();
    expect(lampIsOn()).toBe(true);
  });

  it('significant time sunrise or sunset with offsetMinutes', async () => {
    const { id: automationId } = create({
      type: 'event',
      events: [{ type: 'significantTime', significantEvent: 'sunset', offsetMinutes: -30 }],
    });
    const [next = 0] = home.schedule.nextFireDates(systemCaller, automationId, 1);
    // Sunset of the longest day in Berlin is at 21:33 by its clocks.
    expect(Math.abs(next - Date.parse('2026-06-21T19:03:00Z'))).toBeLessThan(3 * 60_000);
    await advance(next - home.clock.now() + 1000);
    expect(lampIsOn()).toBe(true);
  });

  it('location', async () => {
    const { id: person } = home.people.create(systemCaller, { homeId: home.home.id, name: 'Ann' });
    create({ type: 'event', events: [{ type: 'location', ...BERLIN, notifyOnEntry: true, notifyOnExit: false }] });
    const at = (latitude: number) =>
      home.people.setPresence(systemCaller, person, { latitude, longitude: BERLIN.longitude, accuracy: 5 });
    at(52.6);
    await home.settle();
    expect(lampIsOn()).toBe(false);
    await advance(60_000);
    at(BERLIN.latitude);
    await home.settle();
    expect(lampIsOn()).toBe(true);
  });

  it('presence', async () => {
    const { id: person } = home.people.create(systemCaller, { homeId: home.home.id, name: 'Ann' });
    create({ type: 'event', events: [{ type: 'presence', presenceType: 'allUsers', presenceEvent: 'lastDeparture' }] });
    home.people.setPresence(systemCaller, person, { atHome: true });
    await home.settle();
    expect(lampIsOn()).toBe(false);
    home.people.setPresence(systemCaller, person, { atHome: false });
    await home.settle();
    expect(lampIsOn()).toBe(true);
  });
});

describe('endEvents deactivate a trigger', () => {
  it('what the actions had set goes back to what it was', async () => {
    const motion = (triggerValue: boolean) => ({
      type: 'characteristic',
      accessoryId: id('Motion'),
      characteristicType: 'motion_detected',
      triggerValue,
    });
    create({ type: 'event', events: [motion(true)], endEvents: [motion(false)] });
    home.driver.event('10:00:00:00:00:04', '1', '9', true);
    await home.settle();
    expect(lampIsOn()).toBe(true);
    home.driver.event('10:00:00:00:00:04', '1', '9', false);
    await home.settle();
    expect(lampIsOn()).toBe(false);
  });
});
