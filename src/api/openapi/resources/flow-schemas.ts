/**
 * The shapes of flows (wire-facts §6.2). Triggers, conditions and actions are one object each with the
 * fields of all their types, which editors and client generators handle best; the descriptions state which type has
 * which field.
 */

import { ERROR_POLICIES } from '../../../app/automations/action-node.ts';
import { ACTION_KINDS } from '../../../app/automations/actions/index.ts';
import { CONDITION_KINDS } from '../../../app/automations/conditions/index.ts';
import { RUN_MODES } from '../../../app/automations/program.ts';
import { TRIGGER_KINDS } from '../../../app/automations/triggers/index.ts';
import type { JsonSchema } from '../../../contract/json-schema.ts';
import { arrayOf, flag, id, integer, mapOf, object, oneOf, orNull, ref, text, time } from '../json-schema.ts';
import { nodeComponents, nodeSchema } from './node-schemas.ts';

const ID = text('Unique in the list; made where left out. Conditions of the type `trigger` name it.');
const ENABLED = flag('`true` if left out.');

const ACTION = {
  id: text('Unique in the flow; made where left out. Expressions read what it gave as `nodes["<id>"].data`.'),
  alias: text('What it is called.'),
  enabled: ENABLED,
  onError: oneOf(ERROR_POLICIES, 'What becomes of the run where it fails; `stop` if left out.'),
  maxRetries: integer('With `retry`: 3 if left out.'),
  retryDelayMs: integer('With `retry`: milliseconds before the first try; doubles up to 30,000.'),
};

/** The definition of a flow, and its optional fields. */
export const DEFINITION = {
  description: orNull(text('What it is for, in its owner’s words.')),
  mode: oneOf(
    RUN_MODES,
    'What becomes of a second run while one is under way: refused, ending the first, waiting, or both run. `single` if left out.',
  ),
  maxRunning: integer('How many runs may be under way or wait in `queued` and `parallel`; 10 if left out.'),
  triggers: arrayOf(ref('FlowTrigger'), 'Any of them triggers it.'),
  conditions: ref('FlowConditions'),
  actions: arrayOf(ref('FlowAction'), 'What it does, one after the other.'),
  variables: mapOf({}, 'What expressions can name besides.'),
  blueprintId: orNull(text('The template that it was made from.')),
  uiState: { type: ['object', 'null'], description: 'What an editor keeps for itself; never read here.' },
};

const NAME = text('Ends with a letter or a number; others may have the same.');
const SHOWN = {
  id: id(),
  version: integer('Rises with every save, from 1.'),
  metadata: object(
    {
      createdAt: time(),
      updatedAt: time('When it was saved last.'),
      lastTriggeredAt: time('When it was last triggered.'),
      triggerCount: integer('How often it was triggered, including refused runs.'),
    },
    ['lastTriggeredAt'],
  ),
  webhookUrls: arrayOf(text(), 'The addresses of its webhooks; none for callers who may not run it.'),
};

/** Made on request: describing all kinds takes a while. */
export const flowSchemas = (): Readonly<Record<string, JsonSchema>> => ({
  Flow: object({
    ...SHOWN,
    homeId: id(),
    name: NAME,
    enabled: flag('Whether its triggers start it.'),
    ...DEFINITION,
  }),
  NewFlow: object(
    {
      homeId: id('The home it is for; of a flow that is replaced, its own.'),
      name: NAME,
      enabled: flag('`true` for a new flow, else as it was.'),
      ...DEFINITION,
      ...SHOWN,
    },
    ['homeId', 'enabled', ...Object.keys(DEFINITION).filter((field) => field !== 'actions'), ...Object.keys(SHOWN)],
  ),
  ...nodeComponents(TRIGGER_KINDS),
  ...nodeComponents(ACTION_KINDS),
  FlowTrigger: nodeSchema(TRIGGER_KINDS, { id: ID, enabled: ENABLED }),
  FlowCondition: nodeSchema(CONDITION_KINDS),
  FlowConditions: {
    ...object({
      operator: oneOf(['and', 'or', 'not'], '`not`: none of them holds.'),
      conditions: {
        type: 'array',
        items: { anyOf: [ref('FlowCondition'), ref('FlowConditions')] },
        description: 'An empty list holds.',
      },
    }),
    description: 'What must hold. On input also a list, which is `and`, or one condition.',
  },
  FlowAction: nodeSchema(ACTION_KINDS, ACTION),
  FlowVersion: object({
    id: id('For restoring it.'),
    flowId: id(),
    version: integer(),
    name: text('What the flow was called.'),
    savedAt: time(),
    definition: object(DEFINITION),
  }),
});
