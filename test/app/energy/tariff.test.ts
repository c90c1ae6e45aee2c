import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemCaller } from '../../support/test-home.ts';
import { type EnergyFixture, HOUR_MS, openEnergyFixture } from './energy-fixture.ts';

let fixture: EnergyFixture;
beforeEach(() => {
  // A Thursday, 13:00 in Berlin.
  fixture = openEnergyFixture();
  fixture.addOutlet('Heater', { kwh: 100 });
});
afterEach(() => fixture.close());

const DAY = { price: 0.4, start: '06:00', end: '22:00' };
const NIGHT = { price: 0.2, start: '22:00', end: '06:00' };

const set = (tariff: object) =>
  fixture.energy.setTariff(systemCaller, fixture.homeId, { currency: 'EUR', kind: 'times', ...tariff } as never);

/** Uses a kilowatt-hour in each of the hours that follow. */
async function use(hours: number): Promise<void> {
  for (let hour = 1; hour <= hours; hour += 1) {
    await fixture.clock.advance(HOUR_MS);
    fixture.kwh('Heater', 100 + hour);
  }
}

async function costs(query: object = {}): Promise<readonly (number | null)[]> {
  const { steps, currency } = await fixture.report({ by: 'hour', ...query });
  return steps.filter(({ sum }) => sum.mwh > 0).map(({ sum }) => sum.cost(currency !== null));
}

describe('a tariff', () => {
  it('has one price', async () => {
    set({ kind: 'fixed', price: 0.35 });
    await use(2);
    expect(await costs()).toEqual([0.35, 0.35]);
  });

  it('costs nothing known without one', async () => {
    await use(1);
    expect(await costs()).toEqual([null]);
    expect((await fixture.report()).currency).toBeNull();
  });

  it('has prices by time of day, by the clock of the home', async () => {
    set({ rates: [DAY, NIGHT] });
    await fixture.clock.advance(7 * HOUR_MS);
    fixture.kwh('Heater', 100);
    // From 20:00 on: two hours of the day, then the night.
    await use(4);
    expect(await costs()).toEqual([0.4, 0.4, 0.2, 0.2]);
  });

  it('has prices by weekday', async () => {
    const weekend = { price: 0.1, days: ['sat', 'sun'], start: '00:00', end: '00:00' };
    const week = { price: 0.3, days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '00:00', end: '00:00' };
    set({ rates: [weekend, week] });
    await fixture.clock.advance(34 * HOUR_MS);
    fixture.kwh('Heater', 100.001);
    await use(2);
    expect((await costs({ from: '2026-01-16T22:00:00Z' })).map((cost) => Math.round((cost ?? 0) * 10) / 10)).toEqual([
      0.3, 0.1,
    ]);
  });

  it('changes on a day, and the energy before keeps its price', async () => {
    set({ kind: 'fixed', price: 0.3 });
    set({ kind: 'fixed', price: 0.5, since: '2026-01-16' });
    await fixture.clock.advance(10 * HOUR_MS);
    fixture.kwh('Heater', 100);
    await use(2);
    expect(await costs()).toEqual([0.3, 0.5]);
    expect(fixture.energy.tariff(systemCaller, fixture.homeId)).toMatchObject({
      tariff: { price: 0.5 },
      tariffs: [{ since: null }, { since: '2026-01-16' }],
    });
    set({ kind: 'fixed', price: 0.6 });
    expect(await costs()).toEqual([0.6, 0.6]);
  });

  it('uses spot prices, and names the energy without one', async () => {
    set({ kind: 'spot' });
    const price = { from: '2026-01-15T12:00:00Z', to: '2026-01-15T12:30:00Z', price: 0.2 };
    const later = { from: '2026-01-15T13:30:00+01:00', to: '2026-01-15T14:00:00+01:00', price: -0.1 };
    expect(fixture.energy.setPrices(systemCaller, fixture.homeId, { prices: [later, price] })).toHaveLength(4);
    await use(2);
    expect(await costs()).toEqual([0.05, null]);
    const { total } = await fixture.report();
    expect([total.cost(true), total.unpricedKwh]).toEqual([0.05, 1]);
    set({ kind: 'spot', price: 0.4 });
    expect(await costs()).toEqual([0.05, 0.4]);
  });

  it('takes new spot prices for the time that they cover and leaves the others', () => {
    const put = (from: string, to: string, price: number) =>
      fixture.energy.setPrices(systemCaller, fixture.homeId, {
        prices: [{ from: `2026-01-15T${from}:00Z`, to: `2026-01-15T${to}:00Z`, price }],
      });
    put('12:00', '13:00', 0.2);
    put('12:30', '12:45', 0.9);
    const query = { home: fixture.homeId, from: '2026-01-15' };
    expect(fixture.energy.prices(systemCaller, query).map(({ price }) => price)).toEqual([0.2, 0.2, 0.9, 0.2]);
  });

  it.each([
    [{ rates: [DAY] }, 'rates', 'there is no price from Monday 00:00 to Monday 06:00'],
    [{ rates: [DAY, { ...NIGHT, days: ['mon'] }] }, 'rates', 'no price from Monday 00:00 to Monday 06:00'],
    [{ rates: [DAY, { ...NIGHT, start: '21:00' }] }, 'rates[1].start', 'Sunday 21:00 also has the price of rates[0]'],
    [{ rates: [] }, 'rates', 'one price at least'],
    [{ rates: [{ ...DAY, start: '6:00' }] }, 'rates[0].start', 'a time on a quarter of an hour'],
    [{ rates: [{ ...DAY, end: '22:10' }] }, 'rates[0].end', 'a time on a quarter of an hour'],
    [{ rates: [{ ...DAY, days: ['mo'] }] }, 'rates[0].days[0]', 'none of sun, mon'],
    [{ rates: [{ ...DAY, price: Number.NaN }] }, 'rates[0].price', 'it takes a number'],
    [{ rates: [DAY, NIGHT], price: 0.3 }, 'price', 'has its prices in rates'],
    [{ kind: 'fixed' }, 'price', 'takes a price'],
    [{ kind: 'fixed', price: 1, rates: [DAY] }, 'rates', 'only a tariff of the kind "times"'],
    [{ kind: 'fixed', price: 1, currency: 'euro' }, 'currency', 'three letters'],
    [{ kind: 'fixed', price: 1, since: '2026-02-30' }, 'since', 'it takes a day'],
    [{ kind: 'flat', price: 1 }, 'kind', 'none of fixed, times, spot'],
  ])('is refused by name: %j', (tariff, field, sentence) => {
    expect(() => set(tariff)).toThrow(
      expect.objectContaining({
        code: 'invalid_value',
        message: expect.stringContaining(sentence),
        details: { field },
      }),
    );
    expect(fixture.energy.tariff(systemCaller, fixture.homeId).tariffs).toEqual([]);
  });

  it.each([
    [[{ from: '2026-01-15T12:00:00', to: '2026-01-15T13:00:00Z', price: 1 }], 'prices[0].from'],
    [[{ from: '2026-01-15T12:05:00Z', to: '2026-01-15T13:00:00Z', price: 1 }], 'prices[0].from'],
    [[{ from: '2026-01-15T12:00:00Z', to: '2026-01-15T12:00:00Z', price: 1 }], 'prices[0].to'],
    [[{ from: '2026-01-15T12:00:00Z', to: '2027-01-15T12:00:00Z', price: 1 }], 'prices'],
    [
      [
        { from: '2026-01-15T12:00:00Z', to: '2026-01-15T13:00:00Z', price: 1 },
        { from: '2026-01-15T12:45:00Z', to: '2026-01-15T13:15:00Z', price: 2 },
      ],
      'prices[1].from',
    ],
    [[], 'prices'],
    [Array(3_001).fill({ from: '', to: '', price: 1 }), 'prices'],
  ])('refuses spot prices by name: %#', (prices, field) => {
    expect(() => fixture.energy.setPrices(systemCaller, fixture.homeId, { prices })).toThrow(
      expect.objectContaining({ code: 'invalid_value', details: { field } }),
    );
  });

  it('ignores what an altered backup holds', () => {
    const put = fixture.database.prepare('INSERT INTO energy_tariffs (home_id, since, tariff) VALUES (?, ?, ?)');
    put.run(fixture.homeId, '', '{"kind":"fixed"}');
    put.run(fixture.homeId, 'x', '[]');
    put.run(fixture.homeId, '2026-01-01', '{"currency":"EUR","kind":"times","price":null,"rates":[]}');
    put.run(fixture.homeId, 'soon', '{"currency":"EUR","kind":"fixed","price":1,"rates":[]}');
    expect(fixture.energy.tariff(systemCaller, fixture.homeId).tariffs).toEqual([]);
  });
});
