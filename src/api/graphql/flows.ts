/**
 * Flows: the service's own automations (wire-facts §6.2), and the runs of all automations. A flow's definition is JSON
 * here too; the REST reference describes its shape once (`/docs/api`, "Flows").
 */
import type { Flow } from '../../app/automations/flow.ts';
import { presentFlowVersion } from '../../app/automations/flows/present-flow.ts';
import type { Admission } from '../../app/automations/program.ts';
import * as contract from '../../contract/flows.ts';
import { documentFormat } from '../document-format.ts';
import { presentFlow, withoutShown } from '../present/flow.ts';
import { given, HOME_CHECK, type Maybe, requireHome } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { fieldsOf, jsonFieldsOf } from './contract-fields.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';
import { decodeJson } from './scalars.ts';

const DATA =
  'The flow, as an object or a text that holds it in JSON: `name` and `actions` at least. It replaces all that was; `dataJson` can be sent back as it was shown.';
const DRAFT =
  'The automation, as an object or a text that holds it in JSON: as `saveFlow` takes a flow, and besides `until`, triggers that end it and put back what it had changed, and `executeOnce`.';
const FORMAT = '`yaml` or `json`.';

function show(flow: Flow, { webhookOrigin }: GraphqlContext): contract.Flow {
  return presentFlow(flow, webhookOrigin);
}

/** The flow that arguments name. @throws `automation_not_found` */
function getFlow({ caller, deps }: GraphqlContext, id: string, homeId?: Maybe<string>): Flow {
  return requireHome(deps.flows.get(caller, id), homeId, 'automation_not_found');
}

const FlowMetadata = builder.objectRef<contract.FlowMetadata>('FlowMetadata').implement({
  description: 'When a flow was created, changed and triggered.',
  fields: (t) => fieldsOf(t, contract.FlowMetadata),
});

export const FlowType = builder.objectRef<contract.Flow>('Flow').implement({
  description:
    'One of the service’s own automations: its triggers, conditions and actions. Its parts are JSON, as in REST.',
  fields: (t) => ({
    ...fieldsOf(t, contract.Flow),
    ...jsonFieldsOf(t, contract.Flow),
    metadata: t.field({
      type: FlowMetadata,
      nullable: false,
      description: 'When it was created, changed and triggered.',
      resolve: ({ metadata }) => metadata,
    }),
    dataJson: t.string({
      nullable: false,
      description: 'All of it as a text of JSON, for editors; `saveFlow` takes it back.',
      resolve: (flow) => JSON.stringify(flow),
    }),
  }),
});

const FlowVersionType = builder.objectRef<contract.FlowVersion>('FlowVersion').implement({
  description: 'A flow as it was saved once. The last 50 saves are kept.',
  fields: (t) => ({ ...fieldsOf(t, contract.FlowVersion), ...jsonFieldsOf(t, contract.FlowVersion) }),
});

const FlowResult = builder.objectRef<ActionResult & { flowId: string }>('FlowResult').implement({
  description: 'Whether a flow was deleted.',
  interfaces: [MutationResult],
  fields: (t) => ({
    flowId: t.exposeString('flowId', { nullable: false, description: 'The flow.' }),
  }),
});

const SavedAutomationType = builder.objectRef<contract.SavedAutomation>('SavedAutomation').implement({
  description: 'An automation that was saved.',
  fields: (t) => fieldsOf(t, contract.SavedAutomation),
});

type RunOutcome = ActionResult & { readonly flowId: string } & { readonly [K in keyof Admission]: Admission[K] | null };

const FlowRunResult = builder.objectRef<RunOutcome>('FlowRunResult').implement({
  description: 'Whether a flow was triggered. The answer does not wait for the run; its trace has the result.',
  interfaces: [MutationResult],
  fields: (t) => ({
    flowId: t.exposeString('flowId', { nullable: false, description: 'The flow.' }),
    runId: t.exposeString('runId', {
      description: 'The run’s id, which is the one of its trace; a refused run has a trace too.',
    }),
    blockedReason: t.exposeString('blockedReason', {
      description: 'Why the run was refused: `disabled`, `rate_limit`, `mode_single` …; null if it was not.',
    }),
  }),
});

/** A blocked run is an expected error. */
function presentRun({ runId, blockedReason }: Admission): Partial<ActionResult> & Admission {
  if (blockedReason === null) return { runId, blockedReason };
  const code = blockedReason === 'rate_limit' ? 'rate_limited' : 'conflict';
  return { success: false, error: `The run was refused: ${blockedReason}.`, code, runId, blockedReason };
}

builder.queryFields((t) => ({
  flows: t.field({
    type: [FlowType],
    nullable: LIST,
    description: 'The flows of a home, by name.',
    args: { homeId: t.arg.string({ required: true }) },
    resolve: (_, { homeId }, context) =>
      context.deps.flows.list(context.caller, homeId).map((flow) => show(flow, context)),
  }),
  flow: t.field({
    type: FlowType,
    description: 'One flow. NOT_FOUND if there is none that the caller can see.',
    args: { flowId: t.arg.string({ required: true }), homeId: t.arg.string({ description: HOME_CHECK }) },
    resolve: (_, { flowId, homeId }, context) => show(getFlow(context, flowId, homeId), context),
  }),
  flowVersions: t.field({
    type: [FlowVersionType],
    nullable: LIST,
    description: 'What a flow was when it was saved, the latest first.',
    args: { flowId: t.arg.string({ required: true }) },
    resolve: (_, { flowId }, { caller, deps }) => deps.flows.versions(caller, flowId).map(presentFlowVersion),
  }),
  exportFlow: t.string({
    description:
      'A flow as a text to keep and share: what it refers to is named, ids of webhooks are left out. For callers who may view its home.',
    args: {
      flowId: t.arg.string({ required: true }),
      format: t.arg.string({ description: `${FORMAT} \`yaml\` if left out.` }),
    },
    resolve: (_, { flowId, format }, { caller, deps }) =>
      deps.flows.export(caller, flowId, documentFormat(format ?? 'yaml')),
  }),
}));

builder.mutationFields((t) => ({
  saveFlow: t.field({
    type: FlowType,
    description:
      'Makes a flow, or replaces one as a whole. Nothing is kept if anything of it is not valid; `field` names the faulty place. For admins of the home.',
    args: {
      homeId: t.arg.string({ required: true }),
      flowId: t.arg.string({ description: 'The flow to replace; a new one if left out.' }),
      data: t.arg({ type: 'JSON', required: true, description: DATA }),
    },
    async resolve(_, { homeId, flowId, data }, context) {
      const flow = { homeId, ...given({ flowId }), data: withoutShown(decodeJson(data, 'data')) };
      return show(await context.deps.flows.saveInSlices(context.caller, flow), context);
    },
  }),
  saveAutomation: t.field({
    type: SavedAutomationType,
    description:
      'Makes an automation, or replaces one as a whole, and keeps it in the simplest form: as a native automation where one can express it, else as a flow. A native automation that needs more becomes a flow with its id. A flow stays one. For admins of the home.',
    args: {
      homeId: t.arg.string({ required: true }),
      automationId: t.arg.string({ description: 'The automation of either kind to replace; a new one if left out.' }),
      data: t.arg({ type: 'JSON', required: true, description: DRAFT }),
    },
    resolve: (_, { homeId, automationId, data }, { caller, deps }) =>
      deps.drafts.save(caller, {
        homeId,
        automationId: automationId?.toLowerCase(),
        data: withoutShown(decodeJson(data, 'data')),
      }),
  }),
  setFlowEnabled: t.field({
    type: FlowType,
    description: 'Enables or disables a flow. For admins of its home.',
    args: {
      flowId: t.arg.string({ required: true }),
      enabled: t.arg.boolean({ required: true }),
      homeId: t.arg.string({ description: HOME_CHECK }),
    },
    resolve: (_, { flowId, enabled, homeId }, context) => {
      const { id } = getFlow(context, flowId, homeId);
      return show(context.deps.flows.setEnabled(context.caller, id, enabled), context);
    },
  }),
  deleteFlow: t.field({
    type: FlowResult,
    description: 'Deletes a flow with its versions and traces, and ends its runs. For admins of its home.',
    args: { flowId: t.arg.string({ required: true }), homeId: t.arg.string({ description: HOME_CHECK }) },
    resolve: (_, { flowId, homeId }, context) =>
      reportOutcome(
        () => {
          const { id } = getFlow(context, flowId, homeId);
          context.deps.flows.delete(context.caller, id);
          return { flowId: id };
        },
        { flowId },
      ),
  }),
}));

builder.mutationFields((t) => ({
  runFlow: t.field({
    type: FlowRunResult,
    description: 'Runs a flow now and does not wait for it. For callers who may control its home.',
    args: {
      flowId: t.arg.string({ required: true }),
      variables: t.arg({
        type: 'JSON',
        description: 'For this run, put over the flow’s own: an object, or a text that holds it in JSON.',
      }),
      homeId: t.arg.string({ description: HOME_CHECK }),
    },
    resolve: (_, { flowId, variables, homeId }, context) =>
      reportOutcome(
        () => {
          const { id } = getFlow(context, flowId, homeId);
          const options = { variables: decodeJson(variables, 'variables') };
          return { flowId: id, ...presentRun(context.deps.programs.run(context.caller, id, options)) };
        },
        { flowId, runId: null, blockedReason: null },
      ),
  }),
  restoreFlowVersion: t.field({
    type: FlowType,
    description:
      'Makes a flow again what it was, as a new version; whether it is enabled stays. For admins of its home.',
    args: {
      versionId: t.arg.string({ required: true }),
      homeId: t.arg.string({ description: 'Not looked at: a version belongs to one flow.' }),
    },
    resolve: async (_, { versionId }, context) =>
      show(await context.deps.flows.restoreVersion(context.caller, versionId), context),
  }),
  importFlow: t.field({
    type: FlowType,
    description:
      'Makes a flow of an exported one. What it refers to is found by id, else by name and room. For admins of the home.',
    args: {
      homeId: t.arg.string({ required: true }),
      data: t.arg.string({ required: true, description: 'The text of `exportFlow`.' }),
      format: t.arg.string({ description: `${FORMAT} Found out if left out.` }),
    },
    async resolve(_, { homeId, data, format }, context) {
      const known = format ? documentFormat(format) : undefined;
      return show(await context.deps.flows.import(context.caller, homeId, data, known), context);
    },
  }),
}));
