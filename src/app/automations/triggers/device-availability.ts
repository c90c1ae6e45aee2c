import { durationMs } from '../../../home/schedule/duration.ts';
import type { TriggerOf } from '../flow.ts';
import { NO_CAUSE } from '../program.ts';
import { accessoryWords, durationWords } from '../words.ts';
import { type FiringData, HEARING_MS, Holding } from './holding.ts';
import type { TriggerKind, TriggerWatch } from './trigger-kind.ts';

/** A device that restarts or loses its Wi-Fi for a moment is not gone (wire-facts §6.2). */
const DEFAULT_FOR_MS = 5 * 60_000;

/** Never: the row only remembers. */
const NOT_DUE = Number.MAX_SAFE_INTEGER;

/**
 * An accessory can't be reached any more, or can again, and stays so for a while. Over a restart it is kept what has been told: a
 * device that was away before is not told of anew, one that does not come back after a power cut is, and one that only was not yet
 * connected has not come back.
 */
export const deviceAvailability: TriggerKind<'device_availability'> = {
  type: 'device_availability',
  summarize(trigger, state) {
    const becomes = trigger.to === 'available' ? 'can be reached again' : "can't be reached";
    return `${accessoryWords(state, trigger.accessoryId)} ${becomes} for ${durationWords(forMsOf(trigger))}`;
  },
  watch: (trigger, watch) => (trigger.to === 'unavailable' ? watchLoss(trigger, watch) : watchReturn(trigger, watch)),
};

/** The row, once it has fired, says that the loss has been told; it goes when the device returns. */
function watchLoss(trigger: Availability, watch: TriggerWatch): () => void {
  const { ground, homeId, key } = watch;
  const { state, holds, timers, accessoryEvents } = ground;
  const data = dataOf(trigger);
  let isTold = isRemembered(watch);
  const isLost = (): boolean | undefined => negated(state.accessoryIn(homeId, trigger.accessoryId)?.reachable);
  const tell: TriggerWatch['fire'] = (...firing) => {
    isTold = true;
    remember(watch);
    watch.fire(...firing);
  };
  let holding = isTold ? undefined : makeHolding({ ...watch, fire: tell }, trigger, isLost);
  // Nothing has been heard of any device when the daemon starts; what is silent for as long as that may take, is lost.
  const cancelFirstLook = timers.set(timers.now() + HEARING_MS, {
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
        if (isTold) holds.delete(key);
        isTold = false;
        holding ??= makeHolding({ ...watch, fire: tell }, trigger, isLost);
      } else if (!isTold) {
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

/** The row, while it is no hold, says that the device was lost: only then its return is one. */
function watchReturn(trigger: Availability, watch: TriggerWatch): () => void {
  const { ground, homeId, key } = watch;
  let isLost = isRemembered(watch);
  const isBack = (): boolean | undefined => ground.state.accessoryIn(homeId, trigger.accessoryId)?.reachable;
  let holding = isLost ? undefined : makeHolding(watch, trigger, isBack);
  const stop = ground.accessoryEvents.on(trigger.accessoryId, {
    reachabilityChanged({ homeId: where, reachable }) {
      if (where !== homeId) return;
      if (!reachable) {
        holding?.end();
        isLost = true;
        remember(watch);
      } else if (isLost) {
        isLost = false;
        ground.holds.delete(key);
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

type Availability = TriggerOf<'device_availability'>;

function makeHolding(watch: TriggerWatch, trigger: Availability, isSo: () => boolean | undefined): Holding {
  // A device that is silent after a restart may still be heard from; one that can be reached has been.
  const isHeard = (): boolean => watch.ground.state.accessory(trigger.accessoryId)?.reachable === true;
  return new Holding({ watch, forMs: forMsOf(trigger), isSo, isHeard });
}

function remember({ ground, key }: TriggerWatch): void {
  ground.holds.save(key, { sinceAt: ground.clock.now(), dueAt: NOT_DUE, data: null });
}

function isRemembered({ ground, key }: TriggerWatch): boolean {
  return ground.holds.find(key)?.dueAt === NOT_DUE;
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
