/**
 * Defines a condition kind. Each kind is one file in this folder and one line in `index.ts`. Pure: it reads only the
 * state and the time.
 */
import type { HomeState } from '../../../home/home-state.ts';
import type { Presence } from '../../../home/presence.ts';
import type { Json } from '../../../kernel/json.ts';
import type { Expressions } from '../expressions/expressions.ts';
import type { ConditionOf, ConditionType } from '../flow.ts';
import type { Scope } from '../scope.ts';

export interface ConditionKind<T extends ConditionType = ConditionType> {
  readonly type: T;
  /** One line for people: `Brightness of Lamp is above 40`. */
  summarize(condition: ConditionOf<T>, state: HomeState): string;
  /**
   * `found`: the observed value, for the trace. The condition fails if its subject no longer exists or has no value.
   */
  evaluate(condition: ConditionOf<T>, context: ConditionContext): { readonly passed: boolean; readonly found: Json };
}

export interface ConditionContext {
  readonly homeId: string;
  readonly state: HomeState;
  readonly presence: Presence;
  readonly expressions: Expressions;
  readonly scope: Scope;
  /** Wall time, milliseconds. */
  readonly now: number;
}
