/**
 * The vocabulary as JSON Schema, for whoever writes an automation. The parts are described kind by kind and taken as they come: what
 * reads them says what is wrong with a part in one sentence, with its place and what there is instead, which a schema can't.
 */
import { z } from 'zod';
import { ACTIONS, BASE } from './actions.ts';
import { CONDITIONS } from './conditions.ts';
import { UNSUPPORTED } from './node.ts';
import { TRIGGERS } from './triggers.ts';
import { ACCESSORY, CHARACTERISTIC, VALUE } from './vocabulary.ts';

const NODE = { id: BASE.id, enabled: BASE.enabled };
const PROPERTY = VALUE.describe('A property of _settable and the value to set, or {{ an expression }}');

/** One schema a kind, told apart by `type`. */
function kinds(rows: Readonly<Record<string, { readonly schema: z.ZodRawShape }>>, base: z.ZodRawShape): z.ZodObject[] {
  return Object.entries(rows).map(([type, { schema }]) => z.object({ type: z.literal(type), ...schema, ...base }));
}

const FLOW_DEVICE = z.object({ type: z.literal('device'), ...ACTIONS.device.schema, ...BASE }).catchall(PROPERTY);
const { device: _device, ...OTHER_ACTIONS } = ACTIONS;
const NEST = z.object({
  type: z.literal('nest'),
  operator: z.enum(['and', 'or', 'not']),
  conditions: z.array(z.record(z.string(), z.unknown())).describe('Conditions, nests among them'),
});

export const FLOW_TRIGGER = z.union(kinds(TRIGGERS, NODE));
export const FLOW_CONDITION = z.union([...kinds(CONDITIONS, {}), NEST]);
export const FLOW_ACTION = z.union([FLOW_DEVICE, ...kinds(OTHER_ACTIONS, BASE)]);

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
    significantEvent: z.enum(['sunrise', 'sunset']),
    offsetMinutes: z.int().optional().describe('Negative: before'),
  }),
  z.object({ type: z.literal('calendar'), calendarComponents: DATE_PARTS }),
  z.object({ type: z.literal('duration'), durationSeconds: z.number().describe('Among endEvents only') }),
]);
const NATIVE_CONDITION = z.object({
  type: z.literal('characteristic'),
  accessory: ACCESSORY,
  characteristic: CHARACTERISTIC,
  value: VALUE,
});

export const NATIVE_TRIGGER = z.union([
  z.object({
    type: z.literal('timer'),
    hour: z.int().optional(),
    minute: z.int().optional(),
    fireDate: z.string().optional().describe('ISO 8601, instead of hour and minute'),
    recurrenceType: z.enum(['daily', 'weekly', 'once']).optional().describe('once where left out'),
    recurrence: DATE_PARTS.optional().describe('Instead of recurrenceType: a weekday, or after how long again'),
    timeZone: z.string().optional().describe('IANA; that of the home where left out'),
    executeOnce: z.boolean().optional(),
  }),
  z.object({
    type: z.literal('event'),
    events: z.array(NATIVE_EVENT).describe('Any of them sets it off'),
    conditions: z.array(NATIVE_CONDITION).optional().describe('All of them must hold'),
    endEvents: z.array(NATIVE_EVENT).optional().describe('Any of them brings back what was there before'),
    recurrences: z
      .array(z.object({ weekday: z.int() }))
      .optional()
      .describe('The days on which it fires, 1 = Sunday'),
    executeOnce: z.boolean().optional(),
  }),
]);
export const NATIVE_ACTION = z
  .object({ accessory: ACCESSORY, room: z.string().optional().describe('Where the name alone would not do') })
  .catchall(VALUE.describe('A property of _settable and the value to set'));

const KEPT = z
  .object({ id: z.string().optional(), [UNSUPPORTED]: z.string() })
  .catchall(z.unknown())
  .describe('A part that can’t be made here, sent back as it was shown, or by its id and _unsupported alone');

/** The same where parts may be there already that have no words here. */
export function orKept(vocabulary: z.ZodType): z.ZodType {
  return z.union([vocabulary, KEPT]);
}

/** `taken` as it is, described as `vocabulary`. */
export function described<T extends z.ZodType>(taken: T, vocabulary: z.ZodType): T {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(vocabulary, { io: 'input' });
  return taken.meta(schema);
}
