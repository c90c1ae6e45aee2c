/**
 * Faults in nodes that were sent in the editor's words: they name the fields that were sent, not those of the record into which the
 * palette has put them.
 */
import { HearthError } from '../../../kernel/errors.ts';
import type { Fields } from './fields.ts';

/**
 * Where something is in the record's node, and where the palette's node has it. The first that fits counts; '' is the node itself, for
 * what several of its fields make up.
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

/** The bound of a row of an `if`, which the record names by what it does. */
const ROW_BOUND = /^(.*rows\[(\d+)\])\.(?:above|below)$/;

/** @throws as `parse`, with the places of the node as it was sent */
export function inSentWords<T>(sent: Fields, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof HearthError) || error.details.field === undefined) throw error;
    const { field } = error.details;
    const place = sentPlace(sent, field);
    if (place === field) throw error;
    throw new HearthError(error.code, error.message.replaceAll(field, place), { ...error.details, field: place });
  }
}

function sentPlace(sent: Fields, field: string): string {
  const type = sent.raw('type');
  const moves = typeof type === 'string' && Object.hasOwn(MOVES, type) ? (MOVES[type] ?? []) : [];
  for (const [record, palette] of moves) {
    const [first = ''] = record.split(/[.[]/);
    const from = sent.at(record);
    // Who sent the record's word is told of that.
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
