/** Expressions, evaluated with the present values of a home. */
import * as contract from '../../contract/expressions.ts';
import { given } from './arguments.ts';
import { builder } from './builder.ts';
import { argumentsOf, fieldsOf, jsonFieldsOf, meaningOf } from './contract-fields.ts';
import { decodeJson } from './scalars.ts';

const ExpressionPreview = builder.objectRef<contract.ExpressionPreview>('ExpressionPreview').implement({
  description: 'What an expression, or a text with templates, comes to now. `error` is `{message, line, column}`.',
  fields: (t) => ({
    ...fieldsOf(t, contract.ExpressionPreview),
    ...jsonFieldsOf(t, contract.ExpressionPreview),
    value: t.field({
      type: 'JSON',
      nullable: true,
      description: meaningOf(contract.ExpressionPreview.shape.value),
      resolve: ({ value }) => value,
    }),
  }),
});

const JSON_FIELDS = { variables: true, trigger: true } as const;

builder.queryFields((t) => ({
  evaluateExpression: t.field({
    type: ExpressionPreview,
    description:
      'Evaluates an expression, or a text with templates, with the present values of the home. It has no effect. An error in it is part of the answer.',
    args: {
      ...argumentsOf(t.arg, contract.NewExpressionPreview.omit(JSON_FIELDS)),
      variables: t.arg({ type: 'JSON', description: 'The variables of the automation, by name.' }),
      trigger: t.arg({ type: 'JSON', description: 'What `trigger` is; `null` if left out.' }),
    },
    resolve(_, { homeId, text, ...rest }, { caller, deps }) {
      const { kind, variables, trigger } = given(rest);
      return deps.expressionPreviews.evaluate(caller, homeId, {
        text,
        kind,
        ...(variables !== undefined && { variables: decodeObject(variables, 'variables') }),
        ...(trigger !== undefined && { trigger: decodeObject(trigger, 'trigger') }),
      });
    },
  }),
}));

/** The operation rejects what is no object. */
function decodeObject(value: unknown, field: string): Record<string, unknown> {
  return decodeJson(value, field) as Record<string, unknown>;
}
