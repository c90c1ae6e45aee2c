import { beforeEach, describe, expect, it } from 'vitest';
import type { HomeAccessory } from '../../../src/web/dashboard/home/home-document.ts';
import { HomeStore } from '../../../src/web/dashboard/home/home-store.ts';
import { asWanted } from '../../../src/web/dashboard/home/wanted.ts';
import { accessoryOf, groupOf, heldBy, homeOf, lampOf, TestTimes } from './sample-home.ts';

const POWER = 'lamp.2';

let times: TestTimes;
let store: HomeStore;

beforeEach(() => {
  times = new TestTimes();
  store = new HomeStore(times);
  store.load(homeOf([lampOf('lamp')]));
  times.frame();
});

const power = () => heldBy(store.accessory('lamp'), 'power_state');
/** What was asked for, as long as it is not confirmed. */
const wanted = (id = 'lamp') => {
  const accessory = store.accessory(id);
  return accessory && heldBy(asWanted(accessory), 'power_state');
};

describe('what a user sets', () => {
  it('is wanted at once, and counts once the device confirms it', () => {
    store.expect('lamp', POWER, true);
    expect([power(), wanted()]).toEqual([false, true]);
    expect(store.accessory('lamp')?.isPending).toBe(true);
    store.confirm('lamp', 'power_state', true);
    expect([power(), wanted()]).toEqual([true, true]);
    expect(store.accessory('lamp')?.wanted).toBeUndefined();
  });

  it('is nothing to confirm if the device has that value', () => {
    store.expect('lamp', POWER, true);
    store.expect('lamp', POWER, false);
    expect([power(), store.accessory('lamp')?.wanted]).toEqual([false, undefined]);
  });

  it('stays as the device confirms it', () => {
    const write = store.expect('lamp', POWER, true);
    store.settle('lamp', POWER, write, { value: true });
    expect(power()).toBe(true);
    expect(store.accessory('lamp')?.isPending).toBeUndefined();
  });

  it('goes back to the device’s last value if it refuses', () => {
    const write = store.expect('lamp', POWER, true);
    store.settle('lamp', POWER, write);
    expect(power()).toBe(false);
  });

  it('stays while events carry what was before, and counts for nothing once it is refused', () => {
    const write = store.expect('lamp', POWER, true);
    store.confirm('lamp', 'power_state', false);
    expect([power(), wanted()]).toEqual([false, true]);
    store.settle('lamp', POWER, write);
    expect([power(), wanted()]).toEqual([false, false]);
  });

  it('stays while the home is read again', () => {
    const write = store.expect('lamp', POWER, true);
    store.load(homeOf([lampOf('lamp', false)]));
    expect([power(), wanted()]).toEqual([false, true]);
    store.settle('lamp', POWER, write);
    expect([power(), wanted()]).toEqual([false, false]);
  });

  it('is not ended by the answer to an earlier write', () => {
    const first = store.expect('lamp', POWER, true);
    store.expect('lamp', POWER, false);
    store.settle('lamp', POWER, first, { value: true });
    expect([power(), wanted()]).toEqual([true, false]);
    expect(store.isPending(POWER)).toBe(true);
  });
});

describe('a device that does not answer', () => {
  const BRIGHTNESS = 'lamp.3';

  it('is waited for after a second, with its switch as it was and a dragged value as it was set', () => {
    store.expect('lamp', POWER, true);
    store.expect('lamp', BRIGHTNESS, 80);
    times.pass(999);
    expect([store.accessory('lamp')?.isWaiting, power(), wanted()]).toEqual([undefined, false, true]);
    times.pass(1);
    expect([store.accessory('lamp')?.isWaiting, power(), wanted()]).toEqual([true, false, false]);
    expect(heldBy(store.accessory('lamp'), 'brightness')).toBe(80);
  });

  it('is shown as it is once it answers late, or not at all', () => {
    const first = store.expect('lamp', POWER, true);
    times.pass(1_000);
    store.settle('lamp', POWER, first, { value: true });
    expect([store.accessory('lamp')?.isWaiting, power()]).toEqual([undefined, true]);
    const second = store.expect('lamp', POWER, false);
    times.pass(1_000);
    expect(power()).toBe(true);
    store.settle('lamp', POWER, second);
    expect([store.accessory('lamp')?.isWaiting, power()]).toEqual([undefined, true]);
  });

  it('is waited for from the first command on, also if another one follows', () => {
    store.expect('lamp', POWER, true);
    times.pass(900);
    store.expect('lamp', POWER, true);
    times.pass(100);
    expect(power()).toBe(false);
    store.expect('lamp', POWER, true);
    expect(power()).toBe(false);
  });

  it('is not waited for while it answers one command after another', () => {
    const first = store.expect('lamp', BRIGHTNESS, 50);
    times.pass(900);
    store.expect('lamp', BRIGHTNESS, 60);
    store.settle('lamp', BRIGHTNESS, first, { value: 50 });
    times.pass(900);
    expect(store.accessory('lamp')?.isWaiting).toBeUndefined();
    times.pass(100);
    expect(store.accessory('lamp')?.isWaiting).toBe(true);
  });

  it('stays as it was while the home is read again, and while it reports an old value', () => {
    store.expect('lamp', POWER, true);
    times.pass(1_000);
    store.load(homeOf([lampOf('lamp', false)]));
    expect([store.accessory('lamp')?.isWaiting, power()]).toEqual([true, false]);
    store.confirm('lamp', 'power_state', false);
    expect(power()).toBe(false);
    store.confirm('lamp', 'power_state', true);
    expect(power()).toBe(true);
  });

  it('makes its groups wait as well', () => {
    store.load(homeOf([lampOf('lamp')], [groupOf(lampOf('group'), [lampOf('lamp')])]));
    store.expect('lamp', POWER, true);
    expect([heldBy(store.accessory('group'), 'power_state'), wanted('group')]).toEqual([false, true]);
    times.pass(1_000);
    expect(store.accessory('group')?.isWaiting).toBe(true);
    expect([heldBy(store.accessory('group'), 'power_state'), wanted('group')]).toEqual([false, false]);
  });
});

describe('what the relay sends', () => {
  it('reaches an accessory within one frame, however much there was', () => {
    let reported = 0;
    store.subscribe('lamp', () => {
      reported += 1;
    });
    for (let brightness = 0; brightness <= 100; brightness += 1) store.confirm('lamp', 'brightness', brightness);
    expect(reported).toBe(0);
    expect(times.frame()).toBe(1);
    expect(reported).toBe(1);
    expect(heldBy(store.accessory('lamp'), 'brightness')).toBe(100);
  });

  it('draws nothing again where nothing is different', () => {
    const before = store.accessory('lamp');
    store.confirm('lamp', 'power_state', false);
    store.load(homeOf([lampOf('lamp')]));
    expect(store.accessory('lamp')).toBe(before);
    expect(times.frame()).toBe(0);
  });

  it('is newer than a home that was asked for before it, and older than one that was not', () => {
    store.confirm('lamp', 'power_state', true);
    store.load(homeOf([lampOf('lamp', false)]));
    expect(power()).toBe(true);
    times.pass(15_000);
    store.load(homeOf([lampOf('lamp', false)]));
    expect(power()).toBe(false);
  });

  it('is older than the answer to what was set after it, and than what was missed after it', () => {
    store.confirm('lamp', 'power_state', false);
    const write = store.expect('lamp', POWER, true);
    store.settle('lamp', POWER, write, { value: true });
    store.load(homeOf([lampOf('lamp', true)]));
    expect(power()).toBe(true);
    store.confirm('lamp', 'power_state', false);
    store.forgetReports();
    store.load(homeOf([lampOf('lamp', true)]));
    expect(power()).toBe(true);
  });

  it('counts for an accessory that arrives after it', () => {
    store.setReachable('new', true, '2026-02-02T00:00:00.000Z');
    store.confirm('new', 'power_state', true);
    const silent = { ...lampOf('new', false), isReachable: false };
    store.load(homeOf([silent]));
    expect(store.accessory('new')?.isReachable).toBe(true);
    expect(heldBy(store.accessory('new'), 'power_state')).toBe(true);
    // The home was asked for before the accessory answered, and arrives after the event.
    store.load(homeOf([{ ...silent, name: 'New' }]));
    expect(store.accessory('new')?.isReachable).toBe(true);
    times.pass(15_000);
    store.load(homeOf([silent]));
    expect(store.accessory('new')?.isReachable).toBe(false);
  });

  it('distinguishes 500 accessories: of 1,000 changes to ten of them, ten are drawn again', () => {
    const lamps = Array.from({ length: 500 }, (_, index) => lampOf(`lamp ${index}`));
    store.load(homeOf(lamps));
    times.frame();
    const before = lamps.map(({ id }) => store.accessory(id));
    const drawn = new Map<string, number>();
    for (const { id } of lamps) store.subscribe(id, () => drawn.set(id, (drawn.get(id) ?? 0) + 1));
    for (let change = 0; change < 1000; change += 1) {
      store.confirm(`lamp ${change % 10}`, 'brightness', 60 + (change % 7));
    }
    times.frame();
    expect(drawn.size).toBe(10);
    expect([...drawn.values()].every((count) => count === 1)).toBe(true);
    expect(lamps.filter(({ id }, index) => store.accessory(id) !== before[index])).toHaveLength(10);
  });

  it('makes an accessory silent, with when it was last seen, and lets one that is gone go', () => {
    store.setReachable('lamp', false, '2026-02-02T00:00:00.000Z');
    expect(store.accessory('lamp')).toMatchObject({ isReachable: false, lastSeenAt: '2026-01-01T12:00:00.000Z' });
    let reported = 0;
    store.subscribe('lamp', () => {
      reported += 1;
    });
    store.load(homeOf([]));
    times.frame();
    expect(store.accessory('lamp')).toBeUndefined();
    expect(reported).toBe(1);
  });
});

describe('a press of a button', () => {
  beforeEach(() => {
    store.load(
      homeOf([accessoryOf('button', 'button', { stateless_programmable_switch: { programmable_switch_event: null } })]),
    );
  });

  it('is shown for ten seconds, and a second one alike is another one', () => {
    store.confirm('button', 'programmable_switch_event', 0, 'button.1');
    const first = store.accessory('button')?.lastPress;
    expect(first).toMatchObject({ value: 0, serviceId: 'button.1' });
    times.pass(6_000);
    store.confirm('button', 'programmable_switch_event', 0, 'button.1');
    expect(store.accessory('button')?.lastPress?.number).not.toBe(first?.number);
    times.pass(6_000);
    expect(store.accessory('button')?.lastPress).toBeDefined();
    times.pass(6_000);
    expect(store.accessory('button')?.lastPress).toBeUndefined();
    expect(heldBy(store.accessory('button'), 'programmable_switch_event')).toBeNull();
  });

  it('outlives that the home is read again', () => {
    store.confirm('button', 'programmable_switch_event', 2, 'button.1');
    store.load(
      homeOf([accessoryOf('button', 'button', { stateless_programmable_switch: { programmable_switch_event: 2 } })]),
    );
    expect(store.accessory('button')?.lastPress?.value).toBe(2);
  });
});

describe('a service group', () => {
  const hue = (value: number) => ({ value, format: 'float', minValue: 0, maxValue: 360, minStep: 1 });
  const colourLamp = (id: string, isOn: boolean, brightness: number, degrees: number) =>
    accessoryOf(id, 'light', {
      lightbulb: {
        power_state: isOn,
        brightness: { value: brightness, minValue: 0, maxValue: 100, minStep: 1 },
        hue: hue(degrees),
      },
    });
  let members: readonly HomeAccessory[];
  const shown = (type: string) => heldBy(store.accessory('group'), type);

  beforeEach(() => {
    members = [colourLamp('a', true, 20, 350), colourLamp('b', true, 60, 10), colourLamp('c', false, 100, 180)];
    store.load(homeOf(members, [groupOf(colourLamp('group', false, 0, 0), members)]));
    times.frame();
  });

  it('is on if any member is, and has the mean of those that are on; red and red is red', () => {
    expect([shown('power_state'), shown('brightness'), shown('hue')]).toEqual([true, 40, 0]);
  });

  it('counts those that are on among those that answer', () => {
    expect(store.accessory('group')?.running).toEqual({ on: 2, all: 3 });
    store.confirm('a', 'power_state', false);
    expect(store.accessory('group')?.running).toEqual({ on: 1, all: 3 });
    store.setReachable('c', false, '');
    expect(store.accessory('group')?.running).toEqual({ on: 1, all: 2 });
  });

  it('follows its members within the same frame, and reports it once', () => {
    let reported = 0;
    store.subscribe('group', () => {
      reported += 1;
    });
    store.confirm('a', 'power_state', false);
    store.confirm('b', 'power_state', false);
    times.frame();
    expect(reported).toBe(1);
    expect(shown('power_state')).toBe(false);
    // None is on: the mean of all.
    expect(shown('brightness')).toBe(60);
  });

  it('answers as long as one member does, and does not count those that are gone', () => {
    store.setReachable('a', false, '');
    store.setReachable('b', false, '');
    expect(store.accessory('group')?.isReachable).toBe(true);
    store.setReachable('c', false, '');
    expect(store.accessory('group')?.isReachable).toBe(false);
    const [first, ...others] = members;
    const gone = first && [{ ...first, vanishedAt: '2026-01-01T00:00:00Z' }, ...others];
    store.load(homeOf(gone ?? [], [groupOf(colourLamp('group', false, 0, 0), members)]));
    expect(shown('brightness')).toBe(60);
  });
});
