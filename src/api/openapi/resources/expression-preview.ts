import { ExpressionPreview, NewExpressionPreview } from '../../../contract/expressions.ts';
import type { Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';

export const expressionPreview: Resource = {
  tag: 'Expressions',
  description:
    'What an expression, or a text with templates, comes to now, while it is being written. The functions are those of automations (manual, "Expressions").',
  operations: [
    {
      method: 'post',
      path: '/rest/flows/evaluate',
      id: 'evaluateExpression',
      summary: 'What an expression or a text with templates comes to now',
      description:
        'It reads the accessories of the home and has no effect. The limits are those of automations: 30,000 steps of work, 8,192 characters of one expression, 65,536 of the result. The text has at most 16,384 characters. An error in the expression is part of the answer, with its position.',
      audience: 'view',
      body: {
        schema: NewExpressionPreview,
        examples: {
          Text: { homeId: HOME_ID, text: 'It is {{ states("Hall Sensor", "current_temperature") }}' },
          Expression: { homeId: HOME_ID, kind: 'expression', text: 'level > 40', variables: { level: 50 } },
        },
      },
      answer: { description: 'Its value, or what is wrong with it.', schema: ExpressionPreview },
      errors: [404, 422],
    },
  ],
};
