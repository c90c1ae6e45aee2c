/** Native automations as they run: the whole home below the APIs, on a clock that the test moves. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AutomationHome, createAutomationHome } from '../../../support/automation-home.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { systemCaller } from '../../../support/test-home.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Thursday. */
const START = '2026-01-15T12:00:00Z';

let home: AutomationHome;
let directory: TempDirectory | undefined;

beforeEach(() => {
  home = open();
});
afterEach(async () => {
  await home.stop();
  directory?.remove();
  directory = undefined;
});

function open(options: { path?: string; clock?: TestClock } = {}): AutomationHome {
  const opened = createAutomationHome({ sample: true, clock: new TestClock(START), ...options });
  opened.homes.update(systemCaller, opened.home.id, { timeZone: 'UTC' });
  return opened;
}

const id = (name: string) => home.named(name).id;
const shown = (name: string, iid: string) => home.state.characteristic({ accessoryId: id(name), iid })?.value;
const lampIsOn = () => shown('Lamp', '9');
const brightness = () => shown('Lamp', '10');
const on = { characteristicType: 'on', targetValue: true };

async function motion(value: boolean): Promise<void> {
  home.driver.event('10:00:00:00:00:04', '1', '9', value);
  await home.settle();
}
async function switchLamp(value: boolean): Promise<void> {
  await home.control.setCharacteristic(systemCaller, { accessoryId: id('Lamp'), characteristicType: 'on', value });
  await home.settle();
}
const seen = (more: object = {}) => ({
  type: 'event',
  events: [
    { type: 'characteristic', accessoryId: id('Motion'), characteristicType: 'motion_detected', triggerValue: true },
  ],
  ...more,
});
function create(trigger: unknown, actions: readonly object[] = [{ accessoryId: id('Lamp'), ...on }]) {
  const name = `Automation ${home.automations.list(systemCaller).length + 1}`;
  return home.automations.create(systemCaller, { homeId: home.home.id, name, trigger, actions });
}
const get = (automationId: string) => home.automations.get(systemCaller, automationId);

describe('an event', () => {
  it('executes the actions, each time that it happens, and reports when', async () => {
    const automation = create(seen());
    await motion(true);
    expect(lampIsOn()).toBe(true);
    expect(get(automation.id).lastFireAt).toBe(home.clock.now());
    await switchLamp(false);
    await motion(false);
    expect(lampIsOn()).toBe(false);
    await motion(true);
    expect(lampIsOn()).toBe(true);
    expect(home.tracesOf(automation.id).map(({ status }) => status)).toEqual(['success', 'success']);
  });

  it('does nothing once the automation is disabled or deleted', async () => {
    const { id: automationId } = create(seen());
    home.automations.setEnabled(systemCaller, automationId, false);
    await motion(true);
    home.automations.setEnabled(systemCaller, automationId, true);
    home.automations.delete(systemCaller, automationId);
    await motion(false);
    await motion(true);
    expect(lampIsOn()).toBe(false);
  });

  it('goes on where the relay’s account may only view the home', async () => {
    create(seen());
    home.homes.update(systemCaller, home.home.id, { privileges: 'view' });
    await motion(true);
    expect(lampIsOn()).toBe(true);
  });

  it('of a range fires on coming to either end, not on moving within', async () => {
    const temperature = { accessoryId: id('Thermostat'), characteristicType: 'current_temperature' };
    const range = { type: 'characteristic', ...temperature, thresholdMin: 22, thresholdMax: 24 };
    const automation = create({ type: 'event', events: [range] });
    for (const value of [21.9, 22, 23, 24, 24.1, 24, 22.5]) {
      home.driver.event('10:00:00:00:00:02', '1', '9', value);
      await home.settle();
    }
    expect(home.tracesOf(automation.id)).toHaveLength(2);
  });
});

describe('conditions and days', () => {
  it('must hold, or nothing happens and nothing has fired', async () => {
    const unlocked = {
      type: 'characteristic',
      accessoryId: id('Front Door'),
      characteristicType: 'lock_current_state',
    };
    const automation = create(seen({ conditions: [{ ...unlocked, value: 0 }], executeOnce: true }));
    await motion(true);
    expect(lampIsOn()).toBe(false);
    expect(get(automation.id)).toMatchObject({ enabled: true, lastFireAt: null });
    home.driver.event('10:00:00:00:00:03', '1', '9', 0);
    await motion(false);
    await motion(true);
    expect(lampIsOn()).toBe(true);
    expect(get(automation.id).enabled).toBe(false);
  });

  it('restrict it to some days of the week', async () => {
    const automation = create(seen({ recurrences: [{ weekday: 6 }] }));
    await motion(true);
    expect(lampIsOn()).toBe(false);
    await home.clock.advance(DAY);
    await motion(false);
    await motion(true);
    expect(lampIsOn()).toBe(true);
    expect(get(automation.id).lastFireAt).toBe(home.clock.now());
  });

  it('and the next dates know of them', () => {
    const calendar = { type: 'calendar', calendarComponents: { hour: 7 } };
    const automation = create({ type: 'event', events: [calendar], recurrences: [{ weekday: 2 }, { weekday: 3 }] });
    const dates = home.automations.nextFireDates(systemCaller, automation.id, 3);
    const texts = dates.map((at) => new Date(at).toISOString());
    expect(texts).toEqual(['2026-01-19T07:00:00.000Z', '2026-01-20T07:00:00.000Z', '2026-01-26T07:00:00.000Z']);
  });

  it('of days that never come end the search for them', () => {
    const monday = { type: 'calendar', calendarComponents: { hour: 7, weekday: 2 } };
    const automation = create({ type: 'event', events: [monday], recurrences: [{ weekday: 3 }] });
    expect(home.automations.nextFireDates(systemCaller, automation.id, 3)).toEqual([]);
  });
});

describe('executeOnce', () => {
  it('acts once, however fast it is triggered again', async () => {
    const automation = create(seen({ executeOnce: true }));
    home.driver.event('10:00:00:00:00:04', '1', '9', true);
    home.driver.event('10:00:00:00:00:04', '1', '9', false);
    home.driver.event('10:00:00:00:00:04', '1', '9', true);
    await home.settle();
    const [refused, acted] = home.tracesOf(automation.id);
    expect([refused?.blockedReason, acted?.blockedReason]).toEqual(['mode_single', null]);
    expect(get(automation.id).enabled).toBe(false);
    await motion(false);
    await motion(true);
    expect(home.tracesOf(automation.id)).toHaveLength(2);
  });

  it('is not done again after a kill in the middle of it', async () => {
    directory = createTempDirectory();
    const path = directory.file('relay.db');
    await home.stop();
    home = open({ path });
    const automation = create(seen({ executeOnce: true }));
    await motion(true);
    home.kill();
    home = open({ path });
    expect(get(automation.id).enabled).toBe(false);
    await motion(false);
    await motion(true);
    expect(home.tracesOf(automation.id).filter(({ triggerData }) => triggerData.type === 'state')).toEqual([]);
  });
});

describe('a timer', () => {
  it('fires at its date, once, and is disabled then', async () => {
    const automation = create({ type: 'timer', fireDate: '2026-01-15T14:00:00Z' });
    await home.clock.advance(2 * HOUR - 1000);
    expect(lampIsOn()).toBe(false);
    await home.clock.advance(2000);
    await home.settle();
    expect(lampIsOn()).toBe(true);
    expect(get(automation.id).enabled).toBe(false);
    expect(home.automations.nextFireDates(systemCaller, automation.id, 5)).toEqual([]);
  });

  it('fires again and again where it recurs', async () => {
    const automation = create({ type: 'timer', hour: 12, minute: 30, recurrence: { hour: 1 } });
    const dates = home.automations.nextFireDates(systemCaller, automation.id, 2);
    expect(dates.map((at) => new Date(at).toISOString())).toEqual([
      '2026-01-15T12:30:00.000Z',
      '2026-01-15T13:30:00.000Z',
    ]);
    await home.clock.advance(3 * HOUR);
    expect(home.tracesOf(automation.id)).toHaveLength(3);
    expect(get(automation.id).enabled).toBe(true);
  });

  it('that came due while the daemon was down fires at once, or is over as missed', async () => {
    directory = createTempDirectory();
    const path = directory.file('relay.db');
    await home.stop();
    home = open({ path });
    const soon = create({ type: 'timer', fireDate: '2026-01-15T12:57:00Z' });
    const long = create({ type: 'timer', fireDate: '2026-01-15T12:30:00Z' }, [{ accessoryId: id('Heater'), ...on }]);
    await home.settle();
    home.kill();
    home = open({ path, clock: new TestClock('2026-01-15T13:00:00Z') });
    await home.clock.advance(1000);
    await home.settle();
    expect(lampIsOn()).toBe(true);
    expect(shown('Heater', '9')).toBe(false);
    expect(get(soon.id)).toMatchObject({ enabled: false });
    expect(get(soon.id).lastFireAt).not.toBeNull();
    expect(get(long.id)).toMatchObject({ enabled: false, lastFireAt: null });
    expect(home.tracesOf(long.id)).toMatchObject([{ blockedReason: 'missed' }]);
  });
});

describe('an end event', () => {
  const dim = () => [{ accessoryId: id('Lamp'), characteristicType: 'brightness', targetValue: 90 }];
  const still = () => ({
    type: 'characteristic',
    accessoryId: id('Motion'),
    characteristicType: 'motion_detected',
    triggerValue: false,
  });
  const timed = { endEvents: [{ type: 'duration', durationSeconds: 300 }] };

  it('puts back what the actions had changed', async () => {
    create(seen({ endEvents: [still()] }), [...dim(), { accessoryId: id('Lamp'), ...on }]);
    await motion(true);
    expect([lampIsOn(), brightness()]).toEqual([true, 90]);
    await home.clock.advance(HOUR);
    await motion(false);
    expect([lampIsOn(), brightness()]).toEqual([false, 50]);
    await motion(true);
    expect([lampIsOn(), brightness()]).toEqual([true, 90]);
  });

  it('of a duration comes that long after it was triggered', async () => {
    const automation = create(seen(timed));
    await motion(true);
    await home.clock.advance(5 * MINUTE - 2000);
    expect(lampIsOn()).toBe(true);
    await home.clock.advance(4000);
    await home.settle();
    expect(lampIsOn()).toBe(false);
    expect(home.tracesOf(automation.id)).toMatchObject([{ status: 'success' }]);
  });

  it('of a duration moves along, and the actions are done again, when it is triggered meanwhile', async () => {
    const automation = create(seen(timed));
    await motion(true);
    await home.clock.advance(4 * MINUTE);
    await switchLamp(false);
    await motion(false);
    await motion(true);
    expect(lampIsOn()).toBe(true);
    expect(get(automation.id).lastFireAt).toBe(home.clock.now());
    await home.clock.advance(4 * MINUTE);
    expect(lampIsOn()).toBe(true);
    await home.clock.advance(MINUTE + 2000);
    await home.settle();
    expect(lampIsOn()).toBe(false);
  });

  it('of what acts once comes all the same, and no trigger starts it meanwhile', async () => {
    const automation = create(seen({ ...timed, executeOnce: true }));
    await motion(true);
    expect([lampIsOn(), get(automation.id).enabled]).toEqual([true, false]);
    await home.clock.advance(4 * MINUTE);
    await motion(false);
    await motion(true);
    await home.clock.advance(MINUTE + 2000);
    await home.settle();
    expect(lampIsOn()).toBe(false);
  });

  it('is waited for across a kill', async () => {
    directory = createTempDirectory();
    const path = directory.file('relay.db');
    await home.stop();
    home = open({ path });
    const automation = create(seen(timed), dim());
    await motion(true);
    expect(brightness()).toBe(90);
    home.kill();
    home = open({ path, clock: new TestClock('2026-01-15T12:03:00Z') });
    home.driver.event('10:00:00:00:00:01', '1', '10', 90);
    await home.clock.advance(MINUTE);
    expect(brightness()).toBe(90);
    await home.clock.advance(MINUTE + 2000);
    await home.settle();
    expect(brightness()).toBe(50);
    expect(home.tracesOf(automation.id)[0]).toMatchObject({ status: 'success' });
  });
});

describe('its scene', () => {
  it('names the automation, and cannot be deleted without it', () => {
    const automation = create(seen());
    const scene = home.scenes.get(systemCaller, automation.sceneId);
    expect(scene.automationName).toBe(automation.name);
    expect(() => home.scenes.delete(systemCaller, scene.id)).toThrow(`automation "${automation.name}"`);
  });
});

describe('an accessory that it watches', () => {
  it('is in use: a virtual one is not deleted', () => {
    const made = { homeId: home.home.id, name: 'Holiday', type: 'switch' };
    const virtual = home.virtuals.create(systemCaller, made);
    const automation = create({
      type: 'event',
      events: [{ type: 'characteristic', accessoryId: virtual.id, characteristicType: 'on' }],
    });
    expect(() => home.virtuals.delete(systemCaller, virtual.id)).toThrow(`the automation "${automation.name}"`);
  });
});
