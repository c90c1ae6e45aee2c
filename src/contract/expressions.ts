/** Expressions and texts with templates, evaluated with the present values of a home. */
import { z } from 'zod';
import { anyObject, flag, id, integer, text, word } from './fields.ts';
import { invalidValue, type Output } from './parse.ts';

/** Two expressions of the greatest length. Compiling more takes too long while people type. */
export const MAX_PREVIEW_LENGTH = 16_384;

export const NewExpressionPreview = z.strictObject({
  homeId: text('The home whose accessories it reads.'),
  text: z
    .string()
    .max(MAX_PREVIEW_LENGTH, { error: invalidValue(`it has at most ${MAX_PREVIEW_LENGTH} characters`) })
    .meta({
      description: 'The expression, or the text with templates.',
      examples: ['It is {{ states("Hall Sensor") }}'],
    }),
  kind: word(
    ['text', 'expression'],
    '`text` (the default): a text with `{{ }}` in it. `expression`: one expression, with or without `{{ }}` around it.',
  ).optional(),
  variables: anyObject('The variables of the automation, by name.').optional(),
  trigger: anyObject('What `trigger` is: `to_value`, `event_data` …; `null` if left out.').optional(),
});

export const ExpressionPreview = z
  .object({
    value: z
      .unknown()
      .meta({ description: 'What it comes to, of any type of JSON; `null` after an error.', examples: ['It is 22.4'] }),
    error: z
      .object({
        message: text('What is wrong, without the position.'),
        line: integer('In the text, from 1.'),
        column: integer('In that line, from 1.'),
      })
      .nullable()
      .meta({ description: 'Why it has no value.' }),
    accessoryIds: z.array(id()).describe('The accessories that it reads.'),
    usesTime: flag('Whether it reads the time.'),
    usesRun: flag(
      'Whether it refers to what only a run knows: `trigger`, `repeat`, `wait`, `nodes`, or a variable that was not given.',
    ),
  })
  .meta({ id: 'ExpressionPreview' });
export type ExpressionPreview = Output<typeof ExpressionPreview>;
