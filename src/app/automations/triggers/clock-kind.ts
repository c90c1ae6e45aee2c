/**
 * The kinds that the wall clock fires differ only in when they do. Their moments are slots (`../slots.ts`): each fires once,
 * whatever becomes of the clock, and begins its run in the transaction that marks it as fired.
 */
import type { Home } from '../../../home/model.ts';
import type { TriggerOf, TriggerType } from '../flow.ts';
import type { TriggerKind } from './trigger-kind.ts';

interface ClockKindRow<T extends TriggerType> {
  readonly type: T;
  summarize(trigger: TriggerOf<T>): string;
  /** The first moment after `after`, milliseconds. */
  next(trigger: TriggerOf<T>, home: Home, after: number): number | null;
}

export function clockKind<T extends TriggerType>({
  type,
  summarize,
  next,
}: ClockKindRow<T>): TriggerKind<T> & Required<Pick<TriggerKind<T>, 'next'>> {
  const kind: ReturnType<typeof clockKind<T>> = {
    type,
    summarize,
    next(trigger, { homeId, state }, after) {
      const home = state.home(homeId);
      return home ? next(trigger, home, after) : null;
    },
    watch(trigger, watch) {
      const place = { homeId: watch.homeId, state: watch.ground.state };
      return watch.ground.slots.watch(watch.key, {
        plan: (after) => kind.next(trigger, place, after),
        fire: () => watch.fire({}),
        missed: (slotAt) => watch.missed(slotAt),
      });
    },
  };
  return kind;
}
