/**
 * A draft: an automation as the editor has it, before it is stored as a native automation or as a flow. It is the
 * record of a flow, and in addition the triggers that end it (`until`) and whether it acts once (`executeOnce`).
 */
import { HearthError } from '../../../kernel/errors.ts';
import type { FlowContext } from '../flows/flow-context.ts';
import { isSmallFlow, type ParsedFlow, parseFlow, parseFlowInSlices } from '../flows/parse-flow.ts';
import { invalid } from '../parsing/faults.ts';
import type { Trigger } from '../triggers/index.ts';

export interface AutomationDraft extends ParsedFlow {
  /** Any of them ends it: then the values before its actions are restored. */
  readonly until: readonly Trigger[];
  /** It is disabled after it has acted. */
  readonly executeOnce: boolean;
}

const UNTIL = 'until';

/**
 * Lets the event loop run between slices while a large draft is parsed.
 * @throws as `parseFlow`; errors in `until` name their path in it
 */
export async function parseDraft(input: unknown, context: FlowContext): Promise<AutomationDraft> {
  const { data, actions, finish } = readDraft(input);
  const parse = () => (isSmallFlow(data) ? parseFlow(data, context) : parseFlowInSlices(data, context));
  return finish(await withPathsOfDraft(actions, parse));
}

/** At once, for drafts of native automations, which are small. @throws as `parseFlow` */
export function parseSmallDraft(input: object, context: FlowContext): AutomationDraft {
  const { data, finish } = readDraft(input);
  return finish(parseFlow(data, context));
}

function readDraft(input: unknown) {
  const { until, executeOnce, ...flow } = isObject(input) ? input : {};
  const actions = Array.isArray(flow.actions) ? flow.actions : undefined;
  const isEnding = actions !== undefined && hasItems(until);
  const finish = (parsed: ParsedFlow): AutomationDraft => {
    const once = { executeOnce: parseFlag(executeOnce) };
    const wait = isEnding ? parsed.definition.actions.at(-1) : undefined;
    if (wait?.type !== 'wait_for_trigger') return { ...parsed, until: [], ...once };
    const definition = { ...parsed.definition, actions: parsed.definition.actions.slice(0, -1) };
    return { ...parsed, definition, until: wait.triggers, ...once };
  };
  const data = isEnding ? withWait(flow, actions, until) : isObject(input) ? flow : input;
  return { data, actions, finish };
}

/** The ends are parsed like those of a wait after the last action. */
function withWait(flow: object, actions: readonly unknown[], triggers: readonly unknown[]): object {
  return { ...flow, actions: [...actions, { type: 'wait_for_trigger', triggers }] };
}

/** @throws `invalid_value` it is not a list */
function hasItems(until: unknown): until is readonly unknown[] {
  if (until === undefined || until === null) return false;
  if (!Array.isArray(until)) throw invalid(UNTIL, 'it must be a list of triggers');
  return until.length > 0;
}

function parseFlag(input: unknown): boolean {
  if (input === undefined || input === null) return false;
  if (typeof input === 'boolean') return input;
  throw invalid('executeOnce', 'it must be true or false');
}

async function withPathsOfDraft<T>(actions: unknown, parse: () => T | Promise<T>): Promise<T> {
  try {
    return await parse();
  } catch (error) {
    const place = `actions[${Array.isArray(actions) ? actions.length : 0}].triggers`;
    if (!(error instanceof HearthError) || !error.details.field?.startsWith(place)) throw error;
    const { field, ...details } = error.details;
    const message = error.message.replaceAll(place, UNTIL);
    throw new HearthError(error.code, message, { ...details, field: field.replace(place, UNTIL) });
  }
}

export function isObject(input: unknown): input is Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}
