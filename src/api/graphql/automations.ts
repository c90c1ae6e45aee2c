/**
 * Native automations (API §2.4), which the home platform executes. Fields that the document calls JSON-encoded are JSON
 * strings here.
 */
import { nativeAsDraft } from '../../app/automations/drafts/native-as-draft.ts';
import type { Automation } from '../../app/automations/native/automation.ts';
import { DEFAULT_FIRE_DATES, MAX_FIRE_DATES } from '../../contract/automation-runs.ts';
import * as contract from '../../contract/automations.ts';
import { HearthError } from '../../kernel/errors.ts';
import { presentAutomation } from '../present/automation.ts';
import { presentTime } from '../present/time.ts';
import { given, HOME_CHECK, type Maybe, requireHome } from './arguments.ts';
import { AutomationAction, AutomationTrigger } from './automation-types.ts';
import { builder, LIST } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';
import { decodeJson, decodeValue, JSON_TEXT } from './scalars.ts';

const TRIGGER =
  'A text that holds a JSON object, as `AutomationTrigger` shows it. A timer may have `hour` and `minute` instead of `fireDate`, and `recurrenceType` (`daily`, `weekly`, `once`) instead of `recurrence`.';
const ACTIONS =
  'A text that holds a JSON list of `{accessoryId, characteristicType, targetValue}`; at least one, types in any spelling.';

/** Fields that are JSON in texts here. */
const JSON_FIELDS = { trigger: true, actions: true } as const;

/** @throws `invalid_value` */
function checkCount(count: Maybe<number>): number {
  const wanted = count ?? DEFAULT_FIRE_DATES;
  if (wanted >= 1 && wanted <= MAX_FIRE_DATES) return wanted;
  throw new HearthError('invalid_value', `Invalid value for count: give 1 to ${MAX_FIRE_DATES}.`, { field: 'count' });
}

const PlatformAutomation = builder.objectRef<contract.Automation>('PlatformAutomation').implement({
  description: 'A native automation. The relay runs it itself; what it does is a scene of its own.',
  fields: (t) => ({
    ...fieldsOf(t, contract.Automation, ['homeId']),
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
    dataJson: t.string({
      nullable: false,
      description: 'All of it as a text of JSON, for editors; `saveAutomation` takes it back.',
      resolve: ({ id }, _, { caller, deps }) =>
        JSON.stringify(nativeAsDraft(deps.automations.get(caller, id), deps.state)),
    }),
  }),
});

const AutomationResult = builder.objectRef<ActionResult & { automationId: string }>('AutomationResult').implement({
  description: 'Whether an automation was deleted.',
  interfaces: [MutationResult],
  fields: (t) => ({
    automationId: t.exposeString('automationId', { nullable: false, description: 'The automation.' }),
  }),
});

function show(automation: Automation, { deps }: GraphqlContext): contract.Automation {
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
      count: t.arg.int({
        description: `At most so many, from 1 to ${MAX_FIRE_DATES}; ${DEFAULT_FIRE_DATES} if left out.`,
      }),
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
      ...argumentsOf(t.arg, contract.NewAutomation.omit(JSON_FIELDS)),
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
      ...argumentsOf(t.arg, contract.AutomationChanges.omit(JSON_FIELDS)),
      trigger: t.arg.string({ description: TRIGGER, ...JSON_TEXT }),
      actions: t.arg.string({ description: `${ACTIONS} They replace all that it had.`, ...JSON_TEXT }),
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
