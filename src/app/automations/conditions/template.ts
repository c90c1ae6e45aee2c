import { shorten } from '../../../home/vocabulary/values.ts';
import { isTruthy } from '../expressions/expressions.ts';
import type { ConditionKind } from './condition-kind.ts';

/** An expression is true. One that can't be worked out is not; what was wrong with it is in the trace. */
export const template: ConditionKind<'template'> = {
  type: 'template',
  summarize: ({ expression }) => `${shorten(expression)} is true`,
  evaluate({ expression }, { expressions, scope, homeId }) {
    const { value, error } = expressions.watch(expression, scope, homeId);
    return error ? { passed: false, found: { error: error.message } } : { passed: isTruthy(value), found: { value } };
  },
};
