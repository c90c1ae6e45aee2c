import { shorten } from '../../../home/vocabulary/values.ts';
import { EXPRESSION } from '../parsing/field-kinds.ts';
import { templateDurationWords } from '../words.ts';
import { actionKind } from './action-kind.ts';
import { TIMEOUT } from './fields.ts';
import { stopAfterTimeout, timeoutOf } from './wait-timeout.ts';

/**
 * Waits, across restarts, until an expression is true; does not wait if it is already true. Same output as
 * `wait_for_trigger`.
 */
export const waitForTemplate = actionKind({
  type: 'wait_for_template',
  fields: { expression: EXPRESSION, timeout: TIMEOUT },
  effect: 'none',
  summarize: ({ expression, timeout }) => {
    const most = timeout === undefined ? '' : `, at most ${templateDurationWords(timeout)}`;
    return `Wait until ${shorten(expression)}${most}`;
  },
  async execute({ expression, timeout, continueOnTimeout }, run) {
    const timeoutMs = timeoutOf(run, timeout);
    const triggerData = await run.waitFor({ expression }, timeoutMs);
    if (triggerData === null && !continueOnTimeout) return stopAfterTimeout(run, timeoutMs);
    return { triggered: triggerData !== null, triggerData: triggerData && { ...triggerData } };
  },
});
