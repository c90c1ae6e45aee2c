/**
 * Fields that flows and native automations share: their description in words, and the traces of their runs (wire-facts
 * §6.5).
 */
import type { AccessoryRefusal } from '../../app/automations/program.ts';
import type { Outline, OutlineAction, OutlineNode } from '../../app/automations/programs.ts';
import { presentTrace, type ShownTrace, type ShownTraceStep } from '../present/trace.ts';
import { builder, LIST } from './builder.ts';

const TraceRefusal = builder.objectRef<AccessoryRefusal>('TraceRefusal').implement({
  description: 'An accessory that did not carry out a write.',
  fields: (t) => ({
    accessoryId: t.exposeString('accessoryId', { nullable: false, description: 'A UUID.' }),
    code: t.exposeString('code', { nullable: false, description: 'Why, as the word that REST gives in `code`.' }),
  }),
});

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
    reason: t.exposeString('reason', { description: 'The same as a word: an error’s reason, or its code.' }),
    refusals: t.field({
      type: [TraceRefusal],
      description: 'The accessories that did not carry out a write, if that is the reason.',
      resolve: ({ refusals }) => refusals,
    }),
    parentNodeId: t.exposeString('parentNodeId', { description: 'The id of the action that it is within.' }),
    branch: t.exposeString('branch', {
      description: 'Which list of that one it is in: `then`, `choices[1]`, `branches[0]` …',
    }),
    iteration: t.exposeInt('iteration', { description: 'Which round of a repeat it belongs to, from 1.' }),
    attempt: t.exposeInt('attempt', { nullable: false, description: 'From 1; higher after failures.' }),
  }),
});

const Trace = builder.objectRef<ShownTrace>('Trace').implement({
  description: 'One run of an automation, from its trigger to its end. A hundred are kept for each automation.',
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
      description: 'Its trigger, as expressions see it under `trigger`: `timestamp` in seconds since 1970.',
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
    reason: t.exposeString('reason', { description: 'The same as a word: an error’s reason, or its code.' }),
    refusals: t.field({
      type: [TraceRefusal],
      description: 'The accessories that did not carry out a write, if that is the reason.',
      resolve: ({ refusals }) => refusals,
    }),
    chain: t.exposeStringList('chain', {
      description: 'With `loop` and `depth`: the automations that led here, by name.',
    }),
    blockedReason: t.exposeString('blockedReason', {
      description:
        'Why it did not begin: `disabled`, `rate_limit`, `mode_single`, `mode_queued`, `mode_parallel`, `depth`, `loop` or `missed`.',
    }),
  }),
});

const OutlineTrigger = builder.objectRef<OutlineNode>('AutomationOutlineTrigger').implement({
  description: 'What sets an automation off, in words.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: false, description: 'The trigger’s id.' }),
    summary: t.exposeString('summary', { nullable: false, description: 'One line for people.' }),
    enabled: t.exposeBoolean('enabled', { nullable: false, description: 'Whether it is watched.' }),
  }),
});

const OutlineStep = builder.objectRef<OutlineAction>('AutomationOutlineAction').implement({
  description: 'What an automation does, in words.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: false, description: 'The action’s id.' }),
    depth: t.exposeInt('depth', { nullable: false, description: 'How many actions it is within.' }),
    branch: t.exposeString('branch', {
      description: 'Which list of the one that it is within: `then`, `choices[1]`, `branches[0]` …',
    }),
    summary: t.exposeString('summary', { nullable: false, description: 'One line for people.' }),
    enabled: t.exposeBoolean('enabled', { nullable: false, description: 'Whether it is done.' }),
  }),
});

const AutomationOutline = builder.objectRef<Outline>('AutomationOutline').implement({
  description: 'A flow or a native automation as people read it.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: false, description: 'The automation’s id.' }),
    kind: t.exposeString('kind', { nullable: false, description: '`flow` or `native`.' }),
    homeId: t.exposeString('homeId', { nullable: false, description: 'Its home.' }),
    name: t.exposeString('name', { nullable: false, description: 'What it is called.' }),
    enabled: t.exposeBoolean('enabled', { nullable: false, description: 'Whether its triggers start it.' }),
    triggers: t.field({
      type: [OutlineTrigger],
      nullable: false,
      description: 'Any of them triggers it.',
      resolve: ({ triggers }) => triggers,
    }),
    conditions: t.exposeString('conditions', { description: 'What must hold then; null for nothing.' }),
    actions: t.field({
      type: [OutlineStep],
      nullable: false,
      description: 'What it does, each action before those within it.',
      resolve: ({ actions }) => actions,
    }),
  }),
});

builder.queryFields((t) => ({
  automationOutline: t.field({
    type: AutomationOutline,
    description: 'A flow or a native automation in words. NOT_FOUND if there is none that the caller can see.',
    args: { automationId: t.arg.string({ required: true }) },
    resolve: (_, { automationId }, { caller, deps }) => deps.programs.outline(caller, automationId),
  }),
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
