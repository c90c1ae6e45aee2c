import type { CharacteristicValue } from '../../../home/model.ts';
import { durationMs } from '../../../home/schedule/duration.ts';
import { looseEqual } from '../expressions/values.ts';
import { optional, type ValuesOf } from '../parsing/field.ts';
import { HOLD, READING, readValue } from '../parsing/field-kinds.ts';
import { forWords, thingWords, valueWords } from '../words.ts';
import { type FiringData, Holding } from './holding.ts';
import { Repetitions } from './repetitions.ts';
import { type TriggerWatch, triggerKind } from './trigger-kind.ts';
import { type ValueChange, type WatchedCharacteristic, watchValue } from './value-watch.ts';

const FIELDS = {
  thing: READING,
  from: optional(readValue('The value before; any if left out.')),
  to: optional(readValue('The value now; any if left out.')),
  for: optional(HOLD),
};
type StateTrigger = ValuesOf<typeof FIELDS>;

/**
 * A value changed, or a button was pressed. Without `from` and `to` any change fires; a value that becomes known or
 * unknown fires only if `from` or `to` names it. Every press counts. A press is not a state, so `from` and `for` do
 * not apply to it.
 */
export const state = triggerKind({
  type: 'state',
  fields: FIELDS,
  summarize(trigger, home) {
    return `${thingWords(home, trigger)} ${changeWords(trigger)}${forWords(trigger.for)}`;
  },
  watch(trigger, watch) {
    return trigger.for === undefined
      ? watchChanges(trigger, watch)
      : watchHolds(trigger, watch, durationMs(trigger.for));
  },
});

function changeWords(trigger: StateTrigger): string {
  const { from, to } = trigger;
  if (to === undefined)
    return from === undefined ? 'changes' : `is no longer ${valueWords(trigger.characteristicType, from)}`;
  const before = from === undefined ? '' : ` after ${valueWords(trigger.characteristicType, from)}`;
  return `becomes ${valueWords(trigger.characteristicType, to)}${before}`;
}

function watchChanges(trigger: StateTrigger, watch: TriggerWatch): () => void {
  const { clock } = watch.triggerDeps;
  // Changes of a group's members, one after the other, count once for the group.
  const repetitions = trigger.serviceGroupId === undefined ? undefined : new Repetitions(clock);
  const value = watchValue(trigger, watch, (change) => {
    if (!matches(trigger, change) || repetitions?.isRepeated(change.to)) return;
    watch.fire(dataOf(trigger, change), { cause: change.cause });
  });
  return () => value.stop();
}

function watchHolds(trigger: StateTrigger, watch: TriggerWatch, forMs: number): () => void {
  const value = watchValue(trigger, watch, (change) => {
    const { cause } = change;
    if (change.isPress) {
      if (matches(trigger, change)) watch.fire(dataOf(trigger, change), { cause });
      return;
    }
    // After a restart a device may only confirm a value that has held since before.
    if (holding.isHolding && isStill(change.to, holding.data)) return;
    if (matches(trigger, change)) holding.begin(dataOf(trigger, change), cause);
    else holding.end();
  });
  const holding = new Holding({
    watch,
    forMs,
    isSo: () => {
      const now = value.current();
      return now === undefined ? undefined : isStill(now, holding.data);
    },
    isReachable: value.isReachable,
  });
  return () => {
    value.stop();
    holding.stop();
  };
}

function matches({ from, to }: StateTrigger, change: ValueChange): boolean {
  const isEnd = to === undefined ? change.to !== null : looseEqual(to, change.to);
  if (!isEnd || change.isPress) return isEnd;
  if (from !== undefined) return looseEqual(from, change.from);
  return to !== undefined || change.from !== null;
}

function isStill(value: CharacteristicValue, data: FiringData | undefined): boolean {
  return looseEqual(value, data?.to_value ?? null);
}

/** The firing data of a trigger on a value. */
export function dataOf(trigger: WatchedCharacteristic, { from, to, isPress }: ValueChange): FiringData {
  const { accessoryId, serviceGroupId, characteristicType } = trigger;
  return {
    ...(serviceGroupId === undefined ? { accessory_id: accessoryId } : { service_group_id: serviceGroupId }),
    characteristic_type: characteristicType,
    ...(!isPress && { from_value: from }),
    to_value: to,
  };
}
