/**
 * Parses actions from client input to stored form: the common fields and nested lists here, the others as their kinds
 * declare them.
 */
import { nearest } from '../../../kernel/nearest.ts';
import type { SlicedWork } from '../../../kernel/slices.ts';
import { invalid } from '../parsing/faults.ts';
import { NodeInput, readFields, unknownType } from '../parsing/field.ts';
import { Fields } from '../parsing/fields.ts';
import { ACTION_ALIASES, toCanonicalAction } from '../parsing/palette.ts';
import { inSentWordsSteps } from '../parsing/palette-paths.ts';
import type { Parsing } from '../parsing/parsing.ts';
import { ACTION_FIELDS } from './common-fields.ts';
import { ACTION_TYPES, type Action, type ActionType, kindOf } from './index.ts';

/** Types that other systems have, with advice on what to use instead. */
const REFUSED: Readonly<Record<string, string>> = {
  code: 'code actions do not exist here, because no program text is run in the home; use expressions in {{ }} instead, in a variables action for instance',
  sticky_note: 'notes are no actions; they belong into uiState.stickyNotes',
};

/**
 * A list of actions; may pause before each. @throws `invalid_request` · `invalid_value` · `accessory_not_found` …,
 * each with the path of the field
 */
export function* parseActionList(
  input: readonly unknown[],
  path: string,
  parsing: Parsing,
): SlicedWork<readonly Action[]> {
  return yield* parsing.nestedSteps(path, function* () {
    const actions: Action[] = [];
    for (const [index, item] of input.entries()) {
      yield;
      const sent = new Fields(item, `${path}[${index}]`, 'action');
      actions.push(yield* inSentWordsSteps(sent, () => parseAction(toCanonicalAction(sent), parsing)));
    }
    return actions;
  });
}

function* parseAction(fields: Fields, parsing: Parsing): SlicedWork<Action> {
  const type = parseType(fields);
  const node = new NodeInput(fields, parsing, (list, path) => parseActionList(list, path, parsing));
  const common = yield* readFields(ACTION_FIELDS, node);
  const id = parsing.actionId(fields, type);
  const own = yield* readFields(kindOf({ type }).fields, node);
  fields.done();
  return { id, type, ...common, ...own } as Action;
}

function parseType(fields: Fields): ActionType {
  const given = fields.text('type', 'the type of the action');
  const type = ACTION_TYPES.find((one) => one === given);
  if (type !== undefined) return type;
  const refusal = Object.hasOwn(REFUSED, given) ? REFUSED[given] : undefined;
  if (refusal !== undefined) throw invalid(fields.at('type'), refusal);
  throw unknownType(fields, 'action', ACTION_TYPES, nearest(given, [...ACTION_TYPES, ...ACTION_ALIASES]));
}
