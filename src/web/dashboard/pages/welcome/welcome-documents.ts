/** The queries and mutations of the setup. */
import { graphql, type ResultOf } from '../../api/graphql.ts';

export const WelcomeQuery = graphql(`
  query Welcome {
    homes {
      id
      name
      role
      latitude
      longitude
      timeZone
      accessoryCount
    }
  }
`);

export type WelcomeHome = NonNullable<NonNullable<ResultOf<typeof WelcomeQuery>['homes']>[number]>;

export const UpdateHome = graphql(`
  mutation UpdateHomeInFirstRun($homeId: String!, $name: String, $location: JSON, $timeZone: String) {
    updateHome(homeId: $homeId, name: $name, location: $location, timeZone: $timeZone) {
      id
    }
  }
`);

export const HistorySizeQuery = graphql(`
  query HistorySize {
    relaySettings {
      name
      value
    }
  }
`);

export const KeepHistory = graphql(`
  mutation KeepHistory($homeId: String!, $enabled: Boolean!) {
    setHomeHistoryEnabled(homeId: $homeId, enabled: $enabled)
  }
`);
