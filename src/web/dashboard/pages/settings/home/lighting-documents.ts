/** The queries and mutations of adaptive lighting. */
import { graphql, type ResultOf } from '../../../api/graphql.ts';

const LightingFragment = graphql(`
  fragment LightingFields on AdaptiveLighting {
    enabled
    warmest
    coldest
    wake
    sleep
    pauseHours
    rooms {
      roomId
      setting
    }
    lamps {
      accessoryId
      status
    }
  }
`);

export const LightingQuery = graphql(
  `
    query Lighting($homeId: String!) {
      adaptiveLighting(homeId: $homeId) {
        ...LightingFields
      }
    }
  `,
  [LightingFragment],
);

export type Lighting = NonNullable<ResultOf<typeof LightingQuery>['adaptiveLighting']>;

export const UpdateLighting = graphql(`
  mutation UpdateLighting(
    $homeId: String!
    $enabled: Boolean
    $warmest: Int
    $coldest: Int
    $wake: String
    $sleep: String
    $pauseHours: Int
  ) {
    updateAdaptiveLighting(
      homeId: $homeId
      enabled: $enabled
      warmest: $warmest
      coldest: $coldest
      wake: $wake
      sleep: $sleep
      pauseHours: $pauseHours
    ) {
      homeId
    }
  }
`);

export const SetRoomLighting = graphql(`
  mutation SetRoomLighting($roomId: String!, $setting: String!) {
    setRoomAdaptiveLighting(roomId: $roomId, setting: $setting) {
      homeId
    }
  }
`);
