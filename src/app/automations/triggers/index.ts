/**
 * All trigger kinds, one line each: the events that start an automation. A kind only watches and reports a firing with
 * its data; the engine decides whether a run starts. To add one: its type in `../flow.ts`, a file here, a line below.
 */
import type { HomeState } from '../../../home/home-state.ts';
import type { Trigger, TriggerType } from '../flow.ts';
import { calendar } from './calendar.ts';
import { deviceAvailability } from './device-availability.ts';
import { duration } from './duration.ts';
import { event } from './event.ts';
import { location } from './location.ts';
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

export const TRIGGER_KINDS: { readonly [T in TriggerType]: TriggerKind<T> } = {
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
};

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
function kindOf(trigger: Trigger): TriggerKind {
  return TRIGGER_KINDS[trigger.type] as unknown as TriggerKind;
}
