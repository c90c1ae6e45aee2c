import { durationMs } from '../../../home/schedule/duration.ts';
import { optional, type ValuesOf } from '../parsing/field.ts';
import { ACCESSORY, HOLD, oneOf } from '../parsing/field-kinds.ts';
import { NO_CAUSE } from '../scope.ts';
import { accessoryWords, durationWords } from '../words.ts';
import { type FiringData, Holding, REACHABILITY_WAIT_MS } from './holding.ts';
import { type TriggerWatch, triggerKind } from './trigger-kind.ts';

/** A device that restarts or briefly loses its Wi-Fi connection is not lost (wire-facts §6.2). */
const DEFAULT_FOR_MS = 5 * 60_000;

const FIELDS = {
  accessoryId: ACCESSORY,
  to: oneOf(['unavailable', 'available'], 'What it becomes; for 5 minutes if `for` is left out.'),
  for: optional(HOLD),
};
type Availability = ValuesOf<typeof FIELDS>;

/** Never due: the row only stores data. */
const NOT_DUE = Number.MAX_SAFE_INTEGER;

/**
 * An accessory becomes unreachable, or reachable again, and stays so for a while. The reported state survives
 * restarts. A device that was already unreachable is not reported again; a device that does not return after a power
 * cut is. A device that was only not connected yet does not count as returned.
 */
export const deviceAvailability = triggerKind({
  type: 'device_availability',
  fields: FIELDS,
  summarize(trigger, state) {
    const becomes = trigger.to === 'available' ? 'can be reached again' : "can't be reached";
    return `${accessoryWords(state, trigger.accessoryId)} ${becomes} for ${durationWords(forMsOf(trigger))}`;
  },
  watch: (trigger, watch) => (trigger.to === 'unavailable' ? watchLoss(trigger, watch) : watchReturn(trigger, watch)),
});

/** After the trigger has fired, the row marks the loss as reported; it is deleted when the device returns. */
function watchLoss(trigger: Availability, watch: TriggerWatch): () => void {
  const { triggerDeps, homeId, key } = watch;
  const { state, holds, timers, accessoryEvents } = triggerDeps;
  const data = dataOf(trigger);
  let isFired = isRemembered(watch);
  const isLost = (): boolean | undefined => negated(state.accessoryIn(homeId, trigger.accessoryId)?.reachable);
  const notify: TriggerWatch['fire'] = (...firing) => {
    isFired = true;
    remember(watch);
    watch.fire(...firing);
  };
  let holding = isFired ? undefined : makeHolding({ ...watch, fire: notify }, trigger, isLost);
  // The state of every device is unknown when the daemon starts; a device that stays silent for this time is lost.
  const cancelFirstLook = timers.set(timers.now() + REACHABILITY_WAIT_MS, {
    due() {
      if (isLost() && holding && !holding.isHolding) holding.begin(data, NO_CAUSE);
    },
    moved() {},
  });
  const stop = accessoryEvents.on(trigger.accessoryId, {
    reachabilityChanged({ homeId: where, reachable }) {
      if (where !== homeId) return;
      holding?.end();
      if (reachable) {
        if (isFired) holds.delete(key);
        isFired = false;
        holding ??= makeHolding({ ...watch, fire: notify }, trigger, isLost);
      } else if (!isFired) {
        holding?.begin(data, NO_CAUSE);
      }
    },
  });
  return () => {
    stop();
    cancelFirstLook();
    holding?.stop();
  };
}

/** While the row is not a hold, it marks the device as lost: only then does a return count. */
function watchReturn(trigger: Availability, watch: TriggerWatch): () => void {
  const { triggerDeps, homeId, key } = watch;
  let isLost = isRemembered(watch);
  const isBack = (): boolean | undefined => triggerDeps.state.accessoryIn(homeId, trigger.accessoryId)?.reachable;
  let holding = isLost ? undefined : makeHolding(watch, trigger, isBack);
  const stop = triggerDeps.accessoryEvents.on(trigger.accessoryId, {
    reachabilityChanged({ homeId: where, reachable }) {
      if (where !== homeId) return;
      if (!reachable) {
        holding?.end();
        isLost = true;
        remember(watch);
      } else if (isLost) {
        isLost = false;
        triggerDeps.holds.delete(key);
        holding ??= makeHolding(watch, trigger, isBack);
        holding.begin(dataOf(trigger), NO_CAUSE);
      }
    },
  });
  return () => {
    stop();
    holding?.stop();
  };
}

function makeHolding(watch: TriggerWatch, trigger: Availability, isSo: () => boolean | undefined): Holding {
  // A device that is silent after a restart may still respond; a reachable device has responded.
  const isReachable = (): boolean => watch.triggerDeps.state.isAnswering(trigger.accessoryId);
  return new Holding({ watch, forMs: forMsOf(trigger), isSo, isReachable });
}

function remember({ triggerDeps, key }: TriggerWatch): void {
  triggerDeps.holds.save(key, { sinceAt: triggerDeps.clock.now(), dueAt: NOT_DUE, data: null });
}

function isRemembered({ triggerDeps, key }: TriggerWatch): boolean {
  return triggerDeps.holds.find(key)?.dueAt === NOT_DUE;
}

function forMsOf(trigger: Availability): number {
  return trigger.for === undefined ? DEFAULT_FOR_MS : durationMs(trigger.for);
}

function dataOf({ accessoryId, to }: Availability): FiringData {
  const from = to === 'available' ? 'unavailable' : 'available';
  return { accessory_id: accessoryId, from_value: from, to_value: to };
}

function negated(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value;
}
