import { z } from 'zod';
import { AutomationOutline, FireDatesQuery, RunAnswer, Trace, TracesQuery } from '../../../contract/automation-runs.ts';
import { time } from '../../../contract/fields.ts';
import {
  DeletedFlow,
  ExportQuery,
  Flow,
  FlowChanges,
  FlowRun,
  FlowVersion,
  NewFlow,
  WebhookCall,
} from '../../../contract/flows.ts';
import { text } from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { ANY_HOME, HOME } from '../parameters.ts';
import { ACCESSORY_ID } from './accessories.ts';
import { flowSchemas } from './flow-schemas.ts';
import { HOME_ID } from './homes.ts';

const INPUT = {
  name: 'Hall Light',
  mode: 'restart',
  triggers: [{ type: 'state', accessoryId: ACCESSORY_ID, characteristicType: 'motion_detected', to: true }],
  conditions: { operator: 'and', conditions: [{ type: 'sun', after: 'sunset' }] },
  actions: [
    { type: 'set_characteristic', accessoryId: ACCESSORY_ID, characteristicType: 'brightness', value: '{{ level }}' },
  ],
  variables: { level: 40 },
};
const DOCUMENT = `hearthd: flow/1
name: Hall Light
enabled: true
actions:
  - type: variables
    variables:
      level: 40
`;

const A_FLOW = { description: 'The flow as it is now.', schema: Flow };
const AUTOMATION = 'Of a native automation too, by its id.';

export const flows: Resource = {
  tag: 'Flows',
  description:
    'The service’s own automations: triggers, conditions, actions, variables and expressions (CEL) in `{{ }}`. All of it is JSON, and can be sent back as it is shown; the names of an editor’s palette (`device_changed`, `set_device` …) are understood too. Every fault is named with its path in `field`.',
  get schemas() {
    return flowSchemas();
  },
  operations: [
    {
      method: 'get',
      path: '/rest/flows',
      id: 'listFlows',
      summary: 'The flows of a home, or of all homes',
      audience: 'token',
      query: [ANY_HOME],
      answer: { description: 'The flows, by name.', schema: z.array(Flow) },
      errors: [400, 404],
    },
    {
      method: 'post',
      path: '/rest/flows',
      id: 'createFlow',
      summary: 'Make a flow',
      description: 'If anything of it is not valid nothing is made.',
      audience: 'admin',
      body: { schema: NewFlow, examples: { 'A light with a motion sensor': { homeId: HOME_ID, ...INPUT } } },
      answer: A_FLOW,
      errors: [404],
    },
    {
      method: 'post',
      path: '/rest/flows/import',
      id: 'importFlow',
      summary: 'Make a flow of an exported one',
      description: 'What it refers to is found by id, else by name and room; a name that is taken gets a number.',
      audience: 'admin',
      query: [HOME],
      body: {
        schema: { type: 'object', description: 'As an export has it.' },
        also: { type: 'application/yaml', schema: text('As an export has it.'), example: DOCUMENT },
        examples: { 'A document': { hearthd: 'flow/1', name: 'Hall Light', actions: [] } },
      },
      answer: A_FLOW,
      errors: [404],
    },
    {
      method: 'get',
      path: '/rest/flows/traces/:runId',
      id: 'getTrace',
      summary: 'What one run did and why',
      description: 'Of native automations too.',
      audience: 'view',
      pathParameters: { runId: 'The id of the run.' },
      answer: { description: 'The trace.', schema: Trace },
    },
    {
      method: 'post',
      path: '/rest/flows/versions/:versionId/restore',
      id: 'restoreFlowVersion',
      summary: 'Make a flow again what it was',
      description: 'As a new version; whether it is enabled stays.',
      audience: 'admin',
      pathParameters: { versionId: 'The id of the version.' },
      answer: A_FLOW,
      errors: [422],
    },
    {
      method: 'get',
      path: '/rest/flows/:id',
      id: 'getFlow',
      summary: 'One flow',
      audience: 'view',
      answer: { description: 'The flow.', schema: Flow },
    },
    {
      method: 'put',
      path: '/rest/flows/:id',
      id: 'replaceFlow',
      summary: 'Replace a flow as a whole',
      description: 'As a new version. Runs under way end as what they began as.',
      audience: 'admin',
      body: { schema: NewFlow, examples: { 'All of it': INPUT } },
      answer: A_FLOW,
    },
    {
      method: 'patch',
      path: '/rest/flows/:id',
      id: 'changeFlow',
      summary: 'Rename a flow, enable or disable it',
      audience: 'admin',
      body: {
        schema: FlowChanges,
        examples: { 'Disable it': { enabled: false }, 'Rename it': { name: 'Hall' } },
      },
      answer: A_FLOW,
    },
    {
      method: 'delete',
      path: '/rest/flows/:id',
      id: 'deleteFlow',
      summary: 'Delete a flow',
      description: 'With its versions and traces; its runs end.',
      audience: 'admin',
      answer: { description: 'It is gone.', schema: DeletedFlow },
    },
    {
      method: 'post',
      path: '/rest/flows/:id/enable',
      id: 'enableFlow',
      summary: 'Enable a flow',
      audience: 'admin',
      answer: A_FLOW,
    },
    {
      method: 'post',
      path: '/rest/flows/:id/disable',
      id: 'disableFlow',
      summary: 'Disable a flow',
      description: 'Runs under way end as they would have.',
      audience: 'admin',
      answer: A_FLOW,
    },
    {
      method: 'post',
      path: '/rest/flows/:id/run',
      id: 'runFlow',
      summary: 'Run an automation now',
      description: `If its conditions hold. Does not wait for it: its trace has the result. ${AUTOMATION}`,
      audience: 'control',
      body: {
        schema: FlowRun,
        optional: true,
        examples: { 'As it is': {}, 'With a variable': { variables: { level: 80 } } },
      },
      answer: { description: 'The run, or why it was refused.', schema: RunAnswer },
    },
    {
      method: 'get',
      path: '/rest/flows/:id/outline',
      id: 'getOutline',
      summary: 'An automation in words',
      description: AUTOMATION,
      audience: 'view',
      answer: { description: 'A line for each of its triggers, conditions and actions.', schema: AutomationOutline },
    },
    {
      method: 'get',
      path: '/rest/flows/:id/traces',
      id: 'listTraces',
      summary: 'What the latest runs did and why',
      description: AUTOMATION,
      audience: 'view',
      query: TracesQuery,
      answer: { description: 'The traces, the newest first.', schema: z.array(Trace) },
      errors: [422],
    },
    {
      method: 'get',
      path: '/rest/flows/:id/versions',
      id: 'listFlowVersions',
      summary: 'What a flow was when it was saved',
      audience: 'view',
      answer: { description: 'The last 50 saves, the latest first.', schema: z.array(FlowVersion) },
    },
    {
      method: 'get',
      path: '/rest/flows/:id/next',
      id: 'listNextFireDates',
      summary: 'When the clock triggers an automation next',
      description: `None while it is disabled, and where nothing of it goes by the clock. ${AUTOMATION}`,
      audience: 'view',
      query: FireDatesQuery,
      answer: { description: 'The moments, the earliest first.', schema: z.array(time()) },
      errors: [422],
    },
    {
      method: 'get',
      path: '/rest/flows/:id/export',
      id: 'exportFlow',
      summary: 'A flow as a text to keep and share',
      description: 'What it refers to is named in it; ids of webhooks are left out.',
      audience: 'view',
      query: ExportQuery,
      answer: {
        description: 'The document.',
        type: 'application/yaml',
        schema: text(),
        example: DOCUMENT,
        also: { type: 'application/json', schema: { type: 'object' } },
      },
      errors: [422],
    },
    {
      method: 'post',
      path: '/webhook/:webhookId',
      id: 'callWebhook',
      summary: 'Trigger a flow from outside',
      description:
        'The trigger of the type `webhook` has the id and the methods that it accepts; the parameters of a GET are the payload. Expressions read it as `trigger.webhook_payload`, and when it came as `trigger.timestamp`, in seconds since 1970.',
      audience: 'everyone',
      pathParameters: { webhookId: 'Of the trigger. Everyone who knows it may call it.' },
      body: {
        schema: { description: 'Any JSON up to 64 KiB; `null` if there is no body.' },
        optional: true,
        examples: { Something: { door: 'front' }, Nothing: null },
      },
      answer: {
        status: 202,
        description: 'It was received. `success` is false if no run began: `blockedReason` is the reason.',
        schema: WebhookCall,
      },
      errors: [429, 503],
    },
  ],
};
