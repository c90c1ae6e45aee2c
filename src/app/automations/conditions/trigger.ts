import { invalid } from '../parsing/faults.ts';
import { field } from '../parsing/field.ts';
import { text } from '../parsing/field-kinds.ts';
import { parseText } from '../parsing/fields.ts';
import { conditionKind } from './condition-kind.ts';

const TRIGGER_ID = field(
  "a trigger's id",
  text('The trigger that started the run.').schema,
  (value, path, { parsing }) => {
    const triggerId = parseText(value, path);
    parsing.afterwards(() => {
      if (!parsing.hasTrigger(triggerId)) throw invalid(path, 'the automation has no trigger with this id');
    });
    return triggerId;
  },
);

/** The given trigger fired. */
export const trigger = conditionKind({
  type: 'trigger',
  fields: { triggerId: TRIGGER_ID },
  summarize: ({ triggerId }) => `Trigger ${triggerId} fired`,
  evaluate({ triggerId }, { scope }) {
    const fired = scope.trigger?.id ?? null;
    return { passed: fired === triggerId, found: { triggerId: fired } };
  },
});
