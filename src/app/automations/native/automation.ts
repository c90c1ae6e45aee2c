/**
 * Native automations: the automations of the API document (§2.4), in the form that the home stores. Each has a
 * trigger, and actions in a scene of its own. They have no engine: `to-program.ts` translates each to a flow program,
 * and the flow engine runs it. This file has the types; `automations.ts` the operations, `parse-*.ts` the input
 * validation.
 *
 * Characteristics have snake_case names, numbered from the second service on (`power_state_2`). Their values are the
 * device's values. Accessories may be missing: a trigger waits until they return.
 */
import type {
  CONDITION_OPERATORS,
  DateComponents,
  PRESENCE_EVENTS,
  PRESENCE_TYPES,
  SIGNIFICANT_EVENTS,
} from '../../../contract/automations.ts';
import type { CharacteristicValue, SceneAction } from '../../../home/model.ts';

export interface Automation {
  /** UUID, lower case. It stays the same when the trigger changes. */
  readonly id: string;
  readonly homeId: string;
  /** Ends with a letter or a number; need not be unique. */
  readonly name: string;
  readonly enabled: boolean;
  readonly trigger: NativeTrigger;
  /** The scene that it owns, which contains its actions. */
  readonly sceneId: string;
  readonly actions: readonly SceneAction[];
  /** When it last ran: it fired and its conditions held. Milliseconds. */
  readonly lastFireAt: number | null;
  readonly createdAt: number;
}

export type NativeTrigger = TimerTrigger | EventTrigger;

export interface TimerTrigger {
  readonly type: 'timer';
  /** Milliseconds. */
  readonly fireAt: number;
  /**
   * With a weekday: that day of every week, at its hour and minute or the fire date's. Otherwise the interval of
   * repetition after the fire date: months and days by local time, hours and minutes as elapsed time. `null`: it fires
   * once.
   */
  readonly recurrence: DateComponents | null;
  /** IANA; `null` means the home's time zone. */
  readonly timeZone: string | null;
  readonly executeOnce: boolean;
}

export interface EventTrigger {
  readonly type: 'event';
  /** Any of them fires it. At least one. */
  readonly events: readonly NativeEvent[];
  /** Any of them restores the values that the actions changed. */
  readonly endEvents: readonly NativeEvent[];
  /** All of them must hold when it fires. */
  readonly conditions: readonly NativeCondition[];
  /** The days on which it fires, 1 = Sunday … 7 = Saturday; every day if empty. */
  readonly weekdays: readonly number[];
  readonly executeOnce: boolean;
}

export type NativeEvent =
  /**
   * With neither a value nor a threshold: any change. With thresholds: when the value enters the range, bounds
   * included.
   */
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
  /** In end events only: a duration after the last firing of the automation. */
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
  | { readonly type: 'presence'; readonly presenceEvent: (typeof PRESENCE_EVENTS)[number]; readonly who: Who };
export type NativeEventType = NativeEvent['type'];

export type SignificantEvent = (typeof SIGNIFICANT_EVENTS)[number];

/** The people whose arrival and departure count. A `currentUser` without an assigned person means everyone. */
export interface Who {
  readonly presenceType: (typeof PRESENCE_TYPES)[number];
  readonly personIds: readonly string[];
}

export type NativeCondition =
  | {
      readonly type: 'characteristic';
      readonly accessoryId: string;
      readonly characteristicType: string;
      readonly operator: ConditionOperator;
      readonly value: CharacteristicValue;
    }
  /** `HH:MM`, from `after` until before `before`; across midnight if `before` is earlier. At least one of them. */
  | { readonly type: 'time'; readonly after?: string; readonly before?: string }
  | { readonly type: 'significantEvent'; readonly after?: SignificantEvent; readonly before?: SignificantEvent }
  | { readonly type: 'presence'; readonly presenceEvent: 'atHome' | 'notAtHome'; readonly who: Who };

export type ConditionOperator = (typeof CONDITION_OPERATORS)[number];

/** Whether it ends after it has fired. */
export function firesOnce(trigger: NativeTrigger): boolean {
  return trigger.executeOnce || (trigger.type === 'timer' && trigger.recurrence === null);
}

/** The accessories that it watches or reads, besides those that its actions set. */
export function watchedAccessories(trigger: NativeTrigger): readonly string[] {
  if (trigger.type === 'timer') return [];
  const parts = [...trigger.events, ...trigger.endEvents, ...trigger.conditions];
  return [...new Set(parts.flatMap((part) => (part.type === 'characteristic' ? [part.accessoryId] : [])))];
}

/** Whether any part of it needs the home's location. */
export function needsLocation(trigger: NativeTrigger): boolean {
  if (trigger.type === 'timer') return false;
  const parts = [...trigger.events, ...trigger.endEvents, ...trigger.conditions];
  return parts.some(({ type }) => type === 'significantTime' || type === 'location' || type === 'significantEvent');
}
