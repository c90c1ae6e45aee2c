/**
 * Parses a flow from client input to stored form. All validation happens here, so that a stored flow can run at once;
 * a run detects later changes of the home. The stored form is canonical, and parses to itself.
 */

import { RUN_MODES } from '../../../contract/flows.ts';
import { endsInLetterOrNumber, parseName, suggestEnding } from '../../../home/names.ts';
import { DEFAULT_MAX_RUNNING, MAX_RUNNING } from '../../../home/vocabulary/limits.ts';
import { HearthError } from '../../../kernel/errors.ts';
import { atOnce, inSlices, type SlicedWork } from '../../../kernel/slices.ts';
import { parseActionList } from '../actions/parse-actions.ts';
import { parseConditionBlock } from '../conditions/parse-conditions.ts';
import type { FlowDefinition } from '../flow.ts';
import { fault, invalid } from '../parsing/faults.ts';
import { Fields } from '../parsing/fields.ts';
import { hasAtMost, parseJsonObject } from '../parsing/json.ts';
import { Parsing } from '../parsing/parsing.ts';
import { parseTriggerList } from '../triggers/parse-triggers.ts';
import { CheckedExpressions } from './checked-expressions.ts';
import { requireNoCycle } from './cycles.ts';
import type { FlowContext } from './flow-context.ts';

export interface ParsedFlow {
  readonly name: string;
  readonly enabled: boolean;
  readonly definition: FlowDefinition;
}

/** The size of a flow as JSON. */
const MAX_BYTES = 256 * 1024;
/** A flow of this size takes some milliseconds to parse. */
const SMALL_BYTES = 16 * 1024;
/** Texts, numbers, lists and objects in a flow. The largest flow of 500 actions has about half of them. */
export const MAX_VALUES = 25_000;
/** The parsers check their own limits; this one avoids iterating over long lists in vain. */
const MAX_LIST = 500;

/** Read-only fields of every flow; clients that change a flow send them back unchanged. */
const SHOWN_ONLY = ['metadata', 'version'] as const;

/**
 * @throws `invalid_request` a field is missing or unknown · `invalid_value` · `accessory_not_found`,
 * `service_group_not_found`, `scene_not_found`, `automation_not_found`, `person_not_found` not in the home ·
 * `characteristic_not_found` · `characteristic_not_writable`. Each names the path of its field, in `details.field`
 * too.
 */
export function parseFlow(input: unknown, context: FlowContext): ParsedFlow {
  return atOnce(parseSteps(input, context));
}

/**
 * As `parseFlow`, but lets the event loop run between slices. The last slice checks everything that must not change
 * until the flow is saved.
 * @throws as `parseFlow`
 */
export async function parseFlowInSlices(input: unknown, context: FlowContext): Promise<ParsedFlow> {
  const expressions = new CheckedExpressions(context.expressions);
  await inSlices(checkBounded(input, expressions));
  return inSlices(parseSteps(input, { ...context, expressions }));
}

/** Whether a flow can be parsed without a noticeable pause. @throws `invalid_value` it is too big, or is not JSON */
export function isSmallFlow(input: unknown): boolean {
  return requireBounded(input) <= SMALL_BYTES;
}

function* checkBounded(input: unknown, expressions: CheckedExpressions): SlicedWork<void> {
  requireBounded(input);
  yield;
  yield* expressions.checkAll(input);
}

function* parseSteps(input: unknown, context: FlowContext): SlicedWork<ParsedFlow> {
  requireBounded(input);
  yield;
  const fields = new Fields(input, '', 'data');
  for (const name of SHOWN_ONLY) fields.raw(name);
  const before = context.flowId === null ? undefined : context.flows(context.flowId);
  requireSame(fields, 'id', before?.id);
  requireSame(fields, 'homeId', context.homeId);
  const parsing = new Parsing(input, context);
  yield;
  const flow = {
    name: parseFlowName(fields.required('name', 'a text')),
    enabled: fields.boolean('enabled', before?.enabled ?? true),
    definition: yield* parseDefinition(fields, parsing),
  };
  yield;
  fields.done();
  parsing.finish();
  requireNoCycle(flow, context);
  return flow;
}

/** @throws `invalid_value` suggesting a valid name */
export function parseFlowName(input: unknown): string {
  const name = named(() => parseName(input, 'Flow name'));
  if (endsInLetterOrNumber(name)) return name;
  const suggestion = suggestEnding(name);
  const advice = suggestion === '' ? '' : `; "${suggestion}" would do`;
  throw new HearthError('invalid_value', `Flow name must end with a letter or a number${advice}`, {
    reason: 'bad_name_end',
    field: 'name',
  });
}

function named<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof HearthError)) throw error;
    throw new HearthError(error.code, error.message, { field: 'name' });
  }
}

function* parseDefinition(fields: Fields, parsing: Parsing): SlicedWork<FlowDefinition> {
  const triggers = parseTriggerList(fields.optionalList('triggers', 'triggers', MAX_LIST) ?? [], 'triggers', parsing);
  for (const [index, { type }] of triggers.entries()) {
    if (type !== 'duration') continue;
    throw invalid(
      `triggers[${index}].type`,
      'duration only ends a wait; to begin with a time, use time or time_pattern',
    );
  }
  yield;
  const uiState = fields.raw('uiState');
  const parsedUiState = uiState === undefined ? null : parseJsonObject(uiState, 'uiState');
  yield;
  const conditions = parseConditionBlock(fields.raw('conditions'), 'conditions', parsing);
  yield;
  return {
    description: fields.optionalText('description') ?? null,
    mode: fields.optionalOneOf('mode', RUN_MODES) ?? 'single',
    maxRunning: fields.optionalNumber('maxRunning', { min: 1, max: MAX_RUNNING, integer: true }) ?? DEFAULT_MAX_RUNNING,
    triggers,
    conditions,
    actions: yield* parseActionList(fields.list('actions', 'actions', MAX_LIST), 'actions', parsing),
    variables: parsing.variables(fields, 'variables', false) ?? {},
    blueprintId: fields.optionalText('blueprintId') ?? null,
    uiState: parsedUiState,
  };
}

/** @returns its size as JSON. @throws `invalid_value` it is too big, or is not JSON */
function requireBounded(input: unknown): number {
  let text: string | undefined;
  try {
    text = JSON.stringify(input);
  } catch {
    throw new HearthError('invalid_value', 'A flow must be JSON that is not nested without end.', { field: 'data' });
  }
  if (!hasAtMost(MAX_VALUES, input)) {
    throw new HearthError(
      'invalid_value',
      `A flow may have ${MAX_VALUES.toLocaleString('en')} values. Split it into several.`,
      { field: 'data' },
    );
  }
  const bytes = Buffer.byteLength(text ?? '');
  if (bytes <= MAX_BYTES) return bytes;
  throw new HearthError(
    'invalid_value',
    `A flow may have ${MAX_BYTES / 1024} KiB as JSON; this has ${Math.ceil(bytes / 1024)} KiB. Split it into several.`,
    { field: 'data' },
  );
}

/** Fields that clients send back unchanged. A new flow gets a new id, regardless of the input. */
function requireSame(fields: Fields, name: 'id' | 'homeId', expected: string | undefined): void {
  const given = fields.optionalText(name)?.toLowerCase();
  if (given === undefined || expected === undefined || given === expected) return;
  const code = name === 'id' ? 'automation_not_found' : 'home_not_found';
  throw fault(code, name, 'it is of another one; leave it out');
}
