import {
  type NativeCondition,
  type NativeEvent,
  type NativeTrigger,
  needsLocation,
  type Automation as StoredAutomation,
  type Who,
} from '../../app/automations/native/automation.ts';
import { nameOfAction } from '../../app/scenes/scene-actions.ts';
import type {
  Automation,
  AutomationAction,
  AutomationCondition,
  AutomationEvent,
  AutomationTrigger,
  DateComponents,
} from '../../contract/automations.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { SceneAction } from '../../home/model.ts';
import { presentTime } from './time.ts';

/** A name for a removed accessory (API §2.4: its name is never null). */
const GONE = 'Unknown accessory';

/** A native automation (API §2.4). Writable fields have the form in which they can be written again. */
export function presentAutomation(automation: StoredAutomation, state: HomeState): Automation {
  const { id, name, enabled, trigger, sceneId, actions, lastFireAt, homeId } = automation;
  return {
    id,
    name,
    homeId,
    isEnabled: enabled,
    trigger: { ...presentTrigger(trigger, homeId, state), activationState: activationState(automation, state) },
    actions: actions.map((action) => presentAction(action, homeId, state)),
    sceneId,
    lastFireDate: presentTime(lastFireAt),
  };
}

/** decisions §10: `disabledNoLocation` if the home has no location, and the trigger needs it. */
function activationState(
  { enabled, trigger, homeId }: StoredAutomation,
  state: HomeState,
): AutomationTrigger['activationState'] {
  if (!enabled) return 'disabled';
  return needsLocation(trigger) && !state.home(homeId)?.location ? 'disabledNoLocation' : 'enabled';
}

function presentTrigger(
  trigger: NativeTrigger,
  homeId: string,
  state: HomeState,
): Omit<AutomationTrigger, 'activationState'> {
  if (trigger.type === 'timer') {
    const { type, fireAt, recurrence, timeZone, executeOnce } = trigger;
    return { type, fireDate: presentTime(fireAt), recurrence, timeZone, executeOnce };
  }
  const { type, events, endEvents, conditions, weekdays, executeOnce } = trigger;
  return {
    type,
    events: events.map((event) => presentEvent(event, homeId, state)),
    endEvents: endEvents.map((event) => presentEvent(event, homeId, state)),
    conditions: conditions.map((condition) => presentCondition(condition, homeId, state)),
    recurrences: weekdays.map((weekday) => ({ weekday })),
    executeOnce,
  };
}

function presentEvent(event: NativeEvent, homeId: string, state: HomeState): AutomationEvent {
  switch (event.type) {
    case 'characteristic':
      return { ...event, accessoryName: nameOf(event.accessoryId, homeId, state) };
    case 'calendar':
      return { type: event.type, calendarComponents: event.components };
    case 'presence':
      return { type: event.type, ...presentWho(event.who), presenceEvent: event.presenceEvent };
    case 'significantTime':
    case 'duration':
    case 'location':
      return event;
  }
}

function presentCondition(condition: NativeCondition, homeId: string, state: HomeState): AutomationCondition {
  switch (condition.type) {
    case 'characteristic':
      return { ...condition, accessoryName: nameOf(condition.accessoryId, homeId, state) };
    case 'time': {
      const { type, after, before } = condition;
      return {
        type,
        ...(after !== undefined && { afterTime: clockTime(after) }),
        ...(before !== undefined && { beforeTime: clockTime(before) }),
      };
    }
    case 'significantEvent': {
      const { type, after, before } = condition;
      return {
        type,
        ...(after !== undefined && { afterEvent: after }),
        ...(before !== undefined && { beforeEvent: before }),
      };
    }
    case 'presence':
      return { type: condition.type, ...presentWho(condition.who), presenceEvent: condition.presenceEvent };
  }
}

function presentAction(action: SceneAction, homeId: string, state: HomeState): AutomationAction {
  const { accessoryId, value } = action;
  const accessory = state.accessoryIn(homeId, accessoryId);
  return {
    accessoryId,
    accessoryName: accessory?.name ?? GONE,
    characteristicType: nameOfAction(action, accessory),
    targetValue: value,
  };
}

function presentWho({ presenceType, personIds }: Who): Partial<Who> {
  return { presenceType, ...(personIds.length > 0 && { personIds }) };
}

function nameOf(accessoryId: string, homeId: string, state: HomeState): string {
  return state.accessoryIn(homeId, accessoryId)?.name ?? GONE;
}

/** `07:30` → `{hour: 7, minute: 30}` */
function clockTime(text: string): DateComponents {
  const [hour, minute, second] = text.split(':').map(Number);
  return { hour, minute, ...(second !== undefined && { second }) };
}
