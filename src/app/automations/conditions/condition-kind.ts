/**
 * Defines a condition kind. Each kind is one file in this folder and one line in `index.ts`. Pure: it reads only the
 * state and the time.
 */
import type { HomeDeps } from '../../../home/home-deps.ts';
import type { HomeState } from '../../../home/home-state.ts';
import type { Json } from '../../../kernel/json.ts';
import type { Expressions } from '../expressions/expressions.ts';
import type { FieldSet, ValuesOf } from '../parsing/field.ts';
import type { Fields } from '../parsing/fields.ts';
import type { ExpressionScope } from '../scope.ts';

export interface ConditionKind<T extends string = string, F extends FieldSet = FieldSet> {
  readonly type: T;
  /** In the order in which they are stored. */
  readonly fields: F;
  /** Checks fields that depend on each other. @throws `invalid_request` · `invalid_value` */
  check?(condition: ValuesOf<F>, fields: Fields): void;
  /** One line for people: `Brightness of Lamp is above 40`. */
  summarize(condition: ValuesOf<F>, state: HomeState): string;
  /**
   * `found`: the observed value, for the trace. The condition fails if its subject no longer exists or has no value.
   */
  evaluate(condition: ValuesOf<F>, context: ConditionContext): { readonly passed: boolean; readonly found: Json };
}

export interface ConditionContext extends HomeDeps<'state' | 'presence'> {
  readonly homeId: string;
  readonly expressions: Expressions;
  readonly scope: ExpressionScope;
  /** Wall time, milliseconds. */
  readonly now: number;
}

/** Infers the types of a kind from its fields. */
export function conditionKind<const T extends string, F extends FieldSet>(
  kind: ConditionKind<T, F>,
): ConditionKind<T, F> {
  return kind;
}
