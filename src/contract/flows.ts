/**
 * Flows (wire-facts §6.2): the service's own automations. Their triggers, conditions and actions are described by their
 * kinds; the operation parses them.
 */
import { z } from 'zod';
import { anyObject, EXAMPLE_ID, flag, id, integer, success, text, time, word } from './fields.ts';
import type { Output } from './parse.ts';

/**
 * `single`: refuses a second run while one is active. `restart`: the second run ends the first. `queued`, `parallel`:
 * up to `maxRunning`.
 */
export const RUN_MODES = ['single', 'restart', 'queued', 'parallel'] as const;
export type RunMode = (typeof RUN_MODES)[number];

const MOTION = { accessoryId: EXAMPLE_ID, characteristicType: 'motion_detected' };
const LIGHT = { accessoryId: EXAMPLE_ID, characteristicType: 'brightness' };

/** The parts of a kind, which the reference describes elsewhere. */
function partsOf(component: string, description: string, example: object) {
  return z.array(z.unknown().meta({ $ref: component })).meta({ description, examples: [[example]] });
}

export const FlowDefinition = z.object({
  description: text('What it is for, in its owner’s words.').nullable(),
  mode: word(
    RUN_MODES,
    'What becomes of a second run while one is under way: refused, ending the first, waiting, or both run. `single` if left out.',
  ),
  maxRunning: integer('How many runs may be under way or wait in `queued` and `parallel`; 10 if left out.', 10),
  triggers: partsOf('FlowTrigger', 'Any of them triggers it. Webhooks have no ids for callers who may only view it.', {
    type: 'state',
    ...MOTION,
    to: true,
  }),
  conditions: z.unknown().meta({
    $ref: 'FlowConditions',
    description: 'What must hold when it is triggered.',
    examples: [{ operator: 'and', conditions: [{ type: 'sun', after: 'sunset' }] }],
  }),
  actions: partsOf(
    'FlowAction',
    'What it does, one after the other. Requests have no credentials for callers who may not change it.',
    { type: 'set_characteristic', ...LIGHT, value: '{{ level }}' },
  ),
  variables: anyObject('What expressions can name besides.'),
  blueprintId: text('The template that it was made from.').nullable(),
  uiState: z
    .unknown()
    .meta({ type: ['object', 'null'], description: 'What an editor keeps for itself; never read here.' }),
});
export type FlowDefinition = Output<typeof FlowDefinition>;

export const FlowMetadata = z.object({
  createdAt: time('When it was made.'),
  updatedAt: time('When it was saved last.'),
  lastTriggeredAt: time('When it was last triggered.').optional(),
  triggerCount: integer('How often it was triggered, including refused runs.'),
});
export type FlowMetadata = Output<typeof FlowMetadata>;

const NAME = text('Ends with a letter or a number; others may have the same.', 'Hall Light');

export const Flow = z
  .object({
    id: id(),
    version: integer('Rises with every save, from 1.', 3),
    metadata: FlowMetadata,
    webhookUrls: z
      .array(z.string())
      .describe('The addresses of its webhooks, which may start it; none for callers who may not run it.'),
    homeId: id('The home that it is in.'),
    name: NAME,
    enabled: flag('Whether its triggers start it.', true),
    ...FlowDefinition.shape,
  })
  .meta({ id: 'Flow' });
export type Flow = Output<typeof Flow>;

/** A flow as it was shown can be sent back. */
export const NewFlow = Flow.extend({
  homeId: id('The home it is for; of a flow that is replaced, its own.'),
  enabled: flag('`true` for a new flow, else as it was.'),
})
  .partial()
  .required({ name: true, actions: true })
  .meta({ id: 'NewFlow' });

export const AutomationDraft = NewFlow.extend({
  until: z.unknown().meta({
    type: 'array',
    items: { $ref: 'FlowTrigger' },
    description: 'Any of them ends it: then what its actions changed is restored.',
    examples: [[{ type: 'duration', seconds: 180 }]],
  }),
  executeOnce: flag('Whether it is disabled after it has acted.'),
})
  .partial()
  .required({ name: true, actions: true })
  .meta({ id: 'AutomationDraft' });

export const SAVED_KINDS = ['native', 'flow'] as const;
export const SavedAutomation = z
  .object({
    id: id('Its id; the same for both kinds.'),
    kind: word(SAVED_KINDS, 'What it was saved as.'),
  })
  .meta({ id: 'SavedAutomation' });
export type SavedAutomation = Output<typeof SavedAutomation>;

export const FlowChanges = z
  .strictObject({
    name: text('As for a new one. It makes a new version.'),
    enabled: flag('Whether its triggers start it.'),
  })
  .partial();
export type FlowChanges = Output<typeof FlowChanges>;

export const FlowRun = z.strictObject({
  variables: anyObject('For this run, put over the flow’s own.').optional(),
});

/** The last 50 saves are kept. */
export const FlowVersion = z
  .object({
    id: id('For restoring it.'),
    flowId: id('The flow.'),
    version: integer('Its number.', 2),
    name: text('What the flow was called.', 'Hall Light'),
    savedAt: time('When it was saved.'),
    definition: FlowDefinition.describe('What the flow did: all but its name and whether it is enabled.'),
  })
  .meta({ id: 'FlowVersion' });
export type FlowVersion = Output<typeof FlowVersion>;

export const DeletedFlow = success({ flowId: id() });

/** The answer to a call of a flow's webhook. */
export const WebhookCall = z.object({
  success: flag('Whether a run began.', true),
  runId: text('Of the run, or of the trace with the reason for refusing it.', EXAMPLE_ID).nullable(),
  blockedReason: text('`disabled`, `mode_single`, `not_waiting` …').optional(),
});

/** Of exported and imported flows. */
export const DOCUMENT_FORMATS = ['yaml', 'json'] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];
export const ExportQuery = z.object({ format: word(DOCUMENT_FORMATS, '`yaml` if left out.').optional() });
