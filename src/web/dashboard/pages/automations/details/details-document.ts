/** The queries and mutations of an automation's page. */
import { graphql, type ResultOf } from '../../../api/graphql.ts';
import { ListedRunFragment } from '../runs/runs-document.ts';

export const FlowQuery = graphql(`
  query FlowDetails($id: String!) {
    flow(flowId: $id) {
      id
      name
      enabled
      dataJson
      webhookUrls
      version
      metadata {
        lastTriggeredAt
      }
    }
  }
`);

export const MomentsQuery = graphql(
  `
    query Moments($id: String!) {
      nextFireDates(automationId: $id, count: 5)
      flowTraces(flowId: $id, limit: 5) {
        ...ListedRun
      }
    }
  `,
  [ListedRunFragment],
);

export const VersionsQuery = graphql(`
  query Versions($id: String!) {
    flowVersions(flowId: $id) {
      id
      version
      name
      savedAt
      definition
    }
  }
`);

export const ExportFlow = graphql(`
  query ExportFlow($id: String!, $format: String!) {
    exportFlow(flowId: $id, format: $format)
  }
`);

export const SaveCopy = graphql(`
  mutation SaveCopy($homeId: String!, $data: JSON!) {
    saveFlow(homeId: $homeId, data: $data) {
      id
      name
    }
  }
`);

export const DeleteFlow = graphql(`
  mutation DeleteFlow($id: String!) {
    deleteFlow(flowId: $id) {
      success
      error
      code
      reason
    }
  }
`);

export const DeleteNative = graphql(`
  mutation DeleteNative($id: String!) {
    deleteAutomation(automationId: $id) {
      success
      error
      code
      reason
    }
  }
`);

export const RestoreVersion = graphql(`
  mutation RestoreVersion($versionId: String!) {
    restoreFlowVersion(versionId: $versionId) {
      id
      version
    }
  }
`);

export type FlowVersion = NonNullable<NonNullable<ResultOf<typeof VersionsQuery>['flowVersions']>[number]>;
