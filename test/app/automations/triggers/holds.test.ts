import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Trigger } from '../../../../src/app/automations/flow.ts';
import { HoldStore } from '../../../../src/app/automations/triggers/hold-store.ts';
import { openDatabase } from '../../../../src/storage/database.ts';
import { motionSensor } from '../../../support/sample-accessories.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { SAMPLE_DEVICES } from '../../../support/test-home.ts';
import { createTriggerLab, GRACE_MS, MOTION, THERMOSTAT, type TriggerLab } from './trigger-lab.ts';

const MINUTE = 60_000;

let directory: TempDirectory;
let lab: TriggerLab;
beforeEach(() => {
  directory = createTempDirectory('holds');
  lab = createTriggerLab({ path: directory.file('relay.db') });
});
afterEach(() => {
  if (lab.database.open) lab.close();
  directory.remove();
});

const idOf = (name: string): string => lab.named(name).id;
const stillFor = (minutes: number) =>
  ({
    type: 'state',
    accessoryId: idOf('Motion'),
    characteristicType: 'motion_detected',
    to: false,
    for: { minutes },
  }) as const;

/** Kills the daemon and starts it again after a while, with the devices of the sample home or none as yet. */
function restart(downMs: number, sample = true): void {
  lab.kill();
  const clock = new TestClock(lab.clock.now() + downMs);
  lab = createTriggerLab({ path: directory.file('relay.db'), clock, sample });
}

describe('"for"', () => {
  it('fires once it has been so for that long, in the transaction that ends the hold', async () => {
    const { fired } = lab.watch(stillFor(5));
    lab.report(MOTION, '9', true);
    lab.report(MOTION, '9', false);
    const began = lab.clock.now();
    await lab.clock.advance(5 * MINUTE - 1);
    expect(fired).toEqual([]);
    await lab.clock.advance(1);
    expect(fired.map(({ at, durable }) => [at - began, durable])).toEqual([[5 * MINUTE, true]]);
    expect(fired[0]?.data).toMatchObject({ from_value: true, to_value: false });
    await lab.clock.advance(60 * MINUTE);
    expect(fired).toHaveLength(1);
  });

  it('begins anew when it was not so in between', async () => {
    const { fired } = lab.watch(stillFor(5));
    for (const value of [true, false]) lab.report(MOTION, '9', value);
    await lab.clock.advance(4 * MINUTE);
    for (const value of [true, false]) lab.report(MOTION, '9', value);
    await lab.clock.advance(4 * MINUTE);
    expect(fired).toEqual([]);
    await lab.clock.advance(MINUTE);
    expect(fired).toHaveLength(1);
  });

  it('does not begin because it is so already', async () => {
    const { fired } = lab.watch(stillFor(5));
    await lab.clock.advance(10 * MINUTE);
    expect(fired).toEqual([]);
  });

  it('holds each value by itself where none is named', async () => {
    const target = {
      type: 'state',
      accessoryId: idOf('Thermostat'),
      characteristicType: 'target_temperature',
    } as const;
    const { fired } = lab.watch({ ...target, for: { minutes: 1 } });
    lab.report(THERMOSTAT, '10', 22);
    await lab.clock.advance(MINUTE / 2);
    lab.report(THERMOSTAT, '10', 23);
    await lab.clock.advance(2 * MINUTE);
    expect(fired.map(({ data }) => data.to_value)).toEqual([23]);
  });

  it('of a number goes on wherever in the range it is, and ends outside', async () => {
    const target = {
      type: 'numeric_state',
      accessoryId: idOf('Thermostat'),
      characteristicType: 'current_temperature',
    } as const;
    const { fired } = lab.watch({ ...target, above: 25, for: { minutes: 10 } });
    lab.report(THERMOSTAT, '9', 26);
    await lab.clock.advance(5 * MINUTE);
    lab.report(THERMOSTAT, '9', 27);
    await lab.clock.advance(5 * MINUTE);
    expect(fired).toHaveLength(1);
    lab.report(THERMOSTAT, '9', 24);
    lab.report(THERMOSTAT, '9', 26);
    await lab.clock.advance(5 * MINUTE);
    lab.report(THERMOSTAT, '9', 25);
    await lab.clock.advance(20 * MINUTE);
    expect(fired).toHaveLength(1);
  });

  it('lasts no longer for a clock that is set back, and says so to the disk', async () => {
    const { fired } = lab.watch(stillFor(5));
    for (const value of [true, false]) lab.report(MOTION, '9', value);
    await lab.clock.advance(2 * MINUTE);
    lab.clock.jumpWallClock(-60 * MINUTE);
    await lab.clock.advance(MINUTE);
    const kept = lab.holds.find('automation/trigger');
    expect((kept?.dueAt ?? 0) - lab.clock.now()).toBe(2 * MINUTE);
    await lab.clock.advance(2 * MINUTE);
    expect(fired).toHaveLength(1);
  });

  it('fires even if nothing can be written', async () => {
    const { fired } = lab.watch(stillFor(5));
    for (const value of [true, false]) lab.report(MOTION, '9', value);
    await lab.clock.advance(MINUTE);
    lab.holds.transaction = () => {
      throw new Error('disk full');
    };
    await lab.clock.advance(5 * MINUTE);
    expect(fired.map(({ durable }) => durable)).toEqual([false]);
  });

  it('is missed where the machine slept through more than the grace period', async () => {
    const { fired, missed } = lab.watch(stillFor(5));
    for (const value of [true, false]) lab.report(MOTION, '9', value);
    const due = lab.clock.now() + 5 * MINUTE;
    lab.clock.jumpWallClock(5 * MINUTE + GRACE_MS + 1);
    await lab.clock.advance(1_000);
    expect([fired, missed]).toEqual([[], [due]]);
    expect(lab.holds.find('automation/trigger')).toBeUndefined();
  });
});

describe('"for" over a restart', () => {
  function begin(minutes = 5): ReturnType<typeof stillFor> {
    const trigger = stillFor(minutes);
    lab.watch(trigger);
    for (const value of [true, false]) lab.report(MOTION, '9', value);
    return trigger;
  }

  it('goes on where it was', async () => {
    const trigger = begin();
    const due = lab.clock.now() + 5 * MINUTE;
    await lab.clock.advance(MINUTE);
    restart(MINUTE);
    const { fired } = lab.watch(trigger);
    await lab.clock.advance(10 * MINUTE);
    expect(fired.map(({ at }) => at)).toEqual([due]);
    expect(fired[0]?.data).toMatchObject({ from_value: true, to_value: false });
  });

  it('lasts no longer where the clock was set back meanwhile', async () => {
    const trigger = begin();
    await lab.clock.advance(MINUTE);
    restart(-5 * 365 * 24 * 60 * MINUTE);
    const { fired, missed } = lab.watch(trigger);
    await lab.clock.advance(5 * MINUTE);
    expect([fired.length, missed]).toEqual([1, []]);
  });

  it('lasts as long as it would have where the clock is put right after the start', async () => {
    const trigger = begin();
    const due = lab.clock.now() + 5 * MINUTE;
    await lab.clock.advance(MINUTE);
    restart(-60 * MINUTE);
    const { fired, missed } = lab.watch(trigger);
    await lab.clock.advance(MINUTE);
    lab.clock.jumpWallClock(60 * MINUTE);
    await lab.clock.advance(5 * MINUTE);
    expect([fired.map(({ at }) => at), missed]).toEqual([[due], []]);
  });

  it('fires late where it came due within the grace period', async () => {
    const trigger = begin();
    restart(5 * MINUTE + GRACE_MS - 2_000);
    const { fired, missed } = lab.watch(trigger);
    expect(fired).toEqual([]);
    await lab.clock.advance(1_000);
    expect([fired.length, missed]).toEqual([1, []]);
  });

  it('is missed where it came due before that, and says so once', async () => {
    const trigger = begin();
    const due = lab.clock.now() + 5 * MINUTE;
    restart(5 * MINUTE + GRACE_MS + 1);
    const { fired, missed } = lab.watch(trigger);
    await lab.clock.advance(10 * MINUTE);
    expect([fired, missed]).toEqual([[], [due]]);
    restart(MINUTE);
    const again = lab.watch(trigger);
    await lab.clock.advance(10 * MINUTE);
    expect([again.fired, again.missed]).toEqual([[], []]);
  });

  it('ends where the device says that it is no longer so', async () => {
    const trigger = begin();
    restart(MINUTE);
    const { fired, missed } = lab.watch(trigger);
    lab.report(MOTION, '9', true);
    await lab.clock.advance(20 * MINUTE);
    expect([fired, missed]).toEqual([[], []]);
  });

  it('hears the device before it fires late', async () => {
    const trigger = begin();
    restart(6 * MINUTE, false);
    const { fired } = lab.watch(trigger);
    await lab.clock.advance(3_000);
    expect(fired).toEqual([]);
    for (const device of SAMPLE_DEVICES) lab.attach(device);
    lab.report(MOTION, '9', true);
    await lab.clock.advance(60 * MINUTE);
    expect(fired).toEqual([]);
  });

  it('fires late once the device has said that it is still so', async () => {
    const trigger = begin();
    restart(6 * MINUTE, false);
    const { fired } = lab.watch(trigger);
    await lab.clock.advance(3_000);
    for (const device of SAMPLE_DEVICES) lab.attach(device);
    await lab.clock.advance(2_000);
    expect(fired).toHaveLength(1);
  });

  it('goes by what is remembered where the device stays silent', async () => {
    const trigger = begin();
    restart(6 * MINUTE, false);
    const { fired } = lab.watch(trigger);
    for (const device of SAMPLE_DEVICES) lab.attach(device);
    lab.driver.setReachable(MOTION, false);
    await lab.clock.advance(20_000);
    expect(fired).toEqual([]);
    await lab.clock.advance(20_000);
    expect(fired).toHaveLength(1);
  });

  it('is missed where the device is never described again', async () => {
    const trigger = begin();
    const due = lab.clock.now() + 5 * MINUTE;
    restart(6 * MINUTE, false);
    const { fired, missed } = lab.watch(trigger);
    await lab.clock.advance(MINUTE);
    expect([fired, missed]).toEqual([[], [due]]);
  });

  it('goes on where the device only confirms what had not been written yet', async () => {
    const trigger = { ...stillFor(5), to: true } as const;
    lab.watch(trigger);
    lab.report(MOTION, '9', true);
    const due = lab.clock.now() + 5 * MINUTE;
    await lab.clock.advance(MINUTE);
    restart(MINUTE, false);
    const { fired } = lab.watch(trigger);
    for (const device of SAMPLE_DEVICES) lab.attach(device);
    lab.report(MOTION, '9', true);
    await lab.clock.advance(10 * MINUTE);
    expect(fired.map(({ at }) => at)).toEqual([due]);
  });

  it('keeps the hold of a trigger that is ended by a stop, and forgets it when told to', async () => {
    const { stop } = lab.watch(stillFor(5));
    for (const value of [true, false]) lab.report(MOTION, '9', value);
    stop();
    expect(lab.holds.find('automation/trigger')).toBeDefined();
    lab.holds.delete('automation/trigger');
    lab.holds.flush();
    expect(new HoldStore(lab.database).find('automation/trigger')).toBeUndefined();
  });
});

describe('a duration', () => {
  const later: Omit<Extract<Trigger, { type: 'duration' }>, 'id' | 'enabled'> = { type: 'duration', seconds: 90 };

  it('is over so long after the watching began, across restarts', async () => {
    const since = lab.clock.now();
    lab.watch(later, 'wait', since);
    await lab.clock.advance(30_000);
    restart(30_000);
    const { fired } = lab.watch(later, 'wait', since);
    await lab.clock.advance(60_000);
    expect(fired.map(({ at, durable }) => [at - since, durable])).toEqual([[90_000, true]]);
  });

  it('takes no longer for a clock that is set back', async () => {
    const { fired } = lab.watch(later, 'wait');
    lab.clock.jumpWallClock(-60 * MINUTE);
    await lab.clock.advance(90_000);
    expect(fired).toHaveLength(1);
  });
});

describe('the store of holds', () => {
  const hold = { sinceAt: 1, dueAt: 2, data: { a: 1 } };
  const turn = () => new Promise(setImmediate);

  it('writes all that began in one turn in one commit, before the turn is over', async () => {
    const path = directory.file('other.db');
    const database = openDatabase(path);
    const store = new HoldStore(database);
    let commits = 0;
    const transaction = database.transaction.bind(database);
    database.transaction = ((write: () => unknown) => {
      commits += 1;
      return transaction(write);
    }) as typeof database.transaction;
    for (const key of ['a', 'b', 'c']) store.save(key, hold);
    store.delete('b');
    await turn();
    expect(commits).toBe(1);
    const reader = openDatabase(path);
    const read = new HoldStore(reader);
    expect(['a', 'b', 'c'].map((key) => read.find(key))).toEqual([hold, undefined, hold]);
    reader.close();
    database.close();
  });

  it('keeps nothing of a transaction that fails but what it had in memory, and writes that with the next', async () => {
    const store = new HoldStore(lab.database);
    store.save('a', hold);
    await turn();
    expect(() =>
      store.transaction(() => {
        store.delete('a');
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(new HoldStore(lab.database).find('a')).toEqual(hold);
    store.flush();
    expect(new HoldStore(lab.database).find('a')).toBeUndefined();
  });

  it('forgets all but the keys that it is told to keep', () => {
    const store = new HoldStore(lab.database);
    for (const key of ['a', 'b']) store.save(key, hold);
    store.retain(new Set(['b']));
    store.flush();
    const read = new HoldStore(lab.database);
    expect([read.find('a'), read.find('b')]).toEqual([undefined, hold]);
  });

  it('takes a row that rotted for none', () => {
    lab.database.prepare("INSERT INTO holds VALUES ('x', 1, 2, '{')").run();
    expect(new HoldStore(lab.database).find('x')).toBeUndefined();
  });

  it('only remembers without a database', () => {
    const store = new HoldStore(null);
    store.save('a', hold);
    expect(store.transaction(() => store.find('a'))).toEqual(hold);
  });
});

it('watches what a motion sensor is described as only after the watching began', () => {
  lab.close();
  lab = createTriggerLab({ sample: false });
  lab.attach({
    deviceId: MOTION,
    name: 'Motion',
    setupCode: '031-45-157',
    accessories: [{ ...motionSensor(), services: [] }],
  });
  const { fired } = lab.watch({ type: 'state', accessoryId: idOf('Motion'), characteristicType: 'motion_detected' });
  lab.driver.describe(MOTION, [motionSensor()]);
  expect(fired).toEqual([]);
  lab.report(MOTION, '9', true);
  expect(fired).toHaveLength(1);
});
