/**
 * Errors in nodes that were sent in the palette's form. They name the fields that the client sent, not the record's
 * fields to which the palette maps them.
 */
import { HearthError } from '../../../kernel/errors.ts';
import type { SlicedWork } from '../../../kernel/slices.ts';
import type { Fields } from './fields.ts';

/**
 * Maps paths in the record's node to paths in the palette's node. The first match applies; '' is the node itself, for
 * a value made of several fields.
 */
type Moves = readonly (readonly [record: string, palette: string])[];

const FOR: Moves = [
  ['for.hours', 'forHours'],
  ['for.minutes', 'forMinutes'],
  ['for.seconds', 'forSeconds'],
  ['for', ''],
];

const MOVES: Readonly<Record<string, Moves>> = {
  device_changed: FOR,
  device_offline: [['to', 'availability'], ...FOR],
  schedule: [
    ['offset.minutes', 'offsetMinutes'],
    ['offset', 'offsetMinutes'],
  ],
  set_device: [['groupId', 'serviceGroupId']],
  if: [
    ['condition.conditions[0].expression', 'expression'],
    ['condition.conditions', 'rows'],
  ],
  wait: [
    ['timeout.seconds', 'timeoutSeconds'],
    ['timeout', 'timeoutSeconds'],
  ],
  sub_workflow: [['scriptId', 'automationId']],
  delay: [
    ['duration.hours', 'hours'],
    ['duration.minutes', 'minutes'],
    ['duration.seconds', 'seconds'],
    ['duration', ''],
  ],
  merge: [['mode', 'mergeMode']],
};

/** The bound of an `if` row; the record names it by its comparison. */
const ROW_BOUND = /^(.*rows\[(\d+)\])\.(?:above|below)$/;

/** @throws as `parse`, with the paths of the node as sent */
export function withOriginalPaths<T>(sent: Fields, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw withSentPlace(sent, error);
  }
}

/** The same for parsers that may pause. */
export function* inSentWordsSteps<T>(sent: Fields, parse: () => SlicedWork<T>): SlicedWork<T> {
  try {
    return yield* parse();
  } catch (error) {
    throw withSentPlace(sent, error);
  }
}

function withSentPlace(sent: Fields, error: unknown): unknown {
  if (!(error instanceof HearthError) || error.details.field === undefined) return error;
  const { field } = error.details;
  const place = sentPlace(sent, field);
  if (place === field) return error;
  return new HearthError(error.code, error.message.replaceAll(field, place), { ...error.details, field: place });
}

function sentPlace(sent: Fields, field: string): string {
  const type = sent.raw('type');
  const moves = typeof type === 'string' && Object.hasOwn(MOVES, type) ? (MOVES[type] ?? []) : [];
  for (const [record, palette] of moves) {
    const [first = ''] = record.split(/[.[]/);
    const from = sent.at(record);
    // If the client sent the record's field, the error keeps that name.
    if (sent.has(first) || !field.startsWith(from) || /^[^.[]/.test(field.slice(from.length))) continue;
    if (palette === '' && !moves.some(([, name]) => name !== '' && sent.has(name))) continue;
    const to = palette === '' ? sent.path : sent.at(palette);
    return sentBound(sent, `${to}${field.slice(from.length)}`);
  }
  return field;
}

function sentBound(sent: Fields, place: string): string {
  const [, row, index] = ROW_BOUND.exec(place) ?? [];
  if (row === undefined) return place;
  const rows = sent.raw('rows');
  const { value, threshold } = (Array.isArray(rows) ? rows[Number(index)] : {}) as Readonly<Record<string, unknown>>;
  return `${row}.${value !== undefined && threshold === undefined ? 'value' : 'threshold'}`;
}
