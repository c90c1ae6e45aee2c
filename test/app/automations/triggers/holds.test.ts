import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HoldStore } from '../../../../src/app/automations/triggers/hold-store.ts';
import type { Trigger } from '../../../../src/app/automations/triggers/index.ts';
import { openDatabase } from '../../../../src/storage/database.ts';
import { motionSensor } from '../../../support/sample-accessories.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { SAMPLE_DEVICES, systemCaller } from '../../../support/test-home.ts';
import { createTriggerFixture, GRACE_MS, MOTION, THERMOSTAT, type TriggerFixture } from './trigger-fixture.ts';

const MINUTE = 60_000;

let directory: TempDirectory;
let fixture: TriggerFixture;
beforeEach(() => {
  directory = createTempDirectory('holds');
  fixture = createTriggerFixture({ path: directory.file('relay.db') });
});
afterEach(() => {
  if (fixture.database.open) fixture.close();
  directory.remove();
});

const idOf = (name: string): string => fixture.named(name).id;
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
  fixture.kill();
  const clock = new TestClock(fixture.clock.now() + downMs);
  fixture = createTriggerFixture({ path: directory.file('relay.db'), clock, sample });
}

describe('"for"', () => {
  it('fires once it has been so for that long, in the transaction that ends the hold', async () => {
    const { fired } = fixture.watch(stillFor(5));
    fixture.report(MOTION, '9', true);
    fixture.report(MOTION, '9', false);
    const began = fixture.clock.now();
    await fixture.clock.advance(5 * MINUTE - 1);
    expect(fired).toEqual([]);
    await fixture.clock.advance(1);
    expect(fired.map(({ at, durable }) => [at - began, durable])).toEqual([[5 * MINUTE, true]]);
    expect(fired[0]?.data).toMatchObject({ from_value: true, to_value: false });
    await fixture.clock.advance(60 * MINUTE);
    expect(fired).toHaveLength(1);
  });

  it('restarts when it was not so in between', async () => {
    const { fired } = fixture.watch(stillFor(5));
    for (const value of [true, false]) fixture.report(MOTION, '9', value);
    await fixture.clock.advance(4 * MINUTE);
    for (const value of [true, false]) fixture.report(MOTION, '9', value);
    await fixture.clock.advance(4 * MINUTE);
    expect(fired).toEqual([]);
    await fixture.clock.advance(MINUTE);
    expect(fired).toHaveLength(1);
  });

  it('does not begin because it is so already', async () => {
    const { fired } = fixture.watch(stillFor(5));
    await fixture.clock.advance(10 * MINUTE);
    expect(fired).toEqual([]);
  });

  it('holds each value by itself where none is named', async () => {
    const target = {
      type: 'state',
      accessoryId: idOf('Thermostat'),
      characteristicType: 'target_temperature',
    } as const;
    const { fired } = fixture.watch({ ...target, for: { minutes: 1 } });
    fixture.report(THERMOSTAT, '10', 22);
    await fixture.clock.advance(MINUTE / 2);
    fixture.report(THERMOSTAT, '10', 23);
    await fixture.clock.advance(2 * MINUTE);
    expect(fired.map(({ data }) => data.to_value)).toEqual([23]);
  });

  it('of a number goes on wherever in the range it is, and ends outside', async () => {
    const target = {
      type: 'numeric_state',
      accessoryId: idOf('Thermostat'),
      characteristicType: 'current_temperature',
    } as const;
    const { fired } = fixture.watch({ ...target, above: 25, for: { minutes: 10 } });
    fixture.report(THERMOSTAT, '9', 26);
    await fixture.clock.advance(5 * MINUTE);
    fixture.report(THERMOSTAT, '9', 27);
    await fixture.clock.advance(5 * MINUTE);
    expect(fired).toHaveLength(1);
    fixture.report(THERMOSTAT, '9', 24);
    fixture.report(THERMOSTAT, '9', 26);
    await fixture.clock.advance(5 * MINUTE);
    fixture.report(THERMOSTAT, '9', 25);
    await fixture.clock.advance(20 * MINUTE);
    expect(fired).toHaveLength(1);
  });

  it('lasts no longer for a clock that is set back, and stores that', async () => {
    const { fired } = fixture.watch(stillFor(5));
    for (const value of [true, false]) fixture.report(MOTION, '9', value);
    await fixture.clock.advance(2 * MINUTE);
    fixture.clock.jumpWallClock(-60 * MINUTE);
    await fixture.clock.advance(MINUTE);
    const kept = fixture.holds.find('automation/trigger');
    expect((kept?.dueAt ?? 0) - fixture.clock.now()).toBe(2 * MINUTE);
    await fixture.clock.advance(2 * MINUTE);
    expect(fired).toHaveLength(1);
  });

  it('fires even if nothing can be written', async () => {
    const { fired } = fixture.watch(stillFor(5));
    for (const value of [true, false]) fixture.report(MOTION, '9', value);
    await fixture.clock.advance(MINUTE);
    fixture.holds.transaction = () => {
      throw new Error('disk full');
    };
    await fixture.clock.advance(5 * MINUTE);
    expect(fired.map(({ durable }) => durable)).toEqual([false]);
  });

  it('is missed where the machine slept through more than the grace period', async () => {
    const { fired, missed } = fixture.watch(stillFor(5));
    for (const value of [true, false]) fixture.report(MOTION, '9', value);
    const due = fixture.clock.now() + 5 * MINUTE;
    fixture.clock.jumpWallClock(5 * MINUTE + GRACE_MS + 1);
    await fixture.clock.advance(1_000);
    expect([fired, missed]).toEqual([[], [due]]);
    expect(fixture.holds.find('automation/trigger')).toBeUndefined();
  });
});

describe('"for" over a restart', () => {
  it('is stored before a command that began it is answered', async () => {
    const { home, virtuals, database } = fixture;
    const { id } = virtuals.create(systemCaller, { homeId: home.id, name: 'Guests', type: 'input_boolean' });
    fixture.watch({ type: 'state', accessoryId: id, characteristicType: 'on', to: true, for: { minutes: 5 } });
    virtuals.operate(systemCaller, id, 'turn_on');
    // An answer takes a promise at least.
    await Promise.resolve();
    expect(database.prepare('SELECT key FROM holds').pluck().all()).toEqual(['automation/trigger']);
  });

  function begin(minutes = 5): ReturnType<typeof stillFor> {
    const trigger = stillFor(minutes);
    fixture.watch(trigger);
    for (const value of [true, false]) fixture.report(MOTION, '9', value);
    return trigger;
  }

  it('goes on where it was', async () => {
    const trigger = begin();
    const due = fixture.clock.now() + 5 * MINUTE;
    await fixture.clock.advance(MINUTE);
    restart(MINUTE);
    const { fired } = fixture.watch(trigger);
    await fixture.clock.advance(10 * MINUTE);
    expect(fired.map(({ at }) => at)).toEqual([due]);
    expect(fired[0]?.data).toMatchObject({ from_value: true, to_value: false });
  });

  it('lasts no longer where the clock was set back meanwhile', async () => {
    const trigger = begin();
    await fixture.clock.advance(MINUTE);
    restart(-5 * 365 * 24 * 60 * MINUTE);
    const { fired, missed } = fixture.watch(trigger);
    await fixture.clock.advance(5 * MINUTE);
    expect([fired.length, missed]).toEqual([1, []]);
  });

  it('lasts as long as it would have where the clock is put right after the start', async () => {
    const trigger = begin();
    const due = fixture.clock.now() + 5 * MINUTE;
    await fixture.clock.advance(MINUTE);
    restart(-60 * MINUTE);
    const { fired, missed } = fixture.watch(trigger);
    await fixture.clock.advance(MINUTE);
    fixture.clock.jumpWallClock(60 * MINUTE);
    await fixture.clock.advance(5 * MINUTE);
    expect([fired.map(({ at }) => at), missed]).toEqual([[due], []]);
  });

  it('fires late where it came due within the grace period', async () => {
    const trigger = begin();
    restart(5 * MINUTE + GRACE_MS - 2_000);
    const { fired, missed } = fixture.watch(trigger);
    expect(fired).toEqual([]);
    await fixture.clock.advance(1_000);
    expect([fired.length, missed]).toEqual([1, []]);
  });

  it('is missed where it came due before that, and reports it once', async () => {
    const trigger = begin();
    const due = fixture.clock.now() + 5 * MINUTE;
    restart(5 * MINUTE + GRACE_MS + 1);
    const { fired, missed } = fixture.watch(trigger);
    await fixture.clock.advance(10 * MINUTE);
    expect([fired, missed]).toEqual([[], [due]]);
    restart(MINUTE);
    const again = fixture.watch(trigger);
    await fixture.clock.advance(10 * MINUTE);
    expect([again.fired, again.missed]).toEqual([[], []]);
  });

  it('ends where the device reports that it is no longer so', async () => {
    const trigger = begin();
    restart(MINUTE);
    const { fired, missed } = fixture.watch(trigger);
    fixture.report(MOTION, '9', true);
    await fixture.clock.advance(20 * MINUTE);
    expect([fired, missed]).toEqual([[], []]);
  });

  it('receives the device’s value before it fires late', async () => {
    const trigger = begin();
    restart(6 * MINUTE, false);
    const { fired } = fixture.watch(trigger);
    await fixture.clock.advance(3_000);
    expect(fired).toEqual([]);
    for (const device of SAMPLE_DEVICES) fixture.attach(device);
    fixture.report(MOTION, '9', true);
    await fixture.clock.advance(60 * MINUTE);
    expect(fired).toEqual([]);
  });

  it('fires late once the device has confirmed that it is still so', async () => {
    const trigger = begin();
    restart(6 * MINUTE, false);
    const { fired } = fixture.watch(trigger);
    await fixture.clock.advance(3_000);
    for (const device of SAMPLE_DEVICES) fixture.attach(device);
    await fixture.clock.advance(2_000);
    expect(fired).toHaveLength(1);
  });

  it('goes by what is remembered where the device stays silent', async () => {
    const trigger = begin();
    restart(6 * MINUTE, false);
    const { fired } = fixture.watch(trigger);
    for (const device of SAMPLE_DEVICES) fixture.attach(device);
    fixture.driver.setReachable(MOTION, false);
    await fixture.clock.advance(20_000);
    expect(fired).toEqual([]);
    await fixture.clock.advance(20_000);
    expect(fired).toHaveLength(1);
  });

  it('is missed where the device is never described again', async () => {
    const trigger = begin();
    const due = fixture.clock.now() + 5 * MINUTE;
    restart(6 * MINUTE, false);
    const { fired, missed } = fixture.watch(trigger);
    await fixture.clock.advance(MINUTE);
    expect([fired, missed]).toEqual([[], [due]]);
  });

  it('goes on where the device only confirms what had not been written yet', async () => {
    const trigger = { ...stillFor(5), to: true } as const;
    fixture.watch(trigger);
    fixture.report(MOTION, '9', true);
    const due = fixture.clock.now() + 5 * MINUTE;
    await fixture.clock.advance(MINUTE);
    restart(MINUTE, false);
    const { fired } = fixture.watch(trigger);
    for (const device of SAMPLE_DEVICES) fixture.attach(device);
    fixture.report(MOTION, '9', true);
    await fixture.clock.advance(10 * MINUTE);
    expect(fired.map(({ at }) => at)).toEqual([due]);
  });

  it('keeps the hold of a trigger that is ended by a stop, and deletes it on request', async () => {
    const { stop } = fixture.watch(stillFor(5));
    for (const value of [true, false]) fixture.report(MOTION, '9', value);
    stop();
    expect(fixture.holds.find('automation/trigger')).toBeDefined();
    fixture.holds.delete('automation/trigger');
    fixture.holds.flush();
    expect(new HoldStore(fixture.database).find('automation/trigger')).toBeUndefined();
  });
});

describe('a duration', () => {
  const later: Omit<Extract<Trigger, { type: 'duration' }>, 'id' | 'enabled'> = { type: 'duration', seconds: 90 };

  it('is over so long after the watching began, across restarts', async () => {
    const since = fixture.clock.now();
    fixture.watch(later, 'wait', since);
    await fixture.clock.advance(30_000);
    restart(30_000);
    const { fired } = fixture.watch(later, 'wait', since);
    await fixture.clock.advance(60_000);
    expect(fired.map(({ at, durable }) => [at - since, durable])).toEqual([[90_000, true]]);
  });

  it('takes no longer for a clock that is set back', async () => {
    const { fired } = fixture.watch(later, 'wait');
    fixture.clock.jumpWallClock(-60 * MINUTE);
    await fixture.clock.advance(90_000);
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
    const store = new HoldStore(fixture.database);
    store.save('a', hold);
    await turn();
    expect(() =>
      store.transaction(() => {
        store.delete('a');
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(new HoldStore(fixture.database).find('a')).toEqual(hold);
    store.flush();
    expect(new HoldStore(fixture.database).find('a')).toBeUndefined();
  });

  it('deletes all but the given keys', () => {
    const store = new HoldStore(fixture.database);
    for (const key of ['a', 'b']) store.save(key, hold);
    store.retain(new Set(['b']));
    store.flush();
    const read = new HoldStore(fixture.database);
    expect([read.find('a'), read.find('b')]).toEqual([undefined, hold]);
  });

  it('takes a row that rotted for none', () => {
    fixture.database.prepare("INSERT INTO holds VALUES ('x', 1, 2, '{')").run();
    expect(new HoldStore(fixture.database).find('x')).toBeUndefined();
  });

  it('only remembers without a database', () => {
    const store = new HoldStore(null);
    store.save('a', hold);
    expect(store.transaction(() => store.find('a'))).toEqual(hold);
  });
});

it('watches what a motion sensor is described as only after the watching began', () => {
  fixture.close();
  fixture = createTriggerFixture({ sample: false });
  fixture.attach({
    deviceId: MOTION,
    name: 'Motion',
    setupCode: '031-45-157',
    accessories: [{ ...motionSensor(), services: [] }],
  });
  const { fired } = fixture.watch({
    type: 'state',
    accessoryId: idOf('Motion'),
    characteristicType: 'motion_detected',
  });
  fixture.driver.describe(MOTION, [motionSensor()]);
  expect(fired).toEqual([]);
  fixture.report(MOTION, '9', true);
  expect(fired).toHaveLength(1);
});
