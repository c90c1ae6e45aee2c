/**
 * Fields that flows and native automations share: their description in words, and the traces of their runs (wire-facts
 * §6.5).
 */
import {
  AccessoryRefusal,
  AutomationOutline,
  DEFAULT_TRACES,
  MAX_TRACES,
  OutlineAction,
  OutlineTrigger,
  Trace,
  TraceAutomation,
  TraceStep,
} from '../../contract/automation-runs.ts';
import { presentTrace } from '../present/trace.ts';
import { builder, LIST } from './builder.ts';
import { fieldsOf, jsonFieldsOf } from './contract-fields.ts';

const REASON = 'The same as a word: an error’s reason, or its code.';
const REFUSALS = 'The accessories that did not carry out a write, if that is the reason.';

const TraceRefusalType = builder.objectRef<AccessoryRefusal>('TraceRefusal').implement({
  description: 'An accessory that did not carry out a write.',
  fields: (t) => ({
    ...fieldsOf(t, AccessoryRefusal.omit({ code: true })),
    code: t.exposeString('code', { nullable: false, description: 'Why, as the word that REST gives in `code`.' }),
  }),
});

const TraceStepType = builder.objectRef<TraceStep>('TraceStep').implement({
  description: 'One thing that a run did: the trigger, the conditions, or one action.',
  fields: (t) => ({
    ...fieldsOf(t, TraceStep.omit({ reason: true })),
    reason: t.exposeString('reason', { description: REASON }),
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
    refusals: t.expose('refusals', { type: [TraceRefusalType], description: REFUSALS }),
  }),
});

const TraceAutomationType = builder.objectRef<TraceAutomation>('TraceAutomation').implement({
  description: 'The automation as a run found it.',
  fields: (t) => ({ ...fieldsOf(t, TraceAutomation), ...jsonFieldsOf(t, TraceAutomation) }),
});

const TraceType = builder.objectRef<Trace>('Trace').implement({
  description: 'One run of an automation, from its trigger to its end. A hundred are kept for each automation.',
  fields: (t) => ({
    ...fieldsOf(t, Trace.omit({ reason: true })),
    reason: t.exposeString('reason', { description: REASON }),
    triggerData: t.field({
      type: 'JSON',
      nullable: false,
      description: 'Its trigger, as expressions see it under `trigger`: `timestamp` in seconds since 1970.',
      resolve: ({ triggerData }) => triggerData,
    }),
    steps: t.expose('steps', {
      type: [TraceStepType],
      nullable: false,
      description: 'What it did, in the order in which it began.',
    }),
    variables: t.field({
      type: 'JSON',
      nullable: false,
      description: 'Its variables as they were last.',
      resolve: ({ variables }) => variables,
    }),
    refusals: t.expose('refusals', { type: [TraceRefusalType], description: REFUSALS }),
    automation: t.field({
      type: TraceAutomationType,
      description: 'The automation as the run found it. Only of `flowTrace`; null if it is no longer kept.',
      resolve: ({ automation }) => automation,
    }),
  }),
});

const OutlineTriggerType = builder.objectRef<OutlineTrigger>('AutomationOutlineTrigger').implement({
  description: 'What triggers an automation, in words.',
  fields: (t) => fieldsOf(t, OutlineTrigger),
});

const OutlineActionType = builder.objectRef<OutlineAction>('AutomationOutlineAction').implement({
  description: 'What an automation does, in words.',
  fields: (t) => fieldsOf(t, OutlineAction),
});

const AutomationOutlineType = builder.objectRef<AutomationOutline>('AutomationOutline').implement({
  description: 'A flow or a native automation as people read it.',
  fields: (t) => ({
    ...fieldsOf(t, AutomationOutline),
    triggers: t.expose('triggers', {
      type: [OutlineTriggerType],
      nullable: false,
      description: 'Any of them triggers it.',
    }),
    actions: t.expose('actions', {
      type: [OutlineActionType],
      nullable: false,
      description: 'What it does, each action before those within it.',
    }),
  }),
});

builder.queryFields((t) => ({
  automationOutline: t.field({
    type: AutomationOutlineType,
    description: 'A flow or a native automation in words. NOT_FOUND if there is none that the caller can see.',
    args: { automationId: t.arg.string({ required: true }) },
    resolve: (_, { automationId }, { caller, deps }) => deps.programs.outline(caller, automationId),
  }),
  flowTraces: t.field({
    type: [TraceType],
    nullable: LIST,
    description: 'The latest runs of a flow or a native automation, the newest first; refused ones among them.',
    args: {
      flowId: t.arg.string({ required: true, description: 'The flow’s id, or a native automation’s.' }),
      limit: t.arg.int({ description: `1–${MAX_TRACES}; ${DEFAULT_TRACES} if left out.` }),
    },
    resolve: (_, { flowId, limit }, { caller, deps }) =>
      deps.traces.list(caller, flowId, limit ?? undefined).map(presentTrace),
  }),
  flowTrace: t.field({
    type: TraceType,
    description: 'One run. NOT_FOUND if it is not kept any more, or the caller can’t see it.',
    args: { traceId: t.arg.string({ required: true, description: 'The run’s id.' }) },
    resolve: (_, { traceId }, { caller, deps }) => presentTrace(deps.traces.get(caller, traceId)),
  }),
}));
