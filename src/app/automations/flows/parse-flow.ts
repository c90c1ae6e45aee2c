/**
 * A flow, from what a client sends to what is kept. Everything is checked here, so that what is kept could run at once; what has
 * become of it since, a run finds out. What reads back is canonical, and parses to itself.
 */
import { endsInLetterOrNumber, parseName, suggestEnding } from '../../../home/names.ts';
import { HearthError } from '../../../kernel/errors.ts';
import { type FlowDefinition, RUN_MODES } from '../flow.ts';
import { requireNoCycle } from './cycles.ts';
import { fault, invalid } from './faults.ts';
import { Fields } from './fields.ts';
import { parseJsonObject } from './json.ts';
import { parseActionList } from './parse-actions.ts';
import { parseConditionBlock } from './parse-conditions.ts';
import { parseTriggerList } from './parse-triggers.ts';
import { type ParseContext, Parsing } from './parsing.ts';

export interface ParsedFlow {
  readonly name: string;
  readonly enabled: boolean;
  readonly definition: FlowDefinition;
}

/** Of a flow as JSON. */
const MAX_BYTES = 256 * 1024;
const DEFAULT_MAX_RUNNING = 10;
const MAX_RUNNING = 100;
/** The parsers know their own bounds; these only keep lists from being walked for nothing. */
const MAX_LIST = 500;

/** Shown with every flow; clients that change one send the others back as they got them. */
const SHOWN_ONLY = ['metadata', 'version'] as const;

/**
 * @throws `invalid_request` a field is missing or unknown · `invalid_value` · `accessory_not_found`, `service_group_not_found`,
 *         `scene_not_found`, `automation_not_found`, `person_not_found` none of the home · `characteristic_not_found` ·
 *         `characteristic_not_writable`. Each names the path of its field, in `details.field` too.
 */
export function parseFlow(input: unknown, context: ParseContext): ParsedFlow {
  requireBounded(input);
  const fields = new Fields(input, '', 'data');
  for (const name of SHOWN_ONLY) fields.raw(name);
  const before = context.flowId === null ? undefined : context.flows(context.flowId);
  requireSame(fields, 'id', before?.id);
  requireSame(fields, 'homeId', context.homeId);
  const parsing = new Parsing(input, context);
  const flow = {
    name: parseFlowName(fields.required('name', 'a text')),
    enabled: fields.boolean('enabled', before?.enabled ?? true),
    definition: parseDefinition(fields, parsing),
  };
  fields.done();
  parsing.finish();
  requireNoCycle(flow, context);
  return flow;
}

/** @throws `invalid_value` with a name that would do */
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

function parseDefinition(fields: Fields, parsing: Parsing): FlowDefinition {
  const triggers = parseTriggerList(fields.optionalList('triggers', 'triggers', MAX_LIST) ?? [], 'triggers', parsing);
  for (const [index, { type }] of triggers.entries()) {
    if (type !== 'duration') continue;
    throw invalid(
      `triggers[${index}].type`,
      'duration only ends a wait; to begin with a time, use time or time_pattern',
    );
  }
  const uiState = fields.raw('uiState');
  return {
    description: fields.optionalText('description') ?? null,
    mode: fields.optionalOneOf('mode', RUN_MODES) ?? 'single',
    maxRunning: fields.optionalNumber('maxRunning', { min: 1, max: MAX_RUNNING, integer: true }) ?? DEFAULT_MAX_RUNNING,
    triggers,
    conditions: parseConditionBlock(fields.raw('conditions'), 'conditions', parsing),
    actions: parseActionList(fields.list('actions', 'actions', MAX_LIST), 'actions', parsing),
    variables: parsing.variables(fields, 'variables', false) ?? {},
    blueprintId: fields.optionalText('blueprintId') ?? null,
    uiState: uiState === undefined ? null : parseJsonObject(uiState, 'uiState'),
  };
}

/** @throws `invalid_value` it is too big, or no JSON at all */
function requireBounded(input: unknown): void {
  let text: string | undefined;
  try {
    text = JSON.stringify(input);
  } catch {
    throw new HearthError('invalid_value', 'A flow must be JSON that is not nested without end.', { field: 'data' });
  }
  const bytes = Buffer.byteLength(text ?? '');
  if (bytes <= MAX_BYTES) return;
  throw new HearthError(
    'invalid_value',
    `A flow may have ${MAX_BYTES / 1024} KiB as JSON; this has ${Math.ceil(bytes / 1024)} KiB. Split it into several.`,
    { field: 'data' },
  );
}

/** Of what clients send back as they got it. A new flow gets an id of its own, whatever was sent. */
function requireSame(fields: Fields, name: 'id' | 'homeId', expected: string | undefined): void {
  const given = fields.optionalText(name)?.toLowerCase();
  if (given === undefined || expected === undefined || given === expected) return;
  const code = name === 'id' ? 'automation_not_found' : 'home_not_found';
  throw fault(code, name, 'it is of another one; leave it out');
}
