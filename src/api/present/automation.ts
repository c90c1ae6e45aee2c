import {
  type Automation,
  type NativeCondition,
  type NativeEvent,
  type NativeTrigger,
  needsLocation,
  type Who,
} from '../../app/automations/native/automation.ts';
import { nameOfAction } from '../../app/scenes/scene-actions.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { CharacteristicValue, SceneAction } from '../../home/model.ts';
import { presentTime } from './time.ts';

/** A name for a removed accessory (API §2.4: its name is never null). */
const GONE = 'Unknown accessory';

/** A native automation (API §2.4). Writable fields have the form in which they can be written again. */
export function presentAutomation(automation: Automation, state: HomeState): ShownAutomation {
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

export interface ShownAutomation {
  readonly id: string;
  readonly name: string;
  readonly homeId: string;
  readonly isEnabled: boolean;
  readonly trigger: ShownTrigger;
  readonly actions: readonly ShownAction[];
  /** The scene that holds its actions. */
  readonly sceneId: string;
  /** ISO 8601. */
  readonly lastFireDate: string | null;
}

/** The first three fields belong to a timer, the next four to events. */
export interface ShownTrigger {
  readonly type: 'timer' | 'event';
  readonly fireDate?: string;
  readonly recurrence?: object | null;
  readonly timeZone?: string | null;
  readonly events?: readonly ShownEvent[];
  readonly endEvents?: readonly ShownEvent[];
  readonly conditions?: readonly ShownCondition[];
  readonly recurrences?: readonly object[];
  readonly executeOnce: boolean;
  readonly activationState: ActivationState;
}

export type ActivationState = 'enabled' | 'disabled' | 'disabledNoLocation';

interface ShownPlace {
  readonly accessoryId?: string;
  readonly accessoryName?: string;
  readonly characteristicType?: string;
}

export interface ShownEvent extends ShownPlace, Partial<Who> {
  readonly type: NativeEvent['type'];
  readonly triggerValue?: CharacteristicValue;
  readonly thresholdMin?: number;
  readonly thresholdMax?: number;
  readonly significantEvent?: string;
  readonly offsetMinutes?: number;
  readonly calendarComponents?: object;
  readonly durationSeconds?: number;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly radius?: number;
  readonly notifyOnEntry?: boolean;
  readonly notifyOnExit?: boolean;
  readonly presenceEvent?: string;
}

export interface ShownCondition extends ShownPlace, Partial<Who> {
  readonly type: NativeCondition['type'];
  readonly operator?: string;
  readonly value?: CharacteristicValue;
  readonly afterTime?: object;
  readonly beforeTime?: object;
  readonly afterEvent?: string;
  readonly beforeEvent?: string;
  readonly presenceEvent?: string;
}

export interface ShownAction {
  readonly accessoryId: string;
  readonly accessoryName: string;
  /** In snake_case, `power_state_2` for the second of an accessory. */
  readonly characteristicType: string;
  readonly targetValue: CharacteristicValue;
}

/** decisions §10: `disabledNoLocation` if the home has no location, and the trigger needs it. */
function activationState({ enabled, trigger, homeId }: Automation, state: HomeState): ActivationState {
  if (!enabled) return 'disabled';
  return needsLocation(trigger) && !state.home(homeId)?.location ? 'disabledNoLocation' : 'enabled';
}

function presentTrigger(
  trigger: NativeTrigger,
  homeId: string,
  state: HomeState,
): Omit<ShownTrigger, 'activationState'> {
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

function presentEvent(event: NativeEvent, homeId: string, state: HomeState): ShownEvent {
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

function presentCondition(condition: NativeCondition, homeId: string, state: HomeState): ShownCondition {
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

function presentAction(action: SceneAction, homeId: string, state: HomeState): ShownAction {
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
function clockTime(text: string): object {
  const [hour, minute, second] = text.split(':').map(Number);
  return { hour, minute, ...(second !== undefined && { second }) };
}
