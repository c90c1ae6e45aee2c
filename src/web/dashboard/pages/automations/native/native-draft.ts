/**
 * A native automation during editing: the trigger and the actions in the API's input format (§2.4), with its JSON
 * strings parsed. Fields that the form does not know stay unchanged.
 */
import { present } from '../../../api/graphql.ts';
import type { NativeAutomation } from './native-document.ts';

/** Parts of a date; weekdays are 1 = Sunday … 7 = Saturday. */
export type DateParts = Readonly<
  Partial<Record<'year' | 'month' | 'day' | 'weekday' | 'hour' | 'minute' | 'second', number>>
>;

interface Place {
  readonly accessoryId: string;
  readonly characteristicType: string;
  /** The name at the time of loading, for accessories that no longer exist. */
  readonly accessoryName?: string | undefined;
}

interface Who {
  readonly presenceType: string;
  readonly personIds: readonly string[];
}

export type NativeEvent =
  | (Place & {
      readonly type: 'characteristic';
      readonly triggerValue?: unknown;
      readonly thresholdMin?: number | undefined;
      readonly thresholdMax?: number | undefined;
    })
  | { readonly type: 'significantTime'; readonly significantEvent: string; readonly offsetMinutes: number }
  | { readonly type: 'calendar'; readonly calendarComponents: DateParts }
  | { readonly type: 'duration'; readonly durationSeconds: number }
  | {
      readonly type: 'location';
      readonly latitude: number;
      readonly longitude: number;
      readonly radius: number;
      readonly notifyOnEntry: boolean;
      readonly notifyOnExit: boolean;
    }
  | ({ readonly type: 'presence'; readonly presenceEvent: string } & Who);

export type NativeCondition =
  | (Place & { readonly type: 'characteristic'; readonly operator: string; readonly value: unknown })
  | { readonly type: 'time'; readonly afterTime?: string | undefined; readonly beforeTime?: string | undefined }
  | {
      readonly type: 'significantEvent';
      readonly afterEvent?: string | undefined;
      readonly beforeEvent?: string | undefined;
    }
  | ({ readonly type: 'presence'; readonly presenceEvent: string } & Who);

export interface NativeAction extends Place {
  readonly targetValue: unknown;
}

export type NativeTrigger =
  | {
      readonly type: 'timer';
      /** ISO 8601; empty until a date is chosen. */
      readonly fireDate: string;
      /** Undefined: once. */
      readonly recurrence: DateParts | undefined;
      readonly timeZone: string | undefined;
      readonly executeOnce: boolean;
    }
  | {
      readonly type: 'event';
      readonly events: readonly NativeEvent[];
      readonly endEvents: readonly NativeEvent[];
      readonly conditions: readonly NativeCondition[];
      readonly weekdays: readonly number[];
      readonly executeOnce: boolean;
    };

const CLOCK_EVENTS: ReadonlySet<NativeEvent['type']> = new Set(['significantTime', 'calendar']);

/** Whether the clock or the sun fires it. */
export function isByClock(trigger: NativeTrigger): boolean {
  return trigger.type === 'timer' || trigger.events.some(({ type }) => CLOCK_EVENTS.has(type));
}

export interface NativeDraft {
  readonly name: string;
  readonly trigger: NativeTrigger;
  readonly actions: readonly NativeAction[];
}

type ApiTrigger = NativeAutomation['trigger'];
type ApiEvent = NonNullable<ApiTrigger['events']>[number];
type ApiCondition = NonNullable<ApiTrigger['conditions']>[number];

export function draftOf({
  name,
  trigger,
  actions,
}: Pick<NativeAutomation, 'name' | 'trigger' | 'actions'>): NativeDraft {
  return {
    name,
    trigger: triggerOf(trigger),
    actions: actions.map(({ accessoryId, accessoryName, characteristicType, targetValue }) => ({
      ...{ accessoryId, accessoryName, characteristicType },
      targetValue: parseJson(targetValue),
    })),
  };
}

function triggerOf(trigger: ApiTrigger): NativeTrigger {
  const executeOnce = trigger.executeOnce === true;
  if (trigger.type === 'timer') {
    return {
      type: 'timer',
      fireDate: trigger.fireDate ?? '',
      recurrence: trigger.recurrence ? partsOf(trigger.recurrence) : undefined,
      timeZone: trigger.timeZone ?? undefined,
      executeOnce,
    };
  }
  return {
    type: 'event',
    events: present(trigger.events).flatMap(eventOf),
    endEvents: present(trigger.endEvents).flatMap(eventOf),
    conditions: present(trigger.conditions).flatMap(conditionOf),
    weekdays: weekdaysOf(trigger.recurrences),
    executeOnce,
  };
}

function placeOf(part: ApiEvent | ApiCondition): Place {
  return {
    accessoryId: part.accessoryId ?? '',
    characteristicType: part.characteristicType ?? '',
    accessoryName: part.accessoryName ?? undefined,
  };
}

function whoOf({ presenceType, personIds }: ApiEvent | ApiCondition): Who {
  return { presenceType: presenceType ?? 'allUsers', personIds: personIds ?? [] };
}

function eventOf(event: ApiEvent): readonly NativeEvent[] {
  switch (event.type) {
    case 'characteristic':
      return [
        {
          type: 'characteristic',
          ...placeOf(event),
          triggerValue: parseJson(event.triggerValue),
          thresholdMin: event.thresholdMin ?? undefined,
          thresholdMax: event.thresholdMax ?? undefined,
        },
      ];
    case 'significantTime':
      return [
        {
          type: 'significantTime',
          significantEvent: event.significantEvent ?? 'sunset',
          offsetMinutes: event.offsetMinutes ?? 0,
        },
      ];
    case 'calendar':
      return [{ type: 'calendar', calendarComponents: partsOf(event.calendarComponents) }];
    case 'duration':
      return [{ type: 'duration', durationSeconds: event.durationSeconds ?? 0 }];
    case 'location':
      return [
        {
          type: 'location',
          latitude: event.latitude ?? 0,
          longitude: event.longitude ?? 0,
          radius: event.radius ?? 0,
          notifyOnEntry: event.notifyOnEntry ?? false,
          notifyOnExit: event.notifyOnExit ?? false,
        },
      ];
    case 'presence':
      return [{ type: 'presence', presenceEvent: event.presenceEvent ?? 'firstArrival', ...whoOf(event) }];
    default:
      return [];
  }
}

function conditionOf(condition: ApiCondition): readonly NativeCondition[] {
  switch (condition.type) {
    case 'characteristic':
      return [
        {
          type: 'characteristic',
          ...placeOf(condition),
          operator: condition.operator ?? 'equalTo',
          value: parseJson(condition.value),
        },
      ];
    case 'time':
      return [{ type: 'time', afterTime: timeOf(condition.afterTime), beforeTime: timeOf(condition.beforeTime) }];
    case 'significantEvent':
      return [
        {
          type: 'significantEvent',
          afterEvent: condition.afterEvent ?? undefined,
          beforeEvent: condition.beforeEvent ?? undefined,
        },
      ];
    case 'presence':
      return [{ type: 'presence', presenceEvent: condition.presenceEvent ?? 'atHome', ...whoOf(condition) }];
    default:
      return [];
  }
}

/** `undefined` for no text, and for invalid JSON. */
export function parseJson(text: string | null | undefined): unknown {
  if (text == null) return undefined;
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

function partsOf(text: string | null | undefined): DateParts {
  const parsed = parseJson(text);
  if (typeof parsed !== 'object' || parsed === null) return {};
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => typeof value === 'number'));
}

function weekdaysOf(text: string | null | undefined): readonly number[] {
  const parsed = parseJson(text);
  if (!Array.isArray(parsed)) return [];
  return parsed.flatMap((day) => (typeof day?.weekday === 'number' ? [day.weekday] : []));
}

/** `{hour, minute, second?}` as JSON → `HH:MM` or `HH:MM:SS`. */
function timeOf(text: string | null | undefined): string | undefined {
  if (text == null) return undefined;
  return clockText(partsOf(text));
}

/** `HH:MM`, or `HH:MM:SS` if there are seconds. */
export function clockText({ hour = 0, minute = 0, second = 0 }: DateParts): string {
  const parts = second === 0 ? [hour, minute] : [hour, minute, second];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** The input of `createAutomation` and `updateAutomation`. */
export function inputOf({ name, trigger, actions }: NativeDraft) {
  return {
    name: name.trim(),
    trigger: JSON.stringify(triggerInput(trigger)),
    actions: JSON.stringify(actions.map(withoutName)),
  };
}

function triggerInput(trigger: NativeTrigger): object {
  if (trigger.type === 'timer') return trigger;
  const { weekdays, events, endEvents, conditions, ...rest } = trigger;
  return {
    ...rest,
    events: events.map(withoutName),
    endEvents: endEvents.map(withoutName),
    conditions: conditions.map(withoutName),
    recurrences: weekdays.map((weekday) => ({ weekday })),
  };
}

function withoutName<T extends object>(part: T): object {
  const { accessoryName: _, ...rest } = part as T & { accessoryName?: unknown };
  return rest;
}
