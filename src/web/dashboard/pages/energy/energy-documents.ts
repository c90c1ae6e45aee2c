import { graphql, type ResultOf } from '../../api/graphql.ts';

export const EnergyNowQuery = graphql(`
  query EnergyNow($home: String!) {
    energyNow(home: $home) {
      watts
      meters {
        accessoryId
        meter
        name
        watts
        measures
        reachable
      }
    }
  }
`);
export type EnergyNow = NonNullable<ResultOf<typeof EnergyNowQuery>['energyNow']>;

export const EnergyQuery = graphql(`
  query Energy($home: String!, $by: String, $from: String, $to: String) {
    energy(home: $home, by: $by, from: $from, to: $to) {
      kwh
      cost
      unpricedKwh
      currency
      buckets {
        start
        end
        kwh
        cost
      }
      devices {
        accessoryId
        meter
        name
        kwh
        cost
        share
        since
      }
    }
  }
`);
export type EnergyReport = NonNullable<ResultOf<typeof EnergyQuery>['energy']>;

export const TariffQuery = graphql(`
  query EnergyTariff($home: String!) {
    energyTariff(home: $home) {
      tariff {
        since
        currency
        kind
        price
        rates {
          price
          days
          start
          end
        }
      }
      tariffs {
        since
      }
    }
  }
`);
export type Tariff = NonNullable<NonNullable<ResultOf<typeof TariffQuery>['energyTariff']>['tariff']>;

export const SetTariff = graphql(`
  mutation SetEnergyTariff(
    $home: String!
    $currency: String!
    $kind: String!
    $price: Float
    $since: String
    $rates: [EnergyRateInput!]
  ) {
    setEnergyTariff(home: $home, currency: $currency, kind: $kind, price: $price, since: $since, rates: $rates) {
      homeId
    }
  }
`);

export const RemoveTariff = graphql(`
  mutation RemoveEnergyTariff($home: String!) {
    removeEnergyTariff(home: $home) {
      homeId
    }
  }
`);
