/** The devices that receive notifications of the user. */
import { graphql } from '../../api/graphql.ts';

export const PushDevicesQuery = graphql(`
  query PushDevices {
    pushDevices {
      id
      name
      lastSentAt
      failure
      isCurrent
    }
  }
`);

export const RemovePushDevice = graphql(`
  mutation RemovePushDevice($id: String!) {
    removePushDevice(id: $id) {
      success
      error
      code
      reason
    }
  }
`);

export const TestPushDevice = graphql(`
  mutation TestPushDevice($id: String!, $message: String) {
    testPushDevice(id: $id, message: $message) {
      success
      failure
    }
  }
`);
