import type { CharacteristicValue } from '../../../home/model.ts';
import { durationMs } from '../../../home/schedule/duration.ts';
import { optional, type ValuesOf } from '../parsing/field.ts';
import { HOLD, NUMERIC_READING, RANGE } from '../parsing/field-kinds.ts';
import { forWords, thingWords } from '../words.ts';
import { Holding } from './holding.ts';
import { Repetitions } from './repetitions.ts';
import { dataOf } from './state.ts';
import { triggerKind } from './trigger-kind.ts';
import { watchValue } from './value-watch.ts';

const FIELDS = { thing: NUMERIC_READING, range: RANGE, for: optional(HOLD) };

/**
 * A number entered a range: it was outside or unknown, and is now above `above` and below `below`. Changes inside the
 * range do not count. With `for` it must stay inside the range.
 */
export const numericState = triggerKind({
  type: 'numeric_state',
  fields: FIELDS,
  summarize(trigger, home) {
    const { above, below } = trigger;
    const bounds = [above === undefined ? '' : `above ${above}`, below === undefined ? '' : `below ${below}`];
    const range = bounds.filter((bound) => bound !== '').join(' and ');
    return `${thingWords(home, trigger)} goes ${range || 'to any number'}${forWords(trigger.for)}`;
  },
  watch(trigger, watch) {
    const { clock } = watch.triggerDeps;
    const repetitions = trigger.serviceGroupId === undefined ? undefined : new Repetitions(clock);
    const value = watchValue(trigger, watch, (change) => {
      if (!isInside(trigger, change.to)) return holding?.end();
      // A hold resumed after a restart may already be active while the device only confirms the value.
      if (isInside(trigger, change.from) || holding?.isHolding) return;
      const { cause } = change;
      if (holding) holding.begin(dataOf(trigger, change), cause);
      // For a group the crossing counts, regardless of the final number.
      else if (!repetitions?.isRepeated(true)) watch.fire(dataOf(trigger, change), { cause });
    });
    const isSo = (): boolean | undefined => {
      const now = value.current();
      return now === undefined ? undefined : isInside(trigger, now);
    };
    const holding =
      trigger.for && new Holding({ watch, forMs: durationMs(trigger.for), isSo, isReachable: value.isReachable });
    return () => {
      value.stop();
      holding?.stop();
    };
  },
});

function isInside({ above, below }: ValuesOf<typeof FIELDS>, value: CharacteristicValue): boolean {
  const number = typeof value === 'boolean' ? Number(value) : value;
  if (typeof number !== 'number') return false;
  return (above === undefined || number > above) && (below === undefined || number < below);
}
