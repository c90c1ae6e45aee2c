/**
 * A native automation in the tools' format (wire-facts §11.2): the API document's triggers and actions with keys for
 * ids and properties for characteristics. Parts that cannot be created here (ranges, places, people) are shown
 * unchanged, marked `_unsupported`, and kept when the rest of the trigger changes.
 */
import { z } from 'zod';
import type { Automation } from '../../../app/automations/native/automation.ts';
import { given } from '../../../app/automations/parsing/fields.ts';
import { nameOfAction } from '../../../app/scenes/scene-actions.ts';
import type * as shown from '../../../contract/automations.ts';
import { TRIGGER_TYPES } from '../../../contract/automations.ts';
import type { Output } from '../../../contract/parse.ts';
import type { HomeState } from '../../../home/home-state.ts';
import type { CharacteristicValue, SceneAction } from '../../../home/model.ts';
import { zoneOf } from '../../../home/schedule/time-zones.ts';
import { wallClock } from '../../../home/schedule/wall-time.ts';
import { presentAutomation } from '../../present/automation.ts';
import type { HomeWords } from './home-words.ts';
import { isSame } from './kept.ts';
import { UNSUPPORTED, type WireNode } from './node.ts';
import { PART } from './schemas.ts';
import { presentReading, presentSetting } from './settings.ts';

export const WireAutomation = z.object({
  id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  editable: z.boolean().describe('Whether the caller may change it, and MCP can express all of its trigger'),
  trigger: z
    .looseObject({ type: z.enum(TRIGGER_TYPES) })
    .describe('As create_automation takes it; parts marked _unsupported can be kept but not made'),
  actions: z.array(PART),
  scene_id: z.string().describe('The scene that holds its actions'),
  last_fired: z.string().nullable(),
});
export type WireAutomation = Omit<Output<typeof WireAutomation>, 'trigger'> & { readonly trigger: WireNode };

/** The names of the home, and the present time: a time of day means the next one. */
export interface TimedHomeWords {
  readonly words: HomeWords;
  readonly state: HomeState;
  /** Milliseconds. */
  readonly now: number;
}

const NO_LOCATION =
  'The home has no location, without which sunrise, sunset and places mean nothing: an admin sets it in the home’s settings.';

/** A day with the hour that clocks are set back by. */
const MAX_DAY_MS = 25 * 60 * 60_000;

export function presentForTools(automation: Automation, around: TimedHomeWords, mayChange: boolean): WireAutomation {
  const shown = presentAutomation(automation, around.state);
  const { id, name, isEnabled, sceneId, lastFireDate } = shown;
  const { words, editable } = presentTrigger(shown, automation, around);
  const issue = shown.trigger.activationState === 'disabledNoLocation' ? { activation_issue: NO_LOCATION } : {};
  return {
    id,
    name,
    enabled: isEnabled,
    editable: mayChange && editable,
    trigger: { ...words, ...issue },
    actions: presentActions(automation.actions, around.words),
    scene_id: sceneId,
    last_fired: lastFireDate,
  };
}

function presentTrigger(
  { trigger }: shown.Automation,
  automation: Automation,
  around: TimedHomeWords,
): { readonly words: WireNode; readonly editable: boolean } {
  if (automation.trigger.type === 'timer')
    return { words: presentTimer(automation.trigger, trigger, around), editable: true };
  const parts = partsOf(trigger, around.words);
  const wire = {
    events: parts.events.map((one) => one.wire),
    endEvents: parts.endEvents.map((one) => one.wire),
    conditions: parts.conditions.map((one) => one.wire),
    recurrences: trigger.recurrences ?? [],
  };
  const { events, ...others } = wire;
  const filled = Object.fromEntries(Object.entries(others).filter(([, list]) => list.length > 0));
  const editable = !Object.values(wire)
    .flat()
    .some((one) => UNSUPPORTED in one);
  return {
    words: given({ type: 'event', events, ...filled, executeOnce: trigger.executeOnce || undefined }),
    editable,
  };
}

/** The trigger's parts with their presented form. The accepted form is the one that the other APIs show. */
export function partsOf({ events = [], endEvents = [], conditions = [] }: shown.AutomationTrigger, words: HomeWords) {
  const event = (one: shown.AutomationEvent) => ({ wire: presentEvent(one, words), records: [one] });
  return {
    events: events.map(event),
    endEvents: endEvents.map(event),
    conditions: conditions.map((one) => ({ wire: presentCondition(one, words), records: [one] })),
  };
}

type Timer = Extract<Automation['trigger'], { type: 'timer' }>;

/** Daily timers by the time of day; others by a date, on which the weekday and the interval depend. */
function presentTimer(
  { fireAt, timeZone, executeOnce }: Timer,
  shown: shown.AutomationTrigger,
  { words, now }: TimedHomeWords,
): WireNode {
  const recurrenceType = recurrenceTypeOf(shown.recurrence);
  const recurrence = recurrenceType === undefined ? (shown.recurrence ?? undefined) : undefined;
  const rest = { recurrenceType, recurrence, timeZone: timeZone ?? undefined, executeOnce: executeOnce || undefined };
  const isTimeOfDay = recurrenceType === 'daily' && fireAt % 60_000 === 0 && fireAt <= now + MAX_DAY_MS;
  if (!isTimeOfDay) return given({ type: 'timer', fireDate: shown.fireDate, ...rest });
  const { hour, minute } = wallClock(timeZone ?? zoneOf(words.home), fireAt);
  return given({ type: 'timer', hour, minute, ...rest });
}

function recurrenceTypeOf(recurrence: object | null | undefined): 'daily' | 'weekly' | undefined {
  if (isSame(recurrence, { day: 1 })) return 'daily';
  return isSame(recurrence, { day: 7 }) ? 'weekly' : undefined;
}

function presentEvent(event: shown.AutomationEvent, words: HomeWords): WireNode {
  if (event.type === 'characteristic' && event.thresholdMin === undefined && event.thresholdMax === undefined) {
    const { wire, values } = presentPlace(event, event.triggerValue, words);
    return given({ type: event.type, ...wire, value: values[0] });
  }
  if (event.type === 'significantTime') return given({ ...event, offsetMinutes: event.offsetMinutes || undefined });
  if (event.type === 'calendar' || event.type === 'duration') return { ...event };
  return unsupported(event, words);
}

function presentCondition(condition: shown.AutomationCondition, words: HomeWords): WireNode {
  if (condition.type !== 'characteristic') return unsupported(condition, words);
  const { wire, values } = presentPlace(condition, condition.value, words);
  const { operator } = condition;
  return given({
    type: condition.type,
    ...wire,
    operator: operator === 'equalTo' ? undefined : operator,
    value: values[0],
  });
}

function presentPlace(
  { accessoryId = '', characteristicType = '' }: shown.AutomationEvent | shown.AutomationCondition,
  value: CharacteristicValue | undefined,
  words: HomeWords,
): { readonly wire: WireNode; readonly values: readonly CharacteristicValue[] } {
  const wanted = value === undefined ? [] : [value];
  const { characteristic, values } = presentReading(words.findAccessory(accessoryId), characteristicType, wanted);
  return { wire: { accessory: words.keyOf(accessoryId), characteristic }, values };
}

function unsupported({ type, ...rest }: shown.AutomationEvent | shown.AutomationCondition, words: HomeWords): WireNode {
  const { accessoryId, accessoryName: _name, ...fields } = rest;
  const accessory = accessoryId === undefined ? {} : { accessory: words.keyOf(accessoryId) };
  return { [UNSUPPORTED]: type, ...accessory, ...fields };
}

/** Consecutive writes to one accessory are one action here. */
function presentActions(actions: readonly SceneAction[], words: HomeWords): readonly WireNode[] {
  const wire: { accessory: string; settings: Map<string, unknown> }[] = [];
  for (const action of actions) {
    const accessory = words.findAccessory(action.accessoryId);
    const { property, value } = presentSetting(accessory, nameOfAction(action, accessory), action.value, false);
    const key = words.keyOf(action.accessoryId);
    const last = wire.at(-1);
    if (last?.accessory === key && !last.settings.has(property)) last.settings.set(property, value);
    else wire.push({ accessory: key, settings: new Map([[property, value]]) });
  }
  return wire.map(({ accessory, settings }) => ({ accessory, ...Object.fromEntries(settings) }));
}
