import { afterEach, describe, expect, it } from 'vitest';
import { systemCaller } from '../../support/test-home.ts';
import { DAY_MS, type EnergyFixture, HOUR_MS, openEnergyFixture } from './energy-fixture.ts';

let fixture: EnergyFixture;
afterEach(() => fixture.close());

/** The lengths of the steps, in hours. */
async function lengths(query: object): Promise<readonly number[]> {
  return (await fixture.report(query)).steps.map(({ start, end }) => (end - start) / HOUR_MS);
}

/** A counter that rises by this much in each hour. */
async function useHourly(hours: number, kwh: number): Promise<void> {
  for (let hour = 1; hour <= hours; hour += 1) {
    await fixture.clock.advance(HOUR_MS);
    fixture.kwh('Heater', 100 + hour * kwh);
  }
}

describe('the steps of a report', () => {
  it.each([
    ['2026-03-29', 23],
    ['2026-10-25', 25],
    ['2026-06-01', 24],
  ])('the day %s has %i hours in Berlin', async (day, hours) => {
    fixture = openEnergyFixture({ start: `${day}T11:00:00Z` });
    expect(await lengths({ by: 'day', from: day, to: `${day}T12:00:00Z` })).toEqual([hours]);
    const next = new Date(Date.parse(`${day}T12:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
    expect(await lengths({ by: 'hour', from: day, to: next })).toEqual(Array(hours).fill(1));
  });

  it('begin at the full hour in zones that are off by a part of one', async () => {
    fixture = openEnergyFixture({ timeZone: 'Asia/Kathmandu' });
    const { steps } = await fixture.report({ by: 'hour', from: '2026-01-15', to: '2026-01-15T12:00:00+05:45' });
    expect(new Date(steps[0]?.start ?? 0).toISOString()).toBe('2026-01-14T18:15:00.000Z');
    expect(steps).toHaveLength(12);
  });

  it('are weeks from Monday on and months of the calendar', async () => {
    fixture = openEnergyFixture();
    const starts = async (by: string) => {
      const { steps } = await fixture.report({ by, from: '2026-01-15', to: '2026-02-03' });
      return steps.map(({ start }) => new Date(start).toISOString().slice(0, 13));
    };
    expect(await starts('week')).toEqual(['2026-01-11T23', '2026-01-18T23', '2026-01-25T23', '2026-02-01T23']);
    expect(await starts('month')).toEqual(['2025-12-31T23', '2026-01-31T23']);
  });

  it('are a day, a month, a quarter and a year if left out', async () => {
    fixture = openEnergyFixture();
    const counts = await Promise.all(['hour', 'day', 'week', 'month'].map((by) => lengths({ by })));
    expect(counts.map(({ length }) => length)).toEqual([24, 30, 12, 12]);
  });

  it.each([
    [{ by: 'hour', from: '2025-01-01', to: '2026-01-01' }, 'from', '800 steps'],
    [{ from: '2010-01-01', to: '2026-01-01' }, 'from', 'four years'],
    [{ from: '2026-01-02', to: '2026-01-01' }, 'to', 'later than from'],
    [{ from: 'yesterday' }, 'from', 'it takes a day such as'],
    [{ from: '2026-02-30' }, 'from', 'it takes a day such as'],
    [{ to: '99999999999999999' }, 'to', 'it takes a day such as'],
    [{ by: 'year' }, 'by', 'none of hour, day, week, month'],
  ])('are refused by name: %j', async (query, field, sentence) => {
    fixture = openEnergyFixture();
    await expect(fixture.report(query)).rejects.toMatchObject({
      code: 'invalid_value',
      details: { field },
      message: expect.stringContaining(sentence),
    });
  });
});

describe('a report', () => {
  it('adds up to the same by every step', async () => {
    fixture = openEnergyFixture({ start: '2026-03-28T21:00:00Z' });
    fixture.addOutlet('Heater', { kwh: 100 });
    await useHourly(50, 0.25);
    const window = { from: '2026-03-28', to: '2026-04-01' };
    for (const by of ['hour', 'day', 'week', 'month']) {
      const { total, steps, meters } = await fixture.report({ ...window, by });
      expect(total.kwh).toBe(12.5);
      expect(steps.reduce((sum, step) => sum + step.sum.mwh, 0)).toBe(total.mwh);
      expect(meters.reduce((sum, meter) => sum + meter.sum.mwh, 0)).toBe(total.mwh);
    }
    // 22:00 to 00:00 of the 28th, 23 hours of the 29th.
    const { steps } = await fixture.report({ ...window, by: 'day' });
    expect(steps.map(({ sum }) => sum.kwh)).toEqual([0.5, 5.75, 6, 0.25]);
  });

  it('is of one accessory, if that is asked for', async () => {
    fixture = openEnergyFixture();
    fixture.addOutlet('Heater', { kwh: 100 });
    fixture.addOutlet('Washer', { kwh: 5 });
    fixture.kwh('Heater', 101);
    fixture.kwh('Washer', 5.5);
    const heater = fixture.named('Heater').id;
    expect((await fixture.report({ accessory: heater.toUpperCase() })).total.kwh).toBe(1);
    const all = await fixture.report();
    expect(all.meters.map(({ meter, sum }) => [meter.name, sum.kwh])).toEqual([
      ['Heater', 1],
      ['Washer', 0.5],
    ]);
    await expect(fixture.report({ accessory: fixture.homeId })).rejects.toMatchObject({ code: 'accessory_not_found' });
  });

  it('is exported as CSV, without what a spreadsheet would execute', async () => {
    fixture = openEnergyFixture();
    fixture.addOutlet('Heater', { kwh: 100 });
    fixture.accessories.update(systemCaller, fixture.named('Heater').id, { name: 'A, heater' });
    fixture.energy.setTariff(systemCaller, fixture.homeId, { currency: 'EUR', kind: 'fixed', price: 0.3 });
    fixture.kwh('Heater', 101);
    const { id } = fixture.named('A, heater');
    const query = { home: fixture.homeId, by: 'month', from: '2026-01-01' };
    expect(await fixture.energy.export(systemCaller, query)).toBe(
      'start,end,accessory_id,meter,name,kwh,cost,currency\r\n' +
        `2025-12-31T23:00:00.000Z,2026-01-31T23:00:00.000Z,${id},1,"A, heater",1,0.3,EUR\r\n`,
    );
  });
});

describe('the power now', () => {
  it('is of every meter that answers, the most first', () => {
    fixture = openEnergyFixture();
    fixture.addOutlet('Heater', { watts: 12.34 });
    fixture.addOutlet('Washer', { watts: 800 });
    fixture.addOutlet('Dryer', { watts: 5 });
    fixture.setReachable('Dryer', false);
    const { watts, meters } = fixture.energy.now(systemCaller, fixture.homeId);
    expect(watts).toBe(812.3);
    expect(meters.map(({ name, watts: power, reachable }) => [name, power, reachable])).toEqual([
      ['Washer', 800, true],
      ['Heater', 12.3, true],
      ['Dryer', null, false],
    ]);
  });
});
