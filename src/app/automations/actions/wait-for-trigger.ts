import { countWords, templateDurationWords } from '../words.ts';
import type { ActionKind } from './action-kind.ts';
import { stopAfterTimeout, timeoutOf } from './wait-timeout.ts';

/** Waits, across restarts, until one of its triggers fires. Output: whether one fired, and its data. */
export const waitForTrigger: ActionKind<'wait_for_trigger'> = {
  type: 'wait_for_trigger',
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
};
