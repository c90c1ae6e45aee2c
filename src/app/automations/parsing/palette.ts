/**
 * Maps the names of the editor's palette (wire-facts §6.3) for triggers and actions to those of the record (§6.2)
 * before parsing: `device_changed` becomes `state` or `numeric_state`. Responses use the record's names only. This
 * file changes names only; the parsers validate the values.
 */

import { ACTION_FIELDS } from '../actions/common-fields.ts';
import { flatDuration } from './durations.ts';
import { invalid } from './faults.ts';
import { Fields } from './fields.ts';

type Rewrite = (fields: Fields) => Readonly<Record<string, unknown>>;

/** The common fields of every node, and its target. */
const TARGET = ['accessoryId', 'serviceGroupId', 'characteristicType'] as const;
const BASE = ['id', ...Object.keys(ACTION_FIELDS)];
const FOR = { hours: 'forHours', minutes: 'forMinutes', seconds: 'forSeconds' } as const;
const SECONDS_PER_MINUTE = 60;

const FILTER_MODES = ['any', 'value', 'above', 'below', 'range'] as const;
const ALL_FILTER_FIELDS = ['from', 'to', 'above', 'below'] as const;
/** The bounds that each mode uses: an editor keeps the values of the other modes. */
const FILTER_FIELDS: Readonly<Record<(typeof FILTER_MODES)[number], readonly (typeof ALL_FILTER_FIELDS)[number][]>> = {
  any: [],
  value: ['from', 'to'],
  above: ['above'],
  below: ['below'],
  range: ['above', 'below'],
};

const TRIGGERS: Readonly<Record<string, Rewrite>> = {
  device_changed(fields) {
    const mode = fields.optionalOneOf('filterMode', FILTER_MODES) ?? impliedMode(fields);
    const bounds = pick(fields, ALL_FILTER_FIELDS);
    const counted = Object.fromEntries(FILTER_FIELDS[mode].map((name) => [name, bounds[name]]));
    const type = mode === 'any' || mode === 'value' ? 'state' : 'numeric_state';
    return { type, ...pick(fields, TARGET), ...counted, for: fields.raw('for') ?? flatDuration(fields, FOR) };
  },

  schedule(fields) {
    const mode = fields.optionalOneOf('scheduleMode', ['time', 'interval', 'sun']) ?? 'time';
    const time = pick(fields, ['at', 'weekdays']);
    const interval = pick(fields, ['hours', 'minutes', 'seconds']);
    const sun = { event: fields.raw('event'), offset: fields.raw('offset') ?? minutesOf(fields, 'offsetMinutes') };
    if (mode === 'time') return { type: 'time', ...time };
    return mode === 'interval' ? { type: 'time_pattern', ...interval } : { type: 'sun', ...sun };
  },

  error(fields) {
    const automationId = fields.optionalText('watchAutomationId');
    const eventData = automationId ? { automationId: automationId.toLowerCase() } : undefined;
    return { type: 'event', eventType: 'automation.error', eventData };
  },

  device_offline: (fields) => ({
    type: 'device_availability',
    ...pick(fields, ['accessoryId']),
    to: AVAILABILITY.get(fields.optionalText('availability') ?? 'offline') ?? fields.raw('availability'),
    for: fields.raw('for') ?? flatDuration(fields, FOR),
  }),
};

const AVAILABILITY: ReadonlyMap<string, string> = new Map([
  ['offline', 'unavailable'],
  ['online', 'available'],
]);

const ACTIONS: Readonly<Record<string, Rewrite>> = {
  set_device(fields) {
    const { serviceGroupId, ...rest } = pick(fields, [...TARGET, 'value']);
    if (serviceGroupId === undefined) return { type: 'set_characteristic', ...rest };
    const { accessoryId, ...setting } = rest;
    if (accessoryId !== undefined) throw invalid(fields.at('serviceGroupId'), 'give it or accessoryId, not both');
    return { type: 'set_service_group', groupId: serviceGroupId, ...setting };
  },

  run_scene: (fields) => ({ type: 'execute_scene', ...pick(fields, ['sceneId', 'homeId']) }),

  http_request: (fields) => ({
    type: 'fire_webhook',
    ...pick(fields, ['url', 'headers', 'body']),
    method: fields.raw('method') ?? 'GET',
  }),

  if: (fields) => ({
    type: 'if_then_else',
    ...pick(fields, ['then', 'else']),
    condition: fields.raw('condition') ?? conditionOf(fields),
  }),

  wait(fields) {
    const rest = pick(fields, ['triggers', 'expression', 'continueOnTimeout']);
    const seconds = fields.raw('timeoutSeconds');
    const timeout = fields.raw('timeout') ?? (seconds === undefined ? undefined : { seconds });
    return { type: rest.expression === undefined ? 'wait_for_trigger' : 'wait_for_template', ...rest, timeout };
  },

  sub_workflow: (fields) => ({
    type: 'call_script',
    scriptId: fields.raw('automationId'),
    ...pick(fields, ['variables', 'responseVariable']),
  }),

  // Both use the same type; the palette has the parts as separate fields.
  delay(fields) {
    const parts = pick(fields, ['hours', 'minutes', 'seconds']);
    return { type: 'delay', duration: fields.raw('duration') ?? (Object.keys(parts).length > 0 ? parts : undefined) };
  },

  merge: (fields) => ({
    type: 'merge',
    ...pick(fields, ['combineKey', 'inputIds']),
    mode: fields.raw('mode') ?? fields.raw('mergeMode'),
  }),
};

/** The rows of the palette's `if`: each becomes a condition of the record. */
const ROW_TYPES: Readonly<Record<string, 'state' | 'above' | 'below'>> = {
  eq: 'state',
  neq: 'state',
  above: 'above',
  below: 'below',
};

export const TRIGGER_ALIASES: readonly string[] = Object.keys(TRIGGERS);
export const ACTION_ALIASES: readonly string[] = Object.keys(ACTIONS);

/** @throws `invalid_request` a field that the palette's node does not have · `invalid_value` */
export function toCanonicalTrigger(fields: Fields): Fields {
  return rewritten(fields, TRIGGERS, 'trigger');
}

/** @throws as `toCanonicalTrigger` */
export function toCanonicalAction(fields: Fields): Fields {
  return rewritten(fields, ACTIONS, 'action');
}

function rewritten(fields: Fields, table: Readonly<Record<string, Rewrite>>, what: string): Fields {
  const type = fields.raw('type');
  const rewrite = typeof type === 'string' && Object.hasOwn(table, type) ? table[type] : undefined;
  if (!rewrite) return fields;
  const base = pick(fields, BASE);
  const node = rewrite(fields);
  fields.done();
  return new Fields({ ...base, ...node }, fields.path, what);
}

function pick<K extends string>(fields: Fields, names: readonly K[]): { [P in K]?: unknown } {
  const entries = names.map((name) => [name, fields.raw(name)] as const).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [P in K]?: unknown };
}

function impliedMode(fields: Fields): (typeof FILTER_MODES)[number] {
  const [above, below] = [fields.has('above'), fields.has('below')];
  if (above && below) return 'range';
  if (above || below) return above ? 'above' : 'below';
  return fields.has('from') || fields.has('to') ? 'value' : 'any';
}

/** A duration in minutes; parts may exceed an hour. */
function minutesOf(fields: Fields, name: string): unknown {
  const minutes = fields.optionalNumber(name, { min: -12 * SECONDS_PER_MINUTE, max: 12 * SECONDS_PER_MINUTE });
  return minutes === undefined ? undefined : { minutes };
}

/** Rows that `and` or `or` joins, or one expression. */
function conditionOf(fields: Fields): unknown {
  const expression = fields.raw('expression');
  const rows = fields.optionalList('rows', 'conditions', 100);
  const operator = fields.optionalOneOf('join', ['and', 'or']) ?? 'and';
  if (expression !== undefined) return { operator: 'and', conditions: [{ type: 'template', expression }] };
  if (rows === undefined) return undefined;
  return { operator, conditions: rows.map((row, index) => rowCondition(row, `${fields.at('rows')}[${index}]`)) };
}

function rowCondition(input: unknown, path: string): unknown {
  const fields = new Fields(input, path, 'row');
  const operator = fields.optionalOneOf('operator', Object.keys(ROW_TYPES)) ?? 'eq';
  const target = pick(fields, TARGET);
  const value = fields.raw('value');
  const threshold = fields.raw('threshold') ?? value;
  fields.done();
  const kind = ROW_TYPES[operator];
  if (kind !== 'state') return { type: 'numeric_state', ...target, [operator]: threshold };
  return { type: 'state', ...target, value, ...(operator === 'neq' && { operator }) };
}
