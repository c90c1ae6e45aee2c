import { z } from 'zod';
import { invalid } from '../parsing/faults.ts';
import { listOf } from '../parsing/field-kinds.ts';
import { parseTriggerList } from '../triggers/parse-triggers.ts';
import { countWords, templateDurationWords } from '../words.ts';
import { actionKind } from './action-kind.ts';
import { MAX_LIST, TIMEOUT, TRIGGER_SCHEMA } from './fields.ts';
import { stopAfterTimeout, timeoutOf } from './wait-timeout.ts';

const TRIGGERS = listOf(
  'triggers',
  MAX_LIST,
  z.array(TRIGGER_SCHEMA).meta({ description: 'Any of them ends the wait.' }),
  (list, path, { parsing }) => {
    if (list.length === 0) throw invalid(path, 'it must have at least one trigger to wait for');
    return parseTriggerList(list, path, parsing);
  },
);

/** Waits, across restarts, until one of its triggers fires. Output: whether one fired, and its data. */
export const waitForTrigger = actionKind({
  type: 'wait_for_trigger',
  fields: { triggers: TRIGGERS, timeout: TIMEOUT },
  effect: 'none',
  summarize: ({ triggers, timeout }) => {
    const what = triggers.length === 1 ? 'a trigger' : `any of ${countWords(triggers.length, 'trigger')}`;
    return timeout === undefined ? `Wait for ${what}` : `Wait for ${what}, at most ${templateDurationWords(timeout)}`;
  },
  async execute({ triggers, timeout, continueOnTimeout }, run) {
    const timeoutMs = timeoutOf(run, timeout);
    const triggerData = await run.waitFor({ triggers }, timeoutMs);
    if (triggerData === null && !continueOnTimeout) return stopAfterTimeout(run, timeoutMs);
    return { triggered: triggerData !== null, triggerData: triggerData && { ...triggerData } };
  },
});
