import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseCsv } from '../../support/csv.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../../support/rest-client.ts';
import { METER, meteredOutlet } from '../../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

const DEVICE = 'E0:00:00:00:00:01';
/** The hour in which the clock of the test home stands, in UTC. */
const HOUR = { from: '2026-01-15T12:00:00Z', to: '2026-01-15T13:00:00Z' };

let home: TestHome;
let rest: RestClient;
let query: string;

beforeEach(async () => {
  home = createTestHome();
  home.homes.update(systemCaller, home.home.id, { timeZone: 'Europe/Berlin' });
  rest = createRestClient(createTestApi(home), createToken(home));
  query = `home=${home.home.id}`;
  const accessories = [meteredOutlet('Washer', { watts: 640, kwh: 12 })];
  home.driver.attach(home.home.id, { deviceId: DEVICE, name: 'Washer', setupCode: '031-45-154', accessories });
  await home.clock.advance(15 * 60_000);
  home.driver.event(DEVICE, '1', METER.kwh, 12.5);
});
afterEach(() => home.close());

const put = (path: string, body: unknown) => rest.request('PUT', `/rest/energy/${path}?${query}`, body);

describe('/rest/energy', () => {
  it('has the energy by step and by device, with its cost', async () => {
    await put('tariff', { currency: 'EUR', kind: 'fixed', price: 0.3 });
    const { status, body } = await rest.get(`/rest/energy?${query}&by=hour&from=2026-01-15&to=2026-01-16`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ by: 'hour', kwh: 0.5, cost: 0.15, currency: 'EUR', unpricedKwh: 0 });
    expect([body.from, body.to]).toEqual(['2026-01-14T23:00:00.000Z', '2026-01-15T23:00:00.000Z']);
    expect(body.buckets).toHaveLength(24);
    expect(body.buckets.filter(({ kwh }: { kwh: number }) => kwh > 0)).toEqual([
      { start: '2026-01-15T12:00:00.000Z', end: '2026-01-15T13:00:00.000Z', kwh: 0.5, cost: 0.15 },
    ]);
    const { id } = home.named('Washer');
    expect(body.devices).toMatchObject([{ accessoryId: id, meter: 1, name: 'Washer', kwh: 0.5, cost: 0.15, share: 1 }]);
  });

  it('has the power now and which devices measure', async () => {
    const { body } = await rest.get(`/rest/energy/now?${query}`);
    expect(body).toMatchObject({ watts: 640, meters: [{ name: 'Washer', measures: 'both', reachable: true }] });
  });

  it('takes spot prices by PUT and POST and gives them back in pieces', async () => {
    await put('tariff', { currency: 'EUR', kind: 'spot' });
    expect((await put('prices', [{ ...HOUR, price: 0.2 }])).body).toEqual({
      from: '2026-01-15T12:00:00.000Z',
      to: '2026-01-15T13:00:00.000Z',
      quarters: 4,
    });
    const half = { from: '2026-01-15T13:30:00+01:00', to: HOUR.to, price: 0.9 };
    expect((await rest.request('POST', `/rest/energy/prices?${query}`, [half])).body.quarters).toBe(2);
    expect((await rest.get(`/rest/energy/prices?${query}&from=2026-01-15&to=2026-01-16`)).body).toEqual([
      { from: '2026-01-15T12:00:00.000Z', to: '2026-01-15T12:30:00.000Z', price: 0.2 },
      { from: '2026-01-15T12:30:00.000Z', to: '2026-01-15T13:00:00.000Z', price: 0.9 },
    ]);
    expect((await rest.get(`/rest/energy?${query}&by=month`)).body.cost).toBe(0.1);
  });

  it('exports CSV', async () => {
    const { text, headers } = await rest.get(`/rest/energy/export?${query}&by=day&from=2026-01-15&to=2026-01-16`);
    expect(headers.get('Content-Type')).toContain('text/csv');
    const [head, ...lines] = parseCsv(text);
    expect(head).toEqual(['start', 'end', 'accessory_id', 'meter', 'name', 'kwh', 'cost', 'currency']);
    expect(lines).toMatchObject([
      ['2026-01-14T23:00:00.000Z', '2026-01-15T23:00:00.000Z', home.named('Washer').id, '1', 'Washer', '0.5', '', ''],
    ]);
  });

  it.each([
    ['GET', '', undefined, 400, 'home'],
    [
      'PUT',
      'tariff',
      { currency: 'EUR', kind: 'times', rates: [{ price: 1, start: '00:00', end: '12:00' }] },
      422,
      'rates',
    ],
    ['PUT', 'tariff', { currency: 'EUR', kind: 'fixed', price: '0.3' }, 422, 'price'],
    ['PUT', 'tariff', { currency: 'EUR', kind: 'fixed', price: 0.3, vat: 19 }, 400, 'vat'],
    ['PUT', 'prices', { prices: [] }, 400, ''],
    ['PUT', 'prices', [{ ...HOUR, price: 'cheap' }], 422, '[0].price'],
    ['PUT', 'prices', [{ from: HOUR.to, to: HOUR.from, price: 1 }], 422, 'prices[0].to'],
  ])('refuses %s %s with %j by its field', async (method, path, body, status, field) => {
    const at = method === 'GET' ? '/rest/energy' : `/rest/energy/${path}?${query}`;
    const answer = await rest.request(method, at, body);
    expect([answer.status, answer.body.error?.field ?? answer.body.field ?? '']).toEqual([status, field]);
  });
});
