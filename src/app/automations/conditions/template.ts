import { shorten } from '../../../home/vocabulary/values.ts';
import { isTruthy } from '../expressions/expressions.ts';
import { EXPRESSION } from '../parsing/field-kinds.ts';
import { conditionKind } from './condition-kind.ts';

/** An expression is true. An expression that fails does not hold; the trace contains the error. */
export const template = conditionKind({
  type: 'template',
  fields: { expression: EXPRESSION },
  summarize: ({ expression }) => `${shorten(expression)} is true`,
  evaluate({ expression }, { expressions, scope, homeId }) {
    const { value, error } = expressions.watch(expression, scope, homeId);
    return error ? { passed: false, found: { error: error.message } } : { passed: isTruthy(value), found: { value } };
  },
});
