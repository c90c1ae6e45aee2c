/** The fields that all actions have, besides their type. */
import { MAX_ALIAS_LENGTH, MAX_RETRIES, MAX_RETRY_PAUSE_MS } from '../../../home/vocabulary/limits.ts';
import { ERROR_POLICIES } from '../action-node.ts';
import { invalid } from '../parsing/faults.ts';
import { field, optional, withDefault } from '../parsing/field.ts';
import { flag, numeric, oneOf, text } from '../parsing/field-kinds.ts';
import { parseText } from '../parsing/fields.ts';

const ALIAS = field('a text', text('What it is called.').schema, (value, path) => {
  const alias = parseText(value, path);
  if (alias.length <= MAX_ALIAS_LENGTH) return alias;
  throw invalid(path, `it must have at most ${MAX_ALIAS_LENGTH} characters`);
});

/** The parser of the flow makes and checks it. */
export const ACTION_ID = {
  id: optional(text('Unique; made where left out. Expressions read what it gave as `nodes["<id>"].data`.')),
};

export const ACTION_FIELDS = {
  alias: optional(ALIAS),
  enabled: withDefault(flag('`true` if left out.'), true),
  onError: withDefault(oneOf(ERROR_POLICIES, 'What follows a failure; `stop` if left out.'), 'stop'),
  maxRetries: optional(numeric({ min: 0, max: MAX_RETRIES, integer: true }, 'With `retry`: 3 if left out.')),
  retryDelayMs: optional(
    numeric(
      { min: 0, max: MAX_RETRY_PAUSE_MS, integer: true },
      'With `retry`: before the first; 1,000 if left out. Doubles with each.',
    ),
  ),
};
