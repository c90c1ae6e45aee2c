import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EnergyStore } from '../../../src/app/energy/energy-store.ts';
import { openSqlite } from '../../../src/storage/sqlite.ts';
import { characteristic, METER, meteredOutlet } from '../../support/sample-accessories.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';
import { systemCaller } from '../../support/test-home.ts';
import { type EnergyFixture, HOUR_MS, MINUTE_MS, openEnergyFixture } from './energy-fixture.ts';

const DEVICE = 'E0:00:00:00:00:FF';
const SETUP = '031-45-154';
const KEPT_HOURS = 3 * 366 * 24;

let directory: TempDirectory;
let fixture: EnergyFixture;

beforeEach(() => {
  directory = createTempDirectory('energy');
  fixture = openEnergyFixture({ path: directory.file('relay.db') });
});
afterEach(() => {
  fixture.close();
  directory.remove();
});

/** What is kept of the homes now. */
async function kwh(query: object = {}): Promise<number> {
  return (await fixture.report(query)).total.kwh;
}

const historyPath = (): string => `${directory.file('relay.db')}.history`;

/** The same files in another process, as after a restart. */
function restart(): void {
  fixture.close();
  const start = new Date(fixture.clock.now()).toISOString();
  fixture = openEnergyFixture({ path: directory.file('relay.db'), start });
}

describe('the energy of a home', () => {
  it('is counted while its history is off', async () => {
    fixture.addOutlet('Washer', { kwh: 12 });
    fixture.kwh('Washer', 12.5);
    expect(fixture.history.home(systemCaller, fixture.homeId).enabled).toBe(false);
    expect(await kwh()).toBe(0.5);
  });

  it('is the same however often it is read', async () => {
    fixture.addOutlet('Washer', { kwh: 12 });
    for (const value of [12.1, 12.2, 12.3]) {
      await fixture.clock.advance(10 * MINUTE_MS);
      fixture.kwh('Washer', value);
      await kwh();
    }
    expect(await kwh()).toBeCloseTo(0.3, 9);
  });

  it('includes what a device counted while the relay was off, and nothing twice', async () => {
    fixture.addOutlet('Washer', { kwh: 12 });
    fixture.kwh('Washer', 12.5);
    restart();
    fixture.clock.jumpWallClock(2 * HOUR_MS);
    fixture.addOutlet('Washer');
    fixture.kwh('Washer', 13);
    expect(await kwh()).toBe(1);
    restart();
    fixture.addOutlet('Washer');
    fixture.kwh('Washer', 13);
    expect(await kwh()).toBe(1);
  });

  it('counts again from the device what was not written before a kill', async () => {
    fixture.addOutlet('Washer', { kwh: 12 });
    fixture.energyRecorder.flush();
    fixture.kwh('Washer', 12.5);
    // What a kill leaves on the disk: the counter and the hours up to it.
    expect(lastCounter()).toBe(12_000_000);
    expect(await kwh()).toBe(0.5);
  });

  it('continues in a device that returns after it was away', async () => {
    fixture.addOutlet('Washer', { kwh: 12 });
    fixture.setReachable('Washer', false);
    await fixture.clock.advance(2 * HOUR_MS);
    // The driver reads a device before it reports it as reachable.
    fixture.kwh('Washer', 14);
    fixture.setReachable('Washer', true);
    const { steps, total } = await fixture.report({ by: 'hour' });
    expect(total.kwh).toBe(2);
    expect(steps.filter(({ sum }) => sum.mwh > 0).map(({ sum }) => sum.kwh)).toEqual([1, 1]);
  });

  it('stays when its accessory is gone', async () => {
    fixture.addOutlet('Washer', { kwh: 12 });
    fixture.kwh('Washer', 12.5);
    await fixture.pairings.unpair(systemCaller, fixture.named('Washer').address.source);
    expect((await fixture.report()).meters.map(({ meter, sum }) => [meter.name, sum.kwh])).toEqual([['Washer', 0.5]]);
  });

  it('is named as its accessory is named now', async () => {
    fixture.addOutlet('Washer', { kwh: 12 });
    fixture.accessories.update(systemCaller, fixture.named('Washer').id, { name: 'Dryer' });
    fixture.kwh('Washer', 12.5);
    expect((await fixture.report()).meters.map(({ meter }) => meter.name)).toEqual(['Dryer']);
  });

  function lastCounter(): number | null {
    const database = openSqlite(historyPath());
    try {
      const row = database.prepare<[], { counter_mwh: number }>('SELECT counter_mwh FROM energy_meters').get();
      return row?.counter_mwh ?? null;
    } finally {
      database.close();
    }
  }
});

describe('a device without a counter', () => {
  it('is counted by its power, as long as it answers', async () => {
    const described = meteredOutlet('Heater', { watts: 600 });
    const services = described.services.map((one) => ({
      ...one,
      characteristics: one.characteristics.filter(({ iid }) => iid !== METER.kwh),
    }));
    fixture.driver.attach(fixture.homeId, {
      deviceId: DEVICE,
      name: 'Heater',
      setupCode: SETUP,
      accessories: [{ ...described, services }],
    });
    await fixture.clock.advance(HOUR_MS);
    fixture.driver.setReachable(DEVICE, false);
    await fixture.clock.advance(HOUR_MS);
    expect(await kwh()).toBeCloseTo(0.6, 6);
    fixture.driver.setReachable(DEVICE, true);
    await fixture.clock.advance(HOUR_MS);
    expect(await kwh()).toBeCloseTo(1.2, 6);
  });
});

describe('a power strip', () => {
  it('has a meter for each outlet, by their names', async () => {
    const { services } = meteredOutlet('Strip', { kwh: 10 });
    const outlet = services[1] as (typeof services)[number];
    const outlets = ['Screen', 'Printer'].map((name, index) => ({
      ...outlet,
      iid: String(8 + index * 100),
      characteristics: [
        ...outlet.characteristics.map((one) => ({ ...one, iid: String(Number(one.iid) + index * 100) })),
        characteristic(String(50 + index), '23', 'string', name, {}, ['pr']),
      ],
    }));
    const accessories = [{ aid: '1', name: 'Strip', category: 7, services: [...services.slice(0, 1), ...outlets] }];
    fixture.driver.attach(fixture.homeId, { deviceId: DEVICE, name: 'Strip', setupCode: SETUP, accessories });
    fixture.driver.event(DEVICE, '1', METER.kwh, 10.5);
    fixture.driver.event(DEVICE, '1', String(Number(METER.kwh) + 100), 12);
    expect((await fixture.report()).meters.map(({ meter, sum }) => [meter.number, meter.name, sum.kwh])).toEqual([
      [2, 'Strip: Printer', 2],
      [1, 'Strip: Screen', 0.5],
    ]);
  });
});

describe('what is kept', () => {
  it('is three years of hours for each meter and of prices, even if the clock is wrong', () => {
    fixture.addOutlet('Heater');
    fixture.energyRecorder.flush();
    const database = openSqlite(historyPath());
    const count = (table: string): number =>
      database.prepare<[], { count: number }>(`SELECT count(*) AS count FROM ${table}`).get()?.count ?? 0;
    try {
      database.exec(`
        WITH RECURSIVE hour (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM hour WHERE n < ${KEPT_HOURS + 9})
        INSERT INTO energy_hours SELECT 1, n * ${HOUR_MS}, 1, 0, 0, 0 FROM hour;
        INSERT INTO energy_prices VALUES ('gone', 0, 1);
        INSERT INTO energy_meters (home_id, accessory_id, number, name, since) VALUES ('gone', 'x', 1, 'Gone', 0);
        INSERT INTO energy_hours VALUES (2, 0, 1, 0, 0, 0);
      `);
      const store = new EnergyStore({ current: database });
      store.prune((homeId) => homeId === fixture.homeId);
      store.prune((homeId) => homeId === fixture.homeId);
      expect([count('energy_hours'), count('energy_prices'), count('energy_meters')]).toEqual([KEPT_HOURS, 0, 1]);
      const [page] = store.hours(1, 0, HOUR_MS * 100);
      expect(page?.[0]?.start).toBe(10 * HOUR_MS);
    } finally {
      database.close();
    }
  });
});
