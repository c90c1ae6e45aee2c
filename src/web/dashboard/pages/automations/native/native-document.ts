/** Native automations from the API, and the drafts made of them. */
import { graphql, type ResultOf } from '../../../api/graphql.ts';

const EventFragment = graphql(`
  fragment NativeEvent on AutomationEvent {
    type
    accessoryId
    accessoryName
    characteristicType
    triggerValue
    thresholdMin
    thresholdMax
    significantEvent
    offsetMinutes
    calendarComponents
    durationSeconds
    latitude
    longitude
    radius
    notifyOnEntry
    notifyOnExit
    presenceType
    presenceEvent
    personIds
  }
`);

export const NativeFragment = graphql(
  `
    fragment NativeAutomation on PlatformAutomation {
      id
      name
      homeId
      isEnabled
      lastFireDate
      trigger {
        type
        fireDate
        recurrence
        timeZone
        recurrences
        executeOnce
        activationState
        events {
          ...NativeEvent
        }
        endEvents {
          ...NativeEvent
        }
        conditions {
          type
          accessoryId
          accessoryName
          characteristicType
          operator
          value
          afterTime
          beforeTime
          afterEvent
          beforeEvent
          presenceType
          presenceEvent
          personIds
        }
      }
      actions {
        accessoryId
        accessoryName
        characteristicType
        targetValue
      }
    }
  `,
  [EventFragment],
);

export const NativeQuery = graphql(
  `
    query NativeAutomation($automationId: String!) {
      automation(automationId: $automationId) {
        ...NativeAutomation
      }
    }
  `,
  [NativeFragment],
);

export const CreateNative = graphql(
  `
    mutation CreateNative($homeId: String!, $name: String!, $trigger: String!, $actions: String!) {
      createAutomation(homeId: $homeId, name: $name, trigger: $trigger, actions: $actions) {
        ...NativeAutomation
      }
    }
  `,
  [NativeFragment],
);

export type NativeAutomation = NonNullable<ResultOf<typeof NativeQuery>['automation']>;
