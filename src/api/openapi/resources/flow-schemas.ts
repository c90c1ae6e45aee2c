/**
 * The parts of flows (wire-facts §6.2). Triggers, conditions and actions are one object each with the
 * fields of all their types, which editors and client generators handle best; the descriptions state which type has
 * which field.
 */

import { ERROR_POLICIES } from '../../../app/automations/action-node.ts';
import { ACTION_KINDS } from '../../../app/automations/actions/index.ts';
import { CONDITION_KINDS } from '../../../app/automations/conditions/index.ts';
import { TRIGGER_KINDS } from '../../../app/automations/triggers/index.ts';
import type { JsonSchema } from '../../../contract/json-schema.ts';
import { flag, integer, object, oneOf, ref, text } from '../json-schema.ts';
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

/** Made on request: describing all kinds takes a while. */
export const flowSchemas = (): Readonly<Record<string, JsonSchema>> => ({
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
});
