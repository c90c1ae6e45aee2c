/** The fields of kinds of triggers, conditions and actions: their formats, and descriptions of shared ones. */
import { z } from 'zod';
import { DateComponents } from '../../../contract/automations.ts';
import { flag as flagSchema, id, text as textSchema, time as timeSchema, word } from '../../../contract/fields.ts';
import type { CharacteristicValue } from '../../../home/model.ts';
import { isTimeZone } from '../../../home/schedule/time-zones.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import type { Duration, Target } from '../field-types.ts';
import { DURATION, MAX_HOLD_MS, MAX_OFFSET_MS, parseDuration } from './durations.ts';
import { fault, invalid, missing } from './faults.ts';
import { type Field, type FieldGroup, field, type NodeInput, type RequiredField } from './field.ts';
import {
  describeNumber,
  given,
  type NumberLimits,
  parseFlag,
  parseList,
  parseNumber,
  parseText,
  parseWord,
} from './fields.ts';
import { parseJsonObject } from './json.ts';
import { parsePersonIds } from './people.ts';
import { requireNumeric } from './targets.ts';
import { parseAt, parseDateComponents, parseMoment, parseWeekdays } from './times.ts';

// — plain values —

/** @param what completes `it must be …` where it is missing */
export function text(description: string, what = 'a text'): RequiredField<string> {
  return field(what, textSchema(description), parseText);
}

export function numeric(limits: NumberLimits, description: string): RequiredField<number> {
  const { min, max, integer } = limits;
  let schema = integer ? z.number().int() : z.number();
  if (min !== undefined) schema = schema.min(min);
  if (max !== undefined) schema = schema.max(max);
  return field(describeNumber(limits), schema.meta({ description }), (value, path) => parseNumber(value, path, limits));
}

export function flag(description: string): RequiredField<boolean> {
  return field('true or false', flagSchema(description), parseFlag);
}

export function oneOf<const T extends string>(words: readonly T[], description: string): RequiredField<T> {
  const parse = (value: unknown, path: string) => parseWord(value, path, words);
  return field(`one of ${words.join(', ')}`, word(words, description), parse);
}

/** Anything; the parser decides. */
export function anyJson(description: string): z.ZodType {
  return z.unknown().meta({ description });
}

export function jsonObject(description: string): RequiredField<JsonObject> {
  return field('an object', z.record(z.string(), z.unknown()).meta({ description }), parseJsonObject);
}

// — times —

export const SUN_EVENTS = ['sunrise', 'sunset'] as const;

/** So long must it have been so. */
export const HOLD: RequiredField<Duration> = duration('It must have been so for that long.', { maxMs: MAX_HOLD_MS });

/** A time before or after an event. */
export function offset(description: string): RequiredField<Duration> {
  return duration(`${description} Negative parts: before it.`, { maxMs: MAX_OFFSET_MS, signed: true });
}

function duration(description: string, limits: Parameters<typeof parseDuration>[2]): RequiredField<Duration> {
  const parse = (value: unknown, path: string) => parseDuration(value, path, limits);
  return field('{hours, minutes, seconds}', DURATION.meta({ description }), parse);
}

export function timeOfDay(description: string): RequiredField<string> {
  return field('a time as HH:MM or HH:MM:SS', textSchema(description), (value, path) =>
    parseAt(parseText(value, path), path),
  );
}

export const WEEKDAYS: RequiredField<readonly number[]> = field(
  'a list of weekdays',
  z.array(z.int().min(0).max(6)).meta({ description: '0 = Sunday … 6 = Saturday; every day if left out.' }),
  parseWeekdays,
);

export function moment(description: string): RequiredField<string> {
  return field('a time as ISO 8601 writes it', timeSchema(description), (value, path) =>
    parseMoment(parseText(value, path), path),
  );
}

export function timeZone(description: string): RequiredField<string> {
  return field('a time zone', textSchema(description), (value, path) => {
    const zone = parseText(value, path);
    if (isTimeZone(zone)) return zone;
    throw invalid(path, 'it must be a time zone such as Europe/Berlin');
  });
}

export function dateComponents(description: string): RequiredField<DateComponents> {
  return field('an object with parts of a date', DateComponents.meta({ description }), parseDateComponents);
}

// — things of the home —

export const ACCESSORY: Field<string> = { schema: id('The accessory.'), read: ({ accessory }) => accessory.id };

export const PERSON_IDS: RequiredField<readonly string[]> = field(
  'a list of ids of people',
  z.array(id()).meta({ description: 'Only these people count.' }),
  (value, path, { parsing }) => parsePersonIds(value, path, parsing),
);

export type WatchedThing = Target & { readonly characteristicType: string };

export const CHARACTERISTIC_NAME = textSchema(
  'In snake_case, `power_state_2` for the second of an accessory; on input in any spelling.',
);
const READING_SCHEMAS = {
  accessoryId: id('The accessory.'),
  serviceGroupId: id('Instead of an accessory: a service group, as the one accessory that it is.'),
  characteristicType: CHARACTERISTIC_NAME,
};

/** An accessory or a service group, and a characteristic of it that can be read. */
export const READING: FieldGroup<WatchedThing> = {
  schemas: READING_SCHEMAS,
  readGroup: ({ target, reading }) => ({ ...target.target, characteristicType: reading.name }),
};

/** The same for a characteristic with numbers. */
export const NUMERIC_READING: FieldGroup<WatchedThing> = {
  schemas: READING_SCHEMAS,
  readGroup(node) {
    requireNumeric(node.reading, node.fields);
    return READING.readGroup(node);
  },
};

/** A value of a characteristic, as a schema. */
export const VALUE = z.union([z.boolean(), z.number(), z.string()]);

/** A value of the characteristic that the node reads, in the device's form. */
export function readValue(description: string, what = 'a value'): RequiredField<CharacteristicValue> {
  return field(what, VALUE.meta({ description }), (value, path, { reading }) => reading.value(value, path));
}

/** `above`, `below` or both; both together form a range. */
export const RANGE: FieldGroup<{ readonly above?: number; readonly below?: number }> = {
  schemas: {
    above: z.number().optional().meta({ description: 'More than this.' }),
    below: z.number().optional().meta({ description: 'Less than this.' }),
  },
  readGroup({ fields }) {
    const above = fields.optionalNumber('above');
    const below = fields.optionalNumber('below');
    if (above === undefined && below === undefined) throw missing(fields.at('above'), 'a number, unless below is one');
    if (above !== undefined && below !== undefined && above >= below) {
      throw invalid(fields.at('below'), 'it must be more than above: the range is between them');
    }
    return given({ above, below });
  },
};

/** An automation of the home, possibly the flow itself. */
export function automationId(description: string, mayBeNative: boolean): RequiredField<string> {
  return field("an automation's id", id(description), (value, path, { parsing }) => {
    const { context } = parsing;
    const given = parseText(value, path).toLowerCase();
    const found = context.flows(given) ?? (mayBeNative ? context.natives?.(given) : undefined);
    const isGone = found === undefined && parsing.isNamedNow(given);
    if (given === context.flowId || found?.homeId === context.homeId || isGone) return given;
    throw fault('automation_not_found', path, 'Automation not found');
  });
}

// — expressions and events —

/** An expression without braces. */
export const EXPRESSION: RequiredField<string> = field(
  'an expression',
  textSchema(
    'An expression without braces: `states("Hall Sensor") > 21`. Moments are seconds since 1970: `now() - trigger.timestamp > 60`.',
  ),
  (value, path, { parsing }) => parsing.expression(parseText(value, path), path),
);

export function eventType(description: string): RequiredField<string> {
  return field('the name of an event', textSchema(description), parseEventType);
}

export function parseEventType(value: unknown, path: string): string {
  const name = parseText(value, path).trim();
  if (/^[\w.:-]{1,128}$/.test(name)) return name;
  throw invalid(path, 'it must have 1 to 128 letters, digits, dots, colons, dashes or underscores');
}

/** As long as a name. */
const MAX_TAG_LENGTH = 64;

/** The tag of notifications. */
export function notificationTag(description: string): RequiredField<string> {
  return field('a text', textSchema(description, 'garage'), (value, path) => {
    const tag = parseText(value, path).trim();
    if (tag !== '' && tag.length <= MAX_TAG_LENGTH) return tag;
    throw invalid(path, `it must have 1 to ${MAX_TAG_LENGTH} characters`);
  });
}

export function listOf<T>(
  what: string,
  max: number,
  schema: z.ZodType,
  parse: (list: readonly unknown[], path: string, node: NodeInput) => T,
): RequiredField<T> {
  return field(`a list of ${what}`, schema, (value, path, node) =>
    parse(parseList(value, path, what, max), path, node),
  );
}
