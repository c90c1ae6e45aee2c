/** The body of every error of REST (API §7), and of errors inside other answers. */
import { z } from 'zod';
import { ERROR_CODES } from '../kernel/errors.ts';
import { ERROR_REASONS } from '../kernel/reasons.ts';
import { text, word } from './fields.ts';
import type { Output } from './parse.ts';

export const ErrorBody = z
  .object({
    error: text('A sentence: what is wrong and what to do. With 401 and 403 a fixed word instead.'),
    code: word(ERROR_CODES, 'For programs. More may come.'),
    reason: word(
      ERROR_REASONS,
      'Which of the code’s causes it was, where it has several that call for different remedies. More may come.',
    ).optional(),
    message: text('With 401 and 403: the sentence.').optional(),
    field: text('The faulty field of the body or the query, as a path: `actions[2].value`.').optional(),
    clockDifferenceSeconds: z
      .int()
      .describe('With `clocks_differ`: seconds by which the phone’s clock is ahead of the relay’s; negative: behind.')
      .optional(),
  })
  .meta({ id: 'Error' });
export type ErrorBody = Output<typeof ErrorBody>;
