/** What the dashboard knows of a home at all times: its rooms, all accessories with their values, groups and scenes, in one request. */
import { graphql, type ResultOf } from '../api/graphql.ts';

const HouseAccessoryFragment = graphql(`
  fragment HouseAccessory on PlatformAccessory {
    id
    name
    type
    category
    roomId
    deviceId
    isReachable
    lastSeenAt
    vanishedAt
    isVirtual
    virtualType
    virtualIcon
    virtualControl
    virtualOptions
    virtualOperations
    virtualTimerState
    virtualDurationMs
    virtualRemainingMs
    virtualEndsAt
    virtualHasDate
    virtualHasTime
    services {
      id
      type
      name
      isPrimary
      isHidden
      linkedServices
      characteristics {
        id
        type
        value
        format
        unit
        minValue
        maxValue
        minStep
        validValues
        canRead
        canWrite
      }
    }
  }
`);

export const HouseQuery = graphql(
  `
    query House($homeId: String!) {
      home(homeId: $homeId) {
        id
        name
        role
        connected
        paused
        timeZone
        latitude
        longitude
        radius
        privileges
        rooms {
          id
          name
          isDefault
        }
        zones {
          id
          name
          roomIds
        }
        scenes {
          id
          name
          isBuiltIn
          actionCount
        }
        serviceGroups {
          id
          name
          kind
          serviceIds
          accessoryIds
          accessory {
            ...HouseAccessory
          }
        }
        accessories {
          ...HouseAccessory
        }
      }
    }
  `,
  [HouseAccessoryFragment],
);

export type House = NonNullable<ResultOf<typeof HouseQuery>['home']>;
/** An accessory as the relay tells it, and what this page knows of it besides. */
export type HouseAccessory = House['accessories'][number] & {
  /** Something that was set here is not confirmed yet. */
  readonly isPending?: boolean;
  /** A button that was pressed a moment ago; gone again after ten seconds. */
  readonly lastPress?: Press;
};
export interface Press {
  readonly serviceId: string;
  /** 0 once, 1 twice, 2 long. */
  readonly value: number;
  /** Tells presses alike apart. */
  readonly number: number;
}
export type HouseService = HouseAccessory['services'][number];
export type HouseCharacteristic = HouseService['characteristics'][number];
export type HouseRoom = House['rooms'][number];
export type HouseGroup = House['serviceGroups'][number];
export type HouseScene = House['scenes'][number];
/** As the API gives it: true, false, a number or text; `null` where nothing is known. */
export type Value = unknown;
