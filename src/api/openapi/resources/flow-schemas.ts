/**
 * The parts of flows (wire-facts §6.2). Triggers, conditions and actions are one object each with the
 * fields of all their types, which editors and client generators handle best; the descriptions state which type has
 * which field.
 */

import { ACTION_FIELDS, ACTION_ID } from '../../../app/automations/actions/common-fields.ts';
import { ACTION_KINDS } from '../../../app/automations/actions/index.ts';
import { CONDITION_KINDS, OPERATORS } from '../../../app/automations/conditions/index.ts';
import { TRIGGER_KINDS } from '../../../app/automations/triggers/index.ts';
import { TRIGGER_FIELDS, TRIGGER_ID } from '../../../app/automations/triggers/parse-triggers.ts';
import type { JsonSchema } from '../../../contract/json-schema.ts';
import { object, oneOf, ref } from '../json-schema.ts';
import { nodeComponents, nodeSchema } from './node-schemas.ts';

/** Made on request: describing all kinds takes a while. */
export const flowSchemas = (): Readonly<Record<string, JsonSchema>> => ({
  ...nodeComponents(TRIGGER_KINDS),
  ...nodeComponents(ACTION_KINDS),
  FlowTrigger: nodeSchema(TRIGGER_KINDS, { ...TRIGGER_ID, ...TRIGGER_FIELDS }),
  FlowCondition: nodeSchema(CONDITION_KINDS),
  FlowConditions: {
    ...object({
      operator: oneOf(OPERATORS, '`not`: none of them holds.'),
      conditions: {
        type: 'array',
        items: { anyOf: [ref('FlowCondition'), ref('FlowConditions')] },
        description: 'An empty list holds.',
      },
    }),
    description: 'What must hold. On input also a list, which is `and`, or one condition.',
  },
  FlowAction: nodeSchema(ACTION_KINDS, { ...ACTION_ID, ...ACTION_FIELDS }),
});
