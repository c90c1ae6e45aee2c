/** Parsers of the actions that control a run: waits, branches, repeats, variables, stops. */
import type { Steps } from '../../../kernel/slices.ts';
import { parseConditionBlock } from '../conditions/parse-conditions.ts';
import type { TemplateDuration, TemplateNumber } from '../field-types.ts';
import type { Action, ActionOf } from '../flow.ts';
import { MAX_DELAY_MS, MAX_ROUNDS } from '../limits.ts';
import { MAX_HOLD_MS, parseTemplateDuration } from '../parsing/durations.ts';
import { invalid } from '../parsing/faults.ts';
import { Fields, given } from '../parsing/fields.ts';
import { hasTemplate, type Parsing } from '../parsing/parsing.ts';
import { parseTriggerList } from '../triggers/parse-triggers.ts';
import type { ActionParsers, ParseNested } from './action-parser.ts';
import { optionalCount } from './device-actions.ts';
import { optionalVariable } from './home-actions.ts';

type LogicActions =
  | 'delay'
  | 'wait_for_trigger'
  | 'wait_for_template'
  | 'choose'
  | 'if_then_else'
  | 'repeat'
  | 'parallel'
  | 'variables'
  | 'stop'
  | 'merge';

const MAX_BRANCHES = 50;
/** The limit of the whole flow is lower. */
const MAX_LIST = 500;

export const LOGIC_ACTIONS: ActionParsers<LogicActions> = {
  delay: (fields, parsing) => ({
    duration: parseTemplateDuration(
      fields.required('duration', '{hours, minutes, seconds}'),
      fields.at('duration'),
      { maxMs: MAX_DELAY_MS },
      parsing,
    ),
  }),

  wait_for_trigger(fields, parsing) {
    const list = fields.list('triggers', 'triggers', MAX_LIST);
    if (list.length === 0) throw invalid(fields.at('triggers'), 'it must have at least one trigger to wait for');
    return given({
      triggers: parseTriggerList(list, fields.at('triggers'), parsing),
      ...parseTimeout(fields, parsing),
    });
  },

  wait_for_template: (fields, parsing) =>
    given({
      expression: parsing.expression(fields.text('expression', 'an expression'), fields.at('expression')),
      ...parseTimeout(fields, parsing),
    }),

  *choose(fields, parsing, nested) {
    const list = fields.list('choices', 'choices', MAX_BRANCHES);
    if (list.length === 0) throw invalid(fields.at('choices'), 'it must have at least one choice');
    const choices: ActionOf<'choose'>['choices'][number][] = [];
    for (const [index, item] of list.entries()) {
      choices.push(yield* parseChoice(item, `${fields.at('choices')}[${index}]`, parsing, nested));
    }
    return given({ choices, default: fields.has('default') ? yield* actionsOf(fields, 'default', nested) : undefined });
  },

  *if_then_else(fields, parsing, nested) {
    return {
      condition: requiredBlock(fields, 'condition', parsing),
      // biome-ignore lint/suspicious/noThenProperty: the record's name (wire-facts §6.2) for a list, never awaited
      then: yield* actionsOf(fields, 'then', nested),
      else: yield* actionsOf(fields, 'else', nested),
    };
  },

  *repeat(fields, parsing, nested) {
    const mode = fields.oneOf('mode', ['count', 'while', 'until', 'for_each']);
    const rest = { sequence: yield* actionsOf(fields, 'sequence', nested) };
    switch (mode) {
      case 'count':
        return { mode, count: parseRounds(fields, parsing), ...rest };
      case 'while':
        return { mode, whileCondition: requiredBlock(fields, 'whileCondition', parsing), ...rest };
      case 'until':
        return { mode, untilCondition: requiredBlock(fields, 'untilCondition', parsing), ...rest };
      case 'for_each':
        return { mode, forEachItems: parseItems(fields, parsing), ...rest };
    }
  },

  *parallel(fields, _parsing, nested) {
    const list = fields.list('branches', 'branches, each a list of actions', MAX_BRANCHES);
    const branches: (readonly Action[])[] = [];
    for (const [index, branch] of list.entries()) {
      const path = `${fields.at('branches')}[${index}]`;
      if (!Array.isArray(branch)) throw invalid(path, 'it must be a list of actions');
      branches.push(yield* nested(branch, path));
    }
    return { branches };
  },

  variables(fields, parsing) {
    fields.required('variables', 'an object with a value for each name');
    return { variables: parsing.variables(fields, 'variables', true) ?? {} };
  },

  stop: (fields, parsing) =>
    given({
      reason: parsing.optionalTemplate(fields, 'reason'),
      error: fields.boolean('error', false),
      responseVariable: optionalVariable(fields, 'responseVariable'),
    }),

  merge(fields, parsing) {
    const mode = fields.optionalOneOf('mode', ['append', 'combine', 'wait_all']) ?? 'append';
    const combineKey = fields.optionalText('combineKey') || undefined;
    return given({ mode, combineKey, inputIds: parseInputIds(fields, parsing) });
  },
};

function parseTimeout(
  fields: Fields,
  parsing: Parsing,
): { readonly timeout?: TemplateDuration; readonly continueOnTimeout: boolean } {
  const timeout = fields.raw('timeout');
  const continueOnTimeout = fields.boolean('continueOnTimeout', true);
  if (timeout === undefined) return { continueOnTimeout };
  return {
    timeout: parseTemplateDuration(timeout, fields.at('timeout'), { maxMs: MAX_HOLD_MS }, parsing),
    continueOnTimeout,
  };
}

function* parseChoice(
  input: unknown,
  path: string,
  parsing: Parsing,
  nested: ParseNested,
): Steps<ActionOf<'choose'>['choices'][number]> {
  const fields = new Fields(input, path, 'choice');
  const choice = given({
    alias: fields.optionalText('alias'),
    conditions: parseConditionBlock(fields.raw('conditions'), fields.at('conditions'), parsing),
    actions: yield* actionsOf(fields, 'actions', nested),
  });
  fields.done();
  return choice;
}

function actionsOf(fields: Fields, name: string, nested: ParseNested): Steps<readonly Action[]> {
  return nested(fields.optionalList(name, 'actions', MAX_LIST) ?? [], fields.at(name));
}

function requiredBlock(fields: Fields, name: string, parsing: Parsing) {
  return parseConditionBlock(fields.required(name, 'a block of conditions'), fields.at(name), parsing);
}

function parseRounds(fields: Fields, parsing: Parsing): TemplateNumber {
  const count = optionalCount(fields, 'count', parsing);
  if (typeof count === 'string') return count;
  return fields.number('count', { min: 0, max: MAX_ROUNDS, integer: true });
}

/** A list, a text that contains a JSON list, or an expression that yields one. */
function parseItems(fields: Fields, parsing: Parsing) {
  const input = fields.required('forEachItems', 'a list, or an expression in {{ }} that gives one');
  const path = fields.at('forEachItems');
  if (Array.isArray(input) && input.length > MAX_ROUNDS) {
    throw invalid(path, `there may be at most ${MAX_ROUNDS}; these are ${input.length}`);
  }
  if (!Array.isArray(input) && !(typeof input === 'string' && hasTemplate(input)) && !isJsonList(input)) {
    throw invalid(path, 'it must be a list, also as JSON text, or an expression in {{ }} that gives one');
  }
  return parsing.templates(input, path);
}

function isJsonList(input: unknown): boolean {
  try {
    return typeof input === 'string' && Array.isArray(JSON.parse(input));
  } catch {
    return false;
  }
}

function parseInputIds(fields: Fields, parsing: Parsing): readonly string[] {
  const ids = fields.list('inputIds', 'ids of other actions', MAX_LIST).map((id, index) => {
    const path = `${fields.at('inputIds')}[${index}]`;
    if (typeof id !== 'string') throw invalid(path, "it must be an action's id");
    parsing.afterwards(() => {
      if (parsing.actionType(id) === undefined) throw invalid(path, 'the automation has no action with this id');
    });
    return id;
  });
  return [...new Set(ids)];
}
