import { shorten } from '../../../home/vocabulary/values.ts';
import type { Json } from '../../../kernel/json.ts';
import type { ActionKind } from './action-kind.ts';

/** Sets variables in order: each expression may use the variables before it. Output: the new values. */
export const variables: ActionKind<'variables'> = {
  type: 'variables',
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
};
