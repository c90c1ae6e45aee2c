import { NO_CAUSE } from '../scope.ts';
import { durationWords } from '../words.ts';
import { Holding } from './holding.ts';
import type { TriggerKind } from './trigger-kind.ts';

const SECOND_MS = 1_000;

/** Native: a duration after the watch began. A clock that is set back does not extend it. */
export const duration: TriggerKind<'duration'> = {
  type: 'duration',
  summarize: ({ seconds }) => `${durationWords(seconds * SECOND_MS)} later`,
  watch({ seconds }, watch) {
    const holding = new Holding({ watch, forMs: seconds * SECOND_MS, isSo: () => true, isReachable: () => true });
    if (!holding.isHolding) holding.begin({}, NO_CAUSE, watch.since);
    return () => holding.stop();
  },
};
