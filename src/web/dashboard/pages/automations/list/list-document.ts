/** The queries and mutations of the automation list. */
import { graphql } from '../../../api/graphql.ts';
import { NativeFragment } from '../native/native-document.ts';

export const AutomationsQuery = graphql(
  `
    query Automations($homeId: String!) {
      automations(homeId: $homeId) {
        ...NativeAutomation
      }
      flows(homeId: $homeId) {
        id
        name
        enabled
        dataJson
        metadata {
          lastTriggeredAt
        }
      }
    }
  `,
  [NativeFragment],
);

export const SetNativeEnabled = graphql(`
  mutation SetNativeEnabled($id: String!, $enabled: Boolean!) {
    setAutomationEnabled(automationId: $id, enabled: $enabled) {
      id
      isEnabled
    }
  }
`);

export const SetFlowEnabled = graphql(`
  mutation SetFlowEnabled($id: String!, $enabled: Boolean!) {
    setFlowEnabled(flowId: $id, enabled: $enabled) {
      id
      enabled
    }
  }
`);

export const ImportFlow = graphql(`
  mutation ImportFlow($homeId: String!, $data: String!) {
    importFlow(homeId: $homeId, data: $data) {
      id
      name
    }
  }
`);
