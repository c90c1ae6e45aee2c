import { MAX_HOLD_MS } from '../parsing/durations.ts';
import { numeric } from '../parsing/field-kinds.ts';
import { NO_CAUSE } from '../scope.ts';
import { durationWords } from '../words.ts';
import { Holding } from './holding.ts';
import { triggerKind } from './trigger-kind.ts';

const SECOND_MS = 1_000;

/** Native: a duration after the watch began. A clock that is set back does not extend it. */
export const duration = triggerKind({
  type: 'duration',
  fields: { seconds: numeric({ min: 0, max: MAX_HOLD_MS / SECOND_MS }, 'How long; in waits only.') },
  isOnlyForWaits: true,
  summarize: ({ seconds }) => `${durationWords(seconds * SECOND_MS)} later`,
  watch({ seconds }, watch) {
    const holding = new Holding({ watch, forMs: seconds * SECOND_MS, isSo: () => true, isReachable: () => true });
    if (!holding.isHolding) holding.begin({}, NO_CAUSE, watch.since);
    return () => holding.stop();
  },
});
