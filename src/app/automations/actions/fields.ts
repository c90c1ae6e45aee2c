/** Fields that several kinds of actions have: templates, and lists of other nodes. */
import { z } from 'zod';
import { id, text as textSchema } from '../../../contract/fields.ts';
import type { Json } from '../../../kernel/json.ts';
import type { SlicedWork } from '../../../kernel/slices.ts';
import type { ActionNode } from '../action-node.ts';
import type { ConditionBlock } from '../conditions/index.ts';
import { parseConditionBlock } from '../conditions/parse-conditions.ts';
import type { Template, TemplateDuration, TemplateNumber } from '../field-types.ts';
import { DURATION, MAX_HOLD_MS, parseTemplateDuration } from '../parsing/durations.ts';
import { fault } from '../parsing/faults.ts';
import {
  type Field,
  type FieldGroup,
  field,
  type NodeInput,
  type PausingField,
  type RequiredField,
} from '../parsing/field.ts';
import { anyJson, CHARACTERISTIC_NAME, flag } from '../parsing/field-kinds.ts';
import { type Fields, given, parseNumber, parseText } from '../parsing/fields.ts';
import { hasTemplate, requireVariableName } from '../parsing/parsing.ts';

/** The limit of the whole flow is lower. */
export const MAX_LIST = 500;

// — templates —

/** A text. */
export function template(description: string, what = 'a text'): RequiredField<Template> {
  return field(what, textSchema(description), (value, path, { parsing }) =>
    parsing.template(parseText(value, path), path),
  );
}

/** Any JSON value in which texts may be templates. */
export function templates(description: string): RequiredField<Json> {
  return field('a value', anyJson(`${description} May hold templates.`), (value, path, { parsing }) =>
    parsing.templates(value, path),
  );
}

/** A number, or an expression that yields one. */
export function templateNumber(description: string): RequiredField<TemplateNumber> {
  const schema = z.union([z.number(), z.string()]).meta({ description });
  return field('a number', schema, (value, path, { parsing }) => {
    if (typeof value === 'string' && hasTemplate(value)) return parsing.template(value, path);
    return parseNumber(value, path, { min: 0 });
  });
}

export function templateDuration(description: string, maxMs: number): RequiredField<TemplateDuration> {
  const schema = z.union([DURATION, z.string().meta({ description: 'A template.' })]).meta({ description });
  return field('{hours, minutes, seconds}', schema, (value, path, { parsing }) =>
    parseTemplateDuration(value, path, { maxMs }, parsing),
  );
}

export const VARIABLES: Field<Readonly<Record<string, Json>> | undefined> = {
  schema: z.record(z.string(), z.unknown()).meta({ description: 'Values by name; may hold templates.' }),
  read: ({ fields, parsing }, name) => parsing.variables(fields, name, true),
};

/** The name of a variable. */
export function variableName(description: string): RequiredField<string> {
  return field('the name of a variable', textSchema(description), (value, path) => {
    const name = parseText(value, path);
    requireVariableName(name, path);
    return name;
  });
}

// — lists of other nodes —

/** Refers to the schemas of the same name in the reference of the API. */
const ACTION_SCHEMA = z.object({}).meta({ id: 'FlowAction' });
const CONDITIONS_SCHEMA = z.object({}).meta({ id: 'FlowConditions' });
export const TRIGGER_SCHEMA = z.object({}).meta({ id: 'FlowTrigger' });
export const ACTIONS_SCHEMA = z.array(ACTION_SCHEMA);
export const CHOICE_SCHEMA = z.object({
  alias: z.string().optional(),
  conditions: CONDITIONS_SCHEMA,
  actions: ACTIONS_SCHEMA,
});

/** Empty if omitted. */
export function actionList(description: string): PausingField<readonly ActionNode[]> {
  return {
    schema: ACTIONS_SCHEMA.meta({ description }),
    readSteps: (node, name) => nestedActions(node, node.fields, name),
  };
}

/** @param fields of the node, or of an object in it */
export function nestedActions(node: NodeInput, fields: Fields, name: string): SlicedWork<readonly ActionNode[]> {
  return node.nested(fields.optionalList(name, 'actions', MAX_LIST) ?? [], fields.at(name));
}

export function conditionBlock(description: string): RequiredField<ConditionBlock> {
  return field('a block of conditions', CONDITIONS_SCHEMA.meta({ description }), (value, path, { parsing }) =>
    parseConditionBlock(value, path, parsing),
  );
}

// — waits —

/** How long a wait lasts at most, and whether the run continues then. */
export const TIMEOUT: FieldGroup<{ readonly timeout?: TemplateDuration; readonly continueOnTimeout: boolean }> = {
  schemas: {
    timeout: templateDuration('Without end if left out.', MAX_HOLD_MS).schema,
    continueOnTimeout: flag('Whether the run continues after a timeout; `true` if left out.').schema,
  },
  readGroup(node) {
    const { fields, parsing } = node;
    const timeout = fields.raw('timeout');
    const continueOnTimeout = fields.boolean('continueOnTimeout', true);
    const limits = { maxMs: MAX_HOLD_MS };
    const path = fields.at('timeout');
    return given({
      timeout: timeout === undefined ? undefined : parseTemplateDuration(timeout, path, limits, parsing),
      continueOnTimeout,
    });
  },
};

// — things of the home —

export const SETTING_SCHEMAS = {
  characteristicType: CHARACTERISTIC_NAME,
  value: anyJson('The value to set; may hold templates: `{{ trigger.to_value }}`.'),
};

/** Clients may send the home's id; it must be the automation's home, and is not stored. */
export const SAME_HOME: FieldGroup<object> = {
  schemas: { homeId: id('On input only: the home of the automation.') },
  readGroup({ fields, parsing: { context } }) {
    const homeId = fields.optionalText('homeId');
    if (homeId === undefined || homeId.toLowerCase() === context.homeId) return {};
    throw fault('home_not_found', fields.at('homeId'), 'Home not found: it must be the home of the automation');
  },
};
