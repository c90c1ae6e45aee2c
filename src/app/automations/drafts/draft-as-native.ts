/**
 * A draft as a native automation, where one can express all of it: triggers and conditions that have a native form,
 * and actions that only set accessories. The result is the input of `Automations.create`.
 */

import { durationMs } from '../../../home/schedule/duration.ts';
import type { Action } from '../actions/index.ts';
import type { Condition, ConditionBlock } from '../conditions/index.ts';
import type { Duration } from '../field-types.ts';
import type { ConditionOperator, NativeTrigger, Who } from '../native/automation.ts';
import { COMPARISONS, nextNumber } from '../native/to-program.ts';
import { hasTemplate } from '../parsing/parsing.ts';
import type { Trigger, TriggerOf } from '../triggers/index.ts';
import type { AutomationDraft } from './draft.ts';

export interface NativeInput {
  readonly name: string;
  readonly trigger: object;
  readonly actions: readonly object[];
}

type NativePart = Readonly<Record<string, unknown>>;
/** Thrown where only a flow can express something; does not leave this file. */
class NeedsFlow extends Error {}

const MINUTE_MS = 60_000;
/** Numbers that people write have fewer digits. */
const MAX_DIGITS = 12;
/** Actions of several kinds have these beside their own fields; a native automation has none of them. */
const FLOW_ONLY = ['alias', 'maxRetries', 'retryDelayMs'];

/**
 * @param before the native automation that is edited: the people in it keep how they were chosen
 * @returns `undefined` if only a flow can express it
 */
export function draftAsNative(draft: AutomationDraft, before?: NativeTrigger): NativeInput | undefined {
  try {
    const { name, definition } = draft;
    requirePlain(draft);
    return { name, trigger: triggerOf(draft, before), actions: actionsOf(definition.actions) };
  } catch (error) {
    if (error instanceof NeedsFlow) return undefined;
    throw error;
  }
}

/** The settings of a flow that a native automation does not have are as they are at first. */
function requirePlain({ definition }: AutomationDraft): void {
  const { description, mode, variables, blueprintId, uiState } = definition;
  const hasNotes = uiState !== null && Object.keys(uiState).length > 0;
  const isPlain = description === null && mode === 'single' && blueprintId === null && !hasNotes;
  if (!isPlain || Object.keys(variables).length > 0) throw new NeedsFlow();
}

function triggerOf({ definition, until, executeOnce }: AutomationDraft, before: NativeTrigger | undefined): object {
  const { triggers, conditions } = definition;
  if (triggers.length === 0 || triggers.some(({ enabled }) => !enabled)) throw new NeedsFlow();
  const [first] = triggers;
  if (first?.type === 'timer') {
    if (triggers.length > 1 || until.length > 0 || conditions.conditions.length > 0) throw new NeedsFlow();
    const { fireDate, recurrence, timeZone } = first;
    return { type: 'timer', fireDate, recurrence, timeZone, executeOnce };
  }
  const people = chosenPeople(before);
  const { parts, weekdays } = conditionsOf(conditions, people);
  const days = [...weekdays, ...triggers.flatMap((one) => (one.type === 'time' ? [daysOf(one)] : []))].filter(
    ({ length }) => length > 0,
  );
  // Native automations have one choice of days, for all of their triggers.
  if (days.length > 1 || (days.length > weekdays.length && triggers.length > 1)) throw new NeedsFlow();
  return {
    type: 'event',
    events: triggers.map((trigger) => eventOf(trigger, people)),
    endEvents: until.map((end) => (end.type === 'time' && daysOf(end).length > 0 ? needsFlow() : eventOf(end, people))),
    conditions: parts,
    recurrences: (days[0] ?? []).map((day) => ({ weekday: day + 1 })),
    executeOnce,
  };
}

function daysOf({ weekdays = [] }: TriggerOf<'time'>): readonly number[] {
  return weekdays;
}

function needsFlow(): never {
  throw new NeedsFlow();
}

function eventOf(trigger: Trigger, people: PeopleChoice): NativePart {
  if (!trigger.enabled) throw new NeedsFlow();
  switch (trigger.type) {
    case 'state': {
      const { to, from, for: held } = trigger;
      if (from !== undefined || held !== undefined || to === null) throw new NeedsFlow();
      return { ...placeOf(trigger), ...(to !== undefined && { triggerValue: to }) };
    }
    case 'numeric_state': {
      const { above, below, for: held } = trigger;
      if (held !== undefined) throw new NeedsFlow();
      return { ...placeOf(trigger), ...bound('thresholdMin', above, 1), ...bound('thresholdMax', below, -1) };
    }
    case 'sun':
      return { type: 'significantTime', significantEvent: trigger.event, offsetMinutes: minutesOf(trigger.offset) };
    case 'time': {
      const [hour = 0, minute = 0, second] = trigger.at.split(':').map(Number);
      return { type: 'calendar', calendarComponents: { hour, minute, ...(second !== undefined && { second }) } };
    }
    case 'calendar':
      return { type: 'calendar', calendarComponents: trigger.components };
    case 'duration':
      return { type: 'duration', durationSeconds: trigger.seconds };
    case 'location': {
      const { type, latitude, longitude, radius, notifyOnEntry, notifyOnExit, personIds = [] } = trigger;
      if (personIds.length > 0) throw new NeedsFlow();
      return { type, latitude, longitude, radius, notifyOnEntry, notifyOnExit };
    }
    case 'presence':
      return { type: 'presence', presenceEvent: trigger.event, ...people(trigger.personIds ?? []) };
    default:
      throw new NeedsFlow();
  }
}

function placeOf(node: {
  readonly accessoryId?: string | undefined;
  readonly serviceGroupId?: string | undefined;
  readonly characteristicType: string;
}): NativePart {
  const { accessoryId, characteristicType } = node;
  if (accessoryId === undefined) throw new NeedsFlow();
  return { type: 'characteristic', accessoryId, characteristicType };
}

/**
 * The ranges of native automations include their bounds, those of flows do not. A bound that a native automation can
 * not show as a number that a person would write stays with flows.
 */
function bound(name: string, value: number | undefined, direction: 1 | -1): NativePart {
  if (value === undefined) return {};
  const included = nextNumber(value, direction);
  if (Number(included.toPrecision(MAX_DIGITS)) !== included) throw new NeedsFlow();
  return { [name]: included };
}

function minutesOf(offset: Duration | undefined): number {
  const minutes = offset === undefined ? 0 : durationMs(offset) / MINUTE_MS;
  return Number.isInteger(minutes) ? minutes : needsFlow();
}

function conditionsOf(block: ConditionBlock, people: PeopleChoice) {
  if (block.operator !== 'and' && block.conditions.length > 1) throw new NeedsFlow();
  if (block.operator === 'not' && block.conditions.length > 0) throw new NeedsFlow();
  const weekdays: (readonly number[])[] = [];
  const parts = block.conditions.flatMap((condition): readonly NativePart[] => {
    if ('conditions' in condition) return [peopleIn(condition, people)];
    if (condition.type !== 'time' || (condition.weekdays ?? []).length === 0) return conditionOf(condition, people);
    // With a time, the days count from the beginning of the span: only flows have that.
    if (condition.after !== undefined || condition.before !== undefined) throw new NeedsFlow();
    weekdays.push(condition.weekdays ?? []);
    return [];
  });
  return { parts, weekdays };
}

const OPERATORS = Object.fromEntries(Object.entries(COMPARISONS).map(([native, flow]) => [flow, native])) as Readonly<
  Record<(typeof COMPARISONS)[ConditionOperator], ConditionOperator>
>;

function conditionOf(condition: Condition, people: PeopleChoice): readonly NativePart[] {
  switch (condition.type) {
    case 'state': {
      const { operator = 'eq', value } = condition;
      if (value === null) throw new NeedsFlow();
      return [{ ...placeOf(condition), operator: OPERATORS[operator], value }];
    }
    case 'numeric_state': {
      const { above, below } = condition;
      const place = placeOf(condition);
      return [
        ...(above === undefined ? [] : [{ ...place, operator: OPERATORS.above, value: above }]),
        ...(below === undefined ? [] : [{ ...place, operator: OPERATORS.below, value: below }]),
      ];
    }
    case 'time':
      return [{ type: 'time', afterTime: condition.after, beforeTime: condition.before }];
    case 'sun': {
      const { after, before, afterOffset, beforeOffset } = condition;
      if (minutesOf(afterOffset) !== 0 || minutesOf(beforeOffset) !== 0) throw new NeedsFlow();
      return [{ type: 'significantEvent', afterEvent: after, beforeEvent: before }];
    }
    case 'presence':
      return [presenceOf(condition.event, condition.who, people)];
    default:
      throw new NeedsFlow();
  }
}

/** "At home" of native automations is any of the people, "not at home" none of them. */
function presenceOf(event: 'atHome' | 'notAtHome', who: string | readonly string[], people: PeopleChoice): NativePart {
  const all = event === 'atHome' ? 'anyone' : 'everyone';
  if (who === all) return { type: 'presence', presenceEvent: event, ...people([]) };
  if (typeof who === 'string' || (who.length > 1 && event === 'atHome')) throw new NeedsFlow();
  return { type: 'presence', presenceEvent: event, ...people(who) };
}

/** The block that stands for several people: any is at home, or all are away. */
function peopleIn({ operator, conditions }: ConditionBlock, people: PeopleChoice): NativePart {
  const event = operator === 'or' ? 'atHome' : 'notAtHome';
  const ids = conditions.flatMap((one) => {
    const isOne = 'type' in one && one.type === 'presence' && one.event === event && Array.isArray(one.who);
    return isOne && one.who.length === 1 ? one.who : needsFlow();
  });
  if (operator === 'not' || ids.length === 0) throw new NeedsFlow();
  return { type: 'presence', presenceEvent: event, ...people(ids as readonly string[]) };
}

type PeopleChoice = (personIds: readonly string[]) => NativePart;

/** People stay chosen in the way in which they were, such as the current user. */
function chosenPeople(before: NativeTrigger | undefined): PeopleChoice {
  const parts = before?.type === 'event' ? [...before.events, ...before.endEvents, ...before.conditions] : [];
  const known: readonly Who[] = parts.flatMap((part) => (part.type === 'presence' ? [part.who] : []));
  return (personIds) => {
    const same = known.find((who) => who.personIds.join() === personIds.join());
    return { presenceType: same?.presenceType ?? (personIds.length > 0 ? 'customUsers' : 'allUsers'), personIds };
  };
}

/** Each characteristic once: a native automation sets all of them together. */
function actionsOf(actions: readonly Action[]): readonly NativePart[] {
  const settings = actions.map(settingOf);
  const places = new Set(settings.map(({ accessoryId, characteristicType }) => `${accessoryId} ${characteristicType}`));
  if (settings.length === 0 || places.size < settings.length) throw new NeedsFlow();
  return settings;
}

function settingOf(action: Action): NativePart {
  if (action.type !== 'set_characteristic' || !action.enabled || action.onError !== 'stop') throw new NeedsFlow();
  const { accessoryId, characteristicType, value } = action;
  const isPlain = value !== null && typeof value !== 'object' && !hasTemplate(value);
  if (!isPlain || FLOW_ONLY.some((name) => name in action)) throw new NeedsFlow();
  return { accessoryId, characteristicType, targetValue: value };
}
