/**
 * Parses native automations in the tools' format for the operations. Parts that are sent back as they were shown stay
 * as they are; the operations' errors name positions in the input.
 */

import type { Automation } from '../../../app/automations/native/automation.ts';
import { invalid, missing } from '../../../app/automations/parsing/faults.ts';
import { type Fields, given } from '../../../app/automations/parsing/fields.ts';
import type { Accessory } from '../../../home/model.ts';
import { presentAutomation } from '../../present/automation.ts';
import type { HomeWords } from './home-words.ts';
import { isSame, KeptParts } from './kept.ts';
import { partsOf, presentForTools, type TimedHomeWords } from './native-words.ts';
import { readType, requireShallow, toFields, type WireNode } from './node.ts';
import { SentPositions } from './sent-positions.ts';
import { propertiesOf, readValue, requireProperty } from './settings.ts';

const EVENT_TYPES = ['characteristic', 'significantTime', 'calendar', 'duration'] as const;

/** The fields that are the same in both. */
const SAME_EVENT_FIELDS = {
  significantTime: ['significantEvent', 'offsetMinutes'],
  calendar: ['calendarComponents'],
  duration: ['durationSeconds'],
} as const;
const TIMER_FIELDS = ['fireDate', 'hour', 'minute', 'recurrence', 'recurrenceType', 'timeZone', 'executeOnce'] as const;
/** A longer list need not be walked: the operations accept fewer. */
const MAX_PARTS = 500;

export interface SentAutomation {
  readonly trigger?: unknown;
  readonly actions?: readonly unknown[] | undefined;
}

/** The operations' input; fields that do not change are omitted. */
export interface AutomationRecord {
  readonly trigger: object | undefined;
  readonly actions: readonly object[] | undefined;
}

/**
 * @param current the automation that is changed
 * @param save takes the data to save; its errors name positions in the input
 * @throws HearthError naming the position of the error, and valid alternatives
 */
export function readAutomation<T>(
  { trigger, actions }: SentAutomation,
  around: TimedHomeWords,
  current: Automation | undefined,
  save: (record: AutomationRecord) => T,
): T {
  requireShallow(trigger, 'trigger');
  requireShallow(actions, 'actions');
  const before = current && presentForTools(current, around, true);
  const places = new SentPositions();
  const isNewTrigger =
    trigger !== undefined && !(before && isSame(withoutIssue(trigger), withoutIssue(before.trigger)));
  const areNewActions = actions !== undefined && !(before && isSame(actions, before.actions));
  const record = {
    trigger: isNewTrigger ? readTrigger(trigger, around, current, places) : undefined,
    actions: areNewActions ? readActions(actions, around.words, places) : undefined,
  };
  return places.translate(() => save(record));
}

/** Output only: part of a shown trigger, but not settable. */
function withoutIssue(trigger: unknown): unknown {
  if (typeof trigger !== 'object' || trigger === null || Array.isArray(trigger)) return trigger;
  const { activation_issue: _issue, ...rest } = trigger as WireNode;
  return rest;
}

function readTrigger(
  input: unknown,
  around: TimedHomeWords,
  current: Automation | undefined,
  places: SentPositions,
): object {
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
    events: readParts(fields, 'events', new KeptParts(parts.events), places, (one) => readEvent(one, words, places)),
    endEvents: readParts(fields, 'endEvents', new KeptParts(parts.endEvents), places, (one) =>
      readEvent(one, words, places),
    ),
    conditions: readParts(fields, 'conditions', new KeptParts(parts.conditions), places, (one) =>
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
  kept: KeptParts<T>,
  places: SentPositions,
  read: (fields: Fields) => object,
): readonly object[] | undefined {
  const inputs = trigger.optionalList(name, name, MAX_PARTS);
  const parts = inputs?.flatMap((input, index): readonly object[] => {
    const path = `${trigger.at(name)}[${index}]`;
    places.put(path, path);
    const fields = toFields(input, path, 'part of a trigger');
    return kept.find(input as object, path) ?? [read(fields)];
  });
  kept.requireAll(trigger.at(name));
  return parts;
}

function readEvent(fields: Fields, words: HomeWords, places: SentPositions): object {
  const type = readType(fields, EVENT_TYPES, 'event');
  const own =
    type === 'characteristic'
      ? readPlace(fields, 'triggerValue', words, places)
      : Object.fromEntries(SAME_EVENT_FIELDS[type].map((name) => [name, fields.raw(name)]));
  fields.done();
  return given({ type, ...own });
}

function readCondition(fields: Fields, words: HomeWords, places: SentPositions): object {
  const type = readType(fields, ['characteristic'], 'condition');
  const operator = fields.raw('operator');
  fields.required('value', 'the value that it must have');
  const condition = { type, operator, ...readPlace(fields, 'value', words, places) };
  fields.done();
  return given(condition);
}

/** `accessory`, `characteristic` and `value`, which the record has under `valueName`, in the device's format. */
function readPlace(
  fields: Fields,
  valueName: 'triggerValue' | 'value',
  words: HomeWords,
  places: SentPositions,
): WireNode {
  const renamed = { accessoryId: 'accessory', characteristicType: 'characteristic', [valueName]: 'value' };
  for (const [record, wire] of Object.entries(renamed)) places.put(fields.at(record), fields.at(wire));
  const accessory = words.accessory(fields);
  const spelling = fields.text('characteristic', 'the name of a property, such as on');
  const characteristicType = requireProperty(accessory, spelling, fields.at('characteristic'));
  const input = fields.raw('value');
  const value = input === undefined ? undefined : readValue(accessory, spelling, input, fields.at('value'));
  return { accessoryId: accessory.id, characteristicType, [valueName]: value };
}

function readActions(inputs: readonly unknown[], words: HomeWords, places: SentPositions): readonly object[] {
  if (inputs.length > MAX_PARTS)
    throw invalid('actions', `there may be at most ${MAX_PARTS}; these are ${inputs.length}`);
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

/** Every field except those of the target. */
function settingsIn(input: object, fields: Fields, accessory: Accessory): readonly (readonly [string, unknown])[] {
  const names = Object.keys(input).filter((name) => name !== 'accessory' && name !== 'room' && fields.has(name));
  if (names.length > 0) return names.map((name) => [name, fields.raw(name)]);
  const known = propertiesOf(accessory);
  throw missing(fields.at(known[0] ?? 'on'), `a value to set; '${accessory.name}' has ${known.join(', ')}`);
}
