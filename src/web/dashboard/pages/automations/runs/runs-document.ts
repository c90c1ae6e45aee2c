/** Runs of automations in the API's format. */
import { graphql, type ResultOf } from '../../../api/graphql.ts';

/** A run as lists show it. */
export const ListedRunFragment = graphql(`
  fragment ListedRun on Trace {
    id
    startedAt
    finishedAt
    status
    blockedReason
    error
    reason
    refusals {
      accessoryId
      code
    }
    triggerData
    steps {
      index
      type
      result
      parentNodeId
    }
  }
`);

export const RunsQuery = graphql(
  `
    query Runs($automationId: String!) {
      automationOutline(automationId: $automationId) {
        id
        name
        kind
      }
      flowTraces(flowId: $automationId, limit: 100) {
        ...ListedRun
      }
    }
  `,
  [ListedRunFragment],
);

export const RunQuery = graphql(`
  query Run($traceId: String!) {
    flowTrace(traceId: $traceId) {
      id
      automationId
      automationName
      startedAt
      finishedAt
      status
      blockedReason
      error
      reason
      refusals {
        accessoryId
        code
      }
      chain
      triggerData
      variables
      steps {
        index
        type
        nodeId
        nodeType
        nodeSummary
        startedAt
        finishedAt
        durationMs
        result
        input
        output
        error
        reason
        refusals {
          accessoryId
          code
        }
        parentNodeId
        branch
        iteration
        attempt
      }
    }
  }
`);

export type Run = NonNullable<ResultOf<typeof RunQuery>['flowTrace']>;
export type RunStep = Run['steps'][number];
export type ListedRun = NonNullable<NonNullable<NonNullable<ResultOf<typeof RunsQuery>['flowTraces']>[number]>>;
