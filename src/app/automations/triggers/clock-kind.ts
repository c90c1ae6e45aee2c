/**
 * The kinds that the wall clock fires differ only in their times. Their times are slots (`../scheduled-firings.ts`).
 * Each slot fires once, regardless of clock changes and restarts, and starts its run in the transaction that marks it
 * as fired.
 */

import type { Home } from '../../../home/model.ts';
import type { FieldSet, ValuesOf } from '../parsing/field.ts';
import type { TriggerKind } from './trigger-kind.ts';

interface ClockKindRow<T extends string, F extends FieldSet> {
  readonly type: T;
  readonly fields: F;
  summarize(trigger: ValuesOf<F>): string;
  /** The first time after `after`, milliseconds. */
  next(trigger: ValuesOf<F>, home: Home, after: number): number | null;
}

export function clockKind<const T extends string, F extends FieldSet>({
  type,
  fields,
  summarize,
  next,
}: ClockKindRow<T, F>): TriggerKind<T, F> & Required<Pick<TriggerKind<T, F>, 'next'>> {
  const kind: ReturnType<typeof clockKind<T, F>> = {
    type,
    fields,
    summarize,
    next(trigger, { homeId, state }, after) {
      const home = state.home(homeId);
      return home ? next(trigger, home, after) : null;
    },
    watch(trigger, watch) {
      const place = { homeId: watch.homeId, state: watch.triggerDeps.state };
      return watch.triggerDeps.slots.watch(watch.key, {
        plan: (after) => kind.next(trigger, place, after),
        fire: () => watch.fire({}),
        missed: (slotAt) => watch.missed(slotAt),
      });
    },
  };
  return kind;
}
