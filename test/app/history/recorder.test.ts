import { closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { openSqlite } from '../../../src/storage/sqlite.ts';
import { characteristic, lamp, plainSwitch, service } from '../../support/sample-accessories.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { systemCaller } from '../../support/test-home.ts';
import { type HistoryFixture, openHistoryFixture } from './history-fixture.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

let fixture: HistoryFixture;

beforeEach(() => {
  fixture = openHistoryFixture();
});
afterEach(() => fixture.close());

const temperature = (value: number): void => fixture.report('Thermostat', '9', value);

describe('what is recorded', () => {
  it('is nothing in a home that did not ask for it', async () => {
    temperature(25);
    fixture.report('Lamp', '9', true);
    await fixture.clock.advance(MINUTE_MS);
    fixture.recorder.flush();
    expect(fixture.store.allSeries()).toEqual([]);
  });

  it('begins with what is known when it is switched on, and ends when it is switched off', async () => {
    fixture.enable();
    expect(fixture.valuesOf('Thermostat', 'current_temperature')).toEqual([20.5]);
    expect(fixture.valuesOf('Motion', 'battery_level')).toEqual([80]);
    await fixture.clock.advance(MINUTE_MS);
    temperature(21);
    fixture.settings.setHome(fixture.home.home.id, { enabled: false });
    await fixture.clock.advance(MINUTE_MS);
    temperature(22);
    expect(fixture.valuesOf('Thermostat', 'current_temperature')).toEqual([20.5, 21]);
  });

  it('is what the catalog names, and no button, no null and nothing off by default', async () => {
    fixture.enable();
    fixture.home.state.press(fixture.home.named('Button').id, '9', 0);
    fixture.report('Lamp', '11', 120);
    fixture.report('Thermostat', '13', 1);
    fixture.recorder.flush();
    const names = fixture.store.allSeries().map(({ characteristic }) => characteristic);
    expect(new Set(names)).toEqual(
      new Set([
        'power_state',
        'brightness',
        'current_temperature',
        'target_temperature',
        'heating_cooling_current',
        'heating_cooling_target',
        'lock_current_state',
        'motion_detected',
        'battery_level',
        'status_low_battery',
      ]),
    );
  });

  it('is never what is no value: null, NaN, infinity, text for a number', async () => {
    fixture.enable();
    for (const value of [null, Number.NaN, Number.POSITIVE_INFINITY, 'warm', true]) {
      await fixture.clock.advance(MINUTE_MS);
      fixture.report('Thermostat', '9', value);
    }
    expect(fixture.valuesOf('Thermostat', 'current_temperature')).toEqual([20.5]);
  });

  it('has bools as 0 and 1, every change of them at its moment', async () => {
    fixture.enable();
    const start = fixture.clock.now();
    for (const on of [true, false, true]) {
      await fixture.clock.advance(10);
      fixture.report('Lamp', '9', on);
    }
    expect(fixture.valuesOf('Lamp', 'power_state')).toEqual([0, 1, 0, 1]);
    expect(fixture.samplesOf('Lamp', 'power_state').map(({ at }) => at - start)).toEqual([0, 10, 20, 30]);
  });

  it('keeps two changes of one millisecond, in their order', () => {
    fixture.enable();
    fixture.report('Lamp', '9', true);
    fixture.report('Lamp', '9', false);
    expect(fixture.valuesOf('Lamp', 'power_state')).toEqual([0, 1, 0]);
  });

  it('names the second service of its kind with a number, as properties are', () => {
    const single = plainSwitch('Strip');
    const [info, first] = single.services;
    const second = service('20', '49', [{ ...first?.characteristics[0], iid: '21', value: true } as never]);
    const strip = { ...single, services: [info as never, first as never, second] };
    fixture.enable();
    fixture.home.driver.attach(fixture.home.home.id, {
      deviceId: '10:00:00:00:00:99',
      name: 'Strip',
      setupCode: '031-45-999',
      accessories: [strip],
    });
    expect(fixture.valuesOf('Strip', 'power_state')).toEqual([0]);
    expect(fixture.valuesOf('Strip', 'power_state_2')).toEqual([1]);
    fixture.report('Strip', '21', false);
    expect(fixture.valuesOf('Strip', 'power_state_2')).toEqual([1, 0]);
  });
});

describe('a device that was updated', () => {
  it('has the new characteristics recorded at once, and goes on with the old', async () => {
    fixture.enable();
    fixture.report('Lamp', '9', true);
    const before = lamp('Lamp');
    const battery = service('30', '96', [characteristic('31', '68', 'uint8', 90, {}, ['pr', 'ev'])]);
    fixture.home.driver.describe('10:00:00:00:00:01', [{ ...before, services: [...before.services, battery] }]);
    expect(fixture.valuesOf('Lamp', 'battery_level')).toEqual([90]);
    await fixture.clock.advance(SECOND_MS);
    fixture.report(
      'Lamp',
      '9',
      !fixture.home.state.characteristic({ accessoryId: fixture.home.named('Lamp').id, iid: '9' })?.value,
    );
    expect(fixture.valuesOf('Lamp', 'power_state').length).toBeGreaterThan(2);
  });
});

describe('a virtual accessory', () => {
  it('has its texts as texts, and the unit that its owner gave its number', () => {
    const { virtuals, home } = fixture.home;
    fixture.enable();
    const mode = virtuals.create(systemCaller, {
      homeId: home.id,
      name: 'Home mode',
      type: 'input_select',
      options: ['Home', 'Away'],
    });
    const number = virtuals.create(systemCaller, { homeId: home.id, name: 'Rain', type: 'input_number', unit: 'mm' });
    virtuals.operate(systemCaller, mode.id, 'set', 'Away');
    virtuals.operate(systemCaller, number.id, 'set', 7);
    const texts = fixture.valuesOf(mode.id, 'virtual_mode').map((value) => fixture.store.text(value));
    expect(texts).toEqual(['Home', 'Away']);
    expect(fixture.valuesOf(number.id, 'virtual_number')).toEqual([0, 7]);
    expect(fixture.store.findSeries(number.homeId, number.id, 'virtual_number')).toMatchObject({
      kind: 'numeric',
      unit: 'mm',
    });
    for (const unit of ['cm', 'mm']) {
      virtuals.update(systemCaller, number.id, { unit });
      virtuals.operate(systemCaller, number.id, 'increment');
      fixture.recorder.flush();
      expect(fixture.store.findSeries(number.homeId, number.id, 'virtual_number')?.unit).toBe(unit);
    }
  });
});

describe('how often it is recorded', () => {
  beforeEach(() => fixture.enable());

  it('waits for the interval, and then records what stands', async () => {
    const start = fixture.clock.now();
    for (const value of [21, 22, 23]) {
      await fixture.clock.advance(10 * SECOND_MS);
      temperature(value);
    }
    expect(fixture.valuesOf('Thermostat', 'current_temperature')).toEqual([20.5]);
    await fixture.clock.advance(MINUTE_MS);
    fixture.recorder.flush();
    expect(fixture.samplesOf('Thermostat', 'current_temperature')).toEqual([
      { at: start, value: 20.5 },
      { at: start + MINUTE_MS, value: 23 },
    ]);
  });

  it('records nothing that has come back when the interval ends', async () => {
    await fixture.clock.advance(10 * SECOND_MS);
    temperature(25);
    await fixture.clock.advance(10 * SECOND_MS);
    temperature(20.5);
    await fixture.clock.advance(10 * MINUTE_MS);
    expect(fixture.valuesOf('Thermostat', 'current_temperature')).toEqual([20.5]);
  });

  it('compares with the last recorded value, so that a slow drift shows', async () => {
    for (let value = 80; value >= 70; value -= 0.5) {
      await fixture.clock.advance(2 * 60 * MINUTE_MS);
      fixture.report('Motion', '12', value);
    }
    expect(fixture.valuesOf('Motion', 'battery_level')).toEqual([80, 79, 78, 77, 76, 75, 74, 73, 72, 71, 70]);
  });

  it('records a change of exactly the deadband, for all decimals', async () => {
    const wanted = [20.5];
    for (let tenths = 206; tenths < 230; tenths += 1) {
      await fixture.clock.advance(MINUTE_MS);
      temperature(tenths / 10);
      wanted.push(tenths / 10);
    }
    expect(fixture.valuesOf('Thermostat', 'current_temperature')).toEqual(wanted);
  });

  it('follows what is set for a series', async () => {
    const key = {
      homeId: fixture.home.home.id,
      accessoryId: fixture.home.named('Thermostat').id,
      characteristic: 'current_temperature',
    };
    fixture.settings.setSeries(key, { minIntervalMs: 0, deadband: 2 });
    for (const value of [21, 22, 22.5, 23, 24.5]) {
      await fixture.clock.advance(10);
      temperature(value);
    }
    expect(fixture.valuesOf('Thermostat', 'current_temperature')).toEqual([20.5, 22.5, 24.5]);
    fixture.settings.setSeries(key, { enabled: false });
    temperature(30);
    fixture.settings.setSeries(
      { ...key, accessoryId: fixture.home.named('Lamp').id, characteristic: 'hue' },
      { enabled: true },
    );
    fixture.report('Lamp', '11', 100);
    await fixture.clock.advance(MINUTE_MS);
    expect(fixture.valuesOf('Thermostat', 'current_temperature')).toEqual([20.5, 22.5, 24.5]);
    expect(fixture.valuesOf('Lamp', 'hue')).toEqual([0, 100]);
  });

  it('does not wait longer because the clock was set back, and puts no sample in place of another', async () => {
    fixture.report('Lamp', '9', true);
    fixture.clock.jumpWallClock(-60 * MINUTE_MS);
    fixture.report('Lamp', '9', false);
    temperature(25);
    await fixture.clock.advance(MINUTE_MS);
    fixture.recorder.flush();
    expect(fixture.samplesOf('Thermostat', 'current_temperature').map(({ value }) => value)).toEqual([25, 20.5]);
    const [late, ...before] = fixture.samplesOf('Lamp', 'power_state');
    expect(late?.value).toBe(0);
    expect(before.map(({ value }) => value)).toEqual([0, 1]);
  });

  it('holds for any sequence of changes: apart, far enough from each other, and up to date in the end', async () => {
    const step = fc.record({ wait: fc.integer({ min: 0, max: 120 }), value: fc.integer({ min: 0, max: 40 }) });
    const minIntervalMs = 30 * SECOND_MS;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.integer({ min: 0, max: 5 }), async (steps, deadband) => {
        const own = openHistoryFixture();
        try {
          const key = { homeId: own.home.home.id, accessoryId: own.home.named('Thermostat').id };
          own.settings.setSeries({ ...key, characteristic: 'current_temperature' }, { minIntervalMs, deadband });
          own.enable();
          const seen = [{ at: own.clock.now(), value: 20.5 }];
          for (const { wait, value } of steps) {
            await own.clock.advance(wait * SECOND_MS);
            own.report('Thermostat', '9', value);
            seen.push({ at: own.clock.now(), value });
          }
          await own.clock.advance(minIntervalMs);
          own.recorder.flush();
          const recorded = own.samplesOf('Thermostat', 'current_temperature');
          expect(recorded[0]).toEqual(seen[0]);
          for (const [index, { at, value }] of recorded.entries()) {
            const before = recorded[index - 1];
            // What stood at that moment.
            const stood = seen.filter((one, i) => one.at <= at && (seen[i + 1]?.at ?? Number.POSITIVE_INFINITY) >= at);
            expect(stood.map((one) => one.value)).toContain(value);
            if (!before) continue;
            expect(at - before.at).toBeGreaterThanOrEqual(minIntervalMs);
            expect(Math.abs(value - before.value)).toBeGreaterThanOrEqual(deadband);
            expect(value).not.toBe(before.value);
          }
          const [end, last] = [seen.at(-1)?.value ?? Number.NaN, recorded.at(-1)?.value ?? Number.NaN];
          expect(end === last || Math.abs(end - last) < deadband).toBe(true);
        } finally {
          await own.close();
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('a service group', () => {
  /** Of the heater and the kettle. */
  function makeGroup() {
    const group = {
      id: '6f0c0c1e-9d0c-4a1e-8f5e-3f0b8f0c1a2b',
      homeId: fixture.home.home.id,
      name: 'Switches',
      kind: 'switch' as const,
      members: ['Heater', 'Kettle'].map((name) => ({ accessoryId: fixture.home.named(name).id, serviceIid: '8' })),
      icon: null,
      createdAt: 0,
    };
    fixture.home.state.serviceGroups.put(group);
    return group;
  }

  it('has series of its own, of what its members do together', async () => {
    fixture.enable();
    const group = makeGroup();
    await fixture.clock.advance(SECOND_MS);
    fixture.report('Heater', '9', true);
    await fixture.clock.advance(SECOND_MS);
    fixture.report('Kettle', '9', true);
    await fixture.clock.advance(SECOND_MS);
    fixture.report('Heater', '9', false);
    await fixture.clock.advance(SECOND_MS);
    expect(fixture.valuesOf(group.id, 'power_state')).toEqual([0, 1]);
    fixture.report('Kettle', '9', false);
    await fixture.clock.advance(SECOND_MS);
    expect(fixture.valuesOf(group.id, 'power_state')).toEqual([0, 1, 0]);
    // What was held back when it went is not its history any more.
    const key = { homeId: group.homeId, accessoryId: group.id, characteristic: 'power_state' };
    fixture.settings.setSeries(key, { minIntervalMs: MINUTE_MS });
    fixture.report('Kettle', '9', true);
    await fixture.clock.advance(SECOND_MS);
    fixture.home.state.serviceGroups.remove(group.id);
    await fixture.clock.advance(MINUTE_MS);
    fixture.report('Kettle', '9', false);
    fixture.report('Kettle', '9', true);
    await fixture.clock.advance(MINUTE_MS);
    expect(fixture.valuesOf(group.id, 'power_state')).toEqual([0, 1, 0]);
  });

  it('is recorded after its interval, though its members change on and the clock was set back', async () => {
    fixture.enable();
    const group = makeGroup();
    const key = { homeId: group.homeId, accessoryId: group.id, characteristic: 'power_state' };
    fixture.settings.setSeries(key, { minIntervalMs: MINUTE_MS });
    await fixture.clock.advance(SECOND_MS);
    expect(fixture.valuesOf(group.id, 'power_state')).toEqual([0]);
    fixture.clock.jumpWallClock(-60 * MINUTE_MS);
    fixture.report('Kettle', '9', true);
    for (const on of [true, false, true, false, true, false]) {
      await fixture.clock.advance(10 * SECOND_MS);
      fixture.report('Heater', '9', on);
    }
    await fixture.clock.advance(SECOND_MS);
    // The clock was set back: the later sample is the earlier one.
    expect(fixture.valuesOf(group.id, 'power_state')).toEqual([1, 0]);
  });
});

describe('writing', () => {
  it('happens after ten seconds, or a hundred samples', async () => {
    fixture.enable();
    expect(fixture.samplesOf('Lamp', 'power_state')).toHaveLength(0);
    await fixture.clock.advance(10 * SECOND_MS);
    expect(fixture.samplesOf('Lamp', 'power_state')).toHaveLength(1);
    for (let count = 0; count < 99; count += 1) fixture.report('Lamp', '9', count % 2 === 0);
    expect(fixture.samplesOf('Lamp', 'power_state')).toHaveLength(1);
    fixture.report('Lamp', '9', false);
    fixture.report('Lamp', '9', true);
    expect(fixture.samplesOf('Lamp', 'power_state').length).toBeGreaterThanOrEqual(100);
  });

  it('waits, bounded and without a word at every try, while the file is held, and then goes on', async () => {
    using directory = createTempDirectory('history');
    const lines: string[] = [];
    const logger = {
      ...silentLogger,
      warn: (_: object, line: string) => void lines.push(line),
      info: (fields: object, line: string) => void lines.push(`${line} ${JSON.stringify(fields)}`),
    };
    const paths = { relay: directory.file('relay.db'), history: directory.file('history.db') };
    const own = openHistoryFixture({ paths, logger });
    own.enable();
    own.recorder.flush();
    const holder = openSqlite(paths.history);
    holder.exec('BEGIN IMMEDIATE');
    for (let count = 0; count < 10_050; count += 1) own.report('Lamp', '9', count % 2 === 0);
    await own.clock.advance(40 * SECOND_MS);
    expect(own.samplesOf('Lamp', 'power_state')).toHaveLength(1);
    holder.exec('ROLLBACK');
    holder.close();
    await own.clock.advance(10 * SECOND_MS);
    expect(own.samplesOf('Lamp', 'power_state')).toHaveLength(10_001);
    expect(lines).toEqual([
      'Cannot write the history. Samples wait in memory; everything else works',
      'Writing the history works again {"lost":50}',
    ]);
    await own.close();
  });

  it('waits while the disk is full, and goes on in a new file where the old one is damaged', async () => {
    using directory = createTempDirectory('history');
    const paths = { relay: directory.file('relay.db'), history: directory.file('history.db') };
    const own = openHistoryFixture({ paths });
    own.enable();
    own.recorder.flush();
    const pages = own.database.current.pragma('page_count', { simple: true });
    own.database.current.pragma(`max_page_count = ${String(pages)}`);
    for (let count = 0; count < 2_000; count += 1) own.report('Lamp', '9', count % 2 === 0);
    // As much as the last page still took.
    expect(own.valuesOf('Lamp', 'power_state').length).toBeLessThan(1_000);
    own.database.current.pragma('max_page_count = 1000000');
    expect(own.valuesOf('Lamp', 'power_state')).toHaveLength(2_001);

    own.database.current.pragma('wal_checkpoint(TRUNCATE)');
    const handle = openSync(paths.history, 'r+');
    writeSync(handle, Buffer.alloc(statSync(paths.history).size - 4096, 0x5a), 0, undefined, 4096);
    closeSync(handle);
    own.database.current.pragma('shrink_memory');
    own.report('Lamp', '9', true);
    own.recorder.flush();
    expect(own.valuesOf('Lamp', 'power_state')).toEqual([1]);
    expect(readdirSync(directory.path).filter((name) => name.startsWith('history.db.damaged-'))).not.toEqual([]);
    await own.close();
  });

  it('repeats nothing after a restart, and records what changed meanwhile', async () => {
    using directory = createTempDirectory('history');
    const paths = { relay: directory.file('relay.db'), history: directory.file('history.db') };
    const first = openHistoryFixture({ paths });
    first.enable();
    first.report('Lamp', '9', true);
    await first.clock.advance(MINUTE_MS);
    first.report('Thermostat', '9', 23);
    await first.close();
    const second = openHistoryFixture({ paths });
    expect(second.valuesOf('Thermostat', 'heating_cooling_target')).toEqual([1]);
    expect(second.valuesOf('Lamp', 'power_state')).toEqual([0, 1]);
    expect(second.valuesOf('Thermostat', 'current_temperature')).toEqual([20.5, 23]);
    await second.clock.advance(10 * MINUTE_MS);
    second.report('Lamp', '9', false);
    second.report('Thermostat', '9', 23.05);
    expect(second.valuesOf('Lamp', 'power_state')).toEqual([0, 1, 0]);
    expect(second.valuesOf('Thermostat', 'current_temperature')).toEqual([20.5, 23]);
    await second.close();
  });

  it('loses at most what was not written yet when it is killed', async () => {
    using directory = createTempDirectory('history');
    const paths = { relay: directory.file('relay.db'), history: directory.file('history.db') };
    const killed = openHistoryFixture({ paths });
    killed.enable();
    killed.report('Lamp', '9', true);
    await killed.clock.advance(10 * SECOND_MS);
    killed.report('Lamp', '9', false);
    // Neither stopped nor closed: the next one finds the file as a kill leaves it.
    const next = openHistoryFixture({ paths, start: false });
    expect(next.database.current.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(next.samplesOf('Lamp', 'power_state').map(({ value }) => value)).toEqual([0, 1]);
    await next.close();
    killed.home.database.close();
  });
});
