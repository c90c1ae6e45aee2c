import { shorten } from '../../../home/vocabulary/values.ts';
import type { Json } from '../../../kernel/json.ts';
import type { Field } from '../parsing/field.ts';
import { actionKind } from './action-kind.ts';
import { VARIABLES } from './fields.ts';

const REQUIRED_VARIABLES: Field<Readonly<Record<string, Json>>> = {
  schema: VARIABLES.schema,
  read(node, name) {
    node.fields.required(name, 'an object with a value for each name');
    return VARIABLES.read(node, name) ?? {};
  },
};

/** Sets variables in order: each expression may use the variables before it. Output: the new values. */
export const variables = actionKind({
  type: 'variables',
  fields: { variables: REQUIRED_VARIABLES },
  effect: 'none',
  summarize: (action) => `Set ${shorten(Object.keys(action.variables).join(', ')) || 'no variables'}`,
  execute(action, run) {
    const set: [string, Json][] = [];
    for (const [name, template] of Object.entries(action.variables)) {
      const value = run.render(template);
      run.setVariables({ [name]: value });
      set.push([name, value]);
    }
    return Object.fromEntries(set);
  },
});
