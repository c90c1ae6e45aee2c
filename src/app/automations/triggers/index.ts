/**
 * All trigger kinds, one line each: the events that start an automation. A kind declares its fields, watches, and
 * reports a firing with its data; the engine decides whether a run starts. To add one: a file here, a line below.
 */
import type { HomeState } from '../../../home/home-state.ts';
import type { ValuesOf } from '../parsing/field.ts';
import { calendar } from './calendar.ts';
import { deviceAvailability } from './device-availability.ts';
import { duration } from './duration.ts';
import { event } from './event.ts';
import { location } from './location.ts';
import { notificationAction } from './notification-action.ts';
import { numericState } from './numeric-state.ts';
import { presence } from './presence.ts';
import { state } from './state.ts';
import { sun } from './sun.ts';
import { system } from './system.ts';
import { template } from './template.ts';
import { time } from './time.ts';
import { timePattern } from './time-pattern.ts';
import { timer } from './timer.ts';
import type { TriggerKind, TriggerPlace, TriggerWatch } from './trigger-kind.ts';
import { webhook } from './webhook.ts';

export const TRIGGER_KINDS = {
  state,
  numeric_state: numericState,
  time,
  time_pattern: timePattern,
  sun,
  webhook,
  event,
  system,
  template,
  device_availability: deviceAvailability,
  presence,
  location,
  timer,
  calendar,
  duration,
  notification_action: notificationAction,
} as const;

type TriggerKinds = typeof TRIGGER_KINDS;
export type TriggerType = keyof TriggerKinds;
export const TRIGGER_TYPES = Object.keys(TRIGGER_KINDS) as readonly TriggerType[];

interface TriggerBase {
  /** Unique among the triggers of its list. */
  readonly id: string;
  readonly enabled: boolean;
}

export type TriggerOf<T extends TriggerType> = {
  [K in T]: TriggerBase & { readonly type: K } & ValuesOf<TriggerKinds[K]['fields']>;
}[T];
export type Trigger = TriggerOf<TriggerType>;

/**
 * Watches a trigger until the returned function is called; data stored under its key stays. A disabled trigger is not
 * watched.
 */
export function watchTrigger(trigger: Trigger, watch: TriggerWatch): () => void {
  return trigger.enabled ? kindOf(trigger).watch(trigger, watch) : () => {};
}

/**
 * When the clock fires it next, later than `after`; `null` for never, and for kinds that the clock does not fire.
 * Milliseconds.
 */
export function nextOf(trigger: Trigger, place: TriggerPlace, after: number): number | null {
  return trigger.enabled ? (kindOf(trigger).next?.(trigger, place, after) ?? null) : null;
}

/** One line for people. */
export function summarizeTrigger(trigger: Trigger, home: HomeState): string {
  return kindOf(trigger).summarize(trigger, home);
}

/** TypeScript cannot infer that a trigger's kind matches its type. */
export function kindOf({ type }: { readonly type: TriggerType }): TriggerKind {
  return TRIGGER_KINDS[type] as unknown as TriggerKind;
}
