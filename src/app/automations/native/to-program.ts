/**
 * Translates a native automation to a flow program: one engine runs both. The ids of triggers and actions are the
 * paths of their sources, so that a trace matches the automation as it was written.
 */
import { isoTime } from '../../../kernel/iso-time.ts';
import type { Action } from '../actions/index.ts';
import type { Condition, ConditionBlock } from '../conditions/index.ts';
import type { Program } from '../program.ts';
import type { Trigger } from '../triggers/index.ts';
import {
  type Automation,
  type ConditionOperator,
  type EventTrigger,
  firesOnce,
  type NativeCondition,
  type NativeEvent,
  type Who,
} from './automation.ts';
import { untilEnd } from './until-end.ts';

/**
 * The limit for overlapping firings: each executes the same scene, so waiting for another run's device has no benefit.
 */
const MAX_RUNNING = 10;

/** The id of the action that executes the automation's scene. */
const ACTIONS_ID = 'actions';

export const COMPARISONS = {
  equalTo: 'eq',
  notEqualTo: 'neq',
  lessThan: 'below',
  greaterThan: 'above',
  lessThanOrEqualTo: 'at_most',
  greaterThanOrEqualTo: 'at_least',
} as const satisfies Record<ConditionOperator, string>;

export function toProgram(automation: Automation): Program {
  const { id, homeId, name, enabled, trigger, sceneId, actions } = automation;
  const ends = trigger.type === 'event' && trigger.endEvents.length > 0;
  // An automation that fires once could be triggered twice before it is disabled.
  const isSingle = ends || firesOnce(trigger);
  return {
    id,
    kind: 'native',
    homeId,
    name,
    enabled,
    mode: isSingle ? 'single' : 'parallel',
    maxRunning: isSingle ? 1 : MAX_RUNNING,
    triggers: triggersOf(automation),
    conditions: trigger.type === 'event' ? conditionsOf(trigger) : { operator: 'and', conditions: [] },
    actions: trigger.type === 'event' && ends ? executeUntilEnd(sceneId, trigger) : [execute(sceneId)],
    variables: {},
    native: { trigger, actions },
  };
}

export function triggersOf({ trigger }: Pick<Automation, 'trigger'>): readonly Trigger[] {
  if (trigger.type === 'event') return eventTriggers(trigger.events, 'events');
  const { fireAt, recurrence, timeZone } = trigger;
  return [
    {
      id: 'fireDate',
      enabled: true,
      type: 'timer',
      fireDate: isoTime(fireAt),
      ...(recurrence !== null && { recurrence }),
      ...(timeZone !== null && { timeZone }),
    },
  ];
}

export function eventTriggers(events: readonly NativeEvent[], list: string): readonly Trigger[] {
  return events.map((event, index) => ({ id: `${list}[${index}]`, enabled: true, ...toTrigger(event) }));
}

type Distributed<T> = T extends unknown ? Omit<T, 'id' | 'enabled'> : never;

function toTrigger(event: NativeEvent): Distributed<Trigger> {
  switch (event.type) {
    case 'characteristic':
      return characteristicTrigger(event);
    case 'significantTime':
      return { type: 'sun', event: event.significantEvent, offset: { minutes: event.offsetMinutes } };
    case 'calendar':
      return event;
    case 'duration':
      return { type: 'duration', seconds: event.durationSeconds };
    case 'location':
      return event;
    case 'presence':
      return { type: 'presence', event: event.presenceEvent, ...people(event.who) };
  }
}

function characteristicTrigger(event: Extract<NativeEvent, { type: 'characteristic' }>): Distributed<Trigger> {
  const { accessoryId, characteristicType, triggerValue, thresholdMin, thresholdMax } = event;
  const place = { accessoryId, characteristicType };
  if (thresholdMin === undefined && thresholdMax === undefined) {
    return { type: 'state', ...place, ...(triggerValue !== undefined && { to: triggerValue }) };
  }
  return {
    type: 'numeric_state',
    ...place,
    ...(thresholdMin !== undefined && { above: nextNumber(thresholdMin, -1) }),
    ...(thresholdMax !== undefined && { below: nextNumber(thresholdMax, 1) }),
  };
}

/** The home platform's ranges include their bounds, those of flows do not: the bound becomes the adjacent number. */
export function nextNumber(value: number, direction: 1 | -1): number {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  if (value === 0) return direction * Number.MIN_VALUE;
  // The bits of a number, read as an integer, increase with its distance from zero.
  const away = value > 0 ? direction : -direction;
  bits.setBigInt64(0, bits.getBigInt64(0) + BigInt(away));
  const next = bits.getFloat64(0);
  return Number.isFinite(next) ? next : value;
}

function people({ personIds }: Who): { readonly personIds?: readonly string[] } {
  return personIds.length > 0 ? { personIds } : {};
}

export function conditionsOf({ conditions, weekdays }: EventTrigger): ConditionBlock {
  const days: readonly Condition[] =
    weekdays.length > 0 ? [{ type: 'time', weekdays: weekdays.map((weekday) => weekday - 1) }] : [];
  return { operator: 'and', conditions: [...conditions.map(toCondition), ...days] };
}

function toCondition(condition: NativeCondition): Condition | ConditionBlock {
  switch (condition.type) {
    case 'characteristic': {
      const { accessoryId, characteristicType, operator, value } = condition;
      return { type: 'state', accessoryId, characteristicType, operator: COMPARISONS[operator], value };
    }
    case 'time':
      return condition;
    case 'significantEvent':
      return { ...condition, type: 'sun' };
    case 'presence':
      return presenceCondition(condition);
  }
}

/** "At home" holds if any of the people are at home, "not at home" if none of them are. */
function presenceCondition({ presenceEvent: event, who }: Extract<NativeCondition, { type: 'presence' }>) {
  const { personIds } = who;
  const isAtHome = event === 'atHome';
  if (personIds.length === 0) return { type: 'presence', event, who: isAtHome ? 'anyone' : 'everyone' } as const;
  const each = personIds.map((id) => ({ type: 'presence', event, who: [id] }) as const);
  return { operator: isAtHome ? 'or' : 'and', conditions: each } as const;
}

function execute(sceneId: string, id = ACTIONS_ID, onError: Action['onError'] = 'stop'): Action {
  return { id, enabled: true, onError, type: 'execute_scene', sceneId };
}

/** If some actions fail, the other values are still restored. */
function executeUntilEnd(sceneId: string, trigger: EventTrigger): readonly Action[] {
  return untilEnd({
    acts: [execute(sceneId, ACTIONS_ID, 'continue')],
    actsAgain: [execute(sceneId, 'actions_again', 'continue')],
    restores: [{ id: 'restore', enabled: true, onError: 'stop', type: 'restore_state', nodeId: ACTIONS_ID }],
    triggers: eventTriggers(trigger.events, 'events'),
    conditions: conditionsOf(trigger),
    ends: eventTriggers(trigger.endEvents, 'endEvents'),
    executeOnce: trigger.executeOnce,
    idOf: (name) => name,
  });
}
