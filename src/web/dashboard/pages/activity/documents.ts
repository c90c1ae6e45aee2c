import { graphql, type ResultOf } from '../../api/graphql.ts';

export const ActivityEntryFragment = graphql(`
  fragment ActivityEntry on ActivityEntry {
    id
    at
    kind
    subject {
      type
      id
      name
    }
    roomName
    characteristic
    value
    actor {
      kind
      id
      name
    }
    runId
  }
`);

export const ActivityQuery = graphql(
  `
    query Activity(
      $homeId: String!
      $roomId: String
      $accessoryId: String
      $actorKind: String
      $actorId: String
      $limit: Int
    ) {
      activity(
        homeId: $homeId
        roomId: $roomId
        accessoryId: $accessoryId
        actorKind: $actorKind
        actorId: $actorId
        limit: $limit
      ) {
        ...ActivityEntry
      }
    }
  `,
  [ActivityEntryFragment],
);

export type ActivityItem = NonNullable<NonNullable<ResultOf<typeof ActivityQuery>['activity']>[number]>;

/** Who appears in the log, and whether anything is recorded. */
export const ActivityFactsQuery = graphql(`
  query ActivityFacts($homeId: String!) {
    activityActors(homeId: $homeId) {
      kind
      id
      name
    }
    historyStorageStats(homeId: $homeId) {
      enabled
    }
  }
`);

export type ListedActor = NonNullable<NonNullable<ResultOf<typeof ActivityFactsQuery>['activityActors']>[number]>;

export const StartHistory = graphql(`
  mutation StartHistory($homeId: String!) {
    setHomeHistoryEnabled(homeId: $homeId, enabled: true)
  }
`);
