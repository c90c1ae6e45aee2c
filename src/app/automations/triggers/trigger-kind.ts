/**
 * Defines a trigger kind and the dependencies of its watch. Each kind is one file in this folder and one line in
 * `index.ts`. The engine watches an automation's triggers while it is enabled, and those of a waiting run while it
 * waits: the same kinds serve both.
 */
import type { HomeDeps } from '../../../home/home-deps.ts';
import type { HomeState } from '../../../home/home-state.ts';
import type { AutomationEvents } from '../automation-events.ts';
import type { Causes } from '../causes.ts';
import type { Expressions } from '../expressions/expressions.ts';
import type { FieldSet, ValuesOf } from '../parsing/field.ts';
import type { Fields } from '../parsing/fields.ts';
import type { ScheduledFirings } from '../scheduled-firings.ts';
import type { Cause, ExpressionScope, TriggerData } from '../scope.ts';
import type { AccessoryEvents } from './accessory-events.ts';
import type { HoldStore } from './hold-store.ts';

export interface TriggerKind<T extends string = string, F extends FieldSet = FieldSet> {
  readonly type: T;
  /** In the order in which they are stored. */
  readonly fields: F;
  readonly isOnlyForWaits?: true;
  /** Checks fields that depend on each other. @throws `invalid_value` */
  check?(trigger: ValuesOf<F>, fields: Fields): void;
  /**
   * One line for people: `Motion of Hall becomes on for 5 minutes`. Never throws, even if referenced objects no longer
   * exist.
   */
  summarize(trigger: ValuesOf<F>, state: HomeState): string;
  /** Watches until the returned function is called. Never fires before it has returned. */
  watch(trigger: ValuesOf<F>, watch: TriggerWatch): () => void;
  /**
   * For kinds that the clock fires: the next firing later than `after` (milliseconds); `null` for never, and while
   * required data is missing, such as the home's location.
   */
  next?(trigger: ValuesOf<F>, place: TriggerPlace, after: number): number | null;
}

/** The place of a trigger: its home has the time zone for clocks and the location for the sun. */
export interface TriggerPlace {
  readonly homeId: string;
  readonly state: HomeState;
}

export interface TriggerWatch {
  /** Unique and stable across restarts: the key of a stored hold or slot. It changes with the trigger's definition. */
  readonly key: string;
  readonly homeId: string;
  /** When the watch began, across restarts: the start of a `duration`. Milliseconds. */
  readonly since: number;
  readonly triggerDeps: TriggerDeps;
  /**
   * The current scope of the trigger's expressions besides the home: variables, and in a wait the data of its run.
   * Empty if omitted.
   */
  readonly scope?: () => ExpressionScope;
  /**
   * Does the first work of a watch that may take milliseconds, now or soon; without it, it is done at once. @returns
   * the function that drops it
   */
  readonly begin?: (work: () => void) => () => void;
  /**
   * The trigger fired. In a transaction (of a slot or a hold that has ended), the run that it starts is part of the
   * transaction.
   */
  fire(data: Omit<TriggerData, 'id' | 'type' | 'timestamp'>, from?: { readonly cause?: Cause }): void;
  /** The trigger was due while it was not watched, longer ago than the grace period. */
  missed(dueAt: number): void;
}

export interface TriggerDeps extends HomeDeps<'state' | 'presence' | 'bus' | 'clock' | 'timers' | 'logger'> {
  /** `state.changed` and `button.pressed` by accessory, so that an event finds its few triggers among thousands. */
  readonly accessoryEvents: AccessoryEvents;
  readonly events: AutomationEvents;
  readonly causes: Causes;
  readonly expressions: Expressions;
  readonly slots: ScheduledFirings;
  readonly holds: HoldStore;
  /** Work that became due within this period fires late; older work is missed. Milliseconds. */
  readonly graceMs: () => number;
}

/** Infers the types of a kind from its fields. */
export function triggerKind<const T extends string, F extends FieldSet>(kind: TriggerKind<T, F>): TriggerKind<T, F> {
  return kind;
}
