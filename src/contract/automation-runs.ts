/** Automations in words, and their runs (wire-facts §6.5). */
import { z } from 'zod';
import { ERROR_CODES } from '../kernel/errors.ts';
import { ERROR_REASONS } from '../kernel/reasons.ts';
import { anyObject, EXAMPLE_TIME, flag, id, integer, limit, number, text, time, whole, word } from './fields.ts';
import type { Output } from './parse.ts';

/** Traces kept for each automation, and listed at once. */
export const MAX_TRACES = 100;
export const DEFAULT_TRACES = 20;
export const TracesQuery = z.object({ limit: limit(MAX_TRACES).default(DEFAULT_TRACES) });

export const MAX_FIRE_DATES = 100;
export const DEFAULT_FIRE_DATES = 5;
export const FireDatesQuery = z.object({
  count: whole({ from: 1, to: MAX_FIRE_DATES }, 'The maximum number of moments.').default(DEFAULT_FIRE_DATES),
});

/** Why a run did not start. */
export const BLOCKED_REASONS = [
  'disabled',
  /** Too many runs per minute. */
  'rate_limit',
  'mode_single',
  'mode_queued',
  'mode_parallel',
  /** Automations that trigger each other more than five deep. */
  'depth',
  /** As `depth`, and one automation is in the chain twice. */
  'loop',
  /** It was due while the daemon was down or the computer asleep, longer ago than the grace period. */
  'missed',
] as const;
export type BlockedReason = (typeof BLOCKED_REASONS)[number];

const TraceStatus = word(['running', 'success', 'error', 'stopped', 'timeout', 'cancelled']);
export type TraceStatus = z.output<typeof TraceStatus>;
const StepResult = word(['passed', 'failed', 'executed', 'skipped', 'error', 'running', 'timeout']);
export type StepResult = z.output<typeof StepResult>;

const anyJson = (description: string) => z.unknown().describe(description);
const reason = () => word([...ERROR_CODES, ...ERROR_REASONS], '`error` as a word. More may come.').optional();
const line = (example: string) => text('One line for people.', example);

export const AccessoryRefusal = z.object({ accessoryId: id(), code: word(ERROR_CODES) });
export type AccessoryRefusal = Output<typeof AccessoryRefusal>;
const refusals = () =>
  z
    .array(AccessoryRefusal)
    .describe('The accessories that did not carry out a write, if that is the reason.')
    .optional();

/** One thing that a run did: its trigger, its conditions, or one action. */
export const TraceStep = z
  .object({
    index: integer('Its place in the trace, from 0.'),
    type: word(['trigger', 'condition', 'action']),
    nodeId: text('The id of the trigger or action; null for the conditions.').nullable(),
    nodeType: text('Its type: `set_characteristic`, `delay` …', 'state'),
    nodeSummary: line('Motion of Hall Sensor becomes true'),
    startedAt: time('When it began.'),
    finishedAt: time('Null while it is under way.').nullable(),
    durationMs: number('Milliseconds.').nullable(),
    result: StepResult,
    input: anyJson('What it was given. What is long is cut.'),
    output: anyJson('What it gave. What is long is cut.'),
    error: text('What went wrong, as a sentence.').nullable(),
    reason: reason(),
    refusals: refusals(),
    parentNodeId: text('The id of the action that it is within.').nullable(),
    branch: text('Which list of that one it is in: `then`, `choices[1]`, `branches[0]` …').nullable(),
    iteration: integer('Which round of a repeat it belongs to, from 1.').nullable(),
    attempt: integer('From 1; higher after failures.', 1),
  })
  .meta({ id: 'TraceStep' });
export type TraceStep = Output<typeof TraceStep>;

const TriggerValues = z
  .object({
    id: text('The trigger’s; null for a requested run.').nullable(),
    type: text('The trigger’s type.', 'state'),
    timestamp: number('When it fired, in seconds since 1970.', Date.parse(EXAMPLE_TIME) / 1_000),
    from_value: anyJson('The value before.').optional(),
    to_value: anyJson('The value after.').optional(),
    accessory_id: id().optional(),
    service_group_id: id().optional(),
    characteristic_type: text().optional(),
    event_type: text().optional(),
    event_data: anyJson('What the event carried.').optional(),
    webhook_payload: anyJson('What the webhook received.').optional(),
    person_id: id().optional(),
  })
  .describe('Its trigger, as expressions see it under `trigger`.');

/** The automation as a run found it. */
export const TraceAutomation = z
  .object({
    kind: word(['flow', 'native'], 'What it was then: a native automation may have become a flow.'),
    isCurrent: flag('Whether it is still like this.', true),
    definition: anyObject(
      'Its triggers, conditions and actions as `dataJson` has them, without its name and its variables. Webhooks have no ids, and requests no credentials.',
    ),
  })
  .meta({ id: 'TraceAutomation' });
export type TraceAutomation = Output<typeof TraceAutomation>;

/** A run from its trigger to its end. A hundred are kept for each automation. */
export const Trace = z
  .object({
    id: id('The run’s.'),
    automationId: id('The flow or native automation.'),
    automationName: text('What it was called then.', 'Hall Light'),
    homeId: id('Its home.'),
    startedAt: time('When it began.'),
    finishedAt: time('Null while it is under way.').nullable(),
    status: TraceStatus,
    triggerData: TriggerValues,
    steps: z.array(TraceStep).describe('What it did, in the order in which it began.'),
    variables: anyObject('Its variables as they were last. What is long is cut.'),
    error: text('Why it did not end well, as a sentence.').nullable(),
    reason: reason(),
    refusals: refusals(),
    blockedReason: word(BLOCKED_REASONS, 'Why it did not begin.').nullable(),
    chain: z.array(z.string()).describe('With `loop` and `depth`: the automations that led here, by name.').optional(),
    automation: TraceAutomation.nullable()
      .describe('The automation as the run found it. Only where one run is asked for; null if it is no longer kept.')
      .optional(),
  })
  .meta({ id: 'Trace' });
export type Trace = Output<typeof Trace>;

/** The answer to a request for a run. */
export const RunAnswer = z.object({
  success: flag('Whether it began.', true),
  runId: id('Of the run, or of the trace with the reason for refusing it.'),
  blockedReason: word(BLOCKED_REASONS, 'Why it was refused.').optional(),
});
export type RunAnswer = Output<typeof RunAnswer>;

export const OutlineTrigger = z.object({
  id: text('The trigger’s id.', 'motion'),
  summary: line('When Motion of Hall Sensor becomes true'),
  enabled: flag('Whether it is watched.', true),
});
export type OutlineTrigger = Output<typeof OutlineTrigger>;

export const OutlineAction = z.object({
  id: text('The action’s id.', 'light'),
  depth: integer('How many actions it is within.'),
  branch: text('Which list of the one that it is within: `then`, `choices[1]`, `branches[0]` …').nullable(),
  summary: line('Set Brightness of Hall Light'),
  enabled: flag('Whether it is done.', true),
});
export type OutlineAction = Output<typeof OutlineAction>;

/** A flow or a native automation as people read it. */
export const AutomationOutline = z
  .object({
    id: id('The automation’s id.'),
    kind: word(['flow', 'native']),
    homeId: id('Its home.'),
    name: text('What it is called.', 'Hall Light'),
    enabled: flag('Whether its triggers start it.', true),
    triggers: z.array(OutlineTrigger).describe('Any of them triggers it.'),
    conditions: text('What must hold then; null for nothing.').nullable(),
    actions: z.array(OutlineAction).describe('What it does, each action before those within it.'),
  })
  .meta({ id: 'AutomationOutline' });
export type AutomationOutline = Output<typeof AutomationOutline>;
