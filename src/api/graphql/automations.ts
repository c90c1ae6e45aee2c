/**
 * Native automations (API §2.4), which the home platform executes. Fields that the document calls JSON-encoded are JSON
 * strings here.
 */
import type { Automation } from '../../app/automations/native/automation.ts';
import { HearthError } from '../../kernel/errors.ts';
import {
  presentAutomation,
  type ShownAction,
  type ShownAutomation,
  type ShownCondition,
  type ShownEvent,
  type ShownTrigger,
} from '../present/automation.ts';
import { presentTime } from '../present/time.ts';
import { given, HOME_CHECK, type Maybe, requireHome } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { MutationResult, type Outcome, reportOutcome } from './result.ts';
import { decodeJson, decodeValue, JSON_TEXT } from './scalars.ts';

const TRIGGER =
  'A text that holds a JSON object, as `AutomationTrigger` shows it. A timer may have `hour` and `minute` instead of `fireDate`, and `recurrenceType` (`daily`, `weekly`, `once`) instead of `recurrence`.';
const ACTIONS =
  'A text that holds a JSON list of `{accessoryId, characteristicType, targetValue}`; at least one, types in any spelling.';

const MAX_DATES = 100;
const DEFAULT_DATES = 5;

/** @throws `invalid_value` */
function checkCount(count: Maybe<number>): number {
  const wanted = count ?? DEFAULT_DATES;
  if (wanted >= 1 && wanted <= MAX_DATES) return wanted;
  throw new HearthError('invalid_value', `Invalid value for count: give 1 to ${MAX_DATES}.`, { field: 'count' });
}

/** A JSON string; `null` and `undefined` become `null`. */
function encode(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

const AutomationEvent = builder.objectRef<ShownEvent>('AutomationEvent').implement({
  description: 'One thing that sets an automation off, or ends it.',
  fields: (t) => ({
    type: t.exposeString('type', {
      nullable: false,
      description:
        '`characteristic`, `significantTime`, `calendar`, `location`, `presence`; among end events also `duration`.',
    }),
    accessoryId: t.exposeString('accessoryId', { description: 'The accessory whose characteristic it is.' }),
    accessoryName: t.exposeString('accessoryName', { description: 'Its name.' }),
    characteristicType: t.exposeString('characteristicType', {
      description: 'In snake_case, `power_state_2` for the second of an accessory.',
    }),
    triggerValue: t.string({
      description: 'The value that it must come to, JSON-encoded; null for any change.',
      resolve: ({ triggerValue }) => encode(triggerValue),
    }),
    thresholdMin: t.exposeFloat('thresholdMin', {
      description: 'Instead of a value: it must come to this or more, from less.',
    }),
    thresholdMax: t.exposeFloat('thresholdMax', {
      description: 'Instead of a value: it must come to this or less, from more.',
    }),
    significantEvent: t.exposeString('significantEvent', { description: '`sunrise` or `sunset`.' }),
    offsetMinutes: t.exposeInt('offsetMinutes', { description: 'Minutes after it; negative: before.' }),
    calendarComponents: t.string({
      description: 'The parts of a date that a moment must have, JSON-encoded: `{"hour":7,"minute":30,"weekday":2}`.',
      resolve: ({ calendarComponents }) => encode(calendarComponents),
    }),
    durationSeconds: t.exposeFloat('durationSeconds', {
      description: 'How long after it was set off last, in seconds. Among end events only.',
    }),
    latitude: t.exposeFloat('latitude', { description: 'Degrees, north positive.' }),
    longitude: t.exposeFloat('longitude', { description: 'Degrees, east positive.' }),
    radius: t.exposeFloat('radius', { description: 'Metres.' }),
    notifyOnEntry: t.exposeBoolean('notifyOnEntry', { description: 'When somebody comes into the circle.' }),
    notifyOnExit: t.exposeBoolean('notifyOnExit', { description: 'When somebody leaves it.' }),
    presenceType: t.exposeString('presenceType', {
      description: 'Whose: `currentUser`, `allUsers` or `customUsers`, who are in `personIds`.',
    }),
    presenceEvent: t.exposeString('presenceEvent', {
      description: '`atHome`, `notAtHome`, `firstArrival` or `lastDeparture`.',
    }),
    personIds: t.exposeStringList('personIds', { description: 'The people that count.' }),
  }),
});

const AutomationCondition = builder.objectRef<ShownCondition>('AutomationCondition').implement({
  description: 'What must hold when an automation is set off.',
  fields: (t) => ({
    type: t.exposeString('type', {
      nullable: false,
      description: '`characteristic`, `time`, `significantEvent` or `presence`.',
    }),
    accessoryId: t.exposeString('accessoryId', { description: 'The accessory whose characteristic it is.' }),
    accessoryName: t.exposeString('accessoryName', { description: 'Its name.' }),
    characteristicType: t.exposeString('characteristicType', { description: 'In snake_case.' }),
    operator: t.exposeString('operator', {
      description: '`equalTo`, `notEqualTo`, `lessThan`, `greaterThan`, `lessThanOrEqualTo` or `greaterThanOrEqualTo`.',
    }),
    value: t.string({
      description: 'What it is compared with, JSON-encoded.',
      resolve: ({ value }) => encode(value),
    }),
    afterTime: t.string({
      description: 'From this time of day on, JSON-encoded: `{"hour":22,"minute":0}`.',
      resolve: ({ afterTime }) => encode(afterTime),
    }),
    beforeTime: t.string({
      description: 'Until before this time of day, JSON-encoded; the next day’s if it is the earlier one.',
      resolve: ({ beforeTime }) => encode(beforeTime),
    }),
    afterEvent: t.exposeString('afterEvent', { description: '`sunrise` or `sunset`: from it on.' }),
    beforeEvent: t.exposeString('beforeEvent', { description: '`sunrise` or `sunset`: until before it.' }),
    presenceType: t.exposeString('presenceType', { description: 'Whose presence, as for events.' }),
    presenceEvent: t.exposeString('presenceEvent', {
      description:
        '`atHome`: somebody is at home; `notAtHome`: nobody is. Of the people of `personIds` where there are any.',
    }),
    personIds: t.exposeStringList('personIds', { description: 'The people that count.' }),
    predicateFormat: t.string({
      description: 'Always null: predicates of the home platform are not understood.',
      resolve: () => null,
    }),
  }),
});

const AutomationTrigger = builder.objectRef<ShownTrigger>('AutomationTrigger').implement({
  description: 'When an automation acts.',
  fields: (t) => ({
    type: t.exposeString('type', { nullable: false, description: '`timer` or `event`.' }),
    fireDate: t.exposeString('fireDate', { description: 'When a timer fires first, ISO 8601.' }),
    recurrence: t.string({
      description:
        'When a timer fires again, JSON-encoded: `{"day":1}` is every day, `{"weekday":2}` every Monday; null for once.',
      resolve: ({ recurrence }) => encode(recurrence),
    }),
    timeZone: t.exposeString('timeZone', {
      description: 'IANA time zone by whose clocks a timer recurs; null for the home’s.',
    }),
    events: t.field({
      type: [AutomationEvent],
      description: 'Any of them sets it off.',
      resolve: ({ events }) => events ?? null,
    }),
    endEvents: t.field({
      type: [AutomationEvent],
      description: 'Any of them puts back what the actions had changed.',
      resolve: ({ endEvents }) => endEvents ?? null,
    }),
    conditions: t.field({
      type: [AutomationCondition],
      description: 'All of them must hold when it is set off.',
      resolve: ({ conditions }) => conditions ?? null,
    }),
    recurrences: t.string({
      description:
        'The days on which it acts, a JSON-encoded list: `[{"weekday":2}]`, 1 = Sunday … 7 = Saturday; empty for every day.',
      resolve: ({ recurrences }) => encode(recurrences),
    }),
    executeOnce: t.exposeBoolean('executeOnce', { description: 'Whether it is disabled once it has acted.' }),
    activationState: t.exposeString('activationState', {
      description:
        '`enabled`, `disabled`, or `disabledNoLocation` while it needs to know where the home is and nobody has said.',
    }),
  }),
});

const AutomationAction = builder.objectRef<ShownAction>('AutomationAction').implement({
  description: 'What an automation does to one characteristic.',
  fields: (t) => ({
    accessoryId: t.exposeString('accessoryId', { nullable: false, description: 'The accessory.' }),
    accessoryName: t.exposeString('accessoryName', { nullable: false, description: 'Its name.' }),
    characteristicType: t.exposeString('characteristicType', {
      nullable: false,
      description: 'In snake_case, `power_state_2` for the second of an accessory.',
    }),
    targetValue: t.string({
      description: 'The value that it gets, JSON-encoded.',
      resolve: ({ targetValue }) => encode(targetValue),
    }),
  }),
});

const PlatformAutomation = builder.objectRef<ShownAutomation>('PlatformAutomation').implement({
  description: 'A native automation. The relay runs it itself; what it does is a scene of its own.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: false, description: 'A UUID. It stays when the trigger changes.' }),
    name: t.exposeString('name', {
      nullable: false,
      description: 'Ends with a letter or a number; others may have the same.',
    }),
    isEnabled: t.exposeBoolean('isEnabled', { nullable: false, description: 'Whether it acts when it is set off.' }),
    trigger: t.field({
      type: AutomationTrigger,
      nullable: false,
      description: 'When it acts.',
      resolve: ({ trigger }) => trigger,
    }),
    actions: t.field({
      type: [AutomationAction],
      nullable: false,
      description: 'What it does.',
      resolve: ({ actions }) => actions,
    }),
    sceneId: t.exposeString('sceneId', {
      nullable: false,
      description: 'The scene that holds its actions. It is in no list of scenes, and goes with the automation.',
    }),
    lastFireDate: t.exposeString('lastFireDate', { description: 'When it acted last, ISO 8601.' }),
    homeId: t.exposeString('homeId', { description: 'The home that it is in.' }),
  }),
});

const AutomationResult = builder.objectRef<Outcome & { automationId: string }>('AutomationResult').implement({
  description: 'Whether an automation was deleted.',
  interfaces: [MutationResult],
  fields: (t) => ({
    automationId: t.exposeString('automationId', { nullable: false, description: 'The automation.' }),
  }),
});

function show(automation: Automation, { deps }: GraphqlContext): ShownAutomation {
  return presentAutomation(automation, deps.state);
}

/** The automation that arguments name. @throws `automation_not_found` */
function getAutomation({ caller, deps }: GraphqlContext, id: string, homeId: Maybe<string>): Automation {
  return requireHome(deps.automations.get(caller, id), homeId, 'automation_not_found');
}

/** A trigger with its values decoded. */
function decodeTrigger(input: unknown): unknown {
  const trigger = decodeJson(input, 'trigger');
  if (!isObject(trigger)) return trigger;
  const decoded = Object.entries(trigger).map(([name, value]) => [name, decodeEach(value, ['triggerValue', 'value'])]);
  return Object.fromEntries(decoded);
}

function decodeActions(input: unknown): unknown {
  return decodeEach(decodeJson(input, 'actions'), ['targetValue']);
}

/**
 * Decodes values in the objects of a list: a string may hold one in JSON. The operation rejects any other invalid
 * value.
 */
function decodeEach(input: unknown, names: readonly string[]): unknown {
  if (!Array.isArray(input)) return input;
  return input.map((item: unknown) => {
    if (!isObject(item)) return item;
    const decoded = Object.entries(item).map(([name, value]) => [
      name,
      names.includes(name) ? decodeValue(value) : value,
    ]);
    return Object.fromEntries(decoded);
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

builder.queryFields((t) => ({
  automations: t.field({
    type: [PlatformAutomation],
    nullable: LIST,
    description: 'The native automations of a home, by name.',
    args: { homeId: t.arg.string({ required: true }) },
    resolve: (_, { homeId }, context) =>
      context.deps.automations.list(context.caller, homeId).map((automation) => show(automation, context)),
  }),
  automation: t.field({
    type: PlatformAutomation,
    description: 'One native automation. NOT_FOUND if there is none that the caller can see.',
    args: { automationId: t.arg.string({ required: true }), homeId: t.arg.string({ description: HOME_CHECK }) },
    resolve: (_, { automationId, homeId }, context) => show(getAutomation(context, automationId, homeId), context),
  }),
}));

builder.queryFields((t) => ({
  nextFireDates: t.stringList({
    // So that one wrong id does not remove the other results.
    nullable: { list: true, items: false },
    description:
      'When the clock will fire a native automation or a flow next, ISO 8601; none while it is disabled, and where nothing of it goes by the clock.',
    args: {
      automationId: t.arg.string({ required: true }),
      count: t.arg.int({ description: `At most so many, from 1 to ${MAX_DATES}; ${DEFAULT_DATES} if left out.` }),
    },
    resolve: (_, { automationId, count }, { caller, deps }) =>
      deps.schedule.nextFireDates(caller, automationId, checkCount(count)).map((at) => presentTime(at)),
  }),
}));

builder.mutationFields((t) => ({
  createAutomation: t.field({
    type: PlatformAutomation,
    description:
      'Makes a native automation, enabled from now on; nothing if anything of it is not valid. For admins of the home.',
    args: {
      homeId: t.arg.string({ required: true }),
      name: t.arg.string({ required: true, description: 'Must end with a letter or a number.' }),
      trigger: t.arg.string({ required: true, description: TRIGGER, ...JSON_TEXT }),
      actions: t.arg.string({ required: true, description: ACTIONS, ...JSON_TEXT }),
    },
    resolve: (_, { homeId, name, trigger, actions }, context) => {
      const input = { homeId, name, trigger: decodeTrigger(trigger), actions: decodeActions(actions) };
      return show(context.deps.automations.create(context.caller, input), context);
    },
  }),
  updateAutomation: t.field({
    type: PlatformAutomation,
    description: 'Changes what is given, all of it or nothing. Its id stays. For admins of its home.',
    args: {
      automationId: t.arg.string({ required: true }),
      homeId: t.arg.string({ description: HOME_CHECK }),
      name: t.arg.string({ description: 'Must end with a letter or a number.' }),
      trigger: t.arg.string({ description: TRIGGER, ...JSON_TEXT }),
      actions: t.arg.string({ description: `${ACTIONS} They replace all that it had.`, ...JSON_TEXT }),
      enabled: t.arg.boolean(),
    },
    resolve: (_, { automationId, homeId, name, trigger, actions, enabled }, context) => {
      const { id } = getAutomation(context, automationId, homeId);
      const changes = given({ name, trigger: decodeTrigger(trigger), actions: decodeActions(actions), enabled });
      return show(context.deps.automations.update(context.caller, id, changes), context);
    },
  }),
  setAutomationEnabled: t.field({
    type: PlatformAutomation,
    description: 'Enables or disables a native automation. For admins of its home.',
    args: {
      automationId: t.arg.string({ required: true }),
      enabled: t.arg.boolean({ required: true }),
      homeId: t.arg.string({ description: HOME_CHECK }),
    },
    resolve: (_, { automationId, enabled, homeId }, context) => {
      const { id } = getAutomation(context, automationId, homeId);
      return show(context.deps.automations.setEnabled(context.caller, id, enabled), context);
    },
  }),
  deleteAutomation: t.field({
    type: AutomationResult,
    description: 'Deletes a native automation with its scene. What it has set stays. For admins of its home.',
    args: { automationId: t.arg.string({ required: true }), homeId: t.arg.string({ description: HOME_CHECK }) },
    resolve: (_, { automationId, homeId }, context) =>
      reportOutcome(
        () => {
          const { id } = getAutomation(context, automationId, homeId);
          context.deps.automations.delete(context.caller, id);
          return { automationId: id };
        },
        { automationId },
      ),
  }),
}));
