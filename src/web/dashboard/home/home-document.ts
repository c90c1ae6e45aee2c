/**
 * The inventory of a home that the dashboard keeps loaded: rooms, all accessories with their values, groups and scenes,
 * in one request.
 */
import { graphql, type ResultOf } from '../api/graphql.ts';

const HomeAccessoryFragment = graphql(`
  fragment HomeAccessory on PlatformAccessory {
    id
    name
    type
    category
    icon
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

export const HomeQuery = graphql(
  `
    query HomeInventory($homeId: String!) {
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
        background
        pictureHash
        rooms {
          id
          name
          isDefault
          color
          pictureHash
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
          actionSetType
          icon
          color
          actionList {
            accessoryId
          }
        }
        serviceGroups {
          id
          name
          kind
          serviceIds
          accessoryIds
          accessory {
            ...HomeAccessory
          }
        }
        accessories {
          ...HomeAccessory
        }
      }
    }
  `,
  [HomeAccessoryFragment],
);

export type HomeInventory = NonNullable<ResultOf<typeof HomeQuery>['home']>;
/** An accessory as the relay reports it, with the local state of this page. */
export type HomeAccessory = HomeInventory['accessories'][number] & {
  /** A local change is not confirmed yet. */
  readonly isPending?: boolean;
  /** Values that were set here and are not confirmed, unless the device is waited for, by characteristic id. */
  readonly wanted?: WantedValues;
  /** Of an accessory as it is asked to be: what the device confirmed last of these, by characteristic id. */
  readonly confirmed?: WantedValues;
  /** It has not been confirmed for a second: the device may not answer. */
  readonly isWaiting?: boolean;
  /** Of a service group: how many of its members that answer can be switched, and are on. */
  readonly running?: Running;
  /** The last press of a button; removed after ten seconds. */
  readonly lastPress?: LastPress;
};
export type WantedValues = Readonly<Record<string, Value>>;
export interface Running {
  readonly on: number;
  readonly all: number;
}
export interface LastPress {
  readonly serviceId: string;
  /** 0 once, 1 twice, 2 long. */
  readonly value: number;
  /** Distinguishes equal presses. */
  readonly number: number;
}
export type HomeService = HomeAccessory['services'][number];
export type HomeCharacteristic = HomeService['characteristics'][number];
export type HomeRoom = HomeInventory['rooms'][number];
export type HomeGroup = HomeInventory['serviceGroups'][number];
export type HomeScene = HomeInventory['scenes'][number];
/** The API's value: true, false, a number or text; `null` if unknown. */
export type Value = unknown;
