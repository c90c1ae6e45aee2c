/** Events that fire a native automation or end it. One entry per kind: its fields and its parsed form. */
import { PRESENCE_EVENTS, SIGNIFICANT_EVENTS } from '../../../contract/automations.ts';
import { nextCalendar } from '../../../home/schedule/next-calendar.ts';
import { zoneOf } from '../../../home/schedule/time-zones.ts';
import type { NativeEvent, NativeEventType } from './automation.ts';
import { fault, NativeFields, type NumberBounds, parseNumber } from './fields.ts';
import type { NativeContext } from './native-context.ts';
import { parseCharacteristic, parseCharacteristicValue, requireNumbers } from './parse-characteristic.ts';
import { parseMoment } from './parse-components.ts';
import { parseWho, WHO_FIELDS } from './parse-who.ts';

/** More than any home needs, and few enough to watch each of them. */
const MAX_EVENTS = 50;

/** The maximum useful distance from sunrise or sunset. */
const OFFSET: NumberBounds = { min: -720, max: 720, integer: true };
/** At most a day, as for delays. */
const DURATION_S: NumberBounds = { min: 1, max: 86_400 };
const THRESHOLD: NumberBounds = { min: -Number.MAX_VALUE, max: Number.MAX_VALUE };
const LATITUDE: NumberBounds = { min: -90, max: 90 };
const LONGITUDE: NumberBounds = { min: -180, max: 180 };
/** Metres: from a doorstep to a country. */
const RADIUS: NumberBounds = { min: 1, max: 1_000_000 };

interface NativeEventParser {
  readonly fields: readonly string[];
  parse(fields: NativeFields, context: NativeContext): NativeEvent;
}

const PARSERS: Readonly<Record<NativeEventType, NativeEventParser>> = {
  characteristic: {
    fields: ['accessoryId', 'accessoryName', 'characteristicType', 'triggerValue', 'thresholdMin', 'thresholdMax'],
    parse: parseCharacteristicEvent,
  },
  significantTime: {
    fields: ['significantEvent', 'offsetMinutes'],
    parse: (fields) => ({
      type: 'significantTime',
      significantEvent: fields.oneOf('significantEvent', SIGNIFICANT_EVENTS),
      offsetMinutes: fields.optionalNumber('offsetMinutes', OFFSET) ?? 0,
    }),
  },
  calendar: { fields: ['calendarComponents'], parse: parseCalendar },
  duration: {
    fields: ['durationSeconds'],
    parse: (fields) => ({ type: 'duration', durationSeconds: fields.number('durationSeconds', DURATION_S) }),
  },
  location: {
    fields: ['latitude', 'longitude', 'radius', 'notifyOnEntry', 'notifyOnExit'],
    parse: parseLocation,
  },
  presence: {
    fields: ['presenceEvent', ...WHO_FIELDS],
    parse: (fields, context) => ({
      type: 'presence',
      presenceEvent: fields.oneOf('presenceEvent', PRESENCE_EVENTS),
      who: parseWho(fields, context),
    }),
  },
};

const TYPES = Object.keys(PARSERS) as NativeEventType[];
const ALL_FIELDS = Object.values(PARSERS).flatMap(({ fields }) => fields);

/** A trigger's `events` or `endEvents`. @throws as `parseTrigger` */
export function parseEvents(
  trigger: NativeFields,
  name: 'events' | 'endEvents',
  context: NativeContext,
): readonly NativeEvent[] {
  const seen = new Map<string, string>();
  return trigger.entries(name, MAX_EVENTS).map((input, index) => {
    const path = `${trigger.at(name)}[${index}]`;
    const event = parseEvent(new NativeFields(input, path, 'an event'), context);
    if (event.type === 'duration' && name === 'events') {
      throw fault(`${path}.type`, 'a duration can only end an automation; put it into endEvents');
    }
    const key = JSON.stringify(event);
    const earlier = seen.get(key);
    if (earlier !== undefined) throw fault(path, `${earlier} is the same event; keep one of the two`);
    seen.set(key, path);
    return event;
  });
}

function parseEvent(fields: NativeFields, context: NativeContext): NativeEvent {
  const type = fields.oneOf('type', TYPES);
  const { fields: own, parse } = PARSERS[type];
  fields.allow(['type', ...own], `an event of type ${type}`, ALL_FIELDS);
  return parse(fields, context);
}

function parseCharacteristicEvent(fields: NativeFields, { home, state }: NativeContext): NativeEvent {
  const { accessoryId, characteristicType, characteristic } = parseCharacteristic(fields, home.id, state);
  const place = { type: 'characteristic', accessoryId, characteristicType } as const;
  const thresholds = ['thresholdMin', 'thresholdMax'].filter((name) => fields.has(name));
  if (fields.has('triggerValue')) {
    const [threshold] = thresholds;
    if (threshold !== undefined) throw fault(fields.at(threshold), 'give this or triggerValue, not both');
    return { ...place, triggerValue: parseCharacteristicValue(fields, 'triggerValue', characteristic) };
  }
  if (thresholds.length === 0) return place;
  requireNumbers(characteristic, fields.at(thresholds[0] ?? ''));
  const [min, max] = [
    fields.optionalNumber('thresholdMin', THRESHOLD),
    fields.optionalNumber('thresholdMax', THRESHOLD),
  ];
  if (min !== undefined && max !== undefined && min > max) {
    throw fault(fields.at('thresholdMax'), `must not be less than thresholdMin, which is ${min}`);
  }
  return {
    ...place,
    ...(min !== undefined && { thresholdMin: min }),
    ...(max !== undefined && { thresholdMax: max }),
  };
}

function parseCalendar(fields: NativeFields, { home, now }: NativeContext): NativeEvent {
  const field = fields.at('calendarComponents');
  const components = parseMoment(fields.required('calendarComponents', 'parts of a date such as {"hour":7}'), field);
  if (nextCalendar(components, zoneOf(home), now) === null) {
    throw fault(field, 'no moment to come has these');
  }
  return { type: 'calendar', components };
}

function parseLocation(fields: NativeFields): NativeEvent {
  const latitude = parseNumber(fields.required('latitude', 'degrees'), fields.at('latitude'), LATITUDE);
  const longitude = parseNumber(fields.required('longitude', 'degrees'), fields.at('longitude'), LONGITUDE);
  const radius = parseNumber(fields.required('radius', 'metres'), fields.at('radius'), RADIUS);
  const notifyOnEntry = fields.boolean('notifyOnEntry', !fields.has('notifyOnExit'));
  const notifyOnExit = fields.boolean('notifyOnExit', false);
  if (!notifyOnEntry && !notifyOnExit) {
    throw fault(fields.at('notifyOnEntry'), 'one of notifyOnEntry and notifyOnExit must be true');
  }
  return { type: 'location', latitude, longitude, radius, notifyOnEntry, notifyOnExit };
}
