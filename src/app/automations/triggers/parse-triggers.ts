/** Parses triggers from client input to stored form: the common fields here, the others as their kinds declare them. */

import { nearest } from '../../../kernel/nearest.ts';
import { atOnce } from '../../../kernel/slices.ts';
import { invalid } from '../parsing/faults.ts';
import { NodeInput, optional, readFields, unknownType, withDefault } from '../parsing/field.ts';
import { flag, text } from '../parsing/field-kinds.ts';
import { Fields } from '../parsing/fields.ts';
import { TRIGGER_ALIASES, toCanonicalTrigger } from '../parsing/palette.ts';
import { withOriginalPaths } from '../parsing/palette-paths.ts';
import type { Parsing } from '../parsing/parsing.ts';
import { kindOf, TRIGGER_TYPES, type Trigger, type TriggerType } from './index.ts';

const MAX_TRIGGERS = 50;

/** The parser of the flow makes and checks it. */
export const TRIGGER_ID = {
  id: optional(text('Unique; made where left out. Conditions of the type `trigger` name it.')),
};

/** The fields that all triggers have, besides their type. */
export const TRIGGER_FIELDS = { enabled: withDefault(flag('`true` if left out.'), true) };

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
  const kind = kindOf({ type });
  const id = parsing.triggerId(fields, type);
  const node = new NodeInput(fields, parsing);
  const common = atOnce(readFields(TRIGGER_FIELDS, node));
  const own = atOnce(readFields(kind.fields, node));
  kind.check?.(own, fields);
  fields.done();
  return { id, type, ...common, ...own } as Trigger;
}

function parseType(fields: Fields): TriggerType {
  const given = fields.text('type', 'the type of the trigger');
  const type = TRIGGER_TYPES.find((one) => one === given);
  if (type !== undefined) return type;
  throw unknownType(fields, 'trigger', TRIGGER_TYPES, nearest(given, [...TRIGGER_TYPES, ...TRIGGER_ALIASES]));
}
