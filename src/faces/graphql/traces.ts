/** What runs of automations did and why (wire-facts §6.5), flows' and native ones' alike. */
import { presentTrace, type ShownTrace, type ShownTraceStep } from '../rest/present-trace.ts';
import { builder, LIST } from './builder.ts';

const TraceStep = builder.objectRef<ShownTraceStep>('TraceStep').implement({
  description: 'One thing that a run did: the trigger, the conditions, or one action.',
  fields: (t) => ({
    index: t.exposeInt('index', { nullable: false, description: 'Its place in the trace, from 0.' }),
    type: t.exposeString('type', { nullable: false, description: '`trigger`, `condition` or `action`.' }),
    nodeId: t.exposeString('nodeId', { description: 'The id of the trigger or action; null for the conditions.' }),
    nodeType: t.exposeString('nodeType', { nullable: false, description: 'Its type: `set_characteristic`, `delay` …' }),
    nodeSummary: t.exposeString('nodeSummary', { nullable: false, description: 'One line for people.' }),
    startedAt: t.exposeString('startedAt', { nullable: false, description: 'ISO 8601.' }),
    finishedAt: t.exposeString('finishedAt', { description: 'ISO 8601; null while it is under way.' }),
    durationMs: t.exposeFloat('durationMs', { description: 'Milliseconds.' }),
    result: t.exposeString('result', {
      nullable: false,
      description: '`passed`, `failed`, `executed`, `skipped`, `error`, `running` or `timeout`.',
    }),
    input: t.field({
      type: 'JSON',
      description: 'What it was given. What is long is cut.',
      resolve: ({ input }) => input,
    }),
    output: t.field({
      type: 'JSON',
      description: 'What it gave. What is long is cut.',
      resolve: ({ output }) => output,
    }),
    error: t.exposeString('error', { description: 'What went wrong, as a sentence.' }),
    parentNodeId: t.exposeString('parentNodeId', { description: 'The id of the action that it is within.' }),
    branch: t.exposeString('branch', {
      description: 'Which list of that one it is in: `then`, `choices[1]`, `branches[0]` …',
    }),
    iteration: t.exposeInt('iteration', { description: 'Which round of a repeat it belongs to, from 1.' }),
    attempt: t.exposeInt('attempt', { nullable: false, description: 'From 1; higher after failures.' }),
  }),
});

const Trace = builder.objectRef<ShownTrace>('Trace').implement({
  description: 'One run of an automation, from what set it off to how it ended. A hundred are kept of each.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: false, description: 'The run’s id.' }),
    automationId: t.exposeString('automationId', { nullable: false, description: 'The flow or native automation.' }),
    automationName: t.exposeString('automationName', { nullable: false, description: 'What it was called then.' }),
    homeId: t.exposeString('homeId', { nullable: false, description: 'Its home.' }),
    startedAt: t.exposeString('startedAt', { nullable: false, description: 'ISO 8601.' }),
    finishedAt: t.exposeString('finishedAt', { description: 'ISO 8601; null while it is under way.' }),
    status: t.exposeString('status', {
      nullable: false,
      description: '`running`, `success`, `error`, `stopped`, `timeout` or `cancelled`.',
    }),
    triggerData: t.field({
      type: 'JSON',
      nullable: false,
      description: 'What set it off, as expressions see it under `trigger`.',
      resolve: ({ triggerData }) => triggerData,
    }),
    steps: t.field({
      type: [TraceStep],
      nullable: false,
      description: 'What it did, in the order in which it began.',
      resolve: ({ steps }) => steps,
    }),
    variables: t.field({
      type: 'JSON',
      nullable: false,
      description: 'Its variables as they were last.',
      resolve: ({ variables }) => variables,
    }),
    error: t.exposeString('error', { description: 'Why it did not end well, as a sentence.' }),
    blockedReason: t.exposeString('blockedReason', {
      description:
        'Why it did not begin: `disabled`, `rate_limit`, `mode_single`, `mode_queued`, `mode_parallel`, `depth`, `loop` or `missed`.',
    }),
  }),
});

builder.queryFields((t) => ({
  flowTraces: t.field({
    type: [Trace],
    nullable: LIST,
    description: 'The latest runs of a flow or a native automation, the newest first; refused ones among them.',
    args: {
      flowId: t.arg.string({ required: true, description: 'The flow’s id, or a native automation’s.' }),
      limit: t.arg.int({ description: '1–100; 20 if left out.' }),
    },
    resolve: (_, { flowId, limit }, { caller, deps }) =>
      deps.traces.list(caller, flowId, limit ?? undefined).map(presentTrace),
  }),
  flowTrace: t.field({
    type: Trace,
    description: 'One run. NOT_FOUND if it is not kept any more, or the caller can’t see it.',
    args: { traceId: t.arg.string({ required: true, description: 'The run’s id.' }) },
    resolve: (_, { traceId }, { caller, deps }) => presentTrace(deps.traces.get(caller, traceId)),
  }),
}));
