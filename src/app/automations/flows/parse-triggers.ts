/** Parses triggers from client input to stored form. One parser per kind; common fields are parsed once. */
import { randomBytes } from 'node:crypto';
import { parseTimePattern } from '../../../home/schedule/next-pattern.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { nearest } from '../../../kernel/nearest.ts';
import {
  PRESENCE_EVENTS,
  SYSTEM_EVENTS,
  type Trigger,
  type TriggerOf,
  type TriggerType,
  WEBHOOK_METHODS,
} from '../flow.ts';
import { MAX_HOLD_MS, MAX_OFFSET_MS, optionalDuration } from '../parsing/durations.ts';
import { invalid, missing } from '../parsing/faults.ts';
import { Fields, given } from '../parsing/fields.ts';
import { parseJsonObject } from '../parsing/json.ts';
import { TRIGGER_ALIASES, toCanonicalTrigger } from '../parsing/palette.ts';
import { withOriginalPaths } from '../parsing/palette-paths.ts';
import type { Parsing } from '../parsing/parsing.ts';
import { optionalPersonIds } from '../parsing/people.ts';
import { resolveAccessory, resolveNumeric, resolveReading, resolveTarget } from '../parsing/targets.ts';
import { optionalWeekdays, parseAt, parseDateComponents, parseMoment, parseZone } from '../parsing/times.ts';

const MAX_TRIGGERS = 50;

/** 22 characters of base64url are 128 bits (decisions §10). */
const WEBHOOK_ID_BYTES = 16;
const WEBHOOK_ID = /^[A-Za-z0-9_-]{22,128}$/;

/** About half the circumference of the Earth: a larger circle has no outside. */
const MAX_RADIUS_M = 20_000_000;

type Own<T> = T extends unknown ? Omit<T, 'id' | 'enabled' | 'type'> : never;
type Parsers = { readonly [T in TriggerType]: (fields: Fields, parsing: Parsing) => Own<TriggerOf<T>> };

const HOLD = { maxMs: MAX_HOLD_MS } as const;

const PARSERS: Parsers = {
  state(fields, parsing) {
    const resolved = resolveTarget(fields, parsing);
    const { name, value } = resolveReading(resolved, fields, parsing);
    const bound = (field: 'from' | 'to') => {
      const input = fields.raw(field);
      return input === undefined ? undefined : value(input, fields.at(field));
    };
    return given({
      ...resolved.target,
      characteristicType: name,
      from: bound('from'),
      to: bound('to'),
      for: optionalDuration(fields, 'for', HOLD),
    });
  },

  numeric_state(fields, parsing) {
    const resolved = resolveTarget(fields, parsing);
    const { name } = resolveNumeric(resolved, fields, parsing);
    return given({
      ...resolved.target,
      characteristicType: name,
      ...numericRange(fields),
      for: optionalDuration(fields, 'for', HOLD),
    });
  },

  time: (fields) =>
    given({
      at: parseAt(fields.text('at', 'a time as HH:MM or HH:MM:SS'), fields.at('at')),
      weekdays: optionalWeekdays(fields),
    }),

  time_pattern(fields) {
    const parts = { hours: fields.raw('hours'), minutes: fields.raw('minutes'), seconds: fields.raw('seconds') };
    return given(parseTimePattern(parts, fields.path));
  },

  sun: (fields) =>
    given({
      event: fields.oneOf('event', ['sunrise', 'sunset']),
      offset: optionalDuration(fields, 'offset', { maxMs: MAX_OFFSET_MS, signed: true }),
    }),

  webhook(fields, parsing) {
    const webhookId = fields.optionalText('webhookId') || newWebhookId();
    const path = fields.at('webhookId');
    if (!WEBHOOK_ID.test(webhookId)) {
      throw invalid(
        path,
        'it must have 22 to 128 letters, digits, _ or -, so that nobody guesses it; leave it out to get one',
      );
    }
    parsing.claimWebhook(webhookId, path);
    return given({ webhookId, allowedMethods: allowedMethods(fields) });
  },

  event: (fields) =>
    given({
      eventType: parseEventType(fields),
      eventData: optionalObject(fields, 'eventData'),
    }),

  system: (fields) => ({ event: fields.oneOf('event', SYSTEM_EVENTS) }),

  template: (fields, parsing) =>
    given({ expression: parsing.expression(fields, 'expression'), for: optionalDuration(fields, 'for', HOLD) }),

  device_availability: (fields, parsing) =>
    given({
      accessoryId: resolveAccessory(fields, parsing).id,
      to: fields.oneOf('to', ['unavailable', 'available']),
      for: optionalDuration(fields, 'for', HOLD),
    }),

  presence: (fields, parsing) =>
    given({
      event: fields.oneOf('event', PRESENCE_EVENTS),
      personIds: optionalPersonIds(fields, 'personIds', parsing),
    }),

  location(fields, parsing) {
    const notifyOnEntry = fields.boolean('notifyOnEntry', true);
    const notifyOnExit = fields.boolean('notifyOnExit', false);
    if (!notifyOnEntry && !notifyOnExit) {
      throw invalid(fields.at('notifyOnExit'), 'one of notifyOnEntry and notifyOnExit must be true');
    }
    return given({
      latitude: fields.number('latitude', { min: -90, max: 90 }),
      longitude: fields.number('longitude', { min: -180, max: 180 }),
      radius: fields.number('radius', { min: 1, max: MAX_RADIUS_M }),
      notifyOnEntry,
      notifyOnExit,
      personIds: optionalPersonIds(fields, 'personIds', parsing),
    });
  },

  timer(fields) {
    const recurrence = fields.raw('recurrence');
    const timeZone = fields.optionalText('timeZone');
    return given({
      fireDate: parseMoment(fields, 'fireDate'),
      recurrence: recurrence === undefined ? undefined : parseDateComponents(recurrence, fields.at('recurrence')),
      timeZone: timeZone === undefined ? undefined : parseZone(timeZone, fields.at('timeZone')),
    });
  },

  calendar: (fields) => ({ components: parseDateComponents(fields.raw('components'), fields.at('components')) }),

  duration: (fields) => ({ seconds: fields.number('seconds', { min: 0, max: MAX_HOLD_MS / 1_000 }) }),
};

export const TRIGGER_TYPES = Object.keys(PARSERS) as readonly TriggerType[];

/**
 * A list of triggers. @throws `invalid_request` · `invalid_value` · `accessory_not_found` …, each with the path of the
 * field
 */
export function parseTriggerList(input: readonly unknown[], path: string, parsing: Parsing): readonly Trigger[] {
  if (input.length > MAX_TRIGGERS) {
    throw invalid(path, `there may be at most ${MAX_TRIGGERS} triggers; these are ${input.length}`);
  }
  return input.map((item, index) => {
    const sent = new Fields(item, `${path}[${index}]`, 'trigger');
    return withOriginalPaths(sent, () => parseTrigger(toCanonicalTrigger(sent), parsing));
  });
}

function parseTrigger(fields: Fields, parsing: Parsing): Trigger {
  const type = parseType(fields);
  const trigger = {
    id: parsing.triggerId(fields, type),
    type,
    enabled: fields.boolean('enabled', true),
    ...PARSERS[type](fields, parsing),
  };
  fields.done();
  return trigger as Trigger;
}

function parseType(fields: Fields): TriggerType {
  const given = fields.text('type', 'the type of the trigger');
  const type = TRIGGER_TYPES.find((one) => one === given);
  if (type !== undefined) return type;
  const meant = nearest(given, [...TRIGGER_TYPES, ...TRIGGER_ALIASES]);
  const advice = meant === undefined ? `they are ${TRIGGER_TYPES.join(', ')}` : `did you mean ${meant}?`;
  throw invalid(fields.at('type'), `there is no such trigger; ${advice}`);
}

/** `above`, `below` or both; both together form a range. @throws `invalid_request` · `invalid_value` */
export function numericRange(fields: Fields): { readonly above?: number; readonly below?: number } {
  const above = fields.optionalNumber('above');
  const below = fields.optionalNumber('below');
  if (above === undefined && below === undefined) throw missing(fields.at('above'), 'a number, unless below is one');
  if (above !== undefined && below !== undefined && above >= below) {
    throw invalid(fields.at('below'), 'it must be more than above: the range is between them');
  }
  return given({ above, below });
}

/** @throws `invalid_request` · `invalid_value` */
export function parseEventType(fields: Fields): string {
  const eventType = fields.text('eventType', 'the name of an event').trim();
  if (/^[\w.:-]{1,128}$/.test(eventType)) return eventType;
  throw invalid(fields.at('eventType'), 'it must have 1 to 128 letters, digits, dots, colons, dashes or underscores');
}

function allowedMethods(fields: Fields): TriggerOf<'webhook'>['allowedMethods'] {
  const list = fields.optionalList('allowedMethods', 'methods', 10);
  if (list === undefined) return undefined;
  if (list.length === 0) throw invalid(fields.at('allowedMethods'), 'it must name at least one method');
  const methods = list.map((item, index) => {
    const method = WEBHOOK_METHODS.find((one) => typeof item === 'string' && one === item.toUpperCase());
    if (method !== undefined) return method;
    throw invalid(`${fields.at('allowedMethods')}[${index}]`, `it must be one of ${WEBHOOK_METHODS.join(', ')}`);
  });
  return [...new Set(methods)];
}

function optionalObject(fields: Fields, name: string): JsonObject | undefined {
  const value = fields.raw(name);
  return value === undefined ? undefined : parseJsonObject(value, fields.at(name));
}

function newWebhookId(): string {
  return randomBytes(WEBHOOK_ID_BYTES).toString('base64url');
}
