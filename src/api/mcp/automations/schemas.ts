/**
 * The vocabulary as JSON Schema, for clients that write an automation. Schemas describe the parts kind by kind but do
 * not validate them: the parser reports an error in one sentence with its position and valid alternatives, which a
 * schema can't.
 */
import { z } from 'zod';
import { ACTION_FIELDS, ACTION_ID } from '../../../app/automations/actions/common-fields.ts';
import { OPERATORS } from '../../../app/automations/conditions/index.ts';
import type { FieldSet } from '../../../app/automations/parsing/field.ts';
import { VALUE } from '../../../app/automations/parsing/field-kinds.ts';
import { TRIGGER_FIELDS, TRIGGER_ID } from '../../../app/automations/triggers/parse-triggers.ts';
import { RECURRENCE_TYPES, SIGNIFICANT_EVENTS } from '../../../contract/automations.ts';
import { type JsonSchema, presentSchema } from '../json-schema.ts';
import { ACTIONS } from './actions.ts';
import { CONDITIONS } from './conditions.ts';
import { KindFields } from './kind-fields.ts';
import { TRIGGERS } from './triggers.ts';
import { ACCESSORY, CHARACTERISTIC } from './vocabulary.ts';

/** The fields that all parts of a list have. */
function common(...sets: readonly FieldSet[]): z.ZodRawShape {
  return z.object(Object.assign({}, ...sets.map((set) => new KindFields(set).schema))).partial().shape;
}

const PROPERTY = VALUE.describe('A property of _settable and the value to set, or {{ an expression }}');

/** A part of any kind. */
export const PART = z.record(z.string(), z.unknown());

/** A part, described as `vocabulary`. @param common the common fields of all its kinds */
function described(vocabulary: z.ZodType, common: z.ZodRawShape = {}, known = new Set<string>()): typeof PART {
  const schema = presentSchema(vocabulary, 'input');
  const { properties = {} } = presentSchema(z.object(common), 'input');
  if (Object.keys(properties).length > 0) schema.properties = properties;
  omitRepeated(schema, known);
  return PART.meta({ ...schema });
}

/**
 * A field that several kinds have is described at the first: a model reads all of them. So is what durations and values
 * have in common, which are the fields of several types. @param known changes
 */
function omitRepeated(schema: JsonSchema, known: Set<string>): void {
  const { properties = {}, items, anyOf = [] } = schema;
  for (const [name, field] of Object.entries(properties) as [string, JsonSchema][]) {
    const key = `${name}: ${field.description}`;
    const isKnown = known.has(key);
    known.add(key);
    if (Array.isArray(field.type)) field.description = newSentences(field, known);
    if (isKnown || field.description === '') delete field.description;
  }
  for (const inner of [...anyOf, ...Object.values(properties), ...(items ? [items].flat() : [])]) {
    omitRepeated(inner as JsonSchema, known);
  }
}

/** @param known changes */
function newSentences({ type, description = '' }: JsonSchema, known: Set<string>): string {
  const keyOf = (sentence: string): string => `${type}: ${sentence}`;
  const sentences = description.split(/(?<=\.) /);
  const others = sentences.filter((sentence) => !known.has(keyOf(sentence)));
  for (const sentence of sentences) known.add(keyOf(sentence));
  return others.join(' ');
}

/** One schema per kind, distinguished by `type`. */
function kinds(rows: Readonly<Record<string, { readonly schema: z.ZodRawShape }>>): z.ZodObject[] {
  return Object.entries(rows).map(([type, { schema }]) => z.object({ type: z.literal(type), ...schema }));
}

const { device, ...OTHER_ACTIONS } = ACTIONS;
const DEVICE = z.object({ type: z.literal('device'), ...device.schema }).catchall(PROPERTY);
const NEST = z.object({
  type: z.literal('nest'),
  operator: z.enum(OPERATORS),
  conditions: z.array(PART).describe('Conditions, nests among them'),
});

/** Of the parts of flows, which one tool shows in this order. */
const known = new Set<string>();
/** Of those of native automations. */
const knownOfNative = new Set<string>();
export const FLOW_TRIGGER = described(z.union(kinds(TRIGGERS)), common(TRIGGER_ID, TRIGGER_FIELDS), known);
export const FLOW_CONDITION = described(z.union([...kinds(CONDITIONS), NEST]), {}, known);
export const FLOW_ACTION = described(
  z.union([DEVICE, ...kinds(OTHER_ACTIONS)]),
  common(ACTION_ID, ACTION_FIELDS),
  known,
);

const DATE_PARTS = z
  .record(z.string(), z.int())
  .describe('Parts of a date: hour, minute, day, weekday (1 = Sunday), month');
const NATIVE_EVENT = z.union([
  z.object({
    type: z.literal('characteristic'),
    accessory: ACCESSORY,
    characteristic: CHARACTERISTIC,
    value: VALUE.optional().describe('Fires on any change where left out'),
  }),
  z.object({
    type: z.literal('significantTime'),
    significantEvent: z.enum(SIGNIFICANT_EVENTS),
    offsetMinutes: z.int().optional().describe('Negative: before'),
  }),
  z.object({ type: z.literal('calendar'), calendarComponents: DATE_PARTS }),
]);
const NATIVE_CONDITION = z.object({
  type: z.literal('characteristic'),
  accessory: ACCESSORY,
  characteristic: CHARACTERISTIC,
  value: VALUE,
});

export const NATIVE_TRIGGER = described(
  z.union([
    z.object({
      type: z.literal('timer'),
      hour: z.int().optional(),
      minute: z.int().optional(),
      fireDate: z.string().optional().describe('ISO 8601, instead of hour and minute'),
      recurrenceType: z.enum(RECURRENCE_TYPES).optional().describe('once where left out'),
      recurrence: DATE_PARTS.optional().describe('Instead of recurrenceType: a weekday, or after how long again'),
      timeZone: z.string().optional().describe('IANA; that of the home where left out'),
      executeOnce: z.boolean().optional(),
    }),
    z.object({
      type: z.literal('event'),
      events: z.array(NATIVE_EVENT).describe('Any of them triggers it'),
      conditions: z.array(NATIVE_CONDITION).optional().describe('All of them must hold'),
      endEvents: z
        .array(PART)
        .optional()
        .describe(
          'Any of them brings back what was there before: as events, or {"type": "duration", "durationSeconds": 60}',
        ),
      recurrences: z
        .array(z.object({ weekday: z.int() }))
        .optional()
        .describe('The days on which it fires, 1 = Sunday'),
      executeOnce: z.boolean().optional(),
    }),
  ]),
  {},
  knownOfNative,
);
export const NATIVE_ACTION = described(
  z
    .object({ accessory: ACCESSORY, room: z.string().optional().describe('Where the name alone would not do') })
    .catchall(VALUE.describe('A property of _settable and the value to set')),
  {},
  knownOfNative,
);
