import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSchema } from '../../../src/api/graphql/schema.ts';
import { METER, meteredOutlet } from '../../support/sample-accessories.ts';
import { createTestHome, type TestHome } from '../../support/test-home.ts';
import { createGraphqlFixture, type GraphqlFixture } from './graphql-fixture.ts';

const DEVICE = 'E0:00:00:00:00:01';

let home: TestHome;
let fixture: GraphqlFixture;

beforeEach(() => {
  home = createTestHome();
  fixture = createGraphqlFixture(home, createSchema());
  const accessories = [meteredOutlet('Washer', { watts: 640, kwh: 12 })];
  home.driver.attach(home.home.id, { deviceId: DEVICE, name: 'Washer', setupCode: '031-45-154', accessories });
  home.driver.event(DEVICE, '1', METER.kwh, 12.5);
});
afterEach(() => home.close());

const ask = (query: string, variables: object = {}) => fixture.ask(query, { home: home.home.id, ...variables });

describe('energy in GraphQL', () => {
  it('sets a tariff by times of day, and shows energy and cost', async () => {
    const set = `mutation ($home: String!, $rates: [EnergyRateInput!]) {
      setEnergyTariff(home: $home, currency: "EUR", kind: "times", rates: $rates) {
        tariff { kind since rates { price days start end } }
      }
    }`;
    const rates = [{ price: 0.4, start: '00:00', end: '00:00' }];
    const { body } = await ask(set, { rates });
    expect(body.data.setEnergyTariff.tariff).toEqual({
      kind: 'times',
      since: null,
      rates: [{ ...rates[0], days: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] }],
    });
    const shown = await ask(`query ($home: String!) {
      energy(home: $home, by: "month") { kwh cost currency devices { name share } }
      energyNow(home: $home) { watts meters { name watts } }
      exportEnergy(home: $home)
    }`);
    expect(shown.body.data).toMatchObject({
      energy: { kwh: 0.5, cost: 0.2, currency: 'EUR', devices: [{ name: 'Washer', share: 1 }] },
      energyNow: { watts: 640, meters: [{ name: 'Washer', watts: 640 }] },
      exportEnergy: expect.stringContaining(',Washer,0.5,0.2,EUR\r\n'),
    });
    const gap = await ask(set, { rates: [{ ...rates[0], end: '12:00' }] });
    expect(gap.body.errors[0].message).toContain('there is no price from Monday 12:00');
  });

  it('takes spot prices', async () => {
    const price = { from: '2026-01-15T12:00:00Z', to: '2026-01-15T13:00:00Z', price: 0.2 };
    const set = `mutation ($home: String!, $prices: [EnergyPriceInput!]!) {
      setEnergyPrices(home: $home, prices: $prices) { quarters }
    }`;
    expect((await ask(set, { prices: [price] })).body.data.setEnergyPrices).toEqual({ quarters: 4 });
    const query = 'query ($home: String!) { energyPrices(home: $home, from: "2026-01-15") { price } }';
    expect((await ask(query)).body.data.energyPrices).toEqual([{ price: 0.2 }]);
  });
});
