/**
 * A native automation in the words of the tools (wire-facts §11.2): the API document's triggers and actions with keys for ids and
 * properties for characteristics. What can't be made here (ranges, places, people) is shown as it is, marked `_unsupported`, and
 * kept when the rest of the trigger changes.
 */

import { invalid, missing } from '../../../app/automations/flows/faults.ts';
import { type Fields, given } from '../../../app/automations/flows/fields.ts';
import type { Automation } from '../../../app/automations/native/automation.ts';
import { nameOfAction } from '../../../app/scenes/scene-actions.ts';
import type { HomeState } from '../../../home/home-state.ts';
import type { Accessory, CharacteristicValue, SceneAction } from '../../../home/model.ts';
import { zoneOf } from '../../../home/schedule/time-zones.ts';
import { wallClock } from '../../../home/schedule/wall-time.ts';
import {
  presentAutomation,
  type ShownAutomation,
  type ShownCondition,
  type ShownEvent,
  type ShownTrigger,
} from '../../rest/present-automation.ts';
import type { HouseWords } from './house-words.ts';
import { isSame, Kept } from './kept.ts';
import { readType, type Said, toFields, UNSUPPORTED } from './node.ts';
import { Places } from './places.ts';
import { propertiesOf, readValue, requireProperty, sayReading, saySetting } from './settings.ts';

export interface SaidAutomation {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Whether the caller may change it, and all of its trigger can be said here. */
  readonly editable: boolean;
  readonly trigger: Said;
  readonly actions: readonly Said[];
  /** ISO 8601. */
  readonly last_fired: string | null;
}

/** What the words are for, and the moment that they are for: a time of day is the next one. */
export interface NativeWords {
  readonly words: HouseWords;
  readonly state: HomeState;
  /** Milliseconds. */
  readonly now: number;
}

export const EVENT_TYPES = ['characteristic', 'significantTime', 'calendar', 'duration'] as const;

/** The fields that are the same in both. */
const SAME_EVENT_FIELDS = {
  significantTime: ['significantEvent', 'offsetMinutes'],
  calendar: ['calendarComponents'],
  duration: ['durationSeconds'],
} as const;
const TIMER_FIELDS = ['fireDate', 'hour', 'minute', 'recurrence', 'recurrenceType', 'timeZone', 'executeOnce'] as const;
const MOST_PARTS = 500;

const NO_LOCATION =
  'The home has no location, without which sunrise, sunset and places mean nothing: an admin sets it in the home’s settings.';

/** A day with the hour that clocks are set back by. */
const LONGEST_DAY_MS = 25 * 60 * 60_000;

// — showing —

export function sayAutomation(automation: Automation, around: NativeWords, mayChange: boolean): SaidAutomation {
  const shown = presentAutomation(automation, around.state);
  const { id, name, isEnabled, lastFireDate } = shown;
  const { words, editable } = sayTrigger(shown, automation, around);
  const issue = shown.trigger.activationState === 'disabledNoLocation' ? { activation_issue: NO_LOCATION } : {};
  return {
    id,
    name,
    enabled: isEnabled,
    editable: mayChange && editable,
    trigger: { ...words, ...issue },
    actions: sayActions(automation.actions, around.words),
    last_fired: lastFireDate,
  };
}

function sayTrigger(
  { trigger }: ShownAutomation,
  automation: Automation,
  around: NativeWords,
): { readonly words: Said; readonly editable: boolean } {
  if (automation.trigger.type === 'timer')
    return { words: sayTimer(automation.trigger, trigger, around), editable: true };
  const parts = partsOf(trigger, around.words);
  const said = {
    events: parts.events.map((one) => one.said),
    endEvents: parts.endEvents.map((one) => one.said),
    conditions: parts.conditions.map((one) => one.said),
    recurrences: trigger.recurrences ?? [],
  };
  const { events, ...others } = said;
  const filled = Object.fromEntries(Object.entries(others).filter(([, list]) => list.length > 0));
  const editable = !Object.values(said)
    .flat()
    .some((one) => UNSUPPORTED in one);
  return {
    words: given({ type: 'event', events, ...filled, executeOnce: trigger.executeOnce || undefined }),
    editable,
  };
}

/** What the trigger has, with how it is said. What can be sent back is what is shown by the other faces. */
function partsOf({ events = [], endEvents = [], conditions = [] }: ShownTrigger, words: HouseWords) {
  const event = (one: ShownEvent) => ({ said: sayEvent(one, words), records: [one] });
  return {
    events: events.map(event),
    endEvents: endEvents.map(event),
    conditions: conditions.map((one) => ({ said: sayCondition(one, words), records: [one] })),
  };
}

type Timer = Extract<Automation['trigger'], { type: 'timer' }>;

/** Daily ones by the time of day; others by a moment, which the weekday and what is counted on hang on. */
function sayTimer({ fireAt, timeZone, executeOnce }: Timer, shown: ShownTrigger, { words, now }: NativeWords): Said {
  const recurrenceType = recurrenceTypeOf(shown.recurrence);
  const recurrence = recurrenceType === undefined ? (shown.recurrence ?? undefined) : undefined;
  const rest = { recurrenceType, recurrence, timeZone: timeZone ?? undefined, executeOnce: executeOnce || undefined };
  const isTimeOfDay = recurrenceType === 'daily' && fireAt % 60_000 === 0 && fireAt <= now + LONGEST_DAY_MS;
  if (!isTimeOfDay) return given({ type: 'timer', fireDate: shown.fireDate, ...rest });
  const { hour, minute } = wallClock(timeZone ?? zoneOf(words.home), fireAt);
  return given({ type: 'timer', hour, minute, ...rest });
}

function recurrenceTypeOf(recurrence: object | null | undefined): 'daily' | 'weekly' | undefined {
  if (isSame(recurrence, { day: 1 })) return 'daily';
  return isSame(recurrence, { day: 7 }) ? 'weekly' : undefined;
}

function sayEvent(event: ShownEvent, words: HouseWords): Said {
  if (event.type === 'characteristic' && event.thresholdMin === undefined && event.thresholdMax === undefined) {
    const { said, values } = sayPlace(event, event.triggerValue, words);
    return given({ type: event.type, ...said, value: values[0] });
  }
  if (event.type === 'significantTime') return given({ ...event, offsetMinutes: event.offsetMinutes || undefined });
  if (event.type === 'calendar' || event.type === 'duration') return { ...event };
  return unsupported(event, words);
}

function sayCondition(condition: ShownCondition, words: HouseWords): Said {
  if (condition.type !== 'characteristic') return unsupported(condition, words);
  const { said, values } = sayPlace(condition, condition.value, words);
  const { operator } = condition;
  return given({
    type: condition.type,
    ...said,
    operator: operator === 'equalTo' ? undefined : operator,
    value: values[0],
  });
}

function sayPlace(
  { accessoryId = '', characteristicType = '' }: ShownEvent | ShownCondition,
  value: CharacteristicValue | undefined,
  words: HouseWords,
): { readonly said: Said; readonly values: readonly CharacteristicValue[] } {
  const wanted = value === undefined ? [] : [value];
  const { characteristic, values } = sayReading(words.findAccessory(accessoryId), characteristicType, wanted);
  return { said: { accessory: words.keyOf(accessoryId), characteristic }, values };
}

function unsupported({ type, ...rest }: ShownEvent | ShownCondition, words: HouseWords): Said {
  const { accessoryId, accessoryName: _name, ...fields } = rest;
  const accessory = accessoryId === undefined ? {} : { accessory: words.keyOf(accessoryId) };
  return { [UNSUPPORTED]: type, ...accessory, ...fields };
}

/** What is set on one accessory one after the other is one of these. */
function sayActions(actions: readonly SceneAction[], words: HouseWords): readonly Said[] {
  const said: { accessory: string; settings: Map<string, unknown> }[] = [];
  for (const action of actions) {
    const accessory = words.findAccessory(action.accessoryId);
    const { property, value } = saySetting(accessory, nameOfAction(action, accessory), action.value, false);
    const key = words.keyOf(action.accessoryId);
    const last = said.at(-1);
    if (last?.accessory === key && !last.settings.has(property)) last.settings.set(property, value);
    else said.push({ accessory: key, settings: new Map([[property, value]]) });
  }
  return said.map(({ accessory, settings }) => ({ accessory, ...Object.fromEntries(settings) }));
}

// — reading —

export interface AutomationInput {
  readonly trigger?: unknown;
  readonly actions?: readonly unknown[] | undefined;
}

/** As the operation takes them; nothing where they stay as they are. */
export interface AutomationRecord {
  readonly trigger: object | undefined;
  readonly actions: readonly object[] | undefined;
}

/**
 * @param current the automation that is changed
 * @param save takes what is to be saved; what it finds wrong is told in the places of what was sent
 * @throws HearthError naming the place of the fault, and what there is instead
 */
export function readAutomation<T>(
  { trigger, actions }: AutomationInput,
  around: NativeWords,
  current: Automation | undefined,
  save: (record: AutomationRecord) => T,
): T {
  const before = current && sayAutomation(current, around, true);
  const places = new Places();
  const isNewTrigger =
    trigger !== undefined && !(before && isSame(withoutIssue(trigger), withoutIssue(before.trigger)));
  const areNewActions = actions !== undefined && !(before && isSame(actions, before.actions));
  const record = {
    trigger: isNewTrigger ? readTrigger(trigger, around, current, places) : undefined,
    actions: areNewActions ? readActions(actions, around.words, places) : undefined,
  };
  return places.translate(() => save(record));
}

/** Shown with a trigger; nobody can set it. */
function withoutIssue(trigger: unknown): unknown {
  if (typeof trigger !== 'object' || trigger === null || Array.isArray(trigger)) return trigger;
  const { activation_issue: _issue, ...rest } = trigger as Said;
  return rest;
}

function readTrigger(input: unknown, around: NativeWords, current: Automation | undefined, places: Places): object {
  const fields = toFields(withoutIssue(input), 'trigger', 'trigger');
  const type = readType(fields, ['timer', 'event'], 'trigger');
  if (type === 'timer') {
    const timer = Object.fromEntries(TIMER_FIELDS.map((name) => [name, fields.raw(name)]));
    fields.done();
    return given({ type, ...timer });
  }
  const before = current && presentAutomation(current, around.state).trigger;
  const parts = partsOf(before ?? { type, executeOnce: false, activationState: 'enabled' }, around.words);
  const { words } = around;
  const trigger = {
    type,
    events: readParts(fields, 'events', new Kept(parts.events), places, (one) => readEvent(one, words, places)),
    endEvents: readParts(fields, 'endEvents', new Kept(parts.endEvents), places, (one) =>
      readEvent(one, words, places),
    ),
    conditions: readParts(fields, 'conditions', new Kept(parts.conditions), places, (one) =>
      readCondition(one, words, places),
    ),
    recurrences: fields.raw('recurrences'),
    executeOnce: fields.raw('executeOnce'),
  };
  fields.done();
  return given(trigger);
}

function readParts<T extends object>(
  trigger: Fields,
  name: string,
  kept: Kept<T>,
  places: Places,
  read: (fields: Fields) => object,
): readonly object[] | undefined {
  const inputs = trigger.optionalList(name, name, MOST_PARTS);
  const parts = inputs?.flatMap((input, index): readonly object[] => {
    const path = `${trigger.at(name)}[${index}]`;
    places.put(path, path);
    const fields = toFields(input, path, 'part of a trigger');
    return kept.find(input as object, path) ?? [read(fields)];
  });
  kept.requireAll(trigger.at(name));
  return parts;
}

function readEvent(fields: Fields, words: HouseWords, places: Places): object {
  const type = readType(fields, EVENT_TYPES, 'event');
  const own =
    type === 'characteristic'
      ? readPlace(fields, 'triggerValue', words, places)
      : Object.fromEntries(SAME_EVENT_FIELDS[type].map((name) => [name, fields.raw(name)]));
  fields.done();
  return given({ type, ...own });
}

function readCondition(fields: Fields, words: HouseWords, places: Places): object {
  const type = readType(fields, ['characteristic'], 'condition');
  const operator = fields.raw('operator');
  fields.required('value', 'the value that it must have');
  const condition = { type, operator, ...readPlace(fields, 'value', words, places) };
  fields.done();
  return given(condition);
}

/** `accessory`, `characteristic` and `value`, which the record has under the name of `valueName`, as the device has it. */
function readPlace(fields: Fields, valueName: 'triggerValue' | 'value', words: HouseWords, places: Places): Said {
  const renamed = { accessoryId: 'accessory', characteristicType: 'characteristic', [valueName]: 'value' };
  for (const [record, said] of Object.entries(renamed)) places.put(fields.at(record), fields.at(said));
  const accessory = words.accessory(fields);
  const spelling = fields.text('characteristic', 'the name of a property, such as on');
  const characteristicType = requireProperty(accessory, spelling, fields.at('characteristic'));
  const input = fields.raw('value');
  const value = input === undefined ? undefined : readValue(accessory, spelling, input, fields.at('value'));
  return { accessoryId: accessory.id, characteristicType, [valueName]: value };
}

function readActions(inputs: readonly unknown[], words: HouseWords, places: Places): readonly object[] {
  if (inputs.length > MOST_PARTS)
    throw invalid('actions', `there may be at most ${MOST_PARTS}; these are ${inputs.length}`);
  const actions: object[] = [];
  for (const [index, input] of inputs.entries()) {
    const fields = toFields(input, `actions[${index}]`, 'action');
    const accessory = words.accessory(fields);
    for (const [property, value] of settingsIn(input as object, fields, accessory)) {
      const place = `actions[${actions.length}]`;
      places.put(place, fields.path);
      for (const name of ['characteristicType', 'targetValue']) places.put(`${place}.${name}`, fields.at(property));
      requireProperty(accessory, property, fields.at(property));
      actions.push({ accessoryId: accessory.id, characteristicType: property, targetValue: value });
    }
  }
  return actions;
}

/** Every field but those that say where. */
function settingsIn(input: object, fields: Fields, accessory: Accessory): readonly (readonly [string, unknown])[] {
  const names = Object.keys(input).filter((name) => name !== 'accessory' && name !== 'room' && fields.has(name));
  if (names.length > 0) return names.map((name) => [name, fields.raw(name)]);
  const known = propertiesOf(accessory);
  throw missing(fields.at(known[0] ?? 'on'), `a value to set; '${accessory.name}' has ${known.join(', ')}`);
}
