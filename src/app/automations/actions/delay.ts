import { LONGEST_DELAY_MS } from '../engine/guards.ts';
import { templateDurationWords } from '../words.ts';
import type { ActionKind } from './action-kind.ts';
import { renderDuration } from './rendered.ts';

/** Waits so long, a restart included. What the duration came to is decided once: a restart makes it neither shorter nor longer. */
export const delay: ActionKind<'delay'> = {
  type: 'delay',
  effect: 'none',
  summarize: ({ duration }) => `Wait for ${templateDurationWords(duration)}`,
  async execute({ duration }, run) {
    const durationMs = run.decide('durationMs', () => renderDuration(run, duration, 'duration', LONGEST_DELAY_MS));
    await run.delay(durationMs);
    return { durationMs };
  },
};
