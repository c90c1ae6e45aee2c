import { MAX_DELAY_MS } from '../../../home/vocabulary/limits.ts';
import { templateDurationWords } from '../words.ts';
import { actionKind } from './action-kind.ts';
import { templateDuration } from './fields.ts';
import { renderDuration } from './rendered.ts';

/**
 * Waits for a duration, across restarts. The duration is evaluated once: a restart makes it neither shorter nor
 * longer.
 */
export const delay = actionKind({
  type: 'delay',
  fields: { duration: templateDuration('At most 24 hours.', MAX_DELAY_MS) },
  effect: 'none',
  summarize: ({ duration }) => `Wait for ${templateDurationWords(duration)}`,
  async execute({ duration }, run) {
    const durationMs = run.decide('durationMs', () => renderDuration(run, duration, 'duration', MAX_DELAY_MS));
    await run.delay(durationMs);
    return { durationMs };
  },
});
