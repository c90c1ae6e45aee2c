/**
 * Native automations: what the API document calls an automation (§2.4), as the home keeps it. A trigger, and actions that are
 * kept as a scene of its own. They have no engine: `to-program.ts` says in the words of flows what each means, and what runs
 * flows runs them. This file has the words; `automations.ts` the operations, `parse-*.ts` what may be written.
 *
 * Characteristics are named in snake_case, numbered from the second service that has one (`power_state_2`), and their values are
 * what the device has. Accessories may be gone: a trigger waits for them to come back.
 */
import type { CharacteristicValue, SceneAction } from '../../../home/model.ts';
import type { DateComponents, PresenceEvent } from '../flow.ts';

export interface Automation {
  /** UUID, lower case. It stays when the trigger changes. */
  readonly id: string;
  readonly homeId: string;
  /** Ends with a letter or a number; unique among the home's native automations, ignoring case. */
  readonly name: string;
  readonly enabled: boolean;
  readonly trigger: NativeTrigger;
  /** The scene that it owns, which holds what it does. */
  readonly sceneId: string;
  readonly actions: readonly SceneAction[];
  /** When it last ran: fired, with its conditions holding. Milliseconds. */
  readonly lastFireAt: number | null;
  readonly createdAt: number;
}

export type NativeTrigger = TimerTrigger | EventTrigger;

export interface TimerTrigger {
  readonly type: 'timer';
  /** Milliseconds. */
  readonly fireAt: number;
  /**
   * With a weekday: that one of every week, at its hour and minute or the fire date's. Otherwise how long after the fire date it fires
   * again, and again: months and days by the wall clock, hours and minutes as they pass. `null`: it fires once.
   */
  readonly recurrence: DateComponents | null;
  /** IANA; `null` for the home's. */
  readonly timeZone: string | null;
  readonly executeOnce: boolean;
}

export interface EventTrigger {
  readonly type: 'event';
  /** Any of them fires it. At least one. */
  readonly events: readonly NativeEvent[];
  /** Any of them brings back what the actions had changed. */
  readonly endEvents: readonly NativeEvent[];
  /** All of them must hold when it fires. */
  readonly conditions: readonly NativeCondition[];
  /** The days on which it fires, 1 = Sunday … 7 = Saturday; every day if empty. */
  readonly weekdays: readonly number[];
  readonly executeOnce: boolean;
}

export type NativeEvent =
  /** With neither a value nor a threshold: any change. With thresholds: when it comes into the range, both ends included. */
  | {
      readonly type: 'characteristic';
      readonly accessoryId: string;
      readonly characteristicType: string;
      readonly triggerValue?: CharacteristicValue;
      readonly thresholdMin?: number;
      readonly thresholdMax?: number;
    }
  | {
      readonly type: 'significantTime';
      readonly significantEvent: SignificantEvent;
      /** Negative: before. */
      readonly offsetMinutes: number;
    }
  | { readonly type: 'calendar'; readonly components: DateComponents }
  /** Among end events only: so long after the automation fired last. */
  | { readonly type: 'duration'; readonly durationSeconds: number }
  | {
      readonly type: 'location';
      /** Degrees and metres. */
      readonly latitude: number;
      readonly longitude: number;
      readonly radius: number;
      readonly notifyOnEntry: boolean;
      readonly notifyOnExit: boolean;
    }
  | { readonly type: 'presence'; readonly presenceEvent: PresenceEvent; readonly who: Who };
export type NativeEventType = NativeEvent['type'];

export const SIGNIFICANT_EVENTS = ['sunrise', 'sunset'] as const;
export type SignificantEvent = (typeof SIGNIFICANT_EVENTS)[number];

/** Whose coming and going counts. A `currentUser` of whom nobody said which person that is, is everybody. */
export interface Who {
  readonly presenceType: PresenceType;
  readonly personIds: readonly string[];
}
export const PRESENCE_TYPES = ['currentUser', 'allUsers', 'customUsers'] as const;
export type PresenceType = (typeof PRESENCE_TYPES)[number];

export type NativeCondition =
  | {
      readonly type: 'characteristic';
      readonly accessoryId: string;
      readonly characteristicType: string;
      readonly operator: ConditionOperator;
      readonly value: CharacteristicValue;
    }
  /** `HH:MM`, from `after` until before `before`; across midnight where `before` is the earlier one. At least one of them. */
  | { readonly type: 'time'; readonly after?: string; readonly before?: string }
  | { readonly type: 'significantEvent'; readonly after?: SignificantEvent; readonly before?: SignificantEvent }
  | { readonly type: 'presence'; readonly presenceEvent: 'atHome' | 'notAtHome'; readonly who: Who };

export const CONDITION_OPERATORS = [
  'equalTo',
  'notEqualTo',
  'lessThan',
  'greaterThan',
  'lessThanOrEqualTo',
  'greaterThanOrEqualTo',
] as const;
export type ConditionOperator = (typeof CONDITION_OPERATORS)[number];

/** Whether it is over once it has fired. */
export function firesOnce(trigger: NativeTrigger): boolean {
  return trigger.executeOnce || (trigger.type === 'timer' && trigger.recurrence === null);
}

/** The accessories that it watches or asks, beside those that its actions set. */
export function watchedAccessories(trigger: NativeTrigger): readonly string[] {
  if (trigger.type === 'timer') return [];
  const parts = [...trigger.events, ...trigger.endEvents, ...trigger.conditions];
  return [...new Set(parts.flatMap((part) => (part.type === 'characteristic' ? [part.accessoryId] : [])))];
}

/** Whether anything of it needs to know where the house stands. */
export function needsLocation(trigger: NativeTrigger): boolean {
  if (trigger.type === 'timer') return false;
  const parts = [...trigger.events, ...trigger.endEvents, ...trigger.conditions];
  return parts.some(({ type }) => type === 'significantTime' || type === 'location' || type === 'significantEvent');
}
